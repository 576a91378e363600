/** A command was interrupted before there was anything to keep. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/**
 * Runs some work with a signal that Ctrl-C aborts. What was done until then is the work's to return; a second
 * Ctrl-C ends the process as usual.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Interrupted("interrupted"));
  for (const name of SIGNALS) process.once(name, abort);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, abort);
  }
}

/** Ctrl-C, `kill`, and a terminal that was closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

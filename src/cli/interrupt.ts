/** A command was interrupted before there was anything to keep. */
export class Interrupted extends Error {
  override name = "Interrupted";
}

/** Leaves Ctrl-C to the work of a command that has begun. */
let leaveToWork = (): void => {};

/** Runs a command that measures. Until its work begins Ctrl-C ends it at once: there is nothing to keep. Throws Interrupted then. */
export async function endedAtBeginning<T>(command: () => Promise<T>): Promise<T> {
  let interrupt = (): void => {};
  const interrupted = new Promise<never>((_, reject) => {
    interrupt = () => reject(new Interrupted("interrupted"));
  });
  leaveToWork = () => {
    for (const name of SIGNALS) process.off(name, interrupt);
  };
  for (const name of SIGNALS) process.once(name, interrupt);
  try {
    return await Promise.race([command(), interrupted]);
  } finally {
    leaveToWork();
  }
}

/**
 * Runs some work with a signal that Ctrl-C aborts. What was done until then is the work's to return; a second
 * Ctrl-C ends the process as usual.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new Interrupted("interrupted"));
  leaveToWork();
  for (const name of SIGNALS) process.once(name, abort);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, abort);
  }
}

/** Ctrl-C, `kill`, and a terminal that was closed. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

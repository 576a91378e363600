/** What the process's exit code says. */
export const EXIT = {
  /** All measured, or declared unsupported. */
  ok: 0,
  /** A cell failed, or the tool has a bug. */
  failed: 1,
  /** A command line or an input that makes no sense. */
  usage: 2,
  /** Stopped by Ctrl-C: 128 + SIGINT. */
  interrupted: 130,
} as const;

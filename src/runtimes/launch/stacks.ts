/**
 * Stacks of errors. They are for whoever mends a plugin or wirebench, and nobody else is shown one: only where the variable
 * WIREBENCH_STACK is set, those of this process and of what it starts go to standard error.
 */
import { writeSync } from "node:fs";

/** Whether stacks are shown. */
export function areStacksShown(): boolean {
  return (process.env["WIREBENCH_STACK"] ?? "") !== "";
}

/** Shows the stack of an error that is told in a line or kept as a reason, and those of its causes. */
export function showStack(error: unknown): void {
  if (!areStacksShown()) return;
  for (let one = error, depth = 0; one instanceof Error && depth < MOST_CAUSES; one = one.cause, depth += 1)
    showText(`${depth === 0 ? "" : "caused by "}${one.stack}\n`);
}

/** Causes may go round. */
const MOST_CAUSES = 8;

/** Text of this process or of one that it started. */
export function showText(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // Nobody reads it.
  }
}

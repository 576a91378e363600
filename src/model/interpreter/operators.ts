/** Operators of JavaScript: each makes code of the code of its operands, so that V8 sees one operator at each place. */
import type { Frame } from "./scope.ts";

/** Interpreted code: what it gives is as in JavaScript, whatever it is. */
// biome-ignore lint/suspicious/noExplicitAny: operands have any type
export type Run = (frame: Frame) => any;

/** Operators of two sides. */
export const BINARY: Readonly<Record<string, (left: Run, right: Run) => Run>> = {
  "+": (a, b) => (f) => a(f) + b(f),
  "-": (a, b) => (f) => a(f) - b(f),
  "*": (a, b) => (f) => a(f) * b(f),
  "/": (a, b) => (f) => a(f) / b(f),
  "%": (a, b) => (f) => a(f) % b(f),
  "**": (a, b) => (f) => a(f) ** b(f),
  "&": (a, b) => (f) => a(f) & b(f),
  "|": (a, b) => (f) => a(f) | b(f),
  "^": (a, b) => (f) => a(f) ^ b(f),
  "<<": (a, b) => (f) => a(f) << b(f),
  ">>": (a, b) => (f) => a(f) >> b(f),
  ">>>": (a, b) => (f) => a(f) >>> b(f),
  // biome-ignore lint/suspicious/noDoubleEquals: it is this operator
  "==": (a, b) => (f) => a(f) == b(f),
  // biome-ignore lint/suspicious/noDoubleEquals: it is this operator
  "!=": (a, b) => (f) => a(f) != b(f),
  "===": (a, b) => (f) => a(f) === b(f),
  "!==": (a, b) => (f) => a(f) !== b(f),
  "<": (a, b) => (f) => a(f) < b(f),
  ">": (a, b) => (f) => a(f) > b(f),
  "<=": (a, b) => (f) => a(f) <= b(f),
  ">=": (a, b) => (f) => a(f) >= b(f),
  "&&": (a, b) => (f) => a(f) && b(f),
  "||": (a, b) => (f) => a(f) || b(f),
  "??": (a, b) => (f) => a(f) ?? b(f),
  in: (a, b) => (f) => a(f) in b(f),
  instanceof: (a, b) => (f) => a(f) instanceof b(f),
};

/** Operators of one side. */
export const UNARY: Readonly<Record<string, (of: Run) => Run>> = {
  "!": (a) => (f) => !a(f),
  "-": (a) => (f) => -a(f),
  "+": (a) => (f) => +a(f),
  "~": (a) => (f) => ~a(f),
  typeof: (a) => (f) => typeof a(f),
  void: (a) => (f) => void a(f),
};

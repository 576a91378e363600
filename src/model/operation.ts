import type { Binding, Encoded } from "./codec.ts";
import type { Value } from "./value.ts";

/** What an operation may use to set itself up. */
export interface OperationContext {
  readonly binding: Binding;
  /** The ring of values that calls go round: each takes the next. */
  readonly values: readonly Value[];
  /** The same values encoded. */
  readonly encoded: readonly Encoded[];
  /** Folds a few leaves of a value into an int32. */
  readonly probe: (value: Value) => number;
  /** What {@link Binding.access} must return for a value. */
  readonly checksum: (value: Value) => number;
}

/** One timed call, its input ring, and how to tell that it did its work. */
export interface Task<Input = unknown, Result = unknown> {
  readonly inputs: readonly Input[];
  run(input: Input): Result;
  /** A cheap int32 of a result; the timed loop adds them up, and the sum is compared with that of `inputs`. */
  fold(result: Result): number;
  /** Throws VerificationError unless `result` is right for input `index`. Not timed. */
  check(result: Result, index: number): void;
}

/** What is timed. No operation knows any codec or dataset. */
export interface OperationDefinition {
  /** One line: what is timed, from what to what. */
  readonly summary: string;
  /** A step of encode or decode rather than a whole; shown beneath and never ranked. */
  readonly part: boolean;
  /** Throws UnsupportedError where the step is empty for this codec. */
  prepare(context: OperationContext): Task;
}

/** Gives an operation file its types, whatever its input and result are. */
export function defineOperation<Input, Result>(definition: {
  summary: string;
  part: boolean;
  prepare(context: OperationContext): Task<Input, Result>;
}): OperationDefinition {
  return definition as OperationDefinition;
}

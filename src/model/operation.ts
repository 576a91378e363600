import type { Binding, Encoded } from "./codec.ts";
import type { Schema } from "./schema.ts";
import type { Value } from "./value.ts";

/** What an operation may use to set itself up. */
export interface OperationContext {
  readonly schema: Schema;
  readonly binding: Binding;
  /** The ring of values that calls go round: each takes the next. For a schemaless codec they may be documents. */
  readonly values: readonly Value[];
  /** The canonical value of each, by which a part is chosen that is the same for every codec. */
  readonly canonical?: readonly Value[];
  /**
   * The same values encoded: made by the codec when they are first asked for, and not proven before everything is timed.
   * An operation that does not take them asks in `check` only: what runs before it is timed changes its time.
   */
  readonly encoded: readonly Encoded[];
  /** Folds a few leaves of a value into an int32. */
  readonly probe: (value: Value) => number;
  /** What {@link Binding.access} must return for a value. */
  readonly checksum: (value: Value) => number;
  /** Starts a thread that decodes in place of this one; absent where the runtime has none that can be waited for. */
  readonly thread?: () => DecodingThread;
}

/** A worker thread that has the same codec, bound to the same dataset. */
export interface DecodingThread {
  /**
   * Sends a message there, bytes by transfer of their buffer, waits until it is decoded, and takes the value by structured clone. Bytes
   * come back with it, by transfer too: then nothing is copied for the next call. Throws what the thread could not do.
   */
  decode(message: Encoded): { readonly value: Value; readonly message: Encoded };
}

/** One timed call, its input ring, and how to tell that it did its work. */
export interface Task<Input = unknown, Result = unknown> {
  readonly inputs: readonly Input[];
  run(input: Input): Result;
  /** A cheap int32 of a result; the timed loop adds them up, and the sum is compared with that of first results. */
  fold(result: Result): number;
  /** Set where a call takes what it reads from the bytes themselves, rather than from all that they decode to. */
  readonly inPlace?: boolean;
  /** Set where a call makes the bytes of its result: then none is faster than to copy them. */
  readonly makesBytes?: true;
  /** Throws VerificationError unless `result` is right for input `index`. Called after everything is timed. */
  check(result: Result, index: number): void;
}

/** What is timed. No operation knows any codec or dataset. */
export interface OperationDefinition {
  /** One line: what is timed, from what to what. */
  readonly summary: string;
  /** A step of encode or decode rather than a whole; shown beneath and never ranked. */
  readonly part: boolean;
  /** Measured only when it is asked for. */
  readonly optional?: true;
  /** Set where there is one operation for each argument, named `operation:argument`, and none without. */
  readonly argument?: OperationArgument;
  /** Throws UnsupportedError where the step is empty for this codec. */
  prepare(context: OperationContext): Task;
}

/** What stands behind the name of an operation. */
export interface OperationArgument {
  /** What it looks like, for messages: `STEP:FIELDS, as in reads:4:2`. */
  readonly form: string;
  /** The operation of an argument. Throws UsageError. */
  with(argument: string): OperationDefinition;
}

/** Gives an operation file its types, whatever its input and result are. */
export function defineOperation<Input, Result>(definition: {
  summary: string;
  part: boolean;
  optional?: true;
  argument?: OperationArgument;
  prepare(context: OperationContext): Task<Input, Result>;
}): OperationDefinition {
  return definition as OperationDefinition;
}

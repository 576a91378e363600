/** What a process is asked that runs the loops of a published method, and what it answers. */
import type { Refusal } from "../../model/errors.ts";
import type { ClassicRow, ClassicRun } from "../../model/records/classic.ts";

/** The loops of one codec on one dataset. */
export interface LoopJob {
  readonly codec: string;
  readonly dataset: string;
  /** In this order, and all of them once before the next repeat. */
  readonly operations: readonly LoopOperation[];
  readonly repeats: number;
  readonly end: LoopEnd;
}

/** What is called in a loop; `empty` calls nothing. */
export type LoopOperation = Exclude<ClassicRow["operation"], "latency">;

/** What ends a loop: calls; or time, which is asked for after some calls, or after each. */
export type LoopEnd =
  | { readonly kind: "calls"; readonly calls: number }
  | { readonly kind: "seconds"; readonly seconds: number; readonly clock: "now and then" | "each call" };

/** What the process says, in this order; `refused` ends it. */
export type LoopAnswer =
  | { readonly bytes: number }
  | { readonly operation: LoopOperation; readonly run: ClassicRun }
  | { readonly refused: Refusal }
  | { readonly done: true };

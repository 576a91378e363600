import type { IpcRecord } from "../../../../model/records/ipc.ts";

/** What a record says of a published claim. */
export type Outcome = "holds here" | "does not hold here" | "cannot be told";

/** A claim, and what a record says of it on one dataset. */
export interface Verdict {
  /** Name of the claim. */
  readonly claim: string;
  readonly statement: string;
  /** The dataset that it was looked for on, without a size. */
  readonly dataset: string;
  readonly outcome: Outcome;
  /** The numbers that say so, or what they lack. */
  readonly because: string;
  /** Which stage made the difference; absent where nothing can be compared. */
  readonly stage?: string;
}

/** What is found out about a claim: a verdict without the claim. */
export type Finding = Pick<Verdict, "outcome" | "because" | "stage">;

/** A claim that was published, and how it is judged. A pure function of the record. */
export interface Claim {
  readonly name: string;
  readonly statement: string;
  judge(record: IpcRecord, dataset: string): Finding;
}

/** That nothing can be said, and why. */
export function untold(because: string): Finding {
  return { outcome: "cannot be told", because };
}

/** What is found out, with the stage where there is a difference for it to have made. */
export function finding(outcome: Outcome, because: string, stage: string | undefined): Finding {
  const explained = stage !== undefined && outcome !== "cannot be told";
  return { outcome, because, ...(explained ? { stage } : {}) };
}

/** An outcome from what is certain; what is neither is not told. */
export function outcomeOf(holds: boolean, fails: boolean): Outcome {
  if (fails) return "does not hold here";
  return holds ? "holds here" : "cannot be told";
}

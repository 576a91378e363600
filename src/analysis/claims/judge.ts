/** What becomes of the published claims by what was measured. */
import type { ClaimRecord, ClaimResult, Side } from "../../model/records/claims.ts";
import type { IpcRecord } from "../../model/records/ipc.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { interprocessResults } from "./interprocess.ts";
import { ratioResult } from "./ratios.ts";
import type { Claim } from "./statements.ts";

/** What claims are judged by; what was not measured is absent. */
export interface Evidence {
  readonly run?: RunRecord | undefined;
  readonly ipc?: IpcRecord | undefined;
}

const SIDES: readonly Side[] = ["native", "typescript"];

/** The verdict on each claim, for the originals and for the TypeScript codecs. */
export function judgeClaims(claims: readonly Claim[], evidence: Evidence): ClaimRecord[] {
  return claims.map((claim) => ({
    id: claim.id,
    benchmark: claim.benchmark,
    statement: claim.statement,
    notes: claim.notes ?? [],
    results: SIDES.flatMap((side) => resultsOf(claim, side, evidence)),
  }));
}

function resultsOf({ id, tests }: Claim, side: Side, { run, ipc }: Evidence): ClaimResult[] {
  const nothing: ClaimResult = {
    side,
    subjects: [],
    verdict: "not testable",
    parts: [],
    reason: "nothing was measured",
  };
  if (tests !== undefined) return [run === undefined ? nothing : ratioResult(run, tests, side)];
  return ipc === undefined ? [nothing] : interprocessResults(ipc, id, side);
}

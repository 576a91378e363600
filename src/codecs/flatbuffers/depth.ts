import { UnsupportedError } from "../../model/errors.ts";
import { type FlatLayout, MAX_NESTING } from "../../schema/layout/flatbuffers.ts";

/** Parts of generated functions that count how deep tables are nested. All are empty where no value is too deep. */
export interface DepthCode {
  /** Last parameter of a function. */
  readonly parameter: string;
  /** Last argument of a call that stays in the same table. */
  readonly same: string;
  /** Last argument of a call for a table within. */
  readonly deeper: string;
  /** First statement of a function that adds a table; calls {@link refuseDepth}. */
  readonly check: string;
}

/** Counts only where a schema lets values nest deeper than verifiers go. */
export function depthCode({ deep }: FlatLayout): DepthCode {
  if (!deep) return { parameter: "", same: "", deeper: "", check: "" };
  return {
    parameter: ", depth = 1",
    same: ", depth",
    deeper: ", depth + 1",
    check: `if (depth > ${MAX_NESTING}) refuseDepth();`,
  };
}

/** Refuses to add a table that no verifier would accept. */
export function refuseDepth(): never {
  throw new UnsupportedError(
    `the value is nested too deeply for FlatBuffers, expected at most ${MAX_NESTING} tables, which is where verifiers stop`,
  );
}

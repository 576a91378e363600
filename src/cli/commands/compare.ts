import { compareRecords } from "../../analysis/compare/compare.ts";
import { UsageError } from "../../model/errors.ts";
import type { Comparison } from "../../model/records/comparison.ts";
import { readRecord } from "../../store/read-record.ts";
import type { Invocation } from "../io.ts";
import { answer, optionsOf } from "./compare-answer.ts";
import type { PairedFlags } from "./compare-paired.ts";

/** The options of both kinds of comparison. */
export interface CompareFlags extends PairedFlags {
  readonly base?: string;
  readonly head?: string;
  readonly force?: boolean;
}

/** `wirebench compare`: two records beside each other, or two sides measured together. */
export async function compare(
  records: readonly string[],
  flags: CompareFlags,
  io: Invocation,
): Promise<number> {
  const { base, head } = flags;
  if (base !== undefined && head !== undefined) {
    if (records.length > 0) {
      throw new UsageError(`--base and --head: expected no records beside them, got ${records.join(" ")}`);
    }
    if (flags.force === true)
      throw new UsageError("--force is for two records: --base and --head share a machine");
    return (await import("./compare-paired.ts")).comparePaired({ base, head }, flags, io);
  }
  if (base !== undefined || head !== undefined) {
    const [given, missing] = base === undefined ? ["--head", "--base"] : ["--base", "--head"];
    throw new UsageError(`${given} needs ${missing}: what is it compared with?`);
  }
  const [before, after] = records;
  if (before === undefined || after === undefined || records.length > 2) {
    throw new UsageError(
      `compare: expected two records, or --base and --head, got ${records.join(" ") || "nothing"}`,
    );
  }
  if (before === "-" && after === "-") {
    throw new UsageError("compare: standard input can be one of the records only, got - twice");
  }
  expectNothingToMeasure(flags);
  return answer(compareFiles(before, after, flags), flags, io);
}

function compareFiles(before: string, after: string, flags: CompareFlags): Comparison {
  return compareRecords(readRecord(before), readRecord(after), {
    ...optionsOf(flags),
    force: flags.force === true,
    sources: { base: before, head: after },
  });
}

/** Nothing is measured of two records: an option that says what to measure would be ignored in silence. */
function expectNothingToMeasure(flags: CompareFlags): void {
  const given = [
    ...(["codec", "dataset", "operation", "plugin", "data"] as const).filter(
      (name) => flags[name].length > 0,
    ),
    ...(["schema", "message", "int64", "profile", "seed", "timeout", "out"] as const).filter(
      (name) => flags[name] !== undefined,
    ),
  ];
  if (given[0] !== undefined) {
    throw new UsageError(`--${given[0]} is for --base and --head: nothing is measured of two records`);
  }
}

import type { IpcRecord } from "../../../../model/records/ipc.ts";
import { baseName, CODECS } from "./comparison.ts";
import { DROPS } from "./drops.ts";
import { LATENCY } from "./latency.ts";
import { SINGLE_POINT } from "./single-point.ts";
import { STABILITY } from "./stability.ts";
import { THROUGHPUT } from "./throughput.ts";
import type { Claim, Verdict } from "./verdict.ts";

/** The claims that were published, in their order. */
const CLAIMS: readonly Claim[] = [LATENCY, THROUGHPUT, STABILITY, DROPS, SINGLE_POINT];

/** Datasets of the published sizes: the first is the one that claims are judged by. */
export const DATASETS = ["frame", "cloud"] as const;

/** What a record says of each published claim: a verdict for each dataset of {@link DATASETS} that it has. */
export function verdictsOf(record: IpcRecord): Verdict[] {
  const found = DATASETS.filter((name) => record.tests.some((row) => baseName(row) === name));
  const datasets = found.length === 0 ? [DATASETS[0]] : found;
  return CLAIMS.flatMap(({ name, statement, judge }) =>
    datasets.map((dataset) => ({ claim: name, statement, dataset, ...judge(record, dataset) })),
  );
}

/** Whether a record has anything that could be put beside the published figures. */
export function isComparable(record: IpcRecord): boolean {
  const codecs: readonly string[] = Object.values(CODECS);
  const datasets: readonly string[] = DATASETS;
  return record.tests.some((row) => codecs.includes(row.codec) && datasets.includes(baseName(row)));
}

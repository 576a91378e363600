import type { Comparison } from "../../model/records/comparison.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { type Replicate, unpairedRatio } from "../statistics/ratio.ts";
import { type CompareOptions, compared } from "./compared.ts";
import { fingerprintDifferences } from "./fingerprint.ts";

/** A bootstrap of so many knows its standard error to 2 %, and a thousand cells take a fraction of a second. */
const RESAMPLES = 1000;

/** How two records are compared. */
export interface RecordOptions extends CompareOptions {
  /** Compares records of different processors, platforms and engines too. */
  readonly force?: boolean;
  /** What the two are called; by default by their times. */
  readonly sources?: { readonly base: string; readonly head: string };
}

/**
 * What is faster, slower, larger or smaller in one run (`head`) than in an earlier one (`base`). Throws UsageError where
 * the two have nothing in common, where a dataset has other values, and, unless it is forced, where the processor, the
 * platform or the engine is another.
 */
export function compareRecords(base: RunRecord, head: RunRecord, options: RecordOptions = {}): Comparison {
  const differences = fingerprintDifferences(base, head, { force: options.force === true });
  const codecs = [base, head].flatMap(({ cells }) =>
    cells.filter(({ twinOf }) => twinOf === undefined).map(({ codec }) => codec),
  );
  const names = [...new Set(codecs)].map((codec) => ({ codec, base: codec, head: codec }));
  const sources = options.sources ?? { base: base.startedAt, head: head.startedAt };
  const sides = { method: "records", base, head, sources, names, differences } as const;
  return compared(
    {
      ...sides,
      estimate: (of, to) => {
        const estimate = unpairedRatio(of, to, { resamples: RESAMPLES });
        return isOneMeasurement(of, to) ? { ...estimate, ...ITSELF } : estimate;
      },
    },
    options,
  );
}

/** A measurement is the same as itself, however unsure it is of the time. */
const ITSELF = { ratio: 1, ci95: [1, 1], p: 1 } as const;

/** Whether these are the same processes, as in a record and its copy: two that were measured apart never agree in all. */
function isOneMeasurement(head: readonly Replicate[], base: readonly Replicate[]): boolean {
  return (
    head.length > 0 &&
    head.length === base.length &&
    head.every(({ block, stretches }, index) => {
      const other = base[index]!;
      return (
        block === other.block &&
        stretches.length === other.stretches.length &&
        stretches.every((time, place) => time === other.stretches[place])
      );
    })
  );
}

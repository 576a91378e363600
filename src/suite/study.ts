import { findDataset, namedDataset } from "../catalog/dataset.ts";
import { type Registry, splitName } from "../catalog/registry.ts";
import type { Dataset } from "../model/dataset.ts";
import { UsageError } from "../model/errors.ts";
import { expectName } from "../model/expect-option.ts";
import type { Int64Mode } from "../model/schema.ts";
import { readSweep } from "../schema/selection.ts";
import { inputRing } from "../schema/values/input-ring.ts";
import { type PlannedOperation, selectOperations } from "./operations.ts";
import type { PlannedDataset } from "./planned-dataset.ts";
import type { Selection, Study } from "./selection.ts";

/** Sizes that a study of sizes goes through besides the dataset's own. */
const SIZES = [1, 1000, 30_000];

/** The study that is asked for. Throws UsageError for one that is not known, or whose operations were chosen. */
export function studyOf({ study, operations, parts }: Selection): Study | undefined {
  if (study === undefined) return undefined;
  const known = expectName("study", study, { size: true, reads: true });
  if (known === "reads" && (operations !== undefined || parts === true)) {
    throw new UsageError("study reads: it has operations of its own, expected neither operations nor parts");
  }
  return known;
}

/**
 * The datasets of a study of sizes: several of each, and besides those that are named. Throws UsageError for one that
 * has one size only.
 */
export async function sweptDatasets(
  registry: Registry,
  datasets: readonly (string | Dataset)[],
): Promise<string[]> {
  const swept = new Set<string>();
  for (const dataset of datasets) {
    const name = typeof dataset === "string" ? dataset : dataset.name;
    const { definition } =
      typeof dataset === "string" ? await findDataset(registry, dataset) : { definition: undefined };
    if (definition?.size === undefined) {
      throw new UsageError(`study size: dataset "${name}" has one size only, expected one such as tellist`);
    }
    const { standard, max } = definition.size;
    const [base, named] = splitName(name);
    const sizes = [...SIZES, standard, ...(named === undefined ? [] : [Number(named)])];
    for (const size of sizes.filter((one) => one <= max)) swept.add(`${base}:${size}`);
  }
  const sizeOf = (name: string): number => Number(splitName(name)[1]);
  return [...swept].sort((a, b) => sizeOf(a) - sizeOf(b));
}

/** What a study of partial reads measures: decode and access, and each dataset's own sweep of reads. */
export async function readsOperations(
  registry: Registry,
  datasets: readonly PlannedDataset[],
  int64: Int64Mode | undefined,
): Promise<PlannedOperation[]> {
  const whole = await selectOperations(registry, ["decode", "access"], false);
  const sweeps = await Promise.all(
    datasets.map(async ({ name, source }) => {
      const dataset = typeof source === "string" ? await namedDataset(registry, source, int64) : source;
      const [first] = inputRing(dataset);
      const reads = readSweep(dataset.schema, first === undefined ? [] : [first]);
      return reads.map(({ name: operation, records, fields }) => ({
        name: operation,
        part: false,
        reads: { records, fields },
        dataset: name,
      }));
    }),
  );
  return [...whole, ...sweeps.flat()];
}

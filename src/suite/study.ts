import { findDataset, namedDataset, ownDataset } from "../catalog/dataset.ts";
import { type Registry, splitName } from "../catalog/registry.ts";
import type { Dataset } from "../model/dataset.ts";
import { UsageError } from "../model/errors.ts";
import { expectName } from "../model/expect-option.ts";
import type { Int64Mode } from "../model/schema.ts";
import { readSweep } from "../schema/selection.ts";
import { inputRing } from "../schema/values/input-ring.ts";
import { int64Forms } from "./int64-forms.ts";
import { type PlannedOperation, selectOperations } from "./operations.ts";
import type { PlannedDataset } from "./planned-dataset.ts";
import { repeatedDatasets } from "./repeated.ts";
import type { Selection, Study } from "./selection.ts";

/** Sizes that a study of sizes goes through besides the dataset's own. */
const SIZES = [1, 1000, 30_000];

/** The study that is asked for. Throws UsageError for one that is not known, or whose operations were chosen. */
export function studyOf({ study, operations, parts, int64 }: Selection): Study | undefined {
  if (study === undefined) return undefined;
  const known = expectName("study", study, {
    size: true,
    reads: true,
    int64: true,
    stream: true,
    stall: true,
  });
  if (known === "int64" && int64 !== undefined)
    throw new UsageError("study int64: it has 64-bit integers of every type, expected no option int64");
  const hasOwn = known !== "size" && known !== "int64";
  if (hasOwn && (operations !== undefined || parts === true)) {
    throw new UsageError(
      `study ${known}: it has operations of its own, expected neither operations nor parts`,
    );
  }
  return known;
}

/** The datasets that are measured for those that are named. Throws UsageError for one that the study makes nothing of. */
export async function studiedDatasets(
  registry: Registry,
  study: Study | undefined,
  named: readonly (string | Dataset)[],
  int64: Int64Mode | undefined,
): Promise<readonly (string | Dataset)[]> {
  if (study === "size") return sweptDatasets(registry, named);
  if (study !== "int64" && study !== "stall") return named;
  const given = await Promise.all(
    named.map((one) => (typeof one === "string" ? namedDataset(registry, one, int64) : ownDataset(one))),
  );
  return given.flatMap(study === "int64" ? int64Forms : repeatedDatasets);
}

/**
 * The datasets of a study of sizes: several of each, and besides those that are named. Throws UsageError for one that
 * has one size only.
 */
async function sweptDatasets(registry: Registry, datasets: readonly (string | Dataset)[]): Promise<string[]> {
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

/** Messages of a stream: with the address book some chunks of 64 KiB. */
const STREAMED = 1000;

/** The operations that a study measures: those that are selected, unless it has its own. */
export async function studiedOperations(
  registry: Registry,
  study: Study | undefined,
  { operations, parts = false }: Selection,
  datasets: readonly PlannedDataset[],
  int64: Int64Mode | undefined,
): Promise<PlannedOperation[]> {
  switch (study) {
    case "reads":
      return readsOperations(registry, datasets, int64);
    case "stream":
      // A stream, its first message, and the decode of one alone.
      return selectOperations(registry, ["decode", `stream:${STREAMED}`, `stream:first:${STREAMED}`], false);
    case "stall":
      return selectOperations(registry, ["decode", "clone", "worker"], false);
    default:
      return selectOperations(registry, operations, parts);
  }
}

/** What a study of partial reads measures: decode and access, and each dataset's own sweep of reads. */
async function readsOperations(
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

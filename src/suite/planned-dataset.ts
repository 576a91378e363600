import { expectDistinctNames, findDataset, namedDataset, ownDataset } from "../catalog/dataset.ts";
import type { Registry } from "../catalog/registry.ts";
import type { Dataset, Inferred } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { UsageError } from "../model/errors.ts";
import type { Int64Mode } from "../model/schema.ts";
import { show, type Value } from "../model/value.ts";
import { jsonText } from "../schema/values/json-text.ts";

/** A dataset as a run knows it: by name, or with the user's data. */
export interface PlannedDataset {
  readonly name: string;
  readonly story: string;
  readonly message: string;
  /** As in a `DatasetRecord`. */
  readonly size?: { readonly unit: string; readonly count: number };
  /** As in a `DatasetRecord`. */
  readonly fileBytes?: number;
  readonly schemaless?: "documents" | "values";
  /** As in a `DatasetRecord`. */
  readonly inferred?: Inferred;
  /** Bytes of all values, as a file holds them, roughly; absent for one that is known by its name. */
  readonly textBytes?: number;
  readonly source: string | Dataset;
}

/**
 * The datasets of a run, each once. Throws UsageError for a name that is not known or that two of them have, and for
 * integers that are not safe where numbers are asked for.
 */
export async function planDatasets(
  registry: Registry,
  datasets: readonly (string | Dataset)[],
  int64: Int64Mode | undefined,
): Promise<PlannedDataset[]> {
  if (datasets.length === 0) throw new UsageError("no dataset: expected at least one");
  // One that is given twice is measured once.
  const planned = await Promise.all(
    [...new Set(datasets)].map((one) => plannedDataset(registry, one, int64)),
  );
  expectDistinctNames(planned.map(({ name }) => name));
  return planned;
}

async function plannedDataset(
  registry: Registry,
  source: string | Dataset,
  int64: Int64Mode | undefined,
): Promise<PlannedDataset> {
  if (typeof source === "string") {
    const { definition, size: count, story } = await findDataset(registry, source);
    const size = definition.size && { size: { unit: definition.size.unit, count } };
    // Numbers may not do for its integers, which only its values tell.
    if (int64 === "number") await namedDataset(registry, source, int64);
    return { name: source, story, message: definition.schema.root, ...size, source };
  }
  const given: unknown = source;
  if (typeof given !== "object" || given === null || !("schema" in given) || !("values" in given)) {
    throw new UsageError(
      `datasets: expected names, or datasets as loadDataset() gives them, got ${show(given)}`,
    );
  }
  const { name, story = "", schema, documents, fileBytes, inferred } = source;
  const schemaless = documents === undefined ? "values" : "documents";
  const own = ownDataset(source);
  return {
    name,
    story,
    message: schema.root,
    textBytes: (fileBytes ?? textLength(own.values[0]!)) * own.values.length,
    ...(fileBytes === undefined ? {} : { fileBytes: Math.round(fileBytes * 10) / 10, schemaless }),
    ...defined({ inferred }),
    source: own,
  };
}

/** Characters of a value's JSON text. */
function textLength(value: Value): number {
  try {
    return jsonText(value).length;
  } catch {
    return LONGEST_TEXT;
  }
}

/** About as many characters as a string has at most. */
const LONGEST_TEXT = 2 ** 29;

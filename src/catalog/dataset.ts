import type { Dataset, DatasetDefinition } from "../model/dataset.ts";
import { UsageError, ValueError } from "../model/errors.ts";
import type { Int64Mode, Schema } from "../model/schema.ts";
import { firstDifference, type Value } from "../model/value.ts";
import { conformAll } from "../schema/values/conform.ts";
import { ringLength } from "../schema/values/input-ring.ts";
import { splitName } from "./named-codec.ts";
import type { Registry } from "./registry.ts";

/** Where definitions of datasets are found by their names. */
export type Datasets = Pick<Registry, "isOwn"> & {
  definition(kind: "datasets", name: string): Promise<DatasetDefinition>;
};

/**
 * A built-in or plugged-in dataset by its name, as in `tellist` or `tellist:3700`, with its values.
 * @param int64 type of its 64-bit integers; by default numbers where all are safe
 */
export async function namedDataset(registry: Datasets, name: string, int64?: Int64Mode): Promise<Dataset> {
  const { definition, size, story } = await findDataset(registry, name);
  const { schema } = definition;
  const first = make(name, definition, size, 0);
  const values = [first];
  const ring = ringLength(first);
  for (let index = 1; index < ring; index++) values.push(make(name, definition, size, index));
  // Built-in values are canonical, which a test holds; to check a million of them would take seconds.
  if (int64 === undefined && !registry.isOwn("datasets", splitName(name)[0])) {
    return { name, story, schema, values, int64: values.some(holdsBigint) ? "bigint" : "number" };
  }
  return { name, story, schema, ...conformed(name, schema, values, int64 ?? "auto") };
}

/**
 * A dataset that a program made, with its values brought into canonical form. Throws UsageError, also where its documents
 * are not the same data.
 */
export function ownDataset(dataset: Dataset): Dataset {
  const { name, schema, values, documents, int64 } = dataset;
  if (values.length === 0) throw new UsageError(`dataset "${name}" has no value to measure`);
  const canonical = conformed(name, schema, values, int64);
  if (documents !== undefined) {
    const meant = conformed(name, schema, documents, canonical.int64, "json");
    const difference = firstDifference(canonical.values, meant.values);
    if (difference !== undefined)
      throw new UsageError(`dataset "${name}": its documents are not its values: ${difference}`);
  }
  return { ...dataset, ...canonical };
}

function make(name: string, definition: DatasetDefinition, size: number, index: number): Value {
  try {
    return definition.make(size, index);
  } catch (error) {
    throw new UsageError(`dataset "${name}": ${(error as Error).message}`, { cause: error });
  }
}

function conformed(
  name: string,
  schema: Schema,
  values: readonly Value[],
  int64: Int64Mode | "auto",
  form: "plain" | "json" = "plain",
): Pick<Dataset, "values" | "int64"> {
  try {
    return conformAll(schema, values, { form, int64 });
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new UsageError(`dataset "${name}": ${error.message}`, { cause: error });
  }
}

/** Throws UsageError where two sets of data have one name: they would hide each other. */
export function expectDistinctNames(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`two datasets are called "${twice}": rename the file of one`);
}

/** The definition behind a dataset's name, the size that the name asks for and its story. Throws UsageError. */
export async function findDataset(
  registry: Datasets,
  name: string,
): Promise<{ readonly definition: DatasetDefinition; readonly size: number; readonly story: string }> {
  const [base, text] = splitName(name);
  const definition = await registry.definition("datasets", base);
  const size = sizeOf(name, text, definition.size);
  return { definition, size, story: storyOf(definition, size) };
}

/** The story tells of the standard size. */
function storyOf({ story, size }: DatasetDefinition, count: number): string {
  if (size === undefined || size.standard === count) return story;
  const unit = count === 1 ? size.unit.replace(/^(\w+)s\b/, "$1") : size.unit;
  return `${story} Here with ${count.toLocaleString("en-US")} ${unit}.`;
}

function sizeOf(
  name: string,
  text: string | undefined,
  size: { unit: string; standard: number; max: number } | undefined,
): number {
  if (size === undefined) {
    if (text !== undefined) throw new UsageError(`dataset "${name}": it has one size only`);
    return 1;
  }
  if (text === undefined) return size.standard;
  const count = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= 1 && count <= size.max) return count;
  throw new UsageError(
    `dataset "${name}": expected 1 to ${size.max} ${size.unit} after the colon, got "${text}"`,
  );
}

function holdsBigint(value: Value): boolean {
  if (typeof value === "bigint") return true;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return false;
  return Object.values(value).some(holdsBigint);
}

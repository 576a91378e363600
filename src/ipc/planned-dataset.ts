import { findDataset, namedDataset, ownDataset } from "../catalog/dataset.ts";
import { type Registry, splitName } from "../catalog/registry.ts";
import type { Dataset } from "../model/dataset.ts";
import type { Int64Mode } from "../model/schema.ts";
import { contentBytes } from "./figures/content-bytes.ts";

/** A dataset as a plan knows it: by name, or with the user's data. */
export interface PlannedDataset {
  readonly name: string;
  readonly story: string;
  readonly message: string;
  readonly source: string | Dataset;
  /** What a message holds. */
  readonly payloadBytes: number;
}

/** `frame` as `frame:6500000` for each size. */
export async function sizedNames(
  registry: Registry,
  name: string,
  payloads: readonly number[],
): Promise<string[]> {
  const [base, size] = splitName(name);
  const { definition } = await findDataset(registry, name);
  const inBytes = isInBytes(definition.size?.unit);
  return size === undefined && inBytes ? payloads.map((bytes) => `${base}:${bytes}`) : [name];
}

/** A dataset that is named. Throws UsageError. */
export async function planNamed(
  registry: Registry,
  name: string,
  int64: Int64Mode | undefined,
): Promise<PlannedDataset> {
  const { definition, size } = await findDataset(registry, name);
  const { schema, story } = definition;
  const payloadBytes = isInBytes(definition.size?.unit)
    ? size
    : contentOf(await namedDataset(registry, name, int64));
  return { name, story, message: schema.root, source: name, payloadBytes };
}

/** A user's own data. Throws UsageError. */
export function planOwn(dataset: Dataset): PlannedDataset {
  const { name, story = "", schema } = dataset;
  const source = ownDataset(dataset);
  return { name, story, message: schema.root, source, payloadBytes: contentOf(source) };
}

/**
 * What a message of a dataset holds, in bytes.
 * @param own whether it is the user's, and not one of its name
 */
export async function payloadBytesOf(registry: Registry, dataset: Dataset, own: boolean): Promise<number> {
  if (own) return contentOf(dataset);
  const { definition, size } = await findDataset(registry, dataset.name);
  return isInBytes(definition.size?.unit) ? size : contentOf(dataset);
}

/** What a dataset's values hold in the mean, in bytes; 1 for those that hold nothing, so that it can be divided by. */
function contentOf({ schema, values }: Dataset): number {
  const all = values.reduce<number>((sum, value) => sum + contentBytes(schema, value), 0);
  return Math.max(1, Math.round(all / values.length));
}

function isInBytes(unit: string | undefined): boolean {
  return unit?.startsWith("bytes") === true;
}

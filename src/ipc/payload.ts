/** Payloads: what a message holds, in bytes and whatever the format. Sizes of messages are compared by it. */
import { findDataset, namedDataset } from "../catalog/dataset.ts";
import { type Registry, splitName } from "../catalog/registry.ts";
import type { Dataset } from "../model/dataset.ts";
import { UsageError } from "../model/errors.ts";
import {
  type Field,
  type Int64Mode,
  integerOf,
  messageOf,
  type Scalar,
  type Schema,
} from "../model/schema.ts";
import type { RecordValue, Value } from "../model/value.ts";
import type { PlannedDataset } from "../suite/planned-dataset.ts";

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
};

/** Bytes of a size such as `6.5MB`, which is 6,500,000: MB is decimal, MiB is not. Throws UsageError. */
export function byteSize(text: string): number {
  const [, number = "", unit = ""] = /^([0-9]+(?:\.[0-9]+)?) *([A-Za-z]*)$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  const bytes = number === "" || factor === undefined ? Number.NaN : Number(number) * factor;
  // 6.5 MB is a whole number of bytes, but 6.5 is a size whose unit was forgotten.
  if (Number.isSafeInteger(Math.round(bytes)) && bytes > 0 && isWhole(bytes)) return Math.round(bytes);
  throw new UsageError(`payload "${text}": expected a size as 650kB, 6.5MB or 26000000`);
}

/** Whether a product of a decimal number is whole, but for what binary numbers cannot hold. */
function isWhole(bytes: number): boolean {
  return Math.abs(bytes - Math.round(bytes)) <= bytes * Number.EPSILON;
}

/** `frame` as `frame:6500000` for each payload; a name that takes none as it is. */
export async function sizedNames(
  registry: Registry,
  name: string,
  payloads: readonly number[],
): Promise<string[]> {
  return (await takesPayload(registry, name)) ? payloads.map((bytes) => `${name}:${bytes}`) : [name];
}

/** Throws UsageError where no dataset takes a payload: payloads would be ignored in silence. */
export async function expectPayloadTaken(
  registry: Registry,
  datasets: readonly (string | Dataset)[],
): Promise<void> {
  const taken = datasets.map((one) => typeof one === "string" && takesPayload(registry, one));
  if ((await Promise.all(taken)).includes(true)) return;
  const names = datasets.map((one) => (typeof one === "string" ? one : one.name));
  throw new UsageError(
    `payload needs a dataset whose size is in bytes and not in its name, as frame: got ${names.join(", ")}`,
  );
}

/** Whether a dataset's size is in bytes, and not given in its name. */
async function takesPayload(registry: Registry, name: string): Promise<boolean> {
  const [, size] = splitName(name);
  const { definition } = await findDataset(registry, name);
  return size === undefined && isInBytes(definition.size?.unit);
}

/** What a message of a planned dataset holds. One whose name says it is not made for that. */
export async function plannedPayload(
  registry: Registry,
  { size, source }: PlannedDataset,
  int64: Int64Mode | undefined,
): Promise<number> {
  if (size !== undefined && isInBytes(size.unit)) return size.count;
  return meanContent(typeof source === "string" ? await namedDataset(registry, source, int64) : source);
}

/**
 * What a message of a dataset holds.
 * @param own whether it is the user's, and not one of its name
 */
export async function payloadBytesOf(registry: Registry, dataset: Dataset, own: boolean): Promise<number> {
  if (own) return meanContent(dataset);
  const { definition, size } = await findDataset(registry, dataset.name);
  return isInBytes(definition.size?.unit) ? size : meanContent(dataset);
}

function isInBytes(unit: string | undefined): boolean {
  return unit?.startsWith("bytes") === true;
}

/** What a dataset's values hold in the mean; 1 for those that hold nothing, so that it can be divided by. */
function meanContent({ schema, values }: Dataset): number {
  return Math.max(1, Math.round(sum(values, (value) => contentBytes(schema, value)) / values.length));
}

/** What a value holds: its numbers at their width, its texts as UTF-8, its byte fields. */
export function contentBytes(schema: Schema, value: Value, message = schema.root): number {
  const record = value as RecordValue;
  return sum(messageOf(schema, message).fields, (field) => {
    const held = Object.hasOwn(record, field.name) ? record[field.name] : undefined;
    return held === undefined ? 0 : fieldBytes(schema, field, held);
  });
}

function fieldBytes(schema: Schema, field: Field, held: Value): number {
  const { repetition } = field;
  if (repetition.kind === "one") return valueBytes(schema, field, held);
  if (repetition.kind === "list") {
    return sum(held as readonly Value[], (item) => valueBytes(schema, field, item));
  }
  return sum(
    Object.entries(held as RecordValue),
    ([key, item]) => keyBytes(repetition.key, key) + valueBytes(schema, field, item),
  );
}

function valueBytes(schema: Schema, { type }: Field, value: Value): number {
  if (type.kind === "message") return contentBytes(schema, value, type.name);
  if (type.kind === "enum") return 4;
  if (typeof value === "string") return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.length : width(type.scalar);
}

function keyBytes(scalar: Scalar, key: string): number {
  return scalar === "string" ? Buffer.byteLength(key) : width(scalar);
}

function width(scalar: Scalar): number {
  if (scalar === "double") return 8;
  if (scalar === "float") return 4;
  return (integerOf(scalar)?.bits ?? 8) / 8;
}

function sum<Item>(items: readonly Item[], bytes: (item: Item) => number): number {
  return items.reduce((total, item) => total + bytes(item), 0);
}

import { findDataset, namedDataset, ownDataset } from "../catalog/dataset.ts";
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

/**
 * What a value holds, in bytes and whatever the format: its numbers at their width, its texts as UTF-8, its byte
 * fields. Sizes of messages are compared by it.
 */
export function contentBytes(schema: Schema, value: Value, message = schema.root): number {
  const record = value as RecordValue;
  return messageOf(schema, message).fields.reduce((sum, field) => {
    const held = Object.hasOwn(record, field.name) ? record[field.name]! : undefined;
    return held === undefined ? sum : sum + fieldBytes(schema, field, held);
  }, 0);
}

function fieldBytes(schema: Schema, field: Field, held: Value): number {
  const { repetition } = field;
  if (repetition.kind === "one") return valueBytes(schema, field, held);
  if (repetition.kind === "list")
    return sum((held as readonly Value[]).map((item) => valueBytes(schema, field, item)));
  return sum(
    Object.entries(held as RecordValue).map(
      ([key, item]) => keyBytes(repetition.key, key) + valueBytes(schema, field, item),
    ),
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

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

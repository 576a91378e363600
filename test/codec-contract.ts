/**
 * The one suite that every codec passes on every dataset it carries. `codecs.test.ts` runs it on the built-in
 * datasets, on real messages and on random schemas.
 */
import { expect } from "vitest";
import type { NamedCodec } from "../src/catalog/registry.ts";
import { type Binding, type Encoded, sameEncoded } from "../src/model/codec.ts";
import type { Dataset } from "../src/model/dataset.ts";
import { DecodeError } from "../src/model/errors.ts";
import { seededRandom } from "../src/model/random.ts";
import type { Field, Schema } from "../src/model/schema.ts";
import type { MessageSelection, NumberPlace } from "../src/model/selection.ts";
import { firstDifference, type Value } from "../src/model/value.ts";
import { compileAssigner } from "../src/schema/generate/narrowed.ts";
import { compileSelectionVisitor, compileVisitor } from "../src/schema/generate/visit.ts";
import { isFixedNumber, otherNumber, recordsIn, recordsOf } from "../src/schema/selection.ts";
import { decodeTrusted, decodeUntrusted, encodeValue } from "../src/schema/values/transcode.ts";

/** Every value comes back as it went in, twice with the same bytes, and through the checks for outside bytes. */
export function expectRoundTrips(codec: NamedCodec, binding: Binding, dataset: Dataset): void {
  for (const value of dataset.values) {
    const before = structuredClone(value);
    const bytes = encodeValue(binding, value);
    const kept = copyOf(bytes);
    const decoded = decodeTrusted(binding, bytes);
    expect(firstDifference(value, decoded), `${codec.name}: decoded value`).toBeUndefined();
    const again = encodeValue(binding, value);
    if (binding.varies !== true) {
      expect(sameEncoded(again, kept), `${codec.name}: encodes the same value to the same bytes`).toBe(true);
    }
    expect(sameEncoded(bytes, kept), `${codec.name}: an earlier result is overwritten`).toBe(true);
    expect(firstDifference(before, value), `${codec.name}: the input is changed`).toBeUndefined();
    if (binding.into !== undefined) {
      const ample = 4 * kept.length + 99_999;
      const into = [Buffer.alloc(8), Buffer.alloc(ample, 0xa5)].map((memory) => binding.into!(value, memory));
      if (kept.length > 8) expect(into[0], `${codec.name}: memory that is too small`).toBeUndefined();
      expect(sameEncoded(into[1]!, kept), `${codec.name}: writes the same into memory`).toBe(true);
    }
    const untrusted = decodeUntrusted(codec.name, binding, dataset, bytes);
    expect(firstDifference(value, untrusted), `${codec.name}: value decoded with checks`).toBeUndefined();
    expect(sameEncoded(bytes, kept), `${codec.name}: decoding changes its input`).toBe(true);
  }
}

/** `access` reads what is there: its sum is that of the value's leaves. */
export function expectAccess(codec: NamedCodec, binding: Binding, dataset: Dataset): void {
  const checksum = compileVisitor(dataset.schema, { long: "plain", text: binding.text });
  for (const value of dataset.values) {
    expect(binding.access(encodeValue(binding, value)), `${codec.name}: access`).toBe(checksum(value));
  }
}

/** `reader` reads what a selection names: its sum is that of the same selection of the value. */
export function expectPartialReads(codec: NamedCodec, binding: Binding, dataset: Dataset): void {
  if (binding.reader === undefined) return;
  const encoded = dataset.values.map((value) => encodeValue(binding, value));
  for (const selection of selectionsOf(dataset)) {
    const read = binding.reader(selection);
    const checksum = compileSelectionVisitor(dataset.schema, selection, {
      long: "plain",
      text: binding.text,
    });
    for (const [index, value] of dataset.values.entries()) {
      const what = `${codec.name}: reads ${JSON.stringify(selection)}`;
      expect(read(encoded[index]!), what).toBe(checksum(value));
    }
  }
}

/** Parts of several sizes, of the records in the middle and of such as no value has. */
export function selectionsOf({ schema, values }: Dataset): MessageSelection[] {
  const { path, message } = recordsOf(schema);
  const fields = message.fields.map(({ name }) => name);
  const middle = Math.floor(recordsIn(values[0] as Value, path).length / 2);
  const half = fields.slice(0, Math.ceil(fields.length / 2));
  const all: readonly Omit<MessageSelection, "path">[] = [
    { first: 0, step: 1, fields },
    { first: 0, step: 0, fields: [] },
    { first: middle, step: 0, fields: fields.slice(-1) },
    { first: 1, step: 2, fields: half },
    { first: 2 ** 31, step: 1, fields },
  ];
  return all.filter(({ first }) => path.length > 0 || first === 0).map((one) => ({ path, ...one }));
}

/** `writer` changes one number and nothing else. Returns how many numbers it changed. */
export function expectOverwrites(
  codec: NamedCodec,
  binding: Binding,
  dataset: Dataset,
  most: number,
): number {
  if (binding.writer === undefined) return 0;
  const [value] = dataset.values as [Value];
  const numbers = numbersIn(dataset.schema, value).filter(isReplaceable).slice(0, most);
  for (const { place, definition, number } of numbers) {
    const bytes = new Uint8Array(encodeValue(binding, value) as Uint8Array);
    const expected = structuredClone(value);
    const other = otherNumber(definition, number);
    compileAssigner(place)(expected, other);
    binding.writer(place)(bytes, other);
    const what = `${codec.name}: overwrites ${JSON.stringify(place)}`;
    const changed = decodeUntrusted(codec.name, binding, dataset, bytes);
    expect(firstDifference(expected, changed), what).toBeUndefined();
    // Back again: not a byte beside the number has changed.
    binding.writer(place)(bytes, number);
    expect(sameEncoded(bytes, encodeValue(binding, value)), what).toBe(true);
  }
  const [beyond] = numbers;
  if (beyond !== undefined && beyond.place.path.length > 0) {
    const record = recordsIn(value, beyond.place.path).length;
    const bytes = new Uint8Array(encodeValue(binding, value) as Uint8Array);
    const write = binding.writer({ ...beyond.place, record });
    expect(() => write(bytes, beyond.number), `${codec.name}: overwrites a record that is not there`).toThrow(
      DecodeError,
    );
    expect(sameEncoded(bytes, encodeValue(binding, value))).toBe(true);
  }
  return numbers.length;
}

/** A field of fixed width of one record, and the number in it. */
export interface HeldNumber {
  readonly place: NumberPlace;
  readonly definition: Field;
  /** Undefined where the field is absent. */
  readonly number: number | bigint | undefined;
}

/** Every field of fixed width of a value's records. */
export function numbersIn(schema: Schema, value: Value): HeldNumber[] {
  const { path, message } = recordsOf(schema);
  return recordsIn(value, path).flatMap((held, record) =>
    message.fields.filter(isFixedNumber).map((definition) => {
      const field = definition.name;
      const number = Object.hasOwn(held, field) ? (held[field] as number | bigint) : undefined;
      return { place: { path, record, field }, definition, number };
    }),
  );
}

/**
 * Whether a format that leaves zeros out has it, and negation or another bit makes it another number. Stated anew and
 * not taken from the code, whose `updatePlace` chooses by the same rule: a mistake there must not hide here.
 */
export function isReplaceable(held: HeldNumber): held is HeldNumber & { readonly number: number | bigint } {
  return (typeof held.number === "bigint" || Number.isFinite(held.number)) && Number(held.number) !== 0;
}

/** Damaged bytes decode to some value or throw a DecodeError; nothing else, and no prototype is touched. */
export function expectSafeOnDamage(
  codec: NamedCodec,
  binding: Binding,
  dataset: Dataset,
  options: { seed: number; mutants: number },
): { refused: number; accepted: number } {
  const random = seededRandom(options.seed);
  const counts = { refused: 0, accepted: 0 };
  const valid = dataset.values.map((value) => encodeValue(binding, value));
  // Mutants are refused by the ten thousand: one line of where is enough.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 1;
  for (let i = 0; i < options.mutants; i++) {
    const source = valid[i % valid.length];
    if (typeof source === "string" || source === undefined) continue;
    const mutant = damaged(source, i, random);
    const kept = Buffer.from(mutant);
    try {
      decodeUntrusted(codec.name, binding, dataset, mutant);
      counts.accepted += 1;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw new Error(describeMutant(codec, mutant), { cause: error });
      counts.refused += 1;
    }
    if (!kept.equals(mutant)) throw new Error(`input written to: ${describeMutant(codec, kept)}`);
  }
  Error.stackTraceLimit = stackTraceLimit;
  expect(Object.keys(Object.prototype)).toEqual([]);
  return counts;
}

/** Every proper prefix of a message is refused. Formats without an end of their own cannot promise that. */
export function expectTruncationRefused(codec: NamedCodec, binding: Binding, dataset: Dataset): void {
  const bytes = encodeValue(binding, dataset.values[0] as Value);
  const accepted: number[] = [];
  for (let length = 0; length < bytes.length; length++) {
    const prefix =
      typeof bytes === "string" ? bytes.slice(0, length) : Buffer.from(bytes.subarray(0, length));
    try {
      decodeUntrusted(codec.name, binding, dataset, prefix);
      accepted.push(length);
    } catch (error) {
      expect(error, `${codec.name}: prefix of ${length} bytes`).toBeInstanceOf(DecodeError);
    }
  }
  expect(accepted, `${codec.name}: prefixes taken for whole messages`).toEqual([]);
}

const EXTREMES = [0, 1, 0x7f, 0x80, 0xff];

/** What a character of text may become, and text stays text: a digit or a letter of its kind. */
const ALIKE = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"].map((text) =>
  Buffer.from(text),
);

/** How many kinds of damage {@link damaged} knows. */
export const KINDS_OF_DAMAGE = 6;

/**
 * One damaged copy, by the number of its kind: a cut, a changed bit or byte, a wild 32-bit word, another digit or letter, or
 * junk at the end. Of text only another digit or letter leaves much that is well-formed.
 */
export function damaged(source: Uint8Array, i: number, random: () => number): Uint8Array {
  const at = Math.floor(random() * source.length);
  switch (i % KINDS_OF_DAMAGE) {
    case 0:
      return Buffer.from(source.subarray(0, at));
    case 1: {
      const copy = Buffer.from(source);
      copy[at] = copy[at]! ^ (1 << Math.floor(random() * 8));
      return copy;
    }
    case 2: {
      const copy = Buffer.from(source);
      copy[at] = EXTREMES[Math.floor(random() * EXTREMES.length)]!;
      return copy;
    }
    case 3: {
      const copy = Buffer.from(source);
      if (copy.length < 4) return copy;
      const word = [0, source.length, 0x7fffffff, 0xffffffff, Math.floor(random() * 2 ** 32)];
      copy.writeUInt32LE(word[Math.floor(random() * word.length)]!, Math.min(at, copy.length - 4));
      return copy;
    }
    case 4: {
      const copy = Buffer.from(source);
      for (let past = 0; past < copy.length; past++) {
        const place = (at + past) % copy.length;
        const alike = ALIKE.find((characters) => characters.includes(copy[place]!));
        if (alike === undefined) continue;
        copy[place] = alike[Math.floor(random() * alike.length)]!;
        break;
      }
      return copy;
    }
    default:
      return Buffer.concat([source, Buffer.alloc(1 + Math.floor(random() * 16), Math.floor(random() * 256))]);
  }
}

function describeMutant(codec: NamedCodec, mutant: Uint8Array): string {
  return `${codec.name} on ${Buffer.from(mutant).toString("hex")}`;
}

function copyOf(bytes: Encoded): Encoded {
  return typeof bytes === "string" ? bytes : Buffer.from(bytes);
}

import type { Dataset } from "../../model/dataset.ts";
import { UsageError } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";

/** Most distinct values that one dataset puts into a ring. */
const RING = 16;

/** Bytes of the ring's values, roughly, beyond which fewer are made: a ring should not outgrow the cache of a core. */
const RING_BYTES = 1 << 18;

/**
 * The ring of inputs that a timed loop goes round: the dataset's distinct values, or copies of its only one.
 * A loop over one object alone would let V8 hoist work out of it. Throws UsageError where there is no value.
 */
export function inputRing(dataset: Dataset): Value[] {
  const [first] = dataset.values;
  if (first === undefined) throw new UsageError(`dataset "${dataset.name}" has no value to measure`);
  if (dataset.values.length > 1) return [...dataset.values];
  return [first, ...Array.from({ length: ringLength(first) - 1 }, () => structuredClone(first))];
}

/** How many values like this one a ring has: 2 to 16, the same in every runtime. */
export function ringLength(value: Value): number {
  const bytes = new CloneSize().of(value, RING_BYTES / 2);
  return Math.max(2, Math.min(RING, Math.floor(RING_BYTES / bytes)));
}

/**
 * Counts the bytes of V8's structured clone of a value, by the rules of its serializer (version 15), which other
 * engines do not have. Only V8 knows how it holds a string or a number itself: here text is of two bytes a unit
 * where it needs them, and a whole number is an integer.
 */
export class CloneSize {
  #bytes = 2;
  readonly #seen = new Map<object, number>();

  /** Bytes of a value; some number that is greater than `most` where it has more than that. */
  of(value: Value, most = Number.POSITIVE_INFINITY): number {
    this.#add(value, most);
    return this.#bytes;
  }

  #add(value: Value, most: number): void {
    if (this.#bytes > most) return;
    if (typeof value === "string") this.#addText(value);
    else if (typeof value === "number") this.#bytes += numberBytes(value);
    else if (typeof value === "bigint") this.#bytes += 2 + bigintBytes(value);
    else if (typeof value === "boolean" || value === null) this.#bytes += 1;
    else this.#addObject(value, most);
  }

  #addObject(value: Exclude<Value, string | number | bigint | boolean | null>, most: number): void {
    const known = this.#seen.get(value);
    if (known !== undefined) {
      this.#bytes += 1 + varintBytes(known);
      return;
    }
    this.#seen.set(value, this.#seen.size);
    if (value instanceof Uint8Array) {
      this.#bytes += 2 + varintBytes(value.length) + value.length;
    } else if (Array.isArray(value)) {
      this.#bytes += 1 + varintBytes(value.length);
      for (const item of value) this.#add(item, most);
      this.#bytes += 2 + varintBytes(value.length);
    } else {
      const entries = Object.entries(value);
      this.#bytes += 1;
      for (const [key, field] of entries) {
        // Keys that are indexes are numbers.
        if (/^(?:0|[1-9]\d{0,8})$/.test(key)) this.#bytes += numberBytes(Number(key));
        else this.#addText(key);
        this.#add(field, most);
      }
      this.#bytes += 1 + varintBytes(entries.length);
    }
  }

  #addText(text: string): void {
    if (!/[^\0-\xff]/.test(text)) {
      this.#bytes += 1 + varintBytes(text.length) + text.length;
      return;
    }
    const head = 1 + varintBytes(2 * text.length);
    // Units of two bytes begin at an even place.
    this.#bytes += head + ((this.#bytes + head) % 2) + 2 * text.length;
  }
}

function numberBytes(value: number): number {
  if (value !== (value | 0) || Object.is(value, -0)) return 9;
  return 1 + varintBytes(value < 0 ? -2 * value - 1 : 2 * value);
}

/** Digits of 64 bits. */
function bigintBytes(value: bigint): number {
  const bits = (value < 0n ? -value : value).toString(16).length * 4;
  return value === 0n ? 0 : 8 * Math.ceil(bits / 64);
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
}

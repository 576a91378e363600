import { type Encoded, sameEncoded } from "../model/codec.ts";
import { VerificationError } from "../model/errors.ts";
import { firstDifference, type Value } from "../model/value.ts";
import { callersMemory } from "../schema/into-memory.ts";
import { changeInPlace } from "../schema/values/change.ts";
import { decodeTrusted, encodeValue } from "../schema/values/transcode.ts";
import type { BoundCodec } from "./bound-codec.ts";

/**
 * Proves that a codec does its work in each call, rather than keep what an earlier one gave. It gives no object and no
 * memory twice; it looks again at an object, and at bytes, that were changed where they stand: what it makes of them is
 * what it makes of a new one that is equal. Memory of its caller's is the one that it may give again. Only a result as a whole is looked at: a codec may share constants within.
 * Comes after the round trip was proven. Throws VerificationError.
 * @param onStep is called between steps
 */
export function proveNoCache(codec: BoundCodec, onStep: () => void): void {
  const { binding, values, encoded } = codec;
  const [value] = values;
  const [message] = encoded;
  if (value === undefined || message === undefined) return;
  const encode = (one: Value): Encoded => {
    const result = encodeValue(binding, one);
    onStep();
    return result;
  };
  const messages = new GivenOut("an encoded message");
  for (const one of [...encoded, encode(value), encode(value), encode(structuredClone(value))]) {
    messages.add(one);
  }
  const decoded = new GivenOut("a decoded value");
  for (let i = 0; i < 2; i++) {
    decoded.add(decodeTrusted(binding, message));
    onStep();
  }
  const changed = proveEncodesAnew(codec, value, encode);
  const { into } = binding;
  if (into !== undefined) {
    const memory = callersMemory(2 * message.length + ROOM);
    proveEncodesAnew(codec, value, (one) => Uint8Array.from(into(one, memory.fill(0)) ?? []));
  }
  // Bytes can hold another message of their own length.
  const other = [changed, ...encoded].find((one) => one !== undefined && fits(one, message));
  if (other !== undefined && typeof other !== "string") {
    proveReadsAnew(codec, message as Uint8Array, other);
    onStep();
  }
}

/** Bytes that some want of a caller's memory and do not use. */
export const ROOM = 65_536;

/** Results of calls, none of which may be there already. */
class GivenOut {
  readonly #what: string;
  readonly #objects = new Set<unknown>();
  /** The places of bytes in each buffer. */
  readonly #regions = new Map<ArrayBufferLike, { readonly from: number; readonly to: number }[]>();

  constructor(what: string) {
    this.#what = what;
  }

  /** Throws VerificationError for an object, or memory, of an earlier result. Strings and empty bytes have no identity. */
  add(result: unknown): void {
    if (typeof result !== "object" || result === null) return;
    if (!(result instanceof Uint8Array)) {
      this.#expectNew(!this.#objects.has(result));
      this.#objects.add(result);
      return;
    }
    if (result.length === 0) return;
    const { buffer, byteOffset: from, byteLength } = result;
    const to = from + byteLength;
    const known = this.#regions.get(buffer) ?? [];
    this.#expectNew(known.every((other) => to <= other.from || from >= other.to));
    this.#regions.set(buffer, [...known, { from, to }]);
  }

  #expectNew(isNew: boolean): void {
    if (!isNew) throw new VerificationError(`${this.#what} was given out again by a later call: a cache`);
  }
}

/** What a changed object is encoded to. Nothing where the codec cannot carry what it was changed to. */
function proveEncodesAnew(
  { binding }: BoundCodec,
  value: Value,
  encode: (value: Value) => Encoded,
): Encoded | undefined {
  changeInPlace(value);
  try {
    const fresh = attempt(() => encode(structuredClone(value)));
    const again = attempt(() => encode(value));
    const isSame =
      binding.varies === true
        ? isEqual(...both(fresh, again, (bytes) => decodeTrusted(binding, bytes)))
        : isEqual(fresh, again);
    if (!isSame) throw stale("encode", "an object");
    return fresh?.result;
  } finally {
    changeInPlace(value);
  }
}

/** Puts another message where one was, and reads it there. */
function proveReadsAnew({ binding }: BoundCodec, message: Uint8Array, other: Uint8Array): void {
  const own = Uint8Array.from(message);
  message.set(other);
  try {
    for (const [name, read] of [
      ["decode", (bytes: Uint8Array) => decodeTrusted(binding, bytes)],
      ["access", (bytes: Uint8Array) => binding.access(bytes)],
    ] as const) {
      const isSame = isEqual(
        attempt<Value>(() => read(other)),
        attempt<Value>(() => read(message)),
      );
      if (!isSame) throw stale(name, "a buffer");
    }
  } finally {
    message.set(own);
  }
}

/** Whether a message can stand where another is, and makes a difference there. */
function fits(other: Encoded, message: Encoded): boolean {
  if (typeof other === "string" || typeof message === "string") return false;
  return other.length === message.length && !sameEncoded(other, message);
}

function stale(operation: string, what: string): VerificationError {
  return new VerificationError(
    `${operation}: ${what} that was changed in place gives an old result: a cache`,
  );
}

/** What a call gave; undefined where it threw. */
type Attempt<Result> = { readonly result: Result } | undefined;

function attempt<Result>(call: () => Result): Attempt<Result> {
  try {
    return { result: call() };
  } catch {
    return undefined;
  }
}

function both<From, To>(
  a: Attempt<From>,
  b: Attempt<From>,
  call: (result: From) => To,
): [Attempt<To>, Attempt<To>] {
  return [a && attempt(() => call(a.result)), b && attempt(() => call(b.result))];
}

function isEqual(a: Attempt<Value>, b: Attempt<Value>): boolean {
  if (a === undefined || b === undefined) return a === b;
  return firstDifference(a.result, b.result) === undefined;
}

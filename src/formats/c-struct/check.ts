import { ValueError } from "../../model/errors.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { childPath, show } from "../../model/value.ts";
import {
  type Counted,
  entryOf,
  type FieldShape,
  type Integer,
  type Shape,
  type StructShape,
} from "./shape.ts";

/**
 * What keeps a struct from holding a value, as a ValueError with the path. The generated writers only find
 * that something does; this walks the value once more to say what, and so is as slow as it likes.
 */
export function problemOf(root: StructShape, value: unknown, int64: Int64Mode): Error {
  try {
    checkStruct(root, value, "", int64);
  } catch (error) {
    if (error instanceof ValueError) return error;
    throw error;
  }
  return new Error(`${root.name}: refused, but nothing is wrong with it`);
}

function checkStruct(struct: StructShape, value: unknown, path: string, int64: Int64Mode): void {
  if (typeof value !== "object" || value === null) {
    throw new ValueError(path, `expected an object (${struct.name}), got ${show(value)}`);
  }
  for (const field of struct.fields) {
    const { key } = field;
    // As the writers read it: what every object inherits does not count.
    const isThere = !(key in Object.prototype) || Object.hasOwn(value, key);
    const given = isThere ? (value as Record<string, unknown>)[key] : undefined;
    checkField(field, given, childPath(path, key), int64);
  }
}

function checkField({ element, repeat }: FieldShape, value: unknown, path: string, int64: Int64Mode): void {
  if (repeat.kind === "one") {
    if (value !== undefined || repeat.flag === undefined) checkOne(element, value, path, int64);
  } else if (repeat.kind === "counted" && repeat.as === "map") {
    checkMap(element, repeat, value, path, int64);
  } else if (repeat.kind === "counted" && repeat.as === "bytes") {
    if (!(value instanceof Uint8Array))
      throw new ValueError(path, `expected a Uint8Array, got ${show(value)}`);
    checkCount(value.length, "bytes", repeat.max, path);
  } else {
    if (!Array.isArray(value)) throw new ValueError(path, `expected a list, got ${show(value)}`);
    if (repeat.kind === "counted") checkCount(value.length, "elements", repeat.max, path);
    else if (value.length !== repeat.length) {
      throw new ValueError(path, `${value.length} elements, expected exactly ${repeat.length}`);
    }
    for (let i = 0; i < value.length; i++) checkOne(element, value[i], childPath(path, i), int64);
  }
}

function checkMap(entry: Shape, { max }: Counted, value: unknown, path: string, int64: Int64Mode): void {
  if (typeof value !== "object" || value === null) {
    throw new ValueError(path, `expected an object as a map, got ${show(value)}`);
  }
  const fields = entryOf(entry);
  checkCount(Object.keys(value).length, "entries", max, path);
  for (const [key, item] of Object.entries(value)) {
    const at = childPath(path, key);
    if (fields.key.element.kind === "text") checkOne(fields.key.element, key, at, int64);
    checkOne(fields.value.element, item, at, int64);
  }
}

function checkCount(count: number, what: string, max: number, path: string): void {
  if (count > max) throw new ValueError(path, `${count} ${what}, expected at most ${max}`);
}

function checkOne(shape: Shape, value: unknown, path: string, int64: Int64Mode): void {
  const refuse = (wanted: string): never => {
    throw new ValueError(path, `expected ${wanted}, got ${show(value)}`);
  };
  switch (shape.kind) {
    case "struct":
      checkStruct(shape.struct, value, path, int64);
      break;
    case "bool":
      if (typeof value !== "boolean") refuse("true or false");
      break;
    case "float":
      if (typeof value !== "number") refuse("a number");
      else if (shape.bits === 32 && Number.isFinite(value) && !Number.isFinite(Math.fround(value))) {
        throw new ValueError(path, `${value} is outside the range of a float`);
      }
      break;
    case "text":
      checkText(value, shape.capacity, path);
      break;
    case "bytes":
      if (!(value instanceof Uint8Array)) refuse("a Uint8Array");
      else if (shape.size !== undefined) checkCount(value.length, "bytes", shape.capacity, path);
      else if (value.length !== shape.capacity) {
        throw new ValueError(path, `${value.length} bytes, expected exactly ${shape.capacity}`);
      }
      break;
    case "integer":
      checkInteger(shape, value, path, int64);
      break;
  }
}

function checkText(value: unknown, capacity: number, path: string): void {
  if (typeof value !== "string") throw new ValueError(path, `expected a string, got ${show(value)}`);
  if (value.includes("\0")) throw new ValueError(path, "a NUL inside a string, which would end it");
  if (!value.isWellFormed()) throw new ValueError(path, "half of a surrogate pair has no UTF-8 form");
  const bytes = Buffer.byteLength(value) + 1;
  if (bytes > capacity)
    throw new ValueError(path, `${bytes} bytes with the NUL, expected at most ${capacity}`);
}

function checkInteger({ bits, signed }: Integer, value: unknown, path: string, int64: Int64Mode): void {
  const type = `${signed ? "" : "u"}int${bits}`;
  const isBigint = bits === 64 && int64 === "bigint";
  if (isBigint ? typeof value !== "bigint" : !Number.isInteger(value)) {
    const wanted = isBigint ? "a bigint" : "an integer";
    throw new ValueError(path, `expected ${wanted} (${type}), got ${show(value)}`);
  }
  const low = signed ? -(2n ** BigInt(bits - 1)) : 0n;
  const high = 2n ** BigInt(signed ? bits - 1 : bits) - 1n;
  const exact = BigInt(value as number | bigint);
  if (exact < low || exact > high) {
    throw new ValueError(path, `${exact} is outside ${type}, expected ${low} to ${high}`);
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new ValueError(path, `${value} is beyond 2^53 and may have been rounded, expected a safe integer`);
  }
}

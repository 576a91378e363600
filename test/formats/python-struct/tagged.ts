/** Values of a struct as JSON: that of `reference.py`, and of the vectors. */
import type { StructValue } from "../../../src/formats/python-struct/index.ts";

/** A value in JSON. A float is its eight bytes, the highest first. */
export type Tagged =
  | boolean
  | { readonly int: string }
  | { readonly float: string }
  | { readonly bytes: string };

/** @param character what packs it: a number may be an integer or not */
export function tagged(value: StructValue, character: string): Tagged {
  if (typeof value === "boolean") return value;
  if (typeof value === "bigint") return { int: String(value) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("hex") };
  if (typeof value === "string") throw new Error("text is not in vectors");
  if (!"efd".includes(character)) return { int: String(value) };
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return { float: bytes.toString("hex") };
}

/** A value with no more of a NaN than that it is one: V8 may lose the sign of one that stands in a list. */
export function withoutNanBits(value: Tagged): Tagged {
  const isNan = typeof value === "object" && "float" in value && Number.isNaN(untagged(value));
  return isNan ? { float: "nan" } : value;
}

/** The value of some JSON; an integer is a number where it is safe. */
export function untagged(value: Tagged): StructValue {
  if (typeof value === "boolean") return value;
  if ("bytes" in value) return Buffer.from(value.bytes, "hex");
  if ("float" in value) return Buffer.from(value.float, "hex").readDoubleBE();
  const number = Number(value.int);
  return Number.isSafeInteger(number) ? number : BigInt(value.int);
}

/** The format character of each value, of a format that is well-formed. */
export function charactersOf(format: string): string[] {
  return [...format.matchAll(/(\d*)([a-zA-Z?])/g)].flatMap(([, count = "", character = ""]) => {
    if (character === "x") return [];
    if (character === "s" || character === "p") return [character];
    return Array<string>(count === "" ? 1 : Number(count)).fill(character);
  });
}

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { decode, encode } from "../../../src/formats/amf3/index.ts";
import { DecodeError } from "../../../src/model/errors.ts";
import { fromNotation, type Notation, notationOf } from "./notation.ts";

interface Vector {
  readonly name: string;
  readonly hex: string;
  readonly notation: Notation;
  readonly reads?: Notation;
  readonly canonical?: string;
}

const folder = path.join(import.meta.dirname, "../../vectors/amf3");
const load = <T>(name: string): T => JSON.parse(readFileSync(path.join(folder, name), "utf8")) as T;

const { vectors: py3amf } = load<{ vectors: Readonly<Record<string, string>> }>("py3amf.json");
const values = load<Omit<Vector, "hex">[]>("values.json").map((one) => ({
  ...one,
  hex: py3amf[one.name] ?? "",
}));
const specification = load<Vector[]>("specification.json");
const refused = load<{ name: string; hex: string; says: string }[]>("refused.json");

const bytesOf = (hex: string): Uint8Array => Buffer.from(hex, "hex");
const written = (notation: Notation): string => Buffer.from(encode(fromNotation(notation))).toString("hex");

describe("amf3", () => {
  it.each(values.filter(({ reads }) => reads === undefined))(
    "writes $name as Py3AMF does",
    ({ notation, hex }) => {
      expect(written(notation)).toBe(hex);
    },
  );

  it.each(values)("reads $name as Py3AMF wrote it", ({ hex, notation, reads }) => {
    expect(notationOf(decode(bytesOf(hex)))).toEqual(reads ?? notation);
  });

  it.each(specification)("reads $name as specified, and writes it", ({ hex, notation, canonical }) => {
    expect(notationOf(decode(bytesOf(hex)))).toEqual(notation);
    expect(written(notation)).toBe(canonical ?? hex);
  });

  it.each([...values, ...specification])("refuses every part of $name", ({ hex }) => {
    const bytes = bytesOf(hex);
    for (let length = 0; length < Math.min(bytes.length, 200); length++) {
      expect(() => decode(bytes.subarray(0, length)), `${length} bytes`).toThrow(DecodeError);
    }
  });

  it.each(refused)("refuses $name", ({ hex, says }) => {
    expect(failure(bytesOf(hex))).toBe(says);
  });
});

function failure(bytes: Uint8Array): string {
  try {
    decode(bytes);
  } catch (error) {
    if (error instanceof DecodeError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "accepted";
}

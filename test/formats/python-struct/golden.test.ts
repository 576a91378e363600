/** What CPython made, and what it refused: `test/vectors/python-struct/make.py`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { calcsize, compileFormat, type StructValue } from "../../../src/formats/python-struct/index.ts";
import { SchemaError, ValueError } from "../../../src/model/errors.ts";
import { charactersOf, type Tagged, tagged, untagged, withoutNanBits } from "./tagged.ts";

interface Vector {
  readonly format: string;
  readonly size: number;
  readonly values: readonly Tagged[];
  readonly bytes: string | null;
  readonly unpacked: readonly Tagged[] | null;
}

const file = path.join(import.meta.dirname, "../../vectors/python-struct/vectors.json");
const { vectors, refused } = JSON.parse(readFileSync(file, "utf8")) as {
  readonly vectors: readonly Vector[];
  readonly refused: readonly string[];
};

/** A list of boxed values: of one of plain doubles V8's compiled code may lose the sign of a NaN. */
function listOf(values: readonly Tagged[]): StructValue[] {
  const list: StructValue[] = [""];
  list.pop();
  for (const value of values) list.push(untagged(value));
  return list;
}

describe("CPython's bytes", () => {
  it("are those of every format and value", () => {
    const ours = vectors.map(({ format, values }) => {
      const struct = compileFormat(format);
      const characters = charactersOf(format);
      let bytes: Uint8Array | null = null;
      try {
        bytes = struct.packArray(listOf(values));
      } catch (error) {
        expect(error).toBeInstanceOf(ValueError);
      }
      return {
        format,
        size: calcsize(format),
        values,
        bytes: bytes && Buffer.from(bytes).toString("hex"),
        unpacked:
          bytes &&
          struct
            .unpack(bytes)
            .map((value, i) => tagged(value, characters[i]!))
            .map(withoutNanBits),
      };
    });
    const theirs = vectors.map((one) => ({
      ...one,
      unpacked: one.unpacked?.map(withoutNanBits) ?? null,
    }));
    expect(ours).toEqual(theirs);
    expect(vectors.length).toBeGreaterThan(900);
  });

  it.each(refused.map((format) => [format]))("are none of the format %j", (format) => {
    expect(() => calcsize(format)).toThrow(SchemaError);
    expect(() => compileFormat(format)).toThrow(SchemaError);
  });
});

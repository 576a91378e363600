import { describe, expect, it } from "vitest";
import {
  type AvroOptions,
  avroShape,
  DecodeError,
  verifyAvro,
} from "../../../src/formats/avro-verifier/index.ts";

function problemOf(schema: unknown, hex: string, options?: AvroOptions): string | undefined {
  try {
    verifyAvro(Buffer.from(hex.replaceAll(" ", ""), "hex"), avroShape(schema), options);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return (error as Error).message;
  }
}

const LONGS = { type: "array", items: "long" };
const LIST = { type: "record", name: "L", fields: [{ name: "next", type: ["null", "L"] }] };
const EMPTY = { type: "array", items: { type: "record", name: "E", fields: [] } };

describe("verifyAvro", () => {
  it.each<[schema: unknown, hex: string]>([
    ["null", ""],
    ["boolean", "01"],
    ["int", "feffffff0f"],
    ["long", "feffffffffffffffff01"],
    ["long", "ffffffffffffffffff01"],
    ["long", "80808080808080808000"],
    // Specification, "Primitive Types": the text "foo". "Arrays": [3, 27]. "Unions": "a".
    ["string", "06666f6f"],
    [LONGS, "04063600"],
    [LONGS, "0304063600"],
    [["null", "string"], "020261"],
    [["null", "string"], "00"],
    [{ type: "map", values: "int" }, "0202610200"],
    [{ type: "enum", name: "E", symbols: ["A", "B"] }, "02"],
    [{ type: "fixed", name: "F", size: 2 }, "ffff"],
    [LIST, "0200"],
    [EMPTY, "c03e00"],
  ])("takes a value of %j", (schema, hex) => {
    expect(problemOf(schema, hex)).toBeUndefined();
  });

  it.each<[schema: unknown, hex: string, problem: string, options?: AvroOptions]>([
    ["null", "00", "1 byte after the end of the message"],
    ["boolean", "02", "expected 0 or 1, got 2"],
    ["int", "", "expected 1 more bytes, got 0"],
    ["int", "8080808010", "2147483648 is beyond 32 bits"],
    ["long", "8080808080808080808000", "a number of more than ten bytes"],
    ["long", "80808080808080808002", "a number of more than 64 bits"],
    [
      "long",
      "8180808080808010",
      "beyond what a number holds here",
      { longs: { least: -(2n ** 52n), most: 2n ** 53n } },
    ],
    ["float", "000000", "expected 4 more bytes, got 3"],
    ["string", "08666f6f", "a length of 4, with 3 bytes left"],
    ["string", "01", "a length of -1"],
    ["bytes", "feffffffffffffffff01", "a length of 9223372036854775807, with 0 bytes left"],
    ["string", "02ff", "text is not valid UTF-8"],
    [LONGS, "04 06", "avro at [1] at byte 2: expected 1 more bytes, got 0"],
    [LONGS, "feffffffffffffffff01 00", "avro at [1] at byte 11: expected 1 more bytes, got 0"],
    [LONGS, "0306063600", "a block of 2 bytes says that it has 3"],
    [["null", "string"], "04", "index 2, and there are 2 branches"],
    [["null", "string"], "01", "index -1, and there are 2 branches"],
    [{ type: "enum", name: "E", symbols: ["A"] }, "02", "index 1, and there are 1 symbols"],
    [{ type: "map", values: "int" }, "0402610002610000", 'the key "a" stands twice'],
    [{ type: "map", values: "null" }, "02125f5f70726f746f5f5f00", '"__proto__" cannot be read as a key'],
    [LIST, "020200", "avro at next.next at byte 2: nested deeper than 2 levels", { depth: 2 }],
    [EMPTY, "feffffffffffffffff01", "more than 200010 values"],
  ])("refuses of %j %s", (schema, hex, problem, options) => {
    expect(problemOf(schema, hex, options)).toContain(problem);
  });

  it("knows no type that is not defined", () => {
    expect(() => avroShape(["null", "Missing"])).toThrow("no Avro type is called Missing");
  });
});

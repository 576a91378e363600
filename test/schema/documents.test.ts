/** Documents: what protobuf's JSON makes of values, and how generated code goes through a user's own objects. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Dataset } from "../../src/model/dataset.ts";
import { setOwn } from "../../src/model/generated-code.ts";
import type { Schema } from "../../src/model/schema.ts";
import { firstDifference, isRecord, type Value } from "../../src/model/value.ts";
import { compileAssigner } from "../../src/schema/generate/narrowed.ts";
import { compileProbe, compileSelectionVisitor, compileVisitor } from "../../src/schema/generate/visit.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { carriedBy } from "../../src/schema/values/documents.ts";
import { elementBytes } from "../../src/schema/values/json-source.ts";
import { documentText } from "../../src/schema/values/json-text.ts";
import { documentOf } from "../../src/schema/values/print-document.ts";
import { documentedDatasets } from "../arbitrary-documents.ts";
import { datasets } from "../arbitrary-schema.ts";
import { runs, SEED } from "../seed.ts";
import { enumType, list, mapOf, messageType, of, ofEnum, ofMessage, schemaOf, single } from "./schema-of.ts";

/** The schema that a schemaless codec gets of some documents. */
function schemaFor(schema: Schema, documents: readonly Value[]): Schema {
  const values = documents.map((one) => conform(schema, one, { form: "json", int64: "bigint" }).value);
  const dataset: Dataset = { name: "own", schema, values, documents, int64: "bigint" };
  return carriedBy({ schemaless: true }, dataset).schema;
}

describe("a value as protobuf's JSON", () => {
  const implicit = single("implicit");
  const fields = [
    { name: "customer_id", type: of("int64"), repetition: implicit },
    { name: "u", type: of("uint32"), repetition: implicit },
    { name: "status", type: ofEnum("p.E"), repetition: implicit },
    { name: "raw_bytes", type: of("bytes"), repetition: implicit },
    { name: "f", type: of("float"), repetition: implicit },
    { name: "d", type: of("double"), repetition: implicit },
    { name: "text", type: of("string"), repetition: implicit },
    { name: "on", type: of("bool"), repetition: implicit },
    { name: "maybe", type: of("int32"), repetition: single("optional") },
    { name: "must", type: of("int32"), repetition: single("required") },
    { name: "floats", type: of("float"), repetition: list },
    { name: "by_id", type: of("int64"), repetition: mapOf("uint64") },
    { name: "inner", type: ofMessage("p.M"), repetition: single("optional") },
    { name: "inner_list", type: ofMessage("p.M"), repetition: list },
    { name: "a_b", type: of("string") },
    { name: "a__b", type: of("string") },
  ];
  // TWO and ZWEI are aliases: the first name counts.
  const schema = schemaOf("p", fields, { enums: [enumType("p.E", { NONE: 0, TWO: 2, ZWEI: 2 }, false)] });

  it.each<[object, object]>([
    [{}, {}],
    [{ customer_id: 2n ** 60n }, { customerId: "1152921504606846976" }],
    [
      { customer_id: 5n, u: 5 },
      { customerId: "5", u: 5 },
    ],
    [{ status: 2 }, { status: "TWO" }],
    [{ status: 7 }, { status: 7 }],
    [{ raw_bytes: new Uint8Array([255, 254, 1]) }, { rawBytes: "//4B" }],
    [
      { f: 0.1, d: 0.1 },
      { f: 0.1, d: 0.1 },
    ],
    [
      { f: 16777216, d: Number.NaN },
      { f: 16777216, d: "NaN" },
    ],
    [
      { f: Number.NEGATIVE_INFINITY, d: -0 },
      { f: "-Infinity", d: -0 },
    ],
    [{ f: -0 }, { f: -0 }],
    [
      { text: "x", on: true },
      { text: "x", on: true },
    ],
    [{ maybe: 0 }, { maybe: 0 }],
    [{ floats: [0, 0.3, Number.POSITIVE_INFINITY] }, { floats: [0, 0.3, "Infinity"] }],
    [{ by_id: { 7: 0n } }, { byId: { 7: "0" } }],
    [{ inner: { must: 1 } }, { inner: { must: 1 } }],
    [{ inner_list: [{ must: 1, on: true }] }, { innerList: [{ must: 1, on: true }] }],
    // Two fields of one JSON name keep their own.
    [
      { a_b: "1", a__b: "2" },
      { a_b: "1", a__b: "2" },
    ],
  ])("has names, texts and no defaults (%#)", (input, expected) => {
    const { value } = conform(schema, { must: 0, ...input }, { form: "plain", int64: "bigint" });
    expect(documentOf(schema, value)).toStrictEqual({ must: 0, ...expected });
  });

  it("means the value that it was, of random schemas", () => {
    fc.assert(
      fc.property(datasets(), ({ schema, values, int64 }) => {
        for (const value of values) {
          const document = JSON.parse(documentText(documentOf(schema, value)));
          const meant = conform(schema, document, { form: "json", int64 }).value;
          expect(firstDifference(value, meant)).toBeUndefined();
        }
      }),
      { numRuns: runs(300), seed: SEED },
    );
  });

  it("has the fewest digits that make the same float", () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (float) => {
        const [short] = (documentOf(schema, { must: 0, floats: [float] } as Value) as { floats: number[] })
          .floats;
        expect(Math.fround(short!)).toBe(float);
        const digits = short!.toExponential().replace(/e.*|\D/g, "").length;
        if (digits > 1) expect(Math.fround(Number(float.toPrecision(digits - 1)))).not.toBe(float);
      }),
      { numRuns: runs(1000), seed: SEED },
    );
  });
});

describe("a visitor of documents", () => {
  it("visits every leaf: to change any changes the sum", () => {
    let leaves = 0;
    fc.assert(
      fc.property(documentedDatasets(), ({ schema, documents = [] }) => {
        const held = schemaFor(schema, documents);
        const visit = compileVisitor(held);
        const probe = compileProbe(held);
        for (const document of documents) {
          const sum = visit(document);
          expect(Number.isInteger(probe(document))).toBe(true);
          for (const others of changed(document)) {
            leaves += 1;
            expect(others.some((other) => visit(other) !== sum)).toBe(true);
          }
        }
      }),
      { numRuns: runs(200), seed: SEED },
    );
    expect(leaves).toBeGreaterThan(50);
  });

  const schema = schemaOf(
    "",
    [
      { name: "before", type: of("string") },
      { name: "item_list", type: ofMessage("I"), repetition: list },
    ],
    {
      messages: [
        messageType("I", [
          { name: "id", type: of("int64") },
          { name: "unit_price", type: of("double") },
          { name: "constructor", type: of("int32") },
        ]),
      ],
    },
  );
  const documents = [
    { itemList: [{ id: "5" }, { unitPrice: 2.5 }] },
    {
      before: "x",
      item_list: [
        { id: 6, unit_price: "2.5" },
        { constructor: 9, unitPrice: null },
      ],
    },
  ] as unknown as Value[];

  it("goes by the names that the documents have", () => {
    const held = schemaFor(schema, documents);
    const keys = new Map(Array.from(held.documents ?? [], ([{ name }, names]) => [name, names]));
    expect(keys).toEqual(
      new Map([
        ["item_list", ["itemList", "item_list"]],
        ["id", ["id"]],
        ["unit_price", ["unitPrice", "unit_price"]],
        ["before", ["before"]],
        ["constructor", ["constructor"]],
      ]),
    );
    // Two records; "5" is a text of one unit; 2.5 counts 640.
    expect(compileVisitor(held)(documents[0]!)).toBe(2 + (1 + 0x35) + 640);
    expect(compileVisitor(held)(documents[1]!)).toBe(1 + 0x78 + 2 + 6 + (3 + 0x32) + 9);
    const selection = { path: ["item_list"], first: 1, step: 1, fields: ["unit_price"] };
    expect(documents.map(compileSelectionVisitor(held, selection))).toEqual([2 + 640, 2]);
  });

  it("puts a number where one was, as text where it was text", () => {
    const held = schemaFor(schema, documents);
    const assign = compileAssigner({ path: ["item_list"], record: 0, field: "id" }, held);
    const copies = structuredClone(documents);
    for (const copy of copies) assign(copy, 12n);
    expect(copies.map(documentText)).toEqual([
      '{"itemList":[{"id":"12"},{"unitPrice":2.5}]}',
      '{"before":"x","item_list":[{"id":12,"unit_price":"2.5"},{"constructor":9,"unitPrice":null}]}',
    ]);
  });
});

/** Copies of a document for each of its leaves, in which that is another. */
function changed(document: Value): Value[][] {
  if (document === null) return [];
  if (Array.isArray(document)) {
    return document.flatMap((item, at) =>
      changed(item).map((others) => others.map((other) => document.with(at, other))),
    );
  }
  if (isRecord(document)) {
    return Object.entries(document).flatMap(([key, item]) =>
      changed(item).map((others) =>
        others.map((other) => {
          const copy: Record<string, Value> = {};
          for (const [name, held] of Object.entries(document))
            setOwn(copy, name, name === key ? other : held);
          return copy;
        }),
      ),
    );
  }
  if (typeof document === "boolean") return [[!document]];
  return [typeof document === "string" ? [`${document}x`] : [1, 2]];
}

describe("the bytes of a list's elements", () => {
  it.each([
    ["[]", []],
    ["[{}]", [2]],
    [' [ {"a":1} ,\n{"b":"}]é\\"{"} ] ', [7, 15]],
    ['[{"a":[{},[]]},{"a":{"b":{}}}]', [13, 14]],
    ['[{"a":"\\\\"},{}]', [10, 2]],
  ])("of %s are %j", (text, expected) => {
    JSON.parse(text);
    expect(elementBytes(text)).toEqual(expected);
  });
});

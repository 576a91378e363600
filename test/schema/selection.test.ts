/** Parts of messages: where records are, what is picked, changed and read of them. */
import { describe, expect, it } from "vitest";
import tellist from "../../src/datasets/tellist.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import type { Field, Scalar, Schema } from "../../src/model/schema.ts";
import type { MessageSelection } from "../../src/model/selection.ts";
import { compileAssigner, visitsTo } from "../../src/schema/generate/narrowed.ts";
import { compileSelectionVisitor } from "../../src/schema/generate/visit.ts";
import { otherNumber, pickSelection, readSweep, recordsOf, updatePlace } from "../../src/schema/selection.ts";
import { list, mapOf, messageType, of, ofEnum, ofMessage, schemaOf, single } from "./schema-of.ts";

const always = single("always");
const one = (message: string): Partial<Field> => ({ type: ofMessage(message) });
const many = (message: string): Partial<Field> => ({ type: ofMessage(message), repetition: list });

function recordsSchema(
  fields: readonly Partial<Field>[],
  ...others: ReturnType<typeof messageType>[]
): Schema {
  return schemaOf("p", fields, { messages: others });
}

describe("records", () => {
  const leaf = messageType("p.L", [{}]);
  it.each<[string, Schema, string[], string]>([
    ["the root alone", recordsSchema([{}, { repetition: list }]), [], "p.M"],
    [
      "the root beside a map",
      recordsSchema([{ type: ofMessage("p.L"), repetition: mapOf("string") }], leaf),
      [],
      "p.M",
    ],
    ["a list of the root", recordsSchema([{}, many("p.L")], leaf), ["f2"], "p.L"],
    [
      "the first of two",
      recordsSchema([many("p.L"), many("p.K")], leaf, messageType("p.K", [{}])),
      ["f1"],
      "p.L",
    ],
    [
      "the nearer one, although a farther one comes first",
      recordsSchema([one("p.A"), many("p.L")], messageType("p.A", [many("p.L")]), leaf),
      ["f2"],
      "p.L",
    ],
    [
      "a list within messages",
      recordsSchema(
        [one("p.A"), one("p.B")],
        messageType("p.A", [{}]),
        messageType("p.B", [{}, many("p.L")]),
        leaf,
      ),
      ["f2", "f2"],
      "p.L",
    ],
    ["a list of the root's own type", recordsSchema([many("p.M")]), ["f1"], "p.M"],
    [
      "the root where messages go in a circle",
      recordsSchema([one("p.A")], messageType("p.A", [one("p.M")])),
      [],
      "p.M",
    ],
  ])("are %s", (_, schema, path, message) => {
    const found = recordsOf(schema);
    expect([found.path, found.message.name]).toEqual([path, message]);
  });
});

const people = schemaOf(
  "p",
  [
    { name: "n", repetition: always },
    { name: "list", type: ofMessage("p.R"), repetition: list },
  ],
  {
    messages: [
      messageType("p.R", [
        { name: "text", type: of("string") },
        { name: "flag", type: of("bool"), repetition: always },
        { name: "kind", type: ofEnum("p.E") },
        { name: "choice", oneof: "o" },
        { name: "float", type: of("float") },
        { name: "id", type: of("uint64"), repetition: always },
      ]),
    ],
  },
);
const lists = (...records: readonly object[][]) => records.map((items) => ({ n: 1, list: items as never[] }));
const full = { text: "ab", flag: true, kind: 2, choice: 3, float: 1.5, id: 7 };
const { text, float, choice, ...few } = full;

describe("the field that is picked", () => {
  it.each<[string, object[], number, string]>([
    ["is the first number of the record in the middle", lists([full, full, full]), 1, "choice"],
    ["is one that every value has there", lists([full, full], [full, few]), 1, "id"],
    [
      "is in the middle of the shortest list",
      lists([few, full, few, few, few], [few, full, few]),
      1,
      "choice",
    ],
    ["is of any kind where there is no number", lists([{ text: "ab", flag: true }]), 0, "text"],
    ["is one that is there", lists([{ flag: true }]), 0, "flag"],
  ])("%s", (_, values, first, name) => {
    expect(pickSelection(people, values as never)).toEqual({
      path: ["list"],
      first,
      step: 0,
      fields: [name],
    });
  });

  it.each<[string, Schema, object[]]>([
    ["no value", people, []],
    ["no record", people, lists([full], [])],
    ["no field that is there", people, lists([{}])],
    ["no field at all", schemaOf("p", []), [{}]],
    ["only lists", schemaOf("p", [{ repetition: list }]), [{ f1: [1] }]],
  ])("is none where there is %s", (_, schema, values) => {
    expect(() => pickSelection(schema, values as never)).toThrow(UnsupportedError);
  });
});

describe("the number that is replaced", () => {
  it.each<[string, object[], string, (number | bigint)[]]>([
    ["is no member of a oneof", lists([full]), "float", [1.5]],
    ["is zero in no value", lists([full], [{ ...full, float: 0 }]), "id", [7, 7]],
    ["is finite", lists([{ ...full, float: Number.NaN }]), "id", [7]],
    ["is there in all", lists([few], [full]), "id", [7, 7]],
    ["may be a bigint", lists([{ ...few, id: 2n ** 60n }]), "id", [2n ** 60n]],
  ])("%s", (_, values, field, numbers) => {
    expect(updatePlace(people, values as never)).toMatchObject({ path: ["list"], record: 0, field, numbers });
  });

  it.each<[string, object[]]>([
    ["only zeros", lists([{ flag: true, id: 0 }])],
    ["only -0 and bigint zero", lists([{ float: -0, id: 0n }])],
    ["only what is no number", lists([{ text: "a", flag: true, kind: 1 }])],
  ])("is none where there is %s", (_, values) => {
    expect(() => updatePlace(people, values as never)).toThrow("no number of fixed width");
  });

  it.each<[Scalar, number | bigint, number | bigint]>([
    ["uint32", 4, 5],
    ["uint8", 1, 3],
    ["uint8", 255, 254],
    ["int8", -1, -2],
    ["int8", -128, -127],
    ["int64", Number.MIN_SAFE_INTEGER, Number.MIN_SAFE_INTEGER - 1 + 1 - -2],
    ["int64", Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1],
    ["uint64", 2n ** 64n - 1n, 2n ** 64n - 2n],
    ["sint64", 1n, 3n],
    ["sfixed64", -(2n ** 63n), -(2n ** 63n) + 1n],
    ["double", 0.1, -0.1],
    ["float", -3, 3],
  ])("of %s %s gives way to %s", (scalar, value, other) => {
    expect(otherNumber({ name: "x", number: 1, type: of(scalar), repetition: always }, value)).toBe(other);
  });

  it("is assigned whatever its name and its list's", () => {
    const inner = messageType("p.R", [{ name: "__proto__" }, { name: "constructor" }]);
    const schema = schemaOf("p", [{ name: "toString", type: ofMessage("p.R"), repetition: list }], {
      messages: [inner],
    });
    expect(recordsOf(schema).path).toEqual(["toString"]);
    for (const field of ["__proto__", "constructor"]) {
      const value = { toString: [{}, {}] };
      compileAssigner({ path: ["toString"], record: 1, field })(value as never, 5);
      expect(Object.entries(value.toString[1]!)).toEqual([[field, 5]]);
      expect(Object.keys(value.toString[0]!)).toEqual([]);
    }
  });
});

describe("a visit of a selection", () => {
  const value = {
    n: 1,
    list: [0, 1, 2, 3, 4].map((i) => ({ flag: true, id: 10 ** i })),
  } as never;
  const some = (first: number, step: number, ...fields: string[]): MessageSelection => ({
    path: ["list"],
    first,
    step,
    fields,
  });

  it.each<[MessageSelection, number]>([
    [some(0, 1, "id"), 5 + 11111],
    [some(0, 1, "id", "flag", "text"), 5 + 11111 + 5],
    [some(0, 2, "id"), 5 + 10101],
    [some(1, 3, "id"), 5 + 10010],
    [some(4, 1, "id"), 5 + 10000],
    [some(2, 0, "id"), 5 + 100],
    [some(5, 0, "id"), 5],
    [some(0, 1), 5],
    [{ path: [], first: 0, step: 0, fields: ["n"] }, 1],
    [{ path: [], first: 0, step: 1, fields: ["list"] }, 5 + 5 + 11111],
  ])("%j adds up to %d", (selection, sum) => {
    expect(compileSelectionVisitor(people, selection)(value)).toBe(sum);
  });

  it("adds nothing where a message on the way is absent", () => {
    const schema = recordsSchema([one("p.A")], messageType("p.A", [many("p.L")]), messageType("p.L", [{}]));
    const visit = compileSelectionVisitor(schema, { path: ["f1", "f1"], first: 0, step: 1, fields: ["f1"] });
    expect([visit({}), visit({ f1: { f1: [{ f1: 3 }, {}] } })]).toEqual([0, 5]);
  });

  it.each<[MessageSelection, string]>([
    [{ ...some(0, 1), path: ["none"] }, "p.M has no field none"],
    [some(0, 1, "none"), "p.R has no field none"],
    [{ ...some(0, 1), path: ["n"] }, "p.M.n: expected a list of messages"],
    [{ ...some(0, 1), path: ["list", "id"] }, "p.M.list: expected one message"],
    [some(-1, 1), "expected whole numbers from 0, got first -1 and step 1"],
    [some(0, 0.5), "expected whole numbers from 0"],
    [some(Number.NaN, 1), "expected whole numbers from 0"],
    [{ path: [], first: 1, step: 0, fields: [] }, "the root is the only record, got record 1"],
  ])("%j is refused", (selection, message) => {
    const compiling = () => compileSelectionVisitor(people, selection);
    expect(compiling).toThrow(UnsupportedError);
    expect(compiling).toThrow(message);
  });

  it("leads to a number only", () => {
    expect(() => visitsTo(people, { path: ["list"], record: 0, field: "text" })).toThrow(
      "p.R.text: no number of fixed width",
    );
  });
});

describe("the sweep of partial reads", () => {
  const names = (count: number): string[] =>
    readSweep(tellist.schema, [tellist.make(count, 0)]).map(({ name }) => name);

  it("goes over shares of the records and of the fields", () => {
    const reads = readSweep(tellist.schema, [tellist.make(37, 0)]);
    expect(reads).toHaveLength(1 + 5 * 3);
    expect(reads.slice(0, 4)).toEqual([
      { name: "reads:0:0", records: 0, fields: 0 },
      { name: "reads:16:1", records: 1 / 16, fields: 1 / 5 },
      { name: "reads:16:3", records: 1 / 16, fields: 3 / 5 },
      { name: "reads:16:5", records: 1 / 16, fields: 1 },
    ]);
    expect(reads.at(-1)).toEqual({ name: "reads:1:5", records: 1, fields: 1 });
  });

  it("leaves out steps beyond the records, and what would be twice", () => {
    expect(names(3)).toEqual([
      "reads:0:0",
      ...[2, 1].flatMap((step) => [1, 3, 5].map((n) => `reads:${step}:${n}`)),
    ]);
    expect(names(0)).toEqual(["reads:0:0"]);
    expect(readSweep(schemaOf("p", [{}]), [{}]).map(({ name }) => name)).toEqual(["reads:0:0", "reads:1:1"]);
    expect(readSweep(schemaOf("p", []), [{}]).map(({ name }) => name)).toEqual(["reads:0:0"]);
  });
});

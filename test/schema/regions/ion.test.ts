/** What other writers of binary Ion make, and damage to it. */
import { describe, expect, it } from "vitest";
import tellist from "../../../src/datasets/tellist.ts";
import { ionRegions } from "../../../src/schema/regions/ion.ts";
import { expectTiles } from "./tiling.ts";

function regionsOf(hex: string) {
  const bytes = Buffer.from(`e00100ea${hex.replaceAll(" ", "")}`, "hex");
  const anatomy = ionRegions(bytes, { name: "ion", schema: tellist.schema, values: [], int64: "number" });
  expectTiles(bytes, anatomy);
  const all = [...anatomy.regions];
  const leaves = all
    .filter(({ leaf }) => leaf === true)
    .map(
      ({ place, value }) =>
        `${place.path} = ${value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value}`,
    );
  return { all, leaves, problem: anatomy.problem };
}

/** A symbol table of `ab` and `cd`. */
const TABLE = "eb 81 83 d8 87 b6 82 61 62 82 63 64";

describe("regions of Ion", () => {
  it.each<[string, string, string[]]>([
    ["a length that could be shorter", "be 00 00 85 2e 81 05 8e 80", ["[0] = 5", "[1] = "]],
    ["an ordered struct", "d1 88 84 21 01 88 82 c3 a9 8f", ["name = 1", "max_id = é"]],
    ["padding between values", "00 b6 02 ff ff 21 01 00 01 00", ["[0] = 1"]],
    ["padding in a struct", "d6 80 01 ff 84 21 01", ["name = 1"]],
    ["annotations", `${TABLE} e5 82 8a 8b 21 07`, [" = 7"]],
    ["a number that takes a VarUInt of two bytes", `${TABLE} d4 00 8a 21 01`, ["ab = 1"]],
    ["a negative zero, as the library does", "b2 31 00", ["[0] = 0"]],
    ["floats of 32 bits", "b6 44 3f c0 00 00 40", ["[0] = 1.5", "[1] = 0"]],
  ])("hold %s", (_, hex, expected) => {
    expect(regionsOf(hex)).toMatchObject({ leaves: expected });
  });

  it.each<[string, string, string[]]>([
    ["added to the one before", `${TABLE} ec 81 83 d9 86 71 03 87 b4 81 64 81 65 b0`, ["ab", "cd", "d", "e"]],
    ["in place of it", `${TABLE} e8 81 83 d5 87 b3 81 64 0f b0`, ["d", "$11", "$12", "$13"]],
    ["of nothing after a version marker", `${TABLE} e0 01 00 ea b0`, ["$10", "$11", "$12", "$13"]],
  ])("know the texts of a symbol table %s", (_, hex, texts) => {
    const { leaves } = regionsOf(`${hex.slice(0, -2)} dc 8a 21 00 8b 21 01 8c 21 02 8d 21 03`);
    expect(leaves).toEqual(texts.map((text, i) => `${text.startsWith("$") ? `["${text}"]` : text} = ${i}`));
  });

  it("have the text of a key where its symbol is, and lead to that in the table", () => {
    const { all } = regionsOf(`${TABLE} d3 8b 21 00`);
    const key = all.find(({ type, place }) => type === "symbol id" && place.path === "cd");
    expect(key).toMatchObject({ role: "key", value: "cd" });
    expect(all.find(({ offset }) => offset === key!.target! + 1)).toMatchObject({ role: "key", value: "cd" });
  });

  it.each<[string, string, string, string[]]>([
    ["two values", "21 01 21 02", "more than one value", [" = 1"]],
    ["no value", TABLE, "no value", []],
    ["a decimal", "b5 52 c1 0f 21 01", "a value of the type decimal", ["[0] = c10f", "[1] = 1"]],
    ["a symbol", `${TABLE} b4 71 0b 21 01`, "a value of the type symbol", ["[0] = cd", "[1] = 1"]],
    ["a typed null", "b3 bf 21 01", "null of the type list", ["[0] = null", "[1] = 1"]],
    ["a shared table", "e8 81 83 d5 86 b3 d2 84 80 20", "an import of a shared symbol table", [" = 0"]],
    ["a symbol that is in no table", "d3 8a 21 05", "the symbol 10 has no text", ['["$10"] = 5']],
    ["an annotation of nothing", "b4 e3 80 21 01", "an annotation of nothing", []],
    ["an annotation of two values", "e5 81 84 21 01 0f", "an annotated value that ends too early", [" = 1"]],
    ["two annotations in each other", "e5 81 84 e3 81 84 0f", "an annotation of an annotation", []],
    ["a type that is reserved", "b3 f0 21 01", "a type that is reserved", []],
    ["a field that stands twice", `${TABLE} d4 8a 20 8a 20`, 'the field "ab" stands twice', ["ab = 0"]],
    ["an integer of 1,025 bytes", `2e 08 81 ${"01".repeat(1025)}`, "an integer of 1025 bytes", []],
    ["a list that ends after what it is in", "b3 b4 21 01 21 02", "4 bytes, of which 2", ["[0][0] = 1"]],
    ["a list cut short", "b6 21 01 b4 21 02 22", "2 bytes, of which 0", ["[0] = 1", "[1][0] = 2"]],
    ["a text beyond its list", "b6 b2 85 61 21 02 0f", "5 bytes, of which 1", ["[1] = 2", "[2] = null"]],
  ])("name what is wrong, and go on: %s", (_, hex, problem, expected) => {
    const found = regionsOf(hex);
    expect(found.problem?.message).toContain(problem);
    expect(found.leaves).toEqual(expected);
  });

  it("give up after a thousand damaged containers", () => {
    const { all } = regionsOf(`be 7f 7f ff ${"b1 be".repeat(5000)}`);
    expect(all.length).toBeLessThan(4000);
  });

  it("stop at what is nested too deeply, and hold what is nearly as deep", () => {
    for (const [depth, isRead] of [
      [199, true],
      [201, false],
      [10_000, false],
    ] as const) {
      let hex = "20";
      for (let i = 0; i < depth; i++) hex = `be${varUInt(hex.length / 2)}${hex}`;
      const { problem } = regionsOf(hex);
      expect(problem?.code).toBe(isRead ? undefined : "limit");
    }
  });
});

function varUInt(value: number): string {
  const bytes = [(value & 127) | 128];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift(rest & 127);
  return Buffer.from(bytes).toString("hex");
}

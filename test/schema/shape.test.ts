import { describe, expect, it } from "vitest";
import { DecodeError } from "../../src/model/errors.ts";
import { MAX_DEPTH } from "../../src/schema/values/conform.ts";
import { checkShape, type ShapeRules } from "../../src/schema/values/shape.ts";
import { list, mapOf, of, ofMessage, schemaOf } from "./schema-of.ts";

const schema = schemaOf("p", [
  { name: "id", type: of("int64") },
  { name: "names", type: of("string"), repetition: list },
  { name: "by", repetition: mapOf("string") },
  { name: "self", type: ofMessage("p.M"), repetition: list },
]);
const whole = { id: 1, names: ["a"], by: { k: 1 }, self: [{ names: [], by: {}, self: [] }] };

function refusalOf(value: unknown, rules: Partial<ShapeRules> = {}): string {
  try {
    checkShape(schema, value, { format: "f", ...rules });
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return `${(error as DecodeError).code} ${(error as DecodeError).message}`;
  }
  return "accepted";
}

describe("the shape that generated code relies on", () => {
  it.each<[string, unknown, Partial<ShapeRules>, string]>([
    ["the schema's own", whole, {}, "accepted"],
    ["an absent field", { ...whole, id: undefined }, {}, "accepted"],
    ["no object", [], {}, "corrupt f: expected an object (p.M), got a list of 0"],
    ["an object of a class", new Date(0), {}, "unsupported f: expected an object (p.M), got a Date"],
    [
      "a field too many",
      { ...whole, x: 1 },
      {},
      "unsupported f at x: p.M has no such field, did you mean id or by?",
    ],
    ["no list", { ...whole, names: "a" }, {}, 'corrupt f at names: expected a list, got "a"'],
    ["a list that is missing", {}, {}, "accepted"],
    ["no map", { ...whole, by: [] }, {}, "corrupt f at by: expected an object as a map, got a list of 0"],
    ["an object for a Map", whole, { maps: "Map" }, "corrupt f at by: expected a map, got an object"],
    ["a Map", { id: 1, names: [], by: new Map([["k", 1]]), self: [] }, { maps: "Map" }, "accepted"],
    ["no message", { ...whole, self: [7] }, {}, "corrupt f at self[0]: expected an object (p.M), got 7"],
    [
      "a leaf that is refused",
      whole,
      { leaf: (type) => (type.kind === "scalar" && type.scalar === "string" ? "a number" : undefined) },
      'corrupt f at names[0]: expected a number, got "a"',
    ],
    ["as many values as are allowed", whole, { items: 4 }, "accepted"],
    ["more", whole, { items: 3 }, "limit f at self[0]: more than 3 values"],
  ])("%s", (_, value, rules, expected) => {
    expect(refusalOf(value, rules)).toBe(expected);
  });

  it("ends at a value that contains itself", () => {
    const circle: { self: unknown[] } = { self: [] };
    circle.self.push(circle);
    expect(refusalOf(circle, {})).toContain(`nested deeper than ${MAX_DEPTH} messages`);
  });

  it("counts what stands in two places twice, so that sharing ends soon", () => {
    let shared: object = {};
    for (let i = 0; i < 40; i++) shared = { self: [shared, shared] };
    expect(refusalOf(shared, { items: 1000 })).toMatch(/^limit .*more than 1000 values$/);
  });
});

import { describe, expect, it } from "vitest";
import type { Field } from "../../src/model/schema.ts";
import { cStruct } from "../../src/schema/layout/c.ts";
import { field, list, message, optional, schemaOf } from "./c-schemas.ts";

describe("names", () => {
  const names = (fields: Field[]): string[] =>
    cStruct({ schema: schemaOf({ Root: fields }), values: [] }).members.map(({ name }) => name);

  it.each([
    ["class", "class_"],
    ["int", "int_"],
    ["co_await", "co_await_"],
    ["linux", "linux_"],
    ["uint8_t", "uint8_t_"],
    ["INT_MAX", "INT_MAX_"],
    ["__proto__", "x__proto__"],
    ["_Bool", "x_Bool"],
    ["toString", "toString"],
    ["1st", "_1st"],
    ["a-b", "a_b"],
    ["*/ int x; /*", "_int_x_"],
  ])("%s is %s", (name, expected) => {
    expect(names([field(name, "int8")])).toEqual([expected]);
    const [member] = cStruct({ schema: schemaOf({ Root: [field(name, "int8")] }), values: [] }).members;
    expect(member?.key ?? member?.name).toBe(name);
  });

  it("do not make a flag or a count of what is none", () => {
    expect(names([field("has_x", "bool"), field("x", "int8")])).toEqual(["has_x_", "x"]);
    expect(names([field("has_x", "int8"), field("x", "int8", optional)])).toEqual(["has_x", "has_x_", "x"]);
    expect(names([field("l", "int8", list), field("l_count", "int8")])).toEqual(["l_count_", "l_count", "l"]);
    expect(names([field("l", "int8"), field("l_count", "int8")])).toEqual(["l", "l_count"]);
    expect(names([field("x", "int8"), field("has_x", "bool"), field("has_x_", "bool")])).toEqual([
      "x",
      "has_x_",
      "has_x_2",
    ]);
  });

  it("of types leave out the package, and are all different", () => {
    const schema = schemaOf(
      {
        "p.q.Root": [
          field("a", message("p.q.Root.In")),
          field("b", message("p.q.Root_In")),
          field("c", message("x.In")),
          field("d", { kind: "enum", name: "p.q.E" }),
        ],
        "p.q.Root.In": [],
        "p.q.Root_In": [],
        "x.In": [],
      },
      [
        {
          name: "p.q.E",
          values: [
            { name: "Root", number: 0 },
            { name: "E", number: 1 },
            { name: "true", number: 2 },
          ],
          bits: 32,
          closed: true,
        },
      ],
      "p.q",
    );
    const struct = cStruct({ schema, values: [] });
    const inner = struct.members.flatMap(({ type }) => (type.kind === "struct" ? [type.struct.name] : []));
    const enums = struct.members.flatMap(({ type }) => (type.kind === "enum" ? [type.enum] : []));
    expect([struct.name, ...inner]).toEqual(["Root", "Root_In", "Root_In2", "x_In"]);
    expect(enums.map(({ name, values }) => [name, ...values.map((value) => value.name)])).toEqual([
      ["E", "Root_", "E_", "true_"],
    ]);
  });
});

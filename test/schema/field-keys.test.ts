/** The keys of objects that stand for fields. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MessageType } from "../../src/model/schema.ts";
import { FieldsByKey } from "../../src/schema/values/field-keys.ts";
import { runs, SEED } from "../seed.ts";

/** A message of texts. @param names of its fields, with what is declared for JSON */
function message(names: readonly (readonly [name: string, jsonName?: string])[]): MessageType {
  const fields = names.map(([name, jsonName], i) => ({
    name,
    number: i + 1,
    type: { kind: "scalar", scalar: "string" } as const,
    repetition: { kind: "one", presence: "optional" } as const,
    ...(jsonName !== undefined && { jsonName }),
  }));
  return { name: "M", fields };
}

const printed = (...names: Parameters<typeof message>[0]): readonly string[] =>
  new FieldsByKey("json").printed(message(names));

describe("the keys of fields in JSON", () => {
  it("are the declared ones, though another field has such a name in the schema", () => {
    expect(printed(["a", "b"], ["b", "c"])).toEqual(["b", "c"]);
    expect(printed(["a", "b"], ["b", "a"])).toEqual(["b", "a"]);
    expect(printed(["x", "fooBar"], ["foo_bar"])).toEqual(["fooBar", "foo_bar"]);
  });

  it("are those of the schema where a declared one would leave another field without any", () => {
    expect(printed(["a", "b"], ["b"])).toEqual(["a", "b"]);
    expect(printed(["a", "b"], ["b"], ["d", "a"])).toEqual(["a", "b", "d"]);
    expect(printed(["a", "c"], ["b", "c"])).toEqual(["a", "c"]);
  });

  it("stand for one field each, and each field has one", () => {
    const name = fc.constantFrom("a", "b", "aB", "a_b", "AB");
    const named = fc.oneof(fc.tuple(name), fc.tuple(name, name));
    fc.assert(
      fc.property(fc.uniqueArray(named, { selector: ([own]) => own }), (names) => {
        const type = message(names);
        const fields = new FieldsByKey("json");
        expect(fields.printed(type).map((key) => fields.of(type).get(key))).toEqual(type.fields);
      }),
      { numRuns: runs(1000), seed: SEED },
    );
  });
});

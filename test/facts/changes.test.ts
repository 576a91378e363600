import { expect, it } from "vitest";
import { changesOf } from "../../src/facts/evolution/changes.ts";
import type { Int64Mode } from "../../src/model/schema.ts";
import { list, of, schemaOf, single } from "../schema/schema-of.ts";

const schema = schemaOf("p", [
  { name: "id", type: of("uint64"), repetition: single("optional") },
  { name: "texts", type: of("string"), repetition: list },
]);

function changes(int64: Int64Mode) {
  const id = int64 === "bigint" ? 5n : 5;
  return changesOf({ schema, values: [{ id, texts: ["x", "y"] }], int64 });
}

it("writes -1 where a reader without a sign would see what a number holds", () => {
  const signs = (int64: Int64Mode): string[] =>
    changes(int64).flatMap(({ name }) => (/^change the sign: uint64 to int64, -1$/.test(name) ? [name] : []));
  expect(signs("number")).toEqual([]);
  expect(signs("bigint")).toHaveLength(1);
});

it("writes two values that are not one, so that it shows which of them is read", () => {
  const two = changes("number").find(({ name }) => name === "list of string to one, of two");
  expect(two?.old.value).toMatchObject({ texts: ["x", "x2"] });
});

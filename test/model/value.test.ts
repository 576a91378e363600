import { describe, expect, it } from "vitest";
import { childPath, firstDifference, show } from "../../src/model/value.ts";

describe("firstDifference", () => {
  it.each([
    [{ a: [1, { b: "x" }] }, { a: [1, { b: "x" }] }],
    [Number.NaN, Number.NaN],
    [new Uint8Array([1, 2]), Buffer.from([1, 2])],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
  ])("finds none between equal values (case %#)", (a, b) => {
    expect(firstDifference(a, b)).toBeUndefined();
  });

  it.each([
    [{ info: [{ age: 1 }] }, { info: [{ age: 2 }] }, "info[0].age: expected 1, got 2"],
    [{ info: [1, 2] }, { info: [1] }, "info: expected 2 elements, got 1"],
    [{ a: 1 }, {}, "a: expected 1, got nothing"],
    [{}, { a: 1 }, "a: expected nothing, got 1"],
    [0, -0, "value: expected 0, got -0"],
    [1n, 1, "value: expected 1n, got 1"],
    [new Uint8Array([1]), new Uint8Array([2]), "value: expected byte 0 to be 1, got 2"],
    [{ a: {} }, { a: [] }, "a: expected an object, got a list of 0"],
    [JSON.parse('{"__proto__":1}'), {}, "__proto__: expected 1, got nothing"],
    [{ "a b": 1 }, { "a b": 2 }, '["a b"]: expected 1, got 2'],
  ])("names the place (case %#)", (a, b, text) => {
    expect(firstDifference(a, b)).toBe(text);
  });
});

it.each([
  ["", "a", "a"],
  ["a", "b", "a.b"],
  ["a", 3, "a[3]"],
  ["a", "b.c", 'a["b.c"]'],
])("joins the path %j and %j", (path, key, joined) => {
  expect(childPath(path, key)).toBe(joined);
});

it("shows long strings cut", () => {
  expect(show("x".repeat(50))).toBe(`"${"x".repeat(40)}…"`);
});

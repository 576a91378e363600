import { describe, expect, it } from "vitest";
import { compileBuildObject } from "../../../src/formats/bytes/build-object.ts";

const keysOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `key ${i}`);

describe.each([
  { first: 0, step: 1 },
  { first: 1, step: 2 },
])("an object of values from $first on, each $step after the one before", ({ first, step }) => {
  const build = compileBuildObject(first, step);
  const values = Array.from({ length: 50 }, (_, i) => ({ place: i }));

  it("has the keys in their order, as many as there are", () => {
    for (let count = 0; count <= 20; count++) {
      const keys = keysOf(count);
      const object = build(keys, values, 3);
      expect(Object.keys(object)).toEqual(keys);
      expect(Object.values(object)).toEqual(keys.map((_, i) => values[3 + first + step * i]));
    }
  });

  it("is another one each time, and keeps none of the values", () => {
    const keys = keysOf(4);
    const one = build(keys, values, 0);
    const other = build(keys, values, 1);
    expect(one).not.toBe(other);
    expect(one["key 0"]).toBe(values[first]);
    expect(other["key 0"]).toBe(values[1 + first]);
  });
});

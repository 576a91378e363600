/** Rings are as long in every runtime: their length comes from the data alone, by V8's count of its bytes. */
import { serialize } from "node:v8";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import { isRecord, type Value } from "../../src/model/value.ts";
import { CloneSize, ringLength } from "../../src/schema/values/input-ring.ts";
import { runs, SEED } from "../seed.ts";

const registry = await Registry.open();

/** Values that V8 holds in one way only; whether a whole number is an integer or a fraction is V8's choice. */
const values = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }),
    fc.string({ maxLength: 200 }),
    fc.string({ unit: "binary", maxLength: 200 }).map((text) => `${text}€`),
    fc.uint8Array({ maxLength: 300 }),
    fc.array(tie("value"), { maxLength: 200 }),
    fc.dictionary(fc.string({ maxLength: 5 }), tie("value")),
  ),
})).value;

/** The same value, in which lists are dense to V8. */
function plainly(value: Value): Value {
  if (Array.isArray(value)) {
    const dense: Value[] = [];
    for (const item of value) dense.push(plainly(item));
    return dense;
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plainly(field)]));
}

describe("a ring of inputs", () => {
  it("counts the bytes of a structured clone as V8 does", () => {
    fc.assert(
      fc.property(values, (made) => {
        const value = plainly(made);
        expect(new CloneSize().of(value)).toBe(serialize(value).length);
      }),
      { numRuns: runs(2000), seed: SEED },
    );
  });

  it.each(
    "-0 0 1.5 63 64 -64 -65 8191 8192 2147483647 2147483648 -2147483648 -2147483649 NaN Infinity".split(" "),
  )("counts %s", (text) => {
    // A list of all of them would hold each as a fraction.
    expect(new CloneSize().of(Number(text))).toBe(serialize(Number(text)).length);
  });

  it("counts what is there twice once", () => {
    const shared = { name: "x".repeat(1000) };
    const value = [shared, shared, Uint8Array.of(1), shared];
    expect(new CloneSize().of(value)).toBe(serialize(value).length);
  });

  it("is as long as V8's count of bytes makes it, for the built-in data in all sizes", async () => {
    for (const name of registry.names("datasets")) {
      const { make, size } = await registry.definition("datasets", name);
      const sizes = [1, 2, 5, 64, 500, 700, 1000, 1500, 2000, 5000, 65_000];
      for (const count of size === undefined ? [1] : sizes.filter((one) => one <= size.max)) {
        const value = make(count, 0);
        const expected = Math.max(2, Math.min(16, Math.floor(2 ** 18 / serialize(value).length)));
        expect(ringLength(value), `${name}:${count}`).toBe(expected);
      }
    }
  });
});

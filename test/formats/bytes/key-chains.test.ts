import { expect, it } from "vitest";
import { hashOf, KeyChains } from "../../../src/formats/bytes/key-chains.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { SEED } from "../../seed.ts";

function comparedFor(keys: Iterable<unknown>): number {
  const chains = new KeyChains();
  const set = new Set<unknown>();
  for (const key of keys) {
    chains.count(set, key);
    set.add(key);
  }
  return chains.compared;
}

const COUNT = 4096;
const numbers = function* (key: (i: number) => unknown): Generator<unknown> {
  for (let i = 0; i < COUNT; i++) yield key(i);
};

it("keys of ordinary data share few chains", () => {
  const random = seededRandom(SEED);
  for (const key of [
    (i: number) => i,
    (i: number) => 1000 * i,
    (i: number) => i + 0.5,
    (i: number) => -(2 ** 40) * i,
    (i: number) => 10n ** 20n + BigInt(i),
    () => random(),
    () => Math.floor(2 ** 32 * random()),
  ]) {
    expect(comparedFor(numbers(key))).toBeLessThan(8 * COUNT);
  }
  expect(comparedFor(numbers((i) => `text ${i}`))).toBe(0);
});

it("keys that are made to share one are compared with all before them", () => {
  // V8 takes the lowest 64 bits of a bigint, and nothing else.
  const bigints = comparedFor(numbers((i) => (BigInt(i) << 64n) + 1n));
  expect(bigints).toBeGreaterThan(4 * 0.9 * (COUNT ** 2 / 2));
  const integers = function* (): Generator<number> {
    for (let i = 0, found = 0; found < COUNT; i++) {
      if ((hashOf(i) & 4095) !== 0) continue;
      found += 1;
      yield i;
    }
  };
  expect(comparedFor(integers())).toBeGreaterThan(0.9 * (COUNT ** 2 / 2));
});

/** Objects of keys that were met before have code of their own: it writes what is written without it. */
import { describe, expect, it } from "vitest";
import { FIRST_USES } from "../../../src/formats/bytes/key-tree.ts";
import { decodePickle, encodePickle, type PickleOptions } from "../../../src/formats/python-pickle/index.ts";
import { ValueError } from "../../../src/model/errors.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { show } from "../../../src/model/value.ts";

const KEYS = [
  "a",
  "name",
  "小明",
  "x".repeat(12),
  "y".repeat(13),
  "é".repeat(8),
  "k".repeat(40),
  "1",
  "2",
  "-1",
  "",
];
const OPTIONS: PickleOptions[] = [1, 2, 4, 5].flatMap((protocol) =>
  [true, false].map((memo) => ({ protocol, memo }) as PickleOptions),
);

/** The same with Maps for objects: those have no code of their own. */
function withMaps(value: unknown, known = new Map<unknown, unknown>()): unknown {
  if (typeof value !== "object" || value === null) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const made: unknown = Array.isArray(value) ? [] : new Map();
  known.set(value, made);
  if (Array.isArray(value)) for (const one of value) (made as unknown[]).push(withMaps(one, known));
  else
    for (const [key, one] of Object.entries(value))
      (made as Map<string, unknown>).set(key, withMaps(one, known));
  return made;
}

function expectSame(value: unknown, options: PickleOptions): void {
  const [ours, other] = [encodePickle(value, options), encodePickle(withMaps(value), options)];
  expect(Buffer.compare(ours, other), show(value)).toBe(0);
}

function meetOften(value: unknown): void {
  // A shape is learnt by a key at a time, from some of the objects.
  for (let i = 0; i < 40 * FIRST_USES; i++) encodePickle(value);
}

describe("objects of repeated keys", () => {
  it("are written as Maps of their entries are, whatever their keys and values are", () => {
    const random = seededRandom(7);
    const pick = (count: number): number => Math.floor(random() * count);
    const shapes = Array.from({ length: 12 }, () => KEYS.filter(() => pick(3) === 0));
    const anyValue = (depth: number): unknown => {
      const leaves = [0, -0, 1, 255, 256, -1, 2 ** 31, 2 ** 40, 0.5, "", "a", "name", "text", null, true, 7n];
      const kind = pick(depth > 3 ? 6 : 9);
      if (kind < 6) return leaves[pick(leaves.length)];
      if (kind === 6) return Array.from({ length: pick(4) }, () => anyValue(depth + 1));
      return objectOf(shapes[pick(shapes.length)]!, depth);
    };
    const objectOf = (keys: readonly string[], depth: number): Record<string, unknown> =>
      Object.fromEntries(keys.map((key) => [key, anyValue(depth + 1)]));
    for (let i = 0; i < 1500; i++) {
      const first = objectOf(shapes[pick(shapes.length)]!, 0);
      expectSame([first, objectOf(KEYS.slice(0, pick(5)), 0), first], OPTIONS[i % OPTIONS.length]!);
    }
  });

  it("are written wherever a frame ends, and with more in the memo than a byte counts", () => {
    const one = (i: number): object => ({
      count: i & 255,
      next: { count: 1, text: `text ${i}` },
      text: "same",
    });
    meetOften(one(1));
    expectSame(
      Array.from({ length: 4000 }, (_, i) => one(i)),
      {},
    );
    for (let padding = 65_536 - 160; padding < 65_536; padding++) {
      expectSame(["x".repeat(padding), one(1), one(2)], {});
      expectSame(["x".repeat(padding), { 1: 1, 2: 2 }, one(1)], {});
    }
  });

  it("are told from others that begin like them, or have no more than one of their keys", () => {
    meetOften({ id: 1, kind: "a", size: 3 });
    for (const value of [
      { id: 1 },
      { id: 1, kind: "a" },
      { id: 1, size: 3, kind: "a" },
      { id: 1, kind: "a", size: 3, more: { id: 2, kind: "b", size: 4 } },
      { kind: "a", id: 1, size: 3 },
      { 0: 1, id: 1, kind: "a", size: 3 },
      {},
    ]) {
      for (const options of OPTIONS) expectSame([value, value, { id: 1, kind: "a", size: 3 }], options);
    }
  });

  it("are what for-in gives of them, and have no prototype but that of Object", () => {
    meetOften({ p: 1, q: 2, r: 3 });
    const hidden = Object.defineProperty({ p: 1, q: 2, r: 3 }, "q", { enumerable: false });
    expectSame(hidden, {});
    expectSame(Object.assign(Object.create(null), { p: 1, q: 2, r: 3 }), {});
    expectSame(new Proxy({ p: 1, q: 2, r: 3 }, {}), {});
    class Own {
      p = 1;
      q = 2;
      r = 3;
    }
    expect(() => encodePickle(new Own())).toThrow(ValueError);
    expect(() => encodePickle(Object.assign(Object.create({}), { p: 1, q: 2, r: 3 }))).toThrow(ValueError);
    const prototype = Object.prototype as Record<string, unknown>;
    prototype["r"] = 1;
    try {
      expect(decodePickle(encodePickle({ p: 1, q: 2 }))).toEqual({ p: 1, q: 2 });
    } finally {
      delete prototype["r"];
    }
  });

  it("may change while they are written, by getters that are called once", () => {
    meetOften({ s: 1, t: 2, u: 3, constructor: 4 });
    let calls = 0;
    const changing = {
      s: 1,
      get t() {
        calls += 1;
        delete (this as { u?: number }).u;
        meetOften({ s: 1, t: 2, u: 3 });
        return 2;
      },
      u: 3,
      get constructor() {
        return ++calls;
      },
    };
    expect(decodePickle(encodePickle([changing]))).toEqual([{ s: 1, t: 2, constructor: 2 }]);
    expect(calls).toBe(2);
    const outer: Record<string, unknown> = {
      s: {
        get inner() {
          delete outer["t"];
          outer["u"] = 5;
          return 4;
        },
      },
      t: 2,
      u: 3,
      constructor: 4,
    };
    expect(decodePickle(encodePickle([outer]))).toEqual([{ s: { inner: 4 }, u: 5, constructor: 4 }]);
  });

  it("are refused with the path of what is wrong, or for their depth", () => {
    const nested = (levels: number): object => ({ in: levels === 0 ? 1 : nested(levels - 1), out: 2 });
    meetOften(nested(60));
    meetOften({ v: 1, w: [{ v: 1, w: 2 }] });
    const refusal = (value: unknown): unknown => {
      try {
        return encodePickle(value);
      } catch (error) {
        return error;
      }
    };
    expect(refusal({ v: 1, w: [{ v: 1, w: undefined }] })).toMatchObject({ path: "w[0].w" });
    expect(refusal({ v: 1, w: [{ v: "\ud800", w: 1 }] })).toMatchObject({ path: "w[0].v" });
    expect(refusal({ v: 1, w: [{ v: 1, "\ud800": 1 }] })).toBeInstanceOf(ValueError);
    expect(refusal(nested(99))).toBeInstanceOf(Uint8Array);
    expect(refusal(nested(100))).toBeInstanceOf(ValueError);
    const cycle: Record<string, unknown> = { in: 1, out: 2 };
    cycle["in"] = cycle;
    expect(Buffer.from(encodePickle(cycle)).toString("hex")).toBe(
      Buffer.from(encodePickle(withMaps(cycle))).toString("hex"),
    );
  });
});

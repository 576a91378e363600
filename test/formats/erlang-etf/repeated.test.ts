/** What is met again and again has code of its own, which must do what is done with what is met for the first time. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIRST_USES, KeyNode, KeyTree, MOST, MOST_CODE } from "../../../src/formats/bytes/key-tree.ts";
import { binaryToTerm, Tuple, termToBinary } from "../../../src/formats/erlang-etf/index.ts";
import { DecodeError, ValueError } from "../../../src/model/errors.ts";
import { mutants, SEED } from "../../seed.ts";
import { plainValues } from "./arbitrary-term.ts";

let names = 1000;

/** Keys that no object had before, which begin with as many letters each time. */
function newKeys(count: number): string[] {
  names += 1;
  return Array.from({ length: count }, (_, i) => `k${names}-${i}`);
}

/** {@link newKeys} that are indexes, which V8 keeps apart from others. */
function newIndexes(count: number): string[] {
  names += 1;
  return Array.from({ length: count }, (_, i) => `${80_000 + names}${i}`);
}

/** What was written, whatever the new keys in it begin with. */
function nameless(text: string, [key = ""]: readonly string[]): string {
  const start = key.slice(0, 5);
  return text.replaceAll(start, "K").replaceAll(Buffer.from(start).toString("hex"), "K");
}

/** Bytes or the problem and where it is. */
function written(value: unknown): string {
  try {
    return Buffer.from(termToBinary(value)).toString("hex");
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    return `${error.path}: ${error.problem}`;
  }
}

function read(bytes: Uint8Array): unknown {
  try {
    return binaryToTerm(bytes);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return { code: error.code, offset: error.offset, message: error.message };
  }
}

/** Writes and reads objects of some keys until there is code for them. */
function repeat(keys: readonly string[]): void {
  const object = Object.fromEntries(keys.map((key, i) => [key, i]));
  for (let i = 0; i < 2 * FIRST_USES; i++) binaryToTerm(termToBinary([object, object]));
}

const VALUES: readonly unknown[] = [
  ...[0, 255, 256, -1, -0, 0.5, 2 ** 31, 2 ** 32, -(2 ** 40), 2 ** 53 - 1, 2 ** 53, -(2n ** 70n)],
  ...[
    "",
    "a",
    "a text of 31 units, all of ASCII",
    "of more units than that, and all are ASCII",
    "ä",
    "😀",
    "\0",
  ],
  ...[true, null, [], [1, 2], [{}], new Tuple([1]), new Map([[1, 2]]), new Uint8Array(3), {}],
];

describe("objects of one shape", () => {
  it("are written as Maps of their entries are, whatever their values are", () => {
    for (const unit of ["k", "\x7f", "é", "\u{10ffff}", "\u{10ffff}\x7f", "\0"]) {
      for (let length = 0; length <= 64; length += 1) {
        const key = unit.repeat(length).slice(0, 64);
        if (!key.isWellFormed()) continue;
        repeat([key, `${key.slice(2)}z`, "a"]);
        for (const value of VALUES) {
          const object = { [key]: value, [`${key.slice(2)}z`]: value, a: value };
          expect(written([object, object, "end"])).toBe(
            written([new Map(Object.entries(object)), new Map(Object.entries(object)), "end"]),
          );
        }
      }
    }
  });

  it("are written in each minor version, however far the output has to grow", () => {
    const keys = newKeys(20);
    for (const minorVersion of [0, 1, 2] as const) {
      for (const value of [0.1, "x".repeat(500), true, "é".repeat(20), 2 ** 40]) {
        const object = Object.fromEntries(keys.map((key) => [key, value]));
        const expected = termToBinary(Array(40).fill(new Map(Object.entries(object))), { minorVersion });
        expect(Buffer.compare(termToBinary(Array(40).fill(object), { minorVersion }), expected)).toBe(0);
      }
    }
  });

  it("are read as the same values again, also where their bytes are damaged", () => {
    const plain = fc.sample(plainValues(), { numRuns: 200, seed: SEED });
    const random = fc.sample(fc.tuple(fc.nat(), fc.nat({ max: 255 })), {
      numRuns: mutants(20_000) / 20,
      seed: SEED,
    });
    for (const value of plain) {
      const [one] = [termToBinary([value])];
      const many = termToBinary(Array(2 * FIRST_USES).fill(value));
      expect(read(many)).toEqual(Array(2 * FIRST_USES).fill(value));
      expect(termToBinary([value])).toEqual(one);
    }
    const keys = newKeys(5);
    const object = Object.fromEntries(keys.map((key, i) => [key, VALUES[(7 * i) % 12]]));
    const bytes = termToBinary([object, { a: object }]);
    const damaged = [
      ...Array.from(bytes, (_, i) => bytes.slice(0, i)),
      ...random.map(([at, byte]) => {
        const copy = bytes.slice();
        copy[at % copy.length] = byte;
        return copy;
      }),
    ];
    const before = damaged.map(read);
    repeat(keys);
    expect(damaged.map(read)).toEqual(before);
    expect(read(bytes)).toEqual([object, { a: object }]);
  });

  it("have keys of any name, each its own", () => {
    const names = [
      "__proto__",
      "constructor",
      "toString",
      "1",
      "0",
      "",
      '"];throw 1;//',
      "\u2028",
      "valueOf",
    ];
    const object = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:{"x":1}`).join()}}`) as object;
    const expected = written(object);
    for (let i = 0; i < 3 * FIRST_USES; i++) {
      expect(written(object)).toBe(expected);
      const back = binaryToTerm(Buffer.from(expected, "hex")) as object;
      expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
      expect(Object.hasOwn(back, "__proto__")).toBe(true);
      expect(back).toEqual(object);
    }
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

/** Objects whose keys are given and which do something while they are written: each time it is called, another one. */
const CHANGING: Readonly<Record<string, (keys: readonly string[]) => unknown>> = {
  "with a getter that deletes a later property": ([a, b, c]) =>
    withGetter({ [b!]: 2, [c!]: 3 }, a!, function (this: Record<string, unknown>) {
      delete this[c!];
      return 1;
    }),
  "with a getter that hides a later property": ([a, b, c]) =>
    withGetter({ [b!]: 2, [c!]: 3 }, a!, function (this: object) {
      Object.defineProperty(this, c!, { enumerable: false });
      return 1;
    }),
  "with a getter that adds a property": ([a, b, c]) =>
    withGetter({ [b!]: 2, [c!]: 3 }, a!, function (this: Record<string, unknown>) {
      this["more"] = 1;
      return 1;
    }),
  "with a getter that deletes an earlier property and itself": ([a, b, c]) => {
    const object: Record<string, unknown> = { [a!]: 1, [b!]: 2 };
    return Object.defineProperty(object, c!, {
      enumerable: true,
      configurable: true,
      get() {
        delete object[a!];
        delete object[c!];
        return 3;
      },
    });
  },
  "with a getter that changes a later value": ([a, b, c]) =>
    withGetter({ [b!]: 2, [c!]: 3 }, a!, function (this: Record<string, unknown>) {
      this[c!] = "changed";
      return 1;
    }),
  "with a getter that writes an object of the same shape": ([a, b, c]) =>
    withGetter({ [b!]: 2, [c!]: 3 }, a!, () => termToBinary([{ [a!]: 1, [b!]: 2, [c!]: 3 }]).length),
  "with a getter that throws": ([a, b, c]) =>
    withGetter({ [b!]: 2, [c!]: 3 }, a!, () => {
      throw new Error("mine");
    }),
  "whose last getter throws": ([a, b, c]) => ({
    [a!]: 1,
    [b!]: 2,
    get [c!]() {
      throw new Error("mine");
    },
  }),
  "with a getter of its own for what tells its class": ([a, b, c]) => {
    let calls = 0;
    const object = { [a!]: 1, [b!]: 2, [c!]: 3 };
    Object.defineProperty(object, "constructor", { get: () => (calls++ > 100 ? 1 : Object) });
    return object;
  },
  "that are proxies": ([a, b, c]) => new Proxy({ [a!]: 1, [b!]: 2, [c!]: 3 }, {}),
  "that are proxies which throw": ([a, b, c]) =>
    new Proxy(
      { [a!]: 1, [b!]: 2, [c!]: 3 },
      {
        get(target, key) {
          if (key === c) throw new Error("mine");
          return Reflect.get(target, key);
        },
      },
    ),
  "that are proxies of other keys each time": ([a, b, c]) => {
    let calls = 0;
    return new Proxy({ [a!]: 1, [b!]: 2, [c!]: 3 }, { ownKeys: () => (calls++ === 0 ? [a!, b!, c!] : [c!]) });
  },
  "of a class": ([a, b, c]) => Object.assign(new (class Point {})(), { [a!]: 1, [b!]: 2, [c!]: 3 }),
  "without a prototype": ([a, b, c]) => Object.assign(Object.create(null), { [a!]: 1, [b!]: 2, [c!]: 3 }),
  "that have a part of the keys": ([a, b]) => ({ [a!]: 1, [b!]: 2 }),
  "that have none of the keys": () => ({}),
  "that have a key more": ([a, b, c]) => ({ [a!]: 1, [b!]: 2, [c!]: 3, d: 4 }),
  "that have many keys more": ([a, b, c]) => ({
    [a!]: 1,
    [b!]: 2,
    [c!]: 3,
    ...Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`more ${i}`, i])),
  }),
  "that have a key that is no text more": ([a, b, c]) => ({ [a!]: 1, [b!]: 2, [c!]: 3, "\ud800": 4 }),
  "in another order": ([a, b, c]) => ({ [c!]: 1, [b!]: 2, [a!]: 3 }),
  "with a value that is refused": ([a, b, c]) => ({ [a!]: 1, [b!]: [() => 1], [c!]: 3 }),
  "with a hidden property": ([a, b, c]) =>
    Object.defineProperty({ [a!]: 1, [b!]: 2, [c!]: 3 }, b!, { enumerable: false }),
  "with a symbol": ([a, b, c]) => ({ [a!]: 1, [b!]: 2, [c!]: 3, [Symbol("s")]: 4 }),
  "that lost a property": ([a, b, c]) => {
    const object: Record<string, unknown> = { [a!]: 1, lost: 1, [b!]: 2, [c!]: 3 };
    delete object["lost"];
    return object;
  },
  "that are no objects": () => new Tuple([1, 2, 3]),
};

function withGetter(object: Record<string, unknown>, key: string, get: () => unknown): object {
  const whole = Object.defineProperty({}, key, { enumerable: true, configurable: true, get });
  return Object.defineProperties(whole, Object.getOwnPropertyDescriptors(object));
}

describe("objects where others were expected", () => {
  const changes = Object.entries(CHANGING).flatMap(([name, make]) => [
    [name, make, newKeys] as const,
    [`of indexes ${name}`, make, newIndexes] as const,
  ]);
  it.each(changes)("%s are written as they are alone", (_, make, keysOf) => {
    const [cold, warm] = [keysOf(3), keysOf(3)];
    repeat(warm);
    for (const around of [
      (value: unknown) => [value],
      (value: unknown, other: object) => [{ z: value }, other, { z: value }],
      (value: unknown, other: object) => [other, other, value, other],
    ]) {
      const [one, other] = [cold, warm].map((keys) => {
        const plain = Object.fromEntries(keys.map((key, i) => [key, i]));
        return nameless(written(around(make(keys), plain)), keys);
      });
      expect(other).toBe(one);
    }
  });

  it("get nothing that an object inherits, though it has the name of what was expected", () => {
    const keys = newKeys(3);
    const [a = "", b = "", c = ""] = keys;
    repeat(keys);
    repeat([a, b]);
    const expected = written([{ [a]: 0, [b]: 1 }]);
    const whole = { [a]: 0, [b]: 1, [c]: 2 };
    const stray = { value: 2, enumerable: true, configurable: true, writable: true };
    termToBinary([whole, whole]);
    Object.defineProperty(Object.prototype, c, stray);
    const results = [written([{ [a]: 0, [b]: 1 }]), written(Object.assign(Object.create(null), { [a]: 0 }))];
    const littered = written([whole]);
    Reflect.deleteProperty(Object.prototype, c);
    expect(results[0]).toBe(expected);
    expect(results[1]).toBe(written({ [a]: 0 }));
    expect(littered).toBe(written([whole]));
  });

  it("are read one by one where keys differ, of any length", () => {
    const keys = newKeys(4);
    repeat(keys);
    const objects = [
      ...keys.map((key) => ({ [key]: 1 })),
      Object.fromEntries(keys.map((key) => [key, "x"])),
      Object.fromEntries(keys.map((key) => [`${key}!`, 1])),
      Object.fromEntries(keys.toReversed().map((key) => [key, []])),
      { [keys[0]!]: 1, b: 2, c: 3, d: 4 },
      { [keys[0]!]: { [keys[0]!]: 1, b: 2, c: 3, d: 4 }, [keys[1]!]: 2, c: 3, ["d".repeat(100)]: 4 },
    ];
    for (let again = 0; again < 3; again++) {
      for (const object of objects)
        expect(binaryToTerm(termToBinary([object, object]))).toEqual([object, object]);
    }
  });

  it("are refused where a key stands twice", () => {
    const [key = ""] = newKeys(1);
    repeat([key, "z"]);
    const term = Buffer.from(termToBinary({ [key]: 1, z: 2 }));
    const twice = Buffer.concat([term.subarray(0, 6), term.subarray(6, -8), term.subarray(6, -8)]);
    expect(read(twice)).toMatchObject({ code: "corrupt", offset: 6 + key.length + 7 });
  });
});

class CountingTree extends KeyTree<number, KeyNode<number>> {
  compiled = 0;

  constructor() {
    super(new KeyNode<number>(undefined, ""));
  }

  protected override compile(): number {
    this.compiled += 1;
    return this.compiled;
  }

  meet(keys: readonly string[], depth: number): KeyNode<number> | undefined {
    let node: KeyNode<number> | undefined = this.root;
    for (const key of keys) {
      const above: KeyNode<number> = node;
      node = this.find(above, (one) => one.keys.at(-1) === key) ?? this.add(above, new KeyNode(above, key));
      if (node === undefined) return undefined;
    }
    this.note(node, depth);
    this.codeOf(node);
    return node;
  }

  /** Nodes that can be reached from the root. */
  get size(): number {
    const seen = new Set<KeyNode<number>>();
    const open = [this.root];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      const { next, other, after, inside } = node;
      for (const one of [next, other, after.successor, inside.successor]) {
        if (one !== undefined) open.push(one);
      }
    }
    return seen.size;
  }
}

describe("a tree of sequences of keys", () => {
  it("stays small, however many there are", () => {
    const tree = new CountingTree();
    let largest = 0;
    for (let i = 0; i < 50_000; i++) {
      tree.meet([`a${i % 10}`, `b${i % 1000}`, `c${i}`], i % 3);
      if (i % 1000 === 0) largest = Math.max(largest, tree.size);
    }
    expect(largest).toBeLessThan(3 * MOST);
    expect(tree.compiled).toBe(0);
  });

  it("expects in each sequence what was in it before, and then what followed", () => {
    const tree = new CountingTree();
    const meet = (key: string, depth: number): KeyNode<number> => tree.meet([key], depth)!;
    const round = (): (number | undefined)[] =>
      ["plots", "shop"].flatMap((key, i) => {
        tree.enter(meet(key, 1), 1);
        return [0, 1].map(() => {
          const expected = tree.expected(2);
          meet(i === 0 ? "plot" : "goods", 2);
          return expected;
        });
      });
    for (let i = 0; i < 3 * FIRST_USES; i++) round();
    const [plot, goods] = ["plot", "goods"].map((key) => meet(key, 3).code);
    expect(plot).not.toBe(goods);
    expect(round()).toEqual([plot, plot, goods, goods]);
  });

  it("makes code seldom where many sequences are repeated, and less of it each time", () => {
    const tree = new CountingTree();
    const shapes = 4000;
    const times = 200;
    for (let i = 0; i < shapes; i++) {
      for (let again = 0; again < times; again++) tree.meet([`a${i % 16}`, `b${i}`], 1);
    }
    // Each time that so many have code, twice as many uses are needed for more.
    const rounds = Math.log2(times / FIRST_USES) + 1;
    expect(tree.compiled).toBeGreaterThan(MOST_CODE);
    expect(tree.compiled).toBeLessThan((rounds + 1) * MOST_CODE);
    expect(tree.size).toBeLessThan(3 * MOST);
  });

  it("keeps what has code when it forgets the rest", () => {
    const tree = new CountingTree();
    for (let i = 0; i < 2 * FIRST_USES; i++) tree.meet(["often", "met"], 0);
    const node = tree.meet(["often", "met"], 0);
    expect(node?.code).toBe(1);
    for (let i = 0; i < 3 * MOST; i++) {
      tree.meet([`once ${i % 8}`, `${i}`], 1);
      if (i % 4 === 0) tree.meet(["often", "met"], 0);
    }
    expect(tree.meet(["often", "met"], 0)).toBe(node);
    expect(tree.compiled).toBe(1);
  });
});

import { describe, expect, it } from "vitest";
import {
  compileFormat,
  type StructOptions,
  type StructValue,
} from "../../../src/formats/python-struct/index.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { expectSafe } from "../../hostile.ts";
import { cases, mutants, SEED } from "../../seed.ts";
import { randomFormat, randomValue } from "./random.ts";
import { charactersOf } from "./tagged.ts";

/** Structs in a row, with all kinds of values. */
const TARGETS: readonly (readonly [format: string, options: StructOptions])[] = [
  [">?", {}],
  [">B3pH2s", { text: true }],
  ["<hbe", {}],
  ["@c0i", {}],
  [">iI4p", { text: true }],
  ["<fd9s", { text: true }],
  [">qQ", {}],
  ["<q", { int64: "number" }],
  ["@nNP2p", {}],
  [`>${"hB".repeat(70)}`, {}],
];

describe("bytes of any kind", () => {
  it.each(TARGETS)("are structs of %s or a DecodeError", (format, options) => {
    const struct = compileFormat(format, options);
    const random = seededRandom(SEED);
    const characters = charactersOf(format);
    const vectors = [0, 1, 3].map((count) =>
      Buffer.concat(Array.from({ length: count }, () => pack(struct.size, random))),
    );
    vectors.push(Buffer.alloc(struct.size));
    const verdicts = expectSafe<StructValue[][]>(
      {
        decode: (bytes) => [...struct.iterUnpack(bytes)],
        encode: (rows) => Buffer.concat(rows.map((row) => struct.packArray(row))),
        vectors,
      },
      { mutants: Math.ceil(mutants(100_000) / TARGETS.length), seed: SEED },
    );
    expect(characters.length).toBe(struct.count);
    expect(verdicts.accepted).toBeGreaterThan(cases(100));
    if (struct.size > 1) expect(verdicts.refused).toBeGreaterThan(cases(30));
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function pack(size: number, random: () => number): Buffer {
  return Buffer.from(Array.from({ length: size }, () => Math.floor(random() * 128)));
}

describe("values of any kind", () => {
  it("are packed or a ValueError, and change no prototype", () => {
    const random = seededRandom(SEED);
    const before = Object.getOwnPropertyNames(Object.prototype).join();
    const odd: readonly unknown[] = [
      undefined,
      null,
      "",
      "__proto__",
      Symbol.iterator,
      {},
      [1],
      { valueOf: () => 1, toString: () => "1" },
      { length: 1, 0: 1 },
      new Uint16Array(1),
      new ArrayBuffer(1),
      new DataView(new ArrayBuffer(1)),
      2n ** 2000n,
      -(2n ** 63n) - 1n,
      Number.MAX_VALUE,
      new Proxy(new Uint8Array(1), {}),
      Object.create(Uint8Array.prototype),
      revoked(),
    ];
    for (let i = 0; i < 200; i++) {
      const format = randomFormat(random);
      const struct = compileFormat(format);
      const characters = charactersOf(format);
      for (const value of odd) {
        const values = characters.map((character) => randomValue(random, character)) as unknown[];
        if (values.length > 0) values[Math.floor(random() * values.length)] = value;
        try {
          struct.packArray(values as StructValue[]);
        } catch (error) {
          expect((error as Error).name, `${format}: ${String(error)}`).toBe("ValueError");
        }
      }
    }
    expect(Object.getOwnPropertyNames(Object.prototype).join()).toBe(before);
  });
});

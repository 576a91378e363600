import { describe, expect, it } from "vitest";
import type { StructShape } from "../../../src/formats/capnp-verifier/index.ts";
import { framed, listPointer, NODE, nodeWords, problem, SIZE, structPointer } from "./words.ts";

describe("limits of verifyCapnp", () => {
  /** Structs in a row, each in the field `next` of the one before. */
  const chain = (length: number): Uint8Array =>
    framed([
      structPointer(0, 0, 3),
      ...Array.from({ length }, (_, i) => [0n, 0n, i === length - 1 ? 0n : structPointer(0, 0, 3)]).flat(),
    ]);
  /** A list of one struct in a list of one struct, and so on. */
  const nested = (length: number): Uint8Array =>
    framed([
      structPointer(0, 0, 6),
      ...Array.from({ length }, () => [
        0n,
        0n,
        0n,
        0n,
        0n,
        listPointer(0, SIZE.structs, 6),
        structPointer(1, 0, 6),
      ]).flat(),
      ...Array<bigint>(6).fill(0n),
    ]);

  it.each([
    ["structs", chain(64), chain(65)],
    ["lists and their elements", nested(31), nested(32)],
  ])("follows 64 pointers to %s one inside another", (_, deepest, deeper) => {
    expect(problem(deepest)).toBeUndefined();
    expect(problem(deeper)).toMatch(/^limit capnp at (next|children).*: nested deeper than 64 pointers$/);
  });

  it("takes other limits", () => {
    expect(problem(chain(3), NODE, { nesting: 2 })).toContain("nested deeper than 2 pointers");
    expect(problem(framed([0n], [0n]), NODE, { segments: 1 })).toContain("2 segments, expected at most 1");
    expect(problem(framed(nodeWords()), NODE, { traversalWords: 19 })).toBeUndefined();
    expect(problem(framed(nodeWords()), NODE, { traversalWords: 18 })).toContain("limit capnp at words[0]");
  });

  it("stops where pointers go in a circle", () => {
    expect(problem(framed([structPointer(0, 0, 3), 0n, 0n, structPointer(-3, 0, 3)]))).toContain(
      "nested deeper than 64 pointers",
    );
  });

  it("stops where many pointers lead to the same object", () => {
    // Each struct has two pointers to the next one: 2^62 paths.
    const pair: StructShape & { pointers: StructShape["pointers"] } = {
      dataWords: 0,
      data: [],
      pointers: [],
    };
    const target = { kind: "struct", shape: pair } as const;
    Object.assign(pair, { pointers: ["a", "b"].map((name) => ({ name, required: false, target })) });
    const words = Array.from({ length: 62 }, () => [structPointer(1, 0, 2), structPointer(0, 0, 2)]).flat();
    const bytes = framed([structPointer(0, 0, 2), ...words, 0n, 0n]);
    expect(problem(bytes, pair)).toContain("more words to visit than the limit allows");
    expect(problem(bytes, pair, { heapBytes: 2 ** 20 })).toContain(
      "becomes a value larger than the limit allows",
    );
  });

  it("counts an element without content as a word", () => {
    const empty: StructShape = { dataWords: 0, data: [], pointers: [] };
    const shape: StructShape = {
      dataWords: 0,
      data: [],
      pointers: [
        {
          name: "list",
          required: false,
          target: { kind: "list", element: { kind: "struct", shape: empty } },
        },
      ],
    };
    const message = (count: number, more = 0): Uint8Array =>
      framed([
        ...[structPointer(0, 0, 1), listPointer(0, SIZE.structs, 0), structPointer(count, 0, 0)],
        ...Array<bigint>(more).fill(0n),
      ]);
    expect(problem(message(1_000_000), shape)).toBeUndefined();
    expect(problem(message(2 ** 20 + 1000), shape)).toContain("more words to visit than the limit allows");
    expect(problem(message(2 ** 20 + 1000, 125), shape)).toBeUndefined();
    expect(problem(message(2 ** 20 + 16_000, 125), shape)).toContain(
      "more words to visit than the limit allows",
    );
    expect(problem(message(8 * 2 ** 20), shape)).toContain("more words to visit than the limit allows");
    expect(problem(message(2 ** 29), shape)).toContain("more words to visit than the limit allows");
    expect(problem(message(1_000_000), shape, { heapBytes: 2 ** 24 })).toContain(
      "becomes a value larger than the limit allows",
    );
  });

  it.each([
    ["bools", "bools", listPointer(0, SIZE.bits, 640), 640 * 8],
    ["enums", "kinds", listPointer(0, SIZE.twoBytes, 40), 40 * 8],
  ])("estimates the heap of %s before it looks at them", (_, name, pointer, bytes) => {
    const index = NODE.pointers.findIndex((field) => field.name === name);
    const pointers = Array.from({ length: index }, () => 0n);
    const message = framed([
      structPointer(0, 0, index + 1),
      ...pointers,
      pointer,
      ...Array<bigint>(10).fill(0n),
    ]);
    const limit = [...Array(100).keys()]
      .map((i) => i * 100)
      .find((heapBytes) => problem(message, NODE, { heapBytes }) === undefined);
    expect(limit).toBeGreaterThanOrEqual(bytes);
    expect(limit).toBeLessThan(bytes + 1000);
  });
});

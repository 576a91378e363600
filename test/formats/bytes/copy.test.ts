import { expect, it } from "vitest";
import { allocateShared, allocateUnfilled, copyShared } from "../../../src/formats/bytes/copy.ts";

it("shared memory is given out once, zero and aligned", () => {
  const sizes = [0, 1, 6, 8, 100, 4095, 4096, 5000];
  const all = Array.from({ length: 200 }, (_, i) => allocateShared(sizes[i % sizes.length]!));
  all.forEach((one, i) => {
    expect(one.length).toBe(sizes[i % sizes.length]);
    expect(one.byteOffset % 8).toBe(0);
    expect(one.every((byte) => byte === 0)).toBe(true);
    one.fill(1 + (i % 255));
  });
  all.forEach((one, i) => {
    expect(one.every((byte) => byte === 1 + (i % 255))).toBe(true);
  });
});

it("shared memory is given out once, also where it may hold anything, and zero beside that", () => {
  const sizes = [6, 300, 4095, 5000];
  const all = Array.from({ length: 200 }, (_, i) => {
    const size = sizes[i % sizes.length]!;
    const one = i % 3 === 0 ? allocateShared(size) : allocateUnfilled(size);
    if (i % 3 === 0) expect(one.every((byte) => byte === 0)).toBe(true);
    expect(one.length).toBe(size);
    return one.fill(1 + i);
  });
  all.forEach((one, i) => {
    expect(one.every((byte) => byte === 1 + i)).toBe(true);
  });
});

it("a copy is plain bytes of its own", () => {
  const source = Buffer.from("0123456789".repeat(10));
  for (const [start, end] of [
    [0, 0],
    [3, 10],
    [10, 100],
  ] as const) {
    const copy = copyShared(source, start, end);
    expect(copy.constructor).toBe(Uint8Array);
    expect(Buffer.from(copy)).toEqual(source.subarray(start, end));
  }
});

it("memory that was transferred is given out no more", () => {
  const one = allocateShared(8);
  structuredClone(one.buffer, { transfer: [one.buffer as ArrayBuffer] });
  expect(allocateShared(8)).toEqual(new Uint8Array(8));
});

/** What holds for the regions of every message. */
import { expect } from "vitest";
import type { Anatomy } from "../../../src/model/region-table.ts";
import { isRecord, type Value, walk } from "../../../src/model/value.ts";

/**
 * Regions tile the message, and hold every leaf of the value once, or name it as a default.
 * @param untyped whether a library may read an integer as a number or a bigint
 */
export function expectWhole(bytes: Uint8Array, anatomy: Anatomy, value: Value, untyped = false): void {
  expectTiles(bytes, anatomy);
  expect(anatomy.problem).toBeUndefined();
  const typed = (lines: readonly string[]): readonly string[] =>
    untyped ? lines.map((text) => text.replace(/ (number|bigint)$/, "")) : lines;
  expect(typed(leavesOf(anatomy))).toEqual(typed(expectedLeaves(value)));
}

/** Regions have no gap and no overlap, and together are the bytes. */
export function expectTiles(bytes: Uint8Array, { regions }: Anatomy): void {
  let end = 0;
  const parts: Uint8Array[] = [];
  for (const { offset, length } of regions) {
    if (offset !== end || length < 1) expect({ offset, length }).toEqual({ offset: end, length: "some" });
    parts.push(bytes.subarray(offset, offset + length));
    end = offset + length;
  }
  expect(end).toBe(bytes.length);
  expect(Buffer.concat(parts).equals(bytes)).toBe(true);
}

function leavesOf({ regions, defaults }: Anatomy): string[] {
  const all = [...regions];
  const held = all.filter(({ leaf }) => leaf === true).map(({ place, value }) => line(place.path, value));
  const bits = all.flatMap((region) => region.bits ?? []).filter(({ leaf }) => leaf);
  for (const { place, value } of bits) held.push(line(place.path, value));
  return [...held, ...defaults.map(({ place, value }) => line(place.path, value))].sort();
}

function expectedLeaves(root: Value): string[] {
  const found: string[] = [];
  walk(root, (value, path) => {
    if (!Array.isArray(value) && !isRecord(value)) found.push(line(path(), value));
  });
  return found.sort();
}

function line(path: string, value: unknown): string {
  if (value instanceof Uint8Array) return `${path} = ${Buffer.from(value).toString("hex")} bytes`;
  const text =
    typeof value === "string" ? JSON.stringify(value) : Object.is(value, -0) ? "-0" : String(value);
  return `${path} = ${text} ${typeof value}`;
}

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type UnpackLimits, unpackCapnp } from "../../../src/formats/capnp-verifier/index.ts";
import { DecodeError } from "../../../src/model/errors.ts";

/** Packed bytes of the segment table of one segment. */
const table = (words: number): number[] => (words < 256 ? [0x10, words] : [0x30, words & 0xff, words >>> 8]);

function problem(packed: readonly number[], limits: UnpackLimits = {}): string | undefined {
  try {
    unpackCapnp(Uint8Array.from(packed), limits);
    return undefined;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return `${error.code} ${error.message}`;
  }
}

describe("unpackCapnp", () => {
  it.each(["tellist", "tellist-segments"])("unpacks what capnp packed: %s", (name) => {
    const read = (ending: string): Buffer =>
      readFileSync(path.join(import.meta.dirname, "../../vectors/capnp", `${name}.${ending}`));
    expect(Buffer.from(unpackCapnp(read("packed"))).equals(read("bin"))).toBe(true);
  });

  it.each<[string, number[], string]>([
    ["single bytes of a word", [...table(1), 0x81, 1, 2], "0100000000000002"],
    ["one zero word", [...table(1), 0x00, 0], "00".repeat(8)],
    ["a run of zero words", [...table(3), 0x00, 2], "00".repeat(24)],
    ["the longest run of zero words", [...table(257), 0x00, 255, 0x00, 0], "00".repeat(257 * 8)],
    ["a full word", [...table(1), 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 0], "0102030405060708"],
    [
      "a run of words as they are",
      [...table(2), 0xff, ...Array<number>(8).fill(1), 1, ...Array<number>(8).fill(0)],
      `${"01".repeat(8)}${"00".repeat(8)}`,
    ],
  ])("unpacks %s", (_, packed, hex) => {
    expect(
      Buffer.from(unpackCapnp(Uint8Array.from(packed)))
        .toString("hex")
        .slice(16),
    ).toBe(hex);
  });

  it.each<[string, number[], string]>([
    ["nothing at all", [], "truncated capnp at byte 0: packed message ends early"],
    [
      "a tag without its bytes",
      [...table(1), 0x03, 1],
      "truncated capnp at byte 4: packed message ends early",
    ],
    [
      "a zero word without the count of its run",
      [...table(1), 0x00],
      "truncated capnp at byte 3: packed message ends early",
    ],
    [
      "a run of words that is cut off",
      [...table(3), 0xff, 1, 1, 1, 1, 1, 1, 1, 1, 2, 7],
      "truncated capnp at byte 13: packed message ends early",
    ],
    ["a segment that is missing", table(1), "truncated capnp at byte 2: packed message ends early"],
    [
      "a message that its bytes cannot stand for",
      table(1000),
      "truncated capnp at byte 3: packed message ends early",
    ],
    [
      "a run of zero words beyond its segment",
      [...table(2), 0x00, 2],
      "corrupt capnp at byte 2: packed run goes beyond its segment",
    ],
    [
      "a run of words beyond their segment",
      [...table(1), 0xff, 1, 1, 1, 1, 1, 1, 1, 1, 1, 7, 7, 7, 7, 7, 7, 7, 7],
      "corrupt capnp at byte 2: packed run goes beyond its segment",
    ],
    [
      "a run from the table into a segment",
      [0x01, 1, 0x00, 1],
      "corrupt capnp at byte 2: packed run goes beyond its segment",
    ],
    [
      "bytes after the message",
      [...table(1), 0x00, 0, 7],
      "corrupt capnp at byte 4: 1 byte after the end of the message",
    ],
    ["512 segments", [0x03, 0xff, 0x01], "limit capnp at byte 0: 512 segments, expected at most 511"],
  ])("refuses %s", (_, packed, expected) => {
    expect(problem(packed)).toBe(expected);
  });

  it("unpacks to 64 MiB and no more", () => {
    const message = (words: number): number[] => {
      const runs = Array.from({ length: Math.ceil(words / 256) }, (_, i) => [
        0,
        Math.min(255, words - 256 * i - 1),
      ]);
      return [0xf0, words & 0xff, (words >>> 8) & 0xff, (words >>> 16) & 0xff, words >>> 24, ...runs.flat()];
    };
    const words = 8 * 2 ** 20;
    expect(problem(message(words - 1))).toBeUndefined();
    expect(problem(message(words))).toBe("limit capnp: unpacks to 67108872 bytes, expected at most 67108864");
    expect(problem(message(100), { unpackedBytes: 807 })).toContain("expected at most 807");
    expect(problem(message(100), { unpackedBytes: 808 })).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { indexOf, SLOTS, slotOf, TextCache } from "../../../src/formats/bytes/text-cache.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { SEED } from "../../seed.ts";

/** Reads a text with as many bytes after it: the cache reads whole words where there are enough. */
function read(cache: TextCache, text: string | Buffer, after = 3): string | undefined {
  const body = typeof text === "string" ? Buffer.from(text) : text;
  const bytes = Buffer.concat([Buffer.from("?"), body, Buffer.alloc(after, "?")]);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return cache.read(bytes, view, 1, 1 + body.length);
}

describe("TextCache", () => {
  it("reads every name, known or not, whichever shared its place", () => {
    const cache = new TextCache();
    const random = seededRandom(SEED);
    for (let i = 0; i < 20_000; i++) {
      const length = Math.floor(random() * 40);
      const text = Array.from({ length }, () => "ab花\u{1f600}"[Math.floor(random() * 3)]).join("");
      expect(read(cache, text, i % 5)).toBe(text);
    }
    expect(read(cache, "")).toBe("");
  });

  it("tells names of one length that differ in any byte", () => {
    const cache = new TextCache();
    for (const text of ["aaaa", "aaab", "baaa", "abaa", "aaaa"]) expect(read(cache, text)).toBe(text);
    for (const text of ["x".repeat(32), "x".repeat(33), `${"x".repeat(31)}y`]) {
      expect(read(cache, text)).toBe(text);
      expect(read(cache, text)).toBe(text);
    }
  });

  it("knows no name that is not UTF-8", () => {
    const cache = new TextCache();
    for (let i = 0; i < 2; i++) expect(read(cache, Buffer.from([0xff]))).toBeUndefined();
    expect(read(cache, "\ufffd")).toBe("\ufffd");
    expect(read(cache, Buffer.from([0xc0, 0xaf]))).toBeUndefined();
    expect(read(cache, "\ufeffa")).toBe("\ufeffa");
  });

  it("gives texts of one slot one label, and none to what has no slot", () => {
    const cache = new TextCache();
    const labelOf = (text: string, after?: number): number => {
      read(cache, text, after);
      return cache.label;
    };
    for (const text of ["n", "na", "nam", "name", "names", "x".repeat(32)]) {
      for (let after = 0; after < 4; after++) expect(labelOf(text, after)).toBe(labelOf(text));
      expect(labelOf(text)).toBeGreaterThanOrEqual(0);
    }
    expect(slotOf(labelOf("name"))).toBeLessThan(SLOTS);
    expect([labelOf("x".repeat(33)), labelOf(""), labelOf("__proto__")]).toEqual([-1, -1, -1]);
    expect(["0", "9", "15", "16", "07", "name"].map((text) => indexOf(labelOf(text)))).toEqual([
      0, 9, 15, -1, -1, -1,
    ]);
  });

  it("gives a key back as the name of a property, then and later", () => {
    const cache = new TextCache();
    read(cache, "longer than one word");
    expect(cache.keepAsKey(cache.label, "longer than one word")).toBe("longer than one word");
    expect(read(cache, "longer than one word")).toBe("longer than one word");
  });
});

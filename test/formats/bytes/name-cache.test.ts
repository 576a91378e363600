import { describe, expect, it } from "vitest";
import { NameCache } from "../../../src/formats/bytes/name-cache.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { SEED } from "../../seed.ts";

const read = (cache: NameCache, text: string | Buffer): string | undefined => {
  const bytes = Buffer.concat([
    Buffer.from("?"),
    typeof text === "string" ? Buffer.from(text) : text,
    Buffer.from("?"),
  ]);
  return cache.read(bytes, 1, bytes.length - 1);
};

describe("NameCache", () => {
  it("reads every name, known or not, whichever shared its place", () => {
    const cache = new NameCache();
    const random = seededRandom(SEED);
    for (let i = 0; i < 20_000; i++) {
      const length = Math.floor(random() * 40);
      const text = Array.from({ length }, () => "ab花\u{1f600}"[Math.floor(random() * 3)]).join("");
      expect(read(cache, text)).toBe(text);
    }
    expect(read(cache, "")).toBe("");
  });

  it("tells names of one length that differ in any byte", () => {
    const cache = new NameCache();
    for (const text of ["aaaa", "aaab", "baaa", "abaa", "aaaa"]) expect(read(cache, text)).toBe(text);
    for (const text of ["x".repeat(32), "x".repeat(33), `${"x".repeat(31)}y`]) {
      expect(read(cache, text)).toBe(text);
      expect(read(cache, text)).toBe(text);
    }
  });

  it("knows no name that is not UTF-8", () => {
    const cache = new NameCache();
    for (let i = 0; i < 2; i++) expect(read(cache, Buffer.from([0xff]))).toBeUndefined();
    expect(read(cache, "\ufffd")).toBe("\ufffd");
    expect(read(cache, Buffer.from([0xc0, 0xaf]))).toBeUndefined();
    expect(read(cache, "\ufeffa")).toBe("\ufeffa");
  });
});

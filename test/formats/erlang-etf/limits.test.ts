/** Each limit, at it and one beyond. */
import { deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  binaryToTerm,
  type DecodeOptions,
  Tuple,
  termToBinary,
} from "../../../src/formats/erlang-etf/index.ts";
import { DecodeError, UsageError, ValueError } from "../../../src/model/errors.ts";
import { seededRandom } from "../../../src/model/random.ts";

function codeOf(bytes: Uint8Array, options?: DecodeOptions): string {
  try {
    binaryToTerm(bytes, options);
    return "read";
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return (error as DecodeError).code;
  }
}

function nested(levels: number, head: string, end = "6a", rest = ""): Buffer {
  return Buffer.from(`83${head.repeat(levels)}${end}${rest.repeat(levels)}`, "hex");
}

/** A compressed term, with the size that it is said to have. */
function compressed(term: Uint8Array, size = term.length, stream: Uint8Array = deflateSync(term)): Buffer {
  const head = Buffer.from([131, 80, 0, 0, 0, 0]);
  head.writeUInt32BE(size, 2);
  return Buffer.concat([head, stream]);
}

describe("limits of reading", () => {
  it.each([
    ["tuples", "6801", ""],
    ["lists", "6c00000001", "6a"],
    ["maps, by their values", "740000000161016801", ""],
    ["maps, by their keys", "7400000001", "6101"],
  ])("takes 100 levels of %s, and no more", (_, head, rest) => {
    const options = { maps: "Map" } as const;
    const levels = head.includes("6801") && head.length > 4 ? 50 : 100;
    expect(codeOf(nested(levels, head, "6a", rest), options)).toBe("read");
    expect(codeOf(nested(levels + 1, head, "6a", rest), options)).toBe("limit");
    expect(codeOf(nested(200_000, head, "6a", rest), options)).toBe("limit");
    expect(codeOf(nested(200_000, head, "6a", rest), { ...options, maxDepth: 512 })).toBe("limit");
    expect(codeOf(nested(200_000, head, "6a", rest), { terms: "typed" })).toBe("limit");
  });

  it("takes a depth that is asked for", () => {
    expect(codeOf(nested(512, "6801"), { maxDepth: 512 })).toBe("read");
    expect(codeOf(nested(3, "6801"), { maxDepth: 2 })).toBe("limit");
  });

  it("takes 64 MiB, or as many bytes as are asked for", () => {
    const bytes = termToBinary("x".repeat(100));
    expect(codeOf(bytes, { maxBytes: bytes.length })).toBe("read");
    expect(codeOf(bytes, { maxBytes: bytes.length - 1 })).toBe("limit");
    const large = Buffer.alloc(2 ** 26 + 1, 97);
    large.set([131, 109, 3, 255, 255, 250]);
    expect(codeOf(large.subarray(0, 2 ** 26))).toBe("read");
    expect(codeOf(large)).toBe("limit");
  });

  it("takes 1,000,000 items, or as many as are asked for, in all", () => {
    const list = (count: number): Buffer => {
      const bytes = Buffer.alloc(count + 7, 106);
      bytes[0] = 131;
      bytes[1] = 108;
      bytes.writeUInt32BE(count, 2);
      return bytes;
    };
    expect(codeOf(list(1_000_000))).toBe("read");
    expect(codeOf(list(1_000_001))).toBe("limit");
    const mixed = termToBinary([[1, 2, 3], new Tuple(["a"]), { a: 1 }]);
    expect(codeOf(mixed, { maxItems: 3 + 3 + 1 + 2 })).toBe("read");
    expect(codeOf(mixed, { maxItems: 3 + 3 + 1 + 1 })).toBe("limit");
  });

  it("takes integers of 1,024 bytes, or as many as are asked for", () => {
    const most = 2n ** 8192n - 1n;
    expect(binaryToTerm(termToBinary(-most))).toBe(-most);
    expect(codeOf(termToBinary(most + 1n))).toBe("limit");
    expect(codeOf(termToBinary(most + 1n), { maxIntegerBytes: 1025 })).toBe("read");
  });

  it("takes atoms of 255 characters", () => {
    const atom = (count: number): Buffer =>
      Buffer.concat([
        Buffer.of(131, 118, (count * 4) >> 8, (count * 4) & 255),
        Buffer.from("😀".repeat(count)),
      ]);
    expect(codeOf(atom(255))).toBe("read");
    expect(codeOf(atom(256))).toBe("limit");
  });

  it("takes compressed terms of 16 MiB, or as many bytes as are asked for", () => {
    const random = seededRandom(1);
    const letters = Buffer.alloc(2 ** 20).map(() => 97 + Math.floor(random() * 16));
    const text = (size: number): Buffer => {
      const term = Buffer.alloc(size, letters);
      term[0] = 109;
      term.writeUInt32BE(size - 5, 1);
      return compressed(term);
    };
    expect(codeOf(text(2 ** 24))).toBe("read");
    expect(codeOf(text(2 ** 24 + 1))).toBe("limit");
    expect(codeOf(text(2 ** 24 + 1), { maxInflatedBytes: 2 ** 24 + 1 })).toBe("read");
    expect(codeOf(text(1000), { maxInflatedBytes: 999 })).toBe("limit");
  });

  it("takes what is in a compressed term, as far as its memory goes", () => {
    const list = (count: number): Buffer => {
      const term = Buffer.alloc(count + 6, 106);
      term[0] = 108;
      term.writeUInt32BE(count, 1);
      return compressed(term);
    };
    expect(codeOf(list(200_000))).toBe("read");
    expect(codeOf(list(300_000))).toBe("limit");
    expect(codeOf(list(300_000), { maxInflatedBytes: 2 ** 25 })).toBe("read");
    expect(codeOf(list(100_000), { terms: "typed" })).toBe("limit");
    const text = (letters: number): Uint8Array => termToBinary("x".repeat(letters), { compressed: 6 });
    expect(codeOf(text(8_388_000))).toBe("read");
    expect(codeOf(text(9_000_000))).toBe("limit");
    expect(codeOf(text(9_000_000), { maxInflatedBytes: 2 ** 25 })).toBe("read");
    const beyond = termToBinary("é".repeat(3_000_000), { compressed: 6 });
    expect(codeOf(beyond)).toBe("limit");
  });

  it("takes flat lists of integers that were compressed, in either view", () => {
    const list = (count: number): Uint8Array => termToBinary(Array(count).fill(1000), { compressed: 6 });
    expect(binaryToTerm(list(300_000))).toEqual(Array(300_000).fill(1000));
    expect(codeOf(list(372_000))).toBe("read");
    expect(codeOf(list(400_000))).toBe("limit");
    expect(codeOf(list(70_000), { terms: "typed" })).toBe("read");
    const tuples = (count: number): Uint8Array =>
      termToBinary(Array(count).fill(new Tuple([1])), { compressed: 6 });
    expect(codeOf(tuples(43_000))).toBe("read");
    expect(codeOf(tuples(44_000))).toBe("limit");
  });

  it.each([
    [{ terms: "Typed" }, 'terms: unknown, expected "plain" or "typed", got "Typed"'],
    [{ maps: "map" }, "maps: unknown"],
    [{ binaries: 1 }, "binaries: unknown"],
    [{ funs: true }, "funs: unknown"],
    [{ maxItems: Symbol("x") }, "maxItems: out of range"],
    [null, "options: expected an object, got null"],
    [
      {
        get terms() {
          throw new TypeError("mine");
        },
      },
      "options: cannot be read",
    ],
  ])("refuses options that make no sense, %#", (options, problem) => {
    const read = (): unknown => binaryToTerm(Buffer.of(131, 106), options as DecodeOptions);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(problem);
  });

  const term = termToBinary("some text".repeat(20)).subarray(1);
  it.each([
    ["said to be one byte longer", compressed(term, term.length + 1), "corrupt"],
    ["said to be one byte shorter", compressed(term, term.length - 1), "corrupt"],
    ["said to be empty", compressed(term, 0), "corrupt"],
    ["said to be 4 GiB", compressed(term, 2 ** 32 - 1), "limit"],
    ["said to be more than its bytes can hold", compressed(term, 2 ** 24), "corrupt"],
    ["whose stream is cut", compressed(term).subarray(0, -5), "truncated"],
    ["without a stream", compressed(term).subarray(0, 6), "truncated"],
    ["without a size", compressed(term).subarray(0, 4), "truncated"],
    ["followed by a byte", Buffer.concat([compressed(term), Buffer.of(0)]), "corrupt"],
    ["followed by itself", Buffer.concat([compressed(term), compressed(term)]), "corrupt"],
    ["whose stream is no zlib", compressed(term, term.length, Buffer.alloc(60, 7)), "corrupt"],
    ["whose term is followed by a byte", compressed(Buffer.concat([term, Buffer.of(0)])), "corrupt"],
    ["within a compressed term", compressed(compressed(term).subarray(1)), "unsupported"],
    ["with a version within", compressed(Buffer.concat([Buffer.of(131), term])), "corrupt"],
  ])("refuses a compressed term %s", (_, bytes, code) => {
    expect(codeOf(bytes)).toBe(code);
  });
});

describe("limits of writing", () => {
  it("takes 100 levels, or as many as are asked for, and no cycle", () => {
    const levels = (count: number): unknown => {
      let value: unknown = 1;
      for (let i = 0; i < count; i++) value = i % 2 === 0 ? [value] : { a: value };
      return value;
    };
    expect(termToBinary(levels(100)).length).toBeGreaterThan(100);
    expect(() => termToBinary(levels(101))).toThrow(ValueError);
    expect(termToBinary(levels(512), { maxDepth: 512 }).length).toBeGreaterThan(512);
    const cycle: unknown[] = [];
    cycle.push({ again: new Map([["key", new Tuple([cycle])]]) });
    expect(() => termToBinary(cycle)).toThrow(/nested deeper than 100 levels/);
    expect(() => termToBinary(cycle, { maxDepth: 512 })).toThrow(/nested deeper than 512 levels/);
  });

  it("takes 64 MiB, also of what is little in memory", () => {
    expect(() => termToBinary("x".repeat(2 ** 26 + 1))).toThrow(/more than 67108864 bytes/);
    let many: unknown = ["x".repeat(1000)];
    for (let i = 0; i < 40; i++) many = [many, many];
    expect(() => termToBinary(many, { maxBytes: 100_000 })).toThrow(/more than 100000 bytes/);
  });
});

/** Bytes that Erlang/OTP 25 made: see test/vectors/erlang-etf. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import tellist from "../../../src/datasets/tellist.ts";
import {
  Atom,
  BitBinary,
  binaryToTerm,
  type EncodeOptions,
  Float,
  ImproperList,
  Tuple,
  termToBinary,
} from "../../../src/formats/erlang-etf/index.ts";
import { OLD_FORMS } from "./old-forms.ts";

const file = path.join(import.meta.dirname, "../../vectors/erlang-etf/terms.tsv");
const vectors = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => {
    const [options = "", term = "", hex = ""] = line.split("\t");
    const option = (name: string): number | undefined => {
      const found = options.match(new RegExp(`${name},(\\d)`))?.[1];
      return found === undefined ? undefined : Number(found);
    };
    const minorVersion = option("minor_version") as EncodeOptions["minorVersion"];
    return { options, minorVersion, compressed: option("compressed"), term, bytes: Buffer.from(hex, "hex") };
  });

const TYPED = { terms: "typed", funs: "inert" } as const;

describe("bytes of Erlang's term_to_binary", () => {
  it.each(vectors.filter(({ compressed }) => compressed === undefined))(
    "$term, $options: comes back byte for byte",
    ({ bytes, minorVersion }) => {
      const options = minorVersion === undefined ? {} : { minorVersion };
      expect(Buffer.from(termToBinary(binaryToTerm(bytes, TYPED), options)).toString("hex")).toBe(
        bytes.toString("hex"),
      );
    },
  );

  it.each(vectors.filter(({ compressed }) => compressed !== undefined))(
    "$term, $options: is read, and compressed where Erlang compresses it",
    ({ bytes, compressed, term }) => {
      const plain = vectors.find((one) => one.term === term && one.options === "[]")?.bytes;
      const value = binaryToTerm(bytes, TYPED);
      if (plain !== undefined) expect(Buffer.compare(termToBinary(value), plain)).toBe(0);
      const ours = termToBinary(value, { compressed: compressed! });
      expect(ours[1] === 80).toBe(bytes[1] === 80);
      expect(binaryToTerm(ours, TYPED)).toEqual(value);
    },
  );

  it.each(OLD_FORMS)("$name: is read, and written in today's form", ({ bytes, canonical }) => {
    expect(Buffer.from(termToBinary(binaryToTerm(bytes, TYPED))).toString("hex")).toBe(
      canonical.toString("hex"),
    );
  });
});

function bytesOf(term: string): Buffer {
  return vectors.find((vector) => vector.term === term && vector.options === "[]")!.bytes;
}

const VALUES: readonly (readonly [term: string, value: unknown])[] = [
  ["0", 0],
  ["-2147483649", -2147483649],
  ["9007199254740991", 9007199254740991],
  ["9007199254740992", 9007199254740992n],
  ["-9007199254740992", -9007199254740992n],
  ["1 bsl 2040 - 1", (1n << 2040n) - 1n],
  ["-(1 bsl 4000)", -(1n << 4000n)],
  ["-0.0", -0],
  ["0.1", 0.1],
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", new Atom("undefined")],
  ["'\\x{65e5}\\x{672c}'", new Atom("日本")],
  ["<<>>", ""],
  ['<<"\\x{65e5}"/utf8>>', "日"],
  ["<<5:3>>", new BitBinary(Uint8Array.of(0xa0), 3)],
  ["[]", []],
  ['"abc"', [97, 98, 99]],
  ["[1,2,a]", [1, 2, new Atom("a")]],
  ["[1,2|3]", new ImproperList([1, 2], 3)],
  ["{ok, {1, 2}}", new Tuple([new Atom("ok"), new Tuple([1, 2])])],
  ['#{<<"b">> => 1, <<"a">> => 2, <<"ab">> => 3, <<>> => 4}', { "": 4, a: 2, ab: 3, b: 1 }],
];

describe("the default mapping", () => {
  it.each(VALUES)("%s", (term, value) => {
    expect(binaryToTerm(bytesOf(term))).toStrictEqual(value);
    expect(Buffer.compare(termToBinary(value), bytesOf(term))).toBe(0);
  });

  it("has the address book in 2971 bytes", () => {
    const book = vectors.filter(({ term }) => term.includes("phone_num"));
    const bytes = termToBinary(tellist.make(37, 0));
    expect(bytes.length).toBe(2971);
    expect(Buffer.compare(bytes, book[0]!.bytes)).toBe(0);
  });

  it("takes a float that is whole for the integer, which the typed view does not", () => {
    expect(binaryToTerm(bytesOf("1.0"))).toBe(1);
    expect(binaryToTerm(bytesOf("1.0"), TYPED)).toStrictEqual(new Float(1));
  });
});

import { describe, expect, it } from "vitest";
import type { StructShape } from "../../../src/formats/capnp-verifier/index.ts";
import {
  farPointer,
  framed,
  listPointer,
  NODE,
  nodeData,
  nodeWords,
  problem,
  SIZE,
  structPointer,
  textWord,
  word,
} from "./words.ts";

/** The valid message with some words replaced, and others put at its end. */
function patched(changes: Readonly<Record<number, bigint>>, ...more: bigint[]): Uint8Array {
  const words = nodeWords();
  for (const [index, value] of Object.entries(changes)) words[Number(index)] = value;
  return framed([...words, ...more]);
}

/** Byte of a word in a message of one segment. */
const at = (index: number): string => `at byte ${8 + 8 * index}`;

describe("verifyCapnp", () => {
  it.each<[string, Uint8Array]>([
    ["with something in every field", framed(nodeWords())],
    ["with a null root", framed([0n])],
    ["whose root has no sections", framed([word(0xffff_fffc, 0)])],
    ["whose root has only data", framed([structPointer(0, 1, 0), nodeData(1, 2, 1)])],
    [
      "whose root is larger, with zeros in what is unknown",
      framed([structPointer(0, 2, 8), ...Array<bigint>(10).fill(0n)]),
    ],
    [
      "with empty text, data and lists",
      patched({
        2: listPointer(6, SIZE.bytes, 1),
        3: listPointer(6, SIZE.bytes, 0),
        9: 0n,
        5: listPointer(6, SIZE.bits, 0),
      }),
    ],
    ["with a NUL within text", patched({ 9: textWord("\0x") })],
    ["with padding that is not zero", patched({ 9: textWord("hi\0zzzzz"), 12: 0xffn })],
    ["with words that no pointer leads to", patched({}, 0xffff_ffffn)],
    ["with null in a list of text", patched({ 17: 0n })],
    [
      "with an object behind a far pointer",
      framed([farPointer(1, 1)], [nodeData(1, 2, 1), structPointer(-2, 1, 0)]),
    ],
    [
      "with an object behind a double-far pointer",
      framed([farPointer(1, 0, true)], [farPointer(2, 1), structPointer(0, 1, 0)], [0n, nodeData(1, 2, 1)]),
    ],
    [
      "with a list of structs behind a double-far pointer",
      framed(
        [structPointer(0, 0, 7), 0n, 0n, 0n, 0n, 0n, farPointer(1, 0, true), 0n],
        [farPointer(2, 0), listPointer(0, SIZE.structs, 1)],
        [structPointer(1, 1, 0), nodeData(1, 2, 1)],
      ),
    ],
    [
      "with a list of structs that are shorter and of ones that are longer",
      patched({ 7: listPointer(11, SIZE.structs, 3) }, structPointer(1, 2, 1), 0n, 0n, 0n),
    ],
  ])("accepts a message %s", (_, bytes) => {
    expect(problem(bytes)).toBeUndefined();
  });

  it.each<[string, Uint8Array, string]>([
    [
      "no segment table",
      new Uint8Array(7),
      "truncated capnp at byte 7: message ends early, expected 8 bytes, got 7",
    ],
    [
      "a cut segment table",
      framed([0n], [0n]).slice(0, 8),
      "truncated capnp at byte 8: message ends early, expected 16 bytes, got 8",
    ],
    [
      "a cut segment",
      framed(nodeWords()).slice(0, -1),
      "truncated capnp at byte 159: message ends early, expected 160 bytes, got 159",
    ],
    [
      "bytes after the message",
      Buffer.concat([framed([0n]), Buffer.from([1])]),
      "corrupt capnp at byte 16: 1 byte after the end of the message",
    ],
    [
      "512 segments",
      framed(...Array<bigint[]>(512).fill([0n])),
      "limit capnp at byte 0: 512 segments, expected at most 511",
    ],
    [
      "2^32 segments",
      Buffer.from("ffffffff00000000", "hex"),
      "limit capnp at byte 0: 4294967296 segments, expected at most 511",
    ],
    ["no root pointer", Buffer.alloc(8), "corrupt capnp at byte 4: segment 0 is empty"],
    ["an empty segment", framed([0n], []), "corrupt capnp at byte 8: segment 1 is empty"],
    [
      "a root that is a list",
      framed([listPointer(0, SIZE.bytes, 0)]),
      `corrupt capnp ${at(0)}: list, expected a struct`,
    ],
    [
      "a root that is a capability",
      framed([word(3, 0)]),
      `unsupported capnp ${at(0)}: capability, expected data`,
    ],
    [
      "a struct before its segment",
      patched({ 4: structPointer(-6, 1, 0) }),
      `corrupt capnp at next ${at(4)}: points outside its segment`,
    ],
    [
      "a struct beyond its segment",
      patched({ 4: structPointer(14, 1, 0) }),
      `corrupt capnp at next ${at(4)}: points outside its segment`,
    ],
    [
      "a struct that ends beyond its segment",
      patched({ 4: structPointer(13, 1, 1) }),
      `corrupt capnp at next ${at(4)}: points outside its segment`,
    ],
    [
      "a list beyond its segment",
      patched({ 3: listPointer(15, SIZE.bytes, 1) }),
      `corrupt capnp at photo ${at(3)}: points outside its segment`,
    ],
    [
      "a list that ends beyond its segment",
      patched({ 3: listPointer(14, SIZE.bytes, 9) }),
      `corrupt capnp at photo ${at(3)}: points outside its segment`,
    ],
    [
      "bits that end beyond their segment",
      patched({ 5: listPointer(12, SIZE.bits, 65) }),
      `corrupt capnp at bools ${at(5)}: points outside its segment`,
    ],
    [
      "structs that end beyond their segment",
      patched({ 7: listPointer(6, SIZE.structs, 5) }),
      `corrupt capnp at children ${at(7)}: points outside its segment`,
    ],
    [
      "a tag beyond its segment",
      patched({ 7: listPointer(11, SIZE.structs, 0) }),
      `corrupt capnp at children ${at(7)}: points outside its segment`,
    ],
    [
      "a tag that is no struct",
      patched({ 14: listPointer(1, 1, 1) }),
      `corrupt capnp at children ${at(14)}: tag of a list of structs is no struct`,
    ],
    [
      "more structs than their words hold",
      patched({ 14: structPointer(2, 1, 1) }),
      `corrupt capnp at children ${at(14)}: 2 structs of 2 words, expected 2 words in all`,
    ],
    [
      "fewer structs than their words hold",
      patched({ 14: structPointer(0, 1, 1) }),
      `corrupt capnp at children ${at(14)}: 0 structs of 2 words, expected 2 words in all`,
    ],
    [
      "text without NUL",
      patched({ 9: textWord("hix") }),
      "corrupt capnp at name at byte 83: text does not end with NUL",
    ],
    [
      "text of no bytes",
      patched({ 2: listPointer(6, SIZE.bytes, 0) }),
      "corrupt capnp at name at byte 80: text does not end with NUL",
    ],
    [
      "text that is not UTF-8",
      patched({ 9: 0x00_fffen }),
      "corrupt capnp at name at byte 80: text is not valid UTF-8",
    ],
    [
      "text that is UTF-8 of half a surrogate pair",
      patched({ 2: listPointer(6, SIZE.bytes, 4), 9: 0x80_a0edn }),
      "corrupt capnp at name at byte 80: text is not valid UTF-8",
    ],
    [
      "text whose list has other elements",
      patched({ 2: listPointer(6, SIZE.twoBytes, 1) }),
      `unsupported capnp at name ${at(2)}: list of 2 bytes, expected one of bytes`,
    ],
    [
      "text where a struct is",
      patched({ 2: structPointer(6, 1, 0) }),
      `corrupt capnp at name ${at(2)}: struct, expected a list`,
    ],
    [
      "bools in bytes",
      patched({ 5: listPointer(6, SIZE.bytes, 3) }),
      `unsupported capnp at bools ${at(5)}: list of bytes, expected one of bits`,
    ],
    [
      "structs where values are expected",
      patched({ 6: listPointer(7, SIZE.structs, 2) }),
      `unsupported capnp at kinds ${at(6)}: list of structs, expected one of 2 bytes`,
    ],
    [
      "values where structs are expected",
      patched({ 7: listPointer(6, SIZE.eightBytes, 2) }),
      `unsupported capnp at children ${at(7)}: list of 8 bytes, expected one of structs`,
    ],
    [
      "elements without size",
      patched({ 5: listPointer(6, SIZE.none, 3) }),
      `unsupported capnp at bools ${at(5)}: list of no bits, expected one of bits`,
    ],
    [
      "text in a list that is none",
      patched({ 18: textWord("xy") }),
      "corrupt capnp at words[0] at byte 154: text does not end with NUL",
    ],
    [
      "an enum without a name",
      patched({ 1: nodeData(5, 30, 3) }),
      "corrupt capnp at sex at byte 22: unknown enum value 3",
    ],
    [
      "such an enum in a list",
      patched({ 13: 0x0003_0001n }),
      "corrupt capnp at kinds[1] at byte 114: unknown enum value 3",
    ],
    [
      "a value that its flag denies",
      patched({ 1: word(5, 30) }),
      "corrupt capnp at age at byte 20: a value whose flag says that there is none",
    ],
    [
      "a bit between the fields",
      patched({ 1: nodeData(5, 30, 2) | (1n << 41n) }),
      "unsupported capnp at byte 20: data that the schema has no field for, it would be lost",
    ],
    [
      "a bit beyond the fields",
      framed([structPointer(0, 2, 0), 0n, 1n << 63n]),
      "unsupported capnp at byte 28: data that the schema has no field for, it would be lost",
    ],
    [
      "a bit beyond the fields of an element",
      patched({ 7: listPointer(11, SIZE.structs, 2) }, structPointer(1, 2, 0), 0n, 1n),
      `unsupported capnp at children[0] ${at(21)}: data that the schema has no field for, it would be lost`,
    ],
    [
      "a pointer beyond the fields",
      framed([structPointer(0, 0, 8), ...Array<bigint>(7).fill(0n), word(0xffff_fffc, 0)]),
      `unsupported capnp ${at(8)}: pointer that the schema has no field for, its target would be lost`,
    ],
    [
      "the word that capnp-ts takes for null",
      patched({ 4: 1n << 63n }),
      `corrupt capnp at next ${at(4)}: pointer that some readers take for null`,
    ],
    ["a far pointer to no segment", framed([farPointer(1, 0)]), `corrupt capnp ${at(0)}: segment 1 of 1`],
    [
      "a landing pad beyond its segment",
      framed([farPointer(0, 1)]),
      `corrupt capnp ${at(0)}: landing pad of a far pointer is outside its segment`,
    ],
    [
      "half a landing pad of two words",
      framed([farPointer(0, 1, true), 0n]),
      `corrupt capnp ${at(0)}: landing pad of a far pointer is outside its segment`,
    ],
    [
      "a far pointer to null",
      framed([farPointer(0, 1), 0n]),
      `corrupt capnp ${at(0)}: far pointer to a null pointer`,
    ],
    [
      "a far pointer to a far pointer",
      framed([farPointer(0, 1), farPointer(0, 0)]),
      `corrupt capnp ${at(1)}: far pointer to a far pointer`,
    ],
    [
      "a far pointer to itself",
      framed([farPointer(0, 0)]),
      `corrupt capnp ${at(0)}: far pointer to a far pointer`,
    ],
    [
      "a double-far pointer to a near one",
      framed([farPointer(0, 1, true), structPointer(0, 0, 0), 0n]),
      `corrupt capnp ${at(1)}: landing pad of a double-far pointer has no far pointer`,
    ],
    [
      "a double-far pointer to a double-far one",
      framed([farPointer(0, 1, true), farPointer(0, 0, true), 0n]),
      `corrupt capnp ${at(1)}: landing pad of a double-far pointer has no far pointer`,
    ],
    [
      "a landing pad that leads to no segment",
      framed([farPointer(0, 1, true), farPointer(9, 0), 0n]),
      `corrupt capnp ${at(1)}: segment 9 of 1`,
    ],
    [
      "a far pointer as the tag of one",
      framed([farPointer(0, 1, true), farPointer(0, 0), farPointer(0, 0)]),
      `corrupt capnp ${at(2)}: far pointer to a far pointer`,
    ],
    [
      "a tag with an offset",
      framed([farPointer(0, 1, true), farPointer(0, 0), structPointer(1, 0, 0)]),
      `corrupt capnp ${at(2)}: tag of a double-far pointer has an offset`,
    ],
    [
      "content beyond its segment behind a double-far pointer",
      framed([farPointer(0, 1, true), farPointer(0, 3), structPointer(0, 1, 0)]),
      `corrupt capnp ${at(0)}: points outside its segment`,
    ],
  ])("refuses %s", (_, bytes, expected) => {
    expect(problem(bytes)).toBe(expected);
  });

  it("refuses a null struct that the shape requires", () => {
    const shape: StructShape = {
      dataWords: 0,
      data: [],
      pointers: [{ name: "leaf", required: true, target: { kind: "struct", shape: NODE } }],
    };
    expect(problem(framed([structPointer(0, 0, 1), word(0xffff_fffc, 0)]), shape)).toBeUndefined();
    expect(problem(framed([structPointer(0, 0, 1), 0n]), shape)).toBe(
      `corrupt capnp at leaf ${at(1)}: null, expected a struct`,
    );
    expect(problem(framed([0n]), shape)).toBe("corrupt capnp at leaf at byte 8: null, expected a struct");
  });

  it("asks of an enum without a zero that it is there, or denied by its flag", () => {
    const values = new Set([1, 2]);
    const shape = (flag?: number): StructShape => ({
      dataWords: 1,
      data: [{ name: "e", offset: 0, bits: 16, values, ...(flag === undefined ? {} : { flag }) }],
      pointers: [],
    });
    const [none, one, flagged] = [0n, 1n, 0x1_0001n].map((data) => framed([structPointer(0, 1, 0), data]));
    const shorter = framed([word(0xffff_fffc, 0)]);
    expect(problem(one!, shape())).toBeUndefined();
    expect(problem(none!, shape())).toBe(`corrupt capnp at e ${at(1)}: unknown enum value 0`);
    expect(problem(shorter, shape())).toBe("corrupt capnp at e at byte 8: unknown enum value 0");
    for (const bytes of [none!, flagged!, shorter]) expect(problem(bytes, shape(16))).toBeUndefined();
  });

  it.each([
    ["unsigned", 2n ** 53n - 1n, undefined],
    [
      "unsigned",
      2n ** 53n,
      "unsupported capnp at n at byte 16: 9007199254740992 is beyond 2^53, expected a safe integer",
    ],
    [
      "unsigned",
      2n ** 64n - 1n,
      "unsupported capnp at n at byte 16: 18446744073709551615 is beyond 2^53, expected a safe integer",
    ],
    ["signed", -(2n ** 53n) + 1n, undefined],
    [
      "signed",
      -(2n ** 53n),
      "unsupported capnp at n at byte 16: -9007199254740992 is beyond 2^53, expected a safe integer",
    ],
  ] as const)("holds %s integers that are to be safe to that: %d", (safe, value, expected) => {
    const shape: StructShape = {
      dataWords: 1,
      data: [{ name: "n", offset: 0, bits: 64, safe }],
      pointers: [],
    };
    expect(problem(framed([structPointer(0, 1, 0), value]), shape)).toBe(expected);
  });

  it("quotes names in paths that are no identifiers", () => {
    const shape: StructShape = {
      dataWords: 0,
      data: [],
      pointers: [{ name: "a b", required: false, target: { kind: "text" } }],
    };
    expect(problem(framed([structPointer(0, 0, 1), structPointer(0, 0, 1)]), shape)).toBe(
      `corrupt capnp at ["a b"] ${at(1)}: struct, expected a list`,
    );
  });
});

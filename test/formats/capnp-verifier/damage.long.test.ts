import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { type StructShape, unpackCapnp, verifyCapnp } from "../../../src/formats/capnp-verifier/index.ts";
import { DecodeError } from "../../../src/model/errors.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { mutants, SEED } from "../../seed.ts";
import { framed, NODE, nodeWords } from "./words.ts";

describe("verifyCapnp on damaged messages", () => {
  const vectors = path.join(import.meta.dirname, "../../vectors/capnp");
  const PERSON: StructShape = {
    dataWords: 2,
    data: [
      { name: "id", offset: 0, bits: 32 },
      { name: "age", offset: 32, bits: 8 },
      { name: "gender", offset: 48, bits: 16, values: new Set([0, 1, 2]) },
      { name: "phone_num", offset: 64, bits: 64, safe: "unsigned" },
    ],
    pointers: [{ name: "name", required: false, target: { kind: "text" } }],
  };
  const BOOK: StructShape = {
    dataWords: 0,
    data: [],
    pointers: [
      { name: "info", required: false, target: { kind: "list", element: { kind: "struct", shape: PERSON } } },
    ],
  };
  const messages: [string, Uint8Array, (bytes: Uint8Array) => void][] = [
    ["a message with every kind of field", framed(nodeWords()), (bytes) => verifyCapnp(bytes, NODE)],
    [
      "the address book",
      readFileSync(path.join(vectors, "tellist.bin")),
      (bytes) => verifyCapnp(bytes, BOOK),
    ],
    [
      "the address book in twelve segments",
      readFileSync(path.join(vectors, "tellist-segments.bin")),
      (bytes) => verifyCapnp(bytes, BOOK),
    ],
    [
      "the packed address book",
      readFileSync(path.join(vectors, "tellist-segments.packed")),
      (bytes) => verifyCapnp(unpackCapnp(bytes), BOOK),
    ],
  ];

  it.each(messages)("refuses every truncation of %s", (_, valid, verify) => {
    verify(valid);
    for (let length = 0; length < valid.length; length++) {
      expect(() => verify(valid.subarray(0, length)), `first ${length} bytes`).toThrow(DecodeError);
    }
  });

  it.each(messages)("throws nothing but DecodeError on mutants of %s", (_, valid, verify) => {
    const random = seededRandom(SEED);
    const pick = (count: number): number => Math.floor(random() * count);
    for (let i = 0; i < mutants(40_000); i++) {
      const mutant = Buffer.from(valid);
      for (let changes = 1 + pick(3); changes > 0; changes--) {
        const place = pick(mutant.length);
        if (i % 3 === 0) mutant[place] = pick(256);
        else if (i % 3 === 1) mutant[place] = mutant[place]! ^ (1 << pick(8));
        else mutant.writeUInt32LE(pick(2 ** 32), Math.min(place, mutant.length - 4) & ~3);
      }
      try {
        verify(mutant);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw new Error(mutant.toString("hex"), { cause: error });
      }
    }
  });
});

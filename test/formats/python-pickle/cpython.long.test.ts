/** Against CPython's own pickle: values and bytes, both ways, one process for all cases. */
import fc from "fast-check";
import { describe, expect } from "vitest";
import { decodePickle, encodePickle, type Protocol } from "../../../src/formats/python-pickle/index.ts";
import { DecodeError } from "../../../src/model/errors.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { damaged } from "../../codec-contract.ts";
import { itWith, python } from "../../references.ts";
import { mutants, runs, SEED } from "../../seed.ts";
import { entangled, pythonValues } from "./arbitrary.ts";
import { canonical } from "./canonical.ts";
import { loadByReference, runReference } from "./reference.ts";

const CASES = runs(10_000);
const EXACT = { wholeFloats: "PyFloat" } as const;
const PROTOCOLS: readonly Protocol[] = [1, 2, 4, 5];

/** A set of Python has an order of its own, and there is only one object for every `bytes` of up to one byte. */
const DIFFERS = /<|(^|[^0-9a-z])[by](..)?([^0-9a-f]|$)/;

function randomPickles(protocols: readonly Protocol[]) {
  const random = seededRandom(SEED);
  return fc.sample(pythonValues, { numRuns: CASES, seed: SEED }).map((plain, i) => {
    const value = i % 2 === 0 ? plain : entangled(plain, random);
    const protocol = protocols[i % protocols.length]!;
    return { protocol, bytes: encodePickle(value, { protocol }), text: canonical(value) };
  });
}

describe("pickles made here", () => {
  const modern = python("3.11");
  itWith(modern)("CPython 3.11 reads as the same values, and writes as the same bytes", () => {
    const pickles = randomPickles(PROTOCOLS);
    const read = loadByReference(modern, pickles);
    expect(read.length).toBe(pickles.length);
    pickles.forEach(({ text, bytes }, i) => {
      const [loaded, again] = read[i]!;
      expect(loaded).toBe(text);
      if (!DIFFERS.test(text)) expect(again).toBe(Buffer.from(bytes).toString("hex"));
    });
  });

  for (const [version, protocols] of [
    ["3.8", PROTOCOLS],
    ["3.13", PROTOCOLS],
  ] as const) {
    const reference = python(version);
    itWith(reference)(`CPython ${version} reads as the same values`, () => {
      const pickles = randomPickles(protocols);
      const read = loadByReference(reference, pickles);
      expect(read.map(([loaded]) => loaded)).toEqual(pickles.map(({ text }) => text));
    });
  }

  const old = python("2.7");
  itWith(old)("CPython 2.7 reads as the same values, protocols 1 and 2", () => {
    const pickles = randomPickles([1, 2]);
    const read = loadByReference(old, pickles);
    expect(read.map(([loaded]) => loaded)).toEqual(pickles.map(({ text }) => text));
  });
});

describe("pickles of CPython", () => {
  for (const version of ["2.7", "3.6", "3.8", "3.11", "3.13"]) {
    const reference = python(version);
    itWith(reference)(`${version} are read as the same values`, () => {
      const made = runReference(reference, ["values", String(SEED), String(CASES)]);
      expect(made.length).toBe(CASES);
      for (const [protocol, hex, text] of made) {
        const value = decodePickle(Buffer.from(hex!, "hex"), EXACT);
        expect(canonical(value), `protocol ${protocol}: ${hex}`).toBe(text);
      }
    });
  }
});

describe("damaged pickles", () => {
  const reference = python("3.11");
  itWith(reference)("are read only where CPython reads the same value in them", () => {
    const random = seededRandom(SEED);
    const vectors = runReference(reference, ["values", "7", "300"]).filter(([, hex]) => hex!.length < 600);
    const taken: { protocol: number; bytes: Uint8Array; text: string }[] = [];
    for (let i = 0; i < mutants(100_000); i++) {
      const [, hex] = vectors[i % vectors.length]!;
      const bytes = damaged(Buffer.from(hex!, "hex"), Math.floor(random() * 5), random);
      try {
        taken.push({ protocol: 4, bytes, text: canonical(decodePickle(bytes, EXACT)) });
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
      }
    }
    expect(taken.length).toBeGreaterThan(mutants(100_000) / 50);
    const read = loadByReference(reference, taken);
    taken.forEach(({ text, bytes }, i) => {
      expect(read[i]![0], Buffer.from(bytes).toString("hex")).toBe(text);
    });
  });
});

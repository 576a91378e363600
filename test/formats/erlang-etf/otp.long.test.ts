/** Against Erlang/OTP itself: what it reads, and every byte that it writes. */
import fc from "fast-check";
import { describe, expect } from "vitest";
import { binaryToTerm, termToBinary } from "../../../src/formats/erlang-etf/index.ts";
import { NEW_FUN } from "../../../src/formats/erlang-etf/tags.ts";
import type { DecodeError } from "../../../src/model/errors.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { damaged } from "../../codec-contract.ts";
import { itWith } from "../../references.ts";
import { mutants, runs, SEED } from "../../seed.ts";
import { typedTerms } from "./arbitrary-term.ts";
import { OLD_FORMS } from "./old-forms.ts";
import { randomTerms, recode } from "./otp.ts";

const TYPED = { terms: "typed", funs: "inert" } as const;

/** Of the pairs that differ, the shortest, for a message that can be read. */
function firstDifference(pairs: readonly (readonly [ours: Uint8Array, theirs: Uint8Array | undefined])[]) {
  const different = pairs.filter(
    ([ours, theirs]) => theirs === undefined || Buffer.compare(ours, theirs) !== 0,
  );
  const [first] = different.sort(([a], [b]) => a.length - b.length);
  if (first === undefined) return undefined;
  const [ours, theirs] = first.map((bytes) => bytes && Buffer.from(bytes).toString("hex"));
  return { count: different.length, ours, theirs };
}

/**
 * What we refuse and `binary_to_term` takes: what follows the term, two tags of its own, references of no words, and
 * floats as text with a comma or more text after them.
 */
const STRICTER = [
  "erlang-etf at byte N: N bytes after the end of the message",
  "erlang-etf at byte N: N bytes after the compressed term",
  "erlang-etf at byte N: expected a tag, got the byte N",
  "erlang-etf at byte N: expected N to N words, got N",
  "erlang-etf at byte N: expected a finite float as text",
];

/** Whether there may be a pid, port or reference of the node that reads, which it looks for among its own. */
function namesOwnNode(bytes: Uint8Array): boolean {
  return Buffer.from(bytes).toString("latin1").includes("nonode@nohost");
}

describe("Erlang/OTP", () => {
  itWith("escript")("writes old forms again as we do", () => {
    const answers = recode(OLD_FORMS);
    const found = OLD_FORMS.map(({ name }, i) => [name, answers[i]?.bytes.toString("hex")]);
    expect(found).toEqual(OLD_FORMS.map(({ name, canonical }) => [name, canonical.toString("hex")]));
  });

  itWith("escript")("writes the bytes that we write, for random terms in each minor version", () => {
    const terms = fc.sample(typedTerms(), { numRuns: runs(10_000), seed: SEED });
    const questions = terms.map((term, i) => {
      const minorVersion = (i % 3) as 0 | 1 | 2;
      return { minorVersion, bytes: termToBinary(term, { minorVersion }) };
    });
    const answers = recode(questions);
    expect(firstDifference(questions.map(({ bytes }, i) => [bytes, answers[i]?.bytes]))).toBeUndefined();
  });

  itWith("escript")("makes random terms that we read and write again to the same bytes", () => {
    const terms = randomTerms(runs(10_000), SEED);
    expect(terms.length).toBe(runs(10_000));
    const pairs = terms.map((bytes) => [termToBinary(binaryToTerm(bytes, TYPED)), bytes] as const);
    expect(firstDifference(pairs)).toBeUndefined();
  });

  itWith("escript")("makes the same choice whether to compress, and we read one another's streams", () => {
    const terms = fc.sample(typedTerms(), { numRuns: runs(10_000), seed: SEED + 1 });
    const questions = terms.map((term, i) => {
      const compressed = i % 10;
      const raw = termToBinary(term);
      return { raw, compressed, bytes: termToBinary(term, { compressed }) };
    });
    const answers = recode(questions);
    const unread = questions.filter(({ raw }, i) => {
      const theirs = answers[i]!.bytes;
      return Buffer.compare(termToBinary(binaryToTerm(theirs, TYPED)), raw) !== 0;
    });
    expect(unread).toEqual([]);
    // Node has a zlib of its own, whose streams are a few bytes shorter or longer.
    const far = questions.filter(({ raw, bytes }, i) => {
      return Math.abs(bytes.length - answers[i]!.bytes.length) > 16 + raw.length / 20;
    });
    expect(far).toEqual([]);
    const other = questions.filter(({ bytes }, i) => bytes[1] !== answers[i]!.bytes[1]);
    expect(other.filter(({ raw, bytes }) => bytes.length < raw.length - 16)).toEqual([]);
  });

  itWith("escript")("refuses what we refuse, and reads as we do what we read, of damaged terms", () => {
    const random = seededRandom(SEED);
    const terms = fc.sample(typedTerms({ funs: false }), { numRuns: 2000, seed: SEED + 2 });
    const vectors = [
      ...terms.map((term, i) => termToBinary(term, { minorVersion: (i % 3) as 0 | 1 | 2 })),
      ...terms.map((term) => termToBinary([term, term, term], { compressed: 6 })),
      ...Array.from({ length: 20 }, () => OLD_FORMS.map(({ bytes }) => bytes)).flat(),
    ].filter(({ length }) => length < 200);
    // A damaged fun can end Erlang's machine itself (a segmentation fault of OTP 25).
    const questions = Array.from({ length: mutants(60_000) }, (_, i) => ({
      bytes: damaged(vectors[i % vectors.length]!, i, random),
    })).filter(({ bytes }) => !bytes.includes(NEW_FUN) && !namesOwnNode(bytes));
    const answers = recode(questions);
    const stricter = new Set<string>();
    const pairs = questions.flatMap(({ bytes }, i) => {
      const theirs = answers[i]?.bytes;
      try {
        const ours = termToBinary(binaryToTerm(bytes, TYPED));
        return [[ours, theirs] as const];
      } catch (error) {
        if (theirs !== undefined)
          stricter.add(
            (error as DecodeError).message.replaceAll(/\d+/g, "N").replaceAll("N byte ", "N bytes "),
          );
        return [];
      }
    });
    expect(firstDifference(pairs)).toBeUndefined();
    expect([...stricter].filter((reason) => !STRICTER.includes(reason))).toEqual([]);
  });
});

/** The same sizes, bytes, values and refusals as CPython's struct, on random formats. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect } from "vitest";
import { calcsize, compileFormat } from "../../../src/formats/python-struct/index.ts";
import { SchemaError, ValueError } from "../../../src/model/errors.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { itWith, python } from "../../references.ts";
import { runs, SEED } from "../../seed.ts";
import { anyFormat, randomBytes, randomFormat, randomValue } from "./random.ts";
import { charactersOf, type Tagged, tagged, withoutNanBits } from "./tagged.ts";

type Case = readonly [format: string, values: readonly Tagged[] | null, data: string | null];
type Answer = readonly [size: number | null, packed: string | null, unpacked: readonly Tagged[] | null];

/** One process for all cases. */
function ask(program: string, cases: readonly Case[]): Answer[] {
  const script = path.join(import.meta.dirname, "reference.py");
  const input = cases.map((one) => JSON.stringify(one)).join("\n");
  const output = execFileSync(program, [script], { input, encoding: "utf8", maxBuffer: 2 ** 28 });
  return output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Answer);
}

/** What an action gives, or null for the error that it may throw. */
function attempt<T>(error: typeof SchemaError | typeof ValueError, action: () => T): T | null {
  try {
    return action();
  } catch (thrown) {
    if (thrown instanceof error) return null;
    throw thrown;
  }
}

const VALUES_PER_FORMAT = 20;

interface Question {
  readonly case: Case;
  readonly ours: Answer;
}

/** Random values of random formats, and random bytes for them. The same for every version. */
const values = once((): Question[] => {
  const random = seededRandom(SEED);
  const questions: Question[] = [];
  while (questions.length < runs(50_000)) {
    const format = randomFormat(random);
    const struct = compileFormat(format);
    const characters = charactersOf(format);
    for (let i = 0; i < VALUES_PER_FORMAT; i++) {
      const given = characters.map((character) => randomValue(random, character));
      const data = randomBytes(random, struct.size);
      const sent = given.map((value, j) => tagged(value, characters[j]!));
      const packed = attempt(ValueError, () => hex(struct.packArray(given)));
      const unpacked = struct.unpack(data).map((value, j) => withoutNanBits(tagged(value, characters[j]!)));
      questions.push({ case: [format, sent, hex(data)], ours: [struct.size, packed, unpacked] });
    }
  }
  return questions;
});

/** Formats, most of them bad. */
const formats = once((): Question[] => {
  const random = seededRandom(SEED + 1);
  return Array.from({ length: runs(10_000) }, (_, i) => {
    const format = i % 4 === 0 ? randomFormat(random) : anyFormat(random);
    return { case: [format, null, null], ours: [attempt(SchemaError, () => calcsize(format)), null, null] };
  });
});

describe.each(["3.11", "3.13"])("CPython %s", (version) => {
  const reference = python(version);
  const itWithPython = itWith(reference);

  itWithPython("packs and unpacks the same", () => {
    const refused = values().filter(({ ours: [, packed] }) => packed === null).length;
    expect(refused / values().length).toBeGreaterThan(0.2);
    expect(refused / values().length).toBeLessThan(0.6);
    expectSame(reference, values());
  });

  itWithPython("takes and refuses the same formats", () => {
    const refused = formats().filter(({ ours: [size] }) => size === null).length;
    expect(refused / formats().length).toBeGreaterThan(0.3);
    expect(refused / formats().length).toBeLessThan(0.8);
    expectSame(reference, formats());
  });
});

function expectSame(
  { program }: { readonly program: string | undefined },
  questions: readonly Question[],
): void {
  const answers = ask(
    program!,
    questions.map((question) => question.case),
  );
  const differences = questions.flatMap(({ case: asked, ours }, i) => {
    const [size, packed, unpacked] = answers[i]!;
    const rest = [packed, unpacked?.map(withoutNanBits) ?? null];
    // The one difference that is meant: a size that a number does not hold.
    const theirs = JSON.stringify([size !== null && size <= Number.MAX_SAFE_INTEGER ? size : null, ...rest]);
    return JSON.stringify(ours) === theirs ? [] : [{ asked: JSON.stringify(asked), ours, theirs }];
  });
  expect(differences.slice(0, 5)).toEqual([]);
}

/** What a function gives, computed when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex");
}

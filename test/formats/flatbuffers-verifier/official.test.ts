/** The verifier against the official one of C++: what it accepts is right, and what it refuses beyond that is named. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import flatbuffers from "../../../src/codecs/flatbuffers/index.ts";
import { rootShape } from "../../../src/codecs/flatbuffers/verifier.ts";
import { flatbufferVerifier } from "../../../src/formats/flatbuffers-verifier/index.ts";
import { flatLayout } from "../../../src/schema/layout/flatbuffers.ts";
import { readFbs } from "../../../src/schema/read/fbs.ts";
import { conform } from "../../../src/schema/values/conform.ts";
import { encodeProven } from "../../../src/schema/values/transcode.ts";
import { itWith } from "../../references.ts";
import { flatcText, randomOf, randomValue } from "../../schema/random-idl.ts";
import { mutants, SEED } from "../../seed.ts";

const MESSAGES = 40;

/** What the doc comment of `flatbufferVerifier` says that it refuses and the official Verifier does not. */
const STRICTER: readonly RegExp[] = [
  /not valid UTF-8/,
  /expected a bool of 0 or 1/,
  /bytes \d+ to \d+ of a table of/,
  /a table of \d+ bytes?/,
  /a vtable of \d+ bytes?, expected an even number from 4/,
  /an offset leads to itself/,
  /expected a multiple of \d+ as its place/,
  /a union whose number says that there is/,
  /in a vtable, expected at most 32767/,
  /takes more than \d+ bytes of memory/,
];

/** What only `lenient` accepts. */
const STRICTER_BY_DEFAULT: readonly RegExp[] = [
  ...STRICTER,
  /^flatbuffers at byte \d+: \d+ bytes?, expected a multiple of 4/,
  /bytes that belong to no part of the message/,
  /the union has no member \d+/,
  /field \d+ is not in the schema/,
];

function refusalOf(verify: (bytes: Uint8Array) => void, bytes: Uint8Array): string | undefined {
  try {
    verify(bytes);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** A copy with up to three changes of the kinds that make a message nearly right. */
function damaged(message: Uint8Array, random: () => number): Buffer {
  const below = (count: number): number => Math.floor(random() * count);
  let bytes = Buffer.from(message);
  for (let left = 1 + below(3); left > 0; left--) {
    const word = 4 * below(bytes.length >> 2);
    const changes = [
      () => bytes.writeUInt8(bytes[word]! ^ (1 << below(8)), word + below(4)),
      () => bytes.writeUInt8(below(256), word + below(4)),
      () => bytes.writeUInt32LE(below(24), word),
      () => bytes.writeUInt32LE((bytes.readUInt32LE(word) + [4, 8, -4, -8, 2, 1, -1][below(7)]!) >>> 0, word),
      () => bytes.writeUInt16LE(below(40), word + 2 * below(2)),
      () => bytes.copy(bytes, 4 * below(bytes.length >> 2), word, word + 4),
      () => {
        bytes = bytes.subarray(0, Math.max(16, bytes.length - 1 - below(8)));
      },
      () => {
        bytes = Buffer.concat([bytes, Buffer.alloc(1 + below(9), below(2))]);
      },
    ];
    changes[below(changes.length)]!();
  }
  return bytes;
}

const headers = "/usr/include/flatbuffers/verifier.h";
const library = { name: "libflatbuffers-dev", program: existsSync(headers) ? headers : undefined };

itWith(
  "flatc",
  "g++",
  library,
)("accepts nothing that the C++ Verifier refuses, and refuses more for named reasons only", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-official-"));
  try {
    for (const name of ["official.fbs", "official.cc"]) {
      copyFileSync(path.join(import.meta.dirname, name), path.join(folder, name));
    }
    const run = (program: string, ...args: string[]): void => {
      execFileSync(program, args, { cwd: folder, stdio: "pipe" });
    };
    run("flatc", "--cpp", "official.fbs");
    run("g++", "-O1", "-o", "official", "official.cc");

    const schema = readFbs(path.join(folder, "official.fbs"));
    const dataset = { name: "official", schema, values: [], int64: "bigint" } as const;
    const binding = await flatbuffers.bind(dataset);
    const messages: Uint8Array[] = [];
    for (let i = 0; i < MESSAGES; i++) {
      const { value } = conform(schema, randomValue(schema, SEED + i), { form: "plain", int64: "bigint" });
      messages.push(encodeProven("flatbuffers", binding, value) as Uint8Array);
      writeFileSync(path.join(folder, `${i}.json`), flatcText(schema, schema.root, value as never));
    }
    run("flatc", "--binary", "official.fbs", ...messages.map((_, i) => `${i}.json`));
    messages.push(...messages.map((_, i) => readFileSync(path.join(folder, `${i}.bin`))));
    const random = randomOf(SEED);
    const each = Math.ceil(mutants(20_000) / messages.length);
    const cases = messages.flatMap((message) => [
      message,
      ...Array.from({ length: each }, () => damaged(message, random)),
    ]);

    const frames = cases.flatMap((bytes) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    });
    const answers = execFileSync(path.join(folder, "official"), {
      input: Buffer.concat(frames),
      maxBuffer: 2 ** 26,
    });
    expect(answers).toHaveLength(cases.length);
    const shape = rootShape(flatLayout(schema), dataset);
    const [strict, lenient] = [flatbufferVerifier(shape), flatbufferVerifier(shape, { lenient: true })];
    for (const [i, bytes] of cases.entries()) {
      const isAccepted = answers[i] === "1".charCodeAt(0);
      const hex = `seed ${SEED}, case ${i}: ${Buffer.from(bytes).toString("hex")}`;
      for (const [refusal, named] of [
        [refusalOf(strict, bytes), STRICTER_BY_DEFAULT],
        [refusalOf(lenient, bytes), STRICTER],
      ] as const) {
        if (refusal === undefined) expect(isAccepted, hex).toBe(true);
        else if (isAccepted)
          expect(
            named.some((reason) => reason.test(refusal)),
            `${refusal}: ${hex}`,
          ).toBe(true);
      }
      if (i % (each + 1) === 0) expect(refusalOf(strict, bytes), hex).toBeUndefined();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("accepts an empty vector of 8-byte elements at 4 mod 8, as flatc writes it", () => {
  const long = { kind: "scalar", scalar: "long" } as const;
  const root = {
    fields: [
      { name: "a", type: { kind: "scalar", scalar: "int" } },
      { name: "longs", type: { kind: "vector", element: long } },
    ],
  } as const;
  // Made by flatc 2.0.8 --binary of {"a": 1, "longs": []} in `table Root { a:int; longs:[long]; } root_type Root;`.
  const bytes = Buffer.from("0c00000008000c000400080008000000010000000400000000000000", "hex");
  expect(() => flatbufferVerifier(root)(bytes)).not.toThrow();
});

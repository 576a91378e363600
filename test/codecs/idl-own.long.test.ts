/** Schemas in a format's own language: what the official tool makes of them is read, and it reads ours. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { valuesOf } from "../../src/catalog/load-dataset.ts";
import capnp from "../../src/codecs/capnp-ts.ts";
import flatbuffers from "../../src/codecs/flatbuffers/index.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import type { RecordValue } from "../../src/model/value.ts";
import { emitCapnp } from "../../src/schema/emit/capnp.ts";
import { emitFbs } from "../../src/schema/emit/fbs.ts";
import { readCapnp } from "../../src/schema/read/capnp.ts";
import { readFbs } from "../../src/schema/read/fbs.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { decodeUntrusted, encodeProven } from "../../src/schema/values/transcode.ts";
import { itWith } from "../references.ts";
import { capnpText, flatcText, plainOf, randomCapnp, randomFbs, randomValue } from "../schema/random-idl.ts";
import { SEED } from "../seed.ts";

const SCHEMAS = 60;
const VALUES = 3;

const LANGUAGES = [
  {
    tool: "capnp",
    format: "capnp",
    ending: ".capnp",
    codec: capnp,
    random: randomCapnp,
    read: (file: string) => readCapnp(file, "T0"),
    emit: emitCapnp,
    text: capnpText,
    /** The compiler refuses unions in unions that its own versions before 0.6 placed wrongly. */
    mayRefuse: true,
    commands: (schema: string, i: number) => [
      `if capnp compile -ocapnp ${schema} > compiled 2>&1; then`,
      `capnp convert json:binary ${schema} T0 < t${i}.json > theirs${i}.bin`,
      `capnp convert json:binary p${i}.capnp T0 < t${i}.json > printed${i}.bin`,
      `capnp convert --quiet binary:json ${schema} T0 < o${i}.bin > back${i}.json`,
      `capnp convert json:binary ${schema} T0 < back${i}.json > back${i}.bin`,
      "fi",
    ],
    made: (i: number) => [`theirs${i}.bin`, `printed${i}.bin`, `back${i}.bin`],
    json: (i: number) => `back${i}.json`,
  },
  {
    tool: "flatc",
    format: "flatbuffers",
    ending: ".fbs",
    codec: flatbuffers,
    random: randomFbs,
    read: readFbs,
    emit: emitFbs,
    text: flatcText,
    mayRefuse: false,
    commands: (schema: string, i: number) => [
      `flatc --binary -o theirs ${schema} t${i}.json`,
      `flatc --binary -o printed p${i}.fbs t${i}.json`,
      `flatc --json --strict-json --raw-binary -o back ${schema} -- o${i}.bin`,
      `flatc --binary -o back ${schema} back/o${i}.json`,
    ],
    made: (i: number) => [`theirs/t${i}.bin`, `printed/t${i}.bin`, `back/o${i}.bin`],
    json: (i: number) => `back/o${i}.json`,
  },
] as const;

interface Case {
  readonly seed: number;
  readonly file: string;
  readonly dataset: Dataset;
  readonly value: RecordValue;
}

describe.each(LANGUAGES)("a schema of a $ending file", (language) => {
  const { tool, format, ending, codec, read, emit } = language;

  /** Runs with a folder of random schemas in files, and values of each. */
  async function withCases(use: (folder: string, cases: readonly Case[]) => Promise<void>): Promise<void> {
    const folder = mkdtempSync(path.join(tmpdir(), "wirebench-own-"));
    try {
      const cases: Case[] = [];
      for (let i = 0; i < SCHEMAS; i++) {
        const seed = SEED + i;
        const file = path.join(folder, `${i}${ending}`);
        writeFileSync(file, language.random(seed));
        const schema = read(file);
        for (let j = 0; j < VALUES; j++) {
          const { value } = conform(schema, randomValue(schema, seed + 1000 * j), {
            form: "plain",
            int64: "bigint",
          });
          const dataset = { name: "own", schema, values: [value], int64: "bigint" } as const;
          cases.push({ seed, file, dataset, value: value as RecordValue });
        }
      }
      await use(folder, cases);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  it("is printed and read again as it was", () =>
    withCases(async (folder, cases) => {
      for (const { seed, dataset } of cases) {
        const file = path.join(folder, `printed${ending}`);
        writeFileSync(file, emit(dataset.schema));
        expect(read(file), `seed ${seed}`).toEqual(dataset.schema);
      }
    }));

  it("has every value carried", () =>
    withCases(async (_, cases) => {
      for (const { seed, dataset, value } of cases) {
        const binding = await codec.bind(dataset);
        const bytes = encodeProven(format, binding, value);
        expect(decodeUntrusted(format, binding, dataset, bytes), `seed ${seed}`).toEqual(value);
      }
    }));

  itWith(tool)(`means to ${tool} what it means here`, () =>
    withCases(async (folder, cases) => {
      const commands: string[] = [];
      for (const [i, { file, dataset, value }] of cases.entries()) {
        const binding = await codec.bind(dataset);
        const put = (name: string, content: string | Uint8Array) =>
          writeFileSync(path.join(folder, name), content);
        put(`t${i}.json`, language.text(dataset.schema, dataset.schema.root, value));
        put(`o${i}.bin`, encodeProven(format, binding, value));
        put(`p${i}${ending}`, emit(dataset.schema));
        commands.push(...language.commands(file, i));
      }
      execFileSync("sh", ["-e"], { cwd: folder, input: commands.join("\n"), stdio: "pipe" });
      const compiled = [...cases.entries()].filter(([i]) =>
        existsSync(path.join(folder, language.made(i).at(-1)!)),
      );
      if (language.mayRefuse) expect(compiled.length).toBeGreaterThan(cases.length / 2);
      else expect(compiled).toHaveLength(cases.length);
      for (const [i, { seed, dataset, value }] of compiled) {
        const binding = await codec.bind(dataset);
        for (const made of language.made(i)) {
          const bytes = readFileSync(path.join(folder, made));
          const decoded = decodeUntrusted(format, binding, dataset, bytes);
          expect(plainOf(decoded), `seed ${seed}, ${made}`).toEqual(plainOf(value));
        }
        const json = path.join(folder, language.json(i));
        const { values } = await valuesOf(dataset.schema, [json], { int64: "bigint" });
        expect(plainOf(values[0]!), `seed ${seed}, the JSON of ${tool}`).toEqual(plainOf(value));
      }
    }),
  );
});

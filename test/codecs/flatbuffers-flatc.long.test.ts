/** The codec against flatc: the code that it generates makes the same bytes, and it reads ours. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { flatcCode } from "../../benchmarks/plugins/flatc-code.js";
import flatbuffers from "../../src/codecs/flatbuffers/index.ts";
import tellist from "../../src/datasets/tellist.ts";
import type { Binding, CodecVariant } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import { firstDifference, isRecord, type Value } from "../../src/model/value.ts";
import { emitFbs } from "../../src/schema/emit/fbs.ts";
import { decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { datasets } from "../arbitrary-schema.ts";
import { itWithRealData } from "../real-data.ts";
import { itWith } from "../references.ts";
import { SEED } from "../seed.ts";
import { flatcJson, parseFlatcJson, withQuarters } from "./flatbuffers-json.ts";
import { FlatcPacker } from "./flatbuffers-packer.ts";
import { realDataset } from "./flatbuffers-real-data.ts";

const RANDOM_SCHEMAS = 100;

const book: Dataset = {
  name: "tellist",
  schema: tellist.schema,
  values: [tellist.make(37, 0)],
  int64: "number",
};

/** flatc's code drops the sign of a zero in a field that is not optional; ours keeps it. */
function withoutNegativeZero(value: Value): Value {
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, withoutNegativeZero(field)]));
}

const object = flatbuffers.variants!["object"]!;
const styles: readonly { style: CodecVariant; pack(packer: FlatcPacker, value: Value): Uint8Array }[] = [
  { style: flatbuffers, pack: (packer, value) => packer.pack(value) },
  { style: object, pack: (packer, value) => packer.packObject(value) },
];

/** Compares the bytes of every value in both styles, and counts them. What a style cannot carry is left out. */
async function expectBytesOfFlatc(all: readonly Dataset[]): Promise<number> {
  const codes = await flatcCode(all.map(({ schema }) => emitFbs(schema)));
  let compared = 0;
  for (const [index, dataset] of all.entries()) {
    const packer = new FlatcPacker(dataset.schema, codes[index]!);
    for (const { style, pack } of styles) {
      const binding = await bindOrHole(style, dataset);
      for (const value of binding === undefined ? [] : dataset.values.map(withoutNegativeZero)) {
        const actual = hex(encodeValue(binding!, value) as Uint8Array);
        expect(actual, emitFbs(dataset.schema)).toBe(hex(pack(packer, value)));
        compared += 1;
      }
    }
  }
  return compared;
}

async function bindOrHole(style: CodecVariant, dataset: Dataset): Promise<Binding | undefined> {
  try {
    return await style.bind(dataset);
  } catch (error) {
    if (error instanceof UnsupportedError) return undefined;
    throw error;
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

describe("flatbuffers and flatbuffers:object make the bytes of flatc's code", () => {
  it("for the address book", async () => {
    expect(await expectBytesOfFlatc([book])).toBe(2);
  });

  it("for values of random schemas", async () => {
    const random = fc.sample(datasets(), { numRuns: RANDOM_SCHEMAS, seed: SEED });
    expect(await expectBytesOfFlatc(random)).toBeGreaterThan(2 * RANDOM_SCHEMAS);
  });

  itWithRealData("for real messages", async () => {
    expect(await expectBytesOfFlatc([realDataset(1), realDataset(2)])).toBe(4);
  });
});

/** What flatc 2.0.8 makes of messages of ours, and of the JSON that it prints for them. */
interface Reread {
  readonly dataset: Dataset;
  readonly value: Value;
  readonly json: string;
  readonly binary: Uint8Array;
}

/** One shell runs flatc for every value: to JSON, and from that JSON to a message again. */
async function rereadByFlatc(all: readonly Dataset[]): Promise<Reread[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-flatc-"));
  try {
    const cases: { dataset: Dataset; value: Value; file: string }[] = [];
    for (const [index, dataset] of all.entries()) {
      const values = dataset.values.map((value) => withQuarters(dataset.schema, value));
      const binding = await flatbuffers.bind({ ...dataset, values });
      writeFileSync(path.join(folder, `${index}.fbs`), emitFbs(dataset.schema));
      for (const [i, value] of values.entries()) {
        const file = `${index}-${i}`;
        writeFileSync(path.join(folder, `${file}.bin`), encodeValue(binding, value));
        cases.push({ dataset, value, file });
      }
    }
    const commands = cases.flatMap(({ file }) => {
      const schema = `${file.split("-")[0]}.fbs`;
      return [
        `flatc --json --strict-json --raw-binary ${schema} -- ${file}.bin`,
        `flatc --binary -o made ${schema} ${file}.json`,
      ];
    });
    execFileSync("sh", ["-e"], { cwd: folder, input: commands.join("\n"), stdio: "pipe" });
    return cases.map(({ dataset, value, file }) => ({
      dataset,
      value,
      json: readFileSync(path.join(folder, `${file}.json`), "utf8"),
      binary: readFileSync(path.join(folder, "made", `${file}.bin`)),
    }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("flatc 2.0.8", () => {
  /** It prints the value, makes the same bytes of what it printed, and what it made is read. */
  async function expectAgreement(all: readonly Dataset[]): Promise<void> {
    for (const { dataset, value, json, binary } of await rereadByFlatc(all)) {
      expect(parseFlatcJson(json)).toEqual(flatcJson(dataset.schema, value));
      const binding = await flatbuffers.bind(dataset);
      expect(hex(binary)).toBe(hex(encodeValue(binding, value) as Uint8Array));
      const decoded = decodeUntrusted("flatbuffers", binding, dataset, binary);
      expect(firstDifference(value, decoded)).toBeUndefined();
    }
  }

  itWith("flatc")("agrees on the address book and on values of random schemas", async () => {
    await expectAgreement([book, ...fc.sample(datasets(), { numRuns: RANDOM_SCHEMAS, seed: SEED + 1 })]);
  });

  const itWithFlatc = itWith("flatc") === it ? itWithRealData : it.skip;
  itWithFlatc("agrees on real messages", async () => {
    await expectAgreement([realDataset(1), realDataset(2)]);
  });
});

/** The bytes of protobufjs and protoc, on the address book, on real messages and on random schemas. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import protobufjs from "../../src/codecs/protobufjs/index.ts";
import tellist from "../../src/datasets/tellist.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError } from "../../src/model/errors.ts";
import { seededRandom } from "../../src/model/random.ts";
import { firstDifference, type Value } from "../../src/model/value.ts";
import { emitProto } from "../../src/schema/emit/proto.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { decodeTrusted, decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { damaged } from "../codec-contract.ts";
import { itWithRealData, realData } from "../real-data.ts";
import { itWith } from "../references.ts";
import { protoDatasets } from "../schema/arbitrary-proto.ts";
import { runs, SEED } from "../seed.ts";
import { protobufText } from "./protobuf-text.ts";
import { Protoc } from "./protoc.ts";

const SCHEMAS = runs(250);

interface Case {
  readonly dataset: Dataset;
  readonly binding: Binding;
  readonly bytes: Uint8Array;
}

async function bound(dataset: Dataset): Promise<Case> {
  const binding = await protobufjs.bind(dataset);
  return { dataset, binding, bytes: encodeValue(binding, dataset.values[0]!) as Uint8Array };
}

async function randomCases(): Promise<Case[]> {
  const datasets = Array.from({ length: SCHEMAS }, (_, i) =>
    fc.sample(protoDatasets(`t${i}`), { seed: SEED + i, numRuns: 1 }),
  ).flat();
  return Promise.all(datasets.map(bound));
}

describe("protobufjs and protoc", () => {
  itWith("protoc")("make the same 841 bytes of the address book", async () => {
    const dataset: Dataset = {
      name: "tellist",
      schema: tellist.schema,
      values: [tellist.make(37, 0)],
      int64: "number",
    };
    const { bytes } = await bound(dataset);
    const folder = path.join(import.meta.dirname, "../../schemas");
    const reference = execFileSync(
      "protoc",
      ["-I", folder, "--encode", tellist.schema.root, "tellist.proto"],
      {
        input: protobufText(tellist.schema, tellist.schema.root, dataset.values[0]!),
      },
    );
    expect(bytes.length).toBe(841);
    expect(Buffer.compare(bytes, reference)).toBe(0);
  });

  const itWithBoth = itWithRealData === it ? itWith("protoc") : itWithRealData;
  itWithBoth.each(["Message1", "Message2"])("carry the real %s byte for byte", async (message) => {
    const file = realData(`google_${message.toLowerCase()}.dat`);
    const schema = readProto(realData("messages.proto"), message);
    const bytes = readFileSync(file);
    const dataset: Dataset = { name: message, schema, values: [], int64: "bigint" };
    const binding = await protobufjs.bind(dataset);
    const value = decodeUntrusted("protobufjs", binding, dataset, bytes);
    expect(Buffer.compare(encodeValue(binding, value) as Uint8Array, bytes)).toBe(0);
    const text = protobufText(schema, schema.root, value);
    const reference = execFileSync(
      "protoc",
      ["-I", path.dirname(file), "--encode", schema.root, "messages.proto"],
      {
        input: text,
      },
    );
    expect(Buffer.compare(reference, bytes)).toBe(0);
  });

  itWith("protoc")("make the same bytes of random values, of which protoc makes them again", async () => {
    const cases = await randomCases();
    const protoc = new Protoc(
      cases.map(({ dataset: { schema } }) => ({ proto: emitProto(schema), message: schema.root })),
    );
    try {
      const texts = cases.map(({ dataset: { schema, values } }) =>
        protobufText(schema, schema.root, values[0]!),
      );
      const encoded = protoc.encode(texts);
      const recoded = protoc.recode(cases.map(({ bytes }) => bytes));
      cases.forEach(({ dataset, bytes }, i) => {
        const hex = Buffer.from(bytes).toString("hex");
        expect(encoded[i]!.toString("hex"), emitProto(dataset.schema)).toBe(hex);
        expect(recoded[i]!.toString("hex"), emitProto(dataset.schema)).toBe(hex);
      });
    } finally {
      protoc.close();
    }
  });

  itWith("protoc")("read the same values from damaged bytes, where they are accepted", async () => {
    const random = seededRandom(SEED);
    const accepted = (await randomCases()).flatMap((one) => acceptedMutants(one, random));
    expect(accepted.length).toBeGreaterThan(SCHEMAS / 4);
    const protoc = new Protoc(
      accepted.map(({ dataset: { schema } }, i) => {
        const pkg = `${schema.package}_${i}`;
        const renamed = emitProto(schema).replaceAll(new RegExp(`\\b${schema.package}\\b`, "g"), pkg);
        return { proto: renamed, message: schema.root.replace(schema.package, pkg) };
      }),
    );
    try {
      const recoded = protoc.recode(accepted.map(({ mutant }) => mutant));
      accepted.forEach(({ dataset, binding, mutant, value }, i) => {
        const theirs = decodeTrusted(binding, recoded[i]!);
        expect(firstDifference(value, theirs), Buffer.from(mutant).toString("hex")).toBeUndefined();
        expect(dataset.name).toBe("random");
      });
    } finally {
      protoc.close();
    }
  });
});

/** Two damaged copies that are accepted, and what is read from them. */
function acceptedMutants(
  one: Case,
  random: () => number,
): (Case & { readonly mutant: Uint8Array; readonly value: Value })[] {
  const found: (Case & { mutant: Uint8Array; value: Value })[] = [];
  if (one.bytes.length === 0) return found;
  for (let i = 0; i < 200 && found.length < 2; i++) {
    const mutant = damaged(one.bytes, i, random);
    if (Buffer.compare(mutant, one.bytes) === 0) continue;
    try {
      const value = decodeUntrusted("protobufjs", one.binding, one.dataset, mutant);
      found.push({ ...one, mutant, value });
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
    }
  }
  return found;
}

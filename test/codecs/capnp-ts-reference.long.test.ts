/** Bytes of the codec against those of the reference implementation, `capnp` 0.9.2. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import protobuf from "protobufjs";
import { describe, expect, it } from "vitest";
import tellist from "../../src/datasets/tellist.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError } from "../../src/model/errors.ts";
import { seededRandom } from "../../src/model/random.ts";
import { firstDifference } from "../../src/model/value.ts";
import { emitCapnp } from "../../src/schema/emit/capnp.ts";
import { compileAssigner } from "../../src/schema/generate/narrowed.ts";
import { capnpLayout } from "../../src/schema/layout/capnp.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { otherNumber } from "../../src/schema/selection.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { decodeUntrusted } from "../../src/schema/values/transcode.ts";
import { datasets } from "../arbitrary-schema.ts";
import { isReplaceable, numbersIn } from "../codec-contract.ts";
import { itWithRealData, realData } from "../real-data.ts";
import { itWith } from "../references.ts";
import { runs, SEED } from "../seed.ts";
import { bindings, ENUMS, encode } from "./capnp-ts-fixture.ts";
import { capnpJson, jsonDifference } from "./capnp-ts-json.ts";
import { merged } from "./capnp-ts-merge.ts";

const itWithCapnp = itWith("capnp");

/** Runs `capnp convert` on input, with the schema that we print. Without `segmentWords` a message is one segment. */
function convert(
  formats: string,
  dataset: Dataset,
  input: string | Uint8Array,
  segmentWords = 10_000_000,
): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-capnp-"));
  try {
    const file = path.join(folder, "schema.capnp");
    writeFileSync(file, emitCapnp(dataset.schema));
    const root = capnpLayout(dataset.schema).structs[0]!.name;
    const options = { input, maxBuffer: 2 ** 28 };
    return execFileSync(
      "capnp",
      ["convert", "--short", "--quiet", `--segment-size=${segmentWords}`, formats, file, root],
      options,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Both variants give the bytes that the tool gives for the same value, and the tool reads them. */
function expectSameBytes(dataset: Dataset): void {
  const [plain, packed] = [bindings.plain(dataset), bindings.packed(dataset)];
  for (const value of dataset.values) {
    const json = capnpJson(capnpLayout(dataset.schema), value);
    const [bytes, packedBytes] = [encode(plain, value), encode(packed, value)];
    expect(convert("json:binary", dataset, json).equals(bytes), "binary").toBe(true);
    expect(convert("json:packed", dataset, json).equals(packedBytes), "packed").toBe(true);
    expect(convert("packed:binary", dataset, packedBytes).equals(bytes), "packed, read by the tool").toBe(
      true,
    );
  }
}

describe("capnp-ts against capnp", () => {
  itWithCapnp("writes the address book to the same bytes", () => {
    const values = [0, 1].map((index) => tellist.make(37, index));
    expectSameBytes({ name: "tellist", schema: tellist.schema, values, int64: "number" });
  });

  itWithCapnp("writes random schemas and their values to the same bytes", () => {
    expectSameBytes(merged([ENUMS, ...fc.sample(datasets(), { numRuns: runs(300), seed: SEED })]));
  });

  itWithCapnp("reads random schemas and their values from many segments", () => {
    const dataset = merged([ENUMS, ...fc.sample(datasets(), { numRuns: runs(300), seed: SEED })]);
    const [value] = dataset.values;
    const json = capnpJson(capnpLayout(dataset.schema), value!);
    for (const [format, bind] of [
      ["binary", bindings.plain],
      ["packed", bindings.packed],
    ] as const) {
      const binding = bind(dataset);
      const bytes = convert(`json:${format}`, dataset, json, 200);
      expect(firstDifference(value, decodeUntrusted("capnp-ts", binding, dataset, bytes))).toBeUndefined();
      expect(binding.access(bytes)).toBe(binding.access(encode(binding, value!)));
    }
  });

  itWithCapnp("overwrites numbers that the tool then reads", () => {
    const book: Dataset = {
      name: "tellist",
      schema: tellist.schema,
      values: [tellist.make(5, 0)],
      int64: "number",
    };
    const random = fc.sample(datasets(), { numRuns: 40, seed: SEED + 3 });
    let overwritten = 0;
    for (const dataset of [book, ...random]) {
      const [value] = dataset.values;
      const binding = bindings.plain(dataset);
      const bytes: Uint8Array[] = [];
      const expected: string[] = [];
      for (const { place, definition, number } of numbersIn(dataset.schema, value!).filter(isReplaceable)) {
        const message = encode(binding, value!);
        const changed = structuredClone(value!);
        const other = otherNumber(definition, number);
        binding.writer!(place)(message, other);
        compileAssigner(place)(changed, other);
        bytes.push(message);
        expected.push(capnpJson(capnpLayout(dataset.schema), changed));
      }
      if (bytes.length === 0) continue;
      const printed = convert("binary:json", dataset, Buffer.concat(bytes))
        .toString("utf8")
        .trimEnd()
        .split("\n");
      expect(printed).toHaveLength(expected.length);
      for (const [i, json] of expected.entries()) {
        expect(jsonDifference(parsed(json), parsed(printed[i]!))).toBeUndefined();
      }
      overwritten += bytes.length;
    }
    expect(overwritten).toBeGreaterThan(40);
  });

  itWithCapnp("overwrites no number in a message of many segments", () => {
    const dataset: Dataset = {
      name: "tellist",
      schema: tellist.schema,
      values: [tellist.make(50, 0)],
      int64: "number",
    };
    const json = capnpJson(capnpLayout(dataset.schema), dataset.values[0]!);
    const bytes = new Uint8Array(convert("json:binary", dataset, json, 20));
    const write = bindings.plain(dataset).writer!({ path: ["info"], record: 1, field: "id" });
    expect(() => write(bytes, 3)).toThrow(DecodeError);
  });

  itWithCapnp("reads what is damaged and still well-formed as the tool does", () => {
    const dataset = merged(fc.sample(datasets(), { numRuns: 8, seed: SEED }));
    const layout = capnpLayout(dataset.schema);
    const binding = bindings.plain(dataset);
    const valid = encode(binding, dataset.values[0]!);
    const random = seededRandom(SEED);
    const accepted: { bytes: Uint8Array; json: string }[] = [];
    for (let i = 0; i < 1500; i++) {
      const bytes = Uint8Array.from(valid);
      for (let changes = 1 + (i % 3); changes > 0; changes--) {
        const at = 8 + Math.floor(random() * (bytes.length - 8));
        bytes[at] = i % 2 === 0 ? bytes[at]! ^ (1 << Math.floor(random() * 8)) : Math.floor(random() * 256);
      }
      try {
        accepted.push({
          bytes,
          json: capnpJson(layout, decodeUntrusted("capnp-ts", binding, dataset, bytes)),
        });
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
      }
    }
    expect(accepted.length).toBeGreaterThan(50);
    const output = convert("binary:json", dataset, Buffer.concat(accepted.map(({ bytes }) => bytes)));
    const tools = output.toString("utf8").trimEnd().split("\n");
    expect(tools.length).toBe(accepted.length);
    for (const [i, { json }] of accepted.entries()) {
      expect(jsonDifference(parsed(json), parsed(tools[i]!)), `mutant ${i}`).toBeUndefined();
    }
  });

  const itWithBoth = itWithCapnp === it.skip ? it.skip : itWithRealData;
  itWithBoth.each(["1", "2"])("writes google_message%s to the same bytes", (number) => {
    const dataset = realDataset(`Message${number}`, `google_message${number}.dat`);
    expectSameBytes(dataset);
  });
});

/** The JSON of the tool and ours have control characters as they are. */
function parsed(json: string): unknown {
  return JSON.parse(
    json.replace(/\p{Cc}/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
}

function realDataset(message: string, file: string): Dataset {
  const schema = readProto(realData("messages.proto"), message);
  const type = new protobuf.Root()
    .loadSync(realData("messages.proto"), { keepCase: true })
    .lookupType(message);
  const decoded = type.decode(readFileSync(realData(file)));
  const json = type.toObject(decoded, { longs: String, bytes: String });
  const { value, int64 } = conform(schema, json, { form: "json", int64: "auto" });
  return { name: message, schema, values: [value], int64 };
}

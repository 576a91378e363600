/** Codecs of one format read each other's bytes, protobuf's aside, which have a test of their own. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type NamedCodec, Registry } from "../../src/catalog/registry.ts";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError, UnsupportedError } from "../../src/model/errors.ts";
import { hasPresence, reachableMessages } from "../../src/model/schema.ts";
import { firstDifference } from "../../src/model/value.ts";
import { carriedBy } from "../../src/schema/values/documents.ts";
import { decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { documentedDatasets } from "../arbitrary-documents.ts";
import { datasets } from "../arbitrary-schema.ts";
import { runs, SEED } from "../seed.ts";

const registry = await Registry.open();
const names = (await registry.selectCodecs(["*"])).filter((name) => !name.endsWith(":into"));
const all = await Promise.all(names.map((name) => registry.codec(name)));

/** What a codec's bytes are, where a variant's are not those of the format: another wire form, or for its library alone. */
function dialectOf({ name, format, traits }: NamedCodec): string {
  if (traits?.includes("one-reader")) return name;
  const [, form = ""] = /:(packed|record)/.exec(name) ?? [];
  return `${format} ${form}`.trim();
}

function families(codecs: readonly NamedCodec[]): [string, readonly NamedCodec[]][] {
  const groups = new Map<string, NamedCodec[]>();
  for (const codec of codecs) {
    const dialect = dialectOf(codec);
    groups.set(dialect, [...(groups.get(dialect) ?? []), codec]);
  }
  return [...groups].filter(([dialect, { length }]) => length > 1 && dialect !== "protobuf");
}

async function boundOrNot(codec: NamedCodec, dataset: Dataset): Promise<Binding | undefined> {
  try {
    return await codec.bind(dataset);
  } catch (error) {
    if (error instanceof UnsupportedError) return undefined;
    throw error;
  }
}

/** Whether the object API of FlatBuffers writes empty bytes for absent ones, which only itself reads as absent. */
function hasOptionalBytes({ schema }: Dataset): boolean {
  return reachableMessages(schema).some(({ fields }) =>
    fields.some(
      (field) => hasPresence(field) && field.type.kind === "scalar" && field.type.scalar === "bytes",
    ),
  );
}

/**
 * Whether cbor-x read an integer of eight bytes, as cborg writes a float without a fraction: where the data has bigints it makes
 * one of each, and its values are not copied to make numbers of some.
 */
function isBigintForFloat(reader: string, { int64 }: Dataset, { message }: Error): boolean {
  return reader === "cbor-x" && int64 === "bigint" && /expected a number, got -?\d+n$/.test(message);
}

/**
 * Has each codec of a family read what each other writes. One that does not carry the values, which is a hole that it declares,
 * reads them equal or refuses them. Returns how often each pair met, and how often the reader had such a hole.
 */
async function exchange(
  family: readonly NamedCodec[],
  arbitrary: fc.Arbitrary<Dataset>,
): Promise<{ readonly pairs: Map<string, number>; readonly refused: Map<string, number> }> {
  const [pairs, refused] = [new Map<string, number>(), new Map<string, number>()];
  const count = (counts: Map<string, number>, key: string): Map<string, number> =>
    counts.set(key, (counts.get(key) ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(arbitrary, async (given) => {
      for (const writer of family) {
        const dataset = carriedBy(writer, given);
        const from = await boundOrNot(writer, dataset);
        if (from === undefined) continue;
        for (const reader of family) {
          if (reader !== writer && writer.name === "flatbuffers:object" && hasOptionalBytes(dataset))
            continue;
          const whole = await boundOrNot(reader, dataset);
          const to = whole ?? (await boundOrNot(reader, { ...dataset, values: [] }));
          if (to === undefined) continue;
          for (const value of dataset.values) {
            const what = `${reader.name} reads ${writer.name}`;
            const written = encodeValue(from, value);
            // Text is for its own codec; to others it comes as bytes.
            const bytes = typeof written === "string" && reader !== writer ? Buffer.from(written) : written;
            try {
              const decoded = decodeUntrusted(reader.name, to, dataset, bytes);
              expect(firstDifference(value, decoded), what).toBeUndefined();
              count(pairs, what);
            } catch (error) {
              if (!(error instanceof DecodeError)) throw error;
              if (isBigintForFloat(reader.name, dataset, error)) continue;
              if (whole !== undefined) throw error;
              expect(error.code, `${what}: ${error.message}`).toBe("unsupported");
              count(refused, what);
            }
          }
        }
      }
    }),
    { numRuns: runs(100), seed: SEED },
  );
  return { pairs, refused };
}

function expectAll(family: readonly NamedCodec[], pairs: ReadonlyMap<string, number>, least: number): void {
  for (const writer of family)
    for (const reader of family) {
      const what = `${reader.name} reads ${writer.name}`;
      expect(pairs.get(what) ?? 0, what).toBeGreaterThanOrEqual(least);
    }
}

it("are these", () => {
  const found = families(all).map(([dialect, codecs]) => `${dialect}: ${codecs.map(({ name }) => name)}`);
  expect(found).toEqual([
    "capnp: capnp-es,capnp-ts",
    "capnp packed: capnp-es:packed,capnp-ts:packed",
    "cbor: cbor-x,cborg",
    "erlang-etf: erlang-etf,erlang-etf:z6,erlang-etf:z9",
    "erlang-etf record: erlang-etf:record,erlang-etf:record-z6,erlang-etf:record-z9",
    "json: fast-json-stringify,json,json:string",
    "flatbuffers: flatbuffers,flatbuffers:object,flatbuffers:verified",
    "msgpack: msgpack,msgpackr",
    "python-pickle: python-pickle,python-pickle:1,python-pickle:2,python-pickle:5",
  ]);
});

describe.each(families(all))("%s", (_, family) => {
  it("reads each other's bytes of random schemas", async () => {
    const { pairs } = await exchange(family, datasets());
    expectAll(family, pairs, runs(100) / 10);
  });
});

const schemaless = families(all.filter(({ schemaless = false }) => schemaless));

describe.each(schemaless)("%s", (_, family) => {
  it("reads each other's bytes of documents", async () => {
    const { pairs } = await exchange(family, documentedDatasets());
    expectAll(family, pairs, runs(100) / 10);
  });
});

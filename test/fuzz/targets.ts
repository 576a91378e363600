/** What is fuzzed, by format: the libraries and verifiers written here on their golden vectors, and every codec. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { deserialize } from "node:v8";
import avsc from "avsc";
import * as bson from "bson";
import * as cborX from "cbor-x";
import * as cborg from "cborg";
import fc from "fast-check";
import * as flexbuffers from "flatbuffers/js/flexbuffers.js";
import { Unpackr } from "msgpackr";
import { type NamedCodec, Registry } from "../../src/catalog/registry.ts";
import tellist from "../../src/datasets/tellist.ts";
import { decode as decodeAmf3, encode as encodeAmf3 } from "../../src/formats/amf3/index.ts";
import { avroShape, verifyAvro } from "../../src/formats/avro-verifier/index.ts";
import { verifyBson } from "../../src/formats/bson-verifier/index.ts";
import { compileStruct, layoutOf, parseHeader } from "../../src/formats/c-struct/index.ts";
import { verifyCbor } from "../../src/formats/cbor-verifier/index.ts";
import { binaryToTerm, type DecodeOptions, termToBinary } from "../../src/formats/erlang-etf/index.ts";
import { verifyFlexBuffer } from "../../src/formats/flexbuffers-verifier/index.ts";
import { verifyMessagePack } from "../../src/formats/msgpack-verifier/index.ts";
import { decodePickle, encodePickle } from "../../src/formats/python-pickle/index.ts";
import { calcsize, compileFormat } from "../../src/formats/python-struct/index.ts";
import { verifyV8 } from "../../src/formats/v8-verifier/index.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError, SchemaError, UnsupportedError } from "../../src/model/errors.ts";
import type { Schema } from "../../src/model/schema.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { carriedBy } from "../../src/schema/values/documents.ts";
import { encodeValue } from "../../src/schema/values/transcode.ts";
import { documentedDatasets } from "../arbitrary-documents.ts";
import { datasets } from "../arbitrary-schema.ts";
import { promiseOf } from "../codecs/mutants.ts";
import { vectors as pickles } from "../formats/python-pickle/vectors.ts";
import { protoDatasets } from "../schema/arbitrary-proto.ts";

/** Something that takes bytes from anywhere. */
export interface Target {
  readonly name: string;
  /** Well-formed messages, from which mutants are made. */
  readonly vectors: readonly Uint8Array[];
  /** Whether the bytes are taken; they may be refused. Throws whatever else comes of them, which is a fault. */
  take(bytes: Uint8Array): boolean;
}

const VECTORS = path.join(import.meta.dirname, "../vectors");

/** Longest vector. */
const MOST_BYTES = 2 ** 16;

/** Longest text of a format or a header: what is longer costs more than it finds. */
const MOST_TEXT = 4096;

/** Random schemas of a kind that a round binds its codecs to. */
const SCHEMAS = 6;

/** Every target of a format. `seed` draws the schemas that its codecs are bound to, so that each round has others. */
export async function targetsOf(format: string, seed: number): Promise<readonly Target[]> {
  return [...(LIBRARIES[format]?.() ?? []), ...(await codecTargets(format, seed))].filter(
    ({ vectors }) => vectors.length > 0,
  );
}

/** Every format that has a target. */
export async function formats(): Promise<readonly string[]> {
  return [...new Set([...Object.keys(LIBRARIES), ...(await allCodecs()).map(({ format }) => format)])].sort();
}

/** The bytes that a file writes in hex, in whatever form. */
function hexIn(file: string): Uint8Array[] {
  const text = readFileSync(path.join(VECTORS, file), "utf8");
  return Array.from(text.matchAll(/["\t]((?:[0-9a-f]{2})+)(?:"|$)/gm), ([, hex]) => Buffer.from(hex!, "hex"));
}

function binary(file: string): Uint8Array {
  return readFileSync(path.join(VECTORS, file));
}

function target(
  name: string,
  vectors: readonly Uint8Array[],
  take: (bytes: Uint8Array) => void,
  refusal: abstract new (...args: never[]) => Error = DecodeError,
): Target {
  return {
    name,
    vectors: vectors.filter(({ length }) => length > 0 && length <= MOST_BYTES),
    take(bytes) {
      try {
        take(bytes);
        return true;
      } catch (error) {
        if (error instanceof refusal) return false;
        throw error;
      }
    },
  };
}

/** What is read can be written, and once it was written and read again, it is written alike. */
function library<Value>(
  name: string,
  vectors: readonly Uint8Array[],
  decode: (bytes: Uint8Array) => Value,
  encode: (value: Value) => Uint8Array,
): Target {
  return target(name, vectors, (bytes) => {
    const value = decode(bytes);
    try {
      // JavaScript's engines may make a signalling NaN a quiet one, on the first way through.
      const first = encode(decode(encode(value)));
      if (Buffer.compare(first, encode(decode(first))) !== 0)
        throw new Error("is written in another way each time");
    } catch (error) {
      throw new Error(`what was read: ${error}`, { cause: error });
    }
  });
}

/** Values that a self-describing format carries, of each kind and of each length of a length. */
const SAMPLES: readonly unknown[] = [
  null,
  [true, false, null, 0, 1, -1, 23, 24, 255, 256, 65_535, 65_536, 2 ** 31, -(2 ** 31), 0.5, 1e300],
  { text: "text", long: "x".repeat(300), letters: "小明 é 🙂", empty: "" },
  [Uint8Array.of(), Uint8Array.of(1, 2, 3), new Uint8Array(300)],
  Array.from({ length: 40 }, (_, i) => ({
    id: i,
    name: `name ${i}`,
    tags: ["a", "b"],
    at: { x: i, y: 0.5 },
  })),
  { a: { b: { c: { d: [[[[1]]]] } } }, list: [[], [[]], {}] },
  Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`key ${i}`, i])),
];

/** Data items of RFC 8949, appendix A, that no encoder here writes. */
const RFC_8949 = [
  ..."9fff 9f018202039f0405ffff 83019f0203ff820405 bf61610161629f0203ffff bf6346756ef563416d7421ff".split(
    " ",
  ),
  ..."1b000000e8d4a51000 3bffffffffffffffff f97c00 f9fc00 fa7f800000 fb7e37e43c8800759c f7 f0 c11a514b67b0".split(
    " ",
  ),
].map((hex) => Buffer.from(hex, "hex"));

const leaf = { id: 7, size: 2 ** 40, kind: "B", hash: Buffer.from("abcd"), names: {}, below: [] };

/** Avro schemas that have each type, and one that is within itself, with values of them. */
const AVRO: readonly { readonly schema: unknown; readonly values: readonly unknown[] }[] = [
  {
    schema: {
      type: "record",
      name: "Tree",
      fields: [
        { name: "id", type: "int" },
        { name: "size", type: "long" },
        { name: "kind", type: { type: "enum", name: "Kind", symbols: ["A", "B", "C"] } },
        { name: "hash", type: { type: "fixed", name: "Hash", size: 4 } },
        { name: "names", type: { type: "map", values: ["null", "string"] } },
        { name: "below", type: { type: "array", items: "Tree" } },
      ],
    },
    values: [
      leaf,
      {
        ...leaf,
        size: -1,
        names: { a: null, b: { string: "text" } },
        below: [leaf, { ...leaf, below: [leaf] }],
      },
    ],
  },
  {
    schema: { type: "array", items: ["null", "boolean", "float", "double", "bytes", "string"] },
    values: [
      [null, { boolean: true }, { float: 0.5 }, { double: 1e300 }],
      [{ bytes: Buffer.from("bytes") }, { string: "小明 é" }, { string: "x".repeat(200) }],
    ],
  },
  {
    schema: { type: "map", values: { type: "array", items: "null" } },
    values: [{ a: [], b: Array.from({ length: 300 }, () => null) }],
  },
];

/** Targets of the formats written here, which need no schema. */
const LIBRARIES: Readonly<Record<string, () => readonly Target[]>> = {
  amf3: () => {
    const vectors = ["py3amf", "specification", "refused"].flatMap((file) => hexIn(`amf3/${file}.json`));
    return [library("amf3", vectors, decodeAmf3, encodeAmf3)];
  },
  avro: () =>
    AVRO.map(({ schema, values }) => {
      const shape = avroShape(schema);
      const type = avsc.Type.forSchema(schema as avsc.Schema, { wrapUnions: true });
      // What numbers of avsc hold of a long.
      const longs = { least: -(2n ** 52n), most: 2n ** 53n - 2n };
      const vectors = values.map((value) => type.toBuffer(value));
      return target(`avro ${JSON.stringify(schema)}`, vectors, (bytes) => {
        verifyAvro(bytes, shape, { longs });
        expectReadable(() => type.fromBuffer(Buffer.from(bytes)) as unknown);
      });
    }),
  bson: () => {
    const vectors = SAMPLES.map((sample) => bson.serialize({ sample, long: bson.Long.fromNumber(2 ** 40) }));
    return [
      target("bson", vectors, (bytes) => {
        verifyBson(bytes);
        expectReadable(() => bson.deserialize(bytes, { promoteBuffers: true, useBigInt64: true }));
      }),
    ];
  },
  "c-struct": () => {
    const file = path.join(VECTORS, "c-struct/sample.h");
    const source = readFileSync(file, "utf8");
    const structs = [...parseHeader(source, file).names.values()].map((struct) => compileStruct(struct));
    const bytes = hexIn("c-struct/sample.json");
    const parts = source.split(/\n(?=struct|typedef|enum)/).map((part) => Buffer.from(part));
    return [
      ...structs.map((struct) =>
        library(
          `c-struct ${struct.name}`,
          bytes,
          (given) => {
            struct.verify(given);
            return struct.unpack(given);
          },
          struct.pack,
        ),
      ),
      target(
        "c-struct headers",
        [Buffer.from(source), ...parts],
        (text) => {
          const header = parseHeader(Buffer.from(text.subarray(0, MOST_TEXT)).toString("latin1"));
          for (const struct of header.names.values()) layoutOf(struct);
        },
        SchemaError,
      ),
    ];
  },
  cbor: () => {
    const maps = new cborX.Decoder({ useRecords: false, mapsAsObjects: true });
    const records = new cborX.Decoder({ useRecords: true, mapsAsObjects: false });
    const encoders = [
      new cborX.Encoder({ useRecords: false, variableMapSize: true, tagUint8Array: false }),
      new cborX.Encoder({ useRecords: true, mapsAsObjects: false, tagUint8Array: false }),
    ];
    const [plain, recorded] = encoders.map((encoder) => SAMPLES.map((sample) => encoder.encode(sample)));
    return [
      target("cbor", [...plain!, ...SAMPLES.map((sample) => cborg.encode(sample)), ...RFC_8949], (bytes) => {
        verifyCbor(bytes);
        expectReadable(() => cborg.decode(bytes) as unknown);
        expectReadable(() => maps.decode(bytes) as unknown);
      }),
      target("cbor records", recorded!, (bytes) => {
        verifyCbor(bytes, { records: true, refuseProto: false, typedBytes: true });
        expectReadable(() => records.decode(bytes) as unknown);
      }),
    ];
  },
  "erlang-etf": () => {
    const vectors = hexIn("erlang-etf/terms.tsv");
    const readings: readonly DecodeOptions[] = [
      { terms: "typed", funs: "inert" },
      { maps: "Map", binaries: "auto", funs: "inert" },
      {},
    ];
    return readings.map((options) =>
      library(
        `erlang-etf ${JSON.stringify(options)}`,
        vectors,
        (bytes) => binaryToTerm(bytes, options),
        (term) => termToBinary(term),
      ),
    );
  },
  flexbuffers: () => [
    target(
      "flexbuffers",
      SAMPLES.map((sample) => flexbuffers.encode(sample)),
      (bytes) => {
        verifyFlexBuffer(bytes);
        expectReadable(() => flexbuffers.toObject(new Uint8Array(bytes).buffer));
      },
    ),
  ],
  msgpack: () => {
    const vectors = ["values", "refused"].flatMap((file) => hexIn(`msgpack/${file}.json`));
    return [true, false].map((records) => {
      const unpackr = new Unpackr(
        records ? { mapsAsObjects: false } : { useRecords: false, mapsAsObjects: true },
      );
      return target(`msgpack ${records ? "records" : "maps"}`, vectors, (bytes) => {
        verifyMessagePack(bytes, { records, refuseProto: !records });
        expectReadable(() => unpackr.unpack(bytes));
      });
    });
  },
  "python-pickle": () => {
    const options = { wholeFloats: "PyFloat" } as const;
    const bytes = pickles.map((vector) => vector.bytes);
    return [
      library(
        "python-pickle",
        bytes,
        (given) => decodePickle(given, options),
        (value) => encodePickle(value),
      ),
    ];
  },
  "python-struct": () => {
    const file = JSON.parse(readFileSync(path.join(VECTORS, "python-struct/vectors.json"), "utf8")) as {
      vectors: readonly { format: string; bytes: string | null }[];
      refused: readonly string[];
    };
    const byFormat = new Map<string, Uint8Array[]>();
    for (const { format, bytes } of file.vectors) {
      if (bytes === null) continue;
      byFormat.set(format, [...(byFormat.get(format) ?? []), Buffer.from(bytes, "hex")]);
    }
    const texts = [...byFormat.keys(), ...file.refused].map((text) => Buffer.from(text));
    return [
      ...Array.from(byFormat, ([format, bytes]) => {
        const struct = compileFormat(format);
        return library(
          `python-struct ${format}`,
          bytes,
          (given) => struct.unpack(given),
          (row) => struct.packArray(row),
        );
      }),
      target(
        "python-struct formats",
        texts,
        (text) => void calcsize(Buffer.from(text.subarray(0, MOST_TEXT)).toString("latin1")),
        SchemaError,
      ),
    ];
  },
  v8: () => {
    const vectors = [20, 22, 24].flatMap((release) => hexIn(`v8/node-${release}.json`));
    return [
      target("v8", vectors, (bytes) => {
        verifyV8(bytes);
        expectReadable(() => deserialize(bytes) as unknown);
      }),
    ];
  },
};

function expectReadable(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    throw new Error(`what was let pass: ${error}`, { cause: error });
  }
}

async function allCodecs(): Promise<readonly NamedCodec[]> {
  const registry = await Registry.open();
  return Promise.all((await registry.selectCodecs(["*"])).map((name) => registry.codec(name)));
}

/** Codecs of a format on its golden messages, on an address book, and on random schemas. */
async function codecTargets(format: string, seed: number): Promise<Target[]> {
  const sample = (from: fc.Arbitrary<Dataset>): Dataset[] => fc.sample(from, { numRuns: SCHEMAS, seed });
  const book = { name: "tellist", schema: tellist.schema, int64: "number" } as const;
  const drawn: readonly Dataset[] = [
    { ...book, values: [tellist.make(3, 0), tellist.make(37, 1)] },
    ...sample(datasets()),
    ...sample(protoDatasets("p")),
    ...sample(documentedDatasets()),
  ];
  const targets: Target[] = [];
  for (const codec of (await allCodecs()).filter((one) => one.format === format)) {
    const golden = GOLDEN[codec.name]?.() ?? [];
    for (const { schema, vectors } of golden) {
      const dataset: Dataset = { name: "golden", schema, values: [], int64: "bigint" };
      targets.push(await codecTarget(codec, dataset, vectors));
    }
    for (const dataset of drawn) {
      try {
        targets.push(await codecTarget(codec, carriedBy(codec, dataset)));
      } catch (error) {
        if (!(error instanceof UnsupportedError)) throw error;
      }
    }
  }
  return targets;
}

async function codecTarget(
  codec: NamedCodec,
  dataset: Dataset,
  vectors: readonly Uint8Array[] = [],
): Promise<Target> {
  const binding = await codec.bind(dataset);
  const encoded = dataset.values.map((value) => Buffer.from(encodeValue(binding, value) as Uint8Array));
  return {
    name: `${codec.name} on ${dataset.name}`,
    vectors: [...vectors, ...encoded],
    take: promiseOf(binding, dataset),
  };
}

/** Messages of the reference implementations, with their schemas, by the codec that reads them. */
const GOLDEN: Readonly<
  Record<string, () => readonly { readonly schema: Schema; readonly vectors: readonly Uint8Array[] }[]>
> = {
  "capnp-ts": () => [
    { schema: tellist.schema, vectors: [binary("capnp/tellist.bin"), binary("capnp/tellist-segments.bin")] },
  ],
  "capnp-ts:packed": () => [
    {
      schema: tellist.schema,
      vectors: [binary("capnp/tellist.packed"), binary("capnp/tellist-segments.packed")],
    },
  ],
  flatbuffers: () => [
    { schema: tellist.schema, vectors: [binary("flatbuffers/tellist.bin")] },
    {
      schema: readProto(path.join(VECTORS, "flatbuffers/kinds.proto"), "Kinds"),
      vectors: [binary("flatbuffers/kinds.bin")],
    },
  ],
  protobufjs: () => {
    const file = readFileSync(path.join(VECTORS, "protobuf/vectors.json"), "utf8");
    const byMessage = new Map<string, Uint8Array[]>();
    for (const { message, hex } of JSON.parse(file) as { message: string; hex: string }[]) {
      byMessage.set(message, [...(byMessage.get(message) ?? []), Buffer.from(hex, "hex")]);
    }
    return Array.from(byMessage, ([message, vectors]) => ({
      schema: readProto(path.join(VECTORS, `protobuf/${message.split(".")[0]}.proto`), message),
      vectors,
    }));
  },
};

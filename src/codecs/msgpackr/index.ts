import { FLOAT32_OPTIONS, isNativeAccelerationEnabled, type Options, Packr, Unpackr } from "msgpackr";
import { verifyMessagePack } from "../../formats/msgpack-verifier/index.ts";
import { type Binding, bytesOf, defineCodec, type Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { UnsupportedError } from "../../model/errors.ts";
import { type Field, reachableMessages } from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { compileVisitor } from "../../schema/generate/visit.ts";
import { MAX_DEPTH } from "../../schema/values/conform.ts";
import { refuseLosses } from "./losses.ts";
import { compileMapConversion } from "./maps.ts";

/** What msgpackr makes of an object: a map, as the specification says, or a record of its own. */
type Style = "maps" | "records";

function bindMsgpackr(dataset: Dataset, style: Style): Binding<unknown, unknown> {
  const { schema, values, int64 } = dataset;
  const fields = reachableMessages(schema).flatMap((message) => message.fields);
  refuseNames(fields, style);
  const losses = { protoKeys: style === "maps", marks: !isNativeAccelerationEnabled };
  for (const value of values) refuseLosses(value, losses);
  const conversion = style === "records" ? compileMapConversion(schema) : undefined;
  const visit = compileVisitor(schema);

  // One to write and one to read: what one has done is nothing to the other.
  const packr = new Packr(optionsFor(dataset, fields, style));
  const unpackr = new Unpackr(optionsFor(dataset, fields, style));
  const read = (encoded: Encoded): unknown => unpackr.unpack(bytesOf(encoded, "msgpack"));
  const plain = conversion?.fromMaps ?? ((value: unknown) => value as Value);
  const hasMaps = fields.some(({ repetition }) => repetition.kind === "map");
  const limits = {
    // A level for each message, and one for the list or map that it is in.
    depth: 2 * MAX_DEPTH,
    items: Number.POSITIVE_INFINITY,
    integers: int64 === "number" ? "safe" : "any",
    records: style === "records",
    refuseProto: style === "maps",
    refuseMark: losses.marks,
    ...(style === "maps" && hasMaps ? {} : { keys: new Set(fields.map(({ name }) => name)) }),
  } as const;
  return {
    build: conversion?.toMaps ?? ((value) => value),
    write: (value) => packr.pack(value),
    read,
    plain,
    access: (encoded) => visit(plain(read(encoded))),
    text: "utf16",
    direct: { build: conversion === undefined, plain: conversion === undefined },
    verify: (encoded) => {
      verifyMessagePack(bytesOf(encoded, "msgpack"), limits);
      conversion?.check(read(encoded));
    },
  };
}

function optionsFor({ int64 }: Dataset, fields: readonly Field[], style: Style): Options {
  const doubles = fields.some(({ type }) => type.kind === "scalar" && type.scalar === "double");
  return {
    // Fields called constructor or toJSON are data.
    useToJSON: false,
    int64AsType: int64,
    // A float keeps all its bits in four bytes; a double does not.
    useFloat32: doubles ? FLOAT32_OPTIONS.NEVER : FLOAT32_OPTIONS.ALWAYS,
    // Without variableMapSize a map has two bytes for its size, and never more than 65,535 entries.
    ...(style === "maps"
      ? { useRecords: false, mapsAsObjects: true, variableMapSize: true }
      : { mapsAsObjects: false }),
  };
}

/** Fields that msgpackr 2.1.3 reads under another name, or takes for a note of its own about a record's keys. */
const LOST_NAMES: Readonly<Record<Style, readonly string[]>> = {
  maps: ["__proto__"],
  records: ["__proto__", "__keys__"],
};

function refuseNames(fields: readonly Field[], style: Style): void {
  const lost = fields.find(({ name }) => LOST_NAMES[style].includes(name));
  if (lost !== undefined) throw new UnsupportedError(`msgpackr: it cannot carry a field called ${lost.name}`);
}

export default defineCodec({
  format: "msgpack",
  library: "msgpackr",
  build: isNativeAccelerationEnabled ? "with its native part" : "without its native part",
  summary:
    "Packr without records: standard MessagePack; floats in four bytes where no field is a double; bytes are views on the input",
  bind: (dataset) => bindMsgpackr(dataset, "maps"),
  variants: {
    records: {
      summary: "Packr with records: each message defines those it uses; not standard MessagePack",
      bind: (dataset) => bindMsgpackr(dataset, "records"),
    },
  },
});

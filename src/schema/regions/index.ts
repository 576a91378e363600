/** Takes messages apart, by their format. */
import type { Dataset } from "../../model/dataset.ts";
import type { SchemaPath } from "../../model/region.ts";
import type { Anatomy } from "../../model/region-table.ts";
import { enumOf, type FieldType, type MessageType, messageOf, type Schema } from "../../model/schema.ts";
import { FieldsByKey } from "../values/field-keys.ts";
import { amf3Regions } from "./amf3.ts";
import { arrowRegions } from "./arrow.ts";
import { avroRegions } from "./avro.ts";
import { bebopRegions } from "./bebop.ts";
import { bsonRegions } from "./bson.ts";
import { cStructRegions } from "./c-struct.ts";
import { capnpRegions } from "./capnp.ts";
import { cborRegions } from "./cbor.ts";
import { devalueRegions } from "./devalue.ts";
import { erlangRecordRegions } from "./erlang-records.ts";
import { erlangRegions } from "./erlang-terms.ts";
import { flatbuffersRegions } from "./flatbuffers.ts";
import { flexbuffersRegions } from "./flexbuffers.ts";
import { ionRegions } from "./ion.ts";
import { jsonRegions } from "./json.ts";
import { msgpackRecordRegions, msgpackRegions } from "./msgpack.ts";
import { pickleRegions } from "./pickle.ts";
import { protobufRegions } from "./protobuf.ts";
import { pythonStructRegions } from "./python-struct.ts";
import { serovalRegions } from "./seroval.ts";
import { superjsonRegions } from "./superjson.ts";
import { v8Regions } from "./v8.ts";

/** Finds the regions of a message. What is damaged is shown as far as it can be read; nothing is thrown for it. */
export type RegionReader = (bytes: Uint8Array, dataset: Dataset) => Anatomy;

const COMPRESSED = "its bytes are compressed, and none of them is one thing";

const PACKED =
  "its bytes are packed: a tag stands before every eight bytes, and the bytes of one value are apart";

/** By format, or by the name of a codec where its bytes are others; or why its bytes cannot be taken apart. */
const READERS: ReadonlyMap<string, RegionReader | string> = new Map<string, RegionReader | string>([
  ["amf3", amf3Regions],
  ["arrow", arrowRegions],
  ["avro", avroRegions],
  ["bebop", bebopRegions],
  ["bson", bsonRegions],
  ["c-struct", cStructRegions],
  ["capnp", capnpRegions],
  ["capnp-es:packed", PACKED],
  ["capnp-ts:packed", PACKED],
  ["cbor", cborRegions],
  ["devalue", devalueRegions],
  ["erlang-etf", erlangRegions],
  ["erlang-etf:z6", COMPRESSED],
  ["erlang-etf:z9", COMPRESSED],
  ["erlang-etf:record", erlangRecordRegions],
  ["erlang-etf:record-z6", COMPRESSED],
  ["erlang-etf:record-z9", COMPRESSED],
  ["flatbuffers", flatbuffersRegions],
  ["flexbuffers", flexbuffersRegions],
  ["ion", ionRegions],
  ["json", jsonRegions],
  ["msgpack", msgpackRegions],
  ["msgpackr:bundle-strings", "its texts stand in bundles, apart from where they are"],
  ["msgpackr:records", msgpackRecordRegions],
  ["msgpackr:structures", "its keys are in structures that both sides know, and not in the bytes"],
  ["protobuf", protobufRegions],
  ["python-pickle", pickleRegions],
  ["python-struct", pythonStructRegions],
  ["seroval", serovalRegions],
  ["superjson", superjsonRegions],
  ["v8", v8Regions],
]);

/** What takes apart the messages of a codec, or why nothing does. */
export function regionReader(codec: {
  readonly name: string;
  readonly format: string;
}): RegionReader | string {
  return READERS.get(codec.name) ?? READERS.get(codec.format) ?? `nothing here reads ${codec.format}`;
}

/** Says at each path of a message that has an enum what its numbers are called. */
export function nameSymbols(schema: Schema, { regions }: Anatomy): void {
  if (regions.length === 0) return;
  const names = new FieldsByKey(schema.documents === undefined ? "plain" : "json");
  const visitMessage = (path: SchemaPath, message: MessageType): void => {
    const fields = names.of(message);
    for (const child of path.children) {
      const field = fields.get(child.name);
      if (field === undefined) continue;
      for (const held of field.repetition.kind === "one" ? [child] : child.children) visit(held, field.type);
    }
  };
  const visit = (path: SchemaPath, type: FieldType): void => {
    if (type.kind === "message") visitMessage(path, messageOf(schema, type.name));
    else if (type.kind === "enum") {
      // Of two names of a number the first is its own.
      const values = enumOf(schema, type.name).values.toReversed();
      path.symbols = new Map(values.map(({ name, number }) => [number, name]));
    }
  };
  let root = regions.placeAt(0);
  while (root.parent !== undefined) root = root.parent;
  visitMessage(root.schemaPath, messageOf(schema, schema.root));
}

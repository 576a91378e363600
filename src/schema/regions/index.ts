/** Takes messages apart, by their format. */
import type { Dataset } from "../../model/dataset.ts";
import type { Anatomy } from "../../model/region-table.ts";
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

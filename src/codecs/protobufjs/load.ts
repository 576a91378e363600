import { verifyProtobuf } from "../../formats/protobuf-verifier/index.ts";
import type { ByteRules, LoadedMessage } from "../../model/codec.ts";
import type { Int64Mode, Schema } from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { compileProtobufReader } from "../../schema/generate/read-protobuf.ts";
import { checkProtobuf } from "../../schema/layout/protobuf.ts";
import { holdsFixedLists } from "../../schema/layout/protobuf-shape.ts";
import { MAX_DECODED_VALUES } from "../../schema/values/conform.ts";
import { conformDecoded } from "../../schema/values/transcode.ts";
import { shapeOf } from "./shape.ts";

/** Reads messages of one schema as a user's own data, each once: bytes from anywhere become canonical values. */
export class ProtobufLoader {
  readonly #schema: Schema;
  readonly #shape: ReturnType<typeof shapeOf>;
  readonly #conforms: boolean;
  readonly #readers = new Map<Int64Mode, (bytes: Uint8Array) => Value>();

  constructor(schema: Schema) {
    checkProtobuf(schema);
    this.#schema = schema;
    this.#shape = shapeOf(schema);
    this.#conforms = holdsFixedLists(schema);
  }

  /**
   * What verifyProtobuf lets pass needs no second look: canonical values are made of it. Throws DecodeError.
   */
  load(bytes: Uint8Array, int64: Int64Mode | "auto", rules: ByteRules = {}): LoadedMessage {
    const { strict = false, unknown = "refuse", maxValues = MAX_DECODED_VALUES, onLeftOut } = rules;
    const report = verifyProtobuf(bytes, this.#shape, {
      integers: int64 === "number" ? "safe" : "any",
      values: maxValues,
      unknownFields: unknown,
      strict,
    });
    onLeftOut?.(report.unknown);
    const mode = int64 === "auto" ? (report.safe ? "number" : "bigint") : int64;
    const value = this.#readerOf(mode)(bytes);
    const dataset = { name: "", schema: this.#schema, values: [], int64: mode };
    return {
      value: this.#conforms ? conformDecoded("protobuf", dataset, value, rules) : value,
      int64: mode,
      isKnown: report.known > 0 || report.unknown.length === 0,
    };
  }

  #readerOf(int64: Int64Mode): (bytes: Uint8Array) => Value {
    const known = this.#readers.get(int64);
    if (known !== undefined) return known;
    const made = compileProtobufReader(this.#schema, int64);
    this.#readers.set(int64, made);
    return made;
  }
}

import { type Binding, bytesOf, defineCodec, direct, type Encoded, type Mapping } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { DecodeError, UnsupportedError, ValueError } from "../model/errors.ts";
import { type FieldType, is64Bit } from "../model/schema.ts";
import { firstDifference, isRecord, type Value, walk } from "../model/value.ts";
import { compileMapping } from "../schema/generate/copy.ts";
import { compileVisitor } from "../schema/generate/visit.ts";
import { conform } from "../schema/values/conform.ts";
import { duplicateKey, parseJson } from "../schema/values/json-source.ts";
import { base64, jsonNumber } from "../schema/values/json-text.ts";

/** JSON.stringify and JSON.parse, and a mapping before and after them where the schema has what JSON lacks. */
function bindJson(
  dataset: Dataset,
  text: { encode(text: string): Encoded; decode(encoded: Encoded): string },
): Binding {
  if (dataset.schema.documents !== undefined) for (const value of dataset.values) refuseLosses(value);
  const mapping = jsonMapping(dataset);
  return direct({
    write: (value) => text.encode(JSON.stringify(value)),
    read: (encoded): unknown => JSON.parse(text.decode(encoded)),
    visit: compileVisitor(dataset.schema),
    mapping,
    verify: (encoded) => verify(dataset, strictText(encoded), mapping),
  });
}

/** Throws UnsupportedError, with the path, for a number of a document that JSON.stringify changes. */
function refuseLosses(document: Value): void {
  walk(document, (value, path) => {
    if (Object.is(value, -0)) throw new UnsupportedError(`${path}: JSON.stringify writes -0 as 0`);
  });
}

/** Bytes become base64, bigints decimal strings, and floats that JSON cannot write strings if the values hold any. */
function jsonMapping({ schema, values, int64 }: Dataset): Mapping | undefined {
  // Without values to look at, any float may be special.
  const specials = values.length === 0 || values.some(holdsSpecial);
  const isLong = (type: FieldType): boolean =>
    type.kind === "scalar" && is64Bit(type.scalar) && int64 === "bigint";
  const isSpecial = (type: FieldType): boolean =>
    type.kind === "scalar" && (type.scalar === "float" || type.scalar === "double") && specials;
  const scope = { base64, bytes, jsonNumber };
  return compileMapping(schema, {
    to: {
      leaf: (type, value) => {
        if (isBytes(type)) return `base64(${value})`;
        if (isLong(type)) return `String(${value})`;
        return isSpecial(type) ? `jsonNumber(${value})` : undefined;
      },
      scope,
    },
    from: {
      leaf: (type, value) => {
        if (isBytes(type)) return `bytes(${value})`;
        if (isLong(type)) return `BigInt(${value})`;
        return isSpecial(type) ? `Number(${value})` : undefined;
      },
      scope,
      lenient: true,
    },
  });
}

function isBytes(type: FieldType): boolean {
  return type.kind === "scalar" && type.scalar === "bytes";
}

/** Whether a value holds NaN, an infinity or -0. */
function holdsSpecial(value: Value): boolean {
  if (typeof value === "number") return typeof jsonNumber(value) === "string";
  if (Array.isArray(value)) return value.some(holdsSpecial);
  return isRecord(value) && Object.values(value).some(holdsSpecial);
}

function bytes(text: string): Uint8Array {
  return Buffer.from(text, "base64");
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** JSON text is UTF-8 (RFC 8259, section 8.1). A byte order mark is not part of it. */
function strictText(encoded: Uint8Array | string): string {
  if (typeof encoded === "string") return encoded;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(encoded);
  } catch (cause) {
    throw new DecodeError("json", "not valid UTF-8", { cause });
  }
}

/** Checks text against the schema, and that the mapping finds in it all that is there. */
function verify({ schema, int64 }: Dataset, text: string, mapping: Mapping | undefined): void {
  const parsed = parseJson(text);
  if ("problem" in parsed) {
    const { problem, offset, line, column } = parsed;
    const code = offset >= text.length ? "truncated" : "corrupt";
    throw new DecodeError("json", `${problem} (line ${line}, column ${column})`, { code, offset });
  }
  try {
    const areDocuments = schema.documents !== undefined;
    const expected = conform(schema, parsed.value, { form: "json", int64: areDocuments ? "auto" : int64 });
    if (!areDocuments) {
      const plain = mapping?.from === undefined ? parsed.value : mapping.from(parsed.value);
      const read = conform(schema, plain, { form: "plain", int64 });
      // The JSON of protobuf has more names for a field than its own, and only that one is read.
      const difference = firstDifference(expected.value, read.value);
      if (difference !== undefined) throw new DecodeError("json", difference, { code: "unsupported" });
    }
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new DecodeError("json", error.problem, { path: error.path, cause: error });
  }
  // After the check against the schema, which bounds how deep the text is nested.
  const twice = duplicateKey(text);
  if (twice !== undefined) {
    throw new DecodeError("json", `${twice.problem} (line ${twice.line}, column ${twice.column})`, {
      offset: twice.offset,
    });
  }
}

export default defineCodec({
  format: "json",
  library: "node",
  summary: "JSON.stringify to UTF-8 bytes, and JSON.parse from them",
  schemaless: true,
  bind: (dataset) =>
    bindJson(dataset, {
      encode: (text) => Buffer.from(text, "utf8"),
      decode: (encoded) => bufferOf(bytesOf(encoded, "json")).toString("utf8"),
    }),
  variants: {
    string: {
      summary: "JSON.stringify to a string, and JSON.parse from it: no bytes are made",
      schemaless: true,
      bind: (dataset) =>
        bindJson(dataset, {
          encode: (text) => text,
          decode: (encoded) => (typeof encoded === "string" ? encoded : strictText(encoded)),
        }),
    },
  },
});

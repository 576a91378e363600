import { base64, fromBase64, utf8Bytes, utf8Text } from "../formats/bytes/portable.ts";
import { type Binding, bytesOf, direct, type Encoded, type Mapping } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { DecodeError, UnsupportedError, ValueError } from "../model/errors.ts";
import { type FieldType, is64Bit } from "../model/schema.ts";
import { firstDifference, isRecord, type Value, walk } from "../model/value.ts";
import { type CopyRules, compileMapping } from "./generate/copy.ts";
import { compileVisitor } from "./generate/visit.ts";
import { conform } from "./values/conform.ts";
import { parsedText, refuseTwice, strictText } from "./values/json-bytes.ts";
import { jsonNumber } from "./values/json-text.ts";
import { readOutside } from "./values/transcode.ts";

/** How text becomes what goes over the wire, and back. */
interface TextForm {
  encode(text: string): Encoded;
  decode(encoded: Encoded): string;
}

/** Text as UTF-8. */
const UTF8: TextForm = {
  encode: utf8Bytes,
  decode: (encoded) => utf8Text(bytesOf(encoded, "json")),
};

/**
 * A writer of JSON text and JSON.parse, with a mapping before and after them where the schema has what JSON lacks.
 * @param stringify gets values as the mapping leaves them: see {@link heldAs}
 */
export function bindJson(
  dataset: Dataset,
  stringify: (value: unknown) => string,
  text: TextForm = UTF8,
): Binding {
  if (dataset.schema.documents !== undefined) for (const value of dataset.values) refuseLosses(value);
  const mapping = jsonMapping(dataset);
  return direct({
    write: (value) => text.encode(stringify(value)),
    read: (encoded): unknown => JSON.parse(text.decode(encoded)),
    visit: compileVisitor(dataset.schema),
    mapping,
    verify: (encoded) => verify(dataset, strictText("json", encoded), mapping),
  });
}

/** Throws UnsupportedError, with the path, for a number of a document that JSON.stringify changes. */
function refuseLosses(document: Value): void {
  walk(document, (value, path) => {
    if (Object.is(value, -0)) throw new UnsupportedError(`${path()}: JSON.stringify writes -0 as 0`);
  });
}

/** What JSON has in place of a scalar that it lacks; `special` is a number, or the text of one that it cannot write. */
export type JsonHeld = "base64" | "digits" | "special";

/**
 * Tells what stands for a type in JSON, undefined for itself: bytes become base64, bigints decimal strings, and floats
 * that JSON cannot write strings if the values hold any.
 */
export function heldAs({ values, int64 }: Dataset): (type: FieldType) => JsonHeld | undefined {
  // Without values to look at, any float may be special.
  const specials = values.length === 0 || values.some(holdsSpecial);
  return (type) => {
    if (type.kind !== "scalar") return undefined;
    const { scalar } = type;
    if (scalar === "bytes") return "base64";
    if (is64Bit(scalar)) return int64 === "bigint" ? "digits" : undefined;
    return specials && (scalar === "float" || scalar === "double") ? "special" : undefined;
  };
}

function jsonMapping(dataset: Dataset): Mapping | undefined {
  const held = heldAs(dataset);
  const scope = { base64, bytes: fromBase64, jsonNumber };
  const rule = (functions: Readonly<Record<JsonHeld, string>>): CopyRules => ({
    leaf: (type, value) => {
      const as = held(type);
      return as && `${functions[as]}(${value})`;
    },
    scope,
  });
  return compileMapping(dataset.schema, {
    to: rule({ base64: "base64", digits: "String", special: "jsonNumber" }),
    from: { ...rule({ base64: "bytes", digits: "BigInt", special: "Number" }), absent: "null or undefined" },
  });
}

/** Whether a value holds NaN, an infinity or -0. */
function holdsSpecial(value: Value): boolean {
  if (typeof value === "number") return typeof jsonNumber(value) === "string";
  if (Array.isArray(value)) return value.some(holdsSpecial);
  return isRecord(value) && Object.values(value).some(holdsSpecial);
}

/** Checks text against the schema, and that the mapping finds in it all that is there. */
function verify({ schema, int64 }: Dataset, text: string, mapping: Mapping | undefined): void {
  const parsed = parsedText("json", text);
  try {
    const areDocuments = schema.documents !== undefined;
    const expected = conform(
      schema,
      parsed,
      areDocuments ? { form: "json", int64: "auto" } : { form: "text", int64 },
    );
    if (!areDocuments) {
      // It takes less than the JSON of protobuf: digits alone for a bigint.
      const plain = readOutside("json", () => (mapping?.from === undefined ? parsed : mapping.from(parsed)));
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
  refuseTwice("json", text, parsed);
}

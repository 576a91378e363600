import { base64 } from "../../formats/bytes/portable.ts";
import { isRecord, type Value } from "../../model/value.ts";

/**
 * A value as JSON text. What JSON lacks follows the proto3 JSON mapping: integers beyond 2^53 are decimal
 * strings, bytes are base64, NaN and the infinities are strings. So is -0, whose sign JSON.stringify drops.
 */
export function jsonText(value: Value, indent?: number): string {
  return JSON.stringify(jsonReady(value), null, indent);
}

/**
 * {@link jsonText} with two spaces for each level and a line break at its end, in parts: it may outgrow a string.
 * @param leafText of a value without values in it: {@link documentText} for a document
 */
export function* jsonChunks(value: Value, leafText = jsonText): Generator<string> {
  let text = "";
  for (const piece of pieces(value, "\n", leafText)) {
    text += piece;
    if (text.length < CHUNK) continue;
    yield text;
    text = "";
  }
  yield `${text}\n`;
}

const CHUNK = 2 ** 16;

/** @param line a line break and the indentation of the value */
function* pieces(value: Value, line: string, leafText: (leaf: Value) => string): Generator<string> {
  if (Array.isArray(value)) {
    yield* bracketed("[", value, (item, inner) => pieces(item, inner, leafText), "]", line);
  } else if (isRecord(value)) {
    const entryPieces = function* ([key, field]: [string, Value], inner: string): Generator<string> {
      yield `${JSON.stringify(key)}: `;
      yield* pieces(field, inner, leafText);
    };
    // A library may set what is absent to undefined.
    const entries = Object.entries(value).filter(([, field]) => field !== undefined);
    yield* bracketed("{", entries, entryPieces, "}", line);
  } else {
    yield leafText(value);
  }
}

function* bracketed<Item>(
  open: string,
  items: readonly Item[],
  piecesOf: (item: Item, line: string) => Iterable<string>,
  close: string,
  line: string,
): Generator<string> {
  yield open;
  const inner = `${line}  `;
  for (const [index, item] of items.entries()) {
    yield index === 0 ? inner : `,${inner}`;
    yield* piecesOf(item, inner);
  }
  yield items.length === 0 ? close : line + close;
}

/** A document as JSON text that JSON.parse makes the same of: JSON.stringify writes -0 as 0. */
export function documentText(document: Value): string {
  if (Object.is(document, -0)) return "-0";
  if (Array.isArray(document)) return `[${document.map(documentText).join(",")}]`;
  if (!isRecord(document)) return JSON.stringify(jsonReady(document));
  const entries = Object.entries(document).map(
    ([key, field]) => `${JSON.stringify(key)}:${documentText(field)}`,
  );
  return `{${entries.join(",")}}`;
}

/** A value as JSON.stringify takes it. */
export function jsonReady(value: Value): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : String(value);
  }
  if (typeof value === "number") return jsonNumber(value);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Uint8Array) return base64(value);
  if (Array.isArray(value)) return value.map(jsonReady);
  // fromEntries defines fields, so that a key `__proto__` stays a key.
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, jsonReady(field)]));
}

/** A number, or the string that stands for one that JSON cannot write. */
export function jsonNumber(value: number): number | string {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? value : String(value);
}

/** JSON text as bytes, and what bytes from outside must be to pass for it. */
import { utf8Size } from "../../formats/bytes/portable.ts";
import { DecodeError } from "../../model/errors.ts";
import { lengthOfText } from "../read/text-of.ts";
import { duplicateIn, type JsonProblem, parseJson } from "./json-source.ts";

/**
 * JSON text is UTF-8 (RFC 8259, section 8.1). A byte order mark is not part of it. Throws DecodeError.
 * @param format wire format, for errors
 */
export function strictText(format: string, encoded: Uint8Array | string): string {
  if (typeof encoded === "string") return encoded;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(encoded);
  } catch (cause) {
    throw new DecodeError(format, "not valid UTF-8", { cause, offset: lengthOfText(encoded) });
  }
}

/** What JSON.parse makes of a text. Throws DecodeError with the byte, and with the line and the column in UTF-16 units. */
export function parsedText(format: string, text: string): unknown {
  const parsed = parseJson(text);
  if ("problem" in parsed) throw decodeError(format, text, parsed, parsed.offset >= text.length);
  return parsed.value;
}

/**
 * Throws DecodeError for a key that stands twice in an object: JSON.parse keeps the last one in silence.
 * @param parsed what JSON.parse makes of the text
 */
export function refuseTwice(format: string, text: string, parsed: unknown): void {
  const twice = duplicateIn(text, parsed);
  if (twice !== undefined) throw decodeError(format, text, twice, false);
}

function decodeError(
  format: string,
  text: string,
  { problem, offset, line, column }: JsonProblem,
  isCut: boolean,
): DecodeError {
  return new DecodeError(format, `${problem} (line ${line}, column ${column})`, {
    code: isCut ? "truncated" : "corrupt",
    offset: utf8Size(text.slice(0, offset)),
  });
}

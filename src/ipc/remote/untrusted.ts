import { WirebenchError } from "../../model/errors.ts";
import { isRecord, type RecordValue, show } from "../../model/value.ts";

/** What came over a network and is no message of ours. */
export class MessageError extends WirebenchError {}

/** Bytes of the longest control message. */
const MAX_BYTES = 16 * 1024;

/** The object that bytes are the JSON text of. Throws MessageError. */
export function parseObject(bytes: Uint8Array): RecordValue {
  if (bytes.length > MAX_BYTES) {
    throw new MessageError(`message: expected at most ${MAX_BYTES} bytes, got ${bytes.length}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new MessageError("message: expected JSON, got something else");
  }
  if (!isRecord(value)) throw new MessageError(`message: expected an object, got ${show(value)}`);
  return value;
}

/** A field's value, if the object itself has it. */
export function field(from: RecordValue, name: string): unknown {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

/** An object in a field. Throws MessageError. */
export function objectField(from: RecordValue, name: string): RecordValue {
  const value = field(from, name);
  if (isRecord(value)) return value;
  throw unexpected(name, "an object", value);
}

/** A text in a field: a name that can be printed. Throws MessageError. */
export function nameField(from: RecordValue, name: string): string {
  const value = field(from, name);
  if (typeof value === "string" && /^\P{C}{1,200}$/u.test(value)) return value;
  throw unexpected(name, "a name", value);
}

/** A text in a field that is printed and nothing else: in one line, without what moves a terminal's cursor. */
export function reasonField(from: RecordValue, name: string): string {
  const value = field(from, name);
  if (typeof value === "string") return value.replace(/\p{C}+/gu, " ").slice(0, 1000);
  throw unexpected(name, "a text", value);
}

/** A text of some form in a field. Throws MessageError. */
export function formField(from: RecordValue, name: string, form: RegExp): string {
  const value = field(from, name);
  if (typeof value === "string" && form.test(value)) return value;
  throw unexpected(name, `text like ${form.source}`, value);
}

/** A whole number in a field. Throws MessageError. */
export function countField(from: RecordValue, name: string, least: number, most: number): number {
  return count(field(from, name), name, least, most);
}

/** Whole numbers in a field. Throws MessageError. */
export function countsField(
  from: RecordValue,
  name: string,
  { length, most }: { readonly length: number; readonly most: number },
): number[] {
  const value = field(from, name);
  if (!Array.isArray(value) || value.length < 1 || value.length > length) {
    throw unexpected(name, `a list of 1 to ${length}`, value);
  }
  return value.map((item) => count(item, name, 0, most));
}

function count(value: unknown, name: string, least: number, most: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw unexpected(name, `a whole number from ${least} to ${most}`, value);
}

/** What says that a field is not what it should be. */
export function unexpected(name: string, expected: string, value: unknown): MessageError {
  return new MessageError(
    `message: ${name}: expected ${expected}, got ${show(value).replace(/\p{C}+/gu, " ")}`,
  );
}

import { isUtf8 } from "node:buffer";
import { ByteInput } from "../../formats/bytes/input.ts";
import { latin1Slice } from "../../formats/bytes/native.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { type Field, type FieldType, type Int64Mode, messageOf, type Schema } from "../../model/schema.ts";
import { bebopIndexes, bebopScalar } from "../../schema/layout/bebop.ts";
import { MAX_DEPTH } from "../../schema/values/conform.ts";

/** Bytes from which on the library reads text by a TextDecoder, which drops a mark (`minimumTextDecoderLength` of 3.2.3). */
export const DECODED_TEXT = 300;

/**
 * Throws DecodeError unless bytes are a message of a schema and nothing more: every length fits into the bytes that are there,
 * text is UTF-8, bools are 0 or 1, no field and no key of a map stands twice, and none is unknown.
 */
export class BebopCheck {
  readonly #schema: Schema;
  readonly #int64: Int64Mode;
  readonly #fields: ReadonlyMap<string, ReadonlyMap<number, Field>>;

  constructor(schema: Schema, int64: Int64Mode) {
    this.#schema = schema;
    this.#int64 = int64;
    this.#fields = bebopIndexes(schema);
  }

  /** Checks a whole message. */
  whole(bytes: Uint8Array): void {
    const input = new ByteInput("bebop", bytes, Number.POSITIVE_INFINITY);
    this.#message(input, messageOf(this.#schema, this.#schema.root).name, 1);
    input.expectEnd();
  }

  #message(input: ByteInput, name: string, depth: number): void {
    if (depth > MAX_DEPTH) input.fail(`nested deeper than ${MAX_DEPTH} messages`, { code: "limit" });
    const length = uint32(input);
    input.need(length);
    const end = input.at + length;
    const fields = this.#fields.get(name)!;
    const seen = new Set<number>();
    for (;;) {
      input.need(1);
      const at = input.at;
      const index = input.bytes[input.at++]!;
      if (index === 0) break;
      const field = fields.get(index);
      if (field === undefined) input.fail(`unknown field ${index} of ${name}`, { at, code: "unsupported" });
      if (seen.has(index)) input.fail(`field ${index} of ${name} stands twice`, { at });
      seen.add(index);
      this.#field(input, field, depth);
    }
    if (input.at !== end) input.fail(`message of ${inBytes(length)} ends elsewhere`);
  }

  #field(input: ByteInput, { type, repetition }: Field, depth: number): void {
    if (repetition.kind === "one") {
      this.#value(input, type, depth);
      return;
    }
    const isMap = repetition.kind === "map";
    const key: FieldType | undefined = isMap ? { kind: "scalar", scalar: repetition.key } : undefined;
    const count = uint32(input);
    // An empty message takes five bytes.
    input.need(count * (leastOf(type) + (key === undefined ? 0 : leastOf(key))));
    const keys = new Set<string>();
    for (let i = 0; i < count; i++) {
      if (key !== undefined) {
        const from = input.at;
        this.#value(input, key, depth, true);
        const text = latin1Slice.call(input.bytes, from, input.at);
        if (keys.has(text)) input.fail("a key of a map stands twice", { at: from });
        keys.add(text);
      }
      this.#value(input, type, depth);
    }
  }

  #value(input: ByteInput, type: FieldType, depth: number, isKey = false): void {
    const scalar = bebopScalar(type);
    if (scalar === undefined) {
      this.#message(input, (type as { readonly name: string }).name, depth + 1);
      return;
    }
    const { bytes = uint32(input), method } = scalar;
    input.need(bytes);
    const at = input.at;
    input.at += bytes;
    if (type.kind !== "scalar") return;
    if (type.scalar === "bool" && input.bytes[at]! > 1) input.fail("expected 0 or 1 for a bool", { at });
    if (type.scalar === "string") checkText(input, at);
    // A key of any width is text.
    if (isKey || scalar.bytes !== 8 || this.#int64 !== "number" || method.startsWith("Float")) return;
    const value = method === "Int64" ? input.view.getBigInt64(at, true) : input.view.getBigUint64(at, true);
    if (Number.isSafeInteger(Number(value))) return;
    input.fail(`${value} is beyond 2^53, expected a safe integer`, { at, code: "unsupported" });
  }
}

function checkText(input: ByteInput, at: number): void {
  const text = input.bytes.subarray(at, input.at);
  if (!isUtf8(text)) input.fail("text is not valid UTF-8", { at });
  if (text.length >= DECODED_TEXT && text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf) {
    input.fail("text starts with a byte order mark, which would be lost", { at, code: "unsupported" });
  }
}

function uint32(input: ByteInput): number {
  input.need(4);
  input.at += 4;
  return input.view.getUint32(input.at - 4, true);
}

function leastOf(type: FieldType): number {
  const scalar = bebopScalar(type);
  return scalar === undefined ? 5 : (scalar.bytes ?? 4);
}

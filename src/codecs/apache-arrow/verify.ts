import { isUtf8 } from "node:buffer";
import type { DataType, Field, Schema } from "apache-arrow";
import { flatbufferVerifier } from "../../formats/flatbuffers-verifier/index.ts";
import { DecodeError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { pathText } from "../../model/value.ts";
import { MAX_DECODED_VALUES } from "../../schema/values/conform.ts";
import { type Library, sameType } from "./column.ts";
import { messageShape } from "./metadata.ts";

/** What a record batch says of its body. The library does not export the class. */
interface BatchHeader {
  readonly length: number;
  readonly nodes: readonly { readonly length: number; readonly nullCount: number }[];
  readonly buffers: readonly { readonly offset: number; readonly length: number }[];
  readonly compression: unknown;
}

/** Before the length of each message's metadata since version 0.15 of the format. */
const CONTINUATION = 0xffffffff;

const verifyMetadata = flatbufferVerifier(messageShape, { lenient: true });

/**
 * Checks that bytes are one stream of Arrow (Columnar Format 1.5, "IPC Streaming Format"): a schema of these columns, record
 * batches, and the mark of its end. Buffers lie in their bodies and are as long as their columns, offsets do not go back, text
 * is UTF-8, and rows are absent only where a column may have gaps. Throws DecodeError, and what the library throws.
 */
export function verifyArrow(library: Library, bytes: Uint8Array, expected: Schema): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  let values = 0;
  for (let index = 0; ; index++) {
    if (bytes.length - at < 8) fail("the mark of its end is missing", bytes.length, "truncated");
    if (view.getUint32(at, true) !== CONTINUATION) fail("expected ff ff ff ff before a message", at);
    const length = view.getInt32(at + 4, true);
    at += 8;
    if (length === 0 && index > 0) break;
    if (length <= 0 || length % 8 !== 0) fail(`metadata of ${inBytes(length)}`, at - 4);
    if (length > bytes.length - at) fail(`metadata of ${inBytes(length)} is cut`, at, "truncated");
    const metadata = bytes.subarray(at, at + length);
    verifyMetadata(metadata);
    const message = library.Message.decode(metadata);
    at += length;
    if (message.isSchema() !== (index === 0))
      fail(index === 0 ? "expected a schema first" : "a second schema", at);
    const size = message.bodyLength;
    if (size < 0 || size % 8 !== 0) fail(`a body of ${inBytes(size)}`, at);
    if (size > bytes.length - at) fail(`a body of ${inBytes(size)} is cut`, at, "truncated");
    if (index === 0) {
      if (size > 0) fail("a schema with a body", at);
      expectSchema(library, expected, message.header() as unknown as Schema, at - length);
    } else {
      const body = new BatchBody(
        library,
        bytes.subarray(at, at + size),
        at,
        message.header() as unknown as BatchHeader,
      );
      values += body.check(expected.fields);
      if (values > MAX_DECODED_VALUES) fail(`more than ${MAX_DECODED_VALUES} values`, at, "limit");
    }
    at += size;
  }
  if (at !== bytes.length) fail(`${inBytes(bytes.length - at)} after its end`, at);
}

/** @param at byte of its metadata */
function expectSchema(library: Library, expected: Schema, actual: Schema, at: number): void {
  const types = (schema: Schema): string =>
    schema.fields.map(({ name, type }) => `${name}: ${type}`).join(", ");
  const isSame = sameType(library, new library.Struct(expected.fields), new library.Struct(actual.fields));
  if (!isSame) fail(`expected the columns ${types(expected)}, got ${types(actual)}`, at, "unsupported");
}

function fail(problem: string, offset: number, code: DecodeError["code"] = "corrupt"): never {
  throw new DecodeError("arrow", problem, { offset, code });
}

/** One pass over the columns of a record batch, as its nodes and buffers say. */
class BatchBody {
  readonly #library: Library;
  readonly #body: Uint8Array;
  readonly #view: DataView;
  readonly #header: BatchHeader;
  readonly #path: string[] = [];
  /** Where the body begins, and the buffer in it that was met last. */
  readonly #start: number;
  #at = 0;
  #node = 0;
  #buffer = 0;
  #values = 0;

  constructor(library: Library, body: Uint8Array, start: number, header: BatchHeader) {
    this.#library = library;
    this.#body = body;
    this.#start = start;
    this.#view = new DataView(body.buffer, body.byteOffset, body.length);
    this.#header = header;
  }

  /** How many values it has. */
  check(fields: readonly Field[]): number {
    const { length, nodes, buffers, compression } = this.#header;
    if (compression) this.#fail("its buffers are compressed", "unsupported");
    for (const field of fields) this.#column(field, length);
    if (this.#node !== nodes.length || this.#buffer !== buffers.length)
      this.#fail(
        `${nodes.length} nodes and ${buffers.length} buffers, expected ${this.#node} and ${this.#buffer}`,
      );
    return this.#values;
  }

  /** @param rows how many there are at least; exactly, but for what is in lists */
  #column({ name, type, nullable }: Field, rows: number, within: "struct" | "list" = "struct"): number {
    this.#path.push(name);
    const node = this.#header.nodes[this.#node++];
    if (node === undefined) this.#fail("a node is missing");
    const { length, nullCount } = node!;
    if (length < rows || (within === "struct" && length > rows))
      this.#fail(`${length} rows, expected ${rows}`);
    if (nullCount < 0 || nullCount > length) this.#fail(`${nullCount} of ${length} rows are null`);
    if (nullCount > 0 && !nullable) this.#fail("a row is null, and none may be");
    this.#values += length;
    if (this.#values > MAX_DECODED_VALUES) this.#fail(`more than ${MAX_DECODED_VALUES} values`, "limit");
    const bitmap = this.#range(nullCount > 0 ? Math.ceil(length / 8) : 0);
    if (nullCount > 0 && this.#zeroBits(bitmap.offset, length) !== nullCount)
      this.#fail(`the rows that are null are not ${nullCount}`);
    this.#content(type, length);
    this.#path.pop();
    return length;
  }

  #content(type: DataType, length: number): void {
    const { DataType: is } = this.#library;
    if (is.isStruct(type)) {
      for (const child of type.children) this.#column(child, length);
    } else if (is.isList(type)) {
      this.#column(type.children[0]!, this.#offsets(length).last, "list");
    } else if (is.isMap(type)) {
      this.#column(type.children[0]!, this.#offsets(length).last, "list");
    } else if (is.isUtf8(type)) {
      const { at, last } = this.#offsets(length);
      this.#texts(at, length, this.#range(last).offset);
    } else if (is.isBinary(type)) {
      this.#range(this.#offsets(length).last);
    } else {
      const bits = is.isBool(type)
        ? 1
        : 8 * (type as unknown as { ArrayType: Int8ArrayConstructor }).ArrayType.BYTES_PER_ELEMENT;
      this.#range(Math.ceil((length * bits) / 8));
    }
  }

  /** The next buffer, which has at least so many bytes. */
  #range(least: number): { readonly offset: number; readonly length: number } {
    const range = this.#header.buffers[this.#buffer++];
    if (range === undefined) return this.#fail("a buffer is missing");
    const { offset, length } = range;
    if (offset < 0 || length < 0 || offset + length > this.#body.length)
      this.#fail(`a buffer at ${offset} of ${inBytes(length)} is outside the body`);
    if (offset % 8 !== 0) this.#fail(`a buffer at ${offset} is not aligned`);
    this.#at = offset;
    if (length < least) this.#fail(`a buffer of ${inBytes(length)}, expected ${least}`);
    return range;
  }

  /** The next buffer, of offsets: where it is, and the last of them. */
  #offsets(rows: number): { readonly at: number; readonly last: number } {
    const { offset, length } = this.#range(rows === 0 ? 0 : 4 * (rows + 1));
    let last = 0;
    if (length >= 4) last = this.#view.getInt32(offset, true);
    if (last < 0) this.#fail(`an offset of ${last}`);
    for (let row = 1; row <= rows; row++) {
      this.#at = offset + 4 * row;
      const next = this.#view.getInt32(this.#at, true);
      if (next < last) this.#fail(`an offset of ${next} after ${last}`);
      last = next;
    }
    return { at: offset, last: rows === 0 ? 0 : last };
  }

  #texts(offsets: number, rows: number, data: number): void {
    for (let row = 0; row < rows; row++) {
      const from = data + this.#view.getInt32(offsets + 4 * row, true);
      const to = data + this.#view.getInt32(offsets + 4 * (row + 1), true);
      const text = this.#body.subarray(from, to);
      this.#at = from;
      if (!isUtf8(text)) this.#fail(`the text of row ${row} is not UTF-8`);
      if (text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf)
        this.#fail(`the library takes the byte order mark off the text of row ${row}`, "unsupported");
    }
  }

  #zeroBits(offset: number, length: number): number {
    let zeros = 0;
    for (let row = 0; row < length; row++) {
      if ((this.#body[offset + (row >> 3)]! & (1 << (row & 7))) === 0) zeros += 1;
    }
    return zeros;
  }

  #fail(problem: string, code: DecodeError["code"] = "corrupt"): never {
    throw new DecodeError("arrow", problem, {
      path: pathText(this.#path),
      offset: this.#start + this.#at,
      code,
    });
  }
}

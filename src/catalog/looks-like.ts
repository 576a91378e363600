import { textOf } from "../schema/read/text-of.ts";
import { withoutComments } from "../schema/values/json-comments.ts";

/** What a FileDescriptorSet begins with: a file, and its name. */
const SET = /^\n.{1,4}\n.[\w./+-]+\.proto[^\w.]/s;
const LONGEST_NAME = 256;

/** First bytes of formats that data may be in and that are not read here. */
const BEGINNINGS: readonly (readonly [name: string, hex: string])[] = [
  ["gzip", "1f8b"],
  ["Zstandard", "28b52ffd"],
  ["bzip2", "425a68"],
  ["xz", "fd377a585a00"],
  ["LZ4", "04224d18"],
  ["a ZIP archive", "504b0304"],
  ["Parquet", "50415231"],
  ["an Avro file", "4f626a01"],
  ["Arrow", "4152524f5731"],
  ["SQLite", "53514c69746520666f726d61742033"],
  ["UTF-16", "fffe"],
  ["UTF-16", "feff"],
  ["a PNG image", "89504e47"],
  ["an ELF program", "7f454c46"],
  ["PDF", "25504446"],
];

/** How text in units of more than a byte begins, without a mark of its order. */
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are the bytes of each unit that ASCII leaves zero.
const WIDE: readonly (readonly [name: string, units: RegExp])[] = [
  ["UTF-16", /^([\t\r\n -~]\0){4}|^(\0[\t\r\n -~]){4}/],
  ["UTF-32", /^([\t\r\n -~]\0{3}){2}|^(\0{3}[\t\r\n -~]){2}/],
];
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: see above

/** Bytes of a file that are looked at where it is read in parts. */
export const LOOKED_AT = 1 << 16;

/** What a file begins with. */
export interface Beginning {
  readonly bytes: Uint8Array;
  /** Whether the file has no more. */
  readonly isAll: boolean;
  /** Bytes of the whole file, where they are known. */
  readonly size?: number;
}

/** The beginning of a file of which at least one byte more than is looked at was read, if it has so many. In memory of its own. */
export function beginningOf(bytes: Uint8Array): Beginning {
  return { bytes: new Uint8Array(bytes.subarray(0, LOOKED_AT)), isAll: bytes.length <= LOOKED_AT };
}

/** What is read here, and what each is called for one who gave it as something else. */
const READ = {
  json: "JSON: call it .json",
  commented: "JSON with comments: call it .jsonc",
  lines: "NDJSON: call it .ndjson",
  text: "protobuf text (call it .txtpb) or YAML",
  delimited: "protobuf messages after their lengths: --delimited",
  binary: "binary data: an encoded message is called .bin",
  set: "a FileDescriptorSet, which is a schema",
  ".proto": "a .proto schema",
  ".fbs": "a .fbs schema",
  ".capnp": "a .capnp schema",
  ".h": "a C header, which is a schema",
} as const;

/** A format that is read here. */
export type ReadFormat = keyof typeof READ;

/**
 * The format that the beginning of a file looks like, which could not be read as another; undefined where it looks like none.
 * @param not formats that it was read as, and which it is then not told to be
 */
export function looksLike(beginning: Beginning, ...not: readonly ReadFormat[]): string | undefined {
  const { buffer, byteOffset, length } = beginning.bytes;
  const start = Buffer.from(buffer, byteOffset, Math.min(length, LOOKED_AT));
  const known = BEGINNINGS.find(([, hex]) => start.toString("hex", 0, hex.length / 2) === hex);
  if (known !== undefined) return known[0];
  const wide = WIDE.find(([, units]) => units.test(start.toString("latin1", 0, 16)));
  if (wide !== undefined) return wide[0];
  const format = formatOf(beginning, start, not);
  if (format === undefined || !isRead(format)) return format;
  return not.includes(format) ? undefined : READ[format];
}

function isRead(format: string): format is ReadFormat {
  return Object.hasOwn(READ, format);
}

function formatOf(beginning: Beginning, start: Buffer, not: readonly ReadFormat[]): string | undefined {
  if (SET.test(start.toString("latin1", 0, LONGEST_NAME))) return "set" satisfies ReadFormat;
  // Of a longer file a character may be cut.
  const isCut = !beginning.isAll || beginning.bytes.length > LOOKED_AT;
  const end = isCut ? start.lastIndexOf(0x0a) + 1 : 0;
  const text = textOf(start.subarray(0, end || start.length));
  const isText = text !== undefined && !CONTROL.test(text);
  const read = isText ? (jsonFormat(text) ?? schemaFormat(text, not)) : undefined;
  if (read !== undefined) return read;
  const framed = FRAMES.find((frame) => proofsOf(beginning, frame) >= (beginning.isAll ? 1 : 2));
  if (framed !== undefined) return framed.name;
  if (isDelimited(beginning)) return "delimited" satisfies ReadFormat;
  if (isText) return looksLikeText(text);
  if (start.some((byte) => byte < 0x09)) return "binary" satisfies ReadFormat;
  return isSingleByteText(start) ? "text in Latin-1 or Windows-1252" : undefined;
}

/** Least share of ASCII in text of most languages with Latin letters; bytes at random have half. */
const MOSTLY = 0.7;

/** Whether bytes that are no UTF-8 are mostly ASCII, and hold no control characters. */
function isSingleByteText(bytes: Buffer): boolean {
  const ascii = bytes.reduce((sum, byte) => sum + Number(byte < 0x80), 0);
  return ascii >= MOSTLY * bytes.length && !CONTROL.test(bytes.toString("latin1"));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what text has none of.
const CONTROL = /[\x00-\x08\x0e-\x1f]/;

function jsonFormat(text: string): string | undefined {
  const bare = withoutComments(text);
  if (/^\s*\{\s*[A-Za-z_]\w*\s*:/.test(bare))
    return "JSON whose keys have no quotes, which JSON wants (flatc: --strict-json)";
  if (!/^\s*(\{\s*["}]|\[\s*[\]"{[\d-])/.test(bare)) return undefined;
  if (bare !== text) return "commented" satisfies ReadFormat;
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length > 1 && lines.slice(0, 2).some(isJson)) return "lines" satisfies ReadFormat;
  return "json" satisfies ReadFormat;
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** The language of a schema by declarations that the others lack: one that it was read as before all others. */
function schemaFormat(text: string, not: readonly ReadFormat[]): ReadFormat | undefined {
  const found = SCHEMAS.filter(([, declaration]) => declaration.test(text)).map(([format]) => format);
  return found.find((format) => not.includes(format)) ?? found[0];
}

/** By what lines begin with: what stood for line breaks too would go through all blank lines for each. */
const SCHEMAS: readonly (readonly [ReadFormat, RegExp])[] = [
  [".capnp", /^[ \t]*@0x[0-9a-fA-F]{16}\s*;/m],
  [".proto", /^[ \t]*(syntax|edition)\s*=\s*["'](proto[23]|\d{4})["']\s*;|^[ \t]*message\s+\w+\s*\{/m],
  [".h", /^[ \t]*#\s*(include|define|ifndef|ifdef|pragma)\b/m],
  [".fbs", /^[ \t]*(table\s+\w+\s*[({]|root_type\s+[\w.]+\s*;|namespace\s+[\w.]+\s*;)/m],
  [".h", /^[ \t]*(typedef\s+)?struct(\s+\w+)?\s*\{[^:@]*;/m],
];

function looksLikeText(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(#.*)?$/.test(line));
  const [first = "", second = ""] = lines;
  if (/^\s*</.test(first)) return /^\s*<(!doctype html|html)/i.test(first) ? "HTML" : "XML";
  if (isYaml(lines)) return "YAML";
  for (const [name, mark] of SEPARATORS) {
    const columns = first.split(mark).length;
    if (columns > 1 && second.split(mark).length === columns && !/[{}]|;\s*$/.test(first)) return name;
  }
  if (/^\s*[\w.[\]/]+\s*(:\s*[^\s].*|[:{<]\s*)$/.test(first)) return "text" satisfies ReadFormat;
  if (/^[A-Za-z0-9+/_-]{16,}={0,2}$/.test(first))
    return /^[0-9a-fA-F]+$/.test(first) ? "hexadecimal" : "base64";
  return undefined;
}

/** Whether lines have what protobuf text has none of: dashes, parts by indentation alone, texts without quotes. */
function isYaml(lines: readonly string[]): boolean {
  const [first = ""] = lines;
  if (/^(---(\s|$)|%YAML)/.test(first)) return true;
  if (!/^(- +)?[\w$./-]+ *:( |$)/.test(first)) return false;
  return lines.some((line, i) => {
    if (
      /^\s*- /.test(line) ||
      /^\s*(- +)?[\w$./-]+ *: +(?!(true|false|inf|nan|t|f)\b)[a-z][^"'{}<>;,]*$/.test(line)
    )
      return true;
    return /^\s*[\w$./-]+ *:\s*$/.test(line) && /^\s+(- |[\w$./-]+ *:)/.test(lines[i + 1] ?? "");
  });
}

const SEPARATORS: readonly (readonly [string, string])[] = [
  ["CSV", ","],
  ["CSV with semicolons", ";"],
  ["TSV", "\t"],
];

/** Whether bytes are the fields of one protobuf message, whichever they are; of a beginning the last one may be cut. */
export function isMessage({ bytes, isAll }: Beginning): boolean {
  let at = 0;
  while (at < bytes.length) {
    const tag = varintAt(bytes, at);
    if (tag === undefined) return !isAll && isNearEnd(bytes, at);
    if (tag.value < 8) return false;
    at = tag.end;
    const wireType = tag.value % 8;
    if (wireType === 0 || wireType === 2) {
      const varint = varintAt(bytes, at, wireType === 0 ? 10 : 5);
      if (varint === undefined) return !isAll && isNearEnd(bytes, at);
      at = varint.end + (wireType === 2 ? varint.value : 0);
    } else if (wireType === 1 || wireType === 5) at += wireType === 1 ? 8 : 4;
    else if (wireType !== 3 && wireType !== 4) return false;
  }
  return isAll ? at === bytes.length && at > 0 : true;
}

/** Whether a varint may be cut by the end of what is looked at. */
function isNearEnd(bytes: Uint8Array, at: number): boolean {
  return bytes.length - at < 10;
}

function varintAt(
  bytes: Uint8Array,
  at: number,
  longest = 5,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0;
  for (let i = 0; i < longest; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, end: at + i + 1 };
  }
  return undefined;
}

/**
 * Whether bytes are several parts, each after its length as a varint. The end of a file proves it; parts of a beginning have to be
 * messages too, since of any bytes some are lengths.
 */
function isDelimited({ bytes, isAll }: Beginning): boolean {
  let count = 0;
  for (let at = 0; at < bytes.length; count++) {
    const length = varintAt(bytes, at);
    if (length === undefined) return !isAll && count > 1 && isNearEnd(bytes, at);
    at = length.end + length.value;
    if (at > bytes.length) return !isAll && count > 1;
    const part = bytes.subarray(length.end, at);
    if (!isAll && part.length > 0 && !isMessage({ bytes: part, isAll: true })) return false;
  }
  return count > 1;
}

/** What stands around each message where programs frame them otherwise than is read here. */
interface Frame {
  readonly name: string;
  /** Bytes in front of a message, and behind it. */
  readonly head: number;
  readonly tail: number;
  /** Length of a message in bytes, by what is in front of it; undefined where that is of another frame. */
  length(head: DataView): number | undefined;
  /** Whether what is in front of a message is proof by itself. */
  isSure?(head: DataView): boolean;
}

const FRAMES: readonly Frame[] = [
  {
    name: "messages of gRPC, each behind 5 bytes",
    head: 5,
    tail: 0,
    length: (head) => (head.getUint8(0) < 2 ? head.getUint32(1) : undefined),
  },
  {
    name: "TFRecord",
    head: 12,
    tail: 4,
    length: (head) => (head.getUint32(4) === 0 ? head.getUint32(0, true) : undefined),
    isSure: (head) => head.getUint32(8, true) === maskedSum(head, 8),
  },
  ...[false, true].map((isLittle) => ({
    name: "messages after lengths of 4 bytes",
    head: 4,
    tail: 0,
    length: (head: DataView) => head.getUint32(0, isLittle),
  })),
];

/** The frames that a file of several messages has, whatever else it may be read as; undefined where it has none. */
export function framesOf(beginning: Beginning): string | undefined {
  return FRAMES.find((frame) => proofsOf(beginning, frame) >= 2)?.name;
}

/**
 * What speaks for bytes being nothing but messages in such frames: each that is not empty, and two for a frame that is sure. None where the
 * first is empty, and where the end of a file is not that of a message; two where a message that goes on has the end of the file.
 */
function proofsOf({ bytes, isAll, size: whole }: Beginning, { head, tail, length, isSure }: Frame): number {
  let at = 0;
  let proofs = 0;
  while (at + head <= bytes.length) {
    const front = new DataView(bytes.buffer, bytes.byteOffset + at, head);
    const size = length(front);
    if (size === undefined || (at === 0 && size === 0)) return 0;
    at += head + size + tail;
    if (isSure?.(front) === true) proofs += 2;
    else if (size > 0 && at <= bytes.length) proofs += 1;
    else if (at === whole) proofs += 2;
  }
  return isAll && at !== bytes.length ? 0 : proofs;
}

/** The sum that a TFRecord has of some of its bytes: their CRC-32C, rotated and shifted by a constant. */
function maskedSum(bytes: DataView, length: number): number {
  let sum = 0xffffffff;
  for (let at = 0; at < length; at++) {
    sum ^= bytes.getUint8(at);
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ ((sum & 1) * 0x82f63b78);
  }
  sum = ~sum;
  return (((sum >>> 15) | (sum << 17)) + 0xa282ead8) >>> 0;
}

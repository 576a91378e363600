import { textOf } from "./json-document.ts";

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

/** Bytes of a file that are looked at. */
const LOOKED_AT = 1 << 16;

/** The format that bytes look like, which were read as none of those that are supported; undefined where they look like none. */
export function looksLike(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, LOOKED_AT));
  const known = BEGINNINGS.find(([, hex]) => start.toString("hex", 0, hex.length / 2) === hex);
  if (known !== undefined) return known[0];
  if (isDelimited(bytes)) return "protobuf messages after their lengths: --delimited";
  // A character may be cut.
  const text = textOf(start.subarray(0, start.lastIndexOf(0x0a) + 1 || start.length));
  return text === undefined || text.includes("\0") ? undefined : looksLikeText(text);
}

function looksLikeText(text: string): string | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const [first = "", second = ""] = lines;
  if (/^\s*</.test(first)) return /^\s*<(!doctype html|html)/i.test(first) ? "HTML" : "XML";
  if (/^---\s*$/.test(first)) return "YAML";
  for (const [name, mark] of SEPARATORS) {
    const columns = first.split(mark).length;
    if (columns > 1 && second.split(mark).length === columns && !/[{}]/.test(first)) return name;
  }
  if (/^\s*[\w.[\]/]+\s*(:\s*[^\s].*|[:{<]\s*)$/.test(first)) return "protobuf text (call it .txtpb) or YAML";
  if (/^[A-Za-z0-9+/_-]{16,}={0,2}$/.test(first))
    return /^[0-9a-fA-F]+$/.test(first) ? "hexadecimal" : "base64";
  return undefined;
}

const SEPARATORS: readonly (readonly [string, string])[] = [
  ["CSV", ","],
  ["CSV with semicolons", ";"],
  ["TSV", "\t"],
];

/** Whether bytes are several parts, each after its length as a varint. */
function isDelimited(bytes: Uint8Array): boolean {
  let count = 0;
  for (let at = 0; at < bytes.length; count++) {
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      if (byte === undefined || shift > 28) return false;
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    at += length;
    if (at > bytes.length) return false;
  }
  return count > 1;
}

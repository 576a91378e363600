import { encode, toObject } from "flatbuffers/js/flexbuffers.js";
import { verifyFlexBuffer } from "../formats/flexbuffers-verifier/index.ts";
import { type Binding, defineCodec } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { shortPath } from "../model/errors.ts";
import { type FieldType, integerOf, is64Bit } from "../model/schema.ts";
import { isRecord, pathText, show } from "../model/value.ts";
import { type CopyRules, compileMapping } from "../schema/generate/copy.ts";
import { refuseChanged } from "../schema/given-back.ts";
import { mapped, SHARED_ITEMS } from "../schema/mapped.ts";
import { pageCode } from "../schema/page-code.ts";
import { MAX_DEPTH } from "../schema/values/conform.ts";

/** JSON of any kind is in a message, and that in a list. */
const DEPTH = 1000 + 2 * MAX_DEPTH;

/**
 * It writes a float of four bytes where one beside it takes eight, and reads eight; NaN comes back as null, and -0 as 0; in a
 * map or list with a number that takes eight bytes (an integer of more than 32 bits, 1.1) it finds no text, no bytes and no
 * message; a list of texts with one of more than 255 bytes is not read (flatbuffers 25.9.23).
 */
function bindFlexBuffers(dataset: Dataset): Binding {
  const binding = mapped(dataset, {
    format: "flexbuffers",
    write: (value) => encode(value),
    read: (bytes): unknown => toObject(ownBuffer(bytes)),
    mapping: compileMapping(dataset.schema, mappingRules(dataset)),
    verify: (bytes) => verifyFlexBuffer(bytes, { depth: DEPTH, items: bytes.length + SHARED_ITEMS }),
    shares: true,
  });
  return refuseChanged("flexbuffers", binding, dataset.values, (built) => whyNotRead(built, []));
}

/** The path of the innermost list or map that the library does not read back, and why. */
function whyNotRead(container: unknown, path: readonly (string | number)[]): string {
  const items = itemsOf(container);
  const inner = items.find(([, item]) => !isRead(item));
  if (inner !== undefined) return whyNotRead(inner[1], [...path, inner[0]]);
  const values = items.map(([, item]) => item);
  return `${shortPath(pathText(path)) || "value"}: ${reasonOf(values)}`;
}

function reasonOf(items: readonly unknown[]): string {
  const hasOffsets = items.some(
    (item) => typeof item === "string" || (item !== null && typeof item === "object"),
  );
  const wide = items.find(isWide);
  if (wide !== undefined && hasOffsets)
    return `texts, lists and messages beside a number of 64 bits, ${show(wide)}, are not read`;
  if (items.some((item) => typeof item === "string" && new TextEncoder().encode(item).length > SHORT_TEXT))
    return `a list of texts with one of more than ${SHORT_TEXT} bytes is not read`;
  return "it is written and cannot be read";
}

/** Bytes of a text whose length takes one byte. */
const SHORT_TEXT = 255;

/** Whether a number takes eight bytes, and all beside it with it. */
function isWide(item: unknown): boolean {
  if (typeof item === "bigint") return true;
  if (typeof item !== "number") return false;
  return Number.isInteger(item)
    ? item > 0x7fffffff || item < -0x80000000
    : !Object.is(Math.fround(item), item);
}

function itemsOf(item: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(item)) return item.map((element, index) => [index, element]);
  return isRecord(item) ? Object.entries(item) : [];
}

function isRead(value: unknown): boolean {
  try {
    toObject(ownBuffer(encode(value)));
    return true;
  } catch {
    return false;
  }
}

/**
 * A number comes back as a bigint where one beside it takes 64 bits, and is written as one only if it takes 64 bits:
 * `setInt8` throws for a bigint.
 */
function mappingRules({ int64 }: Dataset): { readonly to?: CopyRules; readonly from: CopyRules } {
  const isBigint = (type: FieldType): boolean =>
    type.kind === "scalar" && is64Bit(type.scalar) && int64 === "bigint";
  const isNumber = (type: FieldType): boolean =>
    type.kind === "enum" ||
    !["bool", "string", "bytes"].includes(type.kind === "scalar" ? type.scalar : "bool");
  const to: CopyRules = {
    leaf: (type, value) => (isBigint(type) ? `short(${value})` : undefined),
    scope: { short },
  };
  const from: CopyRules = {
    leaf: (type, value) => {
      if (!isBigint(type)) return isNumber(type) ? `Number(${value})` : undefined;
      const isSigned = type.kind === "scalar" && integerOf(type.scalar)?.signed === true;
      return isSigned ? `BigInt(${value})` : `BigInt.asUintN(64, BigInt(${value}))`;
    },
    absent: "null or undefined",
  };
  return int64 === "bigint" ? { to, from } : { from };
}

/** A bigint as a number where it fits 32 bits. */
function short(value: bigint): bigint | number {
  return value >= -0x80000000n && value <= 0x7fffffffn ? Number(value) : value;
}

/** The library takes no view, and reads from the end of what it gets. */
function ownBuffer(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteLength } = bytes;
  return (byteLength === buffer.byteLength ? buffer : new Uint8Array(bytes).buffer) as ArrayBuffer;
}

export default defineCodec({
  format: "flexbuffers",
  library: "flatbuffers",
  // Its library comes with wirebench, for another codec: one codec of a library is measured unless more are named.
  tried: "25.9.23",
  schemaless: true,
  traits: ["self-describing", "evolves", "binary"],
  summary:
    "encode and toObject, equal texts and keys written once; it fails for what stands beside a number of 64 bits, for floats of both widths, and for lists of texts of over 255 bytes",
  bind: bindFlexBuffers,
  page: () =>
    pageCode(
      'import * as flexbuffers from "flatbuffers/js/flexbuffers.js";',
      "flexbuffers.encode",
      "(bytes) => flexbuffers.toObject(new Uint8Array(bytes).buffer)",
    ),
});

import { checkExtent, decodePickle, encodePickle, type Protocol } from "../../formats/python-pickle/index.ts";
import { type Binding, bytesOf, type CodecVariant, defineCodec } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { DecodeError, ValueError } from "../../model/errors.ts";
import { type Int64Mode, is64Bit, type Schema } from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { type CopyRules, changesValues, compileCopier } from "../../schema/generate/copy.ts";
import { compileVisitor } from "../../schema/generate/visit.ts";
import { conform, MAX_DEPTH } from "../../schema/values/conform.ts";

/** A level for each message, and one for the list or map that it is in. */
const DEPTH = 2 * MAX_DEPTH;

/** Values that references may stand for beyond one for each byte; each takes about 64 bytes once it is copied. */
const SHARED_ITEMS = 200_000;

function bindPickle({ schema, int64 }: Dataset, protocol: Protocol): Binding<Value, unknown> {
  const options = { protocol, depth: DEPTH };
  const visit = compileVisitor(schema);
  const conversion = int64 === "bigint" ? compileBigints(schema) : undefined;
  const plain = conversion ?? ((value: unknown) => value as Value);
  // Bytes that are read without `verify` are our own.
  const limits = { depth: DEPTH, items: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
  const read = (bytes: Uint8Array): unknown => decodePickle(bytes, limits);
  return {
    build: (value) => value,
    write: (value) => encodePickle(value, options),
    read: (encoded) => read(bytesOf(encoded, "python-pickle")),
    plain,
    access: (encoded) => visit(plain(read(bytesOf(encoded, "python-pickle")))),
    text: "utf16",
    direct: { build: true, plain: conversion === undefined },
    verify: (encoded) => {
      const bytes = bytesOf(encoded, "python-pickle");
      const value = decodePickle(bytes, { depth: DEPTH, items: bytes.length });
      checkExtent(value, { depth: DEPTH, items: bytes.length + SHARED_ITEMS, cycles: false });
      if (conversion !== undefined) expectSchema(schema, int64, value);
    },
  };
}

/** Every 64-bit integer as a bigint; undefined for a schema without them. An `int` is read as a number where it is one. */
function compileBigints(schema: Schema): ((value: unknown) => Value) | undefined {
  const rules: CopyRules = {
    leaf: (type, value) => (type.kind === "scalar" && is64Bit(type.scalar) ? `BigInt(${value})` : undefined),
  };
  return changesValues(schema, rules) ? compileCopier<unknown, Value>(schema, rules) : undefined;
}

/** Throws a DecodeError for what the conversion would stumble over. */
function expectSchema(schema: Schema, int64: Int64Mode, value: unknown): void {
  try {
    conform(schema, value, { form: "plain", int64 });
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new DecodeError("python-pickle", error.problem, { path: error.path, cause: error });
  }
}

function variant(protocol: Protocol): CodecVariant {
  return {
    summary: `protocol ${protocol} of our own pickler, memoised as CPython's`,
    bind: (dataset) => bindPickle(dataset, protocol),
  };
}

export default defineCodec({
  format: "python-pickle",
  ...variant(4),
  variants: { "1": variant(1), "2": variant(2), "5": variant(5) },
});

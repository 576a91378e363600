import { type DecodeOptions, TermDecoder, TermEncoder } from "../../formats/erlang-etf/index.ts";
import { type Binding, bytesOf, type Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { UnsupportedError } from "../../model/errors.ts";
import { type FieldType, is64Bit, reachableMessages, type Schema } from "../../model/schema.ts";
import { childPath, isRecord, type Value } from "../../model/value.ts";
import { type CopyRules, changesValues, compileCopier } from "../../schema/generate/copy.ts";
import { compileVisitor } from "../../schema/generate/visit.ts";
import { checkShape } from "./check-shape.ts";
import { TRUSTED, untrusted, writeOptions } from "./limits.ts";

/** Objects as maps. @param level of zlib, or undefined */
export function bindMaps(dataset: Dataset, level: number | undefined): Binding<Value, unknown> {
  const { schema, values } = dataset;
  for (const value of values) refuseNotFinite(value, "");
  const encoder = new TermEncoder(writeOptions(level));
  const view = { binaries: hasBytes(schema) ? "auto" : "text" } as const satisfies DecodeOptions;
  const decoder = new TermDecoder({ ...TRUSTED, ...view });
  const toPlain = compileToPlain(dataset);
  const plain = toPlain ?? ((value: unknown) => value as Value);
  const visit = compileVisitor(schema);
  const read = (encoded: Encoded): unknown => decoder.decode(bytesOf(encoded, "erlang-etf"));
  return {
    build: (value) => value,
    write: (value) => encoder.encode(value),
    read,
    plain,
    access: (encoded) => visit(plain(read(encoded))),
    text: "utf16",
    direct: { build: true, plain: toPlain === undefined },
    verify: (encoded) => {
      const bytes = bytesOf(encoded, "erlang-etf");
      const term = new TermDecoder({ ...untrusted(bytes), ...view }).decode(bytes);
      if (toPlain !== undefined) checkShape(schema, term);
    },
  };
}

/** Makes what turns a decoded term into a plain value; undefined where it is one. */
function compileToPlain({ schema, int64 }: Dataset): ((term: unknown) => Value) | undefined {
  const rules: CopyRules = {
    leaf: (type, value) => {
      if (isBytes(type)) return `bytes(${value})`;
      const isLong = type.kind === "scalar" && is64Bit(type.scalar);
      return isLong && int64 === "bigint" ? `long(${value})` : undefined;
    },
    scope: { bytes, long },
  };
  return changesValues(schema, rules) ? compileCopier<unknown, Value>(schema, rules) : undefined;
}

function isBytes(type: FieldType): boolean {
  return type.kind === "scalar" && type.scalar === "bytes";
}

function hasBytes(schema: Schema): boolean {
  return reachableMessages(schema).some(({ fields }) => fields.some(({ type }) => isBytes(type)));
}

/** Bytes that happen to be text were read as text, which has the same bytes. */
function bytes(value: unknown): unknown {
  return typeof value === "string" ? Buffer.from(value, "utf8") : value;
}

/** An integer that is small was read as a number. */
function long(value: unknown): unknown {
  return Number.isInteger(value) && !Object.is(value, -0) ? BigInt(value as number) : value;
}

/** Throws UnsupportedError, with the path, for a float that Erlang does not have. */
function refuseNotFinite(value: Value, path: string): void {
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new UnsupportedError(`${path === "" ? "" : `${path}: `}Erlang has no ${value}`);
  }
  if (Array.isArray(value)) {
    value.forEach((item, i) => {
      refuseNotFinite(item, childPath(path, i));
    });
  } else if (isRecord(value)) {
    for (const [key, item] of Object.entries(value)) refuseNotFinite(item, childPath(path, key));
  }
}

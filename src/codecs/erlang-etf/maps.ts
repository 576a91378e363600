import { utf8Bytes } from "../../formats/bytes/portable.ts";
import { type DecodeOptions, TermDecoder, TermEncoder } from "../../formats/erlang-etf/index.ts";
import type { Binding, Mapping } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { UnsupportedError } from "../../model/errors.ts";
import { type FieldType, is64Bit, reachableMessages, type Schema } from "../../model/schema.ts";
import { walk } from "../../model/value.ts";
import { compileMapping } from "../../schema/generate/copy.ts";
import { mapped } from "../../schema/mapped.ts";
import { long } from "../../schema/values/long.ts";
import { isCompressed, TRUSTED, untrusted, writeOptions } from "./limits.ts";

/** Objects as maps. @param level of zlib, or undefined */
export function bindMaps(dataset: Dataset, level: number | undefined): Binding {
  const { schema, values } = dataset;
  for (const root of values) {
    walk(root, (value, path) => {
      if (typeof value !== "number" || Number.isFinite(value)) return;
      const place = path();
      throw new UnsupportedError(`${place === "" ? "" : `${place}: `}Erlang has no ${value}`);
    });
  }
  const encoder = new TermEncoder(writeOptions(level));
  const view = { binaries: hasBytes(schema) ? "auto" : "text" } as const satisfies DecodeOptions;
  const decoder = new TermDecoder({ ...TRUSTED, ...view });
  const limited = (bytes: Uint8Array): TermDecoder => new TermDecoder({ ...untrusted(bytes), ...view });
  const mapping = termMapping(dataset);
  return mapped(dataset, {
    format: "erlang-etf",
    write: (value) => encoder.encode(value),
    read: (bytes): unknown => (isCompressed(bytes) ? limited(bytes) : decoder).decode(bytes),
    mapping,
    verify: (bytes) => {
      limited(bytes).decode(bytes);
    },
  });
}

/** What turns a decoded term into a plain value; undefined where it is one. */
function termMapping({ schema, int64 }: Dataset): Mapping | undefined {
  return compileMapping(schema, {
    from: {
      leaf: (type, value) => {
        if (isBytes(type)) return `bytes(${value})`;
        const isLong = type.kind === "scalar" && is64Bit(type.scalar);
        return isLong && int64 === "bigint" ? `long(${value})` : undefined;
      },
      scope: { bytes, long },
    },
  });
}

function isBytes(type: FieldType): boolean {
  return type.kind === "scalar" && type.scalar === "bytes";
}

function hasBytes(schema: Schema): boolean {
  return (
    schema.documents === undefined &&
    reachableMessages(schema).some(({ fields }) => fields.some(({ type }) => isBytes(type)))
  );
}

/** Bytes that happen to be text were read as text, which has the same bytes. */
function bytes(value: unknown): unknown {
  return typeof value === "string" ? utf8Bytes(value) : value;
}

import { type Binding, bytesOf, defineCodec } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { DecodeError, ValueError } from "../../model/errors.ts";
import { firstDifference, type Value } from "../../model/value.ts";
import { compileVisitor } from "../../schema/generate/visit.ts";
import { conform } from "../../schema/values/conform.ts";
import { duplicateKey, parseJson } from "../../schema/values/json-source.ts";
import { compileJsonMapping } from "./mapping.ts";

/** JSON.stringify and JSON.parse, and a mapping before and after them where the schema has what JSON lacks. */
function bindJson(
  dataset: Dataset,
  wire: {
    write(text: string): Uint8Array | string;
    read(encoded: Uint8Array | string): string;
  },
): Binding<unknown, unknown> {
  const mapping = compileJsonMapping(dataset);
  const visit = compileVisitor(dataset.schema);
  const read = (encoded: Uint8Array | string): unknown => JSON.parse(wire.read(encoded));
  const plain = mapping?.fromJson ?? ((value: unknown) => value as never);
  return {
    build: mapping?.toJson ?? ((value) => value),
    write: (value) => wire.write(JSON.stringify(value)),
    read,
    plain,
    access: (encoded) => visit(plain(read(encoded))),
    text: "utf16",
    direct: { build: mapping === undefined, plain: mapping === undefined },
    verify: (encoded) => verify(dataset, strictText(encoded), plain),
  };
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** JSON text is UTF-8 (RFC 8259, section 8.1). A byte order mark is not part of it. */
function strictText(encoded: Uint8Array | string): string {
  if (typeof encoded === "string") return encoded;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(encoded);
  } catch (cause) {
    throw new DecodeError("json", "not valid UTF-8", { cause });
  }
}

/** Checks text against the schema, and that `plain` finds in it all that is there. */
function verify({ schema, int64 }: Dataset, text: string, plain: (json: unknown) => Value): void {
  const parsed = parseJson(text);
  if ("problem" in parsed) {
    const { problem, offset, line, column } = parsed;
    const code = offset >= text.length ? "truncated" : "corrupt";
    throw new DecodeError("json", `${problem} (line ${line}, column ${column})`, { code, offset });
  }
  try {
    const expected = conform(schema, parsed.value, { form: "json", int64 }).value;
    const read = conform(schema, plain(parsed.value), { form: "plain", int64 }).value;
    // The JSON of protobuf has more names for a field than its own, and only that one is read.
    const difference = firstDifference(expected, read);
    if (difference !== undefined) throw new DecodeError("json", difference, { code: "unsupported" });
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new DecodeError("json", error.problem, { path: error.path, cause: error });
  }
  // After the check against the schema, which bounds how deep the text is nested.
  const twice = duplicateKey(text);
  if (twice !== undefined) {
    throw new DecodeError("json", `${twice.problem} (line ${twice.line}, column ${twice.column})`, {
      offset: twice.offset,
    });
  }
}

export default defineCodec({
  format: "json",
  library: "node",
  summary: "JSON.stringify to UTF-8 bytes, and JSON.parse from them",
  bind: (dataset) =>
    bindJson(dataset, {
      write: (text) => Buffer.from(text, "utf8"),
      read: (encoded) => bufferOf(bytesOf(encoded, "json")).toString("utf8"),
    }),
  variants: {
    string: {
      summary: "JSON.stringify to a string, and JSON.parse from it: no bytes are made",
      bind: (dataset) =>
        bindJson(dataset, {
          write: (text) => text,
          read: (encoded) => (typeof encoded === "string" ? encoded : strictText(encoded)),
        }),
    },
  },
});

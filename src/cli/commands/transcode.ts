/** The commands that turn values, bytes and schemas into each other: nothing is timed. */
import { readBytes } from "../../catalog/data-file.ts";
import { valuesOf } from "../../catalog/load-dataset.ts";
import { Registry } from "../../catalog/registry.ts";
import type { Dataset } from "../../model/dataset.ts";
import { UsageError } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";
import { emitCapnp } from "../../schema/emit/capnp.ts";
import { emitFbs } from "../../schema/emit/fbs.ts";
import { emitHeader } from "../../schema/emit/header.ts";
import { emitProto } from "../../schema/emit/proto.ts";
import { jsonChunks } from "../../schema/values/json-text.ts";
import { decodeUntrusted, encodeProven } from "../../schema/values/transcode.ts";
import { subjectOf } from "../data.ts";
import type { Io } from "../io.ts";
import type { SubjectFlags } from "../options.ts";

interface CodecFlags extends SubjectFlags {
  readonly codec: string;
  readonly plugin: readonly string[];
}

/** `wirebench encode`: a value as JSON in, bytes out. Nothing is written unless the bytes decode to the value. */
export async function encode(file: string | undefined, flags: CodecFlags, io: Io): Promise<void> {
  const registry = await Registry.open(flags.plugin);
  const codec = await registry.codec(flags.codec);
  const subject = await subjectOf(registry, flags);
  const { dataset, value } = await input(subject, file);
  io.print(encodeProven(codec.name, await codec.bind(dataset), value));
}

/** The value to encode, and the dataset to bind to: its own values give the bounds that some layouts need. */
async function input(
  subject: Dataset,
  file: string | undefined,
): Promise<{ readonly dataset: Dataset; readonly value: Value }> {
  if (file === undefined) {
    const [value] = subject.values;
    if (value === undefined)
      throw new UsageError("expected a file with the value as JSON, or - for standard input");
    return { dataset: subject, value };
  }
  const { values, int64 } = await valuesOf(subject.schema, [readBytes(file)], "auto");
  const [value, ...others] = values;
  if (value === undefined || others.length > 0)
    throw new UsageError(`${file}: expected one value, got a list`);
  return {
    dataset: { ...subject, values: subject.values.length > 0 ? subject.values : values, int64 },
    value,
  };
}

/** `wirebench decode`: bytes in, the value as JSON out. The bytes are checked before anything reads them. */
export async function decode(file: string | undefined, flags: CodecFlags, io: Io): Promise<void> {
  const registry = await Registry.open(flags.plugin);
  const codec = await registry.codec(flags.codec);
  // Bigints hold every 64-bit integer, whatever is in the bytes.
  const dataset: Dataset = { ...(await subjectOf(registry, flags)), int64: "bigint" };
  const binding = await codec.bind(dataset);
  const value = decodeUntrusted(codec.name, binding, dataset, readBytes(file ?? "-").bytes);
  for (const chunk of jsonChunks(value)) io.print(chunk);
}

type Language = "proto" | "fbs" | "capnp" | "header";

interface SchemaFlags extends SubjectFlags {
  readonly to: Language;
  readonly plugin: readonly string[];
}

const PRINTERS: Readonly<Record<Language, (dataset: Dataset) => string>> = {
  proto: ({ schema }) => emitProto(schema),
  fbs: ({ schema }) => emitFbs(schema),
  capnp: ({ schema }) => emitCapnp(schema),
  header: emitHeader,
};

/** `wirebench schema`: the schema that a codec binds to, in the language of its official tools. */
export async function schema(flags: SchemaFlags, io: Io): Promise<void> {
  const subject = await subjectOf(await Registry.open(flags.plugin), flags);
  io.print(PRINTERS[flags.to](subject));
}

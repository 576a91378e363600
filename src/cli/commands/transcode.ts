/** The commands that turn values, bytes and schemas into each other: nothing is timed. */
import { readBytes } from "../../catalog/data-file.ts";
import { valuesOf } from "../../catalog/load-dataset.ts";
import { Registry } from "../../catalog/registry.ts";
import type { Dataset } from "../../model/dataset.ts";
import { UsageError } from "../../model/errors.ts";
import { emitCapnp } from "../../schema/emit/capnp.ts";
import { emitFbs } from "../../schema/emit/fbs.ts";
import { emitHeader } from "../../schema/emit/header.ts";
import { emitProto } from "../../schema/emit/proto.ts";
import { carriedBy } from "../../schema/values/documents.ts";
import { documentText, jsonChunks, jsonText } from "../../schema/values/json-text.ts";
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
  const { bound, given } = await input(subject, file);
  const [value = null] = carriedBy(codec, given).values;
  io.print(encodeProven(codec.name, await codec.bind(carriedBy(codec, bound)), value));
}

/** The dataset to bind to, whose values give the bounds that some layouts need, and one with the value to encode. */
async function input(
  subject: Dataset,
  file: string | undefined,
): Promise<{ readonly bound: Dataset; readonly given: Dataset }> {
  if (file === undefined) {
    if (subject.values.length === 0)
      throw new UsageError("expected a file with the value as JSON, or - for standard input");
    return { bound: subject, given: subject };
  }
  const { values, documents, int64 } = await valuesOf(subject.schema, [readBytes(file)], "auto");
  if (values.length !== 1) throw new UsageError(`${file}: expected one value, got a list`);
  const given = { ...subject, values, int64, ...(subject.documents && { documents }) };
  return { bound: subject.values.length > 0 ? { ...subject, int64 } : given, given };
}

/** `wirebench decode`: bytes in, the value as JSON out. The bytes are checked before anything reads them. */
export async function decode(file: string | undefined, flags: CodecFlags, io: Io): Promise<void> {
  const registry = await Registry.open(flags.plugin);
  const codec = await registry.codec(flags.codec);
  // Bigints hold every 64-bit integer, whatever is in the bytes.
  const dataset = carriedBy(codec, { ...(await subjectOf(registry, flags)), int64: "bigint" });
  const binding = await codec.bind(dataset);
  const value = decodeUntrusted(codec.name, binding, dataset, readBytes(file ?? "-").bytes);
  const leafText = dataset.schema.documents === undefined ? jsonText : documentText;
  for (const chunk of jsonChunks(value, leafText)) io.print(chunk);
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

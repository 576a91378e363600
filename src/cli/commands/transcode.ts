/** The commands that turn values, bytes and schemas into each other: nothing is timed. */
import { type MessageRules, readMessages } from "../../catalog/encoded-messages.ts";
import { readBytes } from "../../catalog/file-chunks.ts";
import { valuesOf } from "../../catalog/load-dataset.ts";
import { type NamedCodec, Registry } from "../../catalog/registry.ts";
import type { Dataset, Inferred } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { DecodeError, UsageError, ValueError } from "../../model/errors.ts";
import type { Schema } from "../../model/schema.ts";
import { leftOutText } from "../../model/unknown-field.ts";
import type { Value } from "../../model/value.ts";
import { emitAvro } from "../../schema/emit/avro.ts";
import { emitCapnp } from "../../schema/emit/capnp.ts";
import { emitFbs } from "../../schema/emit/fbs.ts";
import { emitHeader } from "../../schema/emit/header.ts";
import { emitJsonSchema } from "../../schema/emit/json-schema.ts";
import { emitProto } from "../../schema/emit/proto.ts";
import { carriedBy } from "../../schema/values/documents.ts";
import { documentText, jsonChunks, jsonText } from "../../schema/values/json-text.ts";
import { documentOf, type PrintOptions } from "../../schema/values/print-document.ts";
import { decodeUntrusted, encodeProven } from "../../schema/values/transcode.ts";
import { withCodec } from "../chosen-codec.ts";
import { MESSAGE_RULES, messageRules, subjectOf } from "../data.ts";
import type { Io } from "../io.ts";
import type { SubjectFlags } from "../options.ts";

interface CodecFlags extends SubjectFlags {
  readonly codec: string;
  readonly plugin: readonly string[];
}

/** `wirebench encode`: a value as JSON in, bytes out. Nothing is written unless the bytes decode to the value. */
export async function encode(file: string | undefined, flags: CodecFlags, io: Io): Promise<void> {
  const registry = await Registry.open(flags.plugin);
  await withCodec(registry, flags.codec, io, (codec) => encodeWith(codec, registry, file, flags, io));
}

async function encodeWith(
  codec: NamedCodec,
  registry: Registry,
  file: string | undefined,
  flags: CodecFlags,
  io: Io,
): Promise<void> {
  // Without any other subject, the schema is the file's own.
  const isSubject = flags.dataset === undefined && flags.schema === undefined && flags.data.length === 0;
  const own = isSubject && file !== undefined ? { files: [file] } : undefined;
  const used = file === undefined || own !== undefined ? [] : ([...MESSAGE_RULES, "delimited"] as const);
  const subject = await subjectOf(registry, { ...flags, ...own }, io, used);
  const isInSubject = own !== undefined || file === undefined;
  const given = isInSubject ? valueIn(subject, file, flags) : await input(subject, file, flags, io);
  const dataset = carriedBy(codec, given);
  const [value = null] = dataset.values;
  io.print(encodeProven(codec.name, await codec.bind(dataset), value));
}

/** The subject, which has the value to encode. Those of a built-in dataset are all alike: the first is taken. */
function valueIn(subject: Dataset, file: string | undefined, { dataset, data }: SubjectFlags): Dataset {
  const { values, inferred } = subject;
  if (values.length === 0)
    throw new UsageError("expected a file with the value as JSON, or - for standard input");
  if (dataset === undefined && values.length > 1)
    throw notOneValue(file ?? data.join(", "), inferred?.values ?? values.length);
  return subject;
}

function notOneValue(file: string, count: number): UsageError {
  return new UsageError(`${file}: expected one value, got ${count}`);
}

/** The value of a file, to encode. The values of the subject then only give the bounds that some layouts need. */
async function input(subject: Dataset, file: string, flags: SubjectFlags, io: Io): Promise<Dataset> {
  const { schema, values, documents, int64 } = await valuesOf(subject.schema, [file], {
    ...messageRules(flags, io),
    ...defined({ delimited: flags.delimited }),
  });
  if (values.length !== 1) throw notOneValue(file, values.length);
  const bounds = subject.values.length > 0 ? { bounds: subject.values } : {};
  const { documents: _, ...given } = { ...subject, schema, values, int64, ...bounds };
  return subject.documents === undefined ? given : { ...given, ...defined({ documents: documents?.() }) };
}

interface DecodeFlags extends CodecFlags {
  readonly enumNumbers?: boolean;
}

/** `wirebench decode`: bytes in, the value as JSON out. The bytes are checked before anything reads them. */
export async function decode(file: string | undefined, flags: DecodeFlags, io: Io): Promise<void> {
  const registry = await Registry.open(flags.plugin);
  await withCodec(registry, flags.codec, io, (codec) => decodeWith(codec, registry, file, flags, io));
}

async function decodeWith(
  codec: NamedCodec,
  registry: Registry,
  file: string | undefined,
  flags: DecodeFlags,
  io: Io,
): Promise<void> {
  const rules = messageRules(flags, io);
  const told = await subjectOf(registry, flags, io, MESSAGE_RULES);
  const { bytes } = await readBytes(file ?? "-");
  const subject = rules.unknown === "keep" ? await keeping(told, codec, bytes, rules) : told;
  const { schema, values: bounds, documents } = subject;
  // Bigints hold every 64-bit integer, whatever is in the bytes.
  const unknown: Dataset = { ...subject, values: [], bounds, int64: "bigint" };
  const dataset = carriedBy(codec, documents === undefined ? unknown : { ...unknown, documents: [] });
  const value = decodeUntrusted(codec.name, await codec.bind(dataset), dataset, bytes, {
    ...rules,
    unknown: rules.unknown === "refuse" ? "refuse" : "skip",
    onLeftOut: (kinds) => {
      const sentence = leftOutText(kinds);
      if (sentence !== undefined) rules.onLeftOut?.(sentence);
    },
  });
  const isDocument = dataset.schema.documents !== undefined;
  const printed =
    documents === undefined || isDocument ? value : printedDocument(codec.name, schema, value, flags);
  const leafText = documents === undefined ? jsonText : documentText;
  for (const chunk of jsonChunks(printed, leafText)) io.print(chunk);
}

/** The dataset with fields for what is unknown in a message. */
async function keeping(
  subject: Dataset,
  { name, format }: NamedCodec,
  bytes: Uint8Array,
  rules: MessageRules,
): Promise<Dataset> {
  if (format !== "protobuf") throw new UsageError(`--unknown keep is for protobuf, and ${name} is ${format}`);
  const { schema } = await readMessages(subject.schema, "bigint", rules, async (reader) => [
    await reader.read("-", bytes),
  ]);
  return { ...subject, schema };
}

/** {@link documentOf} of what bytes were decoded to. */
function printedDocument(codec: string, schema: Schema, value: Value, options: PrintOptions): Value {
  try {
    return documentOf(schema, value, options);
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    const problem = `no JSON stands for it: ${error.problem}`;
    throw new DecodeError(codec, problem, { path: error.path, code: "unsupported", cause: error });
  }
}

type Language = "proto" | "fbs" | "capnp" | "header" | "avro" | "json-schema";

interface SchemaFlags extends SubjectFlags {
  readonly to: Language;
  readonly plugin: readonly string[];
}

const PRINTERS: Readonly<Record<Language, (dataset: Dataset) => string>> = {
  proto: ({ schema, inferred }) =>
    `${inferred === undefined ? "" : provenance(inferred)}${emitProto(schema)}`,
  fbs: ({ schema }) => emitFbs(schema),
  capnp: ({ schema }) => emitCapnp(schema),
  header: emitHeader,
  avro: ({ schema }) => emitAvro(schema),
  "json-schema": ({ schema, inferred }) => emitJsonSchema(schema, inferred !== undefined),
};

/** Where an inferred schema is from, as comments. */
function provenance({ values, choices }: Inferred): string {
  const from = values === 1 ? "one value" : `${values.toLocaleString("en-US")} values`;
  return [`schema inferred from ${from}`, ...choices].map((line) => `// ${line}\n`).join("");
}

/** `wirebench schema`: the schema that a codec binds to, in the language of its official tools. */
export async function schema(flags: SchemaFlags, io: Io): Promise<void> {
  const subject = await subjectOf(await Registry.open(flags.plugin), flags, io);
  io.print(PRINTERS[flags.to](subject));
}

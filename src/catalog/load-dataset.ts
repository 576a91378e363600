import { readFileSync } from "node:fs";
import path from "node:path";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { SchemaError, UsageError, ValueError } from "../model/errors.ts";
import { expectOptions } from "../model/expect-option.ts";
import { type Int64Mode, reachableMessages, type Schema, simpleName } from "../model/schema.ts";
import { firstDifference, show, type Value } from "../model/value.ts";
import { readCapnp } from "../schema/read/capnp.ts";
import { readFbs } from "../schema/read/fbs.ts";
import { readHeader } from "../schema/read/header.ts";
import { isDescriptorSet } from "../schema/read/proto/source.ts";
import { readProto } from "../schema/read/proto.ts";
import { conform } from "../schema/values/conform.ts";
import { documentOf } from "../schema/values/print-document.ts";
import { readDocument } from "../schema/values/read-document.ts";
import { wellKnownOf } from "../schema/values/well-known.ts";
import { inputsOf } from "./data-file.ts";
import { type MessageRules, readMessages } from "./encoded-messages.ts";
import { type FileForm, type FileRecord, ownRecord } from "./file-record.ts";
import { type Input, recordsIn } from "./file-records.ts";
import { looksLike } from "./looks-like.ts";
import { bytesRead, checked, type OnRead } from "./read-progress.ts";
import { Registry } from "./registry.ts";
import { Reservoir } from "./reservoir.ts";

/** How files of data are read. */
export interface ReadOptions extends MessageRules {
  /** By default numbers if every 64-bit integer of the data is a safe integer, else bigints. */
  readonly int64?: Int64Mode | undefined;
  /** Whether files are protobuf messages, each after its length as a varint. */
  readonly delimited?: boolean;
  /** Most values, spread over the files; by default all, or 1,000 of NDJSON and delimited messages beyond 32 MiB. */
  readonly sample?: number;
  /** Decides which values a sample has; 1 by default. */
  readonly seed?: number;
  /** Is told how far reading is. */
  readonly onRead?: OnRead;
}

/** A user's own data, by files. */
export interface DataFiles extends ReadOptions {
  /** A .proto, .fbs or .capnp file, a FileDescriptorSet or a C header. */
  readonly schema: string;
  /** Folders of files that are imported: see {@link loadSchema}. */
  readonly include?: readonly string[];
  readonly message?: string;
  /**
   * JSON, NDJSON or encoded messages, also packed with gzip: of FlatBuffers or Cap'n Proto where the schema is theirs, else
   * of protobuf. A JSON list, lines and several files are several values of one dataset.
   */
  readonly data: string | readonly string[];
  /** Gives every codec the canonical values, in which each field of the schema is filled in, and no one the objects of the file. */
  readonly fillDefaults?: boolean;
}

/** Loads a user's own data as a dataset that is called after its first file. Throws WirebenchError. */
export async function loadDataset(files: DataFiles): Promise<Dataset> {
  expectOptions("loadDataset", files);
  for (const [option, value] of Object.entries({ schema: files.schema, data: [files.data].flat()[0] })) {
    if (typeof value !== "string")
      throw new UsageError(`${option}: expected the name of a file, got ${show(value)}`);
  }
  const schema = loadSchema(files.schema, files.message, files.include);
  const names = [files.data].flat();
  const { documents, noDocuments, total, ...found } = await valuesOf(schema, names, files);
  const { length } = found.values;
  const [first] = names;
  if (first === undefined) throw new UsageError("data: expected at least one file");
  if (length === 0)
    throw new UsageError(`${names.slice(0, 3).join(", ")}: no data: expected at least one value`);
  const name = await nameOf(first);
  const places = names.map((file) => path.basename(file)).join(", ");
  const count = length === 1 ? "One" : length.toLocaleString("en-US");
  const of =
    length === total ? "" : ` of ${total.toLocaleString("en-US")}, sampled with seed ${seedOf(files)},`;
  const told = noDocuments === undefined ? "" : ` No JSON stands for it: ${noDocuments}.`;
  const story = `${count} ${simpleName(schema.root)}${of} from ${places}.${told}`;
  const dataset: Dataset = { name, story, ...found };
  return files.fillDefaults === true || documents === undefined ? dataset : withDocuments(dataset, documents);
}

/** A dataset whose documents are made when they are first asked for: they take as much memory as its values. */
function withDocuments(dataset: Dataset, make: () => readonly Value[]): Dataset {
  let made: readonly Value[] | undefined;
  return {
    ...dataset,
    get documents() {
      made ??= make();
      return made;
    },
  };
}

/** A file's name without its ending, unless a built-in dataset is called so. */
export async function nameOf(file: string): Promise<string> {
  if (file === "-") return "stdin";
  const base = path.basename(file).replace(/\.gz$/i, "");
  const name = path.basename(base, path.extname(base));
  return (await Registry.open()).names("datasets").includes(name) ? base : name;
}

/** What some files hold: a {@link Dataset}'s values, and what makes the same as documents. */
export interface FileValues extends Pick<Dataset, "schema" | "values" | "int64" | "fileBytes"> {
  readonly documents?: () => readonly Value[];
  /** Why there are no documents: no JSON stands for one of the values. */
  readonly noDocuments?: string;
  /** How many values the files have, of which these may be a sample. */
  readonly total: number;
}

/**
 * The values in some files, all with 64-bit integers of one type, and their schema: a larger one where what it lacks is
 * kept. Throws WirebenchError.
 */
export async function valuesOf(
  read: Schema,
  files: readonly string[],
  options: ReadOptions = {},
): Promise<FileValues> {
  const { schema, inputs, total } = await inputsIn(read, files, options);
  const { int64 = "auto", onRead } = options;
  const attempts = Array.from(checked(inputs, 0, onRead), ([, input]) => conformed(schema, input, int64));
  const mode = attempts.some((attempt) => attempt.int64 === "bigint") ? "bigint" : "number";
  const values = attempts.map((attempt, index) =>
    attempt.int64 === mode ? attempt.value : conformed(schema, inputs[index]!, mode).value,
  );
  const documents = documentsOf(schema, inputs, values, onRead);
  const bytes = inputs.reduce((sum, input) => sum + input.bytes, 0);
  return { schema, values, int64: mode, ...documents, fileBytes: bytes / inputs.length, total };
}

/** What makes documents of the values, or why one of them has no such form. */
function documentsOf(
  schema: Schema,
  inputs: readonly Input[],
  values: readonly Value[],
  onRead: OnRead | undefined,
): Pick<FileValues, "documents" | "noDocuments"> {
  // Only a message with a form of its own may have no document; others need not be tried.
  const isSure = !reachableMessages(schema).some((message) => wellKnownOf(message) !== undefined);
  if (isSure && inputs.every(({ form }) => form === "plain"))
    return { documents: () => values.map((value) => documentOf(schema, value)) };
  const asHeld = schema.language === undefined || !hasOwnForms(schema);
  const documents: Value[] = [];
  for (const [index, { name, form, value }] of checked(inputs, 1, onRead)) {
    try {
      const canonical = values[index]!;
      const document =
        form === "json" && asHeld ? readDocument(schema, value) : documentOf(schema, canonical);
      if (form === "plain" && schema.messages.has(ANY)) expectSame(schema, document, canonical);
      documents.push(document);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      return { noDocuments: `${name}: ${error.message}` };
    }
  }
  return { documents: () => documents };
}

const ANY = "google.protobuf.Any";

/** Throws ValueError where a document is not the value: an Any may hold bytes that others encoded in another way. */
function expectSame(schema: Schema, document: Value, value: Value): void {
  const { value: meant } = conform(schema, document, { form: "json", int64: "bigint" });
  const { value: canonical } = conform(schema, value, { form: "plain", int64: "bigint" });
  const difference = firstDifference(canonical, meant);
  if (difference !== undefined) throw new ValueError("", difference);
}

/** Bytes of records that are kept of files without a sample, and how many values are kept of larger ones. */
const KEPT_BYTES = 1 << 25;
const SAMPLE = 1000;

/** The values in some files, or a sample of them. Records of which none is kept are not looked into. */
async function inputsIn(
  read: Schema,
  files: readonly string[],
  options: ReadOptions,
): Promise<{ readonly schema: Schema; readonly inputs: readonly Input[]; readonly total: number }> {
  const { sample = Number.POSITIVE_INFINITY } = options;
  const kept = new Reservoir<FoundRecord>(sample, seedOf(options));
  const isSampled = options.sample !== undefined;
  const onBytes = options.onRead && bytesRead(files, options.onRead);
  let bytes = 0;
  for (const file of files) {
    const { form, records } = await recordsIn(file, { ...options, onBytes });
    for await (const record of records) {
      bytes += record.bytes.length;
      const isMuch = bytes > KEPT_BYTES && form !== "whole";
      if (isMuch) kept.limit(SAMPLE, copied);
      kept.add(() => (isMuch || isSampled ? copied({ form, record }) : { form, record }));
    }
  }
  const chosen = kept.items();
  const { schema, inputs: all } = await readMessages(
    read,
    options.int64 ?? "auto",
    options,
    async (reader) => {
      const found: Input[] = [];
      for (const { form, record } of chosen) {
        if (form === "whole") options.onRead?.({ step: "parse", done: 0, total: record.bytes.length });
        for (const input of await inputsOf(reader.schema, form, record, reader)) found.push(input);
      }
      return found;
    },
  );
  if (all.length <= sample) return { schema, inputs: all, total: all.length + kept.met - chosen.length };
  const inputs = new Reservoir<Input>(sample, seedOf(options));
  for (const input of all) inputs.add(() => input);
  return { schema, inputs: inputs.items(), total: all.length + kept.met - chosen.length };
}

/** A file's record, and how the file is divided. */
interface FoundRecord {
  readonly form: FileForm;
  readonly record: FileRecord;
}

function copied({ form, record }: FoundRecord): FoundRecord {
  return { form, record: ownRecord(form, record) };
}

export function seedOf({ seed = 1 }: ReadOptions): number {
  return seed;
}

/** Whether flatc or capnp have forms in their JSON that no document has: bytes as lists of numbers, unions as two keys. */
function hasOwnForms(schema: Schema): boolean {
  return reachableMessages(schema).some(({ fields }) =>
    fields.some(({ type, tag }) => tag !== undefined || (type.kind === "scalar" && type.scalar === "bytes")),
  );
}

function conformed(
  schema: Schema,
  input: Input,
  int64: Int64Mode | "auto",
): { readonly value: Value; readonly int64: Int64Mode } {
  if (input.int64 !== undefined && (int64 === "auto" || int64 === input.int64))
    return { value: input.value as Value, int64: input.int64 };
  try {
    return conform(schema, input.value, { form: input.form, int64 });
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    const where = input.place?.(error.path) ?? input.name;
    throw new UsageError(`${where}: ${error.message}`, { cause: error });
  }
}

/** Whether a file is a schema by its ending. */
export function isSchemaFile(file: string): boolean {
  return Object.hasOwn(READERS, path.extname(file));
}

type SchemaReader = (file: string, message?: string, include?: readonly string[]) => Schema;

const READERS: Readonly<Record<string, SchemaReader>> = {
  ".proto": readProto,
  ".h": readHeader,
  ".fbs": readFbs,
  ".capnp": readCapnp,
};

/**
 * Reads a schema from a .proto, .fbs or .capnp file, from a FileDescriptorSet, which may have any name, or from a C header.
 * @param message the message, table or struct that a value is; may be left out where the file leaves no choice
 * @param include folders that imports are named from, the first that has the file counting; by default the folder of the
 *   file that imports, and those above it
 */
export function loadSchema(file: string, message?: string, include?: readonly string[]): Schema {
  const ending = path.extname(file);
  const reader = READERS[ending] ?? (isDescriptorSet(file) ? readProto : undefined);
  if (reader === undefined) {
    throw new UsageError(
      `${file}: expected a schema file that ends in ${Object.keys(READERS).join(" or ")}, or a FileDescriptorSet${lookOf(file)}`,
    );
  }
  try {
    return reader(file, message, include);
  } catch (error) {
    if (!(error instanceof SchemaError) || error.file !== file) throw error;
    const look = lookOf(file, ...(reader === readProto ? (["set", ending] as const) : [ending]));
    if (look === "") throw error;
    const { line, column, message: text } = error;
    const place = [file, line, column].filter((part) => part !== undefined).join(":");
    const problem = `${text.slice(place.length + 2)}${look}`;
    throw new SchemaError(file, problem, defined({ line, column }), { cause: error });
  }
}

/** What a file looks like that is no schema. @param as what it was read as: an ending, or a set */
function lookOf(file: string, ...as: readonly string[]): string {
  try {
    const own = SCHEMAS.filter((schema) => as.includes(schema));
    const format = looksLike({ bytes: readFileSync(file), isAll: true }, "delimited", ...own);
    return format === undefined ? "" : `; it looks like ${format}`;
  } catch {
    return "";
  }
}

const SCHEMAS = [".proto", ".fbs", ".capnp", ".h", "set"] as const;

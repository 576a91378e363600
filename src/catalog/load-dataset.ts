import path from "node:path";
import type { Dataset } from "../model/dataset.ts";
import { UsageError, ValueError } from "../model/errors.ts";
import { type Int64Mode, type Schema, simpleName } from "../model/schema.ts";
import type { Value } from "../model/value.ts";
import { readHeader } from "../schema/read/header.ts";
import { readProto } from "../schema/read/proto.ts";
import { conform } from "../schema/values/conform.ts";
import { documentOf } from "../schema/values/documents.ts";
import { type Input, inputsOf, type NamedBytes, readBytes } from "./data-file.ts";
import { Registry } from "./registry.ts";

/** A user's own data, by files. */
export interface DataFiles {
  /** A .proto file or a C header. */
  readonly schema: string;
  readonly message?: string;
  /** JSON or an encoded protobuf message. A JSON list, and several files, are several values of one dataset. */
  readonly data: string | readonly string[];
  /** By default numbers if every 64-bit integer of the data is a safe integer, else bigints. */
  readonly int64?: Int64Mode;
  /** Gives every codec the canonical values, in which each field of the schema is filled in, and no one the objects of the file. */
  readonly fillDefaults?: boolean;
}

/** Loads a user's own data as a dataset that is called after its first file. Throws WirebenchError. */
export async function loadDataset(files: DataFiles): Promise<Dataset> {
  const schema = loadSchema(files.schema, files.message);
  const sources = [files.data].flat().map(readBytes);
  const { documents, ...found } = await valuesOf(schema, sources, files.int64 ?? "auto");
  const { length } = found.values;
  const [first] = sources;
  if (first === undefined || length === 0) throw new UsageError("no data: expected at least one value");
  const name = await nameOf(first.name);
  const places = sources.map((source) => path.basename(source.name)).join(", ");
  const story = `${length === 1 ? "One" : length} ${simpleName(schema.root)} from ${places}.`;
  return { name, story, schema, ...found, ...(files.fillDefaults === true ? {} : { documents }) };
}

/** A file's name without its ending, unless a built-in dataset is called so. */
async function nameOf(file: string): Promise<string> {
  if (file === "-") return "stdin";
  const name = path.basename(file, path.extname(file));
  return (await Registry.open()).names("datasets").includes(name) ? path.basename(file) : name;
}

/** What some files hold: {@link Dataset}'s values and the same as documents. */
export type FileValues = Pick<Required<Dataset>, "values" | "int64" | "documents" | "fileBytes">;

/** The values in some files' contents, all with 64-bit integers of one type. Throws WirebenchError. */
export async function valuesOf(
  schema: Schema,
  sources: readonly NamedBytes[],
  int64: Int64Mode | "auto",
): Promise<FileValues> {
  const inputs = (await Promise.all(sources.map((source) => inputsOf(schema, source)))).flat();
  const attempts = inputs.map((input) => conformed(schema, input, int64));
  const mode = attempts.some((attempt) => attempt.int64 === "bigint") ? "bigint" : "number";
  const values = attempts.map((attempt, index) =>
    attempt.int64 === mode ? attempt.value : conformed(schema, inputs[index]!, mode).value,
  );
  const documents = inputs.map(({ form, value }, index) =>
    form === "json" ? (value as Value) : documentOf(schema, values[index]!),
  );
  const bytes = inputs.reduce((sum, input) => sum + input.bytes, 0);
  return { values, int64: mode, documents, fileBytes: bytes / inputs.length };
}

function conformed(
  schema: Schema,
  input: Input,
  int64: Int64Mode | "auto",
): { readonly value: Value; readonly int64: Int64Mode } {
  try {
    return conform(schema, input.value, { form: input.form, int64 });
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw new UsageError(`${input.name}: ${error.message}`, { cause: error });
  }
}

const READERS: Readonly<Record<string, (file: string, message?: string) => Schema>> = {
  ".proto": readProto,
  ".h": readHeader,
};

/**
 * Reads a schema from a .proto file or a C header.
 * @param message the message or struct that a value is; may be left out where the file leaves no choice
 */
export function loadSchema(file: string, message?: string): Schema {
  const reader = READERS[path.extname(file)];
  if (reader === undefined) {
    throw new UsageError(`${file}: expected a schema file that ends in ${Object.keys(READERS).join(" or ")}`);
  }
  return reader(file, message);
}

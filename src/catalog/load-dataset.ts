import { readFileSync } from "node:fs";
import path from "node:path";
import type { Dataset } from "../model/dataset.ts";
import { fileProblem, UsageError, ValueError, WirebenchError } from "../model/errors.ts";
import { type Int64Mode, type Schema, simpleName } from "../model/schema.ts";
import type { Value } from "../model/value.ts";
import { conform } from "../schema/values/conform.ts";
import { duplicateKey, parseJson } from "../schema/values/json-source.ts";
import { loadSchema } from "./load-schema.ts";
import { Registry } from "./registry.ts";
import { decodeUntrusted } from "./transcode.ts";

/** A user's own data, by files. */
export interface DataFiles {
  /** A .proto file or a C header. */
  readonly schema: string;
  readonly message?: string;
  /** JSON or an encoded protobuf message. A JSON list, and several files, are several values of one dataset. */
  readonly data: string | readonly string[];
  /** By default numbers if every 64-bit integer of the data is a safe integer, else bigints. */
  readonly int64?: Int64Mode;
}

/** A file's content, with the name that errors and results give it. `-` is standard input. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Loads a user's own data as a dataset that is called after its first file. Throws WirebenchError. */
export async function loadDataset(files: DataFiles): Promise<Dataset> {
  const schema = loadSchema(files.schema, files.message);
  const sources = [files.data].flat().map(readBytes);
  const found = await valuesOf(schema, sources, files.int64 ?? "auto");
  const { length } = found.values;
  const [first] = sources;
  if (first === undefined || length === 0) throw new UsageError("no data: expected at least one value");
  const name = await nameOf(first.name);
  const places = sources.map((source) => path.basename(source.name)).join(", ");
  const story = `${length === 1 ? "One" : length} ${simpleName(schema.root)} from ${places}.`;
  return { name, story, schema, ...found };
}

/** A file's name without its ending, unless a built-in dataset is called so. */
async function nameOf(file: string): Promise<string> {
  if (file === "-") return "stdin";
  const name = path.basename(file, path.extname(file));
  return (await Registry.open()).names("datasets").includes(name) ? path.basename(file) : name;
}

/** The values in some files' contents, all with 64-bit integers of one type. Throws WirebenchError. */
export async function valuesOf(
  schema: Schema,
  sources: readonly NamedBytes[],
  int64: Int64Mode | "auto",
): Promise<Pick<Dataset, "values" | "int64">> {
  const inputs = (await Promise.all(sources.map((source) => inputsOf(schema, source)))).flat();
  const attempts = inputs.map((input) => conformed(schema, input, int64));
  const mode = attempts.some((attempt) => attempt.int64 === "bigint") ? "bigint" : "number";
  const values = attempts.map((attempt, index) =>
    attempt.int64 === mode ? attempt.value : conformed(schema, inputs[index]!, mode).value,
  );
  return { values, int64: mode };
}

/** Reads a file, or standard input for `-`, which can be had once only. */
export function readBytes(file: string): NamedBytes {
  if (file === "-") {
    if (inputTaken) throw new UsageError("standard input can be read once only: it is named twice");
    inputTaken = true;
  }
  try {
    return { name: file, bytes: readFileSync(file === "-" ? 0 : file) };
  } catch (error) {
    throw new UsageError(`${file}: ${fileProblem(error)}`);
  }
}

let inputTaken = false;

interface Input {
  readonly name: string;
  readonly value: unknown;
  readonly form: "json" | "plain";
}

/** Endings of files that are JSON whatever is in them, and of files that are an encoded message if they can be. */
const JSON_ENDING = ".json";
const BINARY_ENDINGS = [".bin", ".binpb", ".dat", ".pb"];

/** What a file holds, by its ending or by its content. Either can look like the other: "\n[…" may be both. */
async function inputsOf(schema: Schema, source: NamedBytes): Promise<Input[]> {
  const { name } = source;
  const ending = path.extname(name).toLowerCase();
  const json = jsonInputs(source);
  if (ending === JSON_ENDING) return settled(json);
  const message = await attempt(() => protobufInput(schema, source));
  if (message instanceof UsageError) {
    const looksLikeJson = /^\s*[[{]/.test(textOf(source) ?? "");
    if (json instanceof UsageError && !looksLikeJson) throw message;
    return settled(json);
  }
  if (json instanceof UsageError || BINARY_ENDINGS.includes(ending)) return [message];
  throw new UsageError(
    `${name}: it can be read as JSON and as an encoded message: put it into a file called .json or .bin`,
  );
}

function settled<Result>(result: Result | UsageError): Result {
  if (result instanceof UsageError) throw result;
  return result;
}

async function attempt<Result>(work: () => Promise<Result>): Promise<Result | UsageError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

/** The values of JSON text, or what keeps it from being one. */
function jsonInputs(source: NamedBytes): Input[] | UsageError {
  const { name } = source;
  const text = textOf(source);
  if (text === undefined) return new UsageError(`${name}: not valid UTF-8, and JSON text is`);
  const parsed = parseJson(text);
  const problem = "problem" in parsed ? parsed : duplicateKey(text);
  if (problem !== undefined)
    return new UsageError(`${name}:${problem.line}:${problem.column}: ${problem.problem}`);
  const { value } = parsed as { readonly value: unknown };
  if (!Array.isArray(value)) return [{ name, value, form: "json" }];
  return value.map((item, index) => ({ name: `${name}[${index}]`, value: item, form: "json" }));
}

/** A file as text, without its byte order mark; undefined when it is not UTF-8. */
function textOf({ bytes }: NamedBytes): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

async function protobufInput(schema: Schema, { name, bytes }: NamedBytes): Promise<Input> {
  const codec = await (await Registry.open()).codec("protobufjs");
  const dataset: Dataset = { name, schema, values: [], int64: "bigint" };
  try {
    const value = decodeUntrusted("protobuf", await codec.bind(dataset), dataset, bytes);
    return { name, value, form: "plain" };
  } catch (error) {
    if (!(error instanceof WirebenchError)) throw error;
    throw new UsageError(`${name}: ${error.message}`, { cause: error });
  }
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

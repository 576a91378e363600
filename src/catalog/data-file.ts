import { readFileSync } from "node:fs";
import path from "node:path";
import type { Dataset } from "../model/dataset.ts";
import { fileProblem, UsageError, WirebenchError } from "../model/errors.ts";
import type { Schema } from "../model/schema.ts";
import { duplicateKey, elementBytes, parseJson } from "../schema/values/json-source.ts";
import { decodeUntrusted } from "../schema/values/transcode.ts";
import { Registry } from "./registry.ts";

/** A file's content, with the name that errors and results give it. `-` is standard input. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
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

/** A value as a file holds it, not yet checked against its schema. */
export interface Input {
  /** The file, and the place in its list. */
  readonly name: string;
  readonly value: unknown;
  readonly form: "json" | "plain";
  /** Bytes of it in the file: of its JSON text as it stands there, or of the encoded message. */
  readonly bytes: number;
}

/** Endings of files that are JSON whatever is in them, and of files that are an encoded message if they can be. */
const JSON_ENDING = ".json";
const BINARY_ENDINGS = [".bin", ".binpb", ".dat", ".pb"];

/**
 * What a file holds, by its ending or by its content. Either can look like the other: "\n[…" may be both. Throws
 * UsageError.
 */
export async function inputsOf(schema: Schema, source: NamedBytes): Promise<Input[]> {
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
  const bytes = Buffer.byteLength(text.trim());
  if (!Array.isArray(value)) return [{ name, value, form: "json", bytes }];
  const sizes = elementBytes(text);
  return value.map((item, index) => ({
    name: `${name}[${index}]`,
    value: item,
    form: "json",
    bytes: sizes[index] ?? 0,
  }));
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
    return { name, value, form: "plain", bytes: bytes.length };
  } catch (error) {
    if (!(error instanceof WirebenchError)) throw error;
    throw new UsageError(`${name}: ${error.message}`, { cause: error });
  }
}

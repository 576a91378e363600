import { UsageError, ValueError } from "../model/errors.ts";
import { messageOf, type Schema } from "../model/schema.ts";
import { placeOfNoText, textOf } from "../schema/read/text-of.ts";
import { conform } from "../schema/values/conform.ts";
import { heldField } from "../schema/values/in-place.ts";
import { offsetOf } from "../schema/values/json-place.ts";
import { elementBytes, placeIn } from "../schema/values/json-source.ts";
import { readTextFormat } from "../schema/values/text-format.ts";
import type { MessageReader } from "./encoded-messages.ts";
import { type FileForm, type FileRecord, placeInFile } from "./file-record.ts";
import { type Input, lookOf } from "./file-records.ts";
import { endingOf, jsonDocument } from "./json-document.ts";
import { looksLike, type ReadFormat } from "./looks-like.ts";

/** Endings of files that are JSON or protobuf text whatever is in them, and of those that are a message if they can be. */
const JSON_ENDINGS = [".json", ".jsonc"];
const TEXT_ENDINGS = [".txtpb", ".textproto", ".pbtxt", ".textpb"];
const BINARY_ENDINGS = [".bin", ".binpb", ".dat", ".pb"];

/**
 * The values of a file's record, by the file's ending or by the content. Either can look like the other: "\n[…" may be both.
 * Throws UsageError.
 */
export async function inputsOf(
  schema: Schema,
  form: FileForm,
  record: FileRecord,
  reader: MessageReader,
): Promise<Input[]> {
  const { name, file, bytes } = record;
  const ending = endingOf(file);
  if (form === "delimited") {
    const message = await attempt(() => reader.read(name, bytes, true));
    if (!(message instanceof UsageError) || record.start === undefined) return settled(message, record);
    throw new UsageError(`${message.message}${lookOf(record.start, record.index ?? 0)}`, {
      cause: message.cause,
    });
  }
  if (TEXT_ENDINGS.includes(ending))
    return settled(await attempt(() => textInput(schema, record)), record, "text");
  if (form === "values") {
    const documents = await attempt(() => jsonInputs(schema, form, record));
    return settled(documents, record, "lines");
  }
  const json = await attempt(() => jsonInputs(schema, form, record));
  if (JSON_ENDINGS.includes(ending)) return settled(json, record, ...AS_JSON);
  const message = await attempt(() => reader.read(name, bytes));
  if (message instanceof UsageError) {
    const looksLikeJson = /^\s*[[{]/.test(textOf(bytes) ?? "");
    if (json instanceof UsageError && !looksLikeJson) return settled(message, record, "binary");
    return settled(json, record, ...AS_JSON.filter((format) => format !== "commented"));
  }
  if (json instanceof UsageError || BINARY_ENDINGS.includes(ending)) return [message];
  throw new UsageError(
    `${name}: it can be read as JSON and as an encoded message: put it into a file called .json or .bin`,
  );
}

/** Formats that what is read as JSON is not told to be. */
const AS_JSON: readonly ReadFormat[] = ["json", "lines", "commented"];

/** What was read, or throws why not, with the format that the file looks like. @param as formats that it was read as */
function settled(result: Input[] | Input | UsageError, { start }: FileRecord, ...as: ReadFormat[]): Input[] {
  if (!(result instanceof UsageError)) return [result].flat();
  const format = start && looksLike(start, ...as);
  throw format === undefined
    ? result
    : new UsageError(`${result.message}; it looks like ${format}`, { cause: result.cause });
}

async function attempt<Result>(work: () => Result | Promise<Result>): Promise<Result | UsageError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
}

/** The values of JSON text: the elements of a list, but for a line or a list that the root holds in place, which is one. */
function jsonInputs(schema: Schema, form: FileForm, record: FileRecord): Input[] {
  const { name, file } = record;
  const { value, text } = jsonDocument(record, { comments: JSON_ENDINGS.includes(endingOf(file)) });
  const placed =
    (index?: number) =>
    (path: string): string =>
      placeInFile(record, placeIn(text, offsetOf(schema, text, path, index)));
  if (!Array.isArray(value) || form === "values" || isOneValue(schema, value)) {
    return [{ name, value, form: "json", bytes: Buffer.byteLength(text.trim()), place: placed() }];
  }
  const sizes = elementBytes(text);
  return value.map((item, index) => ({
    name: `${name}[${index}]`,
    value: item,
    form: "json",
    bytes: sizes[index] ?? 0,
    place: placed(index),
  }));
}

/** Whether a list is one value, which the root holds in place. A list in a list may be several: then those are what conforms. */
function isOneValue(schema: Schema, list: readonly unknown[]): boolean {
  const root = messageOf(schema, schema.root);
  if (root.inPlace !== true || heldField(schema, root, []) === undefined) return false;
  return conforms(schema, list) || !list.every((element) => conforms(schema, element));
}

function conforms(schema: Schema, value: unknown): boolean {
  try {
    conform(schema, value, { form: "json", int64: "bigint" });
    return true;
  } catch (error) {
    if (error instanceof ValueError) return false;
    throw error;
  }
}

function textInput(schema: Schema, { name, bytes }: FileRecord): Input {
  const text = textOf(bytes);
  if (text === undefined) {
    const { line, column } = placeOfNoText(bytes);
    throw new UsageError(`${name}:${line}:${column}: not valid UTF-8, and protobuf text is`);
  }
  try {
    return { name, value: readTextFormat(schema, text), form: "plain", bytes: bytes.length };
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    const place = /^line (\d+), column (\d+): /.exec(error.message);
    const where = place === null ? name : `${name}:${place[1]}:${place[2]}`;
    throw new UsageError(`${where}: ${error.message.slice(place?.[0].length ?? 0)}`, { cause: error });
  }
}

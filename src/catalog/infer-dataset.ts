import { isUtf8 } from "node:buffer";
import path from "node:path";
import type { Dataset } from "../model/dataset.ts";
import { UsageError, ValueError } from "../model/errors.ts";
import { expectKnown, expectList, expectName, expectNumber, expectOptions } from "../model/expect-option.ts";
import type { Schema } from "../model/schema.ts";
import { show } from "../model/value.ts";
import { withoutDuplicates } from "../schema/infer/duplicates.ts";
import { Inference, type InferredSchema } from "../schema/infer/infer.ts";
import { JsonFault } from "../schema/infer/json-scanner.ts";
import { placeOfNoText } from "../schema/read/text-of.ts";
import { conform } from "../schema/values/conform.ts";
import { lossIn } from "../schema/values/loss.ts";
import { readDocument } from "../schema/values/read-document.ts";
import type { MessageRules } from "./encoded-messages.ts";
import { type FileForm, type FileRecord, ownRecord, placeInFile } from "./file-record.ts";
import { recordsIn } from "./file-records.ts";
import { jsonDocument } from "./json-document.ts";
import { nameOf, type ReadOptions, seedOf } from "./load-dataset.ts";
import { looksLike } from "./looks-like.ts";
import { bytesRead, type OnRead } from "./read-progress.ts";
import { Reservoir } from "./reservoir.ts";

/** JSON documents without a schema, by files. */
export interface DocumentFiles extends Omit<ReadOptions, keyof MessageRules | "delimited"> {
  /** JSON, with comments or without, or NDJSON, packed with gzip or not; a line and a file are a document each. */
  readonly data: string | readonly string[];
  /**
   * What a value is where documents are lists: the document, or each element. By default the document, unless one has more than
   * 1,000 elements.
   */
  readonly as?: "one" | "each";
  /** As `/people/-/kind=enum`: the type of a path that its values do not tell. */
  readonly hints?: readonly string[];
  /** What a key means that stands twice in an object: nothing, or what it does the last time. */
  readonly duplicates?: "refuse" | "last";
  /** As in `DataFiles`. */
  readonly fillDefaults?: boolean;
}

/** Elements of a list beyond which each is a value, where nobody says. */
const MOST_ELEMENTS = 1000;

/** How many values are measured of more, where nobody says. */
const SAMPLE = 1000;

/**
 * Makes a dataset of JSON documents with the schema that is inferred from all of them. Each of its values was held against its
 * document: nothing is lost. Throws WirebenchError.
 */
export async function inferDataset(given: DocumentFiles): Promise<Dataset> {
  const files = checkedFiles(given);
  const inference = new Inference(files);
  const kept = await scan(files, inference);
  const [first = ""] = files.data;
  if (kept.met === 0) throw new UsageError(`${first}: no document`);
  const name = await nameOf(first);
  const elements = inference.mostElements;
  const isEach =
    elements !== undefined && (files.as ?? (elements > MOST_ELEMENTS ? "each" : "one")) === "each";
  const { schema, values: total, choices } = inferred(inference, name, isEach, files);
  const sample = new Reservoir<Document>(files.sample ?? SAMPLE, seedOf(files));
  for (const scanned of kept.items()) {
    if (isEach) addElements(sample, scanned);
    else {
      files.onRead?.({ step: "parse", done: 0, total: scanned.record.bytes.length });
      sample.add(() => documentOf(scanned.record));
    }
  }
  const chosen = sample.items();
  const carried = carriedOf(schema, chosen, files);
  const told = elements === undefined ? choices : [listChoice(isEach), ...choices];
  return {
    name,
    story: storyOf(files, schema, chosen.length, total),
    schema,
    ...carried,
    fileBytes: chosen.reduce((sum, { bytes }) => sum + bytes, 0) / chosen.length,
    inferred: { values: total, choices: told },
  };
}

/** The schema of what was scanned. What is wrong with all files is told of all that there are. */
function inferred(inference: Inference, name: string, isEach: boolean, { data }: Files): InferredSchema {
  try {
    return inference.schema(name, isEach);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${placesOf(data)}: ${error.message}`, { cause: error });
  }
}

/** The files in a few words. */
function placesOf(files: readonly string[]): string {
  return files.length > 3
    ? `${files.slice(0, 2).join(", ")} and ${files.length - 2} more files`
    : files.join(", ");
}

function listChoice(isEach: boolean): string {
  return isEach
    ? "each element of the list is a value: see --as one"
    : "the list is one value: see --as each";
}

function storyOf(files: Files, schema: Schema, measured: number, total: number): string {
  const count = (values: number): string => values.toLocaleString("en-US");
  const of = measured === total ? "" : ` of ${count(total)}, sampled with seed ${seedOf(files)},`;
  const shown = placesOf(files.data.map((file) => path.basename(file)));
  return `${measured === 1 ? "One" : count(measured)} ${schema.root}${of} from ${shown}, with a schema inferred from ${total === 1 ? "it" : "all of them"}.`;
}

/** A value of a file. */
interface Document {
  /** The file, and the place in it. */
  readonly name: string;
  /** As `readJson` gives it. */
  readonly value: unknown;
  readonly bytes: number;
}

/** {@link DocumentFiles}, checked. */
interface Files extends DocumentFiles {
  readonly data: readonly string[];
}

const OPTIONS: Readonly<Record<keyof DocumentFiles, true>> = {
  data: true,
  as: true,
  hints: true,
  duplicates: true,
  fillDefaults: true,
  int64: true,
  sample: true,
  seed: true,
  onRead: true,
};

/** What a program gave. Throws UsageError for what would be ignored in silence, or fail in other words. */
function checkedFiles(given: DocumentFiles): Files {
  expectOptions("inferDataset", given);
  expectKnown(given, Object.keys(OPTIONS));
  const { as = "one", duplicates = "refuse", hints, sample = 1 } = given;
  const data = [given.data].flat();
  for (const file of data.length === 0 ? [undefined] : data)
    if (typeof file !== "string") throw new UsageError(`data: expected names of files, got ${show(file)}`);
  expectName("as", as, { one: true, each: true });
  expectName("duplicates", duplicates, { refuse: true, last: true });
  expectList("hints", hints);
  expectNumber("sample", sample, { integer: true, least: 1, most: Number.MAX_SAFE_INTEGER });
  return { ...given, data };
}

/** A record, and where the elements of the list that it is begin and end. */
interface Scanned {
  readonly record: FileRecord;
  readonly elements: readonly number[];
}

/** Adds every document to the inference, and keeps a sample where there are many. */
async function scan(files: Files, inference: Inference): Promise<Reservoir<Scanned>> {
  const kept = new Reservoir<Scanned>(files.sample ?? SAMPLE, seedOf(files));
  const onBytes = files.onRead && bytesRead(files.data, files.onRead);
  for (const file of files.data) {
    const { form, records } = await recordsIn(file, { onBytes });
    for await (const given of records) {
      const record =
        files.duplicates === "last" ? { ...given, bytes: withoutDuplicates(bufferOf(given)) } : given;
      const elements = scanOne(record, form, inference, form === "whole" ? files.onRead : undefined);
      kept.add(() => ({ record: ownRecord(form, record), elements }));
    }
  }
  return kept;
}

/** Adds a document to the inference, and says where its elements are. */
function scanOne(
  record: FileRecord,
  form: FileForm,
  inference: Inference,
  onRead?: OnRead,
): readonly number[] {
  const { name } = record;
  const bytes = bufferOf(record);
  if (bytes.length === 0) throw new UsageError(`${name}: an empty file`);
  if (!isUtf8(bytes)) {
    const look = looksLike(record.start ?? { bytes, isAll: true }, "binary", "delimited");
    const hint = look === undefined ? "an encoded message needs --schema" : `it looks like ${look}`;
    const place = placeInFile(record, placeOfNoText(bytes));
    throw new UsageError(`${place}: not valid UTF-8, and JSON text is; ${hint}`);
  }
  try {
    return inference.add(bytes, onRead && ((done) => onRead({ step: "infer", done, total: bytes.length })));
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const place = placeInFile(record, placeOf(bytes, error.offset));
    const own = form === "values" ? ["lines" as const] : ["lines" as const, "json" as const];
    const look = record.start && looksLike(record.start, ...own);
    const hint = look === undefined ? "" : ` (it looks like ${look})`;
    throw new UsageError(`${place}: ${error.message}${hint}`, { cause: error });
  }
}

function bufferOf({ bytes }: FileRecord): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Line and column, both from 1, the column in UTF-16 units. */
function placeOf(bytes: Buffer, offset: number): { readonly line: number; readonly column: number } {
  const start = bytes.lastIndexOf("\n", offset - 1) + 1;
  let line = 1;
  for (let at = bytes.indexOf("\n"); at >= 0 && at < offset; at = bytes.indexOf("\n", at + 1)) line += 1;
  const from = offset === 0 ? 0 : start;
  return { line, column: bytes.toString("utf8", from, offset).replace(/^\uFEFF/, "").length + 1 };
}

/** How what was scanned is read. */
const SCANNED = { comments: true, isScanned: true };

function documentOf(record: FileRecord): Document {
  const { value, text } = jsonDocument(record, SCANNED);
  return { name: record.name, value, bytes: Buffer.byteLength(text.trim()) };
}

/** Adds the elements of a list, of which those alone are parsed that are kept. */
function addElements(sample: Reservoir<Document>, { record, elements }: Scanned): void {
  const length = elements.length / 2;
  // Without brackets and commas.
  const bytes = (elements.at(-1)! - elements[0]! + 1) / length - 1;
  for (let index = 0; index < length; index++) {
    sample.add(() => {
      const element = record.bytes.subarray(elements[2 * index], elements[2 * index + 1]);
      const { value } = jsonDocument({ ...record, bytes: element }, SCANNED);
      return { name: `${record.name}[${index}]`, value, bytes };
    });
  }
}

/** The canonical values, and the documents that they are proven to mean. */
function carriedOf(
  schema: Schema,
  chosen: readonly Document[],
  { int64: wanted, fillDefaults }: DocumentFiles,
): Pick<Dataset, "values" | "int64" | "documents"> {
  const documents = chosen.map(({ value }) => readDocument(schema, value));
  const failing = (index: number, problem: string): UsageError =>
    new UsageError(`${chosen[index]!.name}: ${problem}`);
  const attempts = documents.map((document, index) => {
    try {
      return conform(schema, document, { form: "json", int64: wanted ?? "auto" });
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      throw failing(index, error.message);
    }
  });
  const int64 = attempts.some((attempt) => attempt.int64 === "bigint") ? "bigint" : "number";
  const values = attempts.map((attempt, index) => {
    const { value } =
      attempt.int64 === int64 ? attempt : conform(schema, documents[index], { form: "json", int64 });
    const loss = lossIn(schema, documents[index]!, value);
    if (loss !== undefined) throw failing(index, `the schema would change it: ${loss}`);
    return value;
  });
  return { values, int64, ...(fillDefaults === true ? {} : { documents }) };
}

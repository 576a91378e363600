import { appendFileSync, existsSync, openSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import type { IpcMessage, IpcRecord, IpcTestRecord } from "../model/records/ipc.ts";
import { renderJson } from "../reports/any/json.ts";
import { csvField } from "../reports/escape.ts";
import { renderIpcMarkdown } from "../reports/ipc/markdown.ts";
import type { Picture } from "../reports/picture.ts";
import { RECORD, REPORT, ResultFolder, unwritable } from "./result-folder.ts";

const MESSAGES = "messages.csv";
const PLOTS = "plots";

/** Messages that are made into lines at once. */
const LINES = 10_000;

/** The folder of a run between processes: run.json, report.md, a row per message in messages.csv, and plots. */
export class IpcResults {
  readonly #folder: ResultFolder;
  readonly #messages: number;

  /** @param folder as for {@link ResultFolder} */
  constructor(folder?: string) {
    this.#folder = new ResultFolder(folder, [RECORD, REPORT, MESSAGES]);
    this.#folder.replace(MESSAGES, `${COLUMNS.join(",")}\n`);
    // Whoever begins another run in the same folder gets a file of its own, and not the end of this one.
    this.#messages = openSync(path.join(this.path, MESSAGES), "a");
    removePlots(path.join(this.path, PLOTS));
  }

  get path(): string {
    return this.#folder.path;
  }

  /**
   * Adds a test's messages to messages.csv. Throws UsageError.
   * @param number of the test among those of the record
   */
  addMessages(test: IpcTestRecord, number: number, messages: readonly IpcMessage[]): void {
    const file = path.join(this.path, MESSAGES);
    try {
      for (let from = 0; from < messages.length; from += LINES) {
        const lines = messages.slice(from, from + LINES).map((message) => lineOf(number, test, message));
        appendFileSync(this.#messages, lines.join(""));
      }
    } catch (error) {
      throw unwritable(file, error);
    }
  }

  /** Writes a plot. Throws UsageError. */
  savePlot(file: string, svg: string): void {
    this.#folder.replace(file, svg);
  }

  /** Writes run.json and report.md. Throws UsageError. @param plots those that were saved */
  save(record: IpcRecord, plots: readonly Picture[]): void {
    this.#folder.replace(RECORD, renderJson(record));
    this.#folder.replace(REPORT, renderIpcMarkdown(record, plots));
  }
}

/**
 * Columns of messages.csv. `number` is the test's place in the record, from 0. Times are nanoseconds since the test's start; those
 * of a listener are empty for a message that it never read.
 */
const COLUMNS = [
  "number",
  "test",
  "codec",
  "dataset",
  "transport",
  "reliability",
  "phase",
  "talker",
  "listener",
  "sequence",
  "outcome",
  "encoded_bytes",
  "intended_ns",
  "encode_start_ns",
  "encoded_ns",
  "sent_ns",
  "first_byte_ns",
  "last_byte_ns",
  "taken_ns",
  "read_ns",
] as const;

function lineOf(number: number, test: IpcTestRecord, message: IpcMessage): string {
  const { phase, talker, listener, sequence, outcome, intended, encodeStart, encoded, sent } = message;
  const { test: name, codec, dataset, transport, reliability } = test;
  const what = [
    number,
    name,
    codec,
    dataset,
    transport,
    reliability,
    phase,
    talker,
    listener,
    sequence,
    outcome,
  ];
  const talkerTimes = [intended, encodeStart, encoded, sent];
  const listenerTimes = [message.firstByte, message.lastByte, message.taken, message.read];
  return `${[...what, message.encodedBytes, ...talkerTimes, ...listenerTimes].map(csvField).join(",")}\n`;
}

/** Pictures of a record that is replaced would be taken for those of the new one. */
function removePlots(folder: string): void {
  if (!existsSync(folder)) return;
  for (const file of readdirSync(folder)) if (file.endsWith(".svg")) rmSync(path.join(folder, file));
}

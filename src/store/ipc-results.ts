import { appendFileSync, openSync } from "node:fs";
import path from "node:path";
import type { IpcMessage, IpcRecord, IpcTestRecord } from "../model/records/ipc.ts";
import type { IpcRemoteMessage, IpcRemoteRecord } from "../model/records/ipc-remote.ts";
import { renderJson } from "../reports/any/json.ts";
import { csvField } from "../reports/escape.ts";
import { renderIpcMarkdown } from "../reports/ipc/markdown.ts";
import { renderRemoteMarkdown } from "../reports/ipc-remote/markdown.ts";
import type { Picture } from "../reports/picture.ts";
import { MESSAGES, RECORD, REPORT, ResultFolder, unwritable } from "./result-folder.ts";

/** Messages that are made into lines at once. */
const LINES = 10_000;

/** The folder of a run between processes: run.json, report.md, a row per message in messages.csv, and plots. */
export class IpcResults {
  readonly #folder: ResultFolder;
  readonly #messages: number;

  /** @param folder as for {@link ResultFolder} */
  constructor(folder?: string) {
    this.#folder = new ResultFolder(folder, [RECORD, REPORT, MESSAGES], MESSAGES);
    this.#folder.replace(MESSAGES, headerOf({ ...TEST_COLUMNS, ...COLUMNS }));
    this.#messages = openSync(path.join(this.path, MESSAGES), "a");
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
    const start = testFields({ ...test, number });
    try {
      for (let from = 0; from < messages.length; from += LINES) {
        const lines = messages
          .slice(from, from + LINES)
          .map((message) => `${start},${messageFields(message)}\n`);
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

/** The folder of messages between two machines: run.json, report.md, and a row per message in messages.csv. */
export class IpcRemoteResults {
  readonly #folder: ResultFolder;

  /** @param folder as for {@link ResultFolder} */
  constructor(folder?: string) {
    this.#folder = new ResultFolder(folder, [RECORD, REPORT, MESSAGES], MESSAGES);
  }

  get path(): string {
    return this.#folder.path;
  }

  /** Throws UsageError. */
  save(record: IpcRemoteRecord, messages: readonly IpcRemoteMessage[]): void {
    this.#folder.replace(MESSAGES, [headerOf(REMOTE_COLUMNS), ...messages.map(remoteLineOf)].join(""));
    this.#folder.replace(REPORT, renderRemoteMarkdown(record));
    this.#folder.replace(RECORD, renderJson(record));
  }
}

/** The columns of a file, by their headings: what each says of a message. */
type Columns<M> = Readonly<Record<string, (message: M) => string | number | undefined>>;

/**
 * Columns of messages.csv after those of its test. Times are nanoseconds since the test's start; those of a listener are
 * empty for a message that it never read.
 */
const COLUMNS: Columns<IpcMessage> = {
  phase: (one) => one.phase,
  talker: (one) => one.talker,
  listener: (one) => one.listener,
  sequence: (one) => one.sequence,
  outcome: (one) => one.outcome,
  encoded_bytes: (one) => one.encodedBytes,
  intended_ns: (one) => one.intended,
  encode_start_ns: (one) => one.encodeStart,
  encoded_ns: (one) => one.encoded,
  sent_ns: (one) => one.sent,
  first_byte_ns: (one) => one.firstByte,
  last_byte_ns: (one) => one.lastByte,
  taken_ns: (one) => one.taken,
  read_ns: (one) => one.read,
};

/** Columns of a test. `number` is its place in the record, from 0. */
const TEST_COLUMNS: Columns<IpcTestRecord & { readonly number: number }> = {
  number: (one) => one.number,
  test: (one) => one.test,
  codec: (one) => one.codec,
  dataset: (one) => one.dataset,
  transport: (one) => one.transport,
  reliability: (one) => one.reliability,
};

/** Columns between two machines. Times are nanoseconds; those of a message that was not answered are empty. */
const REMOTE_COLUMNS: Columns<IpcRemoteMessage> = {
  phase: (one) => one.phase,
  sequence: (one) => one.sequence,
  encode_ns: (one) => one.encode,
  round_trip_ns: (one) => one.roundTrip,
  decode_ns: (one) => one.decode,
};

function headerOf(columns: object): string {
  return `${Object.keys(columns).join(",")}\n`;
}

/** The fields of a line; a million messages have one set of columns. */
function fieldsOf<M>(columns: Columns<M>): (message: M) => string {
  const fields = Object.values(columns);
  return (message) => fields.map((field) => csvField(field(message))).join(",");
}

const testFields = fieldsOf(TEST_COLUMNS);
const messageFields = fieldsOf(COLUMNS);
const remoteFields = fieldsOf(REMOTE_COLUMNS);

function remoteLineOf(message: IpcRemoteMessage): string {
  return `${remoteFields(message)}\n`;
}

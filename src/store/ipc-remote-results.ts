import type { IpcRemoteMessage, IpcRemoteRecord } from "../model/records/ipc-remote.ts";
import { renderJson } from "../reports/any/json.ts";
import { csvField } from "../reports/escape.ts";
import { renderRemoteMarkdown } from "../reports/ipc-remote/markdown.ts";
import { RECORD, ResultFolder } from "./result-folder.ts";

const [MESSAGES, REPORT] = ["messages.csv", "report.md"];

/** Columns of messages.csv. Times are nanoseconds; those of a message that was not answered are empty. */
const COLUMNS = ["phase", "sequence", "encode_ns", "round_trip_ns", "decode_ns"];

/** The folder of messages between two machines: run.json, report.md, and a row per message in messages.csv. */
export class IpcRemoteResults {
  readonly #folder: ResultFolder;

  /** @param folder as for {@link ResultFolder} */
  constructor(folder?: string) {
    this.#folder = new ResultFolder(folder, [RECORD, MESSAGES, REPORT]);
  }

  get path(): string {
    return this.#folder.path;
  }

  /** Throws UsageError. */
  save(record: IpcRemoteRecord, messages: readonly IpcRemoteMessage[]): void {
    const rows = messages.map((one) => [one.phase, one.sequence, one.encode, one.roundTrip, one.decode]);
    const lines = [COLUMNS, ...rows].map((row) => `${row.map(csvField).join(",")}\n`);
    this.#folder.replace(MESSAGES, lines.join(""));
    this.#folder.replace(REPORT, renderRemoteMarkdown(record));
    this.#folder.replace(RECORD, renderJson(record));
  }
}

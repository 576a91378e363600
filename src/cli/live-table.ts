import type { RunRecord } from "../model/records/run.ts";
import { rankingLines } from "../reports/sections/run/ranking.ts";
import type { Progress } from "../suite/progress-meter.ts";
import type { Io } from "./io.ts";
import { type ProgressLine, progressLine } from "./progress-line.ts";

const GREEN = "\u001b[32m";
const RED = "\u001b[31m";
const PLAIN = "\u001b[39m";

/** What a terminal shows of a run until its answer is there: the codecs as they are by now, above the line of its progress. */
export class LiveTable {
  readonly #io: Io;
  readonly #line: ProgressLine<Progress>;
  #now: Progress | undefined;
  /** Lines above that of the progress. */
  #above = 0;

  constructor(io: Io) {
    this.#io = io;
    this.#line = progressLine(io);
  }

  progress(now: Progress): void {
    this.#now = now;
    this.#line.show(now);
  }

  /** Draws the table anew; elsewhere than on a terminal it does nothing. */
  show(record: RunRecord): void {
    const size = this.#io.size();
    if (size === undefined) return;
    const isColoured = this.#io.isColoured();
    const lines = rankingLines(record, {
      columns: size.columns - 1,
      // The line of the progress, and one that the cursor may need.
      rows: size.rows - 2,
      paint: (text, verdict) => (isColoured ? `${verdict === "faster" ? GREEN : RED}${text}${PLAIN}` : text),
    });
    this.#io.tell(`${this.#upwards()}${lines.map((line) => `${line}\n`).join("")}`);
    this.#above = lines.length;
    if (this.#now !== undefined) this.#line.show(this.#now);
  }

  /** Leaves no trace, for what comes next. */
  clear(): void {
    if (this.#io.size() === undefined) return;
    this.#io.tell(this.#upwards());
    this.#above = 0;
  }

  /** To where the table began, with nothing left of it. */
  #upwards(): string {
    return `\r${this.#above === 0 ? "" : `\u001b[${this.#above}A`}\u001b[J`;
  }
}

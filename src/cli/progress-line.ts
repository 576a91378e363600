import type { ReadProgress } from "../catalog/read-progress.ts";
import type { IpcProgress } from "../ipc/run.ts";
import { formatDuration, formatMegabytes } from "../reports/units.ts";
import type { Progress } from "../suite/progress-meter.ts";
import type { Io } from "./io.ts";

const CLEAR_LINE = "\r\u001b[K";

/** Shows how far something is: one line that changes on a terminal, a line for each step elsewhere. */
export class ProgressLine<Now> {
  readonly #io: Io;
  readonly #describe: (now: Now) => string;
  readonly #step: (now: Now) => unknown;
  #shown: unknown;

  /** @param step what has to change before there is another line elsewhere */
  constructor(io: Io, describe: (now: Now) => string, step: (now: Now) => unknown) {
    this.#io = io;
    this.#describe = describe;
    this.#step = step;
  }

  show(now: Now): void {
    const columns = this.#io.columns();
    if (columns !== undefined) {
      this.#io.tell(CLEAR_LINE + this.#describe(now).slice(0, columns - 1));
      return;
    }
    const step = this.#step(now);
    if (step !== this.#shown) this.#io.tell(`${this.#describe(now)}\n`);
    this.#shown = step;
  }

  /** Leaves an empty line for what comes next. */
  clear(): void {
    if (this.#io.columns() !== undefined) this.#io.tell(CLEAR_LINE);
  }
}

/** Of measuring processes: a line for each tenth, and one at the end. */
export function progressLine(io: Io): ProgressLine<Progress> {
  return new ProgressLine(io, describeRun, ({ done, total, current }) =>
    current === undefined ? "done" : Math.floor((done / total) * 10),
  );
}

function describeRun({ done, total, current, elapsedMs, remainingMs }: Progress): string {
  // Where no codec can be measured there is nothing to do.
  const share = `${total === 0 ? 100 : Math.floor((done / total) * 100)} %`.padStart(5);
  const what = current === undefined ? "done" : `${current.dataset} ${current.codec}`;
  const left =
    remainingMs === undefined || current === undefined ? "" : `, ${formatDuration(remainingMs)} left`;
  return `${share}  ${done}/${total} processes, ${formatDuration(elapsedMs)}${left}  ${what}`;
}

/** Of tests between processes: a line for each test. */
export function ipcProgressLine(io: Io): ProgressLine<IpcProgress> {
  return new ProgressLine(io, describeIpc, ({ done }) => done);
}

function describeIpc({ done, total, current, elapsedMs }: IpcProgress): string {
  const part = `${done}/${total} tests, ${formatDuration(elapsedMs)}`;
  if (current === undefined) return `${part}  done`;
  const { cell, share } = current;
  const { test, dataset, codec, reliability, messages } = cell;
  const percent = share > 0 ? `, ${Math.floor(share * 100)} %` : "";
  return `${part}  ${test} ${dataset.name} ${codec}, ${reliability}, ${messages} messages${percent}`;
}

const READING: Readonly<Record<ReadProgress["step"], string>> = {
  read: "reading",
  infer: "inferring a schema of",
  parse: "parsing",
  check: "checking",
};

/** Reading that takes no longer says nothing. */
const SILENT_MS = 1000;

/** Bytes of a file that is parsed before anybody has read that it is. */
const PARSED_AT_ONCE = 1e6;

/** Nothing is said more often. */
const PAUSE_MS = 100;

/** Of reading the user's own data: each step with its share and its time left; elsewhere a line for each quarter of it. */
export class ReadingLine {
  readonly #line: ProgressLine<ReadProgress>;
  readonly #clock: () => number;
  readonly #start: number;
  #step: ReadProgress["step"] | undefined;
  /** When the step began, with what done; and when anything was told. */
  #began: number;
  #from = 0;
  #told: number | undefined;

  /** @param clock milliseconds, from any time on */
  constructor(io: Io, clock: () => number = Date.now) {
    this.#clock = clock;
    this.#start = clock();
    this.#began = this.#start;
    this.#line = new ProgressLine(
      io,
      (now) => this.#describe(now),
      ({ step, done, total = 0 }) => (total > 0 ? `${step} ${Math.floor((done / total) * 4)}` : step),
    );
  }

  show(now: ReadProgress): void {
    if (now.step === "parse" && now.total !== undefined && now.total < PARSED_AT_ONCE) return;
    const time = this.#clock();
    const isNew = now.step !== this.#step;
    if (isNew && this.#step !== undefined) {
      this.#began = time;
      this.#from = now.done;
    }
    this.#step = now.step;
    if (time - this.#start < SILENT_MS) return;
    if (!isNew && this.#told !== undefined && time - this.#told < PAUSE_MS) return;
    this.#told = time;
    this.#line.show(now);
  }

  /** Leaves an empty line for what comes next. */
  clear(): void {
    if (this.#told !== undefined) this.#line.clear();
  }

  #describe({ step, done, total }: ReadProgress): string {
    const amount = total ?? done;
    const of = step === "check" ? `${amount.toLocaleString("en-US")} values` : formatMegabytes(amount);
    const what = `${READING[step]} ${of}`;
    if (total === undefined || done <= this.#from) return what;
    const left = ((this.#clock() - this.#began) / (done - this.#from)) * (total - done);
    return `${what}: ${Math.floor((done / total) * 100)} %, ${formatDuration(left)} left`;
  }
}

import type { IpcProgress } from "../ipc/run.ts";
import { formatDuration } from "../reports/units.ts";
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

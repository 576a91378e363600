import type { IpcProgress } from "../ipc/run.ts";
import { formatDuration } from "../reports/units.ts";
import type { Io } from "./io.ts";

const CLEAR_LINE = "\r\u001b[K";

/** Least time between two showings on a terminal, in milliseconds. */
const SHOW_MS = 100;

/** Shows how far a run between processes is: one line that changes on a terminal, a line for each test elsewhere. */
export class IpcProgressLine {
  readonly #io: Io;
  #shownMs = Number.NEGATIVE_INFINITY;
  #begun = -1;

  constructor(io: Io) {
    this.#io = io;
  }

  show(progress: IpcProgress): void {
    const { done, elapsedMs } = progress;
    const isNew = done !== this.#begun;
    this.#begun = done;
    const columns = this.#io.columns();
    if (columns === undefined) {
      if (isNew) this.#io.tell(`${describe(progress)}\n`);
    } else if (isNew || elapsedMs - this.#shownMs >= SHOW_MS) {
      this.#shownMs = elapsedMs;
      this.#io.tell(CLEAR_LINE + describe(progress).slice(0, columns - 1));
    }
  }

  /** Leaves an empty line for what comes next. */
  clear(): void {
    if (this.#io.columns() !== undefined) this.#io.tell(CLEAR_LINE);
  }
}

function describe({ done, total, current, elapsedMs }: IpcProgress): string {
  const part = `${done}/${total} tests, ${formatDuration(elapsedMs)}`;
  if (current === undefined) return `${part}  done`;
  const { cell, share } = current;
  const { test, dataset, codec, reliability, messages } = cell;
  const percent = share > 0 ? `, ${Math.floor(share * 100)} %` : "";
  return `${part}  ${test} ${dataset.name} ${codec}, ${reliability}, ${messages} messages${percent}`;
}

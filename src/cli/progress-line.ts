import { formatDuration } from "../reports/units.ts";
import type { Progress } from "../suite/progress-meter.ts";
import type { Io } from "./io.ts";

const CLEAR_LINE = "\r\u001b[K";

/** Shows how far a run is: one line that changes on a terminal, a line for each tenth elsewhere. */
export class ProgressLine {
  readonly #io: Io;
  #tenths = -1;

  constructor(io: Io) {
    this.#io = io;
  }

  show(progress: Progress): void {
    const { done, total, current } = progress;
    const columns = this.#io.columns();
    if (columns !== undefined) {
      this.#io.tell(CLEAR_LINE + describe(progress).slice(0, columns - 1));
      return;
    }
    const tenths = Math.floor((done / total) * 10);
    if (tenths === this.#tenths && current !== undefined) return;
    this.#tenths = tenths;
    this.#io.tell(`${describe(progress)}\n`);
  }

  /** Leaves an empty line for what comes next. */
  clear(): void {
    if (this.#io.columns() !== undefined) this.#io.tell(CLEAR_LINE);
  }
}

function describe({ done, total, current, elapsedMs, remainingMs }: Progress): string {
  const share = `${Math.floor((done / total) * 100)} %`.padStart(5);
  const what = current === undefined ? "done" : `${current.dataset} ${current.codec}`;
  const left =
    remainingMs === undefined || current === undefined ? "" : `, ${formatDuration(remainingMs)} left`;
  return `${share}  ${done}/${total} processes, ${formatDuration(elapsedMs)}${left}  ${what}`;
}

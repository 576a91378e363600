/** Counts what the processor does, by Linux's `perf` beside this process: no addon, and no rights but to watch oneself. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, constants, fstatSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Counter, CounterEvents, Counts } from "../../measure/counting.ts";
import type { Unavailable } from "../../model/errors.ts";
import { eventCount, perfFault, SEPARATOR } from "./perf-output.ts";

/** How perf is run, for tests. */
export interface PerfOptions {
  readonly program?: string;
  /** Milliseconds in which it must have begun, and have done what it was told. */
  readonly answerMs?: number;
}

/** On a busy machine perf began within 0.3 s. */
const ANSWER_MS = 5000;

/**
 * Counts events of the main thread of this process. The other threads are left out: how much they compile and collect
 * beside it, and when, is the scheduler's choice. Perf runs only while something is counted, so that it is beside no
 * call that is timed. It ends by itself when this process does.
 */
export class PerfCounter implements Counter {
  readonly #events: CounterEvents;
  readonly #options: Required<PerfOptions>;
  /** Why nothing can be counted: what failed once is not tried again. */
  #fault: Unavailable | undefined;

  constructor(events: CounterEvents, { program = "perf", answerMs = ANSWER_MS }: PerfOptions = {}) {
    this.#events = events;
    this.#options = { program, answerMs };
  }

  /** Throws what the work throws. */
  count(work: () => void): Counts | Unavailable {
    if (this.#fault !== undefined) return this.#fault;
    const counts = this.#counted(work);
    if ("unavailable" in counts) this.#fault = counts;
    return counts;
  }

  #counted(work: () => void): Counts | Unavailable {
    if (process.platform !== "linux")
      return { unavailable: `perf is a program of Linux, got ${process.platform}` };
    let session: PerfSession;
    try {
      session = new PerfSession(Object.values(this.#events), this.#options);
    } catch (error) {
      return { unavailable: reasonOf(error) };
    }
    let output: string;
    try {
      session.tell("enable");
      try {
        work();
      } catch (error) {
        throw new WorkError(error);
      }
      session.tell("disable");
      output = session.finish();
    } catch (error) {
      if (error instanceof WorkError) throw error.cause;
      return { unavailable: reasonOf(error) };
    } finally {
      session.close();
    }
    const instructions = eventCount(output, this.#events.instructions);
    const cycles = eventCount(output, this.#events.cycles);
    if (typeof instructions !== "number") return instructions;
    return { instructions, ...(typeof cycles === "number" && { cycles }) };
  }
}

/** Why instructions cannot be counted here, as a count of nothing much tells; undefined where they can. */
export function counterFault(events: CounterEvents, options?: PerfOptions): string | undefined {
  const state = { sum: 0 };
  const counts = new PerfCounter(events, options).count(() => {
    for (let i = 0; i < 1e6; i++) state.sum += i;
  });
  return "unavailable" in counts ? counts.unavailable : undefined;
}

/** What a piece of work threw, and not perf. */
class WorkError extends Error {
  constructor(cause: unknown) {
    super("the work failed", { cause });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The file descriptors by which perf is told what to do and answers. */
const [CONTROL, ANSWER] = [3, 4];

const NON_BLOCKING = constants.O_NONBLOCK;

/** One process of perf, which waits for its commands. No turn of the event loop is needed: files alone tell how it fares. */
class PerfSession {
  readonly #answerMs: number;
  readonly #child: ChildProcess;
  /** Ends of two pipes, and what perf prints. */
  readonly #control: number;
  readonly #answer: number;
  readonly #output: number;

  constructor(events: readonly string[], { program, answerMs }: Required<PerfOptions>) {
    this.#answerMs = answerMs;
    const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-perf-"));
    try {
      const [control, answer] = [path.join(folder, "control"), path.join(folder, "answer")];
      execFileSync("mkfifo", [control, answer]);
      // A pipe is opened for reading first: there is nobody yet to write.
      const controlled = openSync(control, constants.O_RDONLY | NON_BLOCKING);
      this.#control = openSync(control, constants.O_WRONLY | NON_BLOCKING);
      this.#answer = openSync(answer, constants.O_RDONLY | NON_BLOCKING);
      const answered = openSync(answer, constants.O_WRONLY | NON_BLOCKING);
      this.#output = openSync(path.join(folder, "output"), "w+");
      const args = ["stat", "-x", SEPARATOR, "-e", events.join(","), "-t", String(process.pid)];
      this.#child = spawn(program, [...args, "-D", "-1", "--control", `fd:${CONTROL},${ANSWER}`], {
        stdio: ["ignore", "ignore", this.#output, controlled, answered],
        env: { ...process.env, LC_ALL: "C" },
      });
      this.#child.on("error", () => {});
      this.#child.unref();
      // Perf has these ends alone, so that either side sees that the other has ended.
      closeSync(controlled);
      closeSync(answered);
    } finally {
      // What is open stays so without its name, and nothing is left of a process that is killed.
      rmSync(folder, { recursive: true, force: true });
    }
    if (this.#child.pid === undefined) {
      this.close();
      throw new Error(`${program} cannot be started: expected it in the PATH`);
    }
  }

  /** Returns when perf has done it. Throws where it does not. */
  tell(command: "enable" | "disable"): void {
    try {
      writeSync(this.#control, `${command}\n`);
    } catch {
      // It has ended, which is seen below.
    }
    if (!this.#answers()) throw new Error(perfFault(this.#printed()));
  }

  /** Ends perf, which then prints what it counted. */
  finish(): string {
    this.#child.kill("SIGINT");
    while (this.#answers());
    return this.#printed();
  }

  /** Ends it at once, where it has not ended. */
  close(): void {
    this.#child.kill("SIGKILL");
    for (const descriptor of [this.#control, this.#answer, this.#output]) closeSync(descriptor);
  }

  /** Waits for an answer; false when perf has ended. */
  #answers(): boolean {
    const until = performance.now() + this.#answerMs;
    while (performance.now() < until) {
      try {
        return readSync(this.#answer, Buffer.alloc(64)) > 0;
      } catch (error) {
        if ((error as { code?: string }).code !== "EAGAIN") throw error;
        Atomics.wait(PAUSE, 0, 0, 0.2);
      }
    }
    throw new Error(`perf gave no answer in ${this.#answerMs / 1000} s`);
  }

  #printed(): string {
    const bytes = Buffer.alloc(fstatSync(this.#output).size);
    return bytes.toString("utf8", 0, readSync(this.#output, bytes, 0, bytes.length, 0));
  }
}

/** Nobody wakes who waits here. */
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

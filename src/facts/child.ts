/** The coordinator's side of a process that answers for a codec: asks, waits, and says how it ended. */
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { endingOf, endingReason, startCommand } from "../runtimes/launch/child-process.ts";
import type { Ending } from "../runtimes/launch/runtime.ts";

/** Milliseconds in which a codec's modules are loaded. */
const LOADING = 30_000;

/** Seconds of processor time that a process has. */
const CPU_SECONDS = 600;

/** glibc: large blocks go back to the system as soon as they are free, however many there were, so that memory can be told from outside. */
const MEMORY_GIVEN_BACK = { MALLOC_MMAP_THRESHOLD_: "131072", MALLOC_TRIM_THRESHOLD_: "131072" };

/** V8: code is compiled where it runs. As many processes as there are cores run at once, and threads beside them take longer in all. */
const ONE_AT_A_TIME = ["--no-concurrent-recompilation"];

/** Share of the time that a process has which it spends on a core if it never waits. */
const MOSTLY = 0.8;

/** How a process ended that was asked something. */
export interface Ended {
  readonly ended: "died" | "hung";
  readonly got: string;
}

/** A child for one codec after the other, which is started again after it ended. */
export class Child<Request, Response extends object> {
  readonly #command: readonly string[];
  #subject: Request;
  #process: ChildProcess | undefined;
  /** The process that was told the subject. */
  #told: ChildProcess | undefined;
  #ended: Promise<Ending> | undefined;
  /** Why the codec does not carry the data, once it has said so. */
  #refused: string | undefined;
  #isClosed = false;

  /**
   * @param program the module that it runs
   * @param heap megabytes of it
   * @param subject the codec and its data, which each of its processes is told first
   * @param flags of Node besides
   */
  constructor(program: URL, heap: number, subject: Request, flags: readonly string[] = []) {
    const own = [`--max-old-space-size=${heap}`, "--expose-gc", ...ONE_AT_A_TIME, ...flags];
    this.#command = [process.execPath, ...own, fileURLToPath(program)];
    this.#subject = subject;
  }

  /** From now on it answers for another subject, in the process that it has: what both load is loaded once. */
  become(subject: Request): void {
    this.#subject = subject;
    this.#told = undefined;
    this.#refused = undefined;
  }

  /** Why the codec does not carry the data; undefined where it does. */
  async refusal(): Promise<string | undefined> {
    if (this.#isClosed) return "the command ends";
    const isTold = this.#process !== undefined && this.#process === this.#told;
    if (this.#refused !== undefined || isTold) return this.#refused;
    const isNew = this.#process === undefined;
    if (isNew) this.#start();
    const asked = this.#process;
    const answer = await this.ask(this.#subject, LOADING);
    const isRefused = "refused" in answer;
    if (isRefused || "ended" in answer) this.end();
    // The subject before may have left what it fails of.
    if (this.#process === undefined && !isNew) return await this.refusal();
    if (isRefused) this.#refused = String(answer.refused);
    else if (!("ended" in answer)) this.#told = asked;
    return "ended" in answer ? answer.got : this.#refused;
  }

  #start(): void {
    this.#process = startCommand(this.#command, CPU_SECONDS, {
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      env: MEMORY_GIVEN_BACK,
    });
    this.#ended = endingOf(this.#process);
  }

  /**
   * Asks the process, which {@link refusal} has started.
   * @param patience milliseconds until it counts as one that does not end, on a core
   * @param goesOn says then whether it has come further, and may go on
   */
  ask(request: Request, patience: number, goesOn: () => boolean = () => false): Promise<Response | Ended> {
    const child = this.#process!;
    return new Promise((resolve) => {
      const settle = (response: Response | Ended): void => {
        clearInterval(timer);
        child.off("message", settle);
        resolve(response);
      };
      let since = processorTime(child.pid);
      const timer = setInterval(() => {
        const now = processorTime(child.pid);
        if (goesOn()) {
          since = now;
          return;
        }
        // On a busy machine a process that has work may have had no core for it.
        if (now?.isRunning === true && now.millis - (since?.millis ?? 0) < MOSTLY * patience) return;
        settle({ ended: "hung", got: `no answer within ${patience / 1000} s` });
        this.end();
      }, patience);
      child.once("message", settle);
      void this.#ended!.then((ending) => {
        if (this.#process === child) this.#process = undefined;
        settle({ ended: "died", got: endingReason(ending) });
      });
      // Where it cannot be sent, the process has ended, which says why.
      child.send(request as object, () => {});
    });
  }

  /** Ends the process for good: none is started again. */
  close(): void {
    this.#isClosed = true;
    this.end();
  }

  /** Ends the process. */
  end(): void {
    this.#process?.kill("SIGKILL");
    this.#process = undefined;
  }
}

/** Linux's unit of these times, whatever the clock of the kernel. */
const TICK_MILLIS = 10;

/** How long another process was on a core by now, and whether it has work; undefined where it is gone, or the system does not tell. */
export function processorTime(
  pid: number | undefined,
): { readonly millis: number; readonly isRunning: boolean } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program is in parentheses, and may have any character.
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const [state] = fields;
    return { millis: (Number(fields[11]) + Number(fields[12])) * TICK_MILLIS, isRunning: state === "R" };
  } catch {
    return undefined;
  }
}

/** The line that a reference program gets, and the lines that it says: the protocol of `native/README.md`. */
import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { endingReason, startCommand, tailOf } from "../launch/child-process.ts";
import { LINE_LIMIT, linesOf, MessageError } from "../launch/messages.ts";
import type { Ending } from "../launch/runtime.ts";

/** Version of the protocol. */
export const NATIVE_PROTOCOL = 1;

/** What a program has to do; without a system it says hello only. */
export interface NativeJob {
  readonly protocol: typeof NATIVE_PROTOCOL;
  readonly system?: string;
  readonly dataset?: string;
  /** As `schemaJson` makes it. */
  readonly schema?: unknown;
  /** As `jsonReady` makes them. */
  readonly values?: readonly unknown[];
  readonly operations?: readonly string[];
  readonly warmupMs?: number;
  readonly measureMs?: number;
  readonly batchMicros?: number;
  /** In place of a system. */
  readonly exchange?: NativeExchange;
}

/** Messages between processes that a program starts. */
export interface NativeExchange {
  readonly codec: string;
  readonly message: "frame" | "cloud";
  readonly bytes: number;
  readonly messages: number;
  readonly talkers: number;
  readonly listeners: number;
  readonly window: number;
  /** Messages per second and talker, which waits for nobody: what a listener does not take in time is lost, but for the newest. */
  readonly rateHz?: number;
  /** Messages before those that count; by default up to 10. */
  readonly warmup?: number;
}

/** Nanoseconds of one monotonic clock, of each message from a talker to a listener; `received` and `decoded` are 0 for one that was lost. */
export interface NativeLog {
  readonly listener: number;
  readonly encodedBytes: number;
  /** What the very first message took, warm-up included: encoding it, and decoding it; 0 where it was lost. */
  readonly first?: readonly number[];
  readonly begun: readonly number[];
  readonly encoded: readonly number[];
  readonly received: readonly number[];
  readonly decoded: readonly number[];
}

/** What a program says that it is. */
export interface Hello {
  readonly protocol: typeof NATIVE_PROTOCOL;
  readonly language: string;
  readonly compiler: string;
  readonly libraries: Readonly<Record<string, string>>;
}

/** What it measured of an operation: `native/README.md` has the units. */
export interface NativeMeasured {
  readonly operation: string;
  readonly batchCalls: number;
  readonly core: readonly number[];
  readonly wall: readonly number[];
  readonly probes?: readonly number[];
  readonly turns?: number;
  readonly loop: number;
  readonly first: number;
  readonly warmUp: { readonly calls: readonly number[]; readonly core: readonly number[] };
  readonly folds: readonly number[];
  readonly calls: number;
  readonly sum: number;
  readonly clock: "thread-cpu" | "wall";
  readonly clockStep: number;
}

/** Its bytes, in base64. */
export interface NativeProof {
  readonly encoded: readonly string[];
  readonly again?: readonly string[];
}

/** A line that a program says. */
export type NativeMessage =
  | { readonly hello: Hello }
  | { readonly after: string }
  | { readonly measured: NativeMeasured }
  | { readonly proof: NativeProof }
  | { readonly messages: NativeLog };

/** A program that was started. */
export interface NativeProcess {
  /** What it says, hello first, until it ends. Throws MessageError for what is no message. */
  readonly messages: AsyncIterable<NativeMessage>;
  readonly ended: Promise<Ending>;
  kill(): void;
}

/** Starts a program with a job. Its processor time is limited: it could outlive its coordinator. */
export function startNative(command: readonly string[], job: NativeJob, cpuSeconds: number): NativeProcess {
  const child = startCommand(command, cpuSeconds, { stdio: ["pipe", "pipe", "pipe"], env: {} });
  const stderr = tailOf(child);
  const ended = new Promise<Ending>((resolve) => {
    child.once("error", (error) => resolve({ cannotStart: error.message }));
    child.once("close", (code, killedBy) => {
      resolve({ code, killedBy, stderr: stderr.text, lastLine: lastLineOf(stderr.text) });
    });
  });
  const input = child.stdin as Writable;
  // A program that is already gone cannot take its job; how it ended says why.
  input.on("error", () => {});
  input.end(`${JSON.stringify(job)}\n`);
  return { messages: messagesOf(child), ended, kill: () => void child.kill("SIGKILL") };
}

/** How long a program may take to say what it is. */
const HELLO_SECONDS = 20;

/** What a program says that it is. Throws an Error with the reason where it does not. */
export async function helloOf(command: readonly string[]): Promise<Hello> {
  const { messages, ended, kill } = startNative(command, { protocol: NATIVE_PROTOCOL }, HELLO_SECONDS);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, HELLO_SECONDS * 1000);
  try {
    for await (const message of messages) if ("hello" in message) return message.hello;
    throw new Error(isLate ? `hung: no hello in ${HELLO_SECONDS} s` : endingReason(await ended));
  } finally {
    clearTimeout(timer);
    kill();
  }
}

/** What a program says last on stderr is what it says of its end. */
function lastLineOf(stderr: string): string {
  return stderr.trimEnd().split("\n").at(-1)?.trim() ?? "";
}

async function* messagesOf(child: ChildProcess): AsyncGenerator<NativeMessage> {
  let isFirst = true;
  for await (const line of linesOf(untilClosed(child), LINE_LIMIT)) {
    const message = messageOf(line);
    if (isFirst !== "hello" in message) throw wrong(isFirst ? "hello first" : "one hello", line);
    isFirst = false;
    yield message;
  }
}

/** What comes until a stream ends or breaks: the process's end says why. */
async function* untilClosed(child: ChildProcess): AsyncGenerator<string> {
  try {
    yield* (child.stdout as Readable).setEncoding("utf8") as AsyncIterable<string>;
  } catch {
    // A program that could not be started has no streams.
  }
}

/** Characters of a wrong line that are shown. */
const SHOWN = 40;

function wrong(expected: string, line: string): MessageError {
  const shown = JSON.stringify(line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line);
  return new MessageError(`standard output is for its messages: expected ${expected}, got ${shown}`);
}

function messageOf(line: string): NativeMessage {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    // It is shown below.
  }
  if (!isObject(message)) throw wrong("a message", line);
  const { hello, measured, proof, after, messages } = message;
  if (isObject(hello)) {
    const { protocol } = hello;
    if (protocol !== NATIVE_PROTOCOL)
      throw new MessageError(
        `protocol: expected ${NATIVE_PROTOCOL}, got ${JSON.stringify(protocol)}: build it anew`,
      );
    if (isHello(hello)) return message as unknown as NativeMessage;
  } else if (
    typeof after === "string" ||
    (isObject(measured) && isMeasured(measured)) ||
    (isObject(proof) && isProof(proof)) ||
    (isObject(messages) && isLog(messages))
  ) {
    return message as unknown as NativeMessage;
  }
  throw wrong("a message", line);
}

function isHello({ language, compiler, libraries }: Fields): boolean {
  return (
    typeof language === "string" &&
    typeof compiler === "string" &&
    isObject(libraries) &&
    Object.values(libraries).every((version) => typeof version === "string")
  );
}

function isMeasured(measured: Fields): boolean {
  const { operation, core, wall, probes, warmUp, folds, clock } = measured;
  const numbers = ["batchCalls", "loop", "first", "calls", "sum", "clockStep"].map((key) => measured[key]);
  return (
    typeof operation === "string" &&
    numbers.every(isNumber) &&
    [core, wall, folds, probes ?? []].every(isNumbers) &&
    isObject(warmUp) &&
    isNumbers(warmUp["calls"]) &&
    isNumbers(warmUp["core"]) &&
    (probes === undefined || isNumber(measured["turns"])) &&
    (clock === "thread-cpu" || clock === "wall")
  );
}

function isProof({ encoded, again = [] }: Fields): boolean {
  return [encoded, again].every(
    (list) => Array.isArray(list) && list.every((one) => typeof one === "string"),
  );
}

function isLog(log: Fields): boolean {
  const lists = ["begun", "encoded", "received", "decoded"].map((key) => log[key]);
  const { listener, encodedBytes, first = [] } = log;
  return isNumber(listener) && isNumber(encodedBytes) && [...lists, first].every(isNumbers);
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.every(isNumber);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** The line that a reference program gets, and the lines that it says: the protocol of `native/README.md`. */
import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { endingOf, endingReason, lastSaid, startCommand, untilClosed } from "../launch/child-process.ts";
import { isObject, LINE_LIMIT, linesOf, MessageError } from "../launch/messages.ts";
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
  /** The measured phase is a single batch of so many calls, without a warm-up: the three before do not count. */
  readonly calls?: number;
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
  /** How many may be on their way to a listener; of a talker that loses messages: how many wait for a listener. */
  readonly window: number;
  /** Messages per second and talker. */
  readonly rateHz?: number;
  /** A talker waits for nobody: what a listener does not take in time is lost, but for the newest. */
  readonly lossy?: 1;
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
  /** What it says, hello first, until it ends. Throws MessageError for what is no message, and for silence. */
  readonly messages: AsyncIterable<NativeMessage>;
  readonly ended: Promise<Ending>;
  kill(): void;
}

/** What ends a program before it ends by itself. */
export interface NativeLimits {
  /** Its processor time in seconds: it could outlive its coordinator. */
  readonly cpuSeconds: number;
  /** Seconds in which it says nothing; by default it may take as long as it likes. */
  readonly silenceSeconds?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Starts a program with a job. What it says throws a MessageError where it was ended because it hung. */
export function startNative(
  command: readonly string[],
  job: NativeJob,
  { cpuSeconds, silenceSeconds, signal }: NativeLimits,
): NativeProcess {
  const child = startCommand(command, cpuSeconds, { stdio: ["pipe", "pipe", "pipe"], env: {} });
  const kill = (): void => void child.kill("SIGKILL");
  const ended = endingOf(child).then(withLastLine);
  const input = child.stdin as Writable;
  // A program that is already gone cannot take its job; how it ended says why.
  input.on("error", () => {});
  input.end(`${JSON.stringify(job)}\n`);
  let isLate = false;
  const late = (): void => {
    isLate = true;
    kill();
  };
  const timer = silenceSeconds === undefined ? undefined : setTimeout(late, silenceSeconds * 1000);
  signal?.addEventListener("abort", kill);
  void ended.then(() => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", kill);
  });
  const messages = async function* (): AsyncGenerator<NativeMessage> {
    for await (const message of messagesOf(child)) {
      timer?.refresh();
      yield message;
    }
    if (!isLate) return;
    throw new MessageError(`hung: nothing came for ${silenceSeconds} s${lastSaid(await ended)}`);
  };
  return { messages: messages(), ended, kill };
}

/** How long a program may take to say what it is. */
const HELLO_SECONDS = 20;

/** What a program says that it is. Throws an Error with the reason where it does not; the signal ends it. */
export async function helloOf(command: readonly string[], signal?: AbortSignal): Promise<Hello> {
  const limits = { cpuSeconds: HELLO_SECONDS, silenceSeconds: HELLO_SECONDS, signal };
  const { messages, ended, kill } = startNative(command, { protocol: NATIVE_PROTOCOL }, limits);
  try {
    for await (const message of messages) if ("hello" in message) return message.hello;
    throw new Error(endingReason(await ended));
  } finally {
    kill();
  }
}

/** What a program says last on stderr is what it says of its end. */
function withLastLine(ending: Ending): Ending {
  if ("cannotStart" in ending) return ending;
  return { ...ending, lastLine: ending.stderr.trimEnd().split("\n").at(-1)?.trim() ?? "" };
}

async function* messagesOf(child: ChildProcess): AsyncGenerator<NativeMessage> {
  let isFirst = true;
  for await (const line of linesOf(untilClosed(child.stdout as Readable), LINE_LIMIT)) {
    const message = messageOf(line);
    if (isFirst !== "hello" in message) throw wrong(isFirst ? "hello first" : "one hello", line);
    isFirst = false;
    yield message;
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

function isNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.every(isNumber);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

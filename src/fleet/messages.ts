/**
 * What a coordinator and its workers say to each other through a NATS server. All of it comes over a network: it is
 * checked with the schema that is made of these types before anything is believed.
 */
import { WirebenchError } from "../model/errors.ts";
import type { Count, PositiveCount } from "../model/records/quantities.ts";
import type { DatasetJson } from "../runtimes/launch/job-line.ts";
import { parseJson } from "../schema/values/json-source.ts";
import { readSchema, SchemaCheck } from "../store/schema-check.ts";
import type { Selection } from "../suite/selection.ts";

/** Bytes that came and are not what they should be. */
export class FleetMessageError extends WirebenchError {}

/** Version of what is said below. */
export const PROTOCOL = 1;

/** Times that a block is handed out: once, and once more where its worker is lost. */
export const MAX_DELIVERIES = 2;

/**
 * 32 hexadecimal digits: a run or a worker, drawn at random.
 * @pattern ^[0-9a-f]{32}$
 */
export type FleetId = string;

/**
 * SHA-256 in hex, by which an object is found and checked.
 * @pattern ^[0-9a-f]{64}$
 */
export type Digest = string;

/**
 * Text that is shown or compared, and never executed.
 * @pattern ^[^\x00-\x1f\x7f]{0,300}$
 */
export type Line = string;

/** A coordinator to everybody, every second: there is a run, and what it measures is this object. */
export interface Announcement {
  readonly protocol: typeof PROTOCOL;
  readonly run: FleetId;
  /** Of wirebench. */
  readonly version: Line;
  readonly task: Digest;
}

/** What a run measures. Codecs, operations and built-in datasets are names. */
export interface Task {
  readonly protocol: typeof PROTOCOL;
  readonly selection: TaskSelection;
  /** Built-in ones by name, a user's own with their schema and values. */
  readonly datasets: readonly (string | TaskDataset)[];
}

/** The part of a selection that crosses as it is. */
export type TaskSelection = Omit<Selection, "datasets" | NotCarried>;

/** What stays on the coordinator's machine: files of its own, and what it decides block by block. */
export type NotCarried =
  | "plugins"
  | "runtimes"
  | "blocks"
  | "shard"
  | "survey"
  | "native"
  | "noEval"
  | "use"
  | "install";

/** A dataset of the user's own. */
export interface TaskDataset extends DatasetJson {
  readonly story?: string;
}

/** A worker to its coordinator, every second, as a request: it is there. */
export interface Beat {
  readonly protocol: typeof PROTOCOL;
  readonly worker: FleetId;
  readonly machine: Machine;
  /** The block that it measures. */
  readonly block?: Count;
  /** Why it cannot take part. */
  readonly unable?: Line;
  /** It goes, and has given its block back. */
  readonly leaves?: true;
}

/** What times depend on. Machines that are equal in all but their names have one fingerprint. */
export interface Machine {
  readonly host: Line;
  readonly cpu: Line;
  /** `linux x64`. */
  readonly platform: Line;
  /** `node 22.1.0`. */
  readonly runtime: Line;
  /** `V8 12.4.254`. */
  readonly engine: Line;
  /** Of wirebench. */
  readonly version: Line;
  /** `protobufjs 8.8.1`, sorted: those that the run measures, but for what is the runtime's own. */
  readonly libraries: readonly Line[];
}

/** What a coordinator answers to a beat. */
export type BeatReply =
  /** Where the worker gets its blocks. */
  { readonly lane: Lane } | { readonly refused: Line };

/**
 * The first half of the SHA-256 of a machine's fingerprint.
 * @pattern ^[0-9a-f]{32}$
 */
export type Lane = string;

/** One block to measure: a message of the work queue. */
export interface BlockMessage {
  readonly protocol: typeof PROTOCOL;
  readonly run: FleetId;
  readonly block: Count;
  /** Whether memory and compression are measured too. */
  readonly survey: boolean;
  /** Times that this message may be handed out: fewer where the block was handed out by another. */
  readonly deliveries: PositiveCount;
}

/** What becomes of a block, as its worker says: a message of the stream of events. */
export type FleetEvent = TakenEvent | StoredEvent | ReturnedEvent | BadEvent;

/** A worker begins. */
export interface TakenEvent {
  readonly kind: "taken";
  readonly worker: FleetId;
  readonly block: Count;
  /** Times that the server has handed out its message. */
  readonly delivery: PositiveCount;
}

/** It is measured, and its journal is an object. */
export interface StoredEvent {
  readonly kind: "stored";
  readonly worker: FleetId;
  readonly block: Count;
  readonly journal: Digest;
}

/** A worker gave its block back. */
export interface ReturnedEvent {
  readonly kind: "returned";
  readonly worker: FleetId;
  readonly block: Count;
  readonly reason: Line;
}

/** A message of the work queue was none, and is terminated. */
export interface BadEvent {
  readonly kind: "bad";
  readonly worker: FleetId;
  /** Of the message in its stream. */
  readonly sequence: PositiveCount;
  readonly reason: Line;
}

/** Every kind of message by its name. */
export interface FleetMessages {
  readonly Announcement: Announcement;
  readonly Task: Task;
  readonly Beat: Beat;
  readonly BeatReply: BeatReply;
  readonly BlockMessage: BlockMessage;
  readonly FleetEvent: FleetEvent;
}

/** Most bytes of a message that is no object: a list of libraries is the longest. */
export const MESSAGE_BYTES = 64 * 1024;

/** A message's bytes. */
export function messageBytes(message: FleetMessages[keyof FleetMessages]): Uint8Array {
  return Buffer.from(JSON.stringify(message), "utf8");
}

/** A message's bytes, read. Throws FleetMessageError that names the place. */
export function readMessage<K extends keyof FleetMessages>(
  kind: K,
  bytes: Uint8Array,
  limit = MESSAGE_BYTES,
): FleetMessages[K] {
  if (bytes.length > limit) {
    throw new FleetMessageError(`${kind}: expected at most ${limit} bytes, got ${bytes.length}`);
  }
  const parsed = parseJson(Buffer.from(bytes).toString("utf8"));
  if ("problem" in parsed) throw new FleetMessageError(`${kind}: no JSON: ${parsed.problem}`);
  const problem = checkOf(kind).problem(parsed.value);
  if (problem !== undefined) throw new FleetMessageError(`${kind}: ${problem}`);
  return parsed.value as FleetMessages[K];
}

const checks = new Map<string, SchemaCheck>();

function checkOf(kind: string): SchemaCheck {
  const check =
    checks.get(kind) ?? new SchemaCheck({ ...readSchema("fleet-messages"), $ref: `#/$defs/${kind}` });
  checks.set(kind, check);
  return check;
}

/** Text as a {@link Line}: of other people's words, what is no line is cut. */
export function lineOf(text: string): Line {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a line may not have
  return text.replace(/[\x00-\x1f\x7f]+/g, " ").slice(0, 300);
}

/** Where announcements are. */
export const ANNOUNCEMENTS = "wirebench.fleet.runs";

/** The subjects and streams of a run, which no other has. */
export function namesOf(run: FleetId) {
  const base = `wirebench.fleet.${run}`;
  return {
    beats: `${base}.beats`,
    over: `${base}.over`,
    /** The work queue, and its subject for each lane. */
    queue: `wirebench_${run}_blocks`,
    blocks: (lane: Lane | "*") => `${base}.blocks.${lane}`,
    eventStream: `wirebench_${run}_events`,
    events: `${base}.events`,
    bucket: `wirebench_${run}`,
  } as const;
}

/** Whether a stream is one of a run's, by its name as {@link namesOf} gives it: nobody else's may be removed. */
export function isRunStream(name: string): boolean {
  return /^(wirebench_[0-9a-f]{32}_(blocks|events)|OBJ_wirebench_[0-9a-f]{32})$/.test(name);
}

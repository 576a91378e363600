/**
 * What a talker and a listener on two machines say to each other: the subjects of NATS that they use, control messages
 * as JSON, and acks. All of it comes over a network, so that nothing is believed before it was checked.
 */

import { UsageError, WirebenchError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { IpcRemotePeer } from "../../model/records/ipc-remote.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { isRecord, type RecordValue, show } from "../../model/value.ts";
import { FrameError, MAX_VALUES } from "../wire/frame.ts";

/** A channel's name, which is a part of a subject of NATS. Throws UsageError. */
export function expectChannel(name: string): string {
  if (/^[\w-]{1,64}$/.test(name)) return name;
  throw new UsageError(`--channel: expected up to 64 of A-Z, a-z, 0-9, _ and -, got ${JSON.stringify(name)}`);
}

/** The subject on which listeners wait for talkers. */
export function channelSubject(channel: string): string {
  return `wirebench.channel.${channel}`;
}

/**
 * The subjects of one talker and its listener: control messages to either, messages of the measurement, and what the
 * listener answers to each.
 * @param session 32 hexadecimal digits that a talker chose at random
 */
export function sessionSubjects(
  session: string,
): Readonly<Record<"talker" | "listener" | "frames" | "acks", string>> {
  const base = `wirebench.session.${session}`;
  return {
    talker: `${base}.talker`,
    listener: `${base}.listener`,
    frames: `${base}.frames`,
    acks: `${base}.acks`,
  };
}

/** Version of what is said below, and of the acks: two wirebenches that differ in it do not understand each other. */
const PROTOCOL = 1;

const SESSION = /^[0-9a-f]{32}$/;

/** Most messages, and most on their way. */
export const MOST = { messages: 10_000_000, depth: 1000 } as const;

/** A talker's first message, to the channel. */
export interface Hello {
  readonly kind: "hello";
  /** 32 hexadecimal digits, for the subjects of what follows. */
  readonly session: string;
  /** Of wirebench. */
  readonly version: string;
  readonly codec: string;
  readonly library: string;
  readonly libraryVersion: string;
  readonly dataset: {
    readonly name: string;
    /** Whether it is from files of the user's, which the listener needs too. */
    readonly own: boolean;
    /** What a built-in one was asked for. */
    readonly int64: Int64Mode | undefined;
    readonly sha256: string;
  };
  /** CRC-32 of what each value is encoded to. */
  readonly checksums: readonly number[];
  readonly maxBytes: number;
  readonly messages: number;
  readonly warmup: number;
  /** Messages that may be on their way at a time. */
  readonly depth: number;
}

/** What a listener says to its talker. */
export type FromListener =
  /** It has got the hello, and now loads codec and data. */
  | { readonly kind: "heard" }
  | { readonly kind: "ready"; readonly peer: IpcRemotePeer }
  /** It will not, or it cannot go on. */
  | { readonly kind: "refused"; readonly reason: string };

/** What a talker says to its listener at the end, with a reason if it is not the end that was planned. */
export interface Over {
  readonly kind: "over";
  readonly reason?: string;
}

/** A message's bytes. */
export function controlBytes(message: Hello | FromListener | Over): Uint8Array {
  return Buffer.from(JSON.stringify({ protocol: PROTOCOL, ...message }), "utf8");
}

/** A hello's bytes, read. Throws MessageError. */
export function parseHello(bytes: Uint8Array): Hello {
  const from = parseMessage(bytes, ["hello"]);
  const dataset = objectField(from, "dataset");
  return {
    kind: "hello",
    session: formField(from, "session", SESSION),
    version: nameField(from, "version"),
    codec: nameField(from, "codec"),
    library: nameField(from, "library"),
    libraryVersion: nameField(from, "libraryVersion"),
    dataset: {
      name: nameField(dataset, "name"),
      own: booleanField(dataset, "own"),
      int64: int64Field(dataset, "int64"),
      sha256: formField(dataset, "sha256", /^[0-9a-f]{64}$/),
    },
    checksums: countsField(from, "checksums", { length: MAX_VALUES, most: 0xffff_ffff }),
    maxBytes: countField(from, "maxBytes", 0, 0xffff_ffff),
    messages: countField(from, "messages", 1, MOST.messages),
    warmup: countField(from, "warmup", 0, MOST.messages),
    depth: countField(from, "depth", 1, MOST.depth),
  };
}

/** The session of a hello that is none of ours otherwise, so that it can be refused. */
export function sessionOf(bytes: Uint8Array): string | undefined {
  try {
    return formField(parseObject(bytes), "session", SESSION);
  } catch {
    return undefined;
  }
}

/** What a listener says, read. Throws MessageError. */
export function parseFromListener(bytes: Uint8Array): FromListener {
  const from = parseMessage(bytes, ["heard", "ready", "refused"]);
  if (from["kind"] === "refused") return { kind: "refused", reason: reasonField(from, "reason") };
  if (from["kind"] === "heard") return { kind: "heard" };
  const peer = objectField(from, "peer");
  return {
    kind: "ready",
    peer: {
      version: nameField(peer, "version"),
      library: nameField(peer, "library"),
      libraryVersion: nameField(peer, "libraryVersion"),
      cpu: nameField(peer, "cpu"),
      cores: countField(peer, "cores", 1, 1_000_000),
      os: nameField(peer, "os"),
      node: nameField(peer, "node"),
    },
  };
}

/** What a talker says at the end, read. Throws MessageError. */
export function parseOver(bytes: Uint8Array): Over {
  const from = parseMessage(bytes, ["over"]);
  return field(from, "reason") === undefined
    ? { kind: "over" }
    : { kind: "over", reason: reasonField(from, "reason") };
}

/** What a listener says when it is done with a message. */
export interface Ack {
  readonly sequence: number;
  /** How long it took to decode the message and to read every field, by the listener's own clock, in nanoseconds. */
  readonly decode: number;
}

/** Bytes of an ack, all little-endian: u32 "WBA1", u32 sequence, f64 decode. */
const ACK_BYTES = 16;
const MAGIC = 0x3141_4257;

/** An ack's bytes. */
export function writeAck({ sequence, decode }: Ack): Uint8Array {
  const bytes = new Uint8Array(ACK_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, sequence, true);
  view.setFloat64(8, decode, true);
  return bytes;
}

/** An ack's bytes, read. Throws FrameError. */
export function readAck(bytes: Uint8Array): Ack {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length !== ACK_BYTES || view.getUint32(0, true) !== MAGIC) {
    throw new FrameError(
      `ack: expected ${ACK_BYTES} bytes with a mark, got ${inBytes(bytes.length)} of something else`,
    );
  }
  const ack = { sequence: view.getUint32(4, true), decode: view.getFloat64(8, true) };
  if (ack.decode >= 0 && Number.isFinite(ack.decode)) return ack;
  throw new FrameError(`ack of message ${ack.sequence}: expected a time, got ${ack.decode}`);
}

/** Characters of the longest reason. */
const MAX_REASON = 1000;

/** What went wrong, in one line for the other machine: no stack, which says more of this one than it needs to know. */
export function oneReason(error: unknown): string {
  return inOneLine(error instanceof Error ? error.message : String(error)).slice(0, MAX_REASON);
}

/** Text without line breaks, and without what moves a terminal's cursor. */
function inOneLine(text: string): string {
  return text.replace(/\p{C}+/gu, " ");
}

/** What came over a network and is no message of ours. */
export class MessageError extends WirebenchError {}

/** Bytes of the longest control message. */
const MAX_BYTES = 16 * 1024;

function parseMessage(bytes: Uint8Array, kinds: readonly string[]): RecordValue {
  const from = parseObject(bytes);
  if (field(from, "protocol") !== PROTOCOL) {
    throw new MessageError(`message: expected version ${PROTOCOL} of the protocol: is it another wirebench?`);
  }
  const kind = field(from, "kind");
  if (!kinds.some((known) => known === kind)) throw unexpected("kind", kinds.join(" or "), kind);
  return from;
}

function parseObject(bytes: Uint8Array): RecordValue {
  if (bytes.length > MAX_BYTES) {
    throw new MessageError(`message: expected at most ${MAX_BYTES} bytes, got ${bytes.length}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new MessageError("message: expected JSON, got something else");
  }
  if (!isRecord(value)) throw new MessageError(`message: expected an object, got ${show(value)}`);
  return value;
}

/** A field's value, if the object itself has it. */
function field(from: RecordValue, name: string): unknown {
  return Object.hasOwn(from, name) ? from[name] : undefined;
}

function checked<T>(
  from: RecordValue,
  name: string,
  expected: string,
  fits: (value: unknown) => value is T,
): T {
  const value = field(from, name);
  if (fits(value)) return value;
  throw unexpected(name, expected, value);
}

function unexpected(name: string, expected: string, value: unknown): MessageError {
  return new MessageError(`message: ${name}: expected ${expected}, got ${inOneLine(show(value))}`);
}

function objectField(from: RecordValue, name: string): RecordValue {
  return checked(from, name, "an object", isRecord);
}

function booleanField(from: RecordValue, name: string): boolean {
  return checked(from, name, "true or false", (value) => typeof value === "boolean");
}

function int64Field(from: RecordValue, name: string): Int64Mode | undefined {
  return checked(
    from,
    name,
    "number or bigint",
    (value) => value === undefined || value === "number" || value === "bigint",
  );
}

/** A name that can be printed. */
function nameField(from: RecordValue, name: string): string {
  return checked(
    from,
    name,
    "a name",
    (value): value is string => typeof value === "string" && /^\P{C}{1,200}$/u.test(value),
  );
}

function reasonField(from: RecordValue, name: string): string {
  return inOneLine(checked(from, name, "a text", (value) => typeof value === "string")).slice(0, MAX_REASON);
}

function formField(from: RecordValue, name: string, form: RegExp): string {
  return checked(
    from,
    name,
    `text like ${form.source}`,
    (value): value is string => typeof value === "string" && form.test(value),
  );
}

function countField(from: RecordValue, name: string, least: number, most: number): number {
  return count(field(from, name), name, least, most);
}

function countsField(
  from: RecordValue,
  name: string,
  { length, most }: { readonly length: number; readonly most: number },
): number[] {
  const value = field(from, name);
  if (!Array.isArray(value) || value.length < 1 || value.length > length) {
    throw unexpected(name, `a list of 1 to ${length}`, value);
  }
  return value.map((item) => count(item, name, 0, most));
}

function count(value: unknown, name: string, least: number, most: number): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return value;
  throw unexpected(name, `a whole number from ${least} to ${most}`, value);
}

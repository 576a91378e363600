/** What a talker and a listener on two machines tell each other, as JSON, besides the messages that are measured. */

import type { IpcRemotePeer } from "../../model/records/ipc-remote.ts";
import type { Int64Mode } from "../../model/schema.ts";
import type { RecordValue } from "../../model/value.ts";
import { MAX_VALUES } from "../wire/frame.ts";
import {
  countField,
  countsField,
  field,
  formField,
  MessageError,
  nameField,
  objectField,
  parseObject,
  reasonField,
  unexpected,
} from "./untrusted.ts";

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

function parseMessage(bytes: Uint8Array, kinds: readonly string[]): RecordValue {
  const from = parseObject(bytes);
  const protocol = field(from, "protocol");
  if (protocol !== PROTOCOL) {
    throw new MessageError(`message: expected version ${PROTOCOL} of the protocol: is it another wirebench?`);
  }
  const kind = field(from, "kind");
  if (!kinds.some((known) => known === kind)) throw unexpected("kind", kinds.join(" or "), kind);
  return from;
}

function booleanField(from: RecordValue, name: string): boolean {
  const value = field(from, name);
  if (typeof value === "boolean") return value;
  throw unexpected(name, "true or false", value);
}

function int64Field(from: RecordValue, name: string): Int64Mode | undefined {
  const value = field(from, name);
  if (value === undefined || value === "number" || value === "bigint") return value;
  throw unexpected(name, "number or bigint", value);
}

/** How messages stand in a stream one after the other, and how they are put together out of its chunks. */
import type { OwnFraming } from "../../model/codec.ts";
import { DecodeError } from "../../model/errors.ts";
import { avroBlockAt, avroBlocks } from "./avro-blocks.ts";
import { capnpEnd, cborEnd, type EndOf, messagePackEnd } from "./ends.ts";

/** Bytes that a socket or a file of Node's hands out at once. */
const CHUNK = 65_536;

/** Most bytes of a length: it is below 2^31. */
const LENGTH_BYTES = 5;

const LINE_FEED = 0x0a;

/**
 * `delimited`: each message behind its length as a varint, as protobuf's `writeDelimitedTo` writes it. `lines`: a line each, as
 * in NDJSON. Or as the format has it.
 */
export type Framing = "delimited" | "lines" | OwnFraming;

/** That of the format; else lines for JSON without line feeds, and lengths for everything else. */
export function framingOf(messages: readonly Uint8Array[], own?: OwnFraming): Framing {
  if (own !== undefined) return own;
  const isLine = (bytes: Uint8Array): boolean =>
    (bytes[0] === 0x7b || bytes[0] === 0x5b) && !bytes.includes(LINE_FEED) && isText(bytes);
  return messages.length > 0 && messages.every(isLine) ? "lines" : "delimited";
}

function isText(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** A stream of messages as chunks of 64 KiB, each memory of its own. */
export function chunksOf(messages: readonly Uint8Array[], framing: Framing, size = CHUNK): Uint8Array[] {
  const parts = partsOf(messages, framing);
  const chunks: Uint8Array[] = [];
  let chunk = new Uint8Array(size);
  let filled = 0;
  for (const part of parts) {
    for (let at = 0; at < part.length; ) {
      const taken = part.subarray(at, at + size - filled);
      chunk.set(taken, filled);
      at += taken.length;
      filled += taken.length;
      if (filled < size) continue;
      chunks.push(chunk);
      chunk = new Uint8Array(size);
      filled = 0;
    }
  }
  return filled === 0 ? chunks : [...chunks, chunk.subarray(0, filled)];
}

function partsOf(messages: readonly Uint8Array[], framing: Framing): readonly Uint8Array[] {
  switch (framing) {
    case "delimited":
      return messages.flatMap((bytes) => [varint(bytes.length), bytes]);
    case "lines":
      return messages.flatMap((bytes) => [bytes, Uint8Array.of(LINE_FEED)]);
    case "avro-blocks":
      return avroBlocks(messages);
    default:
      return messages;
  }
}

function varint(length: number): Uint8Array {
  const bytes: number[] = [];
  let rest = length;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Uint8Array.of(...bytes, rest);
}

/**
 * Makes a function that takes the next chunk of a stream, or none, and gives the next complete message; of Avro a block. What lies in one
 * chunk is a view on it; one that does not is put together in memory of its own. Throws DecodeError for a length that is none.
 */
export function unframer(framing: Framing): (chunk?: Uint8Array) => Uint8Array | undefined {
  const foundAt = FOUND[framing];
  let held: Uint8Array = new Uint8Array(0);
  let at = 0;
  return (chunk) => {
    if (chunk !== undefined) {
      held = at === held.length ? chunk : joined(held.subarray(at), chunk);
      at = 0;
    }
    const found = foundAt(held, at);
    if (found === undefined) return undefined;
    at = found.next;
    return held.subarray(found.start, found.end);
  };
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

type FoundAt = (bytes: Uint8Array, at: number) => Found | undefined;

function untilEnd(endOf: EndOf): FoundAt {
  return (bytes, start) => {
    const end = endOf(bytes, start);
    return end === undefined ? undefined : { start, end, next: end };
  };
}

function blockAt(bytes: Uint8Array, start: number): Found | undefined {
  const next = avroBlockAt(bytes, start)?.next;
  return next === undefined ? undefined : { start, end: next, next };
}

const FOUND: Readonly<Record<Framing, FoundAt>> = {
  delimited: delimitedAt,
  lines: lineAt,
  "avro-blocks": blockAt,
  "capnp-stream": untilEnd(capnpEnd),
  "cbor-sequence": untilEnd(cborEnd),
  msgpack: untilEnd(messagePackEnd),
};

function lineAt(bytes: Uint8Array, at: number): Found | undefined {
  const end = bytes.indexOf(LINE_FEED, at);
  return end < 0 ? undefined : { start: at, end, next: end + 1 };
}

function delimitedAt(bytes: Uint8Array, at: number): Found | undefined {
  let length = 0;
  for (let i = 0; at + i < bytes.length; i++) {
    const byte = bytes[at + i]!;
    if (i === LENGTH_BYTES || (i === LENGTH_BYTES - 1 && byte > 0x07))
      throw new DecodeError("delimited", "expected a length below 2^31", { offset: at });
    length |= (byte & 0x7f) << (7 * i);
    if (byte > 0x7f) continue;
    const start = at + i + 1;
    const end = start + length;
    return end > bytes.length ? undefined : { start, end, next: end };
  }
  return undefined;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

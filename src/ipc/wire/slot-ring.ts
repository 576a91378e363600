/**
 * A ring of slots in a file, which one process writes and others read, with no lock between them: the writer never
 * waits, and a reader can tell that it was too late.
 *
 *     state   f64 messages published   f64 phases ended   frame header of the end   u32 CRC-32 of these
 *     slot    f64 version              f64 bytes          frame header              message
 *
 * A slot's version is odd while it is written, and says which message is in it: what a reader copied counts only if
 * the version was the right one before and after. All numbers are little-endian.
 */

import { closeSync, existsSync, openSync, readSync, rmSync, statfsSync, writeSync } from "node:fs";
import path from "node:path";
import { UsageError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { Clock } from "../clock.ts";
import type { Arrival, Drop, Setup } from "../transport.ts";
import { crc32, FrameError, HEADER_BYTES, nameOf, readHeader } from "./frame.ts";
import type { BufferPool } from "./frame-reader.ts";
import { makeFolder } from "./own-folder.ts";

/** What a ring consists of. */
export interface RingLayout {
  readonly slots: number;
  /** The longest message. */
  readonly maxBytes: number;
}

/** Files in memory are made of pages. */
const PAGE_BYTES = 4096;

/** What stands before the message in its slot; a multiple of a cache line, so that copies are aligned. */
const SLOT_HEADER_BYTES = 64;
const STATE_BYTES = 16 + HEADER_BYTES + 4;

/** Bytes of a ring's file. */
export function ringBytes(layout: RingLayout): number {
  return PAGE_BYTES + layout.slots * slotBytes(layout);
}

function slotBytes({ maxBytes }: RingLayout): number {
  return Math.ceil((SLOT_HEADER_BYTES + maxBytes) / PAGE_BYTES) * PAGE_BYTES;
}

function slotAt(layout: RingLayout, message: number): number {
  return PAGE_BYTES + (message % layout.slots) * slotBytes(layout);
}

/** Version of a slot with a message in it, all of them counted from 0 and through all phases. */
function versionOf(message: number): number {
  return 2 * message + 2;
}

/** Writes the messages of one talker. */
export class RingWriter {
  readonly #fd: number;
  readonly #layout: RingLayout;
  readonly #head = new Uint8Array(16 + HEADER_BYTES);
  readonly #headView = new DataView(this.#head.buffer);
  readonly #state = new Uint8Array(STATE_BYTES);
  readonly #stateView = new DataView(this.#state.buffer);
  #published = 0;
  #ended = 0;

  /** @param fd of a file of {@link ringBytes}, which this writer fills with zeros. Throws what writing throws */
  constructor(fd: number, layout: RingLayout) {
    this.#fd = fd;
    this.#layout = layout;
    // Memory of the file is claimed now, and not in the middle of an exchange.
    const zeros = new Uint8Array(1 << 20);
    const bytes = ringBytes(layout);
    for (let at = 0; at < bytes; at += zeros.length) {
      write(fd, zeros.subarray(0, Math.min(zeros.length, bytes - at)), at);
    }
    this.#publish();
  }

  /** Puts a message in the place of the oldest. */
  write(header: Uint8Array, payload: Uint8Array): void {
    const at = slotAt(this.#layout, this.#published);
    const version = versionOf(this.#published);
    this.#headView.setFloat64(0, version - 1, true);
    write(this.#fd, this.#head.subarray(0, 8), at);
    write(this.#fd, payload, at + SLOT_HEADER_BYTES);
    this.#headView.setFloat64(0, version, true);
    this.#headView.setFloat64(8, payload.length, true);
    this.#head.set(header, 16);
    write(this.#fd, this.#head, at);
    this.#published += 1;
    this.#publish();
  }

  /** Ends a phase. It has a place of its own, so that no message is in its way. */
  end(header: Uint8Array): void {
    this.#state.set(header, 16);
    this.#ended += 1;
    this.#publish();
  }

  #publish(): void {
    this.#stateView.setFloat64(0, this.#published, true);
    this.#stateView.setFloat64(8, this.#ended, true);
    this.#stateView.setUint32(STATE_BYTES - 4, crc32(this.#state.subarray(0, STATE_BYTES - 4)), true);
    write(this.#fd, this.#state, 0);
  }
}

/** What a reader knows of its ring. */
export interface RingReading extends RingLayout {
  readonly talker: number;
  /** Of the newest messages, how many are kept for a reader that is late; infinite to keep all. */
  readonly keep: number;
  readonly clock: Clock;
}

/** Reads the messages of one talker: in their order, and of those that wait the newest only. */
export class RingReader {
  readonly #fd: number;
  readonly #reading: RingReading;
  readonly #pool: BufferPool;
  readonly #onDrop: (drop: Drop) => void;
  readonly #head = new Uint8Array(16 + HEADER_BYTES);
  readonly #headView = new DataView(this.#head.buffer);
  readonly #version = new DataView(new ArrayBuffer(8));
  readonly #state = new Uint8Array(STATE_BYTES);
  readonly #stateView = new DataView(this.#state.buffer);
  /** What is known of the writer, and the header with which it ended its last phase. */
  #published = 0;
  #ended = 0;
  #end = new Uint8Array(0);
  /** The message that is next, the first of its phase, and the phases that are over. */
  #next = 0;
  #first = 0;
  #over = 0;

  /** @param pool of buffers of at least `maxBytes` */
  constructor(fd: number, reading: RingReading, pool: BufferPool, onDrop: (drop: Drop) => void) {
    this.#fd = fd;
    this.#reading = reading;
    this.#pool = pool;
    this.#onDrop = onDrop;
  }

  /** The next frame, if there is one: of the newest messages the oldest that is still whole. Throws FrameError. */
  take(): Arrival | undefined {
    for (;;) {
      this.#look();
      while (this.#next < this.#published - this.#reading.keep) this.#drop();
      if (this.#next === this.#published) return this.#takeEnd();
      const arrival = this.#read();
      if (arrival !== undefined) {
        this.#next += 1;
        return arrival;
      }
      this.#drop();
    }
  }

  /** Looks how far the writer is. If it is just writing that down, it wakes this reader after. */
  #look(): void {
    read(this.#fd, this.#state, 0);
    const sum = crc32(this.#state.subarray(0, STATE_BYTES - 4));
    if (sum !== this.#stateView.getUint32(STATE_BYTES - 4, true)) return;
    this.#published = this.#stateView.getFloat64(0, true);
    const ended = this.#stateView.getFloat64(8, true);
    if (ended !== this.#ended) this.#end = this.#state.slice(16, 16 + HEADER_BYTES);
    this.#ended = ended;
  }

  #takeEnd(): Arrival | undefined {
    if (this.#over === this.#ended) return undefined;
    this.#over += 1;
    this.#first = this.#next;
    const header = readHeader(this.#end, 0);
    const at = this.#reading.clock.now();
    return { header, payload: new Uint8Array(0), firstByte: at, lastByte: at, release: () => {} };
  }

  /** A copy of the next message; undefined if it was overwritten before or meanwhile. */
  #read(): Arrival | undefined {
    const { maxBytes, clock } = this.#reading;
    const at = slotAt(this.#reading, this.#next);
    const version = versionOf(this.#next);
    const firstByte = clock.now();
    read(this.#fd, this.#head, at);
    if (this.#headView.getFloat64(0, true) !== version) return undefined;
    const buffer = this.#pool.take();
    // Until the version is looked at again, nothing here has to be true.
    const declared = this.#headView.getFloat64(8, true);
    const payload = buffer.subarray(0, declared >= 0 && declared <= maxBytes ? declared : 0);
    read(this.#fd, payload, at + SLOT_HEADER_BYTES);
    read(this.#fd, this.#version, at);
    if (this.#version.getFloat64(0, true) !== version) {
      this.#pool.give(buffer);
      return undefined;
    }
    const lastByte = clock.now();
    const header = readHeader(this.#head.slice(16), maxBytes);
    this.#expectOwn(header, payload.length);
    return { header, payload, firstByte, lastByte, release: () => this.#pool.give(buffer) };
  }

  #expectOwn(header: Arrival["header"], bytes: number): void {
    const { talker } = this.#reading;
    const sequence = this.#next - this.#first;
    if (header.talker !== talker || header.sequence !== sequence || header.bytes !== bytes) {
      const expected = nameOf({ kind: "message", talker, sequence });
      throw new FrameError(`${nameOf(header)}: expected ${expected} in its slot, of ${inBytes(bytes)}`);
    }
  }

  #drop(): void {
    const { talker } = this.#reading;
    this.#onDrop({ talker, sequence: this.#next - this.#first, place: "overwritten" });
    this.#next += 1;
  }
}

function write(fd: number, bytes: Uint8Array, at: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, at + done);
  }
}

/** Reads as many bytes as there is room for. Throws FrameError at the end of the file. */
function read(fd: number, into: NodeJS.ArrayBufferView, at: number): void {
  for (let done = 0; done < into.byteLength; ) {
    const count = readSync(fd, into, done, into.byteLength - done, at + done);
    if (count === 0) throw new FrameError(`slots: the file ends at byte ${at + done}`);
    done += count;
  }
}

/** Where Linux has a file system in memory for this. */
const SHARED_MEMORY = "/dev/shm";

/** The folder that an exchange has in shared memory: named like its own, so that anybody can find and remove it. */
export function sharedFolder({ folder, address }: Pick<Setup, "folder" | "address">): string {
  if (address !== "") return path.join(path.resolve(address), path.basename(folder));
  return existsSync(SHARED_MEMORY) ? path.join(SHARED_MEMORY, path.basename(folder)) : folder;
}

/**
 * Makes a ring of slots in a folder of shared memory. Throws UsageError where there is no room for it.
 * @param id number of the talker
 */
export function makeRing(
  folder: string,
  id: number,
  layout: RingLayout,
): { readonly file: string; readonly writer: RingWriter; close(): void } {
  makeFolder(folder);
  const file = path.join(folder, `${id}.slots`);
  expectRoom(folder, layout);
  const fd = openSync(file, "wx+", 0o600);
  const close = (): void => {
    rmSync(file, { force: true });
    closeSync(fd);
  };
  try {
    return { file, writer: new RingWriter(fd, layout), close };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    close();
    // Somebody else was quicker, or a quota is lower than what the file system has.
    if (code === "ENOSPC" || code === "EDQUOT")
      throw noRoom(folder, layout, `${free(folder)} bytes (${code})`);
    throw error;
  }
}

function expectRoom(folder: string, layout: RingLayout): void {
  if (free(folder) < ringBytes(layout)) throw noRoom(folder, layout, `${free(folder)} bytes`);
}

function free(folder: string): number {
  const { blocks, bavail, bsize } = statfsSync(folder);
  // A file system in memory that has no limit says that it has nothing (tmpfs(5), size=0).
  return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
}

function noRoom(folder: string, layout: RingLayout, got: string): UsageError {
  const { slots, maxBytes } = layout;
  return new UsageError(
    `${path.dirname(folder)}: no room for ${slots} slots with messages of ${maxBytes} bytes: expected ` +
      `${ringBytes(layout)} bytes, got ${got}: make it larger (in a container with --shm-size), lower the depth, ` +
      "or name another folder as in shm:/mnt/large",
  );
}

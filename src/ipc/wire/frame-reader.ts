import type { Arrival } from "../transport.ts";
import { HEADER_BYTES, readHeader } from "./frame.ts";

/**
 * Buffers that messages are received into. A buffer per message would cost more than the message's way: the
 * pages of a fresh one are mapped as they are written to, some five times the copy (measured at 6.5 MB).
 */
export class BufferPool {
  readonly #bytes: number;
  readonly #free: Uint8Array[] = [];

  /** @param bytes of each; `count` are made at once, and their pages touched */
  constructor(bytes: number, count: number) {
    this.#bytes = bytes;
    for (let i = 0; i < count; i++) this.#free.push(this.#make());
  }

  /** A buffer that nobody else has. */
  take(): Uint8Array {
    return this.#free.pop() ?? this.#make();
  }

  /** Gives back a buffer that {@link take} gave. */
  give(buffer: Uint8Array): void {
    this.#free.push(buffer);
  }

  #make(): Uint8Array {
    return Buffer.allocUnsafeSlow(this.#bytes).fill(1);
  }
}

/** Puts frames together from the chunks of a stream, however they were cut. */
export class FrameReader {
  readonly #pool: BufferPool;
  readonly #maxBytes: number;
  readonly #onFrame: (arrival: Arrival) => void;
  readonly #header = new Uint8Array(HEADER_BYTES);
  #headerFilled = 0;
  #firstByte = 0;
  #frame: { readonly header: Arrival["header"]; readonly buffer: Uint8Array } | undefined;
  #filled = 0;

  /** @param pool of buffers of at least `maxBytes`, the longest message that is accepted */
  constructor(pool: BufferPool, maxBytes: number, onFrame: (arrival: Arrival) => void) {
    this.#pool = pool;
    this.#maxBytes = maxBytes;
    this.#onFrame = onFrame;
  }

  /** Whether the stream may end here: between two frames. */
  get idle(): boolean {
    return this.#headerFilled === 0;
  }

  /**
   * Takes the next bytes, which may be overwritten after. Throws FrameError.
   * @param at when they came
   */
  push(chunk: Uint8Array, at: number): void {
    let from = 0;
    for (;;) {
      if (this.#frame === undefined) {
        if (from === chunk.length) return;
        if (this.#headerFilled === 0) this.#firstByte = at;
        const end = Math.min(chunk.length, from + HEADER_BYTES - this.#headerFilled);
        this.#header.set(chunk.subarray(from, end), this.#headerFilled);
        this.#headerFilled += end - from;
        from = end;
        if (this.#headerFilled < HEADER_BYTES) return;
        const header = readHeader(this.#header, this.#maxBytes);
        this.#frame = { header, buffer: this.#pool.take() };
        this.#filled = 0;
      }
      const { header, buffer } = this.#frame;
      const end = Math.min(chunk.length, from + header.bytes - this.#filled);
      buffer.set(chunk.subarray(from, end), this.#filled);
      this.#filled += end - from;
      from = end;
      if (this.#filled < header.bytes) return;
      this.#frame = undefined;
      this.#headerFilled = 0;
      this.#onFrame({
        header,
        payload: buffer.subarray(0, header.bytes),
        firstByte: this.#firstByte,
        lastByte: at,
        release: () => this.#pool.give(buffer),
      });
    }
  }
}

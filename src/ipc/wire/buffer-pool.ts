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

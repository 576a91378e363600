import type { Binding } from "../model/codec.ts";

/** An encoder that writes into a buffer which it is given, and goes on in a larger one of its own where that is full. */
export interface BufferEncoder {
  useBuffer(buffer: Buffer): void;
  encode(value: unknown, options: number): Uint8Array;
}

/** `into` of such a library. @param reset its option to begin at the start of the buffer again next time */
export function intoBuffer(encoder: BufferEncoder, reset: number): NonNullable<Binding["into"]> {
  let given: Buffer | undefined;
  return (value, memory) => {
    if (memory !== given) encoder.useBuffer(memory);
    const written = encoder.encode(value, reset);
    given = written.buffer === memory.buffer ? memory : undefined;
    return given && written;
  };
}

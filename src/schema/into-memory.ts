import { HAS_BUFFER } from "../formats/bytes/portable.ts";
import type { Binding } from "../model/codec.ts";

/** An encoder that writes into a buffer which it is given, and goes on in a larger one of its own where that is full. */
export interface BufferEncoder {
  useBuffer(buffer: Uint8Array): void;
  encode(value: unknown, options: number): Uint8Array;
}

/** `into` of such a library. @param reset its option to begin at the start of the buffer again next time */
export function intoBuffer(encoder: BufferEncoder, reset: number): NonNullable<Binding["into"]> {
  let given: Uint8Array | undefined;
  return (value, memory) => {
    if (memory !== given) encoder.useBuffer(memory);
    const written = encoder.encode(value, reset);
    given = written.buffer === memory.buffer ? memory : undefined;
    return given && written;
  };
}

/** Memory of a caller's for {@link Binding.into}, of which nothing else has a part. */
export const callersMemory: (bytes: number) => Uint8Array = HAS_BUFFER
  ? (bytes) => Buffer.allocUnsafeSlow(bytes)
  : (bytes) => new Uint8Array(bytes);

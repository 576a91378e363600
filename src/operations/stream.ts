import type { Binding, Encoded } from "../model/codec.ts";
import { UnsupportedError, UsageError } from "../model/errors.ts";
import { defineOperation, type OperationDefinition } from "../model/operation.ts";
import { expectChecksum } from "../model/proof.ts";
import type { Value } from "../model/value.ts";
import { avroBlockAt } from "../schema/framing/avro-blocks.ts";
import { chunksOf, type Framing, framingOf, unframer } from "../schema/framing/stream.ts";

const FORM = "COUNT, or first:COUNT up to the first message, as in stream:1000";

/** A stream as a socket hands it out, and the sum of what is in it. */
interface Stream {
  readonly chunks: readonly Uint8Array[];
  readonly expected: number;
}

export default defineOperation<Stream, number>({
  summary: "messages out of a stream, as in stream:1000",
  part: false,
  optional: true,
  argument: { form: FORM, with: streamOf },
  prepare: () => {
    throw new UsageError(`operation "stream": expected stream:${FORM}`);
  },
});

/** Puts messages together out of the chunks of a stream and decodes each as it is complete; all of them, or the first. */
function streamOf(argument: string): OperationDefinition {
  const name = `stream:${argument}`;
  const [, first, digits = ""] = /^(first:)?([1-9]\d{0,6})$/.exec(argument) ?? [];
  if (digits === "") throw new UsageError(`operation "${name}": expected stream:${FORM}`);
  const count = Number(digits);
  const decoded = first === undefined ? count : 1;
  return defineOperation<Stream, number>({
    summary: `${decoded === 1 ? "the first message" : `${count} messages`} out of a stream of ${count} in chunks of 64 KiB`,
    part: false,
    optional: true,
    prepare: ({ binding, values, encoded, probe }) => {
      const messages = encoded.map(bytesOnly);
      const framing = framingOf(messages, binding.framing);
      // Two streams of the same messages, which begin with another.
      const inputs = [0, 1].map((from): Stream => {
        const order = Array.from({ length: count }, (_, i) => (from + i) % messages.length);
        const sums = order.slice(0, decoded).map((i) => probe(values[i]!));
        return {
          chunks: chunksOf(
            order.map((i) => messages[i]!),
            framing,
          ),
          expected: sums.reduce((sum, one) => (sum + one) | 0, 0),
        };
      });
      const decode = decoder(binding, framing);
      return {
        inputs,
        run: ({ chunks }) => sumOf(chunks, framing, decoded, decode, probe),
        fold: (sum) => sum,
        check: (sum, index) => expectChecksum(name, inputs[index]?.expected, sum),
      };
    },
  });
}

function sumOf(
  chunks: readonly Uint8Array[],
  framing: Framing,
  decoded: number,
  decode: (frame: Uint8Array, meet: (value: Value) => boolean) => void,
  probe: (value: Value) => number,
): number {
  const next = unframer(framing);
  let sum = 0;
  let count = 0;
  const meet = (value: Value): boolean => {
    sum = (sum + probe(value)) | 0;
    count += 1;
    return count < decoded;
  };
  for (const chunk of chunks) {
    for (let message = next(chunk); message !== undefined; message = next()) {
      decode(message, meet);
      if (count === decoded) return sum;
    }
  }
  return sum;
}

/** Decodes what is in a frame, one message after the other until it was enough. */
function decoder(
  binding: Binding,
  framing: Framing,
): (frame: Uint8Array, meet: (value: Value) => boolean) => void {
  const { readNext } = binding;
  if (framing !== "avro-blocks" || readNext === undefined) {
    return (bytes, meet) => void meet(binding.plain(binding.read(bytes)));
  }
  return (frame, meet) => {
    const { count, data } = avroBlockAt(frame, 0)!.block;
    for (let at = 0, i = 0; i < count; i++) {
      const { message, end } = readNext(data, at);
      if (!meet(binding.plain(message))) return;
      at = end;
    }
  };
}

function bytesOnly(encoded: Encoded): Uint8Array {
  if (typeof encoded === "string") throw new UnsupportedError("a stream has bytes");
  return encoded;
}

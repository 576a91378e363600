/** A thread that decodes for a measuring process: see `decodingThread`. */
import { workerData } from "node:worker_threads";
import { BoundCodec } from "../../measure/bound-codec.ts";
import type { Encoded } from "../../model/codec.ts";
import { errorLine } from "../../model/one-line.ts";
import { encodeValue } from "../../schema/values/transcode.ts";
import type { ThreadAnswer, ThreadData } from "./decoding-thread.ts";
import { finder } from "./host.ts";

const { source, dataset, port, answers } = workerData as ThreadData;
const given = new Int32Array(answers);

/** The answer is there before whoever waits for it goes on. */
function answer(message: ThreadAnswer, transferred: readonly ArrayBuffer[] = []): void {
  port.postMessage(message, transferred);
  Atomics.add(given, 0, 1);
  Atomics.notify(given, 0);
}

try {
  const codec = await finder(() => 0).codec(source);
  const { binding, values } = await BoundCodec.of(codec, dataset, { most: 1 });
  // A Buffer arrives as a Uint8Array: a codec that writes one is given one, as where it decodes its own.
  const isBuffer = Buffer.isBuffer(encodeValue(binding, values[0]!));
  codec.expectLibrary();
  port.on("message", (message: Encoded) => {
    try {
      if (typeof message === "string") {
        answer({ value: binding.plain(binding.read(message)) });
        return;
      }
      const { buffer, byteOffset, length } = message as Uint8Array<ArrayBuffer>;
      const bytes = isBuffer ? Buffer.from(buffer, byteOffset, length) : message;
      answer({ value: binding.plain(binding.read(bytes)), bytes: message }, [buffer]);
    } catch (error) {
      answer({ failed: errorLine(error) });
    }
  });
  answer({ ready: true });
} catch (error) {
  answer({ failed: errorLine(error) });
}

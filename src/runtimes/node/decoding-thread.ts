import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads";
import type { CodecSource } from "../../measure/host.ts";
import type { Encoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import type { DecodingThread } from "../../model/operation.ts";
import { ownModule } from "../../model/package-files.ts";
import type { Value } from "../../model/value.ts";

/** What the thread is given. */
export interface ThreadData {
  readonly source: CodecSource;
  readonly dataset: Dataset;
  /** Messages come by it, and answers go. */
  readonly port: MessagePort;
  /** One 32-bit number: answers that were given, on which the other side waits. */
  readonly answers: SharedArrayBuffer;
}

/** What the thread answers: first that it is ready, then to each message. Text is not sent back. */
export type ThreadAnswer =
  | { readonly ready: true }
  | { readonly value: Value; readonly bytes?: Uint8Array }
  | { readonly failed: string };

/**
 * Milliseconds after which a thread is taken for lost: one that has no more memory just ends. On a busy machine a thread that has
 * the least priority may take a minute to start.
 */
const LOST_MS = 300_000;

/**
 * Starts a thread with a codec and data of its own, and waits until it is ready. Whoever calls it waits without an event loop: an event
 * would add its dispatch, some microseconds, to what is measured.
 */
export function decodingThread(source: CodecSource, dataset: Dataset): DecodingThread {
  const { port1, port2 } = new MessageChannel();
  const answers = new SharedArrayBuffer(4);
  const data: ThreadData = { source, dataset, port: port2, answers };
  const worker = new Worker(ownModule("runtimes/node/decoding-program"), {
    workerData: data,
    transferList: [port2],
  });
  worker.unref();
  const given = new Int32Array(answers);
  let taken = 0;
  const answer = (): ThreadAnswer => {
    // Whoever took an answer before its thread went on to wake him is woken by that in his next wait, with no answer yet.
    while (Atomics.load(given, 0) === taken)
      if (Atomics.wait(given, 0, taken, LOST_MS) === "timed-out")
        throw new Error(`the worker thread gave no answer for ${LOST_MS / 1000} s`);
    taken += 1;
    const { message } = receiveMessageOnPort(port1) as { message: ThreadAnswer };
    if ("failed" in message) throw new Error(`in a worker thread: ${message.failed}`);
    return message;
  };
  answer();
  return {
    decode: (message: Encoded) => {
      if (typeof message === "string") port1.postMessage(message);
      else port1.postMessage(message, [message.buffer as ArrayBuffer]);
      const { value, bytes = message } = answer() as { value: Value; bytes?: Uint8Array };
      return { value, message: bytes };
    },
  };
}

import { setImmediate as turn } from "node:timers/promises";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import {
  type Arrival,
  type Drop,
  defineTransport,
  type ListenerEnd,
  PeerLostError,
  type Setup,
  type TalkerEnd,
} from "../transport.ts";
import { isEnd } from "../wire/frame.ts";
import { BufferPool } from "../wire/frame-reader.ts";
import { Gate, TalkerSignals } from "../wire/queues.ts";
import {
  allocateThreadRing,
  SharedCount,
  type ThreadRingLayout,
  type ThreadRingMemory,
  ThreadRingReader,
  ThreadRingWriter,
} from "../wire/thread-ring.ts";

/** Where one listener finds a talker's ring, and how they signal to each other. */
interface RingAddress {
  readonly memory: ThreadRingMemory;
  /** Counts the messages that this listener is done with. */
  readonly done: Int32Array;
  /** Takes the listener's bell to the talker, a count of all that was published for it. Closed when a thread ends. */
  readonly port: MessagePort;
}

export default defineTransport({
  summary: "memory that worker threads share: written once for all listeners, and copied out by each",
  scope: "inter-thread",
  open: async (setup) => {
    const memory = allocateThreadRing(layoutOf(setup));
    const channels = Array.from({ length: setup.listeners }, () => new MessageChannel());
    const ports = channels.map(({ port1 }) => port1);
    const done = ports.map(() => new SharedCount());
    return {
      addresses: channels.map(
        ({ port2: port }, listener) => ({ memory, done: done[listener]!.word, port }) satisfies RingAddress,
      ),
      accept: () => talkerEnd(setup, new ThreadRingWriter(memory), done, ports),
      close: async () => {
        for (const port of ports) port.close();
      },
    };
  },
  connect: async (setup, addresses) => listenerEnd(setup, addresses as readonly RingAddress[]),
});

/**
 * Reliable: as many slots as messages may be on their way; the fewer, the more of them stay in the processor's
 * caches. Best effort: the newest `depth` messages wait as in a queue, each listener copies one, and one is written.
 */
function layoutOf({ listeners, reliability, depth, maxBytes }: Setup): ThreadRingLayout {
  return reliability === "reliable"
    ? { listeners, slots: depth, keep: Number.POSITIVE_INFINITY, maxBytes }
    : { listeners, slots: depth + listeners + 1, keep: depth, maxBytes };
}

async function talkerEnd(
  { reliability, depth }: Setup,
  ring: ThreadRingWriter,
  done: readonly SharedCount[],
  ports: readonly MessagePort[],
): Promise<TalkerEnd> {
  const gate = new Gate();
  const signals = new TalkerSignals();
  const hello = (port: MessagePort, listener: number): Promise<SharedCount> =>
    new Promise((resolve, reject) => {
      port.once("message", (bell: Int32Array) => resolve(new SharedCount(bell)));
      port.on("close", () => {
        const error = new PeerLostError(`listener ${listener} closed its port`);
        reject(error);
        gate.fail(error);
        signals.failed(error);
      });
    });
  const bells = await Promise.all(ports.map(hello));
  const watch = async (count: SharedCount, listener: number): Promise<void> => {
    for (let seen = 0; ; ) {
      const { value } = count;
      for (; seen < value; seen++) signals.done(listener);
      gate.notify();
      await count.change(value);
    }
  };
  for (const [listener, count] of done.entries()) void watch(count, listener);
  // Best effort never waits: a listener that is late finds its messages written over.
  const mayWrite = (): boolean =>
    reliability === "best-effort" || done.every(({ value }) => ring.published - value < depth);
  const send = async (header: Uint8Array, payload: Uint8Array): Promise<void> => {
    if (isEnd(header)) {
      ring.end(header);
    } else {
      if (!mayWrite()) await gate.until(mayWrite);
      ring.write(header, payload);
    }
    for (const bell of bells) bell.increase();
  };
  return {
    links: [{ listeners: [...ports.keys()], send }],
    ...signals.handlers,
    close: async () => {
      signals.end();
      for (const port of ports) port.close();
    },
  };
}

/** A listener that waits serves its event loop so often, in milliseconds: it may have to end, or a talker has. */
const SLICE_MS = 50;

function listenerEnd({ id, maxBytes, clock }: Setup, talkers: readonly RingAddress[]): ListenerEnd {
  const bell = new SharedCount();
  const rings = talkers.map(({ memory }) => new ThreadRingReader(memory, id));
  const done = talkers.map((talker) => new SharedCount(talker.done));
  /** Per talker: the sequence number that comes next. What comes instead shows what was written over. */
  const expected = new Array<number>(talkers.length).fill(0);
  const pool = new BufferPool(maxBytes, 1);
  let onDrop = (_drop: Drop): void => {};
  let lost: Error | undefined;
  for (const [talker, { port }] of talkers.entries()) {
    port.on("close", () => {
      lost ??= new PeerLostError(`talker ${talker} closed its port`);
    });
    port.postMessage(bell.word);
  }
  let turns = 0;
  /** The next frame of the talkers, one after the other. */
  const next = (): Arrival | undefined => {
    const buffer = pool.take();
    for (let tried = 0; tried < rings.length; tried++) {
      const talker = turns++ % rings.length;
      const firstByte = clock.now();
      const header = rings[talker]!.take(buffer);
      if (header === undefined) continue;
      const lastByte = clock.now();
      for (let sequence = expected[talker]!; sequence < header.sequence; sequence++) {
        onDrop({ talker, sequence, place: "overwritten" });
      }
      expected[talker] = header.kind === "last" ? 0 : header.sequence + 1;
      const payload = buffer.subarray(0, header.bytes);
      return { header, payload, firstByte, lastByte, release: () => pool.give(buffer) };
    }
    pool.give(buffer);
    return undefined;
  };
  return {
    receive: async () => {
      await turn();
      for (;;) {
        const { value } = bell;
        const arrival = next();
        if (arrival !== undefined) return arrival;
        if (lost !== undefined) throw lost;
        if (bell.block(value, SLICE_MS) === "timed-out") await turn();
      }
    },
    ack: (talker) => done[talker]!.increase(),
    onDrop: (callback) => {
      onDrop = callback;
    },
    close: async () => {
      for (const { port } of talkers) port.close();
    },
  };
}

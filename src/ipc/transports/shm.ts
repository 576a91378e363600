import { closeSync, openSync, rmSync } from "node:fs";
import type net from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import {
  type Arrival,
  type Drop,
  defineTransport,
  type Link,
  type ListenerEnd,
  PeerLostError,
  type Setup,
} from "../transport.ts";
import { isEnd } from "../wire/frame.ts";
import { BufferPool } from "../wire/frame-reader.ts";
import { makeRing, type RingLayout, RingReader, type RingWriter, sharedFolder } from "../wire/slot-ring.ts";
import {
  acceptListeners,
  type Connections,
  connectTalkers,
  endServer,
  serveLocally,
  talkerEnd,
} from "../wire/sockets.ts";

/**
 * Each talker writes a message once, for all its listeners, into a ring of slots in a file in shared memory
 * (`/dev/shm`, or the folder that follows the name as in `shm:/mnt/large`; where a system has none, the exchange's
 * own folder), and wakes them over a socket. A listener copies it into a buffer of its own when it turns to it.
 */
export default defineTransport({
  summary: "slots of a file in shared memory, written once for all; a Unix domain socket tells of them",
  scope: "inter-process",
  takes: { what: "a folder in memory", example: "shm:/mnt/large", required: false },
  folderBeside: sharedFolder,
  open: async (setup) => {
    const ring = makeRing(sharedFolder(setup), setup.id, layoutOf(setup));
    const { path: socket, server } = await serveLocally(setup);
    return {
      addresses: new Array<SlotAddress>(setup.listeners).fill({ file: ring.file, socket }),
      accept: async () => {
        const sockets = await acceptListeners(server, setup.listeners);
        // All have it open. Its memory is free again when the last of them ends, however that comes about.
        rmSync(ring.file);
        return talkerEnd(sockets, [slotLink(ring.writer, sockets)]);
      },
      close: async () => {
        ring.close();
        endServer(server);
      },
    };
  },
  connect: async (setup, addresses) => {
    const talkers = addresses as readonly SlotAddress[];
    const end = new SlotEnd(
      setup,
      talkers.map(({ file }) => file),
    );
    await end.connect(
      setup.id,
      talkers.map(({ socket }) => socket),
    );
    return end;
  },
});

/** Where a listener finds a talker's slots, and its socket. */
interface SlotAddress {
  readonly file: string;
  readonly socket: string;
}

/**
 * Reliable: what is on its way is bounded, and so are the slots. Best effort: the newest `depth` messages wait as in
 * a queue. Two more slots let them be whole while the next is written, and let the message that a listener is
 * copying be whole for as long as the talker takes to encode and write another; without, a talker flat out would
 * spoil every copy of a slightly slower listener, which would then get nothing at all.
 */
function layoutOf({ reliability, depth, maxBytes }: Setup): RingLayout {
  return { slots: reliability === "reliable" ? depth : depth + 2, maxBytes };
}

const WAKE = new Uint8Array(1);

/**
 * Wakes say no more than to look at the file, so that one that still waits to go says as much as two: they never pile
 * up before a listener that has stopped.
 */
function slotLink(writer: RingWriter, sockets: readonly net.Socket[]): Link {
  return {
    listeners: sockets.map((_, listener) => listener),
    send: async (header, payload) => {
      if (isEnd(header)) writer.end(header);
      else writer.write(header, payload);
      for (const socket of sockets) {
        if (socket.writableLength === 0) socket.write(WAKE);
      }
    },
  };
}

/** Bytes that are asked of a socket at once: each is a wake. */
const WAKES = 4096;

/** A listener's end. Messages wait in their slots until it asks for them. */
class SlotEnd implements ListenerEnd {
  readonly #files: readonly number[];
  readonly #readers: readonly RingReader[];
  #connections: Connections | undefined;
  /** The talker whose turn it is. */
  #turn = 0;
  #lost: Error | undefined;
  #wake: () => void = () => {};
  #onDrop: (drop: Drop) => void = () => {};

  constructor(setup: Setup, files: readonly string[]) {
    const keep = setup.reliability === "reliable" ? Number.POSITIVE_INFINITY : setup.depth;
    // The one that is read.
    const pool = new BufferPool(setup.maxBytes, 1);
    this.#files = files.map((file) => openSync(file, "r"));
    this.#readers = this.#files.map((fd, talker) => {
      const reading = { ...layoutOf(setup), talker, keep, clock: setup.clock };
      return new RingReader(fd, reading, pool, (drop) => this.#onDrop(drop));
    });
  }

  /** Connects to the talkers' sockets. */
  async connect(id: number, sockets: readonly string[]): Promise<void> {
    this.#connections = await connectTalkers(
      id,
      sockets.map((path) => ({ path })),
      {
        chunkBytes: WAKES,
        bytes: () => {
          this.#wake();
          return true;
        },
        closed: (talker) => {
          this.#lost ??= new PeerLostError(`talker ${talker} closed its connection`);
          this.#wake();
        },
      },
    );
  }

  async receive(): Promise<Arrival> {
    // Whoever is gone shows, and the coordinator is heard, however many messages there are.
    await turn();
    for (;;) {
      const arrival = this.#next();
      if (arrival !== undefined) return arrival;
      if (this.#lost !== undefined) throw this.#lost;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** A frame of the next talker that has one. */
  #next(): Arrival | undefined {
    for (let tried = 0; tried < this.#readers.length; tried++) {
      const arrival = this.#readers[this.#turn]!.take();
      this.#turn = (this.#turn + 1) % this.#readers.length;
      if (arrival !== undefined) return arrival;
    }
    return undefined;
  }

  ack(talker: number): void {
    this.#connections?.ack(talker);
  }

  onDrop(callback: (drop: Drop) => void): void {
    this.#onDrop = callback;
  }

  async close(): Promise<void> {
    this.#connections?.close();
    for (const fd of this.#files) closeSync(fd);
  }
}

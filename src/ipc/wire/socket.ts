/** Frames over stream sockets, whatever their address is. */
import type net from "node:net";
import { type Link, type ListenerEnd, PeerLostError, type Setup, type TalkerEnd } from "../transport.ts";
import { BufferPool } from "./buffer-pool.ts";
import { acceptListeners, connectTalkers, talkerEnd } from "./connection.ts";
import { FrameError, nameOf } from "./frame.ts";
import { FrameReader } from "./frame-reader.ts";
import { Inbox } from "./inbox.ts";

/**
 * Bytes that are asked of a socket at once. Node's own buffers are 64 KiB, which makes a message of 6.5 MB a
 * hundred pieces (measured: p50 2.7 ms, and 1.6 ms with this).
 */
const CHUNK_BYTES = 1 << 20;

/** Waits until every listener has connected to a server, and gives the talker's end. */
export async function acceptAll(server: net.Server, { listeners }: Setup): Promise<TalkerEnd> {
  const sockets = await acceptListeners(server, listeners);
  return talkerEnd(sockets, sockets.map(socketLink));
}

function socketLink(socket: net.Socket, listener: number): Link {
  return {
    listeners: [listener],
    send: (header, payload) =>
      new Promise((resolve, reject) => {
        const done = (error?: Error | null): void => (error ? reject(lost(listener, error)) : resolve());
        if (payload.length === 0) {
          socket.write(header, done);
          return;
        }
        // Both in one system call, and without putting them together.
        socket.cork();
        socket.write(header);
        socket.write(payload, done);
        socket.uncork();
      }),
  };
}

function lost(listener: number, error: Error): PeerLostError {
  return new PeerLostError(`listener ${listener} cannot be written to: ${error.message}`);
}

/** Connects to every talker, and gives the listener's end. */
export async function connectAll(
  setup: Setup,
  addresses: readonly net.NetConnectOpts[],
): Promise<ListenerEnd> {
  const { id, talkers, reliability, depth, maxBytes, clock } = setup;
  const inbox = new Inbox(reliability === "reliable" ? Number.POSITIVE_INFINITY : depth);
  // Those that wait, the one that is read, and the one that comes in.
  const pool = new BufferPool(maxBytes, talkers * (depth + 1) + 1);
  const readers = addresses.map(
    (_, talker) =>
      new FrameReader(pool, maxBytes, (arrival) => {
        if (arrival.header.talker !== talker) {
          throw new FrameError(`${nameOf(arrival.header)}: it came from talker ${talker}`);
        }
        inbox.push(arrival);
      }),
  );
  const connections = await connectTalkers(id, addresses, {
    chunkBytes: CHUNK_BYTES,
    bytes: (talker, chunk) => {
      try {
        readers[talker]!.push(chunk, clock.now());
        return true;
      } catch (error) {
        inbox.fail(error as Error);
        return false;
      }
    },
    closed: (talker) => {
      const where = readers[talker]!.idle ? "" : " in the middle of a message";
      inbox.fail(new PeerLostError(`talker ${talker} closed its connection${where}`));
    },
  });
  return {
    receive: () => inbox.take(),
    ack: connections.ack,
    onDrop: (callback) => inbox.onDrop(callback),
    close: async () => connections.close(),
  };
}

import { MessageChannel, type MessagePort } from "node:worker_threads";
import { type Part, partName } from "../exchange/job.ts";
import { defineTransport, PeerLostError, type Setup } from "../transport.ts";
import { FrameError } from "../wire/frame.ts";
import {
  channelListenerEnd,
  channelTalkerEnd,
  type FrameChannel,
  type FrameChannelHandlers,
} from "../wire/frame-channel.ts";
import { BufferPool } from "../wire/frame-reader.ts";

/** What goes through a port: a frame one way, and the other way notes with the buffers that are free again. */
type Posted =
  | { readonly header: Uint8Array; readonly payload: Uint8Array }
  | { readonly note: "arrived" | "done"; readonly free: readonly ArrayBuffer[] };

const NOTHING = new Uint8Array(0);

export default defineTransport({
  summary:
    "message ports of worker threads: a copy of each message, in a buffer that is moved there and back",
  scope: "inter-thread",
  open: async (setup) => {
    const { listeners, depth, maxBytes } = setup;
    const ports = Array.from({ length: listeners }, () => new MessageChannel());
    // Those that wait, the one that is read, and the one that comes in.
    const pool = new BufferPool(maxBytes, listeners * (depth + 2));
    return {
      addresses: ports.map(({ port2 }) => port2),
      accept: async () =>
        channelTalkerEnd(
          ports.map(({ port1 }, id) => portChannel(port1, { role: "listener", id }, setup, pool)),
        ),
      close: async () => {
        for (const { port1 } of ports) port1.close();
      },
    };
  },
  connect: async (setup, addresses) => {
    const pool = new BufferPool(0, 0);
    return channelListenerEnd(
      addresses.map((port, id) => portChannel(port as MessagePort, { role: "talker", id }, setup, pool)),
      setup,
    );
  },
});

/**
 * A channel over a port. The payload is copied into a buffer of the pool, which is moved to the peer and comes back
 * with its next note. To clone or to allocate for each message costs more: p50 0.66 ms and 0.38 ms at 6.5 MB, up to
 * ten times that in some runs, for its pages are mapped anew; 0.27 ms like this.
 */
function portChannel(port: MessagePort, peer: Part, { reliability }: Setup, pool: BufferPool): FrameChannel {
  // A port takes all that is posted. Where no window limits it, the next is sent when the last has arrived.
  const awaitsArrival = reliability === "best-effort";
  const free: ArrayBuffer[] = [];
  let arrived = (): void => {};
  const note = (kind: "arrived" | "done"): void => {
    const buffers = free.splice(0);
    port.postMessage({ note: kind, free: buffers } satisfies Posted, buffers);
  };
  return {
    send: (header, payload) => {
      if (payload.length === 0) {
        port.postMessage({ header, payload: NOTHING } satisfies Posted);
      } else {
        const buffer = pool.take();
        buffer.set(payload);
        const posted: Posted = { header, payload: buffer.subarray(0, payload.length) };
        port.postMessage(posted, [buffer.buffer as ArrayBuffer]);
      }
      if (!awaitsArrival) return Promise.resolve();
      return new Promise((resolve) => {
        arrived = resolve;
      });
    },
    ack: () => note("done"),
    on: (handlers: FrameChannelHandlers) => {
      port.on("message", (posted: Posted) => {
        if ("note" in posted) {
          for (const buffer of posted.free) pool.give(Buffer.from(buffer));
          if (posted.note === "arrived") arrived();
          else handlers.ack?.();
          return;
        }
        const { header, payload } = posted;
        handlers.frame?.(header, payload, () => {
          if (payload.length > 0) free.push(payload.buffer as ArrayBuffer);
        });
        if (awaitsArrival) note("arrived");
      });
      port.on("messageerror", (error: Error) => {
        handlers.failed(new FrameError(`${partName(peer)}: a message cannot be read: ${error.message}`));
      });
      port.on("close", () => handlers.failed(new PeerLostError(`${partName(peer)} closed its port`)));
    },
    close: () => port.close(),
  };
}

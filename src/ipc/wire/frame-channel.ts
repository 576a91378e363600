/** Frames over channels that carry them whole: ports of threads, and what Node gives to parent and child. */
import { inBytes } from "../../model/in-bytes.ts";
import type { Arrival, ListenerEnd, Setup, TalkerEnd } from "../transport.ts";
import { FrameError, nameOf, readHeader } from "./frame.ts";
import { Inbox, TalkerSignals } from "./queues.ts";

/** A channel to one peer. */
export interface FrameChannel {
  /** Sends a frame, as a link of a {@link TalkerEnd} does. */
  send(header: Uint8Array, payload: Uint8Array): Promise<void>;
  /** Says to the peer that its message is done with. */
  ack(): void;
  /** Sets all handlers, before anything can come. */
  on(handlers: FrameChannelHandlers): void;
  close(): void;
}

/** What becomes known of a channel. */
export interface FrameChannelHandlers {
  /** @param release to be called once the payload was read */
  frame?(header: Uint8Array, payload: Uint8Array, release: () => void): void;
  ack?(): void;
  /** It carries nothing any more, or something that is no frame. */
  failed(error: Error): void;
}

/** A talker's end. @param channels to each listener */
export function channelTalkerEnd(channels: readonly FrameChannel[]): TalkerEnd {
  const signals = new TalkerSignals();
  for (const [listener, channel] of channels.entries()) {
    channel.on({
      ack: () => signals.done(listener),
      failed: (error) => signals.failed(error),
    });
  }
  return {
    links: channels.map((channel, listener) => ({
      listeners: [listener],
      send: (header, payload) => channel.send(header, payload),
    })),
    ...signals.handlers,
    close: async () => {
      signals.end();
      for (const channel of channels) channel.close();
    },
  };
}

/** A listener's end. @param channels to each talker */
export function channelListenerEnd(channels: readonly FrameChannel[], setup: Setup): ListenerEnd {
  const { reliability, depth, maxBytes, clock } = setup;
  const inbox = new Inbox(reliability === "reliable" ? Number.POSITIVE_INFINITY : depth);
  for (const channel of channels) {
    channel.on({
      frame: (header, payload, release) => {
        const at = clock.now();
        try {
          inbox.push({ ...frameOf(header, payload, maxBytes), firstByte: at, lastByte: at, release });
        } catch (error) {
          inbox.fail(error as Error);
        }
      },
      failed: (error) => inbox.fail(error),
    });
  }
  return {
    receive: () => inbox.take(),
    ack: (talker) => channels[talker]!.ack(),
    onDrop: (callback) => inbox.onDrop(callback),
    close: async () => {
      for (const channel of channels) channel.close();
    },
  };
}

function frameOf(
  bytes: Uint8Array,
  payload: Uint8Array,
  maxBytes: number,
): Pick<Arrival, "header" | "payload"> {
  const header = readHeader(bytes, maxBytes);
  if (payload.length !== header.bytes) {
    throw new FrameError(`${nameOf(header)}: expected ${inBytes(header.bytes)}, got ${payload.length}`);
  }
  // What a codec's library does depends on the kind of its input, and no transport is to make a difference there.
  return { header, payload: Buffer.from(payload.buffer, payload.byteOffset, payload.length) };
}

import { UsageError } from "../../model/errors.ts";
import { type Part, partName } from "../exchange/job.ts";
import { familyChannel } from "../participants/hub.ts";
import { defineTransport, PeerLostError } from "../transport.ts";
import {
  channelListenerEnd,
  channelTalkerEnd,
  type FrameChannel,
  type FrameChannelHandlers,
} from "../wire/frame-channel.ts";

export default defineTransport({
  summary: "the channel between parent and child process, with Node's advanced serialization",
  scope: "inter-process",
  parentAndChild: true,
  open: async ({ talkers, listeners }) => {
    if (talkers > 1 && listeners > 1) {
      throw new UsageError(
        `transport fork: expected one talker or one listener, got ${talkers} and ${listeners}: they are parent and children`,
      );
    }
    return {
      // They have their channels already.
      addresses: new Array<null>(listeners).fill(null),
      accept: async () =>
        channelTalkerEnd(Array.from({ length: listeners }, (_, id) => channelTo({ role: "listener", id }))),
      close: async () => {},
    };
  },
  connect: async (setup, addresses) =>
    channelListenerEnd(
      addresses.map((_, id) => channelTo({ role: "talker", id })),
      setup,
    ),
});

function channelTo(part: Part): FrameChannel {
  const channel = familyChannel(part);
  return {
    // It calls back when the system has taken the last byte (measured: with a peer that reads nothing, never for a
    // message of 6.5 MB, and 93 times for one of 841 bytes), so that what waits unseen is what a socket holds.
    send: (header, payload) =>
      new Promise((resolve, reject) => {
        channel.send({ between: "frame", header, payload }, (error) => {
          if (error === null) resolve();
          else reject(new PeerLostError(`${partName(part)} cannot be written to: ${error.message}`));
        });
      }),
    ack: () => channel.send({ between: "ack" }, () => {}),
    on: (handlers: FrameChannelHandlers) => {
      channel.onMessage((message) => {
        if (message.between === "ack") handlers.ack?.();
        else handlers.frame?.(message.header, message.payload, () => {});
      });
      channel.onGone(() => handlers.failed(new PeerLostError(`${partName(part)} closed its channel`)));
    },
    close: () => {},
  };
}

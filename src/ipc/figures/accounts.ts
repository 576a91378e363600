/** Brings the logs of talkers and listeners together: what became of every message, and when. */
import { endToEnd, receivedOf } from "../../analysis/ipc-tests.ts";
import { WirebenchError } from "../../model/errors.ts";
import type { IpcMessage, IpcPair } from "../../model/records/ipc.ts";
import { type ListenerLog, OUTCOME, type Phase, type TalkerLog } from "../exchange/job.ts";
import { nameOf } from "../wire/frame.ts";
import { percentilesOf } from "./percentiles.ts";

/** What talkers and listeners say of the messages of a phase. */
export interface MessageLogs {
  readonly phase: Pick<Phase, "name" | "messages">;
  readonly talkers: readonly Omit<TalkerLog, "stalled" | "use">[];
  readonly listeners: readonly Pick<ListenerLog, "talkers">[];
}

/**
 * Every message of a phase on its way to every listener, talker by talker in the order of sending. Throws
 * WirebenchError for one that was neither received nor dropped, or both.
 * @param encodedBytes of each value that messages go round
 */
export function messagesOf(logs: MessageLogs, encodedBytes: readonly number[]): IpcMessage[] {
  const { phase, talkers, listeners } = logs;
  return talkers.flatMap((talker, talkerId) =>
    listeners.flatMap((listener, listenerId) => {
      const { outcome, firstByte, lastByte, taken, read } = listener.talkers[talkerId]!;
      return Array.from({ length: phase.messages }, (_, sequence): IpcMessage => {
        const sender = talker.dropped[listenerId]![sequence] === 1;
        const became = outcomeOf(sender, outcome[sequence]!);
        if (became === undefined) {
          const message = nameOf({ kind: "message", sequence, talker: talkerId });
          throw new WirebenchError(
            sender
              ? `${message} was dropped before it was sent, and came to listener ${listenerId}`
              : `${message} never came to listener ${listenerId}, and nobody dropped it`,
          );
        }
        return {
          phase: phase.name,
          talker: talkerId,
          listener: listenerId,
          sequence,
          outcome: became,
          encodedBytes: encodedBytes[sequence % encodedBytes.length]!,
          intended: talker.intended[sequence]!,
          encodeStart: talker.encodeStart[sequence]!,
          encoded: talker.encoded[sequence]!,
          ...(sender ? {} : { sent: talker.sent[listenerId]![sequence]! }),
          ...(became === "received"
            ? {
                firstByte: firstByte[sequence]!,
                lastByte: lastByte[sequence]!,
                taken: taken[sequence]!,
                read: read[sequence]!,
              }
            : {}),
        };
      });
    }),
  );
}

function outcomeOf(sender: boolean, outcome: number): IpcMessage["outcome"] | undefined {
  if (sender) return outcome === OUTCOME.missing ? "dropped-sender" : undefined;
  if (outcome === OUTCOME.received) return "received";
  if (outcome === OUTCOME.overwritten) return "dropped-overwritten";
  return outcome === OUTCOME.receiver ? "dropped-receiver" : undefined;
}

/** The account of each talker and listener. */
export function pairsOf(logs: MessageLogs, messages: readonly IpcMessage[]): IpcPair[] {
  return logs.talkers.flatMap((_, talker) =>
    logs.listeners.map((listener, listenerId): IpcPair => {
      const own = messages.filter((one) => one.talker === talker && one.listener === listenerId);
      const received = receivedOf(own);
      const count = (outcome: IpcMessage["outcome"]): number =>
        own.filter((message) => message.outcome === outcome).length;
      const last = received.reduce((latest, { read }) => Math.max(latest, read), 0);
      return {
        talker,
        listener: listenerId,
        published: own.length,
        received: received.length,
        drops: {
          sender: count("dropped-sender"),
          overwritten: count("dropped-overwritten"),
          receiver: count("dropped-receiver"),
        },
        totalMs: received.length === 0 ? 0 : (last - own[0]!.intended) / 1e6,
        outOfOrder: listener.talkers[talker]!.outOfOrder,
        endToEnd: percentilesOf(Float64Array.from(received, endToEnd)),
      };
    }),
  );
}

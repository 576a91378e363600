import type { IpcRemoteMessage, IpcRemoteRecord } from "../../model/records/ipc-remote.ts";
import { percentilesOf } from "../figures/percentiles.ts";
import type { SenderLog } from "./sender.ts";

/** What became of the messages that count. */
export function accountOf(
  log: SenderLog,
  warmup: number,
): Pick<IpcRemoteRecord, "received" | "lost" | "stages"> {
  const settled = Math.max(0, log.settled - warmup);
  const answered = (values: Float64Array): Float64Array =>
    values.filter((_, index) => index >= warmup && log.received[index] === 1);
  const [encode, roundTrip] = [answered(log.encode), answered(log.roundTrip)];
  return {
    received: roundTrip.length,
    lost: settled - roundTrip.length,
    stages: {
      encode: percentilesOf(encode),
      decode: percentilesOf(answered(log.decode)),
      roundTrip: percentilesOf(roundTrip),
      sentToAck: percentilesOf(roundTrip.map((nanos, index) => nanos - encode[index]!)),
    },
  };
}

/** All messages that were sent. */
export function messagesOf(log: SenderLog, warmup: number): IpcRemoteMessage[] {
  return Array.from({ length: log.sent }, (_, index) => ({
    phase: index < warmup ? "warmup" : "measured",
    sequence: index < warmup ? index : index - warmup,
    encode: log.encode[index]!,
    ...(log.received[index] === 1 ? { roundTrip: log.roundTrip[index]!, decode: log.decode[index]! } : {}),
  }));
}

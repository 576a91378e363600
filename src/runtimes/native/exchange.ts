/** Messages between processes that a reference program starts: it gets a job, and tells when each message was where. */
import { endingReason } from "../launch/child-process.ts";
import { MessageError } from "../launch/messages.ts";
import { NATIVE_PROTOCOL, type NativeExchange, type NativeLog, startNative } from "./conversation.ts";

/** Processor time after which a program whose coordinator is gone is ended, in seconds. */
const CPU_SECONDS = 86_400;

/**
 * The logs of an exchange, talker by talker and for each of them listener by listener, or why there are none. Throws the signal's
 * reason.
 * @param timeoutSeconds without a message of the program after which the exchange has failed
 */
export async function nativeLogs(
  command: readonly string[],
  exchange: NativeExchange,
  timeoutSeconds: number,
  signal: AbortSignal | undefined,
): Promise<readonly NativeLog[] | { readonly failed: string }> {
  signal?.throwIfAborted();
  const job = { protocol: NATIVE_PROTOCOL, exchange } as const;
  const limits = { cpuSeconds: CPU_SECONDS, silenceSeconds: timeoutSeconds, signal };
  const { messages, ended, kill } = startNative(command, job, limits);
  const logs: NativeLog[] = [];
  try {
    for await (const message of messages) if ("messages" in message) logs.push(message.messages);
    const ending = await ended;
    signal?.throwIfAborted();
    const ok = "code" in ending && ending.code === 0 && logs.length === exchange.talkers * exchange.listeners;
    if (!ok) return { failed: endingReason(ending) };
    const lists = logs.flatMap(({ begun, encoded, received, decoded }) => [
      begun,
      encoded,
      received,
      decoded,
    ]);
    const wrong = lists.find(({ length }) => length !== exchange.messages);
    return wrong === undefined
      ? logs
      : { failed: `expected ${exchange.messages} messages, got ${wrong.length}` };
  } catch (error) {
    if (error instanceof MessageError) return { failed: error.message };
    throw error;
  } finally {
    kill();
  }
}

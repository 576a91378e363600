import { setTimeout as sleep } from "node:timers/promises";
import type { Registry } from "../../catalog/registry.ts";
import type { Dataset } from "../../model/dataset.ts";
import { Broker } from "../wire/nats/broker.ts";
import { channelSubject, expectChannel, sessionSubjects } from "./channel.ts";
import { type Counterpart, counterpartOf, differences } from "./counterpart.ts";
import { controlBytes, type Hello, parseHello, sessionOf } from "./messages.ts";
import { oneReason } from "./reason.ts";
import { Session, type SessionEnd } from "./session.ts";

/** What a listener is to do. */
export interface ListenOptions {
  readonly channel: string;
  /** `nats://host:port` */
  readonly address: string;
  readonly registry: Registry;
  /** For talkers with data of their user's own. */
  readonly own?: Dataset;
  /** Whether it ends after one talker. */
  readonly once: boolean;
  /** A talker that is silent for so long is gone. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  /** Called with what there is to say, a line each. */
  readonly say: (line: string) => void;
}

/** How it ended: by Ctrl-C while it waited or amid messages, or after the one talker or with the server, well or not. */
export type ListenEnd = "stopped" | "interrupted" | "done" | "failed";

/** Name by which listeners of one channel share the talkers: one listener for each. */
const QUEUE = "listeners";

/** Waits for talkers on a channel and serves one after the other. Throws WirebenchError where there is no server. */
export async function listenRemotely(options: ListenOptions): Promise<ListenEnd> {
  const { once, signal, say } = options;
  const subject = channelSubject(expectChannel(options.channel));
  const broker = await Broker.connect(options.address, `wirebench listener of ${options.channel}`);
  try {
    for (;;) {
      const hello = await nextHello(broker, subject, options);
      if (hello === undefined) return "stopped";
      const end = await serve(broker, hello, options);
      if (signal.aborted) return "interrupted";
      if (broker.failure !== undefined) return "failed";
      if (once) return end.problem === undefined && end.lost === 0 ? "done" : "failed";
    }
  } catch (error) {
    const { failure } = broker;
    if (failure === undefined || error !== failure) throw error;
    say(`error: ${failure.message}`);
    return "failed";
  } finally {
    // What was said last is to be heard.
    await Promise.race([broker.flush().catch(() => {}), sleep(500)]);
    await broker.close();
  }
}

/** The next talker's hello; undefined once the signal says to stop. Others are not listened to while one is served. */
async function nextHello(
  broker: Broker,
  subject: string,
  { channel, signal, say }: ListenOptions,
): Promise<Hello | undefined> {
  let isOver = false;
  let stop = (): void => {};
  let abort = (): void => {};
  try {
    return await new Promise<Hello | undefined>((resolve, reject) => {
      abort = () => resolve(undefined);
      signal.addEventListener("abort", abort);
      if (signal.aborted) abort();
      broker.onFailure(reject);
      const take = (data: Uint8Array): void => {
        try {
          resolve(parseHello(data));
        } catch (error) {
          const reason = oneReason(error);
          say(`ignored what is no talker's hello: ${reason}`);
          const session = sessionOf(data);
          if (session !== undefined) refuse(broker, session, reason);
        }
      };
      stop = broker.subscribe(subject, ({ data }) => take(data), QUEUE);
      // Said once the server knows: what is published from then on is heard.
      broker.flush().then(() => {
        if (!isOver) say(`waiting for a talker on channel "${channel}" of ${broker.address}; Ctrl-C ends`);
      }, reject);
    });
  } finally {
    isOver = true;
    signal.removeEventListener("abort", abort);
    stop();
  }
}

function refuse(broker: Broker, session: string, reason: string): void {
  broker.publish(sessionSubjects(session).talker, controlBytes({ kind: "refused", reason }));
}

async function serve(broker: Broker, hello: Hello, options: ListenOptions): Promise<SessionEnd> {
  const { registry, own, timeoutSeconds, signal, say } = options;
  const { codec, dataset, messages, warmup, depth } = hello;
  say(
    `a talker: ${codec}, ${dataset.name}, ${messages} messages after ${warmup} of warm-up, ${depth} at a time`,
  );
  const bind = async (): Promise<Counterpart> => {
    broker.expectRoom(hello.maxBytes);
    const counterpart = await counterpartOf(registry, hello, own, broker.maxPayload);
    for (const difference of differences(hello, counterpart.library, counterpart.libraryVersion)) {
      say(`warning: the talker has ${difference}`);
    }
    return counterpart;
  };
  const end = await new Session(broker, hello).run(bind, timeoutSeconds, signal);
  const { received, lost, problem } = end;
  const count = `${received} of ${messages + warmup} messages received${lost > 0 ? `, ${lost} lost` : ""}`;
  say(problem === undefined ? count : `error: ${problem} (${count})`);
  return end;
}

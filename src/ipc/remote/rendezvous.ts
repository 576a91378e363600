import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { UsageError, WirebenchError } from "../../model/errors.ts";
import type { IpcRemotePeer } from "../../model/records/ipc-remote.ts";
import type { Broker, BrokerMessage } from "../wire/nats/broker.ts";
import { channelSubject, sessionSubjects } from "./channel.ts";
import { controlBytes, type Hello, parseFromListener } from "./messages.ts";

/** Time between two looks for a listener, in milliseconds. */
const RETRY_MS = 300;

/** Time in which a listener that is there says that it has heard, in milliseconds. */
const HEARD_MS = 3000;

/** A listener that is ready for a talker's messages. */
export interface Partner {
  readonly session: string;
  readonly peer: IpcRemotePeer;
  /** Ends what was subscribed to meet it, to be called by whom has subscribed to the same. */
  release(): void;
}

/** How a talker looks for its listener. */
export interface Search {
  readonly channel: string;
  /** Time for somebody to be there, and then for codec and data to be loaded. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/**
 * Finds a listener on a channel, and waits until it is ready. Throws UsageError with the listener's reason where it
 * refuses, and WirebenchError where there is none.
 */
export async function findListener(
  broker: Broker,
  hello: Omit<Hello, "session">,
  search: Search,
): Promise<Partner> {
  const { channel, timeoutSeconds, signal, say } = search;
  const started = performance.now();
  for (let attempt = 0; ; attempt++) {
    // A session of its own each time: whoever answers to an earlier one is not listened to any more.
    const session = randomBytes(16).toString("hex");
    const partner = await meet(broker, { ...hello, session }, search);
    if (partner !== undefined) return partner;
    if (performance.now() - started > timeoutSeconds * 1000) {
      throw new WirebenchError(
        `nobody listens on channel "${channel}" of ${broker.address}: ` +
          `start \`wirebench ipc listener --channel ${channel} --transport ${broker.address}\` there`,
      );
    }
    if (attempt === 0) say(`waiting for a listener on channel "${channel}" of ${broker.address}`);
    await sleep(RETRY_MS);
    signal.throwIfAborted();
  }
}

/** Says hello once; undefined where nobody hears it. */
async function meet(broker: Broker, hello: Hello, search: Search): Promise<Partner | undefined> {
  const { channel, timeoutSeconds, signal, say } = search;
  const { talker } = sessionSubjects(hello.session);
  let release = (): void => {};
  let abort = (): void => {};
  let timer: NodeJS.Timeout | undefined;
  try {
    const peer = await new Promise<IpcRemotePeer | undefined>((resolve, reject) => {
      const take = ({ data, unheard }: BrokerMessage): void => {
        if (unheard) {
          resolve(undefined);
          return;
        }
        if (data.length === 0) return;
        const said = parseFromListener(data);
        if (said.kind === "refused") reject(new UsageError(`the listener refuses: ${said.reason}`));
        else if (said.kind === "ready") resolve(said.peer);
        else {
          say("a listener loads the codec and the data");
          clearTimeout(timer);
          const late = new WirebenchError(`the listener was not ready within ${timeoutSeconds} s`);
          timer = setTimeout(() => reject(late), timeoutSeconds * 1000);
        }
      };
      release = broker.subscribe(talker, (message) => {
        try {
          take(message);
        } catch (error) {
          reject(error as Error);
        }
      });
      abort = () => reject(signal.reason as Error);
      signal.addEventListener("abort", abort);
      if (signal.aborted) abort();
      broker.onFailure(reject);
      timer = setTimeout(() => resolve(undefined), HEARD_MS);
      broker.publish(channelSubject(channel), controlBytes(hello), talker);
    });
    if (peer !== undefined) return { session: hello.session, peer, release };
  } catch (error) {
    release();
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
  release();
  return undefined;
}

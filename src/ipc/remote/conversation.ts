import { OWN_VERSION } from "../../catalog/library-version.ts";
import { WirebenchError } from "../../model/errors.ts";
import type { Broker, BrokerMessage } from "../wire/nats.ts";
import { Gate } from "../wire/queues.ts";
import { controlBytes, type FromListener, type Over, sessionSubjects } from "./protocol.ts";

/** How often somebody who says nothing is looked after, in milliseconds. */
const TICK_MS = 1000;

const NOTHING = new Uint8Array(0);

/** What one side does with what comes from the other. Whatever a handler throws fails the conversation. */
export interface Handlers {
  /** A control message. */
  control(data: Uint8Array): void;
  /** To a listener a message of the measurement, or a part of one; to a talker an ack. */
  measured(data: Uint8Array): void;
}

/**
 * One side of a talker and a listener that know of each other only by a server. Its gate fails when the other side is
 * gone or silent for too long, when the server is gone, when a handler throws, and when a signal says so.
 */
export class Conversation {
  /** What waits for the other side waits here. */
  readonly gate = new Gate();
  readonly subjects: ReturnType<typeof sessionSubjects>;
  readonly #broker: Broker;
  readonly #own: "talker" | "listener";
  readonly #other: "talker" | "listener";
  #ends: (() => void)[] = [];

  /** @param own this side of the session */
  constructor(broker: Broker, session: string, own: "talker" | "listener") {
    this.#broker = broker;
    this.subjects = sessionSubjects(session);
    this.#own = own;
    this.#other = own === "talker" ? "listener" : "talker";
  }

  /**
   * Begins to listen to the other side.
   * @param seconds of silence after which it counts as gone
   */
  begin(seconds: number, signal: AbortSignal, handlers: Handlers): void {
    const subjects = { own: this.subjects[this.#own], other: this.subjects[this.#other] };
    const pulse = new Pulse(this.#broker, subjects, seconds, (reason) =>
      this.gate.fail(new WirebenchError(`the ${this.#other} ${reason}`)),
    );
    const abort = (): void => this.gate.fail(signal.reason as Error);
    this.#ends = [
      this.#subscribe(this.#own === "talker" ? this.subjects.acks : this.subjects.frames, ({ data }) => {
        pulse.heard();
        handlers.measured(data);
      }),
      this.#subscribe(subjects.own, ({ data, unheard }) => {
        if (unheard) pulse.unheard();
        else if (data.length > 0) handlers.control(data);
      }),
      () => pulse.stop(),
      () => signal.removeEventListener("abort", abort),
    ];
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    this.#broker.onFailure((error) => this.gate.fail(error));
  }

  #subscribe(subject: string, take: (message: BrokerMessage) => void): () => void {
    return this.#broker.subscribe(subject, (message) => {
      try {
        take(message);
      } catch (error) {
        this.gate.fail(error as Error);
      }
    });
  }

  /** Says something to the other side. Throws WirebenchError where the server is gone. */
  say(message: FromListener | Over): void {
    this.#broker.publish(this.subjects[this.#other], controlBytes(message));
  }

  /** Says something last. Where the server is gone, the other side knows that too. */
  sayLast(message: FromListener | Over): void {
    try {
      this.say(message);
    } catch {
      // Nobody is left to hear it.
    }
  }

  /** Listens no longer. */
  end(): void {
    for (const end of this.#ends) end();
  }
}

/** In what the other side differs although both understand each other. */
export function differences(
  theirs: { readonly version: string; readonly library: string; readonly libraryVersion: string },
  own: { readonly library: string; readonly libraryVersion: string },
): string[] {
  const found: string[] = [];
  if (theirs.version !== OWN_VERSION) found.push(`wirebench ${theirs.version}, here ${OWN_VERSION}`);
  const [there, here] = [theirs, own].map(({ library, libraryVersion }) => `${library} ${libraryVersion}`);
  if (there !== here) found.push(`${there}, here ${here}`);
  return found;
}

/**
 * Finds out that the other side is gone. While nothing comes from it, it is sent an empty message each second: the
 * server itself answers one that nobody hears. While messages come and go, nothing is added to them.
 */
class Pulse {
  readonly #onGone: (reason: string) => void;
  readonly #timer: NodeJS.Timeout;
  #heard = true;
  #silent = 0;

  /**
   * @param subjects the other side's, and the own one for the server's answer
   * @param seconds of silence after which the other side counts as gone too
   */
  constructor(
    broker: Broker,
    subjects: { readonly other: string; readonly own: string },
    seconds: number,
    onGone: (reason: string) => void,
  ) {
    this.#onGone = onGone;
    this.#timer = setInterval(() => {
      if (this.#heard) {
        this.#heard = false;
        this.#silent = 0;
        return;
      }
      this.#silent += TICK_MS;
      if (this.#silent >= seconds * 1000) {
        this.#gone(`has said nothing for ${seconds} s`);
        return;
      }
      try {
        broker.publish(subjects.other, NOTHING, subjects.own);
      } catch {
        // Whoever waits learns of a broker that is gone from the broker.
      }
    }, TICK_MS);
  }

  /** To be called with every sign of progress. */
  heard(): void {
    this.#heard = true;
  }

  /** To be called when the server says that nobody hears. */
  unheard(): void {
    this.#gone("is gone");
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #gone(reason: string): void {
    this.stop();
    this.#onGone(reason);
  }
}

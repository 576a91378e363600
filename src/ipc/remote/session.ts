import { OWN_VERSION } from "../../catalog/library-version.ts";
import { WirebenchError } from "../../model/errors.ts";
import type { IpcRemotePeer } from "../../model/records/ipc-remote.ts";
import { environment } from "../../suite/environment.ts";
import { Clock, clockBase } from "../clock.ts";
import type { Arrival } from "../transport.ts";
import { expectIntact, FrameError, nameOf } from "../wire/frame.ts";
import { Gate } from "../wire/gate.ts";
import type { Broker } from "../wire/nats/broker.ts";
import { FrameJoiner } from "../wire/nats/frames.ts";
import { writeAck } from "./ack.ts";
import { sessionSubjects } from "./channel.ts";
import type { Counterpart } from "./counterpart.ts";
import { controlBytes, type FromListener, type Hello, parseOver } from "./messages.ts";
import { Pulse } from "./pulse.ts";
import { oneReason } from "./reason.ts";

/** What a talker's messages came to. */
export interface SessionEnd {
  /** Warm-up included. */
  readonly received: number;
  readonly lost: number;
  /** What went wrong. */
  readonly problem?: string;
}

/** A listener's side of one talker's messages. */
export class Session {
  readonly #broker: Broker;
  readonly #hello: Hello;
  readonly #subjects: ReturnType<typeof sessionSubjects>;
  readonly #gate = new Gate();
  readonly #clock = new Clock(clockBase());
  #counterpart: Counterpart | undefined;
  #next = 0;
  #received = 0;
  #isOver = false;

  constructor(broker: Broker, hello: Hello) {
    this.#broker = broker;
    this.#hello = hello;
    this.#subjects = sessionSubjects(hello.session);
  }

  /**
   * Binds, tells the talker, and receives its messages until it is done.
   * @param bind loads codec and data; called when the talker knows that it was heard
   * @param seconds of silence after which the talker counts as gone
   */
  async run(bind: () => Promise<Counterpart>, seconds: number, signal: AbortSignal): Promise<SessionEnd> {
    const { frames, listener, talker } = this.#subjects;
    const joiner = new FrameJoiner(this.#hello.maxBytes, this.#clock, (arrival) => this.#read(arrival));
    const pulse = new Pulse(this.#broker, { other: talker, own: listener }, seconds, (reason) =>
      this.#gate.fail(new WirebenchError(`the talker ${reason}`)),
    );
    const stops = [
      this.#subscribe(frames, ({ data }) => {
        pulse.heard();
        joiner.push(data);
      }),
      this.#subscribe(listener, ({ data, unheard }) => {
        if (unheard) pulse.unheard();
        else if (data.length > 0) this.#end(parseOver(data).reason);
      }),
    ];
    const abort = (): void => this.#gate.fail(signal.reason as Error);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
    this.#broker.onFailure((error) => this.#gate.fail(error));
    try {
      this.#say({ kind: "heard" });
      // To bind may take long, and nothing is sent meanwhile.
      await this.#broker.flush();
      this.#counterpart = await bind();
      this.#say({ kind: "ready", peer: peerOf(this.#counterpart) });
      await this.#gate.until(() => this.#isOver);
      return this.#account();
    } catch (error) {
      const problem = oneReason(error);
      this.#refuse(problem);
      return { ...this.#account(), problem };
    } finally {
      pulse.stop();
      signal.removeEventListener("abort", abort);
      for (const stop of stops) stop();
    }
  }

  #subscribe(subject: string, take: (message: { data: Uint8Array; unheard: boolean }) => void): () => void {
    return this.#broker.subscribe(subject, (message) => {
      try {
        take(message);
      } catch (error) {
        this.#gate.fail(error as Error);
      }
    });
  }

  /** Reads a message. Only bytes that are known get to the codec: what a library does with others is nobody's guess. */
  #read({ header, payload }: Arrival): void {
    const { sequence, value, checksum } = header;
    const { carrier } = this.#counterpart ?? {};
    const expected = carrier?.encoded[value];
    if (header.kind !== "message" || header.talker !== 0 || expected === undefined || carrier === undefined) {
      throw new FrameError(`${nameOf(header)}: there is no such message`);
    }
    if (sequence < this.#next) throw new FrameError(`${nameOf(header)}: it came before`);
    if (sequence >= this.#planned) throw new FrameError(`${nameOf(header)}: there is no such message`);
    if (carrier.checksums[value] !== checksum)
      throw new FrameError(`${nameOf(header)}: it is of other bytes`);
    expectIntact(header, payload, expected);
    const start = this.#clock.now();
    carrier.read(value, payload);
    const decode = this.#clock.now() - start;
    this.#broker.publish(this.#subjects.acks, writeAck({ sequence, decode }));
    this.#next = sequence + 1;
    this.#received += 1;
  }

  #end(reason: string | undefined): void {
    if (reason !== undefined) throw new WirebenchError(`the talker gave up: ${reason}`);
    this.#isOver = true;
    this.#gate.notify();
  }

  get #planned(): number {
    return this.#hello.warmup + this.#hello.messages;
  }

  #account(): SessionEnd {
    const sent = this.#isOver ? this.#planned : this.#next;
    return { received: this.#received, lost: sent - this.#received };
  }

  #say(message: FromListener): void {
    this.#broker.publish(this.#subjects.talker, controlBytes(message));
  }

  #refuse(reason: string): void {
    try {
      this.#say({ kind: "refused", reason });
    } catch {
      // The server is gone, which the talker knows too.
    }
  }
}

function peerOf({ library, libraryVersion }: Counterpart): IpcRemotePeer {
  const { cpu, os, node } = environment();
  return {
    version: OWN_VERSION,
    library,
    libraryVersion,
    cpu: cpu.model,
    cores: cpu.cores,
    os: `${os.platform} ${os.release} ${os.arch}`,
    node: node.version,
  };
}

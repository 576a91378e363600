import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import { type ListenerLog, OUTCOME, type Phase, type ReceivedLog } from "../exchange/job.ts";
import type { Arrival, Drop, ListenerEnd } from "../transport.ts";
import { expectIntact, FrameError, nameOf } from "../wire/frame.ts";
import type { Decoder } from "./carrier.ts";
import { UseMeter } from "./process-use.ts";

/** The log of a talker's messages while they come. */
type OpenLog = { -readonly [Field in keyof ReceivedLog]: ReceivedLog[Field] };

/** Receives messages, reads every field of each, and keeps account of what came and what did not. */
export class Listener {
  readonly #talkers: number;
  readonly #delayMs: number;
  readonly #decoder: Decoder;
  readonly #end: ListenerEnd;
  readonly #clock: Clock;
  #logs: OpenLog[] = [];

  /** @param setup how many talkers there are, and milliseconds to be slower by with each message */
  constructor(
    setup: { readonly talkers: number; readonly delayMs: number; readonly clock: Clock },
    decoder: Decoder,
    end: ListenerEnd,
  ) {
    this.#talkers = setup.talkers;
    this.#delayMs = setup.delayMs;
    this.#clock = setup.clock;
    this.#decoder = decoder;
    this.#end = end;
    end.onDrop((drop) => this.#drop(drop));
  }

  /**
   * Receives until every talker has ended the phase. Throws FrameError for what is damaged, double or unknown.
   * `onRead` is called with how many messages were read.
   */
  async receive(phase: Phase, onRead: (messages: number) => void): Promise<ListenerLog> {
    this.#logs = Array.from({ length: this.#talkers }, () => emptyLog(phase.messages));
    const latest = new Array<number>(this.#talkers).fill(-1);
    const meter = new UseMeter(phase.messages * this.#talkers);
    let read = 0;
    for (let open = this.#talkers; open > 0; ) {
      const arrival = await this.#end.receive();
      const { kind, talker, sequence } = arrival.header;
      const log = this.#logOf(arrival);
      if (kind === "last") {
        if (sequence !== phase.messages) {
          throw new FrameError(`talker ${talker}: expected ${phase.messages} messages, it sent ${sequence}`);
        }
        arrival.release();
        open -= 1;
        continue;
      }
      this.#read(arrival, log);
      if (sequence < latest[talker]!) log.outOfOrder += 1;
      latest[talker] = Math.max(latest[talker]!, sequence);
      if (this.#delayMs > 0) await sleep(this.#delayMs);
      arrival.release();
      this.#end.ack(talker);
      read += 1;
      meter.handled(read);
      onRead(read);
    }
    return { talkers: this.#logs, use: await meter.stop() };
  }

  #read(arrival: Arrival, log: OpenLog): void {
    const { header, payload, firstByte, lastByte } = arrival;
    const { sequence, value } = header;
    const taken = this.#clock.now();
    let problem: unknown;
    try {
      this.#decoder.read(value, payload);
    } catch (error) {
      problem = error;
    }
    const read = this.#clock.now();
    // Not timed. A message that came to harm explains best why it could not be read.
    this.#expectIntact(arrival);
    if (problem !== undefined) throw problem;
    log.firstByte[sequence] = firstByte;
    log.lastByte[sequence] = lastByte;
    log.taken[sequence] = taken;
    log.read[sequence] = read;
    log.outcome[sequence] = OUTCOME.received;
  }

  #expectIntact({ header, payload }: Arrival): void {
    const { value, checksum } = header;
    const expected = this.#decoder.encoded[value];
    if (expected === undefined || this.#decoder.checksums[value] !== checksum) {
      throw new FrameError(
        `${nameOf(header)}: the talker encoded value ${value} in another way than is done here`,
      );
    }
    expectIntact(header, payload, expected);
  }

  #logOf({ header }: Pick<Arrival, "header">): OpenLog {
    const log = this.#logs[header.talker];
    if (log === undefined) throw new FrameError(`${nameOf(header)}: there is no such talker`);
    if (header.kind === "last") return log;
    const outcome = log.outcome[header.sequence];
    if (outcome === undefined) throw new FrameError(`${nameOf(header)}: there is no such message`);
    if (outcome !== OUTCOME.missing) throw new FrameError(`${nameOf(header)}: it came before`);
    return log;
  }

  #drop({ talker, sequence, place }: Drop): void {
    const log = this.#logs[talker];
    if (log?.outcome[sequence] === OUTCOME.missing) log.outcome[sequence] = OUTCOME[place];
  }
}

function emptyLog(messages: number): OpenLog {
  return {
    firstByte: new Float64Array(messages),
    lastByte: new Float64Array(messages),
    taken: new Float64Array(messages),
    read: new Float64Array(messages),
    outcome: new Uint8Array(messages),
    outOfOrder: 0,
  };
}

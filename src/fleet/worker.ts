/** Offers this machine to the runs of other machines: measures their blocks, one at a time. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsMsg } from "nats";
import { OWN_VERSION } from "../catalog/library-version.ts";
import { defined } from "../model/defined.ts";
import { WirebenchError } from "../model/errors.ts";
import type { JournalLine } from "../suite/journal.ts";
import type { Plan } from "../suite/plan.ts";
import { runPlan } from "../suite/run.ts";
import { answerBytes } from "./answer.ts";
import { type Connection, connectTo, type NatsServer } from "./connection.ts";
import { SILENCE_MS } from "./ledger.ts";
import { ownMachine } from "./machine.ts";
import {
  ANNOUNCEMENTS,
  type Announcement,
  type Beat,
  type BlockMessage,
  type FleetId,
  FleetMessageError,
  type Lane,
  lineOf,
  type Machine,
  messageBytes,
  namesOf,
  PROTOCOL,
  readMessage,
} from "./messages.ts";
import { OBJECT_BYTES, RunQueue } from "./run-queue.ts";
import { planOf } from "./task.ts";

/** How a machine is offered. */
export interface WorkOptions {
  readonly server: NatsServer;
  /** Ends after the first run in which it measured something. */
  readonly once?: boolean;
  /** Ends it: a block that is begun is given back. */
  readonly signal: AbortSignal;
  /** Hears a line about each thing that happens. */
  readonly say: (line: string) => void;
}

/** How the work ended: nothing was begun, a block was given back, or a run was over. */
export type WorkEnd = "stopped" | "interrupted" | "done";

/** Milliseconds between two signs of life. */
const BEAT_MS = 1000;

/**
 * Measures blocks for whatever runs are announced, until it is stopped. Throws WirebenchError where there is no server, or
 * where it is away for too long.
 */
export async function work({ server, once = false, signal, say }: WorkOptions): Promise<WorkEnd> {
  const connection = await connectTo(server, "wirebench work");
  const worker = randomBytes(16).toString("hex");
  const runs = new Announced(connection, say);
  say(`waits at ${connection.shown} for runs`);
  try {
    while (!signal.aborted) {
      if (connection.nats.isClosed())
        throw new WirebenchError(`${connection.shown}: the server does not let this client in any more`);
      const run = runs.next();
      if (run === undefined) {
        await sleep(BEAT_MS / 4, undefined, { signal }).catch(() => {});
        continue;
      }
      const turn = new Participation(connection, run, worker, { signal, say });
      const end = await turn.takePart();
      if (turn.isForsaken) runs.await(run.run);
      else runs.forget(run.run);
      if (end === "interrupted" || (once && end === "done")) return end;
    }
    return "stopped";
  } finally {
    await connection.nats.flush().catch(() => {});
    await connection.nats.close();
  }
}

/** The runs that are announced, but for those that are over for this worker. */
class Announced {
  readonly #runs = new Map<FleetId, { readonly announcement: Announcement; readonly at: number }>();
  readonly #over = new Set<FleetId>();
  #complained = false;

  constructor({ nats }: Connection, say: (line: string) => void) {
    nats.subscribe(ANNOUNCEMENTS, {
      callback: (error, { data }) => {
        if (error !== null) return;
        try {
          const announcement = readMessage("Announcement", data);
          this.#runs.set(announcement.run, { announcement, at: Date.now() });
        } catch (problem) {
          if (!(problem instanceof FleetMessageError)) throw problem;
          // Who sends one such message sends many.
          if (!this.#complained) say(`an announcement is none: ${lineOf(problem.message)}`);
          this.#complained = true;
        }
      },
    });
  }

  /** The run that was announced first of those that still are. */
  next(): Announcement | undefined {
    for (const [run, { announcement, at }] of this.#runs) {
      if (Date.now() - at > SILENCE_MS) this.#runs.delete(run);
      else if (!this.#over.has(run)) return announcement;
    }
    return undefined;
  }

  /** It is over for this worker. */
  forget(run: FleetId): void {
    this.#over.add(run);
  }

  /** Its coordinator is silent: what it announced counts no more, and what it announces from now on does. */
  await(run: FleetId): void {
    this.#runs.delete(run);
  }
}

/** Taking part in one run. */
class Participation {
  readonly #connection: Connection;
  readonly #run: Announcement;
  readonly #worker: FleetId;
  readonly #options: Pick<WorkOptions, "signal" | "say">;
  readonly #over = new AbortController();
  /** Aborted where the run is over, and where this worker is stopped. */
  readonly #signal: AbortSignal;
  readonly #queue: RunQueue;
  #machine: Machine = ownMachine(undefined);
  #lane: Lane | undefined;
  /** What is measured. */
  #current: { readonly message: JsMsg; readonly block: number } | undefined;
  /** When the coordinator was heard last. */
  #heard = Date.now();
  #isForsaken = false;
  #done = 0;

  constructor(
    connection: Connection,
    run: Announcement,
    worker: FleetId,
    options: Pick<WorkOptions, "signal" | "say">,
  ) {
    this.#connection = connection;
    this.#run = run;
    this.#worker = worker;
    this.#options = options;
    this.#signal = AbortSignal.any([this.#over.signal, options.signal]);
    this.#queue = new RunQueue(connection, run.run, this.#signal);
  }

  /** Whether it ended because the coordinator was silent, which may be heard again: one that was stopped, or asleep. */
  get isForsaken(): boolean {
    return this.#isForsaken;
  }

  /** Until the run is over, or refuses this machine, or is silent, or this worker is stopped. */
  async takePart(): Promise<WorkEnd> {
    const { say, signal } = this.#options;
    const { nats, onReturn } = this.#connection;
    const name = `run ${this.#run.run.slice(0, 8)}`;
    const over = nats.subscribe(namesOf(this.#run.run).over, { callback: () => this.#end("it is over") });
    let beats: NodeJS.Timeout | undefined;
    let end: WorkEnd = "done";
    try {
      onReturn(() => {
        this.#heard = Date.now();
      });
      const plan = await this.#prepare();
      beats = setInterval(() => void this.#beat(), BEAT_MS);
      await this.#beat();
      say(`${name}: takes part`);
      while (!this.#signal.aborted) {
        const message = this.#lane === undefined ? undefined : await this.#next(this.#lane);
        if (message === undefined)
          await sleep(BEAT_MS / 10, undefined, { signal: this.#signal }).catch(() => {});
        else if (await this.#handle(message, plan)) end = "interrupted";
      }
    } catch (error) {
      if (!(error instanceof WirebenchError) && error !== this.#signal.reason) throw error;
      if (!this.#signal.aborted) this.#end((error as Error).message);
    } finally {
      clearInterval(beats);
      over.unsubscribe();
    }
    if (signal.aborted) {
      await this.#leave();
      return end === "interrupted" ? end : "stopped";
    }
    say(
      `${name}: ${(this.#over.signal.reason as Error).message}; ${this.#done} of its blocks were measured here`,
    );
    return this.#done > 0 ? "done" : "stopped";
  }

  /** The plan of the run, as this machine would carry it out. */
  async #prepare(): Promise<Plan> {
    try {
      if (this.#run.version !== OWN_VERSION) {
        throw new FleetMessageError(`expected wirebench ${this.#run.version}, got ${OWN_VERSION}`);
      }
      const bytes = await this.#queue.get(this.#run.task);
      const plan = await planOf(readMessage("Task", bytes, OBJECT_BYTES));
      this.#machine = ownMachine(plan);
      return plan;
    } catch (error) {
      // Its coordinator waits for machines, and its user wants to know why this one is not among them.
      if (error instanceof WirebenchError && !this.#signal.aborted) {
        await this.#beat({ unable: lineOf(error.message) });
      }
      throw error;
    }
  }

  /** Says that this worker is there, and that it measures what it measures. */
  async #beat(more: Pick<Beat, "unable" | "leaves"> = {}): Promise<void> {
    const { nats, isAway } = this.#connection;
    if (isAway || nats.isClosed()) return;
    this.#current?.message.working();
    const beat: Beat = {
      protocol: PROTOCOL,
      worker: this.#worker,
      machine: this.#machine,
      ...defined({ block: this.#current?.block }),
      ...more,
    };
    try {
      const answer = await nats.request(namesOf(this.#run.run).beats, messageBytes(beat), {
        timeout: SILENCE_MS,
      });
      const reply = readMessage("BeatReply", answer.data);
      this.#heard = Date.now();
      if ("refused" in reply) this.#end(`refused: ${reply.refused}`);
      else this.#lane = reply.lane;
    } catch {
      // The server may be away, and then nobody can be heard; or nobody is there.
      if (this.#signal.aborted || this.#connection.isAway || Date.now() - this.#heard <= SILENCE_MS) return;
      this.#isForsaken = true;
      this.#end("its coordinator is gone");
    }
  }

  async #next(lane: Lane): Promise<JsMsg | undefined> {
    const message = await this.#queue.next(lane);
    // One that comes at the end is another's.
    if (message !== undefined && this.#signal.aborted) message.nak();
    return this.#signal.aborted ? undefined : message;
  }

  /** Measures a block. Returns whether it was given back because this worker is stopped. */
  async #handle(message: JsMsg, plan: Plan): Promise<boolean> {
    const { say } = this.#options;
    const worker = this.#worker;
    const { streamSequence: sequence, deliveryCount: delivery } = message.info;
    let order: BlockMessage;
    try {
      order = this.#readOrder(message.data, plan);
    } catch (error) {
      if (!(error instanceof FleetMessageError)) throw error;
      message.term();
      say(`message ${sequence} is none: ${error.message}`);
      await this.#queue.tell({ kind: "bad", worker, sequence, reason: lineOf(error.message) });
      return false;
    }
    const { block, survey, deliveries } = order;
    if (delivery > deliveries) {
      message.term();
      return false;
    }
    this.#current = { message, block };
    try {
      message.working();
      await this.#queue.tell({ kind: "taken", worker, block, delivery });
      say(`block ${block}: begins${delivery > 1 ? ", which another did not finish" : ""}`);
      const from = Date.now();
      const lines: JournalLine[] = [];
      const record = await runPlan(
        { ...plan, blocks: [block], survey },
        { command: "wirebench work", signal: this.#signal, onJournal: (line) => void lines.push(line) },
      );
      if (record.complete) {
        const journal = await this.#queue.put(answerBytes(lines));
        await this.#queue.tell({ kind: "stored", worker, block, journal });
        // Lost, it costs the server a second delivery, whose answer the coordinator drops.
        await message.ackAck().catch(() => false);
        this.#done += 1;
        say(`block ${block}: done in ${Math.round((Date.now() - from) / 1000)} s`);
        return false;
      }
    } catch (error) {
      if (error === this.#signal.reason) return await this.#stopped(message, block);
      await this.#giveBack(message, block, (error as Error).message);
      throw error;
    } finally {
      this.#current = undefined;
    }
    return await this.#stopped(message, block);
  }

  /** What becomes of a block that is not finished: where the run is over, nobody wants it. */
  async #stopped(message: JsMsg, block: number): Promise<boolean> {
    const { aborted } = this.#options.signal;
    if (aborted) await this.#giveBack(message, block, "it was stopped");
    return aborted;
  }

  #readOrder(data: Uint8Array, plan: Plan): BlockMessage {
    const order = readMessage("BlockMessage", data);
    if (order.run !== this.#run.run) throw new FleetMessageError("BlockMessage: of another run");
    const { processes } = plan.profile;
    if (order.block < processes) return order;
    throw new FleetMessageError(`BlockMessage: expected a block below ${processes}, got ${order.block}`);
  }

  /** Gives a block back, for which there is no time to wait where the server is away. */
  async #giveBack(message: JsMsg, block: number, why: string): Promise<void> {
    message.nak();
    this.#options.say(`block ${block}: given back`);
    const { streams } = this.#connection;
    const event = { kind: "returned", worker: this.#worker, block, reason: lineOf(why) } as const;
    await streams.publish(namesOf(this.#run.run).events, messageBytes(event)).catch(() => {});
  }

  async #leave(): Promise<void> {
    await this.#beat({ leaves: true });
  }

  #end(reason: string): void {
    this.#over.abort(new Error(reason));
  }
}

/** Hands out the blocks of a run to workers through a NATS server, and collects what they answer. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Msg } from "nats";
import { OWN_VERSION } from "../catalog/library-version.ts";
import { defined } from "../model/defined.ts";
import { UsageError, WirebenchError } from "../model/errors.ts";
import type { RunRecord } from "../model/records/run.ts";
import type { Plan } from "../suite/plan.ts";
import { allBlocks, type Selection } from "../suite/selection.ts";
import { type Answer, mergedAnswers, readAnswer } from "./answer.ts";
import { type Connection, connectTo, type NatsServer } from "./connection.ts";
import { Ledger } from "./ledger.ts";
import { laneOf, librariesOf, machineText } from "./machine.ts";
import {
  ANNOUNCEMENTS,
  type Announcement,
  type Beat,
  type BeatReply,
  type FleetEvent,
  FleetMessageError,
  type Lane,
  lineOf,
  type Machine,
  messageBytes,
  namesOf,
  PROTOCOL,
  readMessage,
  type StoredEvent,
} from "./messages.ts";
import { RunQueue, removeOrphans } from "./run-queue.ts";
import { taskOf } from "./task.ts";

/** Where a run is made, and for how many machines it waits. */
export interface FleetPlace {
  readonly server: NatsServer;
  /** Workers that must have offered themselves before it begins; by default one. */
  readonly machines?: number;
  /** Seconds to wait for workers, at first and where none is left; by default 300. */
  readonly patienceSeconds?: number;
}

/** Who hears of a run on other machines, and how it is stopped. */
export interface FleetListeners {
  /** The command line, for the record. */
  readonly command: string;
  /** Ends it: what has come until then is returned, with `complete` false. */
  readonly signal?: AbortSignal;
  /** Hears a line about each thing that happens. */
  readonly say: (line: string) => void;
  /** Called with the record so far after each block. */
  readonly onRecord?: (record: RunRecord) => void;
}

interface FleetOptions extends FleetPlace, FleetListeners {}

const PATIENCE_SECONDS = 300;

/** Milliseconds between two looks at what has happened. */
const TURN_MS = 250;

/** Milliseconds between two announcements. */
const ANNOUNCE_MS = 1000;

/**
 * Finds out what can be wrong with a run on other machines, and connects to the server. Returns what measures the plan
 * there, block by block, and gives the record of what came. Throws UsageError for what cannot go to other machines, and
 * WirebenchError where there is no server.
 * @param selection that the plan was made of
 */
export async function prepareFleetRun(
  plan: Plan,
  selection: Selection,
  place: FleetPlace,
): Promise<(listeners: FleetListeners) => Promise<RunRecord>> {
  const task = messageBytes(taskOf(plan, selection));
  const { machines = 1 } = place;
  if (!(Number.isSafeInteger(machines) && machines >= 1))
    throw new UsageError(`machines: expected a whole number from 1 on, got ${machines}`);
  const connection = await connectTo(place.server, "wirebench run");
  return async (listeners) => {
    try {
      return await new Coordinator(connection, plan, { ...place, ...listeners }).run(task);
    } finally {
      await connection.nats.close();
    }
  };
}

class Coordinator {
  readonly #connection: Connection;
  readonly #plan: Plan;
  readonly #options: FleetOptions;
  readonly #run = randomBytes(16).toString("hex");
  readonly #names = namesOf(this.#run);
  /** Ends whatever waits for the server. */
  readonly #signal: AbortSignal;
  readonly #queue: RunQueue;
  readonly #ledger: Ledger;
  readonly #libraries: readonly string[];
  readonly #lanes = new Map<Lane, Promise<void>>();
  /** Machines that were told that they cannot take part, each once. */
  readonly #refused = new Set<string>();
  #answers: readonly Answer[] = [];
  /** Times that a message of a block was put into the queue. */
  #turns = 0;
  /** The number of the last event. */
  #seen = 0;
  /** Since when nobody is there; undefined while somebody is. */
  #aloneSince: number | undefined = Date.now();

  constructor(connection: Connection, plan: Plan, options: FleetOptions) {
    this.#connection = connection;
    this.#plan = plan;
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
    this.#queue = new RunQueue(connection, this.#run, this.#signal);
    this.#ledger = new Ledger(allBlocks(plan.profile));
    this.#libraries = librariesOf(plan);
  }

  async run(task: Uint8Array): Promise<RunRecord> {
    let failure: string | undefined;
    let announcing: NodeJS.Timeout | undefined;
    const { nats, onReturn, shown } = this.#connection;
    try {
      // One that may not list the streams leaves the orphans to others.
      await removeOrphans(this.#connection).catch(() => {});
      await this.#queue.create();
      announcing = this.#announce(await this.#queue.put(task));
      onReturn(() => this.#ledger.forgives(Date.now()));
      nats.subscribe(this.#names.beats, { callback: (_, message) => void this.#answerBeat(message) });
      this.#options.say(
        `run ${this.#run.slice(0, 8)} waits at ${shown} for machines: wirebench work --nats ${shown}`,
      );
      if (await this.#gather()) await this.#carryOut();
    } catch (error) {
      // What came before the server was lost is kept.
      if (!this.#signal.aborted) {
        if (!(error instanceof WirebenchError) || this.#answers.length === 0) throw error;
        failure = error.message;
        this.#options.say(failure);
      }
    } finally {
      clearInterval(announcing);
      await this.#end();
    }
    for (const block of this.#ledger.open) this.#ledger.lose(block, failure ?? "the run was interrupted");
    return this.#record(failure);
  }

  /** Tells everybody that there is a run, again and again. */
  #announce(task: string): NodeJS.Timeout {
    const announcement: Announcement = { protocol: PROTOCOL, run: this.#run, version: OWN_VERSION, task };
    const { nats } = this.#connection;
    const say = (): void => {
      if (!nats.isClosed()) nats.publish(ANNOUNCEMENTS, messageBytes(announcement));
    };
    say();
    return setInterval(say, ANNOUNCE_MS);
  }

  /** Waits until there are as many machines as were asked for. Returns whether they came. */
  async #gather(): Promise<boolean> {
    const { machines: wanted = 1, say } = this.#options;
    let shown = -1;
    while (this.#ledger.machines.length < wanted) {
      const { length } = this.#ledger.machines;
      if (length !== shown) say(`${length} of ${wanted} machines`);
      shown = length;
      if (this.#isTooLong()) return false;
      this.#dropSilent();
      await sleep(TURN_MS, undefined, { signal: this.#signal });
      // As long as they come one by one, more may come.
      if (this.#ledger.machines.length > shown) this.#aloneSince = Date.now();
    }
    say(`${this.#ledger.machines.length} of ${wanted} machines: ${this.#ledger.machines.join(", ")}`);
    return true;
  }

  /** Hands out blocks and collects answers until every block is done or lost. */
  async #carryOut(): Promise<void> {
    const ledger = this.#ledger;
    const reported = new Set<number>();
    while (ledger.open.length > 0) {
      for await (const [sequence, event] of this.#queue.events(this.#seen)) {
        this.#seen = sequence;
        if (event !== undefined) await this.#hear(event);
      }
      this.#dropSilent();
      for (const { sequence } of ledger.settle(Date.now())) await this.#queue.withdraw(sequence);
      for (const { lane, ...order } of ledger.orders()) {
        const message = { protocol: PROTOCOL, run: this.#run, ...order } as const;
        this.#turns += 1;
        const sequence = await this.#queue.hand(lane, message, this.#turns);
        ledger.queued({ ...order, lane }, sequence, Date.now());
      }
      if (this.#isTooLong()) return;
      for (const { block, reason } of ledger.lost.filter((one) => !reported.has(one.block))) {
        reported.add(block);
        this.#options.say(`block ${block} is lost: ${reason}`);
      }
      if (ledger.open.length > 0) await sleep(TURN_MS, undefined, { signal: this.#signal });
    }
  }

  async #hear(event: FleetEvent): Promise<void> {
    const ledger = this.#ledger;
    const { say } = this.#options;
    const now = Date.now();
    const host = ledger.hostOf(event.worker);
    if (event.kind === "taken") {
      ledger.taken(event.block, event.worker, event.delivery, now);
      if (ledger.isOpen(event.block)) say(`block ${event.block}: ${host} measures it`);
    } else if (event.kind === "returned") {
      ledger.returned(event.block, event.worker, `${host} gave it back: ${event.reason}`, now);
      say(`block ${event.block}: ${host} gives it back: ${event.reason}`);
    } else if (event.kind === "bad") {
      const block = ledger.blockAt(event.sequence);
      say(`${host} understood no message ${event.sequence} of the queue: ${event.reason}`);
      if (block !== undefined) ledger.lose(block, `${host} did not understand its message: ${event.reason}`);
    } else if (ledger.isWanted(event.block)) await this.#accept(event, host);
    else if (!ledger.isOpen(event.block))
      say(`block ${event.block}: a second answer, of ${host}, is dropped`);
  }

  async #accept({ block, worker, journal }: StoredEvent, host: string): Promise<void> {
    const ledger = this.#ledger;
    const { say, onRecord } = this.#options;
    let record: RunRecord;
    try {
      const answer = readAnswer(await this.#queue.get(journal), { block, worker, host }, this.#plan);
      const answers = [...this.#answers, answer];
      record = this.#merged(answers);
      this.#answers = answers;
    } catch (error) {
      if (!(error instanceof WirebenchError) || this.#signal.aborted) throw error;
      say(`block ${block}: what ${host} answered is refused: ${error.message}`);
      ledger.spoilt(block, worker, `the answer of ${host} was refused: ${error.message}`, Date.now());
      return;
    }
    ledger.done(block, Date.now());
    say(`block ${block}: ${host} is done, ${this.#answers.length} of ${this.#plan.profile.processes}`);
    onRecord?.(record);
  }

  /** Answers a worker that says that it is there. */
  async #answerBeat(message: Msg): Promise<void> {
    let reply: BeatReply;
    try {
      reply = await this.#replyTo(readMessage("Beat", message.data));
    } catch (error) {
      // It asks again in a second.
      if (error instanceof WirebenchError && !(error instanceof FleetMessageError)) return;
      if (error === this.#signal.reason) return;
      if (!(error instanceof FleetMessageError)) throw error;
      reply = { refused: lineOf(error.message) };
    }
    if (!this.#connection.nats.isClosed()) message.respond(messageBytes(reply));
  }

  async #replyTo({ worker, machine, block, unable, leaves }: Beat): Promise<BeatReply> {
    const { say } = this.#options;
    const ledger = this.#ledger;
    const lane = laneOf(machine);
    if (leaves === true) {
      if (ledger.leaves(worker)) say(`${machine.host} leaves`);
      return { lane };
    }
    const reason = unable ?? this.#objection(machine);
    if (reason !== undefined) {
      if (!this.#refused.has(worker)) say(`${machine.host} cannot take part: ${reason}`);
      this.#refused.add(worker);
      return { refused: lineOf(reason) };
    }
    const made = this.#lanes.get(lane) ?? this.#queue.addLane(lane);
    this.#lanes.set(lane, made);
    try {
      await made;
    } catch (error) {
      this.#lanes.delete(lane);
      throw error;
    }
    const isNew = ledger.hears(worker, { host: machine.host, lane, ...defined({ block }) }, Date.now());
    if (isNew) say(`${machine.host} is there: ${machineText(machine)}`);
    return { lane };
  }

  /** Why a machine's figures would not belong to this run. */
  #objection({ version, libraries }: Machine): string | undefined {
    if (version !== OWN_VERSION) return `expected wirebench ${OWN_VERSION}, got ${version}`;
    const missing = this.#libraries.filter((library) => !libraries.includes(library));
    if (missing.length === 0) return undefined;
    const others = libraries.filter((library) => !this.#libraries.includes(library));
    return `expected ${missing.join(", ")}, got ${others.join(", ") || "none of it"}`;
  }

  #dropSilent(): void {
    if (this.#connection.isAway) return;
    for (const host of this.#ledger.dropSilent(Date.now())) this.#options.say(`${host} is silent`);
  }

  /** Whether nobody has been there for too long; then all blocks that are left are lost. */
  #isTooLong(): boolean {
    const { patienceSeconds = PATIENCE_SECONDS, machines: wanted = 1, say } = this.#options;
    const { machines, open } = this.#ledger;
    if (machines.length > 0 && (machines.length >= wanted || this.#turns > 0)) {
      this.#aloneSince = undefined;
      return false;
    }
    if (this.#aloneSince === undefined) {
      this.#aloneSince = Date.now();
      say(`no machine is left: waiting ${patienceSeconds} s for one`);
    }
    if (Date.now() - this.#aloneSince < patienceSeconds * 1000) return false;
    const reason = `${machines.length} of ${wanted} machines after ${patienceSeconds} s`;
    say(`given up: ${reason}`);
    for (const block of open) this.#ledger.lose(block, reason);
    return true;
  }

  /** Tells the workers, and removes what the run has on the server. */
  async #end(): Promise<void> {
    const { nats } = this.#connection;
    if (!nats.isClosed()) nats.publish(this.#names.over);
    await this.#queue.remove().catch((error: unknown) => {
      if (!(error instanceof WirebenchError)) throw error;
      this.#options.say(`the run's streams stay on the server until they are a day old: ${error.message}`);
    });
  }

  #merged(answers: readonly Answer[]): RunRecord {
    const complete = answers.length === this.#plan.profile.processes;
    return mergedAnswers(answers, this.#plan, { command: this.#options.command, complete });
  }

  /** The record of what has come, with the reason where that is not all and nobody interrupted the run. */
  #record(failure: string | undefined): RunRecord {
    const lost = this.#signal.aborted ? [] : this.#ledger.lost;
    const reason = failure ?? lost.map((one) => `block ${one.block} is lost: ${one.reason}`).join("; ");
    return { ...this.#merged(this.#answers), ...defined({ reason: reason === "" ? undefined : reason }) };
  }
}

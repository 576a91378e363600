/** What a coordinator knows of its workers and blocks, and what follows from it. It speaks to nobody. */
import type { BlockMessage, FleetId, Lane } from "./messages.ts";
import { MAX_DELIVERIES } from "./messages.ts";

/** Milliseconds in which a worker that measures says so, or the server hands its block out again. */
export const ACK_WAIT_MS = 5000;

/** Milliseconds without a sign of life after which a worker counts as gone. */
export const SILENCE_MS = 5000;

/** Milliseconds for which a worker may wait beside a block that nobody measures, before the server is asked no more. */
const STALL_MS = 3 * ACK_WAIT_MS;

/** How a block ended. */
export type Fate = { readonly done: true } | { readonly lost: string };

/** A block to hand out: on which lane, and how often it may be. */
export interface Order extends Pick<BlockMessage, "block" | "survey" | "deliveries"> {
  readonly lane: Lane;
}

/** A message to take back from the work queue. */
export interface Withdrawal {
  readonly block: number;
  readonly sequence: number;
}

interface Worker {
  readonly host: string;
  readonly lane: Lane;
  /** Since when it measures nothing; undefined while it does. */
  idleSince: number | undefined;
}

interface BlockState {
  readonly block: number;
  fate: Fate | undefined;
  /** Where its message is; undefined while it waits. */
  queued: { readonly lane: Lane; readonly sequence: number; readonly before: number } | undefined;
  /** Times that it was handed out, as far as workers said. */
  given: number;
  /** Times that it was handed out and nobody began it: a server or a worker was killed with the message on its way. */
  missed: number;
  /** Who began it and did not give it back. */
  readonly holders: Set<FleetId>;
  /** When something was heard of it last, in milliseconds. */
  since: number;
  /** Why it was given back last. */
  reason: string | undefined;
}

/**
 * The blocks of a run: each is begun at most {@link MAX_DELIVERIES} times, and is done or lost at the end. The server
 * hands a block out again within its lane; what its lane cannot do any more is taken back and given to another.
 */
export class Ledger {
  readonly #blocks: ReadonlyMap<number, BlockState>;
  readonly #workers = new Map<FleetId, Worker>();
  /** What the machine of each worker is called, also of those that are gone. */
  readonly #hosts = new Map<FleetId, string>();
  /** When each worker was heard last. */
  readonly #heard = new Map<FleetId, number>();

  constructor(blocks: readonly number[]) {
    this.#blocks = new Map(
      blocks.map((block) => [
        block,
        {
          block,
          fate: undefined,
          queued: undefined,
          given: 0,
          missed: 0,
          holders: new Set(),
          since: 0,
          reason: undefined,
        },
      ]),
    );
  }

  /** A worker says that it is there. Returns whether that is news. */
  hears(
    worker: FleetId,
    { host, lane, block }: { host: string; lane: Lane; block?: number | undefined },
    now: number,
  ): boolean {
    const known = this.#workers.get(worker);
    const idleSince = block === undefined ? (known?.idleSince ?? now) : undefined;
    this.#workers.set(worker, { host, lane, idleSince });
    this.#heard.set(worker, now);
    this.#hosts.set(worker, host);
    return known === undefined;
  }

  /** The server was away: nobody could be heard. */
  forgives(now: number): void {
    for (const worker of this.#heard.keys()) this.#heard.set(worker, now);
    for (const state of this.#blocks.values()) state.since = now;
  }

  /** A worker goes, having given back what it had. Returns whether it was there. */
  leaves(worker: FleetId): boolean {
    this.#heard.delete(worker);
    return this.#workers.delete(worker);
  }

  /** Forgets the workers that are silent for too long. Returns their machines' names. */
  dropSilent(now: number): string[] {
    const silent = [...this.#workers].filter(([worker]) => !this.#isAlive(worker, now));
    for (const [worker] of silent) this.#workers.delete(worker);
    for (const state of this.#blocks.values()) {
      const gone = [...state.holders].filter((worker) => !this.#isAlive(worker, now));
      for (const worker of gone) state.holders.delete(worker);
      if (gone.length > 0) Object.assign(state, { since: now, reason: "its machine fell silent" });
    }
    return silent.map(([, { host }]) => host);
  }

  /** The machines that are there, by name; one with two workers is there twice. */
  get machines(): string[] {
    return [...this.#workers.values()].map(({ host }) => host);
  }

  /** The name of a worker's machine. */
  hostOf(worker: FleetId): string {
    return this.#hosts.get(worker) ?? `worker ${worker.slice(0, 8)}`;
  }

  /** The block of a message of the work queue. */
  blockAt(sequence: number): number | undefined {
    return [...this.#blocks.values()].find(({ queued }) => queued?.sequence === sequence)?.block;
  }

  /** Whether a block is neither done nor lost; false for one that is none. */
  isOpen(block: number): boolean {
    const state = this.#blocks.get(block);
    return state !== undefined && state.fate === undefined;
  }

  /** Whether a journal of a block is wanted: of a lost one too, should it come after all. */
  isWanted(block: number): boolean {
    const state = this.#blocks.get(block);
    return state !== undefined && (state.fate === undefined || "lost" in state.fate);
  }

  /** Its message is in the work queue. */
  queued({ block, lane }: Order, sequence: number, now: number): void {
    const state = this.#blocks.get(block)!;
    state.queued = { lane, sequence, before: state.given };
    state.since = now;
  }

  /** A worker begins it. */
  taken(block: number, worker: FleetId, delivery: number, now: number): void {
    this.#heard.set(worker, now);
    const state = this.#blocks.get(block);
    if (state === undefined) return;
    // A server that was killed may begin to count anew.
    state.given = Math.max(state.given + 1, (state.queued?.before ?? 0) + delivery);
    state.holders.add(worker);
    state.since = now;
  }

  /** A worker gave it back, and the server hands it out again where it may. */
  returned(block: number, worker: FleetId, reason: string, now: number): void {
    const state = this.#blocks.get(block);
    state?.holders.delete(worker);
    if (state !== undefined) Object.assign(state, { reason, since: now });
  }

  /** What a worker stored of it is of no use, and its message is gone. */
  spoilt(block: number, worker: FleetId, reason: string, now: number): void {
    this.returned(block, worker, reason, now);
    const state = this.#blocks.get(block);
    if (state === undefined || state.fate !== undefined) return;
    state.queued = undefined;
    this.#loseIfSpent(state);
  }

  /** Its journal has come. */
  done(block: number, now: number): void {
    const state = this.#blocks.get(block);
    if (state !== undefined) Object.assign(state, { fate: { done: true }, since: now });
  }

  /** It will not be measured. */
  lose(block: number, reason: string): void {
    const state = this.#blocks.get(block);
    if (state !== undefined && state.fate === undefined) state.fate = { lost: reason };
  }

  /** Decides which blocks are lost, and which messages are to be taken back from the work queue. */
  settle(now: number): Withdrawal[] {
    const withdrawn: Withdrawal[] = [];
    for (const state of this.#blocks.values()) {
      const { block, queued } = state;
      if (queued === undefined || !this.#isUseless(state, queued.lane, now)) continue;
      withdrawn.push({ block, sequence: queued.sequence });
      state.queued = undefined;
    }
    return withdrawn;
  }

  /** Whether a block's message in the work queue leads to nothing any more. */
  #isUseless(state: BlockState, lane: Lane, now: number): boolean {
    // Its worker acknowledges it, which removes it, unless that was lost.
    if (state.fate !== undefined) return "lost" in state.fate || now - state.since > ACK_WAIT_MS;
    if (state.holders.size > 0) return false;
    const workers = [...this.#workers.values()].filter((worker) => worker.lane === lane);
    // Somebody asks for it for so long that the server does not hand it out any more.
    if (workers.some(({ idleSince = now }) => now - Math.max(idleSince, state.since) > STALL_MS)) {
      state.missed += 1;
      if (state.missed === MAX_DELIVERIES) state.fate = lostBy("nobody began it");
      return true;
    }
    this.#loseIfSpent(state);
    return state.fate !== undefined || workers.length === 0;
  }

  /** What to hand out now: a message for each worker that has none, to lanes by turns. */
  orders(): Order[] {
    const waiting = [...this.#blocks.values()].filter(
      ({ fate, queued }) => fate === undefined && queued === undefined,
    );
    const free = new Map<Lane, number>();
    for (const { lane } of this.#workers.values()) free.set(lane, (free.get(lane) ?? 0) + 1);
    for (const { queued, fate } of this.#blocks.values()) {
      if (queued !== undefined && fate === undefined) free.set(queued.lane, (free.get(queued.lane) ?? 0) - 1);
    }
    const last = Math.max(...this.#blocks.keys());
    return waiting.flatMap(({ block, given }) => {
      const [lane, most] = [...free].sort((a, b) => b[1] - a[1])[0] ?? ["", 0];
      if (most <= 0) return [];
      free.set(lane, most - 1);
      return [{ block, lane, survey: block === last, deliveries: MAX_DELIVERIES - given }];
    });
  }

  /** Blocks that are neither done nor lost. */
  get open(): number[] {
    return this.#with((fate) => fate === undefined);
  }

  /** Blocks that are done. */
  get finished(): number[] {
    return this.#with((fate) => fate !== undefined && "done" in fate);
  }

  /** Blocks that are lost, each with the reason. */
  get lost(): { readonly block: number; readonly reason: string }[] {
    return [...this.#blocks.values()].flatMap(({ block, fate }) =>
      fate !== undefined && "lost" in fate ? [{ block, reason: fate.lost }] : [],
    );
  }

  #with(isMeant: (fate: Fate | undefined) => boolean): number[] {
    return [...this.#blocks.values()].filter(({ fate }) => isMeant(fate)).map(({ block }) => block);
  }

  #isAlive(worker: FleetId, now: number): boolean {
    return now - (this.#heard.get(worker) ?? Number.NEGATIVE_INFINITY) < SILENCE_MS;
  }

  #loseIfSpent(state: BlockState): void {
    if (state.given < MAX_DELIVERIES) return;
    state.fate = lostBy(state.reason ?? "nobody answered");
  }
}

function lostBy(reason: string): Fate {
  return { lost: `handed out ${MAX_DELIVERIES} times: ${reason}` };
}

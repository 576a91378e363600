import { WirebenchError } from "../../model/errors.ts";
import { PeerLostError, type TransportDefinition } from "../transport.ts";
import type { Commands } from "./control.ts";
import { type Part, partName } from "./job.ts";
import { GoneError, type Started, startAsKin, startAsProcess, startAsThread, type Watch } from "./start.ts";

/** Time in which the cause of a lost peer shows, in milliseconds. */
const CAUSE_MS = 500;

/** Time for the members to end what they have open before they are killed, in milliseconds. */
const CLOSE_MS = 2000;

/** The talkers and listeners of one exchange: they work together, and where one fails all do. */
export class Group {
  readonly members: readonly Started[];
  /** What they are at, for whoever asks why nothing happens. */
  stage = "the processes started";
  readonly #failures: Error[] = [];
  readonly #failed: Promise<never>;
  readonly #timer: NodeJS.Timeout;
  readonly #signal: AbortSignal | undefined;
  #fail: (error: Error) => void = () => {};

  /**
   * Starts the members.
   * @param on `handled` is called when a member has handled some messages; a group that is silent for
   *   `timeoutSeconds` has failed
   */
  constructor(
    parts: readonly Part[],
    transport: TransportDefinition,
    on: { handled(): void; readonly timeoutSeconds: number; readonly signal: AbortSignal | undefined },
  ) {
    this.#failed = new Promise<never>((_, reject) => {
      this.#fail = (error) => {
        this.#failures.push(error);
        reject(error);
      };
    });
    this.#failed.catch(() => {});
    this.#signal = on.signal;
    this.#signal?.addEventListener("abort", this.#abort, { once: true });
    this.#timer = setTimeout(() => {
      const silence = `nothing happened for ${on.timeoutSeconds} s while ${this.stage}`;
      this.#fail(new WirebenchError(`${silence}: ${this.#progress()}`));
    }, on.timeoutSeconds * 1000);
    const started: Started[] = [];
    this.members = started;
    try {
      startAll(started, parts, transport, {
        onHandled: () => {
          this.#timer.refresh();
          on.handled();
        },
        onGone: (error) => this.#fail(error),
      });
    } catch (error) {
      // What did start is ended like any other group, and nothing was asked of it yet.
      this.#fail(new WirebenchError(`cannot be started: ${(error as Error).message}`, { cause: error }));
    }
  }

  readonly #abort = (): void => this.#fail(this.#signal!.reason as Error);

  /** Those of one role, by their numbers. */
  of(role: Part["role"]): readonly Started[] {
    const own = this.members.filter(({ part }) => part.role === role);
    return own.sort((a, b) => a.part.id - b.part.id);
  }

  /** Asks some members at the same time, and waits for all. Throws when any member fails meanwhile. */
  ask<Command extends keyof Commands>(
    members: readonly Started[],
    command: Command,
    ask: (member: Started) => Commands[Command]["ask"],
  ): Promise<Commands[Command]["answer"][]> {
    return this.guard(Promise.all(members.map((member) => member.control.ask(command, ask(member)))));
  }

  /** Waits for some work of the members. Throws when any of them fails meanwhile, with the cause of it all. */
  async guard<Result>(work: Promise<Result>): Promise<Result> {
    try {
      const result = await Promise.race([work, this.#failed]);
      this.#timer.refresh();
      return result;
    } catch (error) {
      this.#failures.push(error as Error);
      const isKnown = (): boolean => this.#failures.some((one) => !(one instanceof PeerLostError));
      for (let waited = 0; !isKnown() && waited < CAUSE_MS; waited += 10) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      throw this.#cause();
    }
  }

  /** Ends all members, by themselves where they can. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#abort);
    if (this.#failures.length === 0) {
      const closed = this.members.map((member) => member.control.ask("close", undefined).catch(() => {}));
      const tooLong = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([Promise.all(closed), tooLong]);
    }
    // A hub ends last: it tells when its children have.
    await Promise.all(this.members.filter(({ isKin }) => isKin).map((member) => member.kill()));
    await Promise.all(this.members.filter(({ isKin }) => !isKin).map((member) => member.kill()));
  }

  /** Of all that went wrong, what explains the rest: a death before a complaint, a complaint before a lost peer. */
  #cause(): Error {
    const rank = (error: Error): number => {
      if (error === this.#signal?.reason) return 0;
      if (error instanceof GoneError) return 1;
      return error instanceof PeerLostError ? 3 : 2;
    };
    return [...this.#failures].sort((a, b) => rank(a) - rank(b))[0]!;
  }

  #progress(): string {
    return this.members
      .map((member) => `${partName(member.part)} had handled ${member.handled()}`)
      .join(", ");
  }
}

/** Starts all, each of which is in `started` from then on. */
function startAll(
  started: Started[],
  parts: readonly Part[],
  transport: TransportDefinition,
  watch: Watch,
): void {
  if (transport.scope === "inter-thread") {
    for (const part of parts) started.push(startAsThread(part, watch));
  } else if (transport.kinship !== true) {
    for (const part of parts) started.push(startAsProcess(part, watch));
  } else {
    // A child has one parent: whoever is alone in its role.
    const talkers = parts.filter(({ role }) => role === "talker");
    const alone = talkers.length === 1 ? talkers[0]! : parts.find(({ role }) => role === "listener")!;
    const hub = startAsProcess(alone, watch);
    started.push(hub);
    for (const part of parts) if (part !== alone) started.push(startAsKin(part, hub, watch));
  }
}

/** The talkers and listeners of one exchange: starts them, asks them, and ends them all where one fails. */
import { fileURLToPath } from "node:url";
import { type MessagePort, Worker } from "node:worker_threads";
import { WirebenchError } from "../../model/errors.ts";
import { ownModule } from "../../model/package-files.ts";
import { endingOf, endingReason, startProcess } from "../../runtimes/launch/child-process.ts";
import type { Relayed } from "../participants/hub.ts";
import { PeerLostError, type TransportDefinition } from "../transport.ts";
import { type Commands, ControlClient, type ControlPort } from "./control.ts";
import { CPU_SECONDS, type Part, partName } from "./job.ts";

/** Time in which the cause of a lost peer shows, in milliseconds. */
const CAUSE_MS = 500;

/** Time for the members to end what they have open before they are killed, in milliseconds. */
const CLOSE_MS = 2000;

/** The talkers and listeners of one exchange: they work together, and where one fails all do. */
export class Group {
  readonly members: readonly Member[];
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
    const started: Member[] = [];
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
  of(role: Part["role"]): readonly Member[] {
    const own = this.members.filter(({ part }) => part.role === role);
    return own.sort((a, b) => a.part.id - b.part.id);
  }

  /** Asks some members at the same time, and waits for all. Throws when any member fails meanwhile. */
  ask<Command extends keyof Commands>(
    members: readonly Member[],
    command: Command,
    ask: (member: Member) => Commands[Command]["ask"],
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
    // A hub ends last: it says when its children have.
    await Promise.all(this.members.filter(({ isChild }) => isChild).map((member) => member.kill()));
    await Promise.all(this.members.filter(({ isChild }) => !isChild).map((member) => member.kill()));
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

/** A talker or a listener that was started, as its coordinator sees it. */
export interface Member {
  readonly part: Part;
  readonly port: ControlPort;
  /** Whether it is the child of another, the hub, which then has to end after it. */
  readonly isChild: boolean;
  /** Of the process; undefined for a thread. */
  readonly pid: number | undefined;
  readonly control: ControlClient;
  /** Messages that it has handled in the phase that goes on. */
  readonly handled: () => number;
  /** Ends it at once. */
  kill(): Promise<void>;
}

/** A talker or listener that ended although nobody asked it to: the cause of what its peers then complain of. */
class GoneError extends WirebenchError {}

/** Who hears of a talker or listener while it lives. */
interface Watch {
  onHandled(): void;
  onGone(error: GoneError): void;
}

/** The program of both, beside this module: a built .js, or the .ts that it is made of. */
const PARTICIPANT_FILE: string = fileURLToPath(ownModule("ipc/participants/participant"));

/** Starts all. Each is in `started` as soon as it is. */
function startAll(
  started: Member[],
  parts: readonly Part[],
  transport: TransportDefinition,
  watch: Watch,
): void {
  if (transport.scope === "inter-thread") {
    for (const part of parts) started.push(startAsThread(part, watch));
  } else if (transport.parentAndChild !== true) {
    for (const part of parts) started.push(startAsProcess(part, watch));
  } else {
    // A child has one parent: whoever is alone in its role.
    const talkers = parts.filter(({ role }) => role === "talker");
    const alone = talkers.length === 1 ? talkers[0]! : parts.find(({ role }) => role === "listener")!;
    const hub = startAsProcess(alone, watch);
    started.push(hub);
    for (const part of parts) if (part !== alone) started.push(startAsChild(part, hub, watch));
  }
}

/** Starts one as a process. */
function startAsProcess(part: Part, watch: Watch): Member {
  const child = startProcess(PARTICIPANT_FILE, CPU_SECONDS);
  const port: ControlPort = {
    post: (message) => void child.send(message as object, () => {}),
    onMessage: (callback) => void child.on("message", callback),
  };
  const ended = endingOf(child).then((ending) => started.gone(endingReason(ending)));
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  const started = memberOf(part, port, watch, kill, () => child.pid);
  return started;
}

/** Time for a hub to say that a child has ended, in milliseconds. */
const CHILD_MS = 1000;

/** Starts one as a child of another, the hub, which passes on what is said. */
function startAsChild(part: Part, hub: Member, watch: Watch): Member {
  const child = partName(part);
  let pid: number | undefined;
  const port: ControlPort = {
    post: (message) => hub.port.post({ child, message } satisfies Relayed, []),
    onMessage: (callback) =>
      hub.port.onMessage((relayed) => {
        const about = relayed as Relayed;
        if (about.child === child && "message" in about) callback(about.message);
      }),
  };
  hub.port.onMessage((relayed) => {
    const about = relayed as Relayed;
    if (about.child !== child) return;
    if ("pid" in about) pid = about.pid;
    if (!("gone" in about)) return;
    // The system may give the number to somebody else now.
    pid = undefined;
    ended();
    started.gone(about.gone);
  });
  let ended = (): void => {};
  const kill = async (): Promise<void> => {
    if (pid === undefined) return;
    const gone = new Promise<void>((resolve) => {
      ended = resolve;
    });
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
      return;
    }
    // The hub, which would say so, may be gone too. The timer is all that then keeps this process waiting.
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CHILD_MS);
    });
    await Promise.race([gone, late]);
    clearTimeout(timer);
  };
  const started = memberOf(part, port, watch, kill, () => pid, true);
  hub.port.post({ child, start: true } satisfies Relayed, []);
  return started;
}

/** Starts one as a thread of this process. */
function startAsThread(part: Part, watch: Watch): Member {
  const worker = new Worker(PARTICIPANT_FILE, { name: partName(part), execArgv: [], env: process.env });
  const port: ControlPort = {
    post: (message, moved) => worker.postMessage(message, moved as MessagePort[]),
    onMessage: (callback) => void worker.on("message", callback),
  };
  worker.on("error", (error: Error & { code?: string }) => {
    started.gone(
      error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "ran out of memory" : `crashed: ${error.message}`,
    );
  });
  worker.on("exit", (code) => started.gone(`ended (exit code ${code})`));
  const kill = async (): Promise<void> => void (await worker.terminate());
  const started = memberOf(part, port, watch, kill, () => undefined);
  return started;
}

function memberOf(
  part: Part,
  port: ControlPort,
  watch: Watch,
  kill: () => Promise<void>,
  pid: () => number | undefined,
  isChild = false,
): Member & { gone(reason: string): void } {
  let handled = 0;
  let killed = false;
  const control = new ControlClient(port, (messages) => {
    handled = messages;
    watch.onHandled();
  });
  return {
    part,
    port,
    isChild,
    control,
    get pid() {
      return pid();
    },
    handled: () => handled,
    kill: () => {
      killed = true;
      return kill();
    },
    gone: (reason) => {
      const error = new GoneError(`${partName(part)} ${reason}`);
      control.end(error);
      if (!killed) watch.onGone(error);
    },
  };
}

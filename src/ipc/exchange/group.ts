import { fileURLToPath } from "node:url";
import { type MessagePort, Worker } from "node:worker_threads";
import { WirebenchError } from "../../model/errors.ts";
import { crashReason, startProcess, tailOf } from "../../runtimes/node/child-process.ts";
import { PeerLostError, type TransportDefinition } from "../transport.ts";
import { type Commands, ControlClient, type Port } from "./control.ts";
import { CPU_SECONDS, type Part, partName } from "./job.ts";

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

/** Starts talkers and listeners: as processes, as children of one of them, or as threads. */

/** A talker or a listener that was started, as its coordinator sees it. */
export interface Started {
  readonly part: Part;
  readonly port: Port;
  /** Whether it is the child of another, which then has to end after it. */
  readonly isKin: boolean;
  /** Of the process; undefined for a thread. */
  readonly pid: number | undefined;
  readonly control: ControlClient;
  /** Messages that it has handled in the phase that goes on. */
  readonly handled: () => number;
  /** Ends it at once. */
  kill(): Promise<void>;
}

/** A talker or listener that ended although nobody asked it to: the cause of what its peers then complain of. */
export class GoneError extends WirebenchError {}

/** The program of both, beside this module: a built .js, or the .ts that it is made of. */
const PARTICIPANT_FILE: string = (() => {
  const self = fileURLToPath(import.meta.url);
  return fileURLToPath(
    new URL(`../participants/participant${self.slice(self.lastIndexOf("."))}`, import.meta.url),
  );
})();

/** Who is told of a talker or listener while it lives. */
export interface Watch {
  onHandled(): void;
  onGone(error: GoneError): void;
}

/** Starts one as a process. */
export function startAsProcess(part: Part, watch: Watch): Started {
  const child = startProcess(PARTICIPANT_FILE, CPU_SECONDS);
  const stderr = tailOf(child);
  const port: Port = {
    post: (message) => void child.send(message as object, () => {}),
    onMessage: (callback) => void child.on("message", callback),
  };
  const ended = new Promise<void>((resolve) => {
    child.on("error", (error) => {
      started.gone(`cannot be started: ${error.message}`);
      resolve();
    });
    child.on("close", (code, signal) => {
      started.gone(crashReason(code, signal, stderr.text));
      resolve();
    });
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  const started = handle(part, port, watch, kill, () => child.pid);
  return started;
}

/** Time for a hub to tell that a child has ended, in milliseconds. */
const KIN_MS = 1000;

/** Starts one as a child of another, the hub, that passes on what is said. */
export function startAsKin(part: Part, hub: Started, watch: Watch): Started {
  const kin = partName(part);
  let pid: number | undefined;
  const port: Port = {
    post: (message) => hub.port.post({ kin, message }, []),
    onMessage: (callback) =>
      hub.port.onMessage((relayed) => {
        const about = relayed as { kin?: string; message?: unknown };
        if (about.kin === kin && "message" in about) callback(about.message);
      }),
  };
  hub.port.onMessage((relayed) => {
    const about = relayed as { kin?: string; gone?: string; pid?: number };
    if (about.kin !== kin) return;
    if (about.pid !== undefined) pid = about.pid;
    if (about.gone === undefined) return;
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
    // The hub, which would tell, may be gone too.
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, KIN_MS).unref())]);
  };
  const started = handle(part, port, watch, kill, () => pid, true);
  hub.port.post({ kin, start: true }, []);
  return started;
}

/** Starts one as a thread of this process. */
export function startAsThread(part: Part, watch: Watch): Started {
  const worker = new Worker(PARTICIPANT_FILE, { name: partName(part), execArgv: [], env: process.env });
  const port: Port = {
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
  const started = handle(part, port, watch, kill, () => undefined);
  return started;
}

function handle(
  part: Part,
  port: Port,
  watch: Watch,
  kill: () => Promise<void>,
  pid: () => number | undefined,
  isKin = false,
): Started & { gone(reason: string): void } {
  let handled = 0;
  let killed = false;
  const control = new ControlClient(port, (messages) => {
    handled = messages;
    watch.onHandled();
  });
  return {
    part,
    port,
    isKin,
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

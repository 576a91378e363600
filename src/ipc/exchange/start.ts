/** Starts talkers and listeners: as processes, as children of one of them, or as threads. */
import { fileURLToPath } from "node:url";
import { type MessagePort, Worker } from "node:worker_threads";
import { WirebenchError } from "../../model/errors.ts";
import { crashReason, startProcess, tailOf } from "../../runtimes/node/child-process.ts";
import { ControlClient, type Port } from "./control.ts";
import { CPU_SECONDS, type Part, partName } from "./job.ts";

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

/**
 * A talker or a listener: a process of its own, or a thread. It does what the coordinator asks, in the order of
 * {@link Commands}, and ends with it.
 */
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import { namedDataset } from "../../catalog/dataset.ts";
import { datasetHash } from "../../catalog/dataset-hash.ts";
import { Registry } from "../../catalog/registry.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { refusal } from "../../model/errors.ts";
import { errorLine } from "../../model/one-line.ts";
import { ownModule } from "../../model/package-files.ts";
import { showStack } from "../../runtimes/launch/stacks.ts";
import { Clock } from "../clock.ts";
import {
  type Bound,
  type ControlPort,
  type DatasetFacts,
  type Handlers,
  serve,
} from "../exchange/control.ts";
import type { IpcJob } from "../exchange/job.ts";
import {
  type ListenerEnd,
  type OpenEnd,
  type Setup,
  type TalkerEnd,
  type TransportDefinition,
  transportNamed,
} from "../transport.ts";
import { removeFolders } from "../wire/own-folder.ts";
import { type Decoder, decoderOf, type Encoder, encoderOf } from "./carrier.ts";
import { isFamilyMessage, serveAsHub } from "./hub.ts";
import { Listener } from "./listener.ts";
import { Talker } from "./talker.ts";

/** Least time between two reports of how far it is, in nanoseconds. */
const REPORT_NANOS = 100e6;

class Participant {
  #job: IpcJob | undefined;
  #clock = new Clock(0n);
  #encoder: Encoder | undefined;
  #decoder: Decoder | undefined;
  #transport: TransportDefinition | undefined;
  #opening: OpenEnd | undefined;
  #talkerEnd: TalkerEnd | undefined;
  #listenerEnd: ListenerEnd | undefined;
  #talker: Talker | undefined;
  #listener: Listener | undefined;
  #handled = 0;
  #reportedAt = 0;
  #nextReport: NodeJS.Timeout | undefined;

  readonly handlers: Handlers = {
    bind: (job) => this.#bind(job),
    open: async ({ maxBytes }) => {
      this.#opening = await this.#transport!.open(this.#setup(maxBytes));
      return this.#opening.addresses;
    },
    connect: async ({ maxBytes, addresses }) => {
      const setup = this.#setup(maxBytes);
      this.#listenerEnd = await this.#transport!.connect(setup, addresses);
      const { delayMs } = this.#job!;
      this.#listener = new Listener({ ...setup, delayMs }, this.#decoder!, this.#listenerEnd);
      return undefined;
    },
    accept: async () => {
      this.#talkerEnd = await this.#opening!.accept();
      this.#talker = new Talker(this.#setup(0), this.#encoder!, this.#talkerEnd);
      return undefined;
    },
    time: () => this.#clock.now(),
    talk: (phase) => {
      collectGarbage();
      return this.#talker!.send(phase, (messages) => this.#report(messages));
    },
    listen: (phase) => {
      collectGarbage();
      return this.#listener!.receive(phase, (messages) => this.#report(messages));
    },
    close: async () => {
      await this.#listenerEnd?.close();
      await this.#talkerEnd?.close();
      await this.#opening?.close();
      return undefined;
    },
  };

  async #bind(job: IpcJob): Promise<Bound> {
    this.#job = job;
    this.#clock = new Clock(job.clockBase);
    this.#transport = await transportNamed(job.transport);
    try {
      const registry = await Registry.open(job.plugins);
      const dataset =
        typeof job.dataset === "string" ? await namedDataset(registry, job.dataset, job.int64) : job.dataset;
      const { role, codec, prove } = job;
      if (role === "talker") this.#encoder = await encoderOf(registry, codec, dataset, prove);
      else this.#decoder = await decoderOf(registry, codec, dataset, prove);
      const { encoded } = (this.#encoder ?? this.#decoder)!;
      return {
        encodedBytes: encoded.map(({ length }) => length),
        ...defined({ dataset: job.describe ? factsOf(dataset) : undefined }),
      };
    } catch (error) {
      showStack(error);
      return { refused: refusal(error) };
    }
  }

  #setup(maxBytes: number): Setup {
    return { ...this.#job!, maxBytes, clock: this.#clock };
  }

  /** Reports how far it is: not with each message, but the last report is true. */
  #report(messages: number): void {
    this.#handled = messages;
    if (this.#nextReport !== undefined) return;
    const wait = (this.#reportedAt + REPORT_NANOS - this.#clock.now()) / 1e6;
    if (wait <= 0) this.#reportNow();
    else this.#nextReport = setTimeout(() => this.#reportNow(), wait);
  }

  #reportNow(): void {
    this.#nextReport = undefined;
    this.#reportedAt = this.#clock.now();
    reportHandled(this.#handled);
  }

  /** Removes what a coordinator that was killed could not. */
  abandon(): void {
    if (this.#job !== undefined && this.#transport !== undefined) removeFolders(this.#transport, this.#job);
  }
}

function factsOf(dataset: Dataset): DatasetFacts {
  return { sha256: datasetHash(dataset), values: dataset.values.length, int64: dataset.int64 };
}

function collectGarbage(): void {
  (globalThis as { gc?: () => void }).gc?.();
}

/**
 * The connection to whoever started this talker or listener: a coordinator, or a hub that passes on what a
 * coordinator says. A process ends with it.
 * @param abandon clears up after a coordinator that is gone
 */
function controlPort(abandon: () => void): ControlPort {
  if (parentPort !== null) {
    const port = parentPort;
    return {
      post: (message, moved) => port.postMessage(message, moved),
      onMessage: (callback) => port.on("message", callback),
    };
  }
  process.on("disconnect", () => {
    abandon();
    process.exit(1);
  });
  for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, endOn);
  // Ctrl-C and `kill` reach the whole group; the coordinator decides what happens to its children.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  return {
    // `disconnect` says who is gone.
    post: (message) => void process.send?.(message, undefined, undefined, () => {}),
    onMessage: (callback) =>
      process.on("message", (message) => {
        if (!isFamilyMessage(message)) callback(message);
      }),
  };
}

/** Ends a process with a line that is the reason. A thread's error is its parent's to tell. */
function endOn(error: unknown): never {
  showStack(error);
  process.stderr.write(`error: ${errorLine(error)}\n`);
  process.exit(1);
}

const participant = new Participant();
if (parentPort === null) serveAsHub(fileURLToPath(ownModule("ipc/participants/participant")));
const reportHandled = serve(
  controlPort(() => participant.abandon()),
  participant.handlers,
);

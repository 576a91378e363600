/** Exchanges between real processes, run from dist/ as a user's are, in folders of their own. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import {
  type Exchange,
  type ExchangeHooks,
  type ExchangeSpec,
  exchange,
} from "../../dist/ipc/exchange/exchange.js";
import type { Phase } from "../../src/ipc/exchange/job.ts";

/** Where an exchange of a test has its files: temporary ones, and those in shared memory. */
export class Ground {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), "wbt-"));
  readonly memory = mkdtempSync(path.join(existsSync("/dev/shm") ? "/dev/shm" : os.tmpdir(), "wbt-"));

  /** What is left of exchanges: files, and processes that have this folder for their temporary files. */
  left(): string[] {
    const files = [this.folder, this.memory].flatMap((folder) =>
      readdirSync(folder).map((file) => path.join(folder, file)),
    );
    return [...files, ...this.processes().map((pid) => `process ${pid}`)];
  }

  /** Processes that were started for this ground. Known on Linux only. */
  processes(): number[] {
    if (!existsSync("/proc/self/environ")) return [];
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`TMPDIR=${this.folder}`))
      .map(Number);
  }

  remove(): void {
    for (const folder of [this.folder, this.memory]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Empty for a process that has ended, and for those of others. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}

/** What is exchanged unless a test says something else: ten seconds of small messages. */
export function specOf(overrides: Partial<ExchangeSpec> & { phase?: Partial<Phase> } = {}): ExchangeSpec {
  const { phase, ...rest } = overrides;
  const { reliability = "reliable", depth = 2 } = overrides;
  const reliable = reliability === "reliable";
  return {
    codec: "raw-struct",
    dataset: "frame:2000",
    int64: undefined,
    plugins: [],
    prove: false,
    describe: false,
    talkers: 1,
    listeners: 1,
    transport: "uds",
    address: "",
    reliability,
    depth,
    listenerDelayMs: 0,
    timeoutSeconds: 30,
    phases: [
      {
        name: "measured",
        messages: 2000,
        rateHz: 200,
        window: reliable ? depth : Number.POSITIVE_INFINITY,
        limit: reliable ? Number.POSITIVE_INFINITY : depth,
        ...phase,
      },
    ],
    ...rest,
  };
}

/** An exchange that goes on. */
export interface Begun {
  /** What comes of it: a result, or the error. */
  readonly outcome: Promise<unknown>;
  /** Processes by their names, as in `listener 1`, once all are there. */
  readonly started: Promise<ReadonlyMap<string, number>>;
  /** Resolves once messages go, and rejects if they never do. */
  readonly middle: Promise<void>;
}

/** Begins an exchange. */
export function begin(spec: ExchangeSpec, { signal, onStarted }: ExchangeHooks = {}): Begun {
  const started = settable<ReadonlyMap<string, number>>();
  const middle = settable<void>();
  const outcome = exchange(spec, {
    ...(signal === undefined ? {} : { signal }),
    onStarted: (parts) => {
      started.resolve(new Map(parts.map(({ role, id, pid }) => [`${role} ${id}`, pid!])));
      onStarted?.(parts);
    },
    onShare: (share) => {
      if (share > 0.02) middle.resolve();
    },
  }).catch((error: unknown) => error);
  void outcome.then((result) => {
    const early = new Error("it was over before", { cause: result });
    started.reject(early);
    middle.reject(early);
  });
  return { outcome, started: started.promise, middle: middle.promise };
}

interface Settable<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: Error): void;
}

function settable<T>(): Settable<T> {
  const settled = {} as { -readonly [Key in keyof Settable<T>]: Settable<T>[Key] };
  settled.promise = new Promise((resolve, reject) => {
    settled.resolve = resolve;
    settled.reject = reject;
  });
  settled.promise.catch(() => {});
  return settled;
}

/** The result of an exchange that came to its end. */
export async function resultOf({ outcome }: Begun): Promise<Exchange> {
  const result = await outcome;
  if (result instanceof Error) throw result;
  return result as Exchange;
}

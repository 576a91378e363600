import { OWN_VERSION } from "../catalog/library-version.ts";
import { defined } from "../model/defined.ts";
import {
  IPC_RECORD_VERSION,
  type IpcMessage,
  type IpcRecord,
  type IpcTestRecord,
} from "../model/records/ipc.ts";
import type { DatasetRecord } from "../model/records/run.ts";
import { environment } from "../suite/environment.ts";
import { type ExchangeHooks, type ExchangeSpec, exchange } from "./exchange/exchange.ts";
import type { Phase } from "./exchange/job.ts";
import { memcpyBytesPerSecond, summaryOf } from "./figures/summary.ts";
import { nativeTest } from "./native-test.ts";
import { type IpcPlan, type IpcSelection, makeIpcPlan } from "./plan.ts";
import type { IpcCell } from "./test-parameters.ts";

/** What a run between processes reports as it goes, and how it is stopped. */
export interface IpcHooks {
  /** The command line, for the record. */
  readonly command?: string;
  /** Stops the run: what was measured until then is returned, with `complete` false. */
  readonly signal?: AbortSignal;
  /** Called before each test, now and then while it goes on, and once at the end. */
  readonly onProgress?: (progress: IpcProgress) => void;
  /**
   * Called with the messages of each test that was measured, and its number among all tests, from 0. The next test
   * waits for it.
   */
  readonly onMessages?: (
    test: IpcTestRecord,
    number: number,
    messages: readonly IpcMessage[],
  ) => void | Promise<void>;
  /** Called with the record so far after each test, and once at the end. */
  readonly onRecord?: (record: IpcRecord) => void;
  /** Called when the processes of a test have started. */
  readonly onStarted?: ExchangeHooks["onStarted"];
}

/** How far a run is. */
export interface IpcProgress {
  /** Tests that are over, and that there are going to be. */
  readonly done: number;
  readonly total: number;
  /** What goes on, and the share of its messages that went, from 0 to 1; absent at the end. */
  readonly current?: { readonly cell: IpcCell; readonly share: number };
  readonly elapsedMs: number;
}

/**
 * Measures messages between processes: every test of every codec on every dataset, one after the other. Throws
 * UsageError for what makes no sense, before anything is measured.
 */
export async function runIpc(options: IpcSelection & IpcHooks): Promise<IpcRecord> {
  return runIpcPlan(await makeIpcPlan(options), options);
}

/** {@link runIpc}, once everything is known and nothing has begun. */
export async function runIpcPlan(plan: IpcPlan, hooks: IpcHooks): Promise<IpcRecord> {
  const run = new Run(plan, hooks);
  let complete = false;
  try {
    await run.measure();
    complete = true;
  } catch (error) {
    if (hooks.signal?.aborted !== true) throw error;
  }
  const record = run.record(complete);
  hooks.onRecord?.(record);
  return record;
}

/** What a test came to. One that is unsupported or failed has no messages. */
interface Tested {
  readonly test: IpcTestRecord;
  readonly messages?: readonly IpcMessage[];
}

class Run {
  readonly #plan: IpcPlan;
  readonly #hooks: IpcHooks;
  readonly #environment = environment();
  readonly #startedAt = new Date();
  readonly #memcpy: readonly { readonly bytes: number; readonly bytesPerSecond: number }[];
  readonly #tests: IpcTestRecord[] = [];
  readonly #datasets = new Map<string, Partial<DatasetRecord>>();
  readonly #proven = new Set<string>();

  constructor(plan: IpcPlan, hooks: IpcHooks) {
    this.#plan = plan;
    this.#hooks = hooks;
    const sizes = [...new Set(plan.datasets.map(({ payloadBytes }) => payloadBytes))];
    this.#memcpy = sizes.map((bytes) => ({ bytes, bytesPerSecond: memcpyBytesPerSecond(bytes) }));
  }

  async measure(): Promise<void> {
    const { cells } = this.#plan;
    const { signal, onRecord, onProgress, onMessages } = this.#hooks;
    const report = (done: number, current?: IpcProgress["current"]): void => {
      const elapsedMs = Date.now() - this.#startedAt.getTime();
      onProgress?.(defined({ done, total: cells.length, elapsedMs, current }));
    };
    for (const [done, cell] of cells.entries()) {
      report(done, { cell, share: 0 });
      const { test, messages } = await this.#test(cell, (share) => report(done, { cell, share }));
      this.#tests.push(test);
      if (messages !== undefined) await onMessages?.(test, done, messages);
      signal?.throwIfAborted();
      onRecord?.(this.record(false));
    }
    report(cells.length);
  }

  async #test(cell: IpcCell, onShare: (share: number) => void): Promise<Tested> {
    const { signal, onStarted } = this.#hooks;
    const key = `${cell.codec} ${cell.dataset.name}`;
    const blank = this.#blank(cell);
    const memcpy = this.#memcpy.find(({ bytes }) => bytes === cell.dataset.payloadBytes)!.bytesPerSecond;
    try {
      if (cell.native !== undefined) {
        const { figures, messages } = await nativeTest(cell, memcpy, this.#plan.timeoutSeconds, signal);
        return { test: { ...blank, ...figures }, ...defined({ messages }) };
      }
      const once = { prove: !this.#proven.has(key), describe: !this.#datasets.has(cell.dataset.name) };
      const spec = { ...specOf(this.#plan, cell), ...once };
      const result = await exchange(spec, defined({ onShare, signal, onStarted }));
      if ("refused" in result) return { test: { ...blank, ...result.refused } };
      if (result.bound.dataset !== undefined) this.#datasets.set(cell.dataset.name, result.bound.dataset);
      this.#proven.add(key);
      const { payloadBytes } = cell.dataset;
      const { figures, messages } = summaryOf(result, payloadBytes, memcpy);
      return { test: { ...blank, ...figures, status: "measured" }, messages };
    } catch (error) {
      // Whatever went wrong with one test is no reason to lose the others.
      if (signal?.aborted === true) throw error;
      return { test: { ...blank, status: "failed", reason: (error as Error).message } };
    }
  }

  #blank(cell: IpcCell): IpcTestRecord {
    const { test, codec, identity, dataset, reliability, depth, rateHz, messages, warmup } = cell;
    return {
      test,
      codec,
      ...identity,
      dataset: dataset.name,
      status: "failed",
      payloadBytes: dataset.payloadBytes,
      encodedBytes: 0,
      transport: this.#plan.transport.shown,
      scope: this.#plan.scope,
      reliability,
      depth,
      ...defined({ rateHz }),
      messages,
      warmup,
      pairs: [],
      stages: {},
      processes: [],
    };
  }

  record(complete: boolean): IpcRecord {
    const { tests, codecs, datasets, profile, transport, natives, listenerDelayMs, timeoutSeconds } =
      this.#plan;
    return {
      schemaVersion: IPC_RECORD_VERSION,
      kind: "ipc",
      tool: {
        name: "wirebench",
        version: OWN_VERSION,
        command: this.#hooks.command ?? "wirebench.runIpc()",
      },
      startedAt: this.#startedAt.toISOString(),
      ...defined({ finishedAt: complete ? new Date().toISOString() : undefined }),
      complete,
      environment: this.#environment,
      ...defined({ natives: natives.records.length === 0 ? undefined : natives.records }),
      options: {
        profile,
        tests,
        codecs,
        datasets: datasets.map(({ name }) => name),
        transport: transport.shown,
        listenerDelayMs,
        timeoutSeconds,
      },
      datasets: datasets.map(({ name, story, message, fileBytes, schemaless, inferred }) => ({
        name,
        story,
        message,
        ...defined({ fileBytes, schemaless, inferred }),
        ...this.#datasets.get(name),
      })),
      memcpy: this.#memcpy,
      tests: [...this.#tests],
    };
  }
}

function specOf(plan: IpcPlan, cell: IpcCell): Omit<ExchangeSpec, "prove" | "describe"> {
  const { codec, dataset, talkers, listeners, reliability, depth, rateHz, messages, warmup } = cell;
  const infinite = Number.POSITIVE_INFINITY;
  const reliable = reliability === "reliable";
  const phases: Phase[] = [
    ...(warmup > 0 ? [{ name: "warmup", messages: warmup, window: 1, limit: infinite } as const] : []),
    {
      name: "measured",
      messages,
      window: reliable ? depth : infinite,
      limit: reliable ? infinite : depth,
      ...defined({ rateHz }),
    },
  ];
  return {
    codec,
    dataset: dataset.source,
    int64: plan.int64,
    plugins: plan.plugins,
    talkers,
    listeners,
    transport: plan.transport.name,
    address: plan.transport.address,
    reliability,
    depth,
    listenerDelayMs: plan.listenerDelayMs,
    timeoutSeconds: plan.timeoutSeconds,
    phases,
  };
}

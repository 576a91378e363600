/** The published methods, run as they were published. */
import { PUBLISHED_ADDRESS_BOOK, PUBLISHED_ERLANG, type System } from "../../analysis/claims/published.ts";
import { nameIn, SYSTEMS } from "../../analysis/claims/systems.ts";
import { endToEnd, receivedOf } from "../../analysis/ipc-tests.ts";
import { libraryOf, OWN_VERSION } from "../../catalog/library-version.ts";
import { Registry } from "../../catalog/registry.ts";
import { makeIpcPlan } from "../../ipc/plan.ts";
import { runIpcPlan } from "../../ipc/run.ts";
import { defined } from "../../model/defined.ts";
import { expectNumber } from "../../model/expect-option.ts";
import type { Benchmark } from "../../model/records/claims.ts";
import {
  CLASSIC_RECORD_VERSION,
  type ClassicOptionsRecord,
  type ClassicRecord,
  type ClassicRow,
} from "../../model/records/classic.ts";
import type { IpcMessage, IpcTestRecord } from "../../model/records/ipc.ts";
import { environment } from "../../suite/environment.ts";
import type { NativeSelection } from "../../suite/selection.ts";
import type { LoopEnd, LoopOperation } from "./loop-job.ts";
import { type LoopsDone, runLoops } from "./loops.ts";
import { nativeParts, nativeRows } from "./native-loops.ts";
import { PARTS, type Part } from "./parts.ts";

/** What is asked of a method. What it has no use for is refused by who takes the options. */
export interface ClassicSelection {
  readonly benchmark: Benchmark;
  readonly loops?: number;
  readonly seconds?: number;
  readonly repeats?: number;
  readonly messages?: number;
  /** The originals to measure too; none where it is absent. */
  readonly native?: NativeSelection;
}

/** Who hears of the progress, and how it is stopped. */
export interface ClassicHooks {
  readonly command?: string;
  /** Stops it: what was measured until then is returned, with `complete` false. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ClassicProgress) => void;
  /** Called with the record so far after each codec, and once at the end. */
  readonly onRecord?: (record: ClassicRecord) => void;
  /** Called with what to install for an original that is left out. */
  readonly onMissing?: (line: string) => void;
  /** Called with the messages of each codec. */
  readonly onMessages?: (test: IpcTestRecord, number: number, messages: readonly IpcMessage[]) => void;
}

/** How far it is: loops, or codecs between processes. */
export interface ClassicProgress {
  readonly done: number;
  readonly total: number;
  /** What goes on; absent at the end. */
  readonly current?: string;
}

/** Bytes of a message between processes, as published. */
const PAYLOAD_BYTES = 6_500_000;

const MOST = 1_000_000_000;

/** The options with their defaults, which are the published figures. Throws UsageError. */
function optionsOf({ benchmark, ...asked }: ClassicSelection): ClassicOptionsRecord {
  const whole = (name: string, value: number): number =>
    expectNumber(name, value, { integer: true, least: 1, most: MOST });
  const seconds = (value: number): number =>
    expectNumber("seconds", value, { integer: false, least: 0.001, most: 3600 });
  switch (benchmark) {
    case "address-book":
      return {
        benchmark,
        loops: whole("loops", asked.loops ?? PUBLISHED_ADDRESS_BOOK.loops),
        repeats: whole("repeats", asked.repeats ?? PUBLISHED_ADDRESS_BOOK.repeats),
      };
    case "erlang-term":
      return {
        benchmark,
        seconds: seconds(asked.seconds ?? PUBLISHED_ERLANG.seconds),
        repeats: whole("repeats", asked.repeats ?? 1),
      };
    case "python":
      return {
        benchmark,
        seconds: seconds(asked.seconds ?? 1),
        repeats: whole("repeats", asked.repeats ?? 1),
      };
    case "interprocess":
      return {
        benchmark,
        repeats: 1,
        messages: whole("messages", asked.messages ?? 100),
        payloadBytes: PAYLOAD_BYTES,
      };
  }
}

/** Runs a published method. Throws UsageError for what makes no sense, before anything is measured. */
export async function runClassic(selection: ClassicSelection, hooks: ClassicHooks): Promise<ClassicRecord> {
  const options = optionsOf(selection);
  const { command = "wirebench classic", signal, onRecord, onProgress } = hooks;
  const startedAt = new Date().toISOString();
  const where = environment();
  const recordOf = (rows: readonly ClassicRow[], isDone: boolean): ClassicRecord => ({
    schemaVersion: CLASSIC_RECORD_VERSION,
    kind: "classic",
    tool: { name: "wirebench", version: OWN_VERSION, command },
    startedAt,
    ...defined({ finishedAt: isDone ? new Date().toISOString() : undefined }),
    complete: isDone,
    environment: where,
    options,
    rows,
  });
  const onRows = (rows: readonly ClassicRow[]): void => onRecord?.(recordOf(rows, false));
  const rows =
    options.benchmark === "interprocess"
      ? await exchanged({ ...options, native: selection.native }, hooks, onRows)
      : await looped({ ...options, native: selection.native }, PARTS[options.benchmark], hooks, onRows);
  const record = recordOf(rows, signal?.aborted !== true);
  onRecord?.(record);
  onProgress?.({ done: 1, total: 1 });
  return record;
}

/** Whose rows they are. */
type About = Pick<ClassicRow, "system" | "codec" | "library" | "version">;

async function aboutOf(registry: Registry, system: System): Promise<About> {
  const { codec } = SYSTEMS[system];
  return { system, codec, ...libraryOf(await registry.codec(codec)) };
}

/** What a method is given. */
type Options = ClassicOptionsRecord & { readonly native: NativeSelection | undefined };

async function looped(
  options: Options,
  parts: readonly Part[],
  { signal, onProgress, onMissing }: ClassicHooks,
  onRows: (rows: readonly ClassicRow[]) => void,
): Promise<ClassicRow[]> {
  const registry = await Registry.open();
  const { repeats, loops, seconds = 0, benchmark, native } = options;
  const { found = [], missing = [] } = native === undefined ? {} : await nativeParts(parts, native);
  for (const line of missing) onMissing?.(line);
  const all = [...parts, ...found.map(({ part }) => part)];
  const total = all.reduce((sum, { operations }) => sum + operations.length * repeats, 0);
  const end: LoopEnd =
    loops === undefined
      ? { kind: "seconds", seconds, clock: benchmark === "python" ? "each call" : "now and then" }
      : { kind: "calls", calls: loops };
  const rows: ClassicRow[] = [];
  let before = 0;
  for (const { system, dataset, operations } of parts) {
    if (signal?.aborted === true) break;
    const about = await aboutOf(registry, system);
    const current = `${about.codec} on ${dataset}`;
    onProgress?.({ done: before, total, current });
    const job = { codec: about.codec, dataset, operations, repeats, end };
    const done = await runLoops(job, signal, ({ runs }) => {
      const ended = [...runs.values()].reduce((sum, own) => sum + own.length, 0);
      onProgress?.({ done: before + ended, total, current });
    });
    before += operations.length * repeats;
    rows.push(...rowsOf(about, dataset, operations, done));
    onRows(rows);
  }
  for (const original of found) {
    if (signal?.aborted === true) break;
    const current = `${original.row.codec} on ${original.part.dataset}`;
    onProgress?.({ done: before, total, current });
    let ended = 0;
    const own = await nativeRows(registry, original, { end, repeats }, signal, () => {
      ended += 1;
      onProgress?.({ done: before + ended, total, current });
    });
    before += original.part.operations.length * repeats;
    rows.push(...own);
    onRows(rows);
  }
  return rows;
}

/** A row for each operation that has a loop, or a reason for having none. */
function rowsOf(
  about: About,
  dataset: string,
  operations: readonly LoopOperation[],
  { bytes, runs, refused }: LoopsDone,
): ClassicRow[] {
  return operations.flatMap((operation): ClassicRow[] => {
    const own = runs.get(operation) ?? [];
    if (own.length === 0 && refused === undefined) return [];
    const size = operation === "empty" ? undefined : bytes;
    const row = { ...about, dataset, operation, ...defined({ bytes: size }), runs: own };
    return [refused === undefined ? { ...row, status: "measured" } : { ...row, ...refused }];
  });
}

/** Messages one at a time, and the latency of each: from the start of encode until every field was read. */
async function exchanged(
  { messages = 1, payloadBytes = 0, native }: Options,
  { command, signal, onProgress, onMessages, onMissing }: ClassicHooks,
  onRows: (rows: readonly ClassicRow[]) => void,
): Promise<ClassicRow[]> {
  const registry = await Registry.open();
  const systems = ["capnp", "protobuf"] as const;
  const abouts = await Promise.all(systems.map((system) => aboutOf(registry, system)));
  const rows: ClassicRow[] = [];
  const add = (test: IpcTestRecord, latenciesMs: readonly (number | null)[]): void => {
    const about = abouts.find(({ codec }) => codec === test.codec) ?? originalIn(test, systems);
    const { dataset, status, reason, encodedBytes: bytes } = test;
    const row = { ...about, dataset, operation: "latency" as const, status, ...defined({ reason }) };
    rows.push(status === "measured" ? { ...row, bytes, runs: [], latenciesMs } : { ...row, runs: [] });
    onRows(rows);
  };
  const plan = await makeIpcPlan({
    tests: ["latency"],
    datasets: ["frame"],
    payloads: [payloadBytes],
    codecs: abouts.map(({ codec }) => codec),
    messages,
    ...defined({ native }),
  });
  for (const line of plan.natives.missing) onMissing?.(line);
  const record = await runIpcPlan(plan, {
    ...defined({ command, signal }),
    onProgress: ({ done, total, current }) => {
      onProgress?.({ done, total, ...defined({ current: current?.cell.codec }) });
    },
    onMessages: (test, number, all) => {
      const own = all.filter(({ phase }) => phase === "measured");
      const latencies = new Map(receivedOf(own).map((one) => [one.sequence, endToEnd(one) / 1e6]));
      add(
        test,
        own.map(({ sequence }) => latencies.get(sequence) ?? null),
      );
      onMessages?.(test, number, all);
    },
  });
  for (const test of record.tests) if (test.status !== "measured") add(test, []);
  return rows;
}

/** Whose row a test of a native program is. */
function originalIn(test: IpcTestRecord, systems: readonly System[]): About & Pick<ClassicRow, "runtime"> {
  const { codec, library, version } = test;
  const system = systems.find((one) => nameIn([test], one, "native") === codec)!;
  return { system, codec, library, version, runtime: "native" };
}

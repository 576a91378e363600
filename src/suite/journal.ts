import { OWN_VERSION } from "../catalog/library-version.ts";
import type { JobResult } from "../measure/job.ts";
import { defined } from "../model/defined.ts";
import type { Refusal } from "../model/errors.ts";
import type { Count, PositiveCount, Timestamp } from "../model/records/quantities.ts";
import { type DatasetRecord, RECORD_VERSION, type RunRecord } from "../model/records/run.ts";
import type { Identity } from "./cell-builder.ts";
import { environment } from "./environment.ts";
import type { PlannedOperation } from "./operations.ts";
import type { Plan } from "./plan.ts";

/** Version of the lines below. They are read again only to recover a run, by the version that wrote them. */
export const JOURNAL_VERSION = 1;

/** A line of a run's journal: one header, and then what happened, in order. A record is made of nothing else. */
export type JournalLine = JournalHeader | JournalEntry;

/** What happened in a run. */
export type JournalEntry = ProcessEntry | BlockEntry | EndEntry;

/** What is known before anything is measured. */
export interface JournalHeader {
  readonly journalVersion: typeof JOURNAL_VERSION;
  /** The process that writes the journal. */
  readonly pid: PositiveCount;
  readonly run: Pick<
    RunRecord,
    "schemaVersion" | "tool" | "startedAt" | "environment" | "runtimes" | "natives" | "options"
  >;
  readonly datasets: readonly DatasetRecord[];
  readonly operations: readonly PlannedOperation[];
  readonly pairs: readonly JournalPair[];
}

/** A codec on a dataset, by its names in the record. */
export interface JournalPair {
  readonly codec: string;
  readonly dataset: string;
  readonly identity: Omit<Identity, "operation" | "dataset" | "codec">;
  readonly twinOf?: string;
  readonly refused?: Refusal;
}

/** Which operations of a pair a process was to measure. */
export interface Assignment {
  readonly codec: string;
  readonly dataset: string;
  readonly operations: readonly string[];
}

/** What a measuring process answered. */
export interface ProcessEntry {
  readonly block: Count;
  /** One, or all pairs for a process that ran them together. */
  readonly assignments: readonly Assignment[];
  readonly together?: true;
  /** What it had timed when its survey began: an entry with the rest follows, unless the run ends before. */
  readonly surveyPending?: true;
  readonly result: JobResult;
}

/** A block is complete: its cells can be compared. */
export interface BlockEntry {
  readonly completedBlock: Count;
}

/** The run is over, and was not interrupted. */
export interface EndEntry {
  readonly finishedAt: Timestamp;
}

/** The header of a plan that is carried out now. */
export function journalHeader(plan: Plan, command: string): JournalHeader {
  const { pairs, operations, study, goal, bandwidths, shard, blocks, counters, cores } = plan;
  const { meanProcessMs: _, busyProcessMs: __, ...profile } = plan.profile;
  const codecs = pairs.filter((pair) => pair.twinOf === undefined).map(({ codec }) => codec);
  const datasets = new Map(pairs.map(({ dataset }) => [dataset.name, dataset]));
  return {
    journalVersion: JOURNAL_VERSION,
    pid: process.pid,
    run: {
      schemaVersion: RECORD_VERSION,
      tool: { name: "wirebench", version: OWN_VERSION, command },
      startedAt: new Date().toISOString(),
      environment: environment(plan.runtimes.find(({ isCurrent }) => isCurrent)?.execArgv),
      runtimes: plan.runtimes.map(({ label, identity, execArgv, steadyArgv, userAgent }) => ({
        ...identity,
        label,
        execArgv,
        ...defined({ userAgent, steadyArgv: plan.steady && steadyArgv }),
        ...(counters !== undefined && "unavailable" in counters && { countersReason: counters.unavailable }),
      })),
      ...defined({ natives: plan.natives?.records }),
      options: {
        profile: plan.profileName,
        seed: plan.seed,
        baseline: plan.baseline,
        codecs: [...new Set(codecs)],
        datasets: [...datasets.keys()],
        operations: [...new Set(operations.map(({ name }) => name))],
        isolate: plan.isolate,
        ...profile,
        timeoutSeconds: plan.timeoutSeconds,
        threshold: plan.threshold,
        jit: plan.jit,
        ...defined({ cores: cores?.length, study, goal, bandwidths, shard, blocks, noEval: plan.noEval }),
        ...defined({ counters: counters && (true as const) }),
      },
    },
    datasets: [...datasets.values()].map(
      ({ name, story, message, size, fileBytes, schemaless, inferred }) => ({
        name,
        story,
        message,
        ...defined({ size, fileBytes, schemaless, inferred }),
      }),
    ),
    operations,
    pairs: pairs.map(({ codec, dataset, identity, twinOf, refused }) => ({
      codec,
      dataset: dataset.name,
      identity,
      ...defined({ twinOf, refused }),
    })),
  };
}

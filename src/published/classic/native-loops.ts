/**
 * The loops of the originals. One of so many calls is a single batch; one of so many seconds a measured phase, with the time of all its
 * batches by the clock.
 */

import { SYSTEMS } from "../../analysis/claims/systems.ts";
import { namedDataset } from "../../catalog/dataset.ts";
import type { Registry } from "../../catalog/registry.ts";
import { defined } from "../../model/defined.ts";
import type { Refusal } from "../../model/errors.ts";
import type { ClassicRow, ClassicRun } from "../../model/records/classic.ts";
import { endingReason } from "../../runtimes/launch/child-process.ts";
import { schemaJson } from "../../runtimes/launch/job-line.ts";
import {
  NATIVE_PROTOCOL,
  type NativeJob,
  type NativeMessage,
  startNative,
} from "../../runtimes/native/conversation.ts";
import type { NativeProgram, NativeSystem } from "../../runtimes/native/manifest.ts";
import { expectSound } from "../../runtimes/native/samples.ts";
import { inputRing } from "../../schema/values/input-ring.ts";
import { jsonReady } from "../../schema/values/json-text.ts";
import { builtNatives, missingLibrary, RowNames } from "../../suite/natives.ts";
import type { NativeSelection } from "../../suite/selection.ts";
import type { LoopEnd } from "./loop-job.ts";
import type { Part } from "./parts.ts";

/** A part that a program of this machine has. */
export interface NativePart {
  readonly part: Part;
  /** What starts the program, and what that calls the system; why there is nothing to start. */
  readonly source: { readonly command: readonly string[]; readonly name: string } | Refusal;
  readonly row: Pick<ClassicRow, "system" | "codec" | "library" | "version" | "runtime">;
}

/** The originals of some parts, and what to install for those that are not there, a line each. Throws the signal's reason. */
export async function nativeParts(
  parts: readonly Part[],
  selection: NativeSelection,
): Promise<{ found: NativePart[]; missing: string[] }> {
  const found: NativePart[] = [];
  const missing = new Set<string>();
  const names = new RowNames();
  const partsOf = ({ name, datasets }: NativeSystem): readonly Part[] =>
    parts.filter(
      ({ system, dataset }) =>
        SYSTEMS[system].natives.includes(name) && [dataset, "*"].some((one) => datasets.includes(one)),
    );
  const only = ({ systems }: NativeProgram): boolean => systems.some((one) => partsOf(one).length > 0);
  for (const outcome of await builtNatives({ ...selection, only })) {
    const { program } = outcome;
    if ("missing" in outcome) {
      missing.add(`${program.name}: ${outcome.missing}`);
      continue;
    }
    for (const system of program.systems) {
      const { name, library } = system;
      const own = partsOf(system);
      const lacks = "failed" in outcome || own.length === 0 ? undefined : missingLibrary(outcome, system);
      if (lacks !== undefined) missing.add(lacks);
      const version = "failed" in outcome ? undefined : outcome.hello.libraries[library];
      for (const part of lacks === undefined ? own : [])
        found.push({
          part: { ...part, operations: part.operations.filter((one) => system.operations.includes(one)) },
          source:
            "failed" in outcome
              ? { status: "failed", reason: outcome.failed }
              : { command: outcome.command, name },
          row: {
            system: part.system,
            codec: names.of(program, system, version),
            library,
            version: version ?? "unknown",
            runtime: "native",
          },
        });
    }
  }
  return { found, missing: [...missing] };
}

/** Processor time after which a program whose coordinator is gone is ended, in seconds. */
const CPU_SECONDS = 86_400;

/** Seconds that a program may take besides its calls, and for each of them: the slowest of the published takes 0.1 ms. */
const PATIENCE = { seconds: 60, perCall: 0.001 };

/** Seconds without a message after which a program has hung. */
function silenceSeconds({ calls = 0, measureMs = 0 }: NativeJob): number {
  return PATIENCE.seconds + calls * PATIENCE.perCall + (2 * measureMs) / 1000;
}

/** The rows of a part, of which each loop is a process. What was done until the signal comes is returned. */
export async function nativeRows(
  registry: Registry,
  { part, source, row }: NativePart,
  { end, repeats }: { readonly end: LoopEnd; readonly repeats: number },
  signal: AbortSignal | undefined,
  onRun: () => void,
): Promise<ClassicRow[]> {
  if ("status" in source)
    return part.operations.map((operation) => ({
      ...row,
      dataset: part.dataset,
      operation,
      ...source,
      runs: [],
    }));
  const dataset = await namedDataset(registry, part.dataset);
  const rows: ClassicRow[] = [];
  for (const operation of part.operations) {
    const about = { ...row, dataset: part.dataset, operation };
    const job: NativeJob = {
      protocol: NATIVE_PROTOCOL,
      system: source.name,
      dataset: part.dataset,
      schema: schemaJson(dataset.schema),
      values: inputRing(dataset).slice(0, 1).map(jsonReady),
      operations: [operation],
      warmupMs: 1,
      batchMicros: 200,
      ...(end.kind === "calls" ? { measureMs: 1, calls: end.calls } : { measureMs: end.seconds * 1000 }),
    };
    const runs: ClassicRun[] = [];
    let bytes: number | undefined;
    try {
      for (let repeat = 0; repeat < repeats; repeat++) {
        const done = await loop(source.command, job, signal);
        bytes = done.bytes;
        runs.push(done.run);
        onRun();
      }
      rows.push({ ...about, status: "measured", ...defined({ bytes }), runs });
    } catch (error) {
      const size = defined({ bytes });
      if (signal?.aborted === true)
        return runs.length === 0 ? rows : [...rows, { ...about, status: "measured", ...size, runs }];
      rows.push({ ...about, status: "failed", reason: (error as Error).message, ...size, runs });
    }
  }
  return rows;
}

/** One measured phase of an operation. Throws where the program does not do what it should. */
async function loop(
  command: readonly string[],
  job: NativeJob,
  signal: AbortSignal | undefined,
): Promise<{ run: ClassicRun; bytes: number }> {
  signal?.throwIfAborted();
  const limits = { cpuSeconds: CPU_SECONDS, silenceSeconds: silenceSeconds(job), signal };
  const { messages, ended, kill } = startNative(command, job, limits);
  try {
    let run: ClassicRun | undefined;
    let bytes: number | undefined;
    for await (const message of messages) {
      run = runOf(message) ?? run;
      if ("proof" in message) bytes = Buffer.from(message.proof.encoded[0] ?? "", "base64").length;
    }
    if (run === undefined || bytes === undefined) throw new Error(endingReason(await ended));
    if (job.calls !== undefined && run.calls !== job.calls)
      throw new Error(`expected ${job.calls} calls, got ${run.calls}`);
    return { run, bytes };
  } finally {
    kill();
  }
}

function runOf(message: NativeMessage): ClassicRun | undefined {
  if (!("measured" in message)) return undefined;
  const { measured } = message;
  expectSound(measured, 1);
  const milliseconds = measured.wall.reduce((sum, nanos) => sum + nanos, 0) / 1e6;
  return { calls: measured.wall.length * measured.batchCalls, milliseconds };
}

/**
 * The loops of the originals. Their programs measure batches for a time; a loop is a measured phase as long as its calls take, with
 * the time of all its batches by the clock.
 */
import { SYSTEMS } from "../../analysis/claims/systems.ts";
import { namedDataset } from "../../catalog/dataset.ts";
import type { Registry } from "../../catalog/registry.ts";
import type { ClassicRow, ClassicRun } from "../../model/records/classic.ts";
import { endingReason } from "../../runtimes/launch/child-process.ts";
import { schemaJson } from "../../runtimes/launch/job-line.ts";
import {
  NATIVE_PROTOCOL,
  type NativeJob,
  type NativeMessage,
  startNative,
} from "../../runtimes/native/conversation.ts";
import { expectSound } from "../../runtimes/native/samples.ts";
import { inputRing } from "../../schema/values/input-ring.ts";
import { jsonReady } from "../../schema/values/json-text.ts";
import { builtNatives, missingLibrary, type NativeSelection, nativeName } from "../../suite/natives.ts";
import type { LoopEnd, LoopOperation } from "./loop-job.ts";
import type { Part } from "./parts.ts";

/** A part that a program of this machine has. */
export interface NativePart {
  readonly part: Part;
  readonly command: readonly string[];
  /** What the program calls the system. */
  readonly name: string;
  readonly row: Pick<ClassicRow, "system" | "codec" | "library" | "version" | "runtime">;
}

/** The originals of some parts, and what to install for those that are not there, a line each. */
export async function nativeParts(
  parts: readonly Part[],
  selection: NativeSelection,
): Promise<{ found: NativePart[]; missing: string[] }> {
  const found: NativePart[] = [];
  const missing = new Set<string>();
  for (const outcome of await builtNatives(selection)) {
    const { program } = outcome;
    for (const system of program.systems) {
      const own = parts.filter(
        (part) =>
          SYSTEMS[part.system].natives.includes(system.name) &&
          [part.dataset, "*"].some((name) => system.datasets.includes(name)),
      );
      if (own.length === 0) continue;
      if ("missing" in outcome) missing.add(`${program.name}: ${outcome.missing}`);
      else if ("failed" in outcome) missing.add(`${program.name}: ${outcome.failed}`);
      else {
        const lacks = missingLibrary(outcome, system);
        if (lacks !== undefined) missing.add(lacks);
        const { library } = system;
        const version = outcome.hello.libraries[library] ?? "unknown";
        const codec = nativeName(system, program, version);
        for (const part of lacks === undefined ? own : []) {
          const row = { system: part.system, codec, library, version, runtime: "native" as const };
          const operations = part.operations.filter((one) => system.operations.includes(one));
          found.push({ part: { ...part, operations }, command: outcome.command, name: system.name, row });
        }
      }
    }
  }
  return { found, missing: [...missing] };
}

/** Processor time after which a program whose coordinator is gone is ended, in seconds. */
const CPU_SECONDS = 86_400;

/** What a first look at a call takes, in milliseconds. */
const LOOK_MS = 200;

/** The rows of a part, of which each loop is a process. What was done until the signal comes is returned. */
export async function nativeRows(
  registry: Registry,
  native: NativePart,
  { end, repeats }: { readonly end: LoopEnd; readonly repeats: number },
  signal: AbortSignal | undefined,
  onRun: () => void,
): Promise<ClassicRow[]> {
  const { part, row } = native;
  const dataset = await namedDataset(registry, part.dataset);
  const input: Input = {
    schema: schemaJson(dataset.schema),
    values: inputRing(dataset).slice(0, 1).map(jsonReady),
  };
  const rows: ClassicRow[] = [];
  for (const operation of part.operations) {
    const about = { ...row, dataset: part.dataset, operation };
    const runs: ClassicRun[] = [];
    let bytes: number | undefined;
    try {
      const look = await loop(native, operation, input, LOOK_MS, signal);
      bytes = look.bytes;
      const lengthMs =
        end.kind === "seconds"
          ? end.seconds * 1000
          : (end.calls * look.run.milliseconds) / Math.max(1, look.run.calls);
      for (let repeat = 0; repeat < repeats; repeat++) {
        runs.push((await loop(native, operation, input, lengthMs, signal)).run);
        onRun();
      }
      rows.push({ ...about, status: "measured", bytes, runs });
    } catch (error) {
      const size = bytes === undefined ? {} : { bytes };
      if (signal?.aborted === true)
        return runs.length === 0 ? rows : [...rows, { ...about, status: "measured", ...size, runs }];
      rows.push({ ...about, status: "failed", reason: (error as Error).message, ...size, runs });
    }
  }
  return rows;
}

/** What a program is given of a dataset. */
type Input = Required<Pick<NativeJob, "schema" | "values">>;

/** One measured phase of an operation. Throws where the program does not do what it should. */
async function loop(
  { part, command, name }: NativePart,
  operation: LoopOperation,
  input: Input,
  measureMs: number,
  signal: AbortSignal | undefined,
): Promise<{ run: ClassicRun; bytes: number }> {
  signal?.throwIfAborted();
  const job = {
    system: name,
    dataset: part.dataset,
    ...input,
    operations: [operation],
  };
  const { messages, ended, kill } = startNative(
    command,
    { protocol: NATIVE_PROTOCOL, ...job, warmupMs: 1, measureMs, batchMicros: 200 },
    CPU_SECONDS,
  );
  signal?.addEventListener("abort", kill);
  try {
    let run: ClassicRun | undefined;
    let bytes: number | undefined;
    for await (const message of messages) {
      run = runOf(message) ?? run;
      if ("proof" in message) bytes = Buffer.from(message.proof.encoded[0] ?? "", "base64").length;
    }
    if (run === undefined || bytes === undefined) throw new Error(endingReason(await ended));
    return { run, bytes };
  } finally {
    signal?.removeEventListener("abort", kill);
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

import type { JobResult, MemberResult } from "../measure/job.ts";
import { defined } from "../model/defined.ts";
import type { Cell, RunRecord } from "../model/records/run.ts";
import { isolate } from "../runtimes/launch/isolate.ts";
import { nativePrograms } from "../runtimes/native/manifest.ts";
import { journalHeader } from "./journal.ts";
import { makePlan, type Plan } from "./plan.ts";
import { ProgressMeter } from "./progress-meter.ts";
import { RecordBuilder } from "./record-builder.ts";
import { expectRunOptions, type RunOptions } from "./run.ts";
import type { NativeSelection } from "./selection.ts";

/** What to verify; nothing is timed, so there is neither a profile nor a choice of operations. */
export type VerifyOptions = Omit<
  RunOptions,
  "operations" | "parts" | "profile" | "isolate" | "baseline" | "onRecord" | "onJournal"
>;

/**
 * Proves that every codec carries every dataset, without timing: a record with one cell per codec and dataset,
 * operation `verify`, status `ok`, `unsupported` or `failed`, and the encoded size.
 */
export async function verify(options: VerifyOptions = {}): Promise<RunRecord> {
  expectRunOptions(options);
  return verifyPlan(await makePlan(options, options.signal), options);
}

/** {@link verify} for all systems of reference programs on all datasets that they have, and what is missing for others. */
export async function verifyNatives(
  native: NativeSelection,
  options: Omit<VerifyOptions, "native" | "codecs" | "datasets">,
): Promise<{ readonly record: RunRecord; readonly missing: readonly string[] }> {
  const systems = nativePrograms(native.folder).flatMap((program) => program.systems);
  const named = systems.flatMap((system) => system.datasets).filter((name) => name !== "*");
  const datasets = [...new Set(named)];
  const plan = await makePlan({ ...options, native, datasets });
  const pairs = plan.pairs.filter(({ identity }) => identity.program !== undefined);
  return { record: await verifyPlan({ ...plan, pairs }, options), missing: plan.natives?.missing ?? [] };
}

async function verifyPlan(whole: Plan, options: VerifyOptions): Promise<RunRecord> {
  const pairs = whole.pairs.filter(({ twinOf }) => twinOf === undefined);
  const plan: Plan = { ...whole, pairs, operations: [] };
  const builder = new RecordBuilder(journalHeader(plan, options.command ?? "wirebench.verify()"));
  const meter = new ProgressMeter(options.onProgress);
  const cells: Cell[] = [];
  const { profile, timeoutSeconds, int64 } = plan;
  try {
    for (const [index, pair] of plan.pairs.entries()) {
      const { codec, dataset, identity, source, runtime } = pair;
      meter.starts({ codec, dataset: dataset.name }, plan.pairs.length - index);
      const describe = "data" as const;
      const member = { source, dataset: dataset.source, operations: [], describe, survey: false };
      const job = { members: [member], int64, profile, others: [] };
      const answer: JobResult =
        pair.refused === undefined
          ? await isolate(job, runtime.launch, timeoutSeconds, options.signal)
          : { members: [{ refused: pair.refused, bytes: 0, operations: [] }] };
      const result: MemberResult = answer.members[0] ?? { bytes: 0, operations: [] };
      const assignment = { codec, dataset: dataset.name, operations: [] };
      const { conditions: _, ...untimed } = answer;
      builder.add({ block: 0, assignments: [assignment], result: { ...untimed, members: [result] } });
      const outcome = result.refused ?? {
        status: "ok" as const,
        ...defined({ build: result.build }),
        bytes: result.bytes,
      };
      cells.push({ operation: "verify", dataset: dataset.name, codec, ...identity, ...outcome });
    }
    meter.ends();
    builder.add({ finishedAt: new Date().toISOString() });
  } catch (error) {
    if (options.signal?.aborted !== true) throw error;
  }
  return { ...builder.record(), cells };
}

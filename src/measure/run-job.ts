import { median } from "../analysis/statistics/location.ts";
import { steadyTime } from "../analysis/statistics/steady-time.ts";
import { warmUpVerdict } from "../analysis/statistics/warm-up.ts";
import { refusal } from "../model/errors.ts";
import type { OperationContext, Task } from "../model/operation.ts";
import { compressedSizes, measureCompression } from "../runtimes/node/compress.ts";
import { ConditionsMeter } from "../runtimes/node/conditions.ts";
import { measureMemory } from "../runtimes/node/memory/memory.ts";
import { compileProbe } from "../schema/generate/probe.ts";
import type { Job, JobListeners, JobResult, Measured, MemberResult, OperationResult } from "./job.ts";
import { about, prepared, type ReadyMember } from "./ready.ts";
import { type Sampling, sample } from "./sampler.ts";
import { mingle } from "./warm-together.ts";

/** Does a job in this process: everything is loaded and proven first, then timed, then surveyed. */
export async function runJob(job: Job, listeners: JobListeners): Promise<JobResult> {
  const ready: (ReadyMember | MemberResult)[] = [];
  for (const member of job.members) {
    ready.push(await prepared(member, job, listeners.onStep));
    listeners.onStep(`${member.source.codec} was proven`);
  }
  if (job.company.length > 0) await mingle(ready.filter(isReady), job, listeners.onStep);
  const meter = new ConditionsMeter();
  const timed: (TimedMember | MemberResult)[] = [];
  for (const one of ready) timed.push(isReady(one) ? await timedMember(one, job, meter, listeners) : one);
  const resultOf = (members: readonly MemberResult[]): JobResult => ({
    members,
    conditions: meter.conditions(),
  });
  if (!job.members.some(({ survey }) => survey)) return resultOf(timed.map(untasked));
  listeners.onTimed(resultOf(timed.map(untasked)));
  return resultOf(timed.map((one) => surveyed(one, job, listeners)));
}

function isReady(one: ReadyMember | MemberResult): one is ReadyMember {
  return "proven" in one;
}

/** What was timed of a member, and what a survey needs of it. */
interface TimedMember {
  readonly ready: ReadyMember;
  readonly result: MemberResult;
  readonly tasks: ReadonlyMap<string, Task>;
}

async function timedMember(
  ready: ReadyMember,
  { profile }: Job,
  meter: ConditionsMeter,
  { onStep }: JobListeners,
): Promise<TimedMember> {
  const { member, dataset, proven } = ready;
  const { encoded } = proven;
  const { schema } = dataset;
  const context: OperationContext = { ...proven, schema, probe: compileProbe(schema) };
  const operations: OperationResult[] = [];
  const tasks = new Map<string, Task>();
  for (const operation of member.operations) {
    try {
      const task = (await ready.registry.definition("operations", operation)).prepare(context);
      const sampling = sample(task, profile, meter, () => onStep(`a call of ${operation} had ended`));
      const inPlace = task.inPlace === true ? { inPlace: true as const } : {};
      operations.push({ operation, ...measurement(operation, sampling, ready), ...inPlace });
      tasks.set(operation, task);
    } catch (error) {
      operations.push({ operation, refused: refusal(error) });
    }
    onStep(`${operation} was measured`);
  }
  const sizes = encoded.map((bytes) => Buffer.byteLength(bytes));
  const bytes = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const result = {
    bytes: Math.round(bytes * 10) / 10,
    ...about(dataset, member),
    ...(ready.build === undefined ? {} : { build: ready.build }),
    ...(member.describe ? { payload: compressedSizes(encoded[0]!) } : {}),
    operations,
  };
  return { ready, result, tasks };
}

function untasked(one: TimedMember | MemberResult): MemberResult {
  return "tasks" in one ? one.result : one;
}

function surveyed(one: TimedMember | MemberResult, { profile }: Job, { onStep }: JobListeners): MemberResult {
  if (!("tasks" in one) || !one.ready.member.survey) return untasked(one);
  const { ready, result, tasks } = one;
  const budgetMs = profile.measureMs / 2;
  const compression = measureCompression(ready.proven.encoded[0]!);
  const operations = result.operations.map((own) => {
    const task = tasks.get(own.operation);
    if (task === undefined) return own;
    onStep(`the survey of ${own.operation} had begun`);
    return { ...own, memory: measureMemory(task, { budgetMs }) };
  });
  return { ...result, compression, operations };
}

function measurement(operation: string, sampling: Sampling, { proven, importMs }: ReadyMember): Measured {
  const { samples, turns, firstCallNanos } = sampling;
  const { bind, ...calls } = proven.firstMs;
  // What the proof has called is no longer cold when it is sampled.
  const first = Object.hasOwn(calls, operation) ? calls[operation as keyof typeof calls] * 1e6 : undefined;
  return {
    samples,
    warmUp: warmUpVerdict(samples.batches),
    start: {
      importNanos: Math.round(importMs * 1e6),
      bindNanos: Math.round(bind * 1e6),
      firstCallNanos: Math.round(first ?? firstCallNanos),
      steadyNanos: steadyTime(turns, median(samples.batches)),
    },
  };
}

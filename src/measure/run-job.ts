import { median } from "../analysis/statistics/location.ts";
import { steadyTime, warmUpVerdict } from "../analysis/statistics/warm-up.ts";
import type { Encoded } from "../model/codec.ts";
import { defined } from "../model/defined.ts";
import { refusal } from "../model/errors.ts";
import type { OperationContext, Task } from "../model/operation.ts";
import { compileProbe } from "../schema/generate/visit.ts";
import type { Host } from "./host.ts";
import type { Job, JobListeners, JobResult, Measured, MemberResult, OperationResult } from "./job.ts";
import { about, prepared, type ReadyMember } from "./ready.ts";
import { type Sampling, sample } from "./sampler.ts";
import { warmTogether } from "./warm-together.ts";

/** Does a job in this process: everything is loaded and proven first, then timed, then surveyed. */
export async function runJob(job: Job, host: Host, listeners: JobListeners): Promise<JobResult> {
  const ready: (ReadyMember | MemberResult)[] = [];
  for (const member of job.members) {
    ready.push(await prepared(member, job, host, listeners.onStep));
    listeners.onStep(`${member.source.codec} was proven`);
  }
  if (job.others.length > 0) await warmTogether(ready.filter(isReady), job, host, listeners.onStep);
  const timed: (TimedMember | MemberResult)[] = [];
  for (const one of ready) timed.push(isReady(one) ? await timedMember(one, job, host, listeners) : one);
  const runtime = { ...host.runtime, clockStepNanos: host.clock.stepNanos };
  const resultOf = (members: readonly MemberResult[]): JobResult => ({
    members,
    runtime,
    ...defined({ conditions: host.meter?.conditions() }),
  });
  if (!job.members.some(({ survey }) => survey)) return resultOf(timed.map(untasked));
  listeners.onTimed(resultOf(timed.map(untasked)));
  return resultOf(timed.map((one) => surveyed(one, job, host, listeners)));
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
  host: Host,
  { onStep }: JobListeners,
): Promise<TimedMember> {
  const { member, codec, dataset, proven } = ready;
  const { encoded } = proven;
  const { schema } = dataset;
  const context: OperationContext = { ...proven, schema, probe: compileProbe(schema) };
  const operations: OperationResult[] = [];
  const tasks = new Map<string, Task>();
  for (const operation of member.operations) {
    try {
      const task = (await host.operation(operation, member.source)).prepare(context);
      const sampling = sample(task, profile, host, () => onStep(`a call of ${operation} had ended`));
      const inPlace = task.inPlace === true ? { inPlace: true as const } : {};
      operations.push({ operation, ...measurement(operation, sampling, ready), ...inPlace });
      tasks.set(operation, task);
    } catch (error) {
      operations.push({ operation, refused: refusal(error) });
    }
    onStep(`${operation} was measured`);
  }
  const sizes = encoded.map(byteLength);
  const bytes = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const result = {
    bytes: Math.round(bytes * 10) / 10,
    ...about(dataset, member, host),
    ...defined({
      build: codec.build,
      payload: member.describe ? host.surveys.payload?.(encoded[0]!) : undefined,
    }),
    operations,
  };
  return { ready, result, tasks };
}

function byteLength(encoded: Encoded): number {
  return typeof encoded === "string" ? new TextEncoder().encode(encoded).length : encoded.length;
}

function untasked(one: TimedMember | MemberResult): MemberResult {
  return "tasks" in one ? one.result : one;
}

function surveyed(
  one: TimedMember | MemberResult,
  { profile }: Job,
  { surveys }: Host,
  { onStep }: JobListeners,
): MemberResult {
  if (!("tasks" in one) || !one.ready.member.survey) return untasked(one);
  const { ready, result, tasks } = one;
  const budgetMs = profile.measureMs / 2;
  const compression = surveys.compression?.(ready.proven.encoded[0]!);
  const operations = result.operations.map((own): OperationResult => {
    const task = tasks.get(own.operation);
    if (task === undefined || surveys.memory === undefined) return own;
    onStep(`the survey of ${own.operation} had begun`);
    const memory = surveys.memory(task, { budgetMs });
    return "unavailable" in memory ? { ...own, memoryReason: memory.unavailable } : { ...own, memory };
  });
  return { ...result, ...defined({ compression }), operations };
}

function measurement(operation: string, sampling: Sampling, { proven, codec }: ReadyMember): Measured {
  const { samples, warmUp, firstCallNanos } = sampling;
  const { bind, ...calls } = proven.firstMs;
  // What the proof has called is no longer cold when it is sampled.
  const first = Object.hasOwn(calls, operation) ? calls[operation as keyof typeof calls] * 1e6 : undefined;
  return {
    samples,
    warmUp: warmUpVerdict(samples.batches),
    start: {
      importNanos: Math.round(codec.importMs * 1e6),
      bindNanos: Math.round(bind * 1e6),
      firstCallNanos: Math.round(first ?? firstCallNanos),
      steadyNanos: steadyTime(warmUp, median(samples.batches)),
    },
  };
}

import { median } from "../analysis/statistics/location.ts";
import { steadyTime, warmUpVerdict } from "../analysis/statistics/warm-up.ts";
import type { Encoded } from "../model/codec.ts";
import { defined } from "../model/defined.ts";
import { refusal, type Unavailable } from "../model/errors.ts";
import type { Task } from "../model/operation.ts";
import { jsonReady } from "../schema/values/json-text.ts";
import { proveNoCache } from "./caches.ts";
import { proveSlowerThanCopy } from "./copy-floor.ts";
import { CoreSpeed } from "./core-speed.ts";
import type { Counter, Counts } from "./counting.ts";
import type { Host, Surveys } from "./host.ts";
import {
  type Job,
  type JobListeners,
  type JobResult,
  type Measured,
  type MemberResult,
  MOST_SENT,
  type OperationResult,
  type SentMessage,
} from "./job.ts";
import { prove, proveTimed } from "./prove.ts";
import { about, prepared, type ReadyMember, refusedMember } from "./ready.ts";
import { type Sampling, sample } from "./sampler.ts";
import { warmTogether } from "./warm-together.ts";

/**
 * Does a job in this process: everything is loaded and bound first, then timed, then proven; last its memory is surveyed. No
 * time of what fails its proof leaves the process.
 */
export async function runJob(job: Job, host: Host, listeners: JobListeners): Promise<JobResult> {
  const ready: (ReadyMember | MemberResult)[] = [];
  for (const member of job.members) {
    ready.push(await prepared(member, job, host, listeners.onStep));
    listeners.onStep(`${member.source.codec} was bound`);
  }
  if (job.others.length > 0) await warmTogether(ready.filter(isReady), job, host, listeners.onStep);
  const speed = new CoreSpeed(host.clock, job.turnNanos, job.patienceMs);
  const probed: ProbedHost = { ...host, speed };
  const timed: (TimedMember | MemberResult)[] = [];
  for (const one of ready) timed.push(isReady(one) ? await timedMember(one, job, probed, listeners) : one);
  const counter = job.counters && host.counter?.(job.counters);
  const counted =
    counter === undefined
      ? timed
      : timed.map((one) => ("timed" in one ? countedMember(one, counter, listeners) : one));
  const surveys = await host.surveys();
  const compressed = counted.map((one) =>
    "timed" in one && one.ready.member.survey ? compressedMember(one, job, surveys) : one,
  );
  listeners.onTimedAll();
  await host.settled?.();
  const proven: (ProvenMember | MemberResult)[] = [];
  for (const [member, one] of compressed.entries())
    proven.push("timed" in one ? provenMember(one, member, probed, listeners) : one);
  const { stepNanos: clockStepNanos, core } = host.clock;
  const timeSource = core?.source ?? ("wall" as const);
  const runtime = { ...host.runtime, clockStepNanos, timeSource, ...defined({ isolated: host.isolated }) };
  const resultOf = (members: readonly MemberResult[]): JobResult => ({
    members,
    runtime,
    ...defined({ turnNanos: speed.turnNanos, conditions: host.meter?.conditions() }),
  });
  if (!job.members.some(({ survey }) => survey)) return resultOf(proven.map(untasked));
  await listeners.onTimed(resultOf(proven.map(untasked)));
  return resultOf(proven.map((one) => surveyed(one, job, surveys, listeners)));
}

function isReady(one: ReadyMember | MemberResult): one is ReadyMember {
  return "bound" in one;
}

/** A host, and how fast its core is. */
type ProbedHost = Host & { readonly speed: CoreSpeed };

/** An operation that was timed: its figures, or why there are none. */
interface TimedOperation {
  readonly operation: string;
  /** Absent where it could not be prepared. */
  readonly task?: Task;
  readonly sampling?: Sampling;
  readonly counts?: Counts | Unavailable;
  readonly error?: unknown;
}

/** What was timed of a member, and is not proven. */
interface TimedMember {
  readonly ready: ReadyMember;
  readonly timed: readonly TimedOperation[];
  /** What compressing its message takes; throws why that is not known. */
  readonly compression?: () => MemberResult["compression"];
}

async function timedMember(
  ready: ReadyMember,
  { profile }: Job,
  host: ProbedHost,
  { onStep }: JobListeners,
): Promise<TimedMember> {
  const { member, bound } = ready;
  const timed: TimedOperation[] = [];
  for (const operation of member.operations) {
    let task: Task | undefined;
    try {
      task = (await host.operation(operation, member.source)).prepare(bound);
      const sampling = sample(task, profile, host, () => onStep(`a call of ${operation} had ended`));
      timed.push({ operation, task, sampling });
    } catch (error) {
      timed.push({ operation, error, ...defined({ task }) });
    }
    onStep(`${operation} was measured`);
  }
  return { ready, timed };
}

/** Counts what calls take, when no operation is timed any more. */
function countedMember(
  { ready, timed }: TimedMember,
  counter: Counter,
  { onStep }: JobListeners,
): TimedMember {
  const counted = timed.map((one): TimedOperation => {
    if (one.sampling === undefined) return one;
    onStep(`the calls of ${one.operation} were about to be counted`);
    try {
      return { ...one, counts: one.sampling.count(counter) };
    } catch (error) {
      return { operation: one.operation, error, ...defined({ task: one.task }) };
    }
  });
  return { ready, timed: counted };
}

/** Times what compressing a message takes. */
function compressedMember(
  one: TimedMember,
  { profile }: Job,
  { compression: measure }: Surveys,
): TimedMember {
  if (measure === undefined) return one;
  try {
    const compression = measure(one.ready.bound.encoded[0]!, { budgetMs: profile.measureMs / 6 });
    return { ...one, compression: () => compression };
  } catch (error) {
    return {
      ...one,
      compression: () => {
        throw error;
      },
    };
  }
}

/** A member that carried every value, and what a survey needs of it. */
interface ProvenMember {
  readonly ready: ReadyMember;
  readonly result: MemberResult;
  readonly tasks: ReadonlyMap<string, Task>;
}

/**
 * Proves what was timed. What a codec does wrong by itself is the reason, rather than what a timed call met of it.
 * @param place of the member in its job
 */
function provenMember(
  { ready, timed, compression }: TimedMember,
  place: number,
  host: ProbedHost,
  { onStep, onMessage }: JobListeners,
): ProvenMember | MemberResult {
  const { member, codec, dataset, bound } = ready;
  let compressed: MemberResult["compression"];
  try {
    if (member.describe === true) {
      const message = sentMessage(place, codec.format, bound.encoded[0]!);
      if (message !== undefined) onMessage(message);
    }
    prove(bound, ready.onStep);
    if (member.describe !== false) proveNoCache(bound, ready.onStep);
    codec.expectLibrary();
    compressed = compression?.();
  } catch (error) {
    return refusedMember(error, dataset, member, host);
  }
  const operations: OperationResult[] = [];
  const tasks = new Map<string, Task>();
  for (const { operation, task, sampling, counts, error } of timed) {
    try {
      if (task === undefined) throw error;
      proveTimed(task, sampling?.folds, ready.onStep);
      if (sampling === undefined) throw error;
      proveSlowerThanCopy(task, sampling.samples, host.clock, host.speed);
      const inPlace = task.inPlace === true ? { inPlace: true as const } : {};
      operations.push({ operation, ...measurement(sampling, ready), ...defined({ counts }), ...inPlace });
      tasks.set(operation, task);
    } catch (reason) {
      host.onRefusal?.(reason);
      operations.push({ operation, refused: refusal(reason) });
    }
  }
  onStep(`${member.source.codec} was proven`);
  const sizes = bound.encoded.map((message) => inUtf8(message).length);
  const bytes = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  const result = {
    bytes: Math.round(bytes * 10) / 10,
    ...about(dataset, member),
    ...defined({ build: codec.build, compression: compressed }),
    operations,
  };
  return { ready, result, tasks };
}

/** A message as it is now, for whoever takes it apart; undefined where it is too large. */
function sentMessage(member: number, format: string, encoded: Encoded): SentMessage | undefined {
  const bytes = inUtf8(encoded);
  return bytes.length > MOST_SENT ? undefined : { member, format, encoded: String(jsonReady(bytes)) };
}

function inUtf8(encoded: Encoded): Uint8Array {
  return typeof encoded === "string" ? new TextEncoder().encode(encoded) : encoded;
}

function untasked(one: ProvenMember | MemberResult): MemberResult {
  return "tasks" in one ? one.result : one;
}

function surveyed(
  one: ProvenMember | MemberResult,
  { profile }: Job,
  surveys: Surveys,
  { onStep }: JobListeners,
): MemberResult {
  if (!("tasks" in one) || !one.ready.member.survey) return untasked(one);
  const { result, tasks } = one;
  const budgetMs = profile.measureMs / 2;
  const operations = result.operations.map((own): OperationResult => {
    const task = tasks.get(own.operation);
    if (task === undefined || surveys.memory === undefined) return own;
    onStep(`the survey of ${own.operation} had begun`);
    const memory = surveys.memory(task, { budgetMs });
    return "unavailable" in memory ? { ...own, memoryReason: memory.unavailable } : { ...own, memory };
  });
  return { ...result, operations };
}

function measurement(sampling: Sampling, { bound, codec }: ReadyMember): Measured {
  const { samples, warmUp, firstCallNanos } = sampling;
  return {
    samples,
    warmUp: warmUpVerdict(samples.batches),
    start: {
      importNanos: Math.round(codec.importMs * 1e6),
      bindNanos: Math.round(bound.bindMs * 1e6),
      firstCallNanos: Math.round(firstCallNanos),
      steadyNanos: steadyTime(warmUp, median(samples.batches)),
    },
  };
}

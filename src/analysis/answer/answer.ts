import { defined } from "../../model/defined.ts";
import { parseGoal } from "../../model/goal.ts";
import type { Among, Answer } from "../../model/records/answer.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { heldProcesses } from "../held-processes.ts";
import { isDifferent } from "../tiers.ts";
import { Measurements } from "./contenders.ts";
import { type Compared, type Contest, candidatesOf } from "./contest.ts";
import { linkAnswers } from "./link.ts";

/**
 * What follows of a record for whoever has to choose: for each dataset the claims that its measurements carry, those of
 * `options.goal` first. None for a study, for which its own tables are the answer, and for a record whose codecs do not say
 * what they are for. Of several machines, which have no time in common, sizes alone.
 */
export function answersOf(record: RunRecord): Answer[] {
  const { goal, study } = record.options;
  if (study !== undefined || record.cells.every(({ traits }) => traits === undefined)) return [];
  const first = goal === undefined ? undefined : parseGoal(goal);
  const isFirst = (answer: Answer): boolean =>
    answer.goal === first?.goal && (first.bandwidth === undefined || answer.bandwidth === first.bandwidth);
  return record.datasets.flatMap(({ name }) => {
    const answers = answersOn(new Measurements(record, name));
    return [...answers.filter(isFirst), ...answers.filter((answer) => !isFirst(answer))];
  });
}

const POOLS: readonly Among[] = ["all", "service", "schemaless"];

function answersOn(measurements: Measurements): Answer[] {
  const { record, operation } = measurements;
  const one = (contest: Contest | undefined, about: About, pools = POOLS): Answer[] =>
    contest === undefined ? [] : pools.flatMap((among) => claimed(measurements, contest, about, among));
  const sizes = [
    ...one(measurements.sizes(), { goal: "size", unit: "bytes" }),
    ...one(measurements.compressedSizes(), { goal: "compressed-size", unit: "bytes", compression: GZIP }, [
      "service",
    ]),
  ];
  if ((record.merged?.machines.length ?? 1) > 1) return sizes;
  const speeds = measurements.speeds();
  const speed = one(speeds, { goal: "speed", unit: "nanoseconds", ...defined({ operation }) });
  return [
    ...sizes,
    ...speed,
    ...linkAnswers(measurements),
    ...one(measurements.memory(), { goal: "memory", unit: "bytes" }, ["service"]),
    ...one(measurements.coldStarts(), { goal: "cold-start", unit: "nanoseconds" }, ["service"]),
    ...undecided(measurements, speeds, speed),
  ];
}

const GZIP = { algorithm: "gzip" } as const;

type About = Pick<Answer, "goal" | "unit" | "operation" | "compression">;

/** Who has the least of a pool, beside the baseline; nothing where fewer than two of the pool were measured. */
function claimed(measurements: Measurements, contest: Contest, about: About, among: Among): Answer[] {
  const { record, dataset } = measurements;
  const pool = measurements.pool(among);
  const [codec, ...level] = candidatesOf(contest, pool);
  if (codec === undefined || pool.filter((one) => contest.values.has(one)).length < 2) return [];
  const { baseline } = record.options;
  const isCompared = codec !== baseline && contest.values.has(baseline);
  const known = isCompared ? contest.compare(codec, baseline) : undefined;
  const isTold = known !== undefined && isDifferent(known.verdict);
  return [
    {
      dataset,
      ...about,
      among,
      codec,
      value: contest.values.get(codec)!,
      against: isCompared ? baseline : null,
      ratio: isTold ? known.ratio : null,
      ci95: isTold ? known.ci95 : null,
      level,
      why: level.length === 0 ? "best" : "level",
    },
  ];
}

/** The best of each pool beside those that it cannot be told from, each pair once. */
function undecided(measurements: Measurements, speeds: Contest, answers: readonly Answer[]): Answer[] {
  const pairs = new Map(
    answers.flatMap(({ codec, level }) =>
      level.map((other) => [JSON.stringify([codec, other].sort()), { codec, other }] as const),
    ),
  );
  const { record, dataset, operation } = measurements;
  const held = Math.min(...heldProcesses(record, dataset));
  return [...pairs.values()].map(({ codec, other }): Answer => {
    const known = speeds.compare(codec, other);
    const processes = processesFor(known, held, record.options.threshold);
    return {
      dataset,
      goal: "undecided",
      among: "all",
      codec,
      ...defined({ operation }),
      value: speeds.values.get(codec)!,
      unit: "nanoseconds",
      against: other,
      ratio: Number.isFinite(known.ratio) ? known.ratio : null,
      ci95: known.ci95,
      level: [],
      why: "undecided",
      ...defined({ processes }),
    };
  });
}

/** About how many processes would tell a difference such as was seen: what can be seen falls with their square root. */
function processesFor({ ratio, detectable }: Compared, own: number, threshold: number): number | undefined {
  const seen = Math.abs(Math.log(ratio));
  if (detectable === null || !(seen > Math.log1p(threshold))) return undefined;
  const times = (Math.log1p(detectable) / seen) ** 2;
  return Number.isFinite(times) ? Math.ceil(own * Math.max(times, 1)) : undefined;
}

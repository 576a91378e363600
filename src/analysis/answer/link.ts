/** What an answer says of sending messages: who takes the least time, and when the baseline is enough. */
import { type NamedGoal, parseGoal } from "../../model/goal.ts";
import type { Answer } from "../../model/records/answer.ts";
import { gateOf, transferNanos } from "../link/choices.ts";
import { type Cost, DEFAULT_BANDWIDTH, type LinkCosts, linkCosts } from "../link/costs.ts";
import { timeDifference } from "../link/crossovers.ts";
import type { Measurements } from "./contenders.ts";

/** A link of a data centre, on which time counts, in bit/s. */
const FAST = 1e9;

/** The claims on each link, and on the fastest one what the baseline takes: among what a service can use, and the baseline. */
export function linkAnswers(measurements: Measurements): Answer[] {
  const { record, dataset } = measurements;
  const { goal, bandwidths = [], baseline } = record.options;
  const wanted: NamedGoal | undefined = goal === undefined ? undefined : parseGoal(goal);
  const named = [...new Set([...(wanted?.bandwidth === undefined ? [] : [wanted.bandwidth]), ...bandwidths])];
  const links = named.length === 0 ? [DEFAULT_BANDWIDTH] : named;
  const codecs = new Set([...measurements.pool("service"), baseline]);
  const own = { ...record, payloads: record.payloads.filter(({ codec }) => codecs.has(codec)) };
  const fastest = named.length === 0 ? FAST : Math.max(...links);
  return [
    ...linkCosts(own, dataset, links).flatMap((costs) => least(costs, measurements)),
    ...linkCosts(own, dataset, [fastest]).flatMap((costs) => enough(costs, measurements)),
  ];
}

function least(costs: LinkCosts, { record, dataset }: Measurements): Answer[] {
  const { bitsPerSecond, best, winner, level } = costs;
  if (best.length < 2) return [];
  const base = baseOf(costs, record.options.baseline);
  const isTold = base !== undefined && base !== winner && !level.includes(base.choice.codec);
  return [
    {
      ...about(dataset, bitsPerSecond, winner),
      goal: "latency",
      ...beside(winner, base === winner ? undefined : base, costs, gateOf(record), isTold),
      level,
      why: level.length === 0 ? "best" : "level",
    },
  ];
}

/** Where the baseline is not told from the best there is nothing to be saved. */
function enough(costs: LinkCosts, { record, dataset }: Measurements): Answer[] {
  const { bitsPerSecond, best, winner, level } = costs;
  const base = baseOf(costs, record.options.baseline);
  if (base === undefined || best.length < 2) return [];
  const isTold = base !== winner && !level.includes(base.choice.codec);
  return [
    {
      ...about(dataset, bitsPerSecond, base),
      goal: "enough",
      ...beside(base, isTold ? winner : undefined, costs, gateOf(record), isTold),
      level: isTold ? [] : level.filter((codec) => codec !== base.choice.codec),
      why: "enough",
    },
  ];
}

function baseOf({ best }: LinkCosts, baseline: string): Cost | undefined {
  return best.find(({ choice }) => choice.codec === baseline);
}

function about(
  dataset: string,
  bandwidth: number,
  { choice, nanos }: Cost,
): Pick<Answer, "dataset" | "among" | "codec" | "compression" | "bandwidth" | "value" | "unit"> {
  const { codec, compression } = choice;
  return {
    dataset,
    among: "service",
    codec,
    ...(compression !== null && { compression }),
    bandwidth,
    value: nanos,
    unit: "nanoseconds",
  };
}

/** How one cost compares with another: by the interval of their difference, as a share of the other. */
function beside(
  cost: Cost,
  other: Cost | undefined,
  { bitsPerSecond }: LinkCosts,
  gate: number,
  isTold: boolean,
): Pick<Answer, "against" | "againstCompression" | "ratio" | "ci95"> {
  if (other === undefined) return { against: null, ratio: null, ci95: null };
  const { codec: against, compression } = other.choice;
  const named = { against, ...(compression !== null && { againstCompression: compression }) };
  const { ci95 } = timeDifference(cost.choice, other.choice, gate);
  if (ci95 === null || !isTold) return { ...named, ratio: null, ci95: null };
  const transfer = transferNanos(cost.choice.bytes - other.choice.bytes, bitsPerSecond);
  const [low, high] = ci95.map((nanos) => Math.max(0, 1 + (nanos + transfer) / other.nanos)) as [
    number,
    number,
  ];
  const isClear = high < 1 || low > 1;
  return { ...named, ratio: isClear ? cost.nanos / other.nanos : null, ci95: isClear ? [low, high] : null };
}

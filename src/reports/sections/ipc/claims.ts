/** What a record says of the published claims, in words. The numbers and the judgements are made in `analysis/claims`. */
import {
  ABOUT_HALF,
  type ClaimName,
  type ClaimOutcome,
  type Course,
  type DropsEvidence,
  FLAT,
  type Judgement,
  type LatencyEvidence,
  type Loss,
  type SinglePointEvidence,
  type SinglePointPart,
  SPREAD_FACTOR,
  type StabilityEvidence,
  type TestDrops,
  type ThroughputEvidence,
} from "../../../analysis/claims/claims.ts";
import {
  CODECS,
  type Estimate,
  FEWEST,
  type Lack,
  LEAST_NOISE,
  type StageDifferences,
} from "../../../analysis/claims/evidence.ts";
import { PUBLISHED_IPC } from "../../../analysis/claims/published.ts";
import { defined } from "../../../model/defined.ts";
import { formatShare } from "../../../model/share.ts";
import {
  formatCount,
  formatDifference,
  formatMegabytes,
  formatNanos,
  formatRatio,
  formatSpeed,
} from "../../units.ts";

/** What was claimed. */
export const STATEMENTS: Readonly<Record<ClaimName, string>> = {
  "capnp-latency": "Cap'n Proto's latency at 6.5 MB is about half of Protobuf's on x86_64 (52 % lower)",
  "capnp-throughput": "Cap'n Proto's throughput over 1000 MB is higher",
  "capnp-stable": "Cap'n Proto's latency does not drift over 20,000 messages; Protobuf's does",
  "capnp-drops-less":
    "At 26 MB, one-to-two and two-to-one, Cap'n Proto drops 0 of 100 messages, Protobuf 28 and 25",
  "capnp-single-point":
    "Cap'n Proto's per-process handling time is lower and steadier, for 100 messages and for 1",
};

/** How claims are judged, a sentence or two each. */
export const CLAIM_RULES: readonly string[] = [
  "Intervals are of 95 %, and every fourth message counts as independent of the others.",
  `No interval of times or rates is narrower than ±${LEAST_NOISE * 100} %: another process of the same program may differ by that much, which one run does not show.`,
  "The interval of a median is that of order statistics, between the percentiles that the record has; that of a share of drops is Wilson's.",
  `Times are flat where the 95 % interval of their slope, over the whole run, stays within ±${FLAT * 100} % of the median, and drift where it lies beyond; in between they may be either.`,
  `For the first message, the processes of all tests on the same data are compared by a rank test at 5 %. Steadier means that p90 − p50 is less than the other's by a factor of ${SPREAD_FACTOR}.`,
];

/** What is said of a claim on a dataset. */
export interface ClaimWords {
  readonly outcome: string;
  /** The numbers that say so, or what they lack. */
  readonly because: string;
  /** Which stage made the difference; absent where nothing can be compared. */
  readonly stage?: string;
}

/** A claim's outcome in words. */
export function claimWords(found: ClaimOutcome): ClaimWords {
  const outcome = OUTCOMES[found.judgement];
  const lack = found.lack === undefined ? [] : [lackText(found.lack)];
  const said = evidenceWords(found);
  const because = [...lack, ...(said === undefined ? [] : [said.because])].join("; ");
  // What was too little to judge by explains nothing either.
  const stage = found.lack === undefined ? said?.stage : undefined;
  return { outcome, because, ...defined({ stage }) };
}

const OUTCOMES: Readonly<Record<Judgement, string>> = {
  holds: "holds here",
  fails: "does not hold here",
  undecided: "cannot be told",
};

/** The evidence, and what explains it. */
interface Said {
  readonly because: string;
  readonly stage?: string | undefined;
}

function evidenceWords(found: ClaimOutcome): Said | undefined {
  switch (found.claim) {
    case "capnp-latency":
      return found.evidence && latencyWords(found.evidence, found.judgement);
    case "capnp-throughput":
      return found.evidence && throughputWords(found.evidence, found.judgement);
    case "capnp-stable":
      return found.evidence && stabilityWords(found.evidence);
    case "capnp-drops-less":
      return found.evidence && dropsWords(found.evidence);
    case "capnp-single-point":
      return found.evidence && singlePointWords(found.evidence);
  }
}

function lackText(lack: Lack): string {
  switch (lack.kind) {
    case "no-test":
      return `the test was not made on ${lack.dataset}`;
    case "not-measured":
      return `${lack.codec} was not measured`;
    case "refused":
      return `${lack.codec}: ${lack.status}: ${lack.reason}`;
    case "between-threads":
      return `${lack.codec} was measured between threads, not between processes`;
    case "not-alike":
      return `${CODECS.capnp} and ${CODECS.protobuf} were not measured alike`;
    case "other-size":
      return `messages are of ${lack.sizes.map(formatMegabytes).join(" and ")}, the published ones of ${lack.megabytes} MB`;
    case "reliable":
      return "nothing was sent that may be lost";
    case "fewer-messages":
      return `${formatCount(lack.messages)} messages, where the published test has ${formatCount(lack.published)}`;
    case "fewer-bytes":
      return `${formatMegabytes(lack.bytes)} arrived, where the published test has ${lack.megabytes} MB`;
    case "too-few":
      return lack.arrived === undefined
        ? "too few messages arrived"
        : `${lack.arrived} messages arrived, fewer than ${FEWEST}`;
    case "no-median":
      return `fewer than ${FEWEST} messages arrived`;
  }
}

/** There is a difference that a stage can have made only where it is certain. */
function stagesOf(stages: StageDifferences | undefined, judgement: Judgement): string | undefined {
  return stages === undefined || judgement === "undecided" ? undefined : stagesText(stages);
}

function stagesText({ each, causes, decisive }: StageDifferences): string {
  const made =
    decisive === undefined
      ? `none of ${causes.join(", ")} made a difference`
      : `${decisive} made the difference`;
  const differences = each.map(({ stage, nanos }) => `${stage} ${formatDifference(nanos)}`).join(", ");
  return `${made}; Cap'n Proto's medians less Protobuf's: ${differences}`;
}

function latencyWords({ capnp, protobuf, ratio, stages }: LatencyEvidence, judgement: Judgement): Said {
  const time = (codec: string, { middle, low, high }: Estimate): string =>
    `${codec} ${formatNanos(middle)} (${formatNanos(low)} to ${formatNanos(high)})`;
  const { x86_64, aarch64 } = PUBLISHED_IPC.latency;
  return {
    because: `medians of ${time(CODECS.capnp, capnp)} and ${time(CODECS.protobuf, protobuf)}: ${timesText(ratio)}, published ${formatRatio(x86_64.capnpMs / x86_64.protobufMs)} on x86_64 and ${formatRatio(aarch64.capnpMs / aarch64.protobufMs)} on aarch64; up to ${formatRatio(ABOUT_HALF)} counts as about half or less`,
    stage: stagesOf(stages, judgement),
  };
}

function throughputWords({ capnp, protobuf, ratio, stages }: ThroughputEvidence, judgement: Judgement): Said {
  return {
    because: `${CODECS.capnp} ${formatSpeed(capnp)} MB/s, ${CODECS.protobuf} ${formatSpeed(protobuf)} MB/s of payload: ${timesText(ratio)}`,
    stage: stagesOf(stages, judgement),
  };
}

/** `1.30 times (1.07 to 1.57)`. */
function timesText({ middle, low, high }: Estimate): string {
  return `${formatRatio(middle)} times (${formatRatio(low)} to ${formatRatio(high)})`;
}

const COURSES: Readonly<Record<Course["kind"], string>> = {
  flat: "is flat",
  drifts: "drifts",
  either: "may be either",
};

function stabilityWords({ capnp, protobuf }: StabilityEvidence): Said {
  const restless = [capnp, protobuf].flatMap((course) =>
    course.restless === undefined ? [] : [`${course.codec}'s times are spread most by ${course.restless}`],
  );
  return {
    because: [capnp, protobuf].map(courseText).join("; "),
    stage: restless.length === 0 ? undefined : restless.join("; "),
  };
}

function courseText({ codec, kind, moved, spread }: Course): string {
  const signed = (share: number): string => `${share < 0 ? "" : "+"}${formatShare(share)}`;
  const far = spread === undefined ? "" : `, p99 is ${formatRatio(spread)} times the median`;
  return `${codec} ${COURSES[kind]}: ${signed(moved.middle)} of its median over the run (${signed(moved.low)} to ${signed(moved.high)})${far}`;
}

function dropsWords(tests: DropsEvidence): Said {
  const said = tests.map(({ test, lack, evidence, judgement }) => {
    if (evidence === undefined) return { because: `${test}: ${lack === undefined ? "" : lackText(lack)}` };
    const stages = evidence.stages === undefined ? [] : [stagesText(evidence.stages)];
    return {
      because: lossesText(test, evidence),
      ...(judgement === "undecided"
        ? {}
        : { stage: `${test}: ${[placesText(evidence), ...stages].join("; ")}` }),
    };
  });
  const stages = said.flatMap(({ stage }) => (stage === undefined ? [] : [stage]));
  return {
    because: said.map(({ because }) => because).join("; "),
    stage: stages.length === 0 ? undefined : stages.join("; "),
  };
}

function lossesText(test: string, { capnp, protobuf, rateHz, depth }: TestDrops): string {
  const pace = rateHz === undefined ? "as soon as they may be" : `at ${rateHz} per second`;
  const loss = ({ lost, published, share }: Loss): string =>
    `${formatCount(lost)} of ${formatCount(published)} (${formatShare(share.low)} to ${formatShare(share.high)})`;
  const none =
    capnp.lost === 0 && protobuf.lost === 0 ? "; nothing was lost, so there is nothing to compare" : "";
  return `${test}, sent ${pace} to queues that keep ${depth}: ${CODECS.capnp} drops ${loss(capnp)}, ${CODECS.protobuf} ${loss(protobuf)}${none}`;
}

/** Where either codec's messages were lost. */
function placesText({ capnp, protobuf }: TestDrops): string {
  const at = (place: keyof Loss["places"]): string => `${capnp.places[place]} and ${protobuf.places[place]}`;
  return `${CODECS.capnp} and ${CODECS.protobuf} lost in talkers' queues ${at("sender")}, overwritten ${at("overwritten")}, in listeners' queues ${at("receiver")}`;
}

function singlePointWords(parts: SinglePointEvidence): Said {
  const named = (which: (order: number) => boolean): string[] =>
    parts.filter(({ order }) => which(order)).map(partName);
  const against = named((order) => order > 0);
  const list = (names: readonly string[]): string => (names.length === 0 ? "nothing" : names.join(", "));
  return {
    because: `${CODECS.capnp} and ${CODECS.protobuf}, ${parts.map((part) => `${partName(part)}: ${partText(part)}`).join("; ")}`,
    stage:
      against.length > 0
        ? `against the claim: ${list(against)}`
        : `for the claim: ${list(named((order) => order < 0))}; not certain: ${list(named((order) => order === 0))}`,
  };
}

function partName(part: SinglePointPart): string {
  switch (part.kind) {
    case "height":
      return `${part.stage} of ${part.messages}`;
    case "spread":
      return `spread of ${part.stage}`;
    case "first":
      return `first message of the ${part.role}`;
  }
}

function partText(part: SinglePointPart): string {
  switch (part.kind) {
    case "height": {
      if (part.medians === undefined) return "no median";
      const { capnp, protobuf, ratio } = part.medians;
      return `${formatNanos(capnp.middle)} and ${formatNanos(protobuf.middle)} (${formatRatio(ratio.low)} to ${formatRatio(ratio.high)} times)`;
    }
    case "spread":
      return part.spreads === undefined
        ? "no p90"
        : `${formatNanos(part.spreads.capnp)} and ${formatNanos(part.spreads.protobuf)}`;
    case "first":
      return `${firstsText(part.firsts.capnp)} and ${firstsText(part.firsts.protobuf)}`;
  }
}

function firstsText(times: readonly number[]): string {
  if (times.length === 0) return "none";
  return `${formatNanos(Math.min(...times))} to ${formatNanos(Math.max(...times))} in ${times.length} processes`;
}

/** What a record says of the published claims, in words. The numbers and the judgements are made in `analysis/claims`. */
import {
  ABOUT_HALF,
  type ClaimName,
  type ClaimOutcome,
  type Course,
  type Difference,
  FLAT,
  type Judgement,
  type Loss,
  type Losses,
  type Part,
  SPREAD_FACTOR,
  type TestDrops,
} from "../../../analysis/claims/claims.ts";
import {
  type Both,
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
  if (found.evidence === undefined) return undefined;
  switch (found.claim) {
    case "capnp-latency":
    case "capnp-throughput":
      return differenceWords(found.claim, found.evidence, found.judgement);
    case "capnp-stable":
      return stabilityWords(found.evidence);
    case "capnp-drops-less":
      return dropsWords(found.evidence);
    case "capnp-single-point":
      return singlePointWords(found.evidence);
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

function stagesText({ each, causes, decisive }: StageDifferences): string {
  const made =
    decisive === undefined
      ? `none of ${causes.join(", ")} made a difference`
      : `${decisive} made the difference`;
  const differences = each.map(({ stage, nanos }) => `${stage} ${formatDifference(nanos)}`).join(", ");
  return `${made}; Cap'n Proto's medians less Protobuf's: ${differences}`;
}

const DIFFERENCES = { "capnp-latency": latencyText, "capnp-throughput": throughputText } as const;

function differenceWords(claim: keyof typeof DIFFERENCES, found: Difference, judgement: Judgement): Said {
  const { stages } = found;
  return {
    because: DIFFERENCES[claim](found),
    // There is a difference that a stage can have made only where it is certain.
    stage: stages === undefined || judgement === "undecided" ? undefined : stagesText(stages),
  };
}

function latencyText({ figures: { capnp, protobuf }, ratio }: Difference): string {
  const time = (codec: string, { middle, low, high }: Estimate): string =>
    `${codec} ${formatNanos(middle)} (${formatNanos(low)} to ${formatNanos(high)})`;
  const { x86_64, aarch64 } = PUBLISHED_IPC.latency;
  return `medians of ${time(CODECS.capnp, capnp)} and ${time(CODECS.protobuf, protobuf)}: ${timesText(ratio)}, published ${formatRatio(x86_64.capnpMs / x86_64.protobufMs)} on x86_64 and ${formatRatio(aarch64.capnpMs / aarch64.protobufMs)} on aarch64; up to ${formatRatio(ABOUT_HALF)} counts as about half or less`;
}

function throughputText({ figures: { capnp, protobuf }, ratio }: Difference): string {
  return `${CODECS.capnp} ${formatSpeed(capnp.middle)} MB/s, ${CODECS.protobuf} ${formatSpeed(protobuf.middle)} MB/s of payload: ${timesText(ratio)}`;
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

function stabilityWords(courses: Both<Course>): Said {
  const sides = ["capnp", "protobuf"] as const;
  const restless = sides.flatMap((side) => {
    const stage = courses[side].restless;
    return stage === undefined ? [] : [`${CODECS[side]}'s times are spread most by ${stage}`];
  });
  return {
    because: sides.map((side) => `${CODECS[side]} ${courseText(courses[side])}`).join("; "),
    stage: joined(restless),
  };
}

function courseText({ kind, moved, spread }: Course): string {
  const signed = (share: number): string => `${share < 0 ? "" : "+"}${formatShare(share)}`;
  const far = spread === undefined ? "" : `, p99 is ${formatRatio(spread)} times the median`;
  return `${COURSES[kind]}: ${signed(moved.middle)} of its median over the run (${signed(moved.low)} to ${signed(moved.high)})${far}`;
}

function joined(parts: readonly string[]): string | undefined {
  return parts.length === 0 ? undefined : parts.join("; ");
}

function dropsWords(tests: readonly TestDrops[]): Said {
  const because = tests.map(({ test, lack, evidence }) => {
    if (evidence !== undefined) return `${test}${lossesText(evidence)}`;
    return `${test}: ${lack === undefined ? "" : lackText(lack)}`;
  });
  const stages = tests.flatMap(({ test, evidence, judgement }) => {
    if (evidence === undefined || judgement === "undecided") return [];
    const made = evidence.stages === undefined ? [] : [stagesText(evidence.stages)];
    return [`${test}: ${[placesText(evidence.figures), ...made].join("; ")}`];
  });
  return { because: because.join("; "), stage: joined(stages) };
}

function lossesText({ figures: { capnp, protobuf }, rateHz, depth }: Losses): string {
  const pace = rateHz === undefined ? "as soon as they may be" : `at ${rateHz} per second`;
  const loss = ({ lost, published, share }: Loss): string =>
    `${formatCount(lost)} of ${formatCount(published)} (${formatShare(share.low)} to ${formatShare(share.high)})`;
  const none =
    capnp.lost === 0 && protobuf.lost === 0 ? "; nothing was lost, so there is nothing to compare" : "";
  return `, sent ${pace} to queues that keep ${depth}: ${CODECS.capnp} drops ${loss(capnp)}, ${CODECS.protobuf} ${loss(protobuf)}${none}`;
}

/** Where either codec's messages were lost. */
function placesText({ capnp, protobuf }: Both<Loss>): string {
  const at = (place: keyof Loss["places"]): string => `${capnp.places[place]} and ${protobuf.places[place]}`;
  return `${CODECS.capnp} and ${CODECS.protobuf} lost in talkers' queues ${at("sender")}, overwritten ${at("overwritten")}, in listeners' queues ${at("receiver")}`;
}

function singlePointWords(parts: readonly Part[]): Said {
  const named = (order: number): string => {
    const names = parts.filter((part) => Math.sign(part.order) === order).map(nameOf);
    return names.length === 0 ? "nothing" : names.join(", ");
  };
  return {
    because: `${CODECS.capnp} and ${CODECS.protobuf}, ${parts.map((part) => `${nameOf(part)}: ${partText(part)}`).join("; ")}`,
    stage: parts.some(({ order }) => order > 0)
      ? `against the claim: ${named(1)}`
      : `for the claim: ${named(-1)}; not certain: ${named(0)}`,
  };
}

function nameOf({ kind, role, stage, messages }: Part): string {
  if (kind === "first") return `first message of the ${role}`;
  return kind === "median" ? `${stage} of ${messages}` : `spread of ${stage}`;
}

function partText({ kind, nanos: { capnp, protobuf }, ratio }: Part): string {
  if (kind === "first") return `${firstsText(capnp)} and ${firstsText(protobuf)}`;
  const [one, other] = [capnp[0], protobuf[0]];
  if (one === undefined || other === undefined) return kind === "median" ? "no median" : "no p90";
  const times = ratio === undefined ? "" : ` (${formatRatio(ratio.low)} to ${formatRatio(ratio.high)} times)`;
  return `${formatNanos(one)} and ${formatNanos(other)}${times}`;
}

function firstsText(times: readonly number[]): string {
  if (times.length === 0) return "none";
  return `${formatNanos(Math.min(...times))} to ${formatNanos(Math.max(...times))} in ${times.length} processes`;
}

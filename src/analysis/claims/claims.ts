/** What a record says of each claim that was published of Cap'n Proto and Protobuf between processes, in numbers. */
import { defined } from "../../model/defined.ts";
import type { IpcPair, IpcProcess, IpcRecord, IpcTestRecord } from "../../model/records/ipc.ts";
import { baseName, STAGES, type Stage } from "../ipc-tests.ts";
import { rankOrder } from "../statistics/inference.ts";
import {
  type AlikeTests,
  alikeTests,
  type Both,
  bareEstimate,
  both,
  CODECS,
  type Estimate,
  FEWEST,
  isLack,
  type Lack,
  LEAST_NOISE,
  medianEstimate,
  ofSize,
  ratioOf,
  type StageDifferences,
  shareEstimate,
  stageDifferences,
  type Wanted,
} from "./evidence.ts";
import { PUBLISHED_IPC } from "./published.ts";

/** Whether the numbers leave no doubt that a claim holds, or that it does not. */
export type Judgement = "holds" | "fails" | "undecided";

/** What a record says of a claim on one dataset. */
export type ClaimOutcome = {
  readonly [Name in ClaimName]: Found<Evidence[Name]> & {
    readonly claim: Name;
    /** Without a size. */
    readonly dataset: string;
  };
}[ClaimName];

/** The evidence, what it lacks, or both: numbers that are too few to judge by. */
interface Found<E> {
  readonly judgement: Judgement;
  readonly lack?: Lack;
  readonly evidence?: E;
}

/** The evidence of each claim, in the order in which the claims were published. */
interface Evidence {
  readonly "capnp-latency": Difference;
  readonly "capnp-throughput": Difference;
  readonly "capnp-stable": Both<Course>;
  readonly "capnp-drops-less": readonly TestDrops[];
  readonly "capnp-single-point": readonly Part[];
}

/** The claims that were published. */
export type ClaimName = keyof Evidence;

/** How each claim is judged: a pure function of the record. */
const JUDGES: { readonly [Name in ClaimName]: Judge<Evidence[Name]> } = {
  "capnp-latency": judgeLatency,
  "capnp-throughput": judgeThroughput,
  "capnp-stable": judgeStability,
  "capnp-drops-less": judgeDrops,
  "capnp-single-point": judgeSinglePoint,
};

type Judge<E> = (record: IpcRecord, dataset: string) => Found<E>;

/** Datasets of the published sizes: the first is the one that claims are judged by. */
export const CLAIM_DATASETS = ["frame", "cloud"] as const;

/** What a record says of each published claim, on each dataset of {@link CLAIM_DATASETS} that it has. */
export function claimOutcomes(record: IpcRecord): ClaimOutcome[] {
  const found = CLAIM_DATASETS.filter((name) => record.tests.some((row) => baseName(row) === name));
  const datasets = found.length === 0 ? [CLAIM_DATASETS[0]] : found;
  return (Object.keys(JUDGES) as ClaimName[]).flatMap((claim) =>
    datasets.map((dataset) => ({ claim, dataset, ...JUDGES[claim](record, dataset) }) as ClaimOutcome),
  );
}

/** Whether a record has anything that could be put beside the published figures. */
export function isComparable(record: IpcRecord): boolean {
  const codecs: readonly string[] = Object.values(CODECS);
  const datasets: readonly string[] = CLAIM_DATASETS;
  return record.tests.some((row) => codecs.includes(row.codec) && datasets.includes(baseName(row)));
}

function judgementOf(holds: boolean, fails: boolean): Judgement {
  if (fails) return "fails";
  return holds ? "holds" : "undecided";
}

function undecided(lack: Lack): { judgement: Judgement; lack: Lack } {
  return { judgement: "undecided", lack };
}

/** What is judged of the tests that are wanted, or what they lack. */
function judged<E>(record: IpcRecord, wanted: Wanted, judge: (tests: AlikeTests) => Found<E>): Found<E> {
  const tests = alikeTests(record, wanted);
  return isLack(tests) ? undecided(tests) : judge(tests);
}

/** A figure of both codecs: medians of end-to-end times in nanoseconds, or rates of payload in bytes per second. */
export interface Difference {
  readonly figures: Both<Estimate>;
  /** Cap'n Proto's as a multiple of Protobuf's. */
  readonly ratio: Estimate;
  readonly stages: StageDifferences | undefined;
}

/** Up to which multiple of the other's a latency is about half of it, or less. */
export const ABOUT_HALF = 2 / 3;

/** Cap'n Proto's end-to-end times at 6.5 MB are about half of Protobuf's. */
function judgeLatency(record: IpcRecord, dataset: string): Found<Difference> {
  const fitting: Wanted["fitting"] = (own) => ofSize(own, PUBLISHED_IPC.latency.megabytes);
  return judged(record, { test: "latency", dataset, fitting }, (tests) => {
    const figures = both(tests, ({ stages }) => medianEstimate(stages.endToEnd));
    if (figures === undefined) return undecided({ kind: "no-median" });
    const ratio = ratioOf(figures);
    return {
      judgement: judgementOf(ratio.high <= ABOUT_HALF, ratio.low > ABOUT_HALF),
      evidence: { figures, ratio, stages: stageDifferences(tests, ratio.middle > 1) },
    };
  });
}

/** What the last message may lack of the published payload, as a share. */
const ROUNDING = 0.05;

/** Cap'n Proto carries 1000 MB at a higher rate than Protobuf. */
function judgeThroughput(record: IpcRecord, dataset: string): Found<Difference> {
  return judged(record, { test: "throughput", dataset }, (tests) => {
    const figures = both(
      tests,
      ({ throughput }) => throughput && bareEstimate(throughput.payloadBytesPerSecond),
    );
    if (figures === undefined) return undecided({ kind: "too-few" });
    const ratio = ratioOf(figures);
    // Flat out, a message waits for the one before it, which counts as transport and is no cause.
    const stages = stageDifferences(tests, ratio.middle < 1, ["encode", "decode"]);
    const evidence = { figures, ratio, stages };
    const arrived = Math.min(tests.capnp.stages.endToEnd?.n ?? 0, tests.protobuf.stages.endToEnd?.n ?? 0);
    const bytes = arrived * tests.capnp.payloadBytes;
    const { megabytes } = PUBLISHED_IPC.throughput;
    if (bytes < megabytes * 1e6 * (1 - ROUNDING))
      return { ...undecided({ kind: "fewer-bytes", bytes, megabytes }), evidence };
    if (arrived < FEWEST) return { ...undecided({ kind: "too-few", arrived }), evidence };
    return { judgement: judgementOf(ratio.low > 1, ratio.high < 1), evidence };
  });
}

/** How much of the median end-to-end times may move over a run that is flat. */
export const FLAT = LEAST_NOISE;

/** How a codec's times went over a run. */
export interface Course {
  readonly kind: "flat" | "drifts" | "either";
  /** By which share of the median they moved. */
  readonly moved: Estimate;
  /** p99 as a multiple of the median; absent where there is none. */
  readonly spread?: number;
  /** The stage whose times are spread most between the median and p99; absent where none is. */
  readonly restless?: Stage;
}

/** Cap'n Proto's end-to-end times stay flat over 20,000 messages, and Protobuf's do not. */
function judgeStability(record: IpcRecord, dataset: string): Found<Both<Course>> {
  return judged(record, { test: "stability", dataset }, (tests) => {
    const evidence = both(tests, courseOf);
    if (evidence === undefined) return undecided({ kind: "too-few" });
    const { messages } = tests.capnp;
    const { messages: published } = PUBLISHED_IPC.stability;
    if (messages < published)
      return { ...undecided({ kind: "fewer-messages", messages, published }), evidence };
    const { capnp, protobuf } = evidence;
    return {
      judgement: judgementOf(
        capnp.kind === "flat" && protobuf.kind === "drifts",
        capnp.kind === "drifts" || protobuf.kind === "flat",
      ),
      evidence,
    };
  });
}

function courseOf({ messages, drift, stages }: IpcTestRecord): Course | undefined {
  const { p50, p99 } = stages.endToEnd ?? {};
  if (drift === undefined || p50 === undefined || p50 === 0) return undefined;
  const overRun = (slope: number): number => (slope * messages) / 1000 / p50;
  const [low, high] = [overRun(drift.ci95[0]), overRun(drift.ci95[1])];
  const isFlat = -FLAT <= low && high <= FLAT;
  const spreads = STAGES.map((stage) => {
    const { p50: middle, p99: far } = stages[stage] ?? {};
    return { stage, spread: middle === undefined || far === undefined ? 0 : far - middle };
  });
  const most = spreads.reduce((best, one) => (one.spread > best.spread ? one : best));
  return {
    kind: low > FLAT || high < -FLAT ? "drifts" : isFlat ? "flat" : "either",
    moved: { middle: overRun(drift.slopePer1000), low, high },
    ...defined({
      spread: p99 === undefined ? undefined : p99 / p50,
      restless: most.spread > 0 ? most.stage : undefined,
    }),
  };
}

/** What both codecs lost in a test that was published with drops. */
export interface TestDrops extends Found<Losses> {
  readonly test: "one-to-two" | "two-to-one";
}

/** What both codecs lost, and what it was lost to. */
export interface Losses {
  readonly figures: Both<Loss>;
  /** Messages per second; absent where each is sent as soon as it may be. */
  readonly rateHz?: number;
  /** Messages that a queue keeps. */
  readonly depth: number;
  readonly stages: StageDifferences | undefined;
}

/** What a codec lost, over all pairs of talker and listener. */
export interface Loss {
  readonly lost: number;
  readonly published: number;
  readonly share: Estimate;
  readonly places: IpcPair["drops"];
}

/** The published size with drops: that of 6.5 MB has none to speak of. */
const DROPS_MEGABYTES = Math.max(...PUBLISHED_IPC.fanOut.map(({ megabytes }) => megabytes));

/** Where messages may be lost, Cap'n Proto loses fewer of 26 MB, with two listeners and with two talkers. */
function judgeDrops(record: IpcRecord, dataset: string): Found<readonly TestDrops[]> {
  const evidence = (["one-to-two", "two-to-one"] as const).map((test) => ({
    test,
    ...judged(record, { test, dataset, fitting: lossyOnes }, lossesOf),
  }));
  return {
    judgement: judgementOf(
      evidence.every(({ judgement }) => judgement === "holds"),
      evidence.some(({ judgement }) => judgement === "fails"),
    ),
    evidence,
  };
}

function lossyOnes(own: readonly IpcTestRecord[]): readonly IpcTestRecord[] | Lack {
  const lossy = own.filter(({ reliability }) => reliability === "best-effort");
  return lossy.length === 0 ? { kind: "reliable" } : ofSize(lossy, DROPS_MEGABYTES);
}

function lossesOf(tests: AlikeTests): Found<Losses> {
  const figures = { capnp: lossOf(tests.capnp), protobuf: lossOf(tests.protobuf) };
  const { capnp, protobuf } = figures;
  const { depth, rateHz } = tests.capnp;
  const stages = stageDifferences(tests, capnp.share.middle > protobuf.share.middle);
  return {
    judgement: judgementOf(capnp.share.high < protobuf.share.low, capnp.share.low > protobuf.share.high),
    evidence: { figures, depth, stages, ...defined({ rateHz }) },
  };
}

function lossOf({ pairs }: IpcTestRecord): Loss {
  const sum = (count: (pair: IpcPair) => number): number =>
    pairs.reduce((total, pair) => total + count(pair), 0);
  const published = sum((pair) => pair.published);
  const lost = published - sum((pair) => pair.received);
  return {
    lost,
    published,
    share: shareEstimate(lost, published),
    places: {
      sender: sum(({ drops }) => drops.sender),
      overwritten: sum(({ drops }) => drops.overwritten),
      receiver: sum(({ drops }) => drops.receiver),
    },
  };
}

/** A part of what a talker or a listener had to do. */
export interface Part {
  /** The median of many messages, from there to p90, or the first message of each process. */
  readonly kind: "median" | "spread" | "first";
  readonly role: IpcProcess["role"];
  readonly stage: Stage;
  /** Of so many per talker. */
  readonly messages: number;
  /** Below 0 where Cap'n Proto's figure is the lower for certain, above 0 where it is the higher. */
  readonly order: number;
  /** Nanoseconds: one, or one per process; none where a codec has none. */
  readonly nanos: Both<readonly number[]>;
  /** Cap'n Proto's median as a multiple of Protobuf's. */
  readonly ratio?: Estimate;
}

/** By what factor the spread of times has to differ to be another: that of a hundred messages is itself uncertain. */
export const SPREAD_FACTOR = 1.5;

const SIDES = [
  { role: "talker", stage: "encode" },
  { role: "listener", stage: "decode" },
] as const;

/** A talker's and a listener's own work is less and steadier with Cap'n Proto, for 100 messages and for the first. */
function judgeSinglePoint(record: IpcRecord, dataset: string): Found<readonly Part[]> {
  return judged(record, { test: "single-point", dataset, fitting: longOnes }, (tests) => {
    const evidence = SIDES.flatMap(({ role, stage }) => {
      const about = { role, stage, messages: tests.capnp.messages };
      return [
        { ...about, ...medianOf(tests, stage) },
        { ...about, ...spreadOf(tests, stage) },
        { ...about, ...firstOf(record, tests, role) },
      ];
    });
    return {
      judgement: judgementOf(
        evidence.every(({ order }) => order < 0),
        evidence.some(({ order }) => order > 0),
      ),
      evidence,
    };
  });
}

function longOnes(own: readonly IpcTestRecord[]): readonly IpcTestRecord[] | Lack {
  const { messages: published } = PUBLISHED_IPC.singlePoint;
  const long = own.filter(({ messages }) => messages >= published);
  if (long.length > 0) {
    // No size was said of this test: it is taken to be that of the others.
    return ofSize(long, PUBLISHED_IPC.latency.megabytes);
  }
  return { kind: "fewer-messages", messages: Math.max(...own.map(({ messages }) => messages)), published };
}

type Figures = Pick<Part, "kind" | "order" | "nanos" | "ratio">;

const NONE: Both<readonly number[]> = { capnp: [], protobuf: [] };

function medianOf(tests: AlikeTests, stage: Stage): Figures {
  const found = both(tests, ({ stages }) => medianEstimate(stages[stage]));
  if (found === undefined) return { kind: "median", order: 0, nanos: NONE };
  const ratio = ratioOf(found);
  const order = ratio.high < 1 ? -1 : ratio.low > 1 ? 1 : 0;
  return {
    kind: "median",
    order,
    nanos: { capnp: [found.capnp.middle], protobuf: [found.protobuf.middle] },
    ratio,
  };
}

function spreadOf(tests: AlikeTests, stage: Stage): Figures {
  const found = both(tests, ({ stages }) => {
    const { p50, p90 } = stages[stage] ?? {};
    return p50 === undefined || p90 === undefined ? undefined : p90 - p50;
  });
  if (found === undefined) return { kind: "spread", order: 0, nanos: NONE };
  const { capnp, protobuf } = found;
  const order = capnp * SPREAD_FACTOR <= protobuf ? -1 : capnp >= protobuf * SPREAD_FACTOR ? 1 : 0;
  return {
    kind: "spread",
    order: capnp === protobuf ? 0 : order,
    nanos: { capnp: [capnp], protobuf: [protobuf] },
  };
}

/** The first message that each process on the same data met, whatever the test. */
function firstOf({ tests }: IpcRecord, { capnp: like }: AlikeTests, role: IpcProcess["role"]): Figures {
  const first = (codec: string): number[] =>
    tests
      .filter(
        (row) =>
          row.codec === codec &&
          row.dataset === like.dataset &&
          row.payloadBytes === like.payloadBytes &&
          row.scope === like.scope,
      )
      .flatMap(({ processes }) => processes.filter((process) => process.role === role))
      .map(({ firstHandling }) => firstHandling)
      .filter((nanos) => nanos > 0);
  const nanos = { capnp: first(CODECS.capnp), protobuf: first(CODECS.protobuf) };
  return { kind: "first", order: rankOrder(nanos.capnp, nanos.protobuf), nanos };
}

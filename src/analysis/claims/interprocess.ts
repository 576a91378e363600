/** The claims that were published of Cap'n Proto and Protobuf between processes, judged by the tests of a record. */
import { defined } from "../../model/defined.ts";
import type { ClaimFigure, ClaimPart, ClaimResult, Side } from "../../model/records/claims.ts";
import type { IpcPercentiles, IpcProcess, IpcRecord, IpcTestRecord } from "../../model/records/ipc.ts";
import type { Stage } from "../ipc-tests.ts";
import { rankOrder } from "../statistics/inference.ts";
import { median } from "../statistics/location.ts";
import {
  type AlikeTests,
  alikeTests,
  type Both,
  bareEstimate,
  both,
  decisiveStage,
  type Estimate,
  FEWEST,
  Lack,
  LEAST_NOISE,
  medianEstimate,
  ofSize,
  ratioOf,
  shareEstimate,
} from "./evidence.ts";
import { PUBLISHED_IPC } from "./published.ts";
import { type Judged, judgeRatio, judgeSide, verdictOfParts } from "./rules.ts";
import { nameIn, unmeasured } from "./systems.ts";

/** What both sides of a comparison are called, and where it is looked for. */
interface Asked {
  readonly record: IpcRecord;
  readonly codecs: Both<string>;
  /** Without a size. */
  readonly dataset: string;
}

/** What a record says of a claim, or what it lacks. */
type Judge = (asked: Asked) => Verdict | Lack;

/** A verdict, and the parts that it is made of. */
interface Verdict extends Judged {
  readonly parts: readonly ClaimPart[];
}

/** How each claim is judged: a pure function of the record. */
const JUDGES: Readonly<Record<string, Judge>> = {
  "capnp-latency": judgeLatency,
  "capnp-throughput": judgeThroughput,
  "capnp-stable": judgeStability,
  "capnp-drops-less": judgeDrops,
  "capnp-single-point": judgeSinglePoint,
};

/** Datasets of the published sizes: the first is the one that a verdict is known by. */
export const CLAIM_DATASETS = ["frame", "cloud"] as const;

/** What a record says of a claim on one side: on the first dataset, and on each other that it was tested with. */
export function interprocessResults(record: IpcRecord, id: string, side: Side): ClaimResult[] {
  const judge = JUDGES[id];
  if (judge === undefined) return [];
  const capnp = nameIn(record.tests, "capnp", side);
  const protobuf = nameIn(record.tests, "protobuf", side);
  const subjects = [capnp, protobuf].filter((name) => name !== undefined);
  if (capnp === undefined || protobuf === undefined) {
    const system = capnp === undefined ? "capnp" : "protobuf";
    return [{ side, subjects, verdict: "not testable", parts: [], reason: unmeasured(system, side) }];
  }
  return CLAIM_DATASETS.flatMap((dataset): ClaimResult[] => {
    const found = judge({ record, codecs: { capnp, protobuf }, dataset });
    const about = { side, subjects, dataset };
    if (!(found instanceof Lack)) return [{ ...about, ...found }];
    const isSpare = dataset !== CLAIM_DATASETS[0];
    return isSpare ? [] : [{ ...about, verdict: "not testable", parts: [], reason: found.reason }];
  });
}

/** A verdict of a single comparison, or of several that all have to hold. */
function verdictOn(...parts: readonly ClaimPart[]): Verdict {
  return { ...verdictOfParts(parts), parts };
}

/** A ratio of Cap'n Proto's figure to Protobuf's as a part of a claim, but for what was published and the verdict. */
function ratioPart(what: string, { codecs }: Asked, figures: Both<Estimate>, unit: ClaimFigure["unit"]) {
  const ratio = ratioOf(figures);
  return {
    ratio,
    part: {
      what,
      figures: figuresOf(codecs, { capnp: figures.capnp.middle, protobuf: figures.protobuf.middle }, unit),
      ratio: ratio.middle,
      ci95: [ratio.low, ratio.high] as const,
    },
  };
}

function figuresOf(codecs: Both<string>, values: Both<number>, unit: ClaimFigure["unit"]): ClaimFigure[] {
  return (["capnp", "protobuf"] as const).map((one) => ({ of: codecs[one], value: values[one], unit }));
}

/** Up to which multiple of the other's a latency is about half of it, or less. */
export const ABOUT_HALF = 2 / 3;

/** Cap'n Proto's end-to-end times at 6.5 MB are about half of Protobuf's. */
function judgeLatency(asked: Asked): Verdict | Lack {
  const { megabytes, x86_64 } = PUBLISHED_IPC.latency;
  const tests = alikeTests(asked.record, {
    ...asked,
    test: "latency",
    fitting: (own) => ofSize(own, megabytes),
  });
  if (tests instanceof Lack) return tests;
  const figures = both(tests, ({ stages }) => medianEstimate(stages.endToEnd));
  if (figures === undefined) return new Lack(`fewer than ${FEWEST} messages arrived`);
  const { ratio, part } = ratioPart("median from encode to every field read", asked, figures, "nanoseconds");
  const published = [x86_64.capnpMs / x86_64.protobufMs];
  const judged = judgeRatio(ratio, published, { kind: "order", bound: ABOUT_HALF });
  return verdictOn({ ...part, published, ...judged, ...made(tests, ratio.middle > 1) });
}

/** The stage that made a difference. */
function made(
  tests: AlikeTests,
  capnpIsMore: boolean,
  causes?: readonly Stage[],
): Pick<ClaimPart, "decisive"> {
  return defined({ decisive: decisiveStage(tests, capnpIsMore, causes) });
}

/** What the last message may lack of the published payload, as a share. */
const ROUNDING = 0.05;

/** Cap'n Proto carries 1000 MB at a higher rate than Protobuf. */
function judgeThroughput(asked: Asked): Verdict | Lack {
  const tests = alikeTests(asked.record, { ...asked, test: "throughput" });
  if (tests instanceof Lack) return tests;
  const figures = both(
    tests,
    ({ throughput }) => throughput && bareEstimate(throughput.payloadBytesPerSecond),
  );
  if (figures === undefined) return new Lack("too few messages arrived");
  const arrived = Math.min(tests.capnp.stages.endToEnd?.n ?? 0, tests.protobuf.stages.endToEnd?.n ?? 0);
  const payload = (arrived * tests.capnp.payloadBytes) / 1e6;
  const { megabytes } = PUBLISHED_IPC.throughput;
  if (payload < megabytes * (1 - ROUNDING))
    return new Lack(`${payload} MB arrived, where the published test has ${megabytes} MB`);
  if (arrived < FEWEST) return new Lack(`${arrived} messages arrived, fewer than ${FEWEST}`);
  const { ratio, part } = ratioPart("rate of payload at the listener", asked, figures, "bytes per second");
  // Flat out, a message waits for the one before it, which counts as transport and is no cause.
  const stage = made(tests, ratio.middle < 1, ["encode", "decode"]);
  return verdictOn({ ...part, published: [], ...judgeSide(ratio, "above"), ...stage });
}

/** How much of the median end-to-end times may move over a run that is flat. */
export const FLAT = LEAST_NOISE;

/** Cap'n Proto's end-to-end times stay flat over 20,000 messages, and Protobuf's do not. */
function judgeStability(asked: Asked): Verdict | Lack {
  const tests = alikeTests(asked.record, { ...asked, test: "stability" });
  if (tests instanceof Lack) return tests;
  const { messages } = tests.capnp;
  const { messages: published } = PUBLISHED_IPC.stability;
  if (messages < published)
    return new Lack(`${messages} messages, where the published test has ${published}`);
  const moved = both(tests, movedOver);
  if (moved === undefined) return new Lack("too few messages arrived");
  return verdictOn(
    coursePart(asked.codecs.capnp, moved.capnp, "flat"),
    coursePart(asked.codecs.protobuf, moved.protobuf, "drifts"),
  );
}

/** The share of their median by which a test's times moved from its start to its end. */
function movedOver({ messages, drift, stages }: IpcTestRecord): Estimate | undefined {
  const { p50 } = stages.endToEnd ?? {};
  if (drift === undefined || p50 === undefined || p50 === 0) return undefined;
  const share = (slope: number): number => (slope * messages) / 1000 / p50;
  return { middle: share(drift.slopePer1000), low: share(drift.ci95[0]), high: share(drift.ci95[1]) };
}

/** Whether times went as was claimed; the ratio is that of the last to the first, on the line through them. */
function coursePart(of: string, { middle, low, high }: Estimate, claimed: "flat" | "drifts"): ClaimPart {
  const isFlat = -FLAT <= low && high <= FLAT;
  const drifts = low > FLAT || high < -FLAT;
  const found = isFlat ? "flat" : drifts ? "drifts" : undefined;
  const judged: Judged =
    found === undefined
      ? { verdict: "not testable", reason: `${of} may be flat or drift` }
      : { verdict: found === claimed ? "holds" : "reversed" };
  const end = (share: number): number => Math.max(0, 1 + share);
  return {
    what: `time at the end to that at the start: ${claimed === "flat" ? "no drift" : "a drift"} of ${of}`,
    published: [],
    figures: [],
    ratio: end(middle),
    ci95: [end(low), end(high)],
    ...judged,
  };
}

/** The published sizes with drops: those of 6.5 MB have none to speak of. */
const LOSSES = PUBLISHED_IPC.fanOut.filter(({ megabytes }) => megabytes === 26);

/** Where messages may be lost, Cap'n Proto loses fewer of 26 MB, with two listeners and with two talkers. */
function judgeDrops(asked: Asked): Verdict | Lack {
  const parts = LOSSES.map(({ test, messages, megabytes, capnp, protobuf }): ClaimPart => {
    const what = `share dropped, ${test} (published: ${capnp.dropped} and ${protobuf.dropped} of ${messages})`;
    const tests = alikeTests(asked.record, { ...asked, test, fitting: (own) => lossyOnes(own, megabytes) });
    if (tests instanceof Lack)
      return { what, published: [], figures: [], verdict: "not testable", reason: tests.reason };
    const lost = { capnp: lossOf(tests.capnp), protobuf: lossOf(tests.protobuf) };
    return {
      what,
      published: [],
      figures: (["capnp", "protobuf"] as const).map((one) => ({
        of: asked.codecs[one],
        value: lost[one].middle,
        unit: "share",
        messages: lost[one].messages,
      })),
      ...judgeLosses(lost, protobuf.dropped / messages),
      ...made(tests, lost.capnp.middle > lost.protobuf.middle),
    };
  });
  const untested = parts.find(({ verdict }) => verdict === "not testable");
  if (untested?.reason !== undefined && parts.every(({ figures }) => figures.length === 0))
    return new Lack(untested.reason);
  return verdictOn(...parts);
}

/** Where nothing is lost for certain that comes near the published loss, there is no difference to be had. */
function judgeLosses({ capnp, protobuf }: Both<Estimate>, published: number): Judged {
  if (capnp.high < protobuf.low) return { verdict: "holds" };
  if (capnp.low > protobuf.high) return { verdict: "reversed" };
  if (protobuf.high < published / 2) return { verdict: "does not hold" };
  return { verdict: "not testable", reason: "as many may be lost with both" };
}

function lossyOnes(own: readonly IpcTestRecord[], megabytes: number): readonly IpcTestRecord[] | Lack {
  const lossy = own.filter(({ reliability }) => reliability === "best-effort");
  return lossy.length === 0 ? new Lack("nothing was sent that may be lost") : ofSize(lossy, megabytes);
}

/** What a codec lost, over all pairs of talker and listener, as a share of so many messages. */
function lossOf({ pairs }: IpcTestRecord): Estimate & { readonly messages: number } {
  const sum = (count: (pair: IpcTestRecord["pairs"][number]) => number): number =>
    pairs.reduce((total, pair) => total + count(pair), 0);
  const messages = sum(({ published }) => published);
  return { ...shareEstimate(messages - sum(({ received }) => received), messages), messages };
}

/** By what factor the spread of times has to differ to be another: that of a hundred messages is itself uncertain. */
export const SPREAD_FACTOR = 1.5;

const SIDES = [
  { role: "talker", stage: "encode" },
  { role: "listener", stage: "decode" },
] as const;

/**
 * A talker's and a listener's own work is less and steadier with Cap'n Proto, for 100 messages and for the first. Where it is less
 * for certain, and nothing says the contrary of the rest, the claim holds weaker.
 */
function judgeSinglePoint(asked: Asked): Verdict | Lack {
  const tests = alikeTests(asked.record, { ...asked, test: "single-point", fitting: longOnes });
  if (tests instanceof Lack) return tests;
  const medians = SIDES.map(({ stage }) => medianPart(asked, tests, stage));
  const others = SIDES.flatMap(({ role, stage }) => [
    spreadPart(asked, tests, stage),
    firstPart(asked, tests, role),
  ]);
  const isLess = medians.every(({ verdict }) => verdict === "holds");
  const isOpen = others.every(({ verdict }) => verdict === "holds" || verdict === "not testable");
  const whole = verdictOn(...medians, ...others);
  return isLess && isOpen && whole.verdict !== "holds"
    ? { verdict: "holds weaker", parts: whole.parts }
    : whole;
}

function longOnes(own: readonly IpcTestRecord[]): readonly IpcTestRecord[] | Lack {
  const { messages: published } = PUBLISHED_IPC.singlePoint;
  const long = own.filter(({ messages }) => messages >= published);
  // No size was said of this test: it is taken to be that of the others.
  if (long.length > 0) return ofSize(long, PUBLISHED_IPC.latency.megabytes);
  const most = Math.max(...own.map(({ messages }) => messages));
  return new Lack(`${most} messages, where the published test has ${published}`);
}

function medianPart(asked: Asked, tests: AlikeTests, stage: Stage): ClaimPart {
  const what = `median of ${stage}, ${tests.capnp.messages} messages`;
  const figures = both(tests, ({ stages }) => medianEstimate(stages[stage]));
  if (figures === undefined) return unknown(what, "there is no median");
  const { ratio, part } = ratioPart(what, asked, figures, "nanoseconds");
  return { ...part, published: [], ...judgeSide(ratio, "below") };
}

function unknown(what: string, reason: string): ClaimPart {
  return { what, published: [], figures: [], verdict: "not testable", reason };
}

/** How far the slow tenth of the messages is from the middle. */
function spreadPart({ codecs }: Asked, tests: AlikeTests, stage: Stage): ClaimPart {
  const what = `spread of ${stage}, p90 less p50`;
  const spread = (times: IpcPercentiles | undefined): number | undefined =>
    times?.p50 === undefined || times.p90 === undefined ? undefined : times.p90 - times.p50;
  const found = both(tests, ({ stages }) => spread(stages[stage]));
  if (found === undefined) return unknown(what, "there is no p90");
  const { capnp, protobuf } = found;
  const ratio = capnp / protobuf;
  const figures = figuresOf(codecs, found, "nanoseconds");
  const judged: Judged =
    ratio <= 1 / SPREAD_FACTOR
      ? { verdict: "holds" }
      : ratio >= SPREAD_FACTOR
        ? { verdict: "reversed" }
        : { verdict: "not testable", reason: `spreads within a factor of ${SPREAD_FACTOR} may be chance` };
  return { what, published: [], figures, ...(Number.isFinite(ratio) ? { ratio } : {}), ...judged };
}

/** The first message that each process on the same data met, whatever the test. */
function firstPart(
  { record, codecs }: Asked,
  { capnp: like }: AlikeTests,
  role: IpcProcess["role"],
): ClaimPart {
  const first = (codec: string): number[] =>
    record.tests
      .filter(
        (row) =>
          row.codec === codec &&
          row.dataset === like.dataset &&
          row.payloadBytes === like.payloadBytes &&
          row.scope === like.scope,
      )
      .flatMap(({ processes, first: own }) => [
        ...processes.filter((process) => process.role === role).map(({ firstHandling }) => firstHandling),
        ...(own?.[`${role}s`] ?? []),
      ])
      .filter((nanos) => nanos > 0);
  const nanos = { capnp: first(codecs.capnp), protobuf: first(codecs.protobuf) };
  const what = `first message of a ${role}, ${nanos.capnp.length} and ${nanos.protobuf.length} processes`;
  if (nanos.capnp.length === 0 || nanos.protobuf.length === 0) return unknown(what, "no message was handled");
  const middle = { capnp: median(nanos.capnp), protobuf: median(nanos.protobuf) };
  const order = rankOrder(nanos.capnp, nanos.protobuf);
  const judged: Judged =
    order === 0
      ? { verdict: "not testable", reason: "the ranks of the first messages may be chance" }
      : { verdict: order < 0 ? "holds" : "reversed" };
  const figures = figuresOf(codecs, middle, "nanoseconds");
  return { what, published: [], figures, ratio: middle.capnp / middle.protobuf, ...judged };
}

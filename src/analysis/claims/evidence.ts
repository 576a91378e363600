/**
 * What a claim about Cap'n Proto and Protobuf between processes is judged by: which tests may be compared, and how far
 * figures of one run can be trusted. Messages of one process are not independent of each other, and another process of the
 * same program differs too, which one run does not show; both are allowed for by rule.
 */
import type { IpcPercentiles, IpcRecord, IpcTestName, IpcTestRecord } from "../../model/records/ipc.ts";
import { baseName, measuredAlike, STAGES, type Stage } from "../ipc-tests.ts";
import { NORMAL_975, wilsonInterval } from "../statistics/inference.ts";

/** What both codecs have. */
export interface Both<T> {
  readonly capnp: T;
  readonly protobuf: T;
}

/** Two tests that were measured alike. */
export type AlikeTests = Both<IpcTestRecord>;

/** A figure of both tests; undefined where either has none. */
export function both<T>(
  { capnp, protobuf }: AlikeTests,
  figureOf: (test: IpcTestRecord) => T | undefined,
): Both<T> | undefined {
  const [one, other] = [figureOf(capnp), figureOf(protobuf)];
  return one === undefined || other === undefined ? undefined : { capnp: one, protobuf: other };
}

/** Why there is nothing to judge by, or too little. */
export class Lack {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Which tests are looked for. */
export interface Wanted {
  /** Names of the codecs. */
  readonly codecs: Both<string>;
  readonly test: IpcTestName;
  /** Name of the dataset, without a size. */
  readonly dataset: string;
  /** Why none of a codec's tests will do, and otherwise those that will; all do where it is absent. */
  fitting?(tests: readonly IpcTestRecord[]): readonly IpcTestRecord[] | Lack;
}

/** The tests of both codecs, or why there is no comparing them. */
export function alikeTests(record: IpcRecord, wanted: Wanted): AlikeTests | Lack {
  const { test, dataset, codecs } = wanted;
  const tests = record.tests.filter((one) => one.test === test && baseName(one) === dataset);
  if (tests.length === 0) return new Lack(`the test ${test} was not made on ${dataset}`);
  const capnp = usableTests(tests, codecs.capnp, wanted);
  if (capnp instanceof Lack) return capnp;
  const protobuf = usableTests(tests, codecs.protobuf, wanted);
  if (protobuf instanceof Lack) return protobuf;
  for (const one of capnp) {
    const other = protobuf.find((row) => row.dataset === one.dataset && measuredAlike(one, row));
    if (other !== undefined) return { capnp: one, protobuf: other };
  }
  return new Lack(`${codecs.capnp} and ${codecs.protobuf} were not measured alike`);
}

function usableTests(
  tests: readonly IpcTestRecord[],
  codec: string,
  { fitting = (own) => own }: Wanted,
): readonly IpcTestRecord[] | Lack {
  const own = tests.filter((one) => one.codec === codec);
  if (own.length === 0) return new Lack(`${codec} was not measured`);
  const fit = fitting(own);
  if (fit instanceof Lack) return fit;
  const measured = fit.filter(({ status }) => status === "measured");
  if (measured.length === 0) {
    const { status, reason = "" } = fit[0]!;
    return new Lack(`${codec}: ${status}: ${reason}`);
  }
  const between = measured.filter(({ scope }) => scope === "inter-process");
  return between.length > 0
    ? between
    : new Lack(`${codec} was measured between threads, not between processes`);
}

/** How far a message may be from a published size, as a share, to be of that size. */
const SIZE_TOLERANCE = 0.1;

/** Whether a test's messages have a published size, in MB. */
export function isOfSize({ payloadBytes }: IpcTestRecord, megabytes: number): boolean {
  return Math.abs(payloadBytes / 1e6 - megabytes) <= SIZE_TOLERANCE * megabytes;
}

/** The tests of a published size, or that there are none. */
export function ofSize(tests: readonly IpcTestRecord[], megabytes: number): readonly IpcTestRecord[] | Lack {
  const fit = tests.filter((one) => isOfSize(one, megabytes));
  if (fit.length > 0) return fit;
  const sizes = [...new Set(tests.map(({ payloadBytes }) => payloadBytes / 1e6))];
  return new Lack(`messages are of ${sizes.join(" and ")} MB, the published ones of ${megabytes} MB`);
}

/** Of so many messages one counts as independent, as with an autocorrelation of 0.6. */
const DEPENDENT = 4;

/** Least half-width of any interval, as a share: what another process might differ by. */
export const LEAST_NOISE = 0.1;

/** Fewest messages for an interval: six independent ones (1 - 2 / 2^6 is 0.97). */
export const FEWEST = 6 * DEPENDENT;

/** A figure and its 95 % interval. */
export interface Estimate {
  readonly middle: number;
  readonly low: number;
  readonly high: number;
}

/** The median and its interval from order statistics; undefined below {@link FEWEST} messages. */
export function medianEstimate(times: IpcPercentiles | undefined): Estimate | undefined {
  const { n = 0, min, p50, p90, max } = times ?? {};
  if (min === undefined || p50 === undefined || max === undefined || n < FEWEST) return undefined;
  // Order statistics so far from the middle as the binomial distribution has it: shares of all messages.
  const far = Math.min(0.5, NORMAL_975 / 2 / Math.sqrt(n / DEPENDENT));
  const [above, at] = p90 === undefined ? [max, 0.5] : [p90, 0.4];
  return widened({
    middle: p50,
    low: p50 - (p50 - min) * (far / 0.5),
    high: p50 + (above - p50) * Math.min(1, far / at),
  });
}

/** The interval of a figure that stands alone: the rule for noise is all that is known of it. */
export function bareEstimate(middle: number): Estimate {
  return widened({ middle, low: middle, high: middle });
}

/** Cap'n Proto's figure as a multiple of Protobuf's. */
export function ratioOf({ capnp, protobuf }: Both<Estimate>): Estimate {
  return {
    middle: capnp.middle / protobuf.middle,
    low: capnp.low / protobuf.high,
    high: capnp.high / protobuf.low,
  };
}

/** A share of messages. */
export function shareEstimate(count: number, of: number): Estimate {
  const [low, high] = wilsonInterval(count / DEPENDENT, of / DEPENDENT);
  return { middle: count / of, low, high };
}

function widened({ middle, low, high }: Estimate): Estimate {
  return {
    middle,
    low: Math.min(low, middle / (1 + LEAST_NOISE)),
    high: Math.max(high, middle * (1 + LEAST_NOISE)),
  };
}

/**
 * The stage whose medians differ most, in the direction in which the whole differs. Undefined where none does, and where a stage
 * has no median.
 * @param capnpIsMore whether what is compared is more with Cap'n Proto
 * @param causes the stages that can have made it
 */
export function decisiveStage(
  { capnp, protobuf }: AlikeTests,
  capnpIsMore: boolean,
  causes: readonly Stage[] = STAGES,
): Stage | undefined {
  const each = STAGES.flatMap((stage) => {
    const [one, other] = [capnp.stages[stage]?.p50, protobuf.stages[stage]?.p50];
    return one === undefined || other === undefined ? [] : [{ stage, nanos: one - other }];
  });
  if (each.length < STAGES.length) return undefined;
  const along = (nanos: number): number => (capnpIsMore ? nanos : -nanos);
  const most = each
    .filter(({ stage }) => causes.includes(stage))
    .reduce((best, one) => (along(one.nanos) > along(best.nanos) ? one : best));
  return along(most.nanos) > 0 ? most.stage : undefined;
}

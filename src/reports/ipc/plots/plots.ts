import { endToEnd, type ReceivedMessage, receivedOf } from "../../../analysis/ipc-tests.ts";
import type { IpcMessage, IpcTestRecord } from "../../../model/records/ipc.ts";
import { fileNamePart } from "../../escape.ts";
import { type DrawnPicture, PLOTS } from "../../picture.ts";
import { drawDrops, drawStages, type StageSeries } from "./bars.ts";
import { nearestRank } from "./decimate.ts";
import { type DriftSeries, drawDrift } from "./drift.ts";
import type { Subject } from "./labels.ts";
import { drawLatencyOverIndex, type LatencySeries } from "./latency-over-index.ts";
import { drawPercentileCurve } from "./percentile-curve.ts";

/** A test of one codec, with its messages. */
interface Measured {
  readonly number: number;
  readonly test: IpcTestRecord;
  readonly messages: readonly IpcMessage[];
}

/**
 * Draws what tests have to show. Codecs are put side by side where everything else is the same: tests that follow
 * each other make a group, of which messages are held until it is drawn.
 */
export class PlotDrawer {
  #group: Measured[] = [];

  /**
   * Takes a test and its messages. Draws the group before it once another begins.
   * @param number of the test in its record
   */
  add(number: number, test: IpcTestRecord, messages: readonly IpcMessage[]): DrawnPicture[] {
    const [first] = this.#group;
    const drawn = first === undefined || alike(first.test, test) ? [] : this.finish();
    this.#group.push({ number, test, messages });
    return drawn;
  }

  /** Draws the last group. */
  finish(): DrawnPicture[] {
    const group = this.#group;
    this.#group = [];
    return group.length === 0 ? [] : drawGroup(group);
  }
}

function alike(one: IpcTestRecord, other: IpcTestRecord): boolean {
  const sameness = ({ test, dataset, reliability, messages }: IpcTestRecord): string =>
    JSON.stringify([test, dataset, reliability, messages]);
  return sameness(one) === sameness(other);
}

function drawGroup(group: readonly Measured[]): DrawnPicture[] {
  const { number, test } = group[0]!;
  const { test: name, dataset, transport, reliability, messages: count, pairs } = test;
  const subject: Subject = { test: `${name}, ${reliability}, ${count} messages`, dataset, transport };
  // Names of datasets may be alike once they are fit for a file: the number is not.
  const base = `${PLOTS}/${[number, name, dataset, reliability, count].map(fileNamePart).join("-")}`;
  const plot = (kind: string, svg: string): DrawnPicture => ({
    file: `${base}-${fileNamePart(kind)}.svg`,
    title: `${kind}: ${name}, ${dataset}, ${reliability}, ${count} messages`,
    svg,
  });
  const series = <Series>(of: (codec: string, messages: readonly IpcMessage[]) => Series): Series[] =>
    group.map((one) => of(one.test.codec, one.messages));
  const stages = plot("stages", drawStages(subject, series(stageSeries)));
  // Of one message each, there is nothing to be seen of a course or of a distribution.
  const drawn =
    count === 1
      ? [stages]
      : [
          plot("latency over index", drawLatencyOverIndex(subject, series(latencySeries))),
          plot("percentiles", drawPercentileCurve(subject, series(latencySeries))),
          stages,
        ];
  if (name === "stability") {
    const drifts = group.map((one) =>
      driftSeries(one.test.codec, one.messages, one.test.drift?.slopePer1000),
    );
    drawn.push(plot("drift", drawDrift(subject, drifts)));
  }
  const counts = group.map((one) => ({ name: one.test.codec, pairs: one.test.pairs }));
  if (pairs.length > 1) drawn.push(plot("drops", drawDrops(subject, counts)));
  return drawn;
}

const NANOS_PER_MS = 1e6;

/** End-to-end latencies of one codec: from the start of encode until every field was read. */
export function latencySeries(codec: string, messages: readonly IpcMessage[]): LatencySeries {
  const received = receivedOf(measured(messages));
  const dropped = measured(messages).filter(({ outcome }) => outcome !== "received");
  return {
    name: codec,
    index: Float64Array.from(received, ({ sequence }) => sequence),
    ms: Float64Array.from(received, (message) => endToEnd(message) / NANOS_PER_MS),
    dropped: Float64Array.from(dropped, ({ sequence }) => sequence),
  };
}

/**
 * The same with Theil and Sen's line.
 *
 * @param slope Nanoseconds per 1,000 messages, as the record has it. The line has as many messages above as below.
 */
export function driftSeries(codec: string, messages: readonly IpcMessage[], slope?: number): DriftSeries {
  const { name, index, ms } = latencySeries(codec, messages);
  if (slope === undefined || ms.length === 0) return { name, index, ms };
  const slopeMsPer1000 = slope / NANOS_PER_MS;
  const rests = Float64Array.from(ms, (one, at) => one - (slopeMsPer1000 * index[at]!) / 1000).sort();
  return { name, index, ms, trend: { slopeMsPer1000, interceptMs: nearestRank(rests, 0.5) } };
}

/** Medians of the stages of one codec's messages. */
export function stageSeries(codec: string, messages: readonly IpcMessage[]): StageSeries {
  const received = receivedOf(measured(messages));
  const medianOf = (nanos: (message: ReceivedMessage) => number): number | undefined =>
    received.length === 0
      ? undefined
      : nearestRank(Float64Array.from(received, nanos).sort(), 0.5) / NANOS_PER_MS;
  return {
    name: codec,
    messages: received.length,
    encode: medianOf(({ encodeStart, encoded }) => encoded - encodeStart),
    transport: medianOf(({ encoded, lastByte }) => lastByte - encoded),
    queue: medianOf(({ lastByte, taken }) => taken - lastByte),
    decode: medianOf(({ taken, read }) => read - taken),
  };
}

/** Warm-up counts in no plot. */
function measured(messages: readonly IpcMessage[]): IpcMessage[] {
  return messages.filter(({ phase }) => phase === "measured");
}

import type { IpcMessage, IpcRecord, IpcTestRecord } from "../model/ipc-record.ts";
import { drawDrift } from "./drift.ts";
import { drawDrops } from "./drops.ts";
import type { Subject } from "./frame.ts";
import { drawLatencyOverIndex } from "./latency-over-index.ts";
import { drawPercentileCurve } from "./percentile-curve.ts";
import { driftSeries, dropSeries, latencySeries, stageSeries } from "./series.ts";
import { drawStages } from "./stages.ts";

/** A plot of a test, with the name of its file and of what is in it. */
export interface DrawnPlot {
  readonly file: string;
  readonly title: string;
  readonly svg: string;
}

/** A test of one codec, with its messages. */
interface Measured {
  readonly test: IpcTestRecord;
  readonly messages: readonly IpcMessage[];
}

/**
 * Draws what a record's tests have to show: codecs are put side by side where everything else is the same.
 * @param messages of each measured test, by its number among all tests
 */
export async function drawPlots(
  record: IpcRecord,
  messages: ReadonlyMap<number, readonly IpcMessage[]>,
): Promise<DrawnPlot[]> {
  const groups = new Map<string, Measured[]>();
  for (const [number, test] of record.tests.entries()) {
    const own = messages.get(number);
    if (test.status !== "measured" || own === undefined) continue;
    const { test: name, dataset, reliability, messages: count } = test;
    const key = `${name} ${dataset} ${reliability} ${count}`;
    groups.set(key, [...(groups.get(key) ?? []), { test, messages: own }]);
  }
  const plots: DrawnPlot[] = [];
  for (const group of groups.values()) plots.push(...(await drawGroup(group)));
  return plots;
}

async function drawGroup(group: readonly Measured[]): Promise<DrawnPlot[]> {
  const { test } = group[0]!;
  const { test: name, dataset, transport, reliability, messages: count, pairs } = test;
  const subject: Subject = { test: `${name}, ${reliability}, ${count} messages`, dataset, transport };
  const base = `plots/${[name, dataset, reliability, count].map(fileName).join("-")}`;
  const plot = async (kind: string, drawn: Promise<string>): Promise<DrawnPlot> => ({
    file: `${base}-${fileName(kind)}.svg`,
    title: `${kind}: ${name}, ${dataset}, ${reliability}, ${count} messages`,
    svg: await drawn,
  });
  const series = <Series>(of: (codec: string, messages: readonly IpcMessage[]) => Series): Series[] =>
    group.map((one) => of(one.test.codec, one.messages));
  const drawn = [plot("latency over index", drawLatencyOverIndex(subject, series(latencySeries)))];
  drawn.push(plot("percentiles", drawPercentileCurve(subject, series(latencySeries))));
  drawn.push(plot("stages", drawStages(subject, series(stageSeries))));
  if (name === "stability") {
    const drifts = group.map((one) =>
      driftSeries(one.test.codec, one.messages, one.test.drift?.slopePer1000),
    );
    drawn.push(plot("drift", drawDrift(subject, drifts)));
  }
  if (pairs.length > 1) drawn.push(plot("drops", drawDrops(subject, series(dropSeries))));
  return Promise.all(drawn);
}

/** A name as a part of a file's: datasets are called after files of the user's. */
function fileName(name: string | number): string {
  return String(name)
    .replace(/[^A-Za-z0-9.]+/g, "-")
    .slice(0, 60);
}

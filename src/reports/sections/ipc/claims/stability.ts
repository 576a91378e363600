import type { IpcStages, IpcTestRecord } from "../../../../model/records/ipc.ts";
import { formatShare } from "../../../../model/share.ts";
import { formatBytes, formatRatio } from "../../../units.ts";
import { PUBLISHED } from "../published.ts";
import { STAGES } from "../stage-table.ts";
import { compare } from "./comparison.ts";
import { LEAST_NOISE } from "./noise.ts";
import { type Claim, outcomeOf, untold } from "./verdict.ts";

/** How much of the median end-to-end times may move over a run that is flat. */
const FLAT = LEAST_NOISE;

/** The rule of this claim, for readers. */
export const STABILITY_RULE = `Times are flat where the 95 % interval of their slope, over the whole run, stays within ±${FLAT * 100} % of the median, and drift where it lies beyond; in between nothing is told.`;

/** Cap'n Proto's end-to-end times stay flat over 20,000 messages, and Protobuf's do not. */
export const STABILITY: Claim = {
  name: "capnp-stable",
  statement: "Cap'n Proto's latency does not drift over 20,000 messages; Protobuf's does",
  judge(record, dataset) {
    const rows = compare(record, { test: "stability", dataset });
    if (typeof rows === "string") return untold(rows);
    const capnp = courseOf(rows.capnp);
    const protobuf = courseOf(rows.protobuf);
    if (capnp === undefined || protobuf === undefined) return untold("too few messages arrived");
    const because = `${capnp.text}; ${protobuf.text}`;
    const { messages } = rows.capnp;
    if (messages < PUBLISHED.stability.messages)
      return untold(
        `${formatBytes(messages)} messages, where the published test has ${formatBytes(PUBLISHED.stability.messages)}; ${because}`,
      );
    const stages = [rows.capnp, rows.protobuf].flatMap(restlessStage);
    return {
      outcome: outcomeOf(capnp.flat && protobuf.drifts, capnp.drifts || protobuf.flat),
      because,
      ...(stages.length === 0 ? {} : { stage: stages.join("; ") }),
    };
  },
};

interface Course {
  readonly flat: boolean;
  readonly drifts: boolean;
  readonly text: string;
}

/** How a codec's times went over the run; undefined where that cannot be told. */
function courseOf({ codec, messages, drift, stages }: IpcTestRecord): Course | undefined {
  const { p50, p99 } = stages.endToEnd ?? {};
  if (drift === undefined || p50 === undefined || p50 === 0) return undefined;
  const overRun = (slope: number): number => (slope * messages) / 1000 / p50;
  const [low, high] = drift.ci95.map(overRun) as [number, number];
  const flat = -FLAT <= low && high <= FLAT;
  const drifts = low > FLAT || high < -FLAT;
  const course = drifts ? "drifts" : flat ? "is flat" : "may be either";
  const spread = p99 === undefined ? "" : `, p99 is ${formatRatio(p99 / p50)} times the median`;
  const moved = `${sign(overRun(drift.slopePer1000))} of its median over the run (${sign(low)} to ${sign(high)})`;
  return { flat, drifts, text: `${codec} ${course}: ${moved}${spread}` };
}

/** Where a codec's times are spread most between the median and p99. */
function restlessStage({ codec, stages }: IpcTestRecord): string[] {
  const spreads = STAGES.map((stage) => ({ stage, spread: spreadOf(stages, stage) }));
  const most = spreads.reduce((best, one) => (one.spread > best.spread ? one : best));
  return most.spread > 0 ? [`${codec}'s times are spread most by ${most.stage}`] : [];
}

function spreadOf(stages: IpcStages, stage: (typeof STAGES)[number]): number {
  const { p50, p99 } = stages[stage] ?? {};
  return p50 === undefined || p99 === undefined ? 0 : p99 - p50;
}

function sign(share: number): string {
  return `${share < 0 ? "" : "+"}${formatShare(share)}`;
}

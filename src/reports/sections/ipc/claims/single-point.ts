import type { IpcPercentiles, IpcProcess, IpcRecord } from "../../../../model/records/ipc.ts";
import { formatNanos, formatRatio } from "../../../units.ts";
import { PUBLISHED } from "../published.ts";
import { CODECS, type Comparison, compare, isOfSize, otherSize } from "./comparison.ts";
import { medianInterval, rankOrder, ratioOf } from "./noise.ts";
import { type Claim, outcomeOf, untold } from "./verdict.ts";

/** Of the published tests' messages, in MB; for this one no size was said. */
const MEGABYTES = PUBLISHED.latency.megabytes;

/** By what factor the spread of times has to differ to be another: that of a hundred messages is itself uncertain. */
const SPREAD_FACTOR = 1.5;

/** The rules of this claim, for readers. */
export const SINGLE_POINT_RULE = `For the first message, the processes of all tests on the same data are compared by a rank test at 5 %. Steadier means that p90 − p50 is less than the other's by a factor of ${SPREAD_FACTOR}.`;

const SIDES = [
  { role: "talker", stage: "encode" },
  { role: "listener", stage: "decode" },
] as const;

/** A talker's and a listener's own work is less and steadier with Cap'n Proto, for 100 messages and for the first. */
export const SINGLE_POINT: Claim = {
  name: "capnp-single-point",
  statement: "Cap'n Proto's per-process handling time is lower and steadier, for 100 messages and for 1",
  judge(record, dataset) {
    const { messages } = PUBLISHED.singlePoint;
    const rows = compare(record, {
      test: "single-point",
      dataset,
      fits: (row) => row.messages >= messages && isOfSize(row, MEGABYTES),
      lack: (own) =>
        own.some((row) => row.messages >= messages)
          ? otherSize(own, MEGABYTES)
          : `${Math.max(...own.map((row) => row.messages))} messages at most, where the published test has ${messages}`,
    });
    if (typeof rows === "string") return untold(rows);
    const parts = SIDES.flatMap(({ role, stage }) => [
      heightOf(rows, stage),
      steadinessOf(rows, stage),
      firstOf(record, rows, role),
    ]);
    const decisive = parts.filter(({ order }) => order > 0).map(({ what }) => what);
    return {
      outcome: outcomeOf(
        parts.every(({ order }) => order < 0),
        decisive.length > 0,
      ),
      because: `${CODECS.capnp} and ${CODECS.protobuf}, ${parts.map(({ text }) => text).join("; ")}`,
      stage:
        decisive.length > 0
          ? `against the claim: ${decisive.join(", ")}`
          : `for the claim: ${namesOf(parts.filter(({ order }) => order < 0))}; not told: ${namesOf(parts.filter(({ order }) => order === 0))}`,
    };
  },
};

interface Part {
  readonly what: string;
  /** Below 0 where Cap'n Proto's figure is the lower for certain, above 0 where it is the higher. */
  readonly order: number;
  readonly text: string;
}

function namesOf(parts: readonly Part[]): string {
  return parts.length === 0 ? "nothing" : parts.map(({ what }) => what).join(", ");
}

function heightOf(rows: Comparison, stage: "encode" | "decode"): Part {
  const what = `${stage} of ${rows.capnp.messages}`;
  const [one, other] = [
    medianInterval(rows.capnp.stages[stage]),
    medianInterval(rows.protobuf.stages[stage]),
  ];
  if (one === undefined || other === undefined) return { what, order: 0, text: `${what}: no median` };
  const ratio = ratioOf(one, other);
  const order = ratio.high < 1 ? -1 : ratio.low > 1 ? 1 : 0;
  const range = `${formatRatio(ratio.low)} to ${formatRatio(ratio.high)} times`;
  return {
    what,
    order,
    text: `${what}: ${formatNanos(one.middle)} and ${formatNanos(other.middle)} (${range})`,
  };
}

function steadinessOf(rows: Comparison, stage: "encode" | "decode"): Part {
  const what = `spread of ${stage}`;
  const [one, other] = [spreadOf(rows.capnp.stages[stage]), spreadOf(rows.protobuf.stages[stage])];
  if (one === undefined || other === undefined) return { what, order: 0, text: `${what}: no p90` };
  const order = one * SPREAD_FACTOR <= other ? -1 : one >= other * SPREAD_FACTOR ? 1 : 0;
  return {
    what,
    order: one === other ? 0 : order,
    text: `${what}: ${formatNanos(one)} and ${formatNanos(other)}`,
  };
}

function spreadOf(times: IpcPercentiles | undefined): number | undefined {
  const { p50, p90 } = times ?? {};
  return p50 === undefined || p90 === undefined ? undefined : p90 - p50;
}

/** The first message that each process on the same data met, whatever the test. */
function firstOf(record: IpcRecord, { capnp }: Comparison, role: IpcProcess["role"]): Part {
  const first = (codec: string): number[] =>
    record.tests
      .filter(
        (row) =>
          row.codec === codec &&
          row.dataset === capnp.dataset &&
          row.payloadBytes === capnp.payloadBytes &&
          row.scope === capnp.scope,
      )
      .flatMap(({ processes }) => processes.filter((process) => process.role === role))
      .map(({ firstHandling }) => firstHandling)
      .filter((nanos) => nanos > 0);
  const [ones, others] = [first(CODECS.capnp), first(CODECS.protobuf)];
  const what = `first message of the ${role}`;
  const text = `${what}: ${rangeOf(ones)} and ${rangeOf(others)}`;
  return { what, order: rankOrder(ones, others), text };
}

function rangeOf(times: readonly number[]): string {
  if (times.length === 0) return "none";
  const range = `${formatNanos(Math.min(...times))} to ${formatNanos(Math.max(...times))}`;
  return `${range} in ${times.length} processes`;
}

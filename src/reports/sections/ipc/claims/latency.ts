import { formatNanos, formatRatio } from "../../../units.ts";
import { PUBLISHED } from "../published.ts";
import { CODECS, compare, isOfSize, otherSize } from "./comparison.ts";
import { FEWEST, type Interval, medianInterval, ratioOf } from "./noise.ts";
import { stageDifference } from "./stage-difference.ts";
import { type Claim, finding, outcomeOf, untold } from "./verdict.ts";

const { megabytes, x86_64, aarch64 } = PUBLISHED.latency;

/** Up to which multiple of the other's a latency is about half of it, or less. */
const ABOUT_HALF = 2 / 3;

/** Cap'n Proto's end-to-end times at 6.5 MB are about half of Protobuf's. */
export const LATENCY: Claim = {
  name: "capnp-latency",
  statement: "Cap'n Proto's latency at 6.5 MB is about half of Protobuf's on x86_64 (52 % lower)",
  judge(record, dataset) {
    const rows = compare(record, {
      test: "latency",
      dataset,
      fits: (row) => isOfSize(row, megabytes),
      lack: (rows) => otherSize(rows, megabytes),
    });
    if (typeof rows === "string") return untold(rows);
    const capnp = medianInterval(rows.capnp.stages.endToEnd);
    const protobuf = medianInterval(rows.protobuf.stages.endToEnd);
    if (capnp === undefined || protobuf === undefined) return untold(`fewer than ${FEWEST} messages arrived`);
    const ratio = ratioOf(capnp, protobuf);
    const stage = stageDifference(rows, ratio.middle > 1);
    return finding(
      outcomeOf(ratio.high <= ABOUT_HALF, ratio.low > ABOUT_HALF),
      `medians of ${timeText(CODECS.capnp, capnp)} and ${timeText(CODECS.protobuf, protobuf)}: ${formatRatio(ratio.middle)} times (${formatRatio(ratio.low)} to ${formatRatio(ratio.high)}), published ${formatRatio(x86_64.capnpMs / x86_64.protobufMs)} on x86_64 and ${formatRatio(aarch64.capnpMs / aarch64.protobufMs)} on aarch64; up to ${formatRatio(ABOUT_HALF)} counts as about half or less`,
      stage,
    );
  },
};

/** `capnp-ts 12.0 ms (11.0 ms to 13.1 ms)`. */
function timeText(codec: string, { middle, low, high }: Interval): string {
  return `${codec} ${formatNanos(middle)} (${formatNanos(low)} to ${formatNanos(high)})`;
}

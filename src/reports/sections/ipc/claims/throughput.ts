import { formatRatio } from "../../../units.ts";
import { formatMegabytes, formatSpeed } from "../figures.ts";
import { PUBLISHED } from "../published.ts";
import { CODECS, compare } from "./comparison.ts";
import { bareInterval, FEWEST, ratioOf } from "./noise.ts";
import { stageDifference } from "./stage-difference.ts";
import { type Claim, finding, outcomeOf, untold } from "./verdict.ts";

/** What the last message may lack of the published payload, as a share. */
const ROUNDING = 0.05;

/** Cap'n Proto carries 1000 MB at a higher rate than Protobuf. */
export const THROUGHPUT: Claim = {
  name: "capnp-throughput",
  statement: "Cap'n Proto's throughput over 1000 MB is higher",
  judge(record, dataset) {
    const rows = compare(record, { test: "throughput", dataset });
    if (typeof rows === "string") return untold(rows);
    const { capnp, protobuf } = rows;
    if (capnp.throughput === undefined || protobuf.throughput === undefined)
      return untold("too few messages arrived");
    const ratio = ratioOf(
      bareInterval(capnp.throughput.payloadBytesPerSecond),
      bareInterval(protobuf.throughput.payloadBytesPerSecond),
    );
    const because = `${CODECS.capnp} ${formatSpeed(capnp.throughput.payloadBytesPerSecond)} MB/s, ${CODECS.protobuf} ${formatSpeed(protobuf.throughput.payloadBytesPerSecond)} MB/s of payload: ${formatRatio(ratio.middle)} times (${formatRatio(ratio.low)} to ${formatRatio(ratio.high)})`;
    const arrived = Math.min(capnp.stages.endToEnd?.n ?? 0, protobuf.stages.endToEnd?.n ?? 0);
    const total = arrived * capnp.payloadBytes;
    if (total < PUBLISHED.throughput.megabytes * 1e6 * (1 - ROUNDING))
      return untold(
        `${formatMegabytes(total)} arrived, where the published test has ${PUBLISHED.throughput.megabytes} MB; ${because}`,
      );
    if (arrived < FEWEST) return untold(`${arrived} messages arrived, fewer than ${FEWEST}; ${because}`);
    // Flat out, a message waits for the one before it, which counts as transport and is no cause.
    const stage = stageDifference(rows, ratio.middle < 1, ["encode", "decode"]);
    return finding(outcomeOf(ratio.low > 1, ratio.high < 1), because, stage);
  },
};

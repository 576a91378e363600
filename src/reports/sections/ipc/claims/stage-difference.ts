import type { IpcTestRecord } from "../../../../model/records/ipc.ts";
import { formatDifference } from "../figures.ts";
import { STAGES } from "../stage-table.ts";
import type { Comparison } from "./comparison.ts";

type Stage = (typeof STAGES)[number];

/**
 * Which stage made the difference: the one whose medians differ most, in the direction in which the whole differs.
 * Undefined where a stage has no median.
 * @param capnpIsMore whether what is compared is more with Cap'n Proto
 * @param causes the stages that can have made it
 */
export function stageDifference(
  { capnp, protobuf }: Comparison,
  capnpIsMore: boolean,
  causes: readonly Stage[] = STAGES,
): string | undefined {
  const differences = STAGES.flatMap((stage) => {
    const one = medianOf(capnp, stage);
    const other = medianOf(protobuf, stage);
    return one === undefined || other === undefined ? [] : [{ stage, nanos: one - other }];
  });
  if (differences.length < STAGES.length) return undefined;
  const along = (nanos: number): number => (capnpIsMore ? nanos : -nanos);
  const most = differences
    .filter(({ stage }) => causes.includes(stage))
    .reduce((best, one) => (along(one.nanos) > along(best.nanos) ? one : best));
  const each = differences.map(({ stage, nanos }) => `${stage} ${formatDifference(nanos)}`).join(", ");
  const verdict =
    along(most.nanos) > 0
      ? `${most.stage} made the difference`
      : `none of ${causes.join(", ")} made a difference`;
  return `${verdict}; Cap'n Proto's medians less Protobuf's: ${each}`;
}

function medianOf({ stages }: IpcTestRecord, stage: Stage): number | undefined {
  return stages[stage]?.p50;
}

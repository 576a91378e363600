import { slotsOf } from "./block.ts";
import type { Plan } from "./plan.ts";
import type { PlannedDataset } from "./planned-dataset.ts";
import { expectedProcessMs, Schedule } from "./schedule.ts";

/** How long a run is going to take. */
export interface Estimate {
  /** Measuring processes. */
  readonly processes: number;
  readonly ms: number;
}

/** What a run is expected to take before anything of it has run: from its profile and the size of its data. */
export function estimateOf(plan: Plan): Estimate {
  const { profile, operations, blocks } = plan;
  const schedule = new Schedule(profile, operations.length, blocks?.length);
  const slots = slotsOf(plan, blocks?.[0] ?? 0).flatMap(({ kind, members }) => {
    const open = members.filter(({ pair }) => pair.refused === undefined);
    if (open.length === 0) return [];
    const ms = open.reduce(
      (sum, { pair, operations }) =>
        sum +
        expectedProcessMs(profile, operations.length, bytesOf(pair.dataset)) +
        streamsMs(operations, pair.dataset),
      0,
    );
    return [{ kind, dataset: open[0]!.pair.dataset.name, ms }];
  });
  for (const { kind, dataset, ms } of slots)
    if (kind === "pair") schedule.took({ kind, codec: "", dataset }, ms);
  schedule.completed(1, { slowed: 0, waiting: 0 });
  const counted = slots.map(({ kind, dataset, ms }) => {
    const processes = kind === "pair" ? schedule.blocksOf(dataset) : schedule.blocks;
    return { processes, ms: processes * ms };
  });
  return {
    processes: counted.reduce((sum, { processes }) => sum + processes, 0),
    ms: counted.reduce((sum, { ms }) => sum + ms, 0),
  };
}

/** Bytes of a file's values that a unit of a built-in dataset costs as much as, roughly: a byte of a picture is only copied. */
const UNIT_BYTES = { byte: 0.1, record: 70 };

/** Bytes of a dataset's values, as a file holds them. */
function bytesOf({ textBytes, size }: PlannedDataset): number {
  if (textBytes !== undefined) return textBytes;
  if (size === undefined) return 0;
  return size.count * (size.unit.startsWith("bytes") ? UNIT_BYTES.byte : UNIT_BYTES.record);
}

/** Milliseconds that a process takes for each kB of a stream, which is made, proved and decoded several times whatever the profile. */
const STREAM_MS_PER_KILOBYTE = 0.2;

/** Milliseconds that streams take besides the times of the profile. @param operations by name, as `stream:1000` */
function streamsMs(operations: readonly string[], dataset: PlannedDataset): number {
  const messages = operations
    .filter((name) => name.startsWith("stream:"))
    .reduce((most, name) => Math.max(most, Number(name.slice(name.lastIndexOf(":") + 1))), 0);
  const values = typeof dataset.source === "string" ? 1 : dataset.source.values.length;
  return (STREAM_MS_PER_KILOBYTE * messages * bytesOf(dataset)) / (1000 * Math.max(1, values));
}

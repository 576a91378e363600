/** One cell in a measuring process of its own, started and timed as those of a run are. */
import { median, stretchesOf } from "../../dist/analysis/statistics/location.js";
import { UsualSpeeds } from "../../dist/measure/core-speed.js";
import { isolate } from "../../dist/runtimes/launch/isolate.js";
import node from "../../dist/runtimes/node.js";

const SECONDS = 60;

/** How fast cores were in all processes so far: of one that sees nothing but a slow core, the others tell it. */
export const speeds = new UsualSpeeds();

/**
 * @param {{ operation: string, codec: string, dataset: string, flags?: readonly string[], profile: object }} cell `flags` are V8's;
 *   of the profile its times count
 * @returns the samples of the process, see `src/measure/sampler.ts`. Throws where there are none, with the reason.
 */
export async function samplesOfProcess({ operation, codec, dataset, flags = [], profile }) {
  const source = { codec, plugins: [] };
  const member = { source, dataset, operations: [operation], describe: false, survey: false };
  const turnNanos = speeds.of("node");
  const job = {
    members: [member],
    int64: undefined,
    profile: { processes: 1, ...profile },
    others: [],
    ...(turnNanos === undefined ? {} : { turnNanos }),
  };
  const result = await isolate(
    job,
    (own, seconds) => node.launch(process.execPath, own, seconds, flags),
    SECONDS,
  );
  speeds.add("node", result.turnNanos);
  const samples = result.members[0].operations?.[0]?.samples;
  if (samples === undefined)
    throw new Error(`${operation} ${codec} ${flags.join(" ")}: ${JSON.stringify(result)}`);
  return samples;
}

/** Nanoseconds of a call in a process, as a record has them. */
export function timeOf({ batches, loop }) {
  return median(stretchesOf(batches, loop));
}

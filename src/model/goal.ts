import { parseBandwidth } from "./bandwidth.ts";
import { UsageError } from "./errors.ts";
import { nearNames } from "./near-names.ts";

/** What one may want the least of, and what it is. */
export const GOALS = {
  size: "bytes of a message",
  speed: "time to encode and decode it",
  latency: "time of both ends and of a link",
  memory: "bytes that encoding and decoding allocate",
  "cold-start": "time until the first message is encoded and decoded",
} as const;

/** See {@link GOALS}. */
export type Goal = keyof typeof GOALS;

/** A goal, and the link in bit/s that latency is on. */
export interface NamedGoal {
  readonly goal: Goal;
  readonly bandwidth?: number;
}

/** The goal of a text such as `size` or `latency@100M`. Throws UsageError. */
export function parseGoal(text: string): NamedGoal {
  const [name = "", bandwidth] = text.split(/@(.*)/s);
  if (!Object.hasOwn(GOALS, name)) {
    const known = Object.keys(GOALS).map((one) => (one === "latency" ? "latency@100M" : one));
    throw new UsageError(`unknown goal "${text}"${nearNames(text, known)}`);
  }
  const goal = name as Goal;
  if ((goal === "latency") !== (bandwidth !== undefined)) {
    throw new UsageError(
      goal === "latency"
        ? 'goal "latency" needs its link, as latency@100M'
        : `goal "${goal}" has no link, got "${text}"`,
    );
  }
  return bandwidth === undefined ? { goal } : { goal, bandwidth: parseBandwidth(bandwidth, "goal") };
}

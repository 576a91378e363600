/** Which blocks a run has, and what each of them measures in which order. */

import { seededRandom, shuffled } from "../model/random.ts";
import type { FoundRuntime } from "../runtimes/launch/find.ts";
import { grouped, operationsOn } from "./operations.ts";
import type { Pair } from "./pair.ts";
import type { Plan } from "./plan.ts";
import type { ProcessSlot } from "./schedule.ts";

/** A process of a block: for one pair, or for all pairs of a runtime together. */
export interface Slot {
  readonly kind: ProcessSlot["kind"];
  readonly runtime: FoundRuntime;
  readonly members: readonly SlotMember[];
}

/** Operations of a pair that a process measures. */
export interface SlotMember {
  readonly pair: Pair;
  readonly operations: readonly string[];
}

/**
 * The processes of a block in random order, and those of every second block in the reverse order of the one before:
 * whatever it is worth to come first, in every two blocks everything comes first as often as last. The plan and the number of the block alone
 * decide it, so that a block is the same in whatever run it is carried out.
 */
export function slotsOf(plan: Plan, block: number): Slot[] {
  const random = seededRandom((plan.seed ^ MEMBERS_SEED) + block);
  const order = shuffled(unorderedSlots(plan, random), seededRandom(plan.seed + Math.floor(block / 2)));
  return block % 2 === 0 ? order : order.reverse();
}

/** Parts the random numbers that order the members of a shared process from those that order processes. */
const MEMBERS_SEED = 0x2545f491;

/** All processes of a block. */
function unorderedSlots(plan: Plan, random: () => number): Slot[] {
  const isolated = plan.pairs.flatMap((pair) => {
    const { runtime } = pair;
    return grouped(operationsOn(plan.operations, pair.dataset.name), plan.isolate).map(
      (operations): Slot => ({ kind: "pair", runtime, members: [{ pair, operations }] }),
    );
  });
  if (plan.jit === "isolated") return isolated;
  const all = shuffled(plan.pairs, random).flatMap((pair) => {
    const [operations] = grouped(operationsOn(plan.operations, pair.dataset.name), "codec");
    return pair.twinOf === undefined && operations !== undefined ? [{ pair, operations }] : [];
  });
  const shared = plan.runtimes.flatMap((runtime): Slot[] => {
    const members = all.filter(({ pair }) => pair.runtime === runtime);
    return members.length === 0 ? [] : [{ kind: "shared", runtime, members }];
  });
  return [...isolated, ...shared];
}

/** Which blocks a run has, and what each of them measures in which order. */
import type { Profile } from "../measure/profiles.ts";
import { UsageError } from "../model/errors.ts";
import { expectNumber } from "../model/expect-option.ts";
import { seededRandom, shuffled } from "../model/random.ts";
import type { FoundRuntime } from "../runtimes/launch/find.ts";
import { grouped, operationsOn } from "./operations.ts";
import type { Pair, Plan } from "./plan.ts";
import type { ProcessSlot } from "./schedule.ts";
import type { Selection } from "./selection.ts";

/** The numbers of a whole run's blocks. */
export function allBlocks({ processes }: Profile): number[] {
  return Array.from({ length: processes }, (_, block) => block);
}

/**
 * The numbers, in order, of the blocks that a selection asks for; undefined where that is all of them. Throws UsageError
 * for one that the profile does not have, for none, and for a share of them that would be empty.
 */
export function chosenBlocks(
  { blocks, shard }: Selection,
  name: string,
  profile: Profile,
): number[] | undefined {
  const { processes } = profile;
  const all = allBlocks(profile);
  if (shard !== undefined) {
    if (blocks !== undefined)
      throw new UsageError("shard: it chooses the blocks, expected no blocks beside it");
    const [number, of] = shardOf(shard);
    if (of > processes) {
      throw new UsageError(
        `shard ${shard}: the profile ${name} has ${processes} blocks, expected at most ${processes} shards`,
      );
    }
    return all.filter((block) => block % of === number - 1);
  }
  if (blocks === undefined) return undefined;
  for (const block of blocks) expectNumber("blocks", block, { integer: true, least: 0, most: processes - 1 });
  const chosen = all.filter((block) => blocks.includes(block));
  if (chosen.length === 0) throw new UsageError("no block: expected at least one");
  if (chosen.length < blocks.length)
    throw new UsageError(`blocks: expected each once, got ${blocks.join(", ")}`);
  return chosen;
}

/** `2/5` as its numbers. */
function shardOf(shard: string): [number, number] {
  const [number = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(shard) ?? []).slice(1).map(Number);
  if (number >= 1 && number <= of && Number.isSafeInteger(of)) return [number, of];
  throw new UsageError(`shard: expected a number and how many there are, as 2/5, got ${shard}`);
}

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
 * whatever it is worth to come first, everything comes first as often as last. The plan and the number of the block alone
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

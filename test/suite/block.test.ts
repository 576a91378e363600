/** What a block measures in which order: decided by the plan and its number alone. */
import { describe, expect, it } from "vitest";
import { slotsOf } from "../../src/suite/block.ts";
import { makePlan, type Plan } from "../../src/suite/plan.ts";

/** The processes of a block by their codecs and operations, in order. */
function orderOf(plan: Plan, block: number): string[] {
  return slotsOf(plan, block).map(({ kind, members }) =>
    [kind, ...members.flatMap(({ pair, operations }) => [pair.codec, ...operations])].join(" "),
  );
}

const SELECTION = { datasets: ["tellist", "garden"], jit: "shared", seed: 3 } as const;

describe("a block", () => {
  it("is the same in a shard, and by itself, as in the whole run", async () => {
    const whole = await makePlan(SELECTION);
    const [shard, single] = [
      await makePlan({ ...SELECTION, shard: "2/3" }),
      await makePlan({ ...SELECTION, blocks: [4] }),
    ];
    expect(shard.blocks).toEqual([1, 4, 7]);
    for (const plan of [shard, single]) {
      for (const block of plan.blocks ?? []) expect(orderOf(plan, block)).toEqual(orderOf(whole, block));
    }
    expect(orderOf(whole, 1)).not.toEqual(orderOf(whole, 4));
  });

  it("has every codec once, and each second one the order of the one before turned about", async () => {
    const plan = await makePlan({ seed: 3 });
    const codecs = (block: number): string[] =>
      slotsOf(plan, block).flatMap(({ members }) => members.map(({ pair }) => pair.codec));
    expect(codecs(0).toSorted()).toEqual(plan.pairs.map(({ codec }) => codec).toSorted());
    expect(codecs(3)).toEqual(codecs(2).toReversed());
    expect(codecs(4)).not.toEqual(codecs(2));
  });
});

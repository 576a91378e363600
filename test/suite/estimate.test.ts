/** What a run says of its length before it begins, beside what runs took on two quiet cores. */
import { describe, expect, it } from "vitest";
import { loadSchema } from "../../src/catalog/load-dataset.ts";
import { estimateOf } from "../../src/suite/estimate.ts";
import { makePlan } from "../../src/suite/plan.ts";
import type { Selection } from "../../src/suite/selection.ts";

const estimated = async (selection: Selection) => estimateOf(await makePlan({ seed: 1, ...selection }));

describe("the estimate of a run", () => {
  it.each([
    ["quick", 52, 25_000],
    ["standard", 104, 82_000],
    ["thorough", 208, 350_000],
  ] as const)(
    "of the address book at %s is of its %i processes and near its %i ms",
    async (profile, processes, ms) => {
      const estimate = await estimated({ profile });
      expect(estimate.processes).toBe(processes);
      expect(Math.abs(estimate.ms / ms - 1)).toBeLessThan(0.15);
    },
  );

  it("grows with the data, of which large messages have fewer processes", async () => {
    const codecs = ["json"];
    const small = await estimated({ profile: "quick", codecs, datasets: ["tellist"] });
    const large = await estimated({ profile: "quick", codecs, datasets: ["tellist:100000"] });
    expect([small.processes, large.processes]).toEqual([12, 9]);
    expect(large.ms).toBeGreaterThan(10 * small.ms);
  });

  it("counts the bytes of a user's files, and the shard that is carried out", async () => {
    const schema = loadSchema("schemas/tellist.proto");
    const own = { name: "own", schema, values: [{ info: [] }, { info: [] }], int64: "number" } as const;
    const of = (fileBytes: number, shard?: string) =>
      estimated({ codecs: ["json"], datasets: [{ ...own, fileBytes }], ...(shard && { shard }) });
    const [without, megabytes, shard] = [await of(0), await of(8e5), await of(8e5, "1/4")];
    expect(megabytes.ms - without.ms).toBe(megabytes.processes * 4000);
    expect(megabytes.processes).toBe(24);
    expect(shard.processes).toBe(6);
  });

  it("knows the sizes of messages that a study makes", async () => {
    const of = (study?: "stall") =>
      estimated({ codecs: ["json"], profile: "quick", ...(study && { study }) });
    const [plain, stall] = [await of(), await of("stall")];
    // Its largest messages have 4 MB, and its smallest are those of the address book.
    expect(stall.ms / stall.processes).toBeGreaterThan(4 * (plain.ms / plain.processes));
  });

  it("counts the messages of a stream", async () => {
    const of = (study?: "stream") =>
      estimated({ codecs: ["json"], profile: "quick", ...(study && { study }) });
    const [plain, stream] = [await of(), await of("stream")];
    const ratio = stream.ms / stream.processes / (plain.ms / plain.processes);
    expect(ratio).toBeGreaterThan(1.5);
    expect(ratio).toBeLessThan(2.5);
  });

  it("leaves out what cannot be tried", async () => {
    const plan = await makePlan({ codecs: ["json", "v8"], seed: 1 });
    const pairs = plan.pairs.map((pair) =>
      pair.codec === "v8" ? { ...pair, refused: { status: "failed", reason: "" } as const } : pair,
    );
    expect(estimateOf({ ...plan, pairs }).processes).toBe(24);
  });
});

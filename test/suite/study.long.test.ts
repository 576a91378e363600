/** What a study makes of a selection, and that it runs. */
import { describe, expect, it } from "vitest";
import { UsageError } from "../../dist/model/errors.js";
import { makePlan } from "../../dist/suite/plan.js";
import { runPlan } from "../../dist/suite/run.js";
import tellist from "../../src/datasets/tellist.ts";
import { renderMarkdown } from "../../src/reports/run/markdown.ts";
import { renderText } from "../../src/reports/run/text.ts";
import type { Plan } from "../../src/suite/plan.ts";
import type { Selection } from "../../src/suite/selection.ts";

function datasetsOf({ pairs }: Plan): string[] {
  return [...new Set(pairs.map(({ dataset }) => dataset.name))];
}

/** One short process of each pair: only the shape is looked at. */
async function shortPlan(selection: Selection): Promise<Plan> {
  const plan = await makePlan({ ...selection, profile: "quick" });
  return { ...plan, profile: { ...plan.profile, processes: 1, warmupMs: 2, measureMs: 2 } };
}

describe("a study of sizes", () => {
  it.each<[string, readonly string[] | undefined, readonly string[]]>([
    ["the address book by default", undefined, ["tellist:1", "tellist:37", "tellist:1000", "tellist:30000"]],
    [
      "the same of one that is named",
      ["tellist"],
      ["tellist:1", "tellist:37", "tellist:1000", "tellist:30000"],
    ],
    [
      "sizes that are named too",
      ["tellist:5", "tellist:37", "tellist:50"],
      ["tellist:1", "tellist:5", "tellist:37", "tellist:50", "tellist:1000", "tellist:30000"],
    ],
    ["another dataset", ["speed-large"], ["speed-large:1", "speed-large:1000", "speed-large:30000"]],
  ])("has %s", async (_, datasets, expected) => {
    const plan = await makePlan({
      study: "size",
      codecs: ["json"],
      ...(datasets === undefined ? {} : { datasets }),
    });
    expect(plan.study).toBe("size");
    expect(datasetsOf(plan)).toEqual(expected);
  });

  it("refuses what has one size only", async () => {
    const own = {
      name: "own",
      schema: tellist.schema,
      values: [tellist.make(2, 0)],
      int64: "number" as const,
    };
    for (const dataset of ["garden", own]) {
      const plan = makePlan({ study: "size", datasets: [dataset] });
      await expect(plan).rejects.toThrow(UsageError);
      await expect(plan).rejects.toThrow("has one size only");
    }
  });

  it("runs, and its report says how time grows", async () => {
    const plan = await shortPlan({
      study: "size",
      codecs: ["json", "raw-struct"],
      datasets: ["tellist:20"],
      operations: ["encode"],
    });
    const record = await runPlan(plan, {});
    expect(record.options.study).toBe("size");
    expect(record.datasets.map(({ size }) => size)).toEqual(
      [1, 20, 37, 1000, 30_000].map((count) => ({ unit: "records", count })),
    );
    expect(renderMarkdown(record)).toContain("## tellist in several sizes");
    expect(renderText(record)).toContain("encode, time per record by number of records");
  });
});

describe("a study of partial reads", () => {
  it("has decode, access and each dataset's own sweep of reads", async () => {
    const plan = await makePlan({ study: "reads", codecs: ["json"], datasets: ["tellist:2", "speed-small"] });
    const names = (dataset: string): string[] =>
      plan.operations.filter((one) => one.dataset === dataset).map(({ name }) => name);
    expect(plan.operations.slice(0, 2).map(({ name }) => name)).toEqual(["decode", "access"]);
    expect(names("tellist:2")).toEqual([
      "reads:0:0",
      ...["reads:2:1", "reads:2:3", "reads:2:5"],
      ...["reads:1:1", "reads:1:3", "reads:1:5"],
    ]);
    expect(names("speed-small").length).toBeGreaterThan(1);
    expect(plan.operations.find(({ name }) => name === "reads:2:1")?.reads).toEqual({
      records: 0.5,
      fields: 0.2,
    });
  });

  it.each<Selection>([
    { study: "reads", operations: ["decode"] },
    { study: "reads", parts: true },
    { study: "growth" as "size" },
  ])("refuses %j", async (selection) => {
    await expect(makePlan(selection)).rejects.toThrow(UsageError);
  });

  it("runs, knows who reads in place, and its report has the crossovers", async () => {
    const plan = await shortPlan({ study: "reads", codecs: ["json", "raw-struct"], datasets: ["tellist:2"] });
    const record = await runPlan(plan, {});
    const reads = record.cells.filter((cell) => cell.reads !== undefined);
    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => "measured"));
    expect(new Set(reads.filter(({ inPlace }) => inPlace).map(({ codec }) => codec))).toEqual(
      new Set(["raw-struct"]),
    );
    const report = renderMarkdown(record);
    expect(report).toContain("## Parts of tellist:2");
    expect(report).toContain("raw-struct *");
    expect(report).toContain("json, the fastest that decodes all");
    // They are in a table of their own.
    expect(report).not.toMatch(/^\| codec.*reads:/m);
  });
});

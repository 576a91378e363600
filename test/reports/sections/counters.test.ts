/** What a report of a run says of instructions. */
import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../../src/model/records/run.ts";
import { renderMarkdown } from "../../../src/reports/run/markdown.ts";
import { renderText } from "../../../src/reports/run/text.ts";
import { measured, recordOf } from "../record.ts";

const COUNTS = {
  instructions: 166_600.4,
  cycles: 55_000,
  processes: [{ block: 0, instructions: 166_600.4 }],
};

function record(reason?: string, counters: typeof COUNTS | null = COUNTS): RunRecord {
  const cells = [
    { ...measured("json", "encode", 100, 1000), ...(counters && { counters }) },
    measured("v8", "encode", 100, 1000),
  ];
  const made = recordOf(cells);
  return {
    ...made,
    options: { ...made.options, counters: true },
    runtimes: made.runtimes.map((runtime) => ({ ...runtime, ...(reason && { countersReason: reason }) })),
  };
}

describe("instructions in a report", () => {
  it.each([
    ["Markdown", renderMarkdown],
    ["text", renderText],
  ])("are a table with a row per codec: %s", (_, render) => {
    const text = render(record());
    expect(text).toMatch(/json[ |]+166,600[ |]+3\.03/);
    expect(text).toMatch(/v8[ |]+–/);
    expect(text).toContain("counted after the timing");
    expect(text).toContain("not how long memory takes");
  });

  it("say why there are none", () => {
    const text = renderText(record("perf says that instructions:u is not supported here", null));
    expect(text).toContain("No hardware counters: perf says that instructions:u is not supported here.");
    expect(text).not.toContain("not how long memory takes");
  });

  it("say why some processes have none", () => {
    expect(renderText(record("perf gave no answer in 5 s"))).toContain(
      "Hardware counters were not had in every process: perf gave no answer in 5 s.",
    );
  });

  it("say of reference programs that nothing was counted", () => {
    const made = record();
    const cells = made.cells.map((cell) =>
      cell.codec === "v8" ? { ...cell, codec: "json (C++ 1.0)", program: "cpp/json" } : cell,
    );
    expect(renderText({ ...made, cells })).toContain(
      "Nothing was counted of json (C++ 1.0): reference programs do not tell it.",
    );
    expect(renderText(made)).not.toContain("Nothing was counted");
  });

  it("have no cycles where those are not counted", () => {
    const { cycles: _, ...counters } = COUNTS;
    const made = record();
    const cells = made.cells.map((cell) => (cell.counters === undefined ? cell : { ...cell, counters }));
    expect(renderText({ ...made, cells })).toMatch(/json +166,600 *$/m);
  });

  it("are no matter where nobody asked", () => {
    const text = renderMarkdown(recordOf([measured("json", "encode", 100, 1000)]));
    expect(text).not.toMatch(/instruction/i);
  });
});

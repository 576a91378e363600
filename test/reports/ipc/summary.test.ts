/** The latencies of a run between processes, to be put into another document. */
import { expect, it } from "vitest";
import summary from "../../../src/reports/ipc/summary.ts";
import { ipcRecordOf, measuredTest, refusedTest } from "../ipc-record.ts";

const PACE = { encodeMs: 10, transportMs: 1, decodeMs: 20 };

it("has a table of each dataset whose latency was measured, and of no other", () => {
  const record = ipcRecordOf([
    measuredTest("latency", "json", PACE),
    measuredTest("throughput", "v8", PACE),
    measuredTest("throughput", "json", PACE, { dataset: "other" }),
  ]);
  const [frame] = record.datasets;
  const datasets = [frame!, { ...frame!, name: "other", story: "nothing was timed" }];
  const shown = summary.render({ ...record, datasets });
  expect(shown).toContain(`**${frame!.name}**: ${frame!.story}\n\n| codec |`);
  expect(shown.match(/^\| json +\|/gm)).toHaveLength(1);
  expect(shown).not.toContain("| v8");
  expect(shown).not.toContain("**other**");
});

it("has no table where nothing was measured", () => {
  const refused = refusedTest("latency", "json", "unsupported", "no");
  expect(summary.render(ipcRecordOf([refused]))).not.toContain("|");
});

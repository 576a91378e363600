/** A record as reports look at it. */
import { describe, expect, it } from "vitest";
import { heldProcessesText } from "../../src/reports/held-processes.ts";
import { viewOf } from "../../src/reports/view.ts";
import { fullCell, fullRecord, quietProcess } from "./full-record.ts";
import { measured, nanosOf, recordOf, refused } from "./record.ts";

describe("the view of a record", () => {
  const view = viewOf(fullRecord());

  it("finds cells by their names, in the dataset that they are of", () => {
    const data = view.dataset("tellist");
    expect(data?.cell("encode", "json")?.codec).toBe("json");
    expect(data?.cell("decode", "json")).toBeUndefined();
    expect(view.cell("encode", "garden", "json")).toBeUndefined();
    expect(view.dataset("garden")).toBeUndefined();
  });

  it("takes a second measurement of the baseline for no codec", () => {
    expect(view.dataset("tellist")?.codecs).toEqual(["protobufjs", "json"]);
    expect(view.dataset("tellist")?.cells).toHaveLength(3);
  });

  it("keeps operations and their parts apart, and leaves out partial reads", () => {
    const cells = [
      measured("json", "encode", 1, 2),
      { ...measured("json", "write", 1, 2), part: true as const },
      { ...measured("json", "reads:4", 1, 2), reads: { records: 0.25, fields: 1 } },
    ];
    const { operations, parts } = viewOf(recordOf(cells));
    expect(operations).toEqual(["encode"]);
    expect(parts).toEqual(["write"]);
  });

  it("names each library once, with how it was built", () => {
    const built = { ...measured("a", "encode", 1, 2), library: "lib", build: "native" };
    expect(viewOf(recordOf([built, built, measured("b", "encode", 1, 2)])).libraries).toEqual([
      "lib 1.2.3 (native)",
      "lib-b 1.2.3",
    ]);
  });

  it("has the ratio to the baseline by blocks, else by medians, and none to what takes no time", () => {
    const data = (median: number) =>
      viewOf(recordOf([measured("json", "encode", 1, median), measured("v8", "encode", 1, 30)])).dataset(
        "tellist",
      )!;
    const ratio = (median: number) => data(median).ratioToBaseline(data(median).measured("encode", "v8")!);
    expect(ratio(10)).toBe(3);
    expect(ratio(0)).toBeUndefined();
    const compared = view.dataset("tellist")!;
    expect(compared.ratioToBaseline(compared.measured("encode", "protobufjs")!)).toBe(0.4);
  });

  it("has no numbers of a cell that was refused", () => {
    const data = viewOf(recordOf([refused("json", "encode", "failed", "lost")])).dataset("tellist");
    expect(data?.cell("encode", "json")?.status).toBe("failed");
    expect(data?.measured("encode", "json")).toBeUndefined();
  });

  it("knows the most memory of a codec's processes", () => {
    const processes = [
      quietProcess({ peakBytes: 5 }),
      quietProcess({ peakBytes: 9 }),
      quietProcess({ codec: "v8" }),
    ];
    const data = viewOf({ ...recordOf([]), processes }).dataset("tellist");
    expect(data?.peakBytes("json")).toBe(9);
    expect(data?.peakBytes("absent")).toBeUndefined();
  });

  it("says when processes took so long that there were fewer of them, and that there were more beside others", () => {
    const few = { ...fullCell("json", "encode", 10), nanos: { ...nanosOf(10), processes: [10, 10] } };
    const notes = (complete: boolean) =>
      viewOf({ ...recordOf([few]), complete })
        .dataset("tellist")
        ?.otherProcesses();
    expect(notes(true)).toEqual(["2 processes in place of 3, because each took long"]);
    expect(notes(false)).toEqual([]);
    expect(heldProcessesText(recordOf([few]))).toBe("2 processes");
    const many = { ...few, nanos: { ...few.nanos, processes: [10, 10, 10, 10] } };
    expect(
      viewOf(recordOf([many]))
        .dataset("tellist")
        ?.otherProcesses(),
    ).toEqual(["4 processes in place of 3, because others share the cores"]);
    expect(heldProcessesText({ ...recordOf([many]), complete: false })).toBe("4 processes");
    const merged = { runs: [], machines: [] };
    expect(
      viewOf({ ...recordOf([few]), merged })
        .dataset("tellist")
        ?.otherProcesses(),
    ).toEqual(["2 processes, and 3 of other datasets"]);
    expect(heldProcessesText({ ...recordOf([few]), complete: false })).toBe("3 processes");
    expect(
      viewOf(recordOf([measured("json", "encode", 1, 2)]))
        .dataset("tellist")
        ?.otherProcesses(),
    ).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { steadyTime } from "../../../src/analysis/statistics/steady-time.ts";

const turns = (...nanos: number[]): { elapsedMs: number; nanos: number }[] =>
  nanos.map((each) => ({ elapsedMs: 2, nanos: each }));

describe("steadyTime", () => {
  it.each<[string, number[], number | null]>([
    ["from the start where nothing changes", [100, 105, 95, 100, 100, 100], 0],
    ["after the slow turns", [300, 300, 300, 200, 100, 100, 100, 100, 100], 8e6],
    ["in spite of a turn in which something else ran", [100, 100, 100, 900, 100, 100, 100], 0],
    ["after what came in between", [100, 100, 100, 300, 300, 300, 100, 100, 100], 12e6],
    ["never where it ends elsewhere", [100, 100, 100, 100, 150, 150, 150], null],
    ["never where it was never near", [300, 300, 300], null],
    ["never without turns", [], null],
    ["from the only turn", [104], 0],
  ])("is %s", (_name, nanos, expected) => {
    expect(steadyTime(turns(...nanos), 100)).toBe(expected);
  });

  it("is never where there is no level", () => {
    expect(steadyTime(turns(1, 1, 1), 0)).toBeNull();
    expect(steadyTime(turns(1, 1, 1), Number.NaN)).toBeNull();
  });
});

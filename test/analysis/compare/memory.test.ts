/** What is said of memory: runs of equal code are of one of a few codes each, and real differences are shown. */
import { describe, expect, it } from "vitest";
import type { MeasuredCell } from "../../../src/analysis/cells.ts";
import { comparedMemory } from "../../../src/analysis/compare/memory.ts";
import type { ComparedBytes, MemoryFigure } from "../../../src/model/records/comparison.ts";
import { measured } from "../../reports/record.ts";
import equalCode from "../../vectors/memory/equal-code.json" with { type: "json" };

const FIGURES = ["heapBytes", "externalBytes", "retainedBytes"] as const;

/** Runs whose figure is that, and whose others are 0. */
function runsOf(figure: MemoryFigure, values: readonly number[]): MeasuredCell[] {
  return values.map((value) => {
    const memory = {
      heapBytes: 0,
      externalBytes: 0,
      retainedBytes: 0,
      gcNanos: 0,
      longestPauseNanos: 0,
      leakedBytes: 0,
      findings: [],
      [figure]: value,
    };
    return { ...measured("json", "encode", 10, 10), memory } as unknown as MeasuredCell;
  });
}

function verdict(
  figure: MemoryFigure,
  base: readonly number[],
  head: readonly number[],
): ComparedBytes["verdict"] | undefined {
  return comparedMemory(runsOf(figure, base), runsOf(figure, head)).memory?.[figure].verdict;
}

describe("the verdict on memory", () => {
  it.each<[string, MemoryFigure, number[], number[], string]>([
    ["below a fifth", "heapBytes", [1000], [1199], "same"],
    ["a fifth", "heapBytes", [1000], [1200], "undecided"],
    ["a fifth less", "heapBytes", [1200], [1000], "undecided"],
    ["a fifth of next to nothing", "heapBytes", [10], [25], "same"],
    ["what a compiler's choice does", "heapBytes", [4464], [8312], "undecided"],
    ["the most that it was seen to do", "heapBytes", [840], [248], "undecided"],
    ["more than that", "heapBytes", [1000], [3500], "more"],
    ["less than that", "externalBytes", [2500], [1000], "less"],
    ["something of nothing", "externalBytes", [0], [16], "more"],
    ["nothing of nothing", "externalBytes", [0], [0], "same"],
    ["a page kept", "retainedBytes", [0], [4096], "undecided"],
    ["less than a page kept", "retainedBytes", [0], [4095], "same"],
    ["what two runs may keep", "retainedBytes", [0], [262_143], "undecided"],
    ["more than that kept", "retainedBytes", [0], [262_144], "more"],
    ["much beside much", "retainedBytes", [100_000], [200_000], "undecided"],
    ["three runs beyond three", "heapBytes", [1000, 1000, 1000], [1500, 1500, 1500], "undecided"],
    ["four runs beyond four", "heapBytes", [1000, 1001, 1002, 1003], [1300, 1301, 1302, 1303], "more"],
    ["three runs below five", "heapBytes", [1300, 1301, 1302, 1303, 1304], [1000, 1001, 1002], "less"],
    [
      "one of four among the others",
      "heapBytes",
      [1000, 1000, 1000, 1300],
      [1300, 1300, 1300, 1300],
      "undecided",
    ],
    [
      "four runs closer than a fifth",
      "heapBytes",
      [1000, 1000, 1000, 1100],
      [1300, 1300, 1300, 1300],
      "undecided",
    ],
  ])("of %s", (_, figure, base, head, expected) => {
    expect(verdict(figure, base, head)).toBe(expected);
  });
});

describe("what is compared of memory", () => {
  it("is the medians of both sides, and how many times as much one has", () => {
    const of = (figure: MemoryFigure, base: number[], head: number[]) =>
      comparedMemory(runsOf(figure, base), runsOf(figure, head)).memory?.[figure];
    expect(of("heapBytes", [9, 100, 101], [250, 1, 999])).toMatchObject({ base: 100, head: 250, ratio: 2.5 });
    expect(of("retainedBytes", [0], [8192])).toMatchObject({ base: 0, head: 8192, ratio: null });
  });

  it("is nothing where a side has no memory, and what others have where one run has none", () => {
    const known = runsOf("heapBytes", [100]);
    const unknown = [measured("json", "encode", 10, 10)] as unknown as MeasuredCell[];
    expect(comparedMemory(known, unknown)).toEqual({});
    expect(comparedMemory(unknown, known)).toEqual({});
    expect(comparedMemory([...known, ...unknown], known).memory?.heapBytes.base).toBe(100);
  });
});

/** Verdicts of pairs of sides of the kept runs, cell by cell. */
function verdictsOf(base: readonly number[], head: readonly number[], scale = 1): Map<string, string[]> {
  return new Map(
    FIGURES.map((figure) => [
      figure,
      Object.values(equalCode[figure]).map((runs) => {
        const values = runs as readonly number[];
        return verdict(
          figure,
          base.map((i) => values[i]!),
          head.map((i) => values[i]! * scale),
        )!;
      }),
    ]),
  );
}

const differing = (verdicts: Iterable<string[]>): boolean =>
  [...verdicts].flat().some((one) => one === "more" || one === "less");

describe("twenty runs of equal code at quick", () => {
  const runs = Array.from({ length: 20 }, (_, i) => i);
  const pairs = runs.flatMap((base) =>
    runs.filter((head) => head !== base).map((head) => [base, head] as const),
  );

  it("have memory that differs in a twentieth of pairs at most", () => {
    const found = pairs.filter(([base, head]) => differing(verdictsOf([base], [head]).values()));
    expect(found.length / pairs.length).toBeLessThanOrEqual(0.05);
  });

  it("have memory that differs in a twentieth of comparisons of four with four at most", () => {
    const step = [1, 3, 7, 9].flatMap((stride) =>
      runs.map((from) => runs.map((i) => (from + i * stride) % 20)),
    );
    const found = step.filter((order) =>
      differing(verdictsOf(order.slice(0, 4), order.slice(4, 8)).values()),
    );
    expect(found.length / step.length).toBeLessThanOrEqual(0.05);
  });

  it.each([1.25, 1.5])("show what allocates %s times the bytes", (scale) => {
    const verdicts = pairs.flatMap(([base, head]) => verdictsOf([base], [head], scale).get("heapBytes")!);
    const shown = verdicts.filter((one) => one === "more" || one === "undecided");
    expect(shown.length / verdicts.length).toBeGreaterThan(0.85);
  });

  it("decide in four runs of each side that what is half as much again is more", () => {
    const verdicts = runs.flatMap((from) => {
      const order = runs.map((i) => (from + i) % 20);
      return verdictsOf(order.slice(0, 4), order.slice(4, 8), 1.5).get("heapBytes")!;
    });
    expect(verdicts.filter((one) => one === "more").length / verdicts.length).toBeGreaterThan(0.6);
  });
});

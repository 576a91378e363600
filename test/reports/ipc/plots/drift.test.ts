import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { windowsOf } from "../../../../src/reports/ipc/plots/decimate.ts";
import { type DriftSeries, drawDrift } from "../../../../src/reports/ipc/plots/drift.ts";
import { runs, SEED } from "../../../seed.ts";
import { elements, parseXml, texts, type Xml } from "../../xml.ts";

const subject = { test: "stability", dataset: "image", transport: "uds" };

function drawn(...series: DriftSeries[]): Xml {
  return parseXml(drawDrift(subject, series));
}

function rising(name: string, count: number, trend?: DriftSeries["trend"]): DriftSeries {
  const index = Float64Array.from({ length: count }, (_, at) => at);
  return { name, index, ms: index.map((at) => 2 + at / 1000), trend };
}

function strokesOf(svg: Xml, colour: string): string[] {
  return (
    elements(svg, "path")
      .filter(({ attributes }) => attributes["stroke"] === colour)
      .map(({ attributes }) => attributes["d"] ?? "")
      // Those of the legend are level.
      .filter((path) => !path.includes("h"))
  );
}

describe("windows", () => {
  const messages = fc.array(fc.tuple(fc.nat(1000), fc.double({ min: 0, max: 1e3, noNaN: true })), {
    maxLength: 300,
  });

  it("hold every message once, so that no spike is lost", () => {
    fc.assert(
      fc.property(messages, fc.integer({ min: 1, max: 30 }), (some, most) => {
        const ms = some.map(([, one]) => one);
        const windows = windowsOf({ index: some.map(([index]) => index), ms }, most);
        expect(windows.length).toBeLessThanOrEqual(most);
        expect(Math.max(...windows.map(({ highest }) => highest))).toBe(Math.max(...ms));
        expect(Math.min(...windows.map(({ lowest }) => lowest))).toBe(Math.min(...ms));
        for (const { lowest, median, highest } of windows) {
          expect(lowest).toBeLessThanOrEqual(median);
          expect(median).toBeLessThanOrEqual(highest);
        }
        const indices = windows.map(({ index }) => index);
        expect(indices).toEqual(indices.toSorted((a, b) => a - b));
      }),
      { seed: SEED, numRuns: runs(300) },
    );
  });

  it("follow the index, in whatever order the messages come", () => {
    const index = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
    expect(windowsOf({ index, ms: index }, 2)).toEqual([
      { index: 2, lowest: 0, median: 2, highest: 4 },
      { index: 7, lowest: 5, median: 7, highest: 9 },
    ]);
  });
});

describe("drift", () => {
  it("has a panel for each codec, with its slope", () => {
    const svg = drawn(
      rising("json", 1000, { slopeMsPer1000: 1, interceptMs: 2 }),
      rising("v8", 1000, { slopeMsPer1000: -0.01234, interceptMs: 2 }),
      rising("msgpackr", 30),
    );
    expect(texts(svg)).toEqual(
      expect.arrayContaining([
        "json: +1 ms per 1,000 messages",
        "v8: −0.0123 ms per 1,000 messages",
        "msgpackr: no trend",
        "Every codec has a scale of its own",
      ]),
    );
    expect(strokesOf(svg, "#0072B2")).toHaveLength(3);
  });

  it("draws the caller's line where it says", () => {
    const [along] = strokesOf(drawn(rising("json", 1000, { slopeMsPer1000: 1, interceptMs: 2 })), "#D55E00");
    const [median] = strokesOf(drawn(rising("json", 1000)), "#0072B2");
    const numbers = (path: string): number[] => [...path.matchAll(/[\d.]+/g)].map(Number);
    for (const [n, at] of numbers(along!).entries())
      expect(Math.abs(at - numbers(median!)[n]!)).toBeLessThan(1);
  });

  it("leaves out what of the line is beyond the axis", () => {
    const beyond = drawn(rising("json", 1000, { slopeMsPer1000: 1, interceptMs: 1e6 }));
    expect(strokesOf(beyond, "#D55E00").join("")).toBe("");
  });

  it("grows with the number of codecs instead of squeezing them", () => {
    const svg = drawn(...Array.from({ length: 8 }, (_, n) => rising(`codec ${n}`, 40)));
    expect(Number(svg.attributes["height"])).toBeGreaterThan(8 * 72);
  });

  it.each<[string, DriftSeries[]]>([
    ["no message was received", []],
    ["json: no message was received", [rising("json", 0), rising("v8", 30)]],
    ["json: only one message was received", [rising("json", 1)]],
  ])("says: %s", (notice, series) => {
    expect(texts(drawn(...series))).toContain(notice);
  });

  it("draws an only message as a point", () => {
    const circles = elements(drawn(rising("json", 1)), "circle").filter(
      ({ attributes }) => attributes["fill"] === "#0072B2",
    );
    expect(circles).toHaveLength(1);
  });
});

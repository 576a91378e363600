import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  curveOf,
  drawPercentileCurve,
  type PercentileSeries,
} from "../../../../src/reports/ipc/plots/percentile-curve.ts";
import { runs, SEED } from "../../../seed.ts";
import { elements, parseXml, texts, type Xml } from "../../xml.ts";

const subject = { test: "latency", dataset: "image", transport: "uds" };

function drawn(...series: PercentileSeries[]): Xml {
  return parseXml(drawPercentileCurve(subject, series));
}

function upTo(count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, at) => at + 1);
}

describe("a curve", () => {
  it.each([
    [9, []],
    [10, [1]],
    [19, [1]],
    [20, [1, 2]],
    [99, [1, 2]],
    [100, [1, 2, 10]],
    [1_000, [1, 2, 10, 100]],
    [10_000, [1, 2, 10, 100, 1_000]],
  ])("of %i messages reaches as far as ten lie above", (count, labelled) => {
    const curve = curveOf(upTo(count));
    expect([1, 2, 10, 100, 1_000].filter((tick) => curve.some(({ oneIn }) => oneIn === tick))).toEqual(
      labelled,
    );
    for (const { oneIn } of curve) expect(oneIn * 10).toBeLessThanOrEqual(count);
  });

  it("goes through the nearest-rank percentiles", () => {
    const curve = curveOf(upTo(10_000).reverse());
    const at = (one: number): number | undefined => curve.find(({ oneIn }) => oneIn === one)?.ms;
    expect([1, 2, 10, 100, 1_000].map(at)).toEqual([1, 5_000, 9_000, 9_900, 9_990]);
  });

  it("rises, through values that were measured", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e3, noNaN: true }), { maxLength: 400 }), (ms) => {
        const curve = curveOf(ms);
        for (const [n, point] of curve.entries()) {
          expect(ms).toContain(point.ms);
          if (n === 0) continue;
          expect(point.oneIn).toBeGreaterThan(curve[n - 1]!.oneIn);
          expect(point.ms).toBeGreaterThanOrEqual(curve[n - 1]!.ms);
        }
      }),
      { seed: SEED, numRuns: runs(200) },
    );
  });
});

describe("the chart of curves", () => {
  it("labels percentiles as far as there are messages", () => {
    const labels = texts(drawn({ name: "json", ms: upTo(10_000) }));
    expect(labels).toEqual(expect.arrayContaining(["0 %", "50 %", "90 %", "99 %", "99.9 %", "99.99 %"]));
    expect(labels).not.toContain("99.999 %");
    expect(texts(drawn({ name: "json", ms: upTo(99) }))).not.toContain("99 %");
  });

  it("marks the slowest message of every codec, apart from its curve", () => {
    const svg = drawn({ name: "json", ms: upTo(200) }, { name: "v8", ms: upTo(5) }, { name: "none", ms: [] });
    const diamonds = elements(svg, "path").filter(({ attributes }) =>
      /^M[\d.]+,[\d.]+l6,6l-6,6l-6,-6Z$/.test(attributes["d"] ?? ""),
    );
    expect(diamonds.map(({ attributes }) => attributes["fill"])).toEqual(["#0072B2", "#D55E00"]);
  });

  it.each<[string, number[]]>([
    ["no message was received", []],
    ["no message was received", [0, 0]],
    ["only one message was received: too few to tell a percentile", [1, 0]],
    ["at most 19 messages were received: too few to tell a percentile", [19, 3]],
  ])("says: %s", (notice, counts) => {
    expect(texts(drawn(...counts.map((count) => ({ name: "json", ms: upTo(count) }))))).toContain(notice);
  });

  it("has nothing more to say from 20 messages on", () => {
    expect(texts(drawn({ name: "json", ms: upTo(20) })).join()).not.toContain("too few");
  });
});

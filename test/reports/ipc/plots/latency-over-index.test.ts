import { describe, expect, it } from "vitest";
import {
  drawLatencyOverIndex,
  type LatencySeries,
} from "../../../../src/reports/ipc/plots/latency-over-index.ts";
import { elements, parseXml, texts, type Xml } from "../../xml.ts";

const subject = { test: "latency", dataset: "image", transport: "uds" };

function drawn(...series: LatencySeries[]): Xml {
  return parseXml(drawLatencyOverIndex(subject, series));
}

/** `count` messages of 1 ms with a little ripple, but for those that `slow` names. */
function steady(name: string, count: number, slow: Readonly<Record<number, number>> = {}): LatencySeries {
  const index = Float64Array.from({ length: count }, (_, at) => at);
  return { name, index, ms: index.map((at) => slow[at] ?? 1 + (at % 10) / 100), dropped: [] };
}

function twice(numbers: ArrayLike<number>): number[] {
  return [...Array.from(numbers), ...Array.from(numbers)];
}

/** Places of all points, in pixels of the plot. */
function points(svg: Xml): { x: number; y: number }[] {
  return elements(svg, "path")
    .filter(({ attributes }) => attributes["stroke-opacity"] === "0.8")
    .flatMap(({ attributes }) => [...attributes["d"]!.matchAll(/M([\d.]+),([\d.]+)h/g)])
    .map(([, x, y]) => ({ x: Number(x), y: Number(y) }));
}

describe("latency over index", () => {
  it("has a point for each message of every codec", () => {
    expect(points(drawn(steady("json", 100), steady("v8", 50)))).toHaveLength(150);
  });

  it("says what it shows, of what, and in which units", () => {
    const svg = drawn(steady("json", 100), steady("v8", 100));
    expect(texts(svg)).toEqual(
      expect.arrayContaining([
        "End-to-end latency over the message index",
        "test latency · dataset image · transport uds",
        "message index",
        "end-to-end latency (ms)",
        "json",
        "v8",
      ]),
    );
    expect(elements(svg, "title")).toHaveLength(1);
    expect(elements(svg, "rect")[0]?.attributes["fill"]).toBe("#FFFFFF");
    expect(svg.attributes).toMatchObject({ width: "900", height: "450", role: "img" });
  });

  it("shows the one slow message among 20,000, and that others are left out", () => {
    const svg = drawn(steady("json", 20_000, { 12345: 400 }));
    const highest = points(svg).reduce((a, b) => (a.y < b.y ? a : b));
    const width = Math.max(...points(svg).map(({ x }) => x));
    expect(highest.x / width).toBeCloseTo(12_345 / 19_999, 3);
    expect(points(svg).filter(({ y }) => y < highest.y + 100)).toHaveLength(1);
    expect(texts(svg).join()).toContain("Of every pixel column the highest, a middle and the lowest message");
  });

  it("has a logarithmic axis where a linear one would flatten all but the spikes", () => {
    expect(texts(drawn(steady("json", 100, { 50: 7 })))).toContain("end-to-end latency (ms)");
    expect(texts(drawn(steady("json", 100, { 50: 70 })))).toContain("end-to-end latency (ms, log scale)");
    expect(texts(drawn(steady("json", 100, { 50: 70, 51: 0 })))).toContain("end-to-end latency (ms)");
  });

  it("marks dropped messages above the plot, and counts them", () => {
    const svg = drawn({ ...steady("json", 60), dropped: [60, 61, 99] }, steady("v8", 100), {
      ...steady("msgpackr", 99),
      dropped: [99],
    });
    const marks = elements(svg, "path").flatMap(({ attributes: { d = "", stroke } }) =>
      [...d.matchAll(/M[\d.]+,-[\d.]+V-[\d.]+/g)].map(() => stroke),
    );
    expect(marks).toEqual(["#0072B2", "#0072B2", "#0072B2", "#009E73"]);
    expect(texts(svg)).toEqual(expect.arrayContaining(["json: 3 dropped", "msgpackr: 1 dropped"]));
  });

  it("stays small and quick for 20,000 messages to two listeners by five codecs", () => {
    const series = ["a", "b", "c", "d", "e"].map((name) => {
      const { index, ms } = steady(name, 20_000);
      return { name, index: twice(index), ms: twice(ms), dropped: index };
    });
    const svg = drawLatencyOverIndex(subject, series);
    expect(svg.length).toBeLessThan(1_000_000);
    parseXml(svg);
  });

  it.each<[string, LatencySeries[]]>([
    ["no messages", []],
    ["no message was received, 3 were dropped", [{ name: "json", index: [], ms: [], dropped: [0, 1, 2] }]],
    ["only one message was received", [{ name: "json", index: [0], ms: [3.5], dropped: [] }]],
  ])("says: %s", (notice, series) => {
    const svg = drawn(...series);
    expect(texts(svg)).toContain(notice);
    expect(points(svg)).toHaveLength(series.reduce((sum, { ms }) => sum + ms.length, 0));
  });

  it("tells series apart by shape once the colours are used up", () => {
    const svg = drawn(...Array.from({ length: 12 }, (_, n) => steady(`codec ${n}`, 30)));
    const looks = elements(svg, "path")
      .filter(({ attributes }) => attributes["stroke-opacity"] === "0.8")
      .map(({ attributes }) => `${attributes["stroke"]} ${attributes["stroke-linecap"]}`);
    expect(new Set(looks).size).toBe(12);
  });
});

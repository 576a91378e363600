/** The two charts of bars: drops and stages. */
import { describe, expect, it } from "vitest";
import {
  type DropSeries,
  drawDrops,
  drawStages,
  type PairCounts,
  type StageSeries,
} from "../../../../src/reports/ipc/plots/bars.ts";
import { elements, parseXml, texts, type Xml } from "../../xml.ts";

const subject = { test: "one-to-two", dataset: "image", transport: "uds" };

/** Widths of the bars' parts by colour, in pixels. */
function widths(svg: Xml): Record<string, number[]> {
  const found: Record<string, number[]> = {};
  for (const { attributes } of elements(svg, "rect")) {
    const { width, fill } = attributes;
    // The squares of the legend are 10 pixels high, and the background is white.
    if (width === undefined || fill === undefined || fill === "#FFFFFF" || attributes["height"] === "10")
      continue;
    found[fill] ??= [];
    found[fill].push(Number(width));
  }
  return found;
}

describe("drops", () => {
  const drawn = (...series: DropSeries[]): Xml => parseXml(drawDrops(subject, series));
  const pair = (
    listener: number,
    received: number,
    [sender, overwritten, receiver] = [0, 0, 0],
  ): PairCounts => ({
    talker: 0,
    listener,
    received,
    drops: { sender: sender!, overwritten: overwritten!, receiver: receiver! },
    totalMs: 1234.5,
  });

  it("has a bar for each pair of talker and listener, stacked of what became of the messages", () => {
    const svg = drawn(
      { name: "json", pairs: [pair(0, 100), pair(1, 40, [30, 20, 10])] },
      { name: "v8", pairs: [pair(0, 100), pair(1, 100)] },
    );
    const labels = ["json", "v8", "0 → 0", "0 → 1", "1,235 ms", "1,235 ms, 60 dropped", "messages"];
    expect(texts(svg)).toEqual(expect.arrayContaining(labels));
    const {
      "#0072B2": received,
      "#E69F00": sender,
      "#CC79A7": overwritten,
      "#D55E00": receiver,
    } = widths(svg);
    // A hundredth of a pixel is told.
    const whole = received![0]!;
    expect(received).toEqual([whole, expect.closeTo(0.4 * whole, 1), whole, whole]);
    expect(sender).toEqual([expect.closeTo(0.3 * whole, 1)]);
    expect(overwritten).toEqual([expect.closeTo(0.2 * whole, 1)]);
    expect(receiver).toEqual([expect.closeTo(0.1 * whole, 1)]);
  });

  it("says so when everything was dropped, or there was nothing", () => {
    const svg = drawn({ name: "json", pairs: [pair(0, 0, [100, 0, 0])] }, { name: "v8", pairs: [] });
    expect(texts(svg)).toEqual(expect.arrayContaining(["all 100 dropped", "no messages"]));
    expect(texts(drawn())).toContain("no messages");
    expect(texts(drawn({ name: "json", pairs: [] }))).toContain("no messages");
  });

  it("tells one lost message among 20,000", () => {
    expect(texts(drawn({ name: "json", pairs: [pair(0, 19_999, [1, 0, 0])] }))).toContain(
      "1,235 ms, 1 dropped",
    );
  });

  it("grows with the number of bars instead of squeezing them", () => {
    const many = Array.from({ length: 20 }, (_, n) => ({
      name: `codec ${n}`,
      pairs: [pair(0, 9), pair(1, 9)],
    }));
    expect(Number(drawn(...many).attributes["height"])).toBeGreaterThan(40 * 18);
  });
});

describe("stages", () => {
  const drawn = (...series: StageSeries[]): Xml => parseXml(drawStages(subject, series));

  it("stacks the medians of every codec, and tells each and their sum", () => {
    const svg = drawn(
      { name: "json", messages: 100, encode: 3, transport: 1.5, queue: 0.004, decode: 5.5 },
      { name: "v8", messages: 100, encode: 1, transport: 1.5, decode: 2 },
    );
    expect(texts(svg)).toEqual(
      expect.arrayContaining([
        "json",
        "v8",
        "3",
        "1.5",
        "5.5",
        "10 ms",
        "4.5 ms",
        "median time (ms)",
        "queue",
      ]),
    );
    const { "#0072B2": encode, "#D55E00": decode } = widths(svg);
    expect(encode![0]!).toBeCloseTo(3 * encode![1]!, 1);
    expect(decode![0]!).toBeCloseTo(5.5 * encode![1]!, 1);
  });

  it("says of how few messages the medians are", () => {
    const svg = drawn({ name: "a", messages: 1, encode: 2 }, { name: "b", messages: 7, encode: 3 });
    expect(texts(svg)).toEqual(expect.arrayContaining(["2 ms, 1 message", "3 ms, 7 messages"]));
  });

  it("says that no message was received", () => {
    expect(texts(drawn())).toContain("no message was received");
    const svg = drawn({ name: "json", messages: 0 });
    expect(texts(svg)).toEqual(expect.arrayContaining(["no message was received", "no message", "json"]));
  });
});

/** Names of codecs and datasets come from users: in every chart they are text and nothing else. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawDrops, drawStages } from "../../../../src/reports/ipc/plots/bars.ts";
import { drawDrift } from "../../../../src/reports/ipc/plots/drift.ts";
import type { Subject } from "../../../../src/reports/ipc/plots/labels.ts";
import { drawLatencyOverIndex } from "../../../../src/reports/ipc/plots/latency-over-index.ts";
import { drawPercentileCurve } from "../../../../src/reports/ipc/plots/percentile-curve.ts";
import { runs, SEED } from "../../../seed.ts";
import { elements, parseXml, texts, type Xml } from "../../xml.ts";

const index = Array.from({ length: 40 }, (_, at) => at);
const points = { index, ms: index.map((at) => 1 + (at % 7)), dropped: [40] };
const pair = {
  talker: 0,
  listener: 0,
  received: 40,
  drops: { sender: 1, overwritten: 0, receiver: 0 },
  totalMs: 5,
};

const CHARTS: readonly [string, (subject: Subject, names: readonly string[]) => string][] = [
  [
    "latency over index",
    (subject, names) =>
      drawLatencyOverIndex(
        subject,
        names.map((name) => ({ name, ...points })),
      ),
  ],
  [
    "percentile curve",
    (subject, names) =>
      drawPercentileCurve(
        subject,
        names.map((name) => ({ name, ...points })),
      ),
  ],
  [
    "drift",
    (subject, names) =>
      drawDrift(
        subject,
        names.map((name) => ({ name, ...points })),
      ),
  ],
  [
    "drops",
    (subject, names) =>
      drawDrops(
        subject,
        names.map((name) => ({ name, pairs: [pair] })),
      ),
  ],
  [
    "stages",
    (subject, names) =>
      drawStages(
        subject,
        names.map((name) => ({ name, messages: 40, encode: 1 })),
      ),
  ],
];

const HOSTILE = [
  "<script>alert(1)</script>",
  'datum.x + "',
  "'+alert(1)+'",
  "</text></svg>",
  "a.b[0].c",
  "a\\.b['c']",
  "]]> &amp; <!--",
  "{signal: width}",
  "%d %s .2f",
  "__proto__",
  "constructor",
  "$& $1 $`",
  "",
];

/** A picture without its words. */
function shapeOf({ name, attributes, children }: Xml): unknown {
  return [name, attributes, children.flatMap((child) => (typeof child === "string" ? [] : [shapeOf(child)]))];
}

/** Text as SVG keeps it: spaces are one, and of a long name there is the beginning. */
function begins(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 18);
}

describe.each(CHARTS)("%s", (_, chart) => {
  it.each(HOSTILE)("shows the codec's and the dataset's name %j as text", (name) => {
    const svg = parseXml(chart({ test: name, dataset: name, transport: name }, [name, "json"]));
    expect(texts(svg).filter((text) => text.startsWith(begins(name))).length).toBeGreaterThan(0);
    expect(texts(svg).join("\n")).toContain(`dataset ${begins(name)}`);
    expect(elements(svg, "script")).toEqual([]);
    expect(elements(svg, "title")).toHaveLength(1);
  });

  it("draws the same whatever the names are", () => {
    const subject = { test: "latency", dataset: "image", transport: "uds" };
    const usual = shapeOf(parseXml(chart(subject, ["json", "v8"])));
    for (const name of HOSTILE) {
      const hostile = chart({ test: name, dataset: name, transport: name }, [name, `${name}2`]);
      expect(shapeOf(parseXml(hostile))).toEqual(usual);
    }
  });

  it("draws two codecs of one name beside each other", () => {
    const svg = parseXml(chart({ test: "t", dataset: "d", transport: "x" }, ["same", "same"]));
    expect(texts(svg).filter((text) => /^same(: no trend)?$/.test(text))).toHaveLength(2);
  });

  it("is well-formed for any names", () => {
    const anything = fc.string({ unit: "binary", maxLength: 60 });
    fc.assert(
      fc.property(anything, anything, fc.string({ maxLength: 30 }), (one, other, dataset) => {
        parseXml(chart({ test: "latency", dataset, transport: other }, [one, other]));
      }),
      { seed: SEED, numRuns: runs(15) },
    );
  });

  it.each(["\u0000\u001b[31m", "\ud800", "\udfff\ud800", "\ufffe", "\u202egnp.exe"])(
    "replaces what XML cannot hold, or would turn the line around: %j",
    (name) => {
      const text = chart({ test: name, dataset: name, transport: name }, [name]);
      parseXml(text);
      expect(text).not.toMatch(/\u202e/);
    },
  );

  it("holds no script, and asks for nothing from outside", () => {
    const svg = chart({ test: "latency", dataset: "image", transport: "uds" }, ["json", "v8"]);
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(
      /script|https?:|url\(|href|@import|on\w+=/,
    );
  });
});

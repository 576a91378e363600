/** Names of codecs and datasets come from users: in every chart they are text and nothing else. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Chart, draw } from "../../../../src/reports/ipc/plots/draw.ts";
import { drift } from "../../../../src/reports/ipc/plots/drift.ts";
import { drops } from "../../../../src/reports/ipc/plots/drops.ts";
import type { Subject } from "../../../../src/reports/ipc/plots/frame.ts";
import { latencyOverIndex } from "../../../../src/reports/ipc/plots/latency-over-index.ts";
import { percentileCurve } from "../../../../src/reports/ipc/plots/percentile-curve.ts";
import { stages } from "../../../../src/reports/ipc/plots/stages.ts";
import { runs, SEED } from "../../../seed.ts";
import { elements, parseXml, texts } from "./xml.ts";

const index = Array.from({ length: 40 }, (_, at) => at);
const points = { index, ms: index.map((at) => 1 + (at % 7)), dropped: [40] };
const pair = {
  talker: 0,
  listener: 0,
  received: 40,
  drops: { sender: 1, overwritten: 0, receiver: 0 },
  totalMs: 5,
};

const CHARTS: readonly [string, (subject: Subject, names: readonly string[]) => Chart][] = [
  [
    "latency over index",
    (subject, names) =>
      latencyOverIndex(
        subject,
        names.map((name) => ({ name, ...points })),
      ),
  ],
  [
    "percentile curve",
    (subject, names) =>
      percentileCurve(
        subject,
        names.map((name) => ({ name, ...points })),
      ),
  ],
  [
    "drift",
    (subject, names) =>
      drift(
        subject,
        names.map((name) => ({ name, ...points })),
      ),
  ],
  [
    "drops",
    (subject, names) =>
      drops(
        subject,
        names.map((name) => ({ name, pairs: [pair] })),
      ),
  ],
  [
    "stages",
    (subject, names) =>
      stages(
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

/** Whatever Vega would evaluate: strings under `signal`, `expr` and the like. */
function expressions(spec: unknown): unknown[] {
  if (typeof spec !== "object" || spec === null) return [];
  return Object.entries(spec).flatMap(([key, value]) =>
    ["signal", "expr", "test", "update", "transform", "format", "field"].includes(key) &&
    typeof value !== "object"
      ? [[key, value]]
      : expressions(value),
  );
}

/** Text as SVG keeps it: spaces are one, and of a long name there is the beginning. */
function begins(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 18);
}

describe.each(CHARTS)("%s", (_, chart) => {
  it.each(HOSTILE)("shows the codec's and the dataset's name %j as text", async (name) => {
    const svg = parseXml(await draw(chart({ test: name, dataset: name, transport: name }, [name, "json"])));
    expect(texts(svg).filter((text) => text.startsWith(begins(name))).length).toBeGreaterThan(0);
    expect(texts(svg).join("\n")).toContain(`dataset ${begins(name)}`);
    expect(elements(svg, "script")).toEqual([]);
    expect(elements(svg, "title")).toHaveLength(1);
  });

  it("evaluates the same whatever the names are", () => {
    const subject = { test: "latency", dataset: "image", transport: "uds" };
    const usual = expressions(chart(subject, ["json", "v8"]).spec);
    for (const name of HOSTILE)
      expect(
        expressions(chart({ test: name, dataset: name, transport: name }, [name, `${name}2`]).spec),
      ).toEqual(usual);
  });

  it("draws two codecs of one name beside each other", async () => {
    const svg = parseXml(await draw(chart({ test: "t", dataset: "d", transport: "x" }, ["same", "same"])));
    expect(texts(svg).filter((text) => /^same(: no trend)?$/.test(text))).toHaveLength(2);
  });

  it("is well-formed for any names", async () => {
    const anything = fc.string({ unit: "binary", maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(anything, anything, fc.string({ maxLength: 30 }), async (one, other, dataset) => {
        parseXml(await draw(chart({ test: "latency", dataset, transport: other }, [one, other])));
      }),
      { seed: SEED, numRuns: runs(15) },
    );
  });

  it.each(["\u0000\u001b[31m", "\ud800", "\udfff\ud800", "\ufffe", "\u202egnp.exe"])(
    "replaces what XML cannot hold, or would turn the line around: %j",
    async (name) => {
      const text = await draw(chart({ test: name, dataset: name, transport: name }, [name]));
      parseXml(text);
      expect(text).not.toMatch(/\u202e/);
    },
  );

  it("is plain data", () => {
    const { spec } = chart({ test: "latency", dataset: "image", transport: "uds" }, ["json", "v8"]);
    expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
  });
});

it("a chart that cannot be drawn is an error, not half a chart", async () => {
  const spec = { width: 10, height: 10, data: [{ name: "a", values: [1] }], marks: [] };
  const broken = { ...spec, signals: [{ name: "s", update: "data('a')[0].data.x.y.z" }] };
  await expect(draw({ title: "", description: "", spec: broken })).rejects.toThrow(/undefined/);
});

it("only types of Vega are imported before a chart is drawn", () => {
  const folder = path.join(import.meta.dirname, "../../../../src/reports/ipc/plots");
  for (const file of readdirSync(folder)) {
    const text = readFileSync(path.join(folder, file), "utf8");
    expect(text, file).not.toMatch(/^import (?!type\b)[^;]*from "vega/m);
  }
});

/** The pictures of a run, from records that nobody made. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Cell, RunRecord } from "../../src/model/records/run.ts";
import type { Drawing } from "../../src/reports/chart/figure.ts";
import { type Named, placeNames } from "../../src/reports/chart/label-places.ts";
import { widthOf } from "../../src/reports/chart/svg.ts";
import { picturesOf } from "../../src/reports/picture.ts";
import { cases, runs, SEED } from "../seed.ts";
import { standing } from "./full-record.ts";
import { measured, nanosOf, recordOf, refused } from "./record.ts";
import { elements, parseXml, texts } from "./xml.ts";

/** A record of codecs by name, each with its bytes and the nanoseconds of encode and of decode. */
function recordWith(codecs: Readonly<Record<string, readonly [number, number, number]>>): RunRecord {
  const rows = Object.entries(codecs);
  return recordOf(
    rows.flatMap(([codec, [bytes, encode, decode]]) => [
      measured(codec, "encode", bytes, encode),
      measured(codec, "decode", bytes, decode),
    ]),
    rows.map(([codec, [bytes]]) => ({ dataset: "tellist", codec, bytes, gzip: bytes, brotli: bytes })),
  );
}

const THREE = recordWith({
  json: [2617, 11_000, 10_800],
  protobufjs: [841, 5050, 5060],
  v8: [2263, 12_000, 17_600],
});

function pictureOf(record: RunRecord, file: RegExp): Drawing {
  const found = picturesOf(record).find((picture) => file.test(picture.file));
  if (found === undefined) throw new Error(`no picture ${file}`);
  return found;
}

function renamed(record: RunRecord, dataset: string): RunRecord {
  return {
    ...record,
    datasets: record.datasets.map((one) => ({ ...one, name: dataset })),
    cells: record.cells.map((cell) => ({ ...cell, dataset })),
    payloads: record.payloads.map((payload) => ({ ...payload, dataset })),
  };
}

describe("the pictures of a run", () => {
  it("are one of each operation, and one of size and time, for every dataset", () => {
    expect(picturesOf(THREE).map(({ file }) => file)).toEqual([
      "plots/1-1-tellist-encode.svg",
      "plots/1-2-tellist-decode.svg",
      "plots/1-3-tellist-size-and-time.svg",
    ]);
    const { datasets, cells, payloads } = renamed(THREE, "my data: <v1>.json");
    const two = {
      ...THREE,
      datasets: [...THREE.datasets, ...datasets],
      cells: [...THREE.cells, ...cells],
      payloads: [...THREE.payloads, ...payloads],
    };
    expect(picturesOf(two).map(({ dataset }) => dataset)).toEqual([
      ...Array(3).fill("tellist"),
      ...Array(3).fill("my data: <v1>.json"),
    ]);
  });

  it("have files of their own, with names that every system takes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "binary", maxLength: 300 }), { minLength: 1, maxLength: 5 }),
        (names) => {
          const record = { ...THREE, datasets: names.map((name) => ({ ...THREE.datasets[0]!, name })) };
          const cells = names.flatMap((name) => renamed(THREE, name).cells);
          const files = picturesOf({ ...record, cells }).map(({ file }) => file);
          expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(files.length);
          for (const file of files) expect(file).toMatch(/^plots\/[\w.-]{1,200}\.svg$/);
        },
      ),
      { seed: SEED, numRuns: runs(100) },
    );
  });

  it("are none of a proof, nor of an operation that no codec was measured in", () => {
    expect(picturesOf(recordOf([{ ...measured("json", "verify", 9, 1), status: "ok" }]))).toEqual([]);
    expect(picturesOf(recordOf([refused("json", "encode", "failed", "it threw")]))).toEqual([]);
  });

  it("say what they show to those who do not see it", () => {
    const { title, svg } = pictureOf(THREE, /encode/);
    expect(title).toBe("encode of tellist: protobufjs 5.05 µs to v8 12.0 µs, 3 codecs");
    const [heading] = elements(parseXml(svg), "title");
    const [description] = elements(parseXml(svg), "desc");
    expect(heading?.children).toEqual([expect.stringContaining("Time to encode: dataset tellist")]);
    expect(description?.children).toEqual([
      "Median time per message: protobufjs 5.05 µs; json 11.0 µs; v8 12.0 µs",
    ]);
    expect(pictureOf(THREE, /size/).title).toBe(
      "Size against time on tellist: no codec beats protobufjs (841 bytes, 10.1 µs)",
    );
  });

  it.each(["<script>alert(1)</script>", "</text></svg>", "]]> &amp; <!--", "\u202egnp.exe", "\ud800", ""])(
    "show the name %j as text",
    (name) => {
      const record = renamed(recordWith({ [name]: [1, 2, 3], json: [2, 1, 1] }), name);
      for (const { svg } of picturesOf(record)) {
        expect(elements(parseXml(svg), "script")).toEqual([]);
        expect(svg).not.toContain("\u202e");
      }
    },
  );
});

describe("an interval plot", () => {
  const textsOf = (record: RunRecord): string[] => texts(parseXml(pictureOf(record, /encode/).svg));

  it("has a row per codec from the fastest to the slowest, with its time, interval and ratio", () => {
    const shown = textsOf(THREE);
    expect(shown.filter((word) => ["json", "protobufjs", "v8"].includes(word))).toEqual([
      "protobufjs",
      "json",
      "v8",
    ]);
    expect(shown).toEqual(expect.arrayContaining(["5.05 µs", "±5.0 %", "0.46", "× json", "1.09"]));
  });

  it("has a logarithmic axis from eightfold times on, else one from zero", () => {
    expect(textsOf(THREE)).toEqual(expect.arrayContaining(["0", "time per message"]));
    expect(textsOf(recordWith({ a: [1, 100, 1], b: [1, 100_000, 1] }))).toEqual(
      expect.arrayContaining(["100 ns", "1 µs", "10 µs", "100 µs", "time per message (log scale)"]),
    );
  });

  it("says which ranks and ratios cannot be told apart", () => {
    const ranked = (codec: string, median: number, tier: number, ratio: number): Cell => ({
      ...measured(codec, "encode", 1, median),
      standing: standing({ tier, ratio, verdict: tier === 2 ? "same" : "faster" }),
    });
    const shown = textsOf(
      recordOf([ranked("json", 20, 2, 1), ranked("v8", 21, 2, 1.03), ranked("amf3", 9, 1, 0.4)]),
    );
    expect(shown.filter((word) => word === "2~")).toHaveLength(2);
    expect(shown.filter((word) => word === "~")).toHaveLength(2);
    expect(shown).toEqual(expect.arrayContaining(["rank", "1", "0.40"]));
  });

  it("lists what was not measured, and why", () => {
    const record = recordOf([
      measured("json", "encode", 1, 10),
      refused("capnp-ts", "encode", "unsupported", "no maps"),
      refused("flatbuffers", "encode", "unsupported", "no maps"),
      refused("v8", "encode", "failed", "it threw"),
    ]);
    expect(textsOf(record)).toEqual(
      expect.arrayContaining(["capnp-ts, flatbuffers: unsupported: no maps", "v8: failed: it threw"]),
    );
  });

  it("is not flattened by one interval that reaches far, nor broken by one that is unknown or below zero", () => {
    const wide = (ci95: readonly [number, number] | null): Cell => ({
      ...measured("v8", "encode", 1, 100),
      nanos: { ...nanosOf(100), ci95 },
    });
    for (const ci95 of [null, [-5000, 90_000], [0, 0]] as const) {
      const { svg } = pictureOf(recordOf([measured("json", "encode", 1, 120), wide(ci95)]), /encode/);
      expect(svg).not.toMatch(/NaN|Infinity/);
      const places = elements(parseXml(svg), "circle").map(({ attributes }) => Number(attributes["cx"]));
      expect(Math.abs(places[0]! - places[1]!)).toBeGreaterThan(15);
    }
    expect(pictureOf(recordOf([measured("json", "encode", 0, 0)]), /encode/).svg).not.toMatch(/NaN|Infinity/);
  });

  it.each([
    ["neither", [90, 110], []],
    ["the right", [90, 90_000], ["right"]],
    ["both", [-5000, 90_000], ["left", "right"]],
  ] as const)("marks an interval that goes on beyond the edge of %s with an arrow", (_, ci95, sides) => {
    const cell: Cell = { ...measured("v8", "encode", 1, 100), nanos: { ...nanosOf(100), ci95 } };
    const { svg } = pictureOf(recordOf([measured("json", "encode", 1, 120), cell]), /encode/);
    const paths = elements(parseXml(svg), "path").map(({ attributes }) => attributes["d"] ?? "");
    // A point, and a line to either side of it.
    const arrows = paths
      .filter((d) => d.includes("L"))
      .flatMap((d) => {
        const [from, tip, to, ...others] = [...d.matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) => Number(x));
        return from !== to || tip === undefined || to === undefined || others.length > 0 ? [] : [tip - to];
      });
    expect(arrows.map((length) => (length > 0 ? "right" : "left"))).toEqual(sides);
    expect(svg.includes("an arrow: it goes on")).toBe(sides.length > 0);
  });

  it("has room for the baseline's whole name with its runtime", () => {
    const record = recordOf([measured("json (node 22)", "encode", 1, 120)]);
    const named = { ...record, options: { ...record.options, baseline: "json (node 22)" } };
    const words = elements(parseXml(pictureOf(named, /encode/).svg), "text");
    const placeOf = (text: string): number =>
      Number(words.find((word) => texts(word).includes(text))?.attributes["x"]);
    expect(placeOf("× json (node 22)") - placeOf("±")).toBeGreaterThan(widthOf("× json (node 22)", 11));
  });

  it("stays readable for many codecs", () => {
    const many = recordWith(
      Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`codec ${n}`, [100 + n, 1000 * (n + 1), 1]])),
    );
    const { svg } = pictureOf(many, /encode/);
    const rows = elements(parseXml(svg), "circle").map(({ attributes }) => Number(attributes["cy"]));
    for (const [n, y] of rows.entries()) expect(y - (rows[n - 1] ?? -20)).toBeGreaterThan(18);
  });
});

describe("a plot of size and time", () => {
  it("draws the Pareto front, and who is beaten", () => {
    const record = recordWith({ small: [10, 900, 900], quick: [90, 100, 100], json: [100, 1000, 1000] });
    const { title, svg } = pictureOf(record, /size/);
    expect(title).toBe(
      "Size against time on tellist: no codec beats small (10 bytes, 1.80 µs), quick (90 bytes, 200 ns)",
    );
    expect(texts(parseXml(svg))).toEqual(
      expect.arrayContaining(["small", "quick", "json", "on the Pareto front", "beaten on both"]),
    );
  });

  it("is drawn for two codecs or more", () => {
    expect(
      picturesOf(recordWith({ json: [1, 2, 3] }))
        .map(({ file }) => file)
        .join(),
    ).not.toContain("size");
  });

  it("names every point, so that no name covers another or a point", () => {
    const bounds = { left: 0, right: 630, top: 0, bottom: 600 };
    const point = fc.record({
      x: fc.double({ min: 0, max: 630, noNaN: true }),
      y: fc.double({ min: 0, max: 600, noNaN: true }),
      width: fc.integer({ min: 10, max: 150 }),
    });
    fc.assert(
      fc.property(fc.array(point, { maxLength: 40 }), (points: Named[]) => {
        const boxes = placeNames(points, bounds).map((place) => place?.box);
        for (const [n, box] of boxes.entries()) {
          if (box === undefined) throw new Error(`no room for name ${n} of ${points.length}`);
          expect(box.left >= 0 && box.right <= 630 && box.top >= 0 && box.bottom <= 600).toBe(true);
          for (const other of boxes.slice(0, n))
            expect(
              box.left < other!.right &&
                other!.left < box.right &&
                box.top < other!.bottom &&
                other!.top < box.bottom,
            ).toBe(false);
          for (const [m, { x, y }] of points.entries())
            expect(m !== n && x > box.left && x < box.right && y > box.top && y < box.bottom).toBe(false);
        }
      }),
      { seed: SEED, numRuns: cases(100) },
    );
  });
});

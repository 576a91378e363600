/** What the report says of messages whose costs are known, read back from its text. */
import { describe, expect, it } from "vitest";
import { choicesOf } from "../../../src/analysis/link/choices.ts";
import { linkCosts } from "../../../src/analysis/link/costs.ts";
import type { RunRecord } from "../../../src/model/records/run.ts";
import { renderMarkdown } from "../../../src/reports/run/markdown.ts";
import { renderText } from "../../../src/reports/run/text.ts";
import {
  compressionSpeedTable,
  compressionTable,
  costTable,
  crossoverTable,
  frontTable,
  linkSection,
  linkSummary,
} from "../../../src/reports/sections/run/link.ts";
import type { Table } from "../../../src/reports/table.ts";
import { formatBandwidth, formatBandwidths } from "../../../src/reports/units.ts";
import { viewOf } from "../../../src/reports/view.ts";
import { type Sent, wireRecord } from "../../analysis/link/record.ts";
import { recordOf, refused } from "../record.ts";

// 800 bytes less and 3,200 ns more than flatbuffers: 2 Gbit/s. Its gzip saves 400 bytes for 32,000 ns: 100 Mbit/s.
const PROTOBUFJS: Sent = {
  codec: "protobufjs",
  bytes: 900,
  encode: 2000,
  decode: 2000,
  compressed: [{ algorithm: "gzip", bytes: 500, compress: 24_000, inflate: 8000 }],
};
const FLATBUFFERS: Sent = { codec: "flatbuffers", bytes: 1700, encode: 500, decode: 300 };
// As much time as flatbuffers at 10 Gbit/s, but for an interval that does not tell.
const RAW: Sent = { codec: "raw-struct", bytes: 1800, encode: 400, decode: 350, spread: 0.5 };
const record = wireRecord([FLATBUFFERS, PROTOBUFJS, RAW]);
const choices = choicesOf(record, "tellist");

function cells(table: Table | undefined): (readonly string[])[] {
  return table === undefined ? [] : [table.columns.map(({ heading }) => heading), ...table.rows];
}

describe("bandwidths as people read them", () => {
  it.each([
    [formatBandwidth(10e6), "10 Mbit/s"],
    [formatBandwidth(1e9), "1 Gbit/s"],
    [formatBandwidth(2.5e9), "2.5 Gbit/s"],
    [formatBandwidth(2_134_567), "2.13 Mbit/s"],
    [formatBandwidth(999_400), "999 kbit/s"],
    [formatBandwidth(999_999), "1 Mbit/s"],
    [formatBandwidth(1), "1 bit/s"],
    [formatBandwidth(0.2), "under 1 bit/s"],
    [formatBandwidth(0), "under 1 bit/s"],
    [formatBandwidth(999e12), "999 Tbit/s"],
    [formatBandwidth(1e15), "over 999 Tbit/s"],
    [formatBandwidth(Number.POSITIVE_INFINITY), "over 999 Tbit/s"],
    [formatBandwidths([1.9e9, 2.4e9]), "1.9–2.4 Gbit/s"],
    [formatBandwidths([950e6, 1.1e9]), "950 Mbit/s–1.1 Gbit/s"],
    [formatBandwidths([2.001e9, 2.002e9]), "2 Gbit/s"],
    [formatBandwidths([500e12, Number.POSITIVE_INFINITY]), "500 Tbit/s–over 999 Tbit/s"],
  ])("%s", (text, expected) => {
    expect(text).toBe(expected);
  });
});

describe("the tables of a wire", () => {
  it("have each codec's best way on each link, with the winner and those that cannot be told from it", () => {
    expect(cells(costTable(linkCosts(record, "tellist", [10e6, 1e9, 100e9])))).toEqual([
      ["codec", "10 Mbit/s", "1 Gbit/s", "100 Gbit/s"],
      ["flatbuffers", "1.36 ms", "14.4 µs", "~ 936 ns"],
      ["protobufjs", "* 436 µs, gzip 6", "* 11.2 µs", "4.07 µs"],
      ["raw-struct", "1.44 ms", "15.2 µs", "* 894 ns"],
    ]);
  });

  it("have the ways that no other beats, with the links on which each is the best", () => {
    expect(cells(frontTable(choices, 0))).toEqual([
      ["smallest to fastest", "bytes", "both ends", "least time"],
      ["protobufjs + gzip 6", "500", "36.0 µs", "below 100 Mbit/s"],
      ["protobufjs", "900", "4.00 µs", "100 Mbit/s to 2 Gbit/s"],
      ["flatbuffers", "1,700", "800 ns", "2 Gbit/s to 16 Gbit/s"],
      ["raw-struct ~", "1,800", "750 ns", "above 16 Gbit/s"],
    ]);
  });

  it("have the bandwidth at which each pair of codecs changes places", () => {
    // ±375 ns: raw-struct may take 425 ns less than flatbuffers, or 325 ns more.
    expect(cells(crossoverTable(choices, 0))).toEqual([
      ["codec", "flatbuffers", "raw-struct"],
      ["protobufjs", "2 Gbit/s", "1.99–2.5 Gbit/s"],
      ["flatbuffers", "", "≥ 1.88 Gbit/s"],
    ]);
  });

  it("say where there is no such bandwidth, and where noise is not known", () => {
    const table = crossoverTable(
      choicesOf(
        wireRecord([
          { codec: "a", bytes: 1, encode: 1, decode: 1 },
          { codec: "b", bytes: 2, encode: 2, decode: 2 },
          { codec: "c", bytes: 2, encode: 2, decode: 2 },
          { codec: "d", bytes: 1002, encode: 1, decode: 0, spread: null },
          { codec: "e", bytes: 1003, encode: 9, decode: 9, spread: null },
        ]),
        "tellist",
      ),
      0,
    );
    expect(cells(table)).toEqual([
      ["codec", "b", "c", "d", "e"],
      ["a", "always", "always", "8.01 Tbit/s ~", "always ~"],
      ["b", "", "cannot be told", "2.67 Tbit/s ~", "always ~"],
      ["c", "", "", "2.67 Tbit/s ~", "always ~"],
      ["d", "", "", "", "always ~"],
    ]);
  });

  it("have the bandwidth below which compressing pays", () => {
    const zstd = { algorithm: "zstd", level: 3, bytes: 1800, compress: 1, inflate: 1 } as const;
    const given = choicesOf(wireRecord([PROTOBUFJS, { ...RAW, compressed: [zstd] }]), "tellist");
    expect(cells(compressionTable(given, 0))).toEqual([
      ["codec", "gzip 6", "zstd 3"],
      ["protobufjs", "100 Mbit/s", "–"],
      ["raw-struct", "–", "never"],
    ]);
  });

  it("have the speed of each compressor and what it leaves over", () => {
    expect(cells(compressionSpeedTable(record, "tellist"))).toEqual([
      ["compressor", "left over", "compress MB/s", "inflate MB/s"],
      ["gzip 6", "56 %", "37.5", "113"],
    ]);
  });

  it("are left out where there is nothing to say", () => {
    expect(crossoverTable(choices.slice(0, 1), 0)).toBeUndefined();
    expect(compressionTable(choices.slice(0, 1), 0)).toBeUndefined();
    expect(compressionSpeedTable({ ...record, compression: [] }, "tellist")).toBeUndefined();
  });
});

describe("the section of a report", () => {
  it("follows the sizes, on the links that were asked for", () => {
    const asked = { ...record, options: { ...record.options, bandwidths: [56e3, 25e9] } };
    const text = renderMarkdown(asked);
    expect(text.indexOf("### On a wire")).toBeGreaterThan(text.indexOf("### Size"));
    expect(text).toMatch(/^\| codec +\| +56 kbit\/s \| +25 Gbit\/s \|$/m);
    expect(renderMarkdown(record)).toMatch(
      /^\| codec +\| +10 Mbit\/s \| +100 Mbit\/s \| +1 Gbit\/s \| +10 Gbit\/s \|$/m,
    );
  });

  it("is shorter in text: winners and the front", () => {
    expect(linkSummary(viewOf(record).dataset("tellist")!).slice(2)).toEqual([
      `      link  least time           bytes     time  cannot be told from it
 10 Mbit/s  protobufjs + gzip 6    500   436 µs
100 Mbit/s  protobufjs + gzip 6    500  76.0 µs
  1 Gbit/s  protobufjs             900  11.2 µs
 10 Gbit/s  flatbuffers          1,700  2.16 µs  raw-struct`,
      "smallest to fastest: protobufjs + gzip 6, protobufjs, flatbuffers, raw-struct ~",
    ]);
    expect(renderText(record)).toContain("on a wire");
  });

  it.each<[string, RunRecord]>([
    ["without decode", { ...record, cells: record.cells.filter(({ operation }) => operation === "encode") }],
    ["without payloads", { ...record, payloads: [] }],
    ["of failures", recordOf([refused("json", "encode", "failed", "why")], [...record.payloads])],
    ["of nothing", recordOf([])],
  ])("is not there in a record %s", (_, given) => {
    expect(linkSection(viewOf(given).dataset("tellist")!)).toEqual([]);
    expect(linkSummary(viewOf(given).dataset("tellist")!)).toEqual([]);
    expect(renderMarkdown(given)).not.toContain("On a wire");
    expect(renderText(given)).not.toContain("on a wire");
  });

  it.each<[string, RunRecord]>([
    ["of one codec", wireRecord([FLATBUFFERS])],
    ["without compression", wireRecord([FLATBUFFERS, RAW])],
    [
      "of a single process",
      wireRecord([
        { ...FLATBUFFERS, spread: null },
        { ...PROTOBUFJS, spread: null },
      ]),
    ],
    [
      "of calls that took no time and messages of no bytes",
      wireRecord([
        { codec: "a", bytes: 0, encode: 0, decode: 0, spread: null },
        {
          codec: "b",
          bytes: 0,
          encode: 0,
          decode: 0,
          compressed: [{ algorithm: "gzip", bytes: 20, compress: 0, inflate: 0 }],
        },
      ]),
    ],
    [
      "of times that hardly differ",
      wireRecord([
        { codec: "a", bytes: 1, encode: 5e-324, decode: 0 },
        { codec: "b", bytes: 9, encode: 0, decode: 0 },
      ]),
    ],
    ["with no bandwidths", wireRecord([FLATBUFFERS, RAW], { bandwidths: [] })],
  ])("%s has no hole in its text", (_, given) => {
    const text = [
      ...linkSection(viewOf(given).dataset("tellist")!),
      ...linkSummary(viewOf(given).dataset("tellist")!),
    ].join("\n");
    expect(text).toContain("### On a wire");
    expect(text).not.toMatch(/NaN|Infinity|undefined|\[object/);
  });

  it("says where the sizes are means", () => {
    const cells = record.cells.map((cell) => ({ ...cell, bytes: (cell.bytes ?? 0) + 1 }));
    expect(linkSection(viewOf({ ...record, cells }).dataset("tellist")!).join("\n")).toContain(
      "The values' sizes differ",
    );
    expect(linkSection(viewOf(record).dataset("tellist")!).join("\n")).not.toContain(
      "The values' sizes differ",
    );
  });

  it("names few of the ways that noise could put on the front", () => {
    const even = Array.from({ length: 9 }, (_, i) => ({
      codec: `c${i}`,
      bytes: 100 + i,
      encode: 100 + i,
      decode: 0,
      spread: 0.5,
    }));
    expect(linkSection(viewOf(wireRecord(even)).dataset("tellist")!).join("\n")).toContain(
      "list, and put on it: c1, c2, c3, c4 and 4 more.",
    );
  });
});

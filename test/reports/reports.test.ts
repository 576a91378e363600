/** What each report says of one record, read back from its text. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import type { PayloadRecord, RunRecord } from "../../src/model/records/run.ts";
import { renderJson } from "../../src/reports/any/json.ts";
import { renderCsv } from "../../src/reports/run/csv.ts";
import { renderMarkdown } from "../../src/reports/run/markdown.ts";
import { renderSummary } from "../../src/reports/run/summary.ts";
import { renderText } from "../../src/reports/run/text.ts";
import { runs, SEED } from "../seed.ts";
import { csvRows } from "./csv-rows.ts";
import { withoutProgram } from "./page-program.ts";
import { measured, recordOf, refused } from "./record.ts";

const HOLE = "schemas are too deep";
const FAULT = "round trip: info: expected a list of 37, got nothing";

/** Two codecs that were measured, one with a hole everywhere, and one that failed to decode. */
const record = recordOf(
  [
    measured("json", "encode", 2617, 5234),
    measured("protobufjs", "encode", 841, 1682),
    refused("capnp-ts", "encode", "unsupported", HOLE),
    measured("v8", "encode", 2263, 52_340),
    measured("json", "decode", 2617, 8000),
    measured("protobufjs", "decode", 841, 2500),
    refused("capnp-ts", "decode", "unsupported", HOLE),
    refused("v8", "decode", "failed", FAULT),
    { ...measured("protobufjs", "write", 841, 450), part: true },
    { ...refused("json", "write", "unsupported", "encode is all write"), part: true },
  ],
  [
    { dataset: "tellist", codec: "json", bytes: 2617, gzip: 600, brotli: 500, zstd: 550 },
    { dataset: "tellist", codec: "protobufjs", bytes: 841, gzip: 400, brotli: 350, zstd: 1380 },
  ],
);

/** The section below a heading of any level, up to the next heading. */
function section(markdown: string, heading: string): string {
  const [, below = ""] = markdown.split(new RegExp(`^#+ ${heading}$`, "m"));
  return below.split(/^#/m)[0] ?? "";
}

/** The cells of each row of the tables in a Markdown text, without the rules beneath the headings. */
function rowsOf(markdown: string): string[][] {
  const lines = markdown.split("\n").filter((line) => line.startsWith("|") && !/^[|\-: ]+$/.test(line));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("\\|", "|").replaceAll("\u00a0", " ")),
  );
}

describe("report.md", () => {
  const markdown = renderMarkdown(record);

  it("has a row per codec, with each operation's time, spread, ratio to the baseline and rate", () => {
    expect(rowsOf(section(markdown, "Time"))).toEqual([
      ["codec", "bytes", "encode", "±", "× json", "MB/s", "decode", "±", "× json", "MB/s"],
      ["json", "2,617", "5.23 µs", "±5.0 %", "1.00", "500", "8.00 µs", "±5.0 %", "1.00", "327"],
      ["protobufjs", "841", "1.68 µs", "±5.0 %", "0.32", "500", "2.50 µs", "±5.0 %", "0.31", "336"],
      ["capnp-ts", "–", "unsupported", "", "", "", "unsupported", "", "", ""],
      ["v8", "2,263", "52.3 µs", "±5.0 %", "10.0", "43.2", "failed", "", "", ""],
    ]);
  });

  it("has a table of sizes, as they are and compressed", () => {
    expect(rowsOf(section(markdown, "Size"))).toEqual([
      ["codec", "bytes", "gzip", "brotli", "zstd"],
      ["json", "2,617", "600", "500", "550"],
      ["protobufjs", "841", "400", "350", "1,380"],
    ]);
  });

  it("leaves zstd out where this Node had none", () => {
    const payloads = record.payloads.map(({ zstd, ...rest }) => rest);
    const [headings] = rowsOf(section(renderMarkdown({ ...record, payloads }), "Size"));
    expect(headings).toEqual(["codec", "bytes", "gzip", "brotli"]);
  });

  it("says where sizes by Brotli are not of its default level", () => {
    const sized = (...payloads: Pick<PayloadRecord, "bytes" | "brotliQuality">[]): string | undefined => {
      const about = { dataset: "tellist", codec: "json", gzip: 1, brotli: 1 };
      const markdown = renderMarkdown({ ...record, payloads: payloads.map((one) => ({ ...about, ...one })) });
      return /Compressed sizes are .*/.exec(markdown)?.[0];
    };
    expect(sized({ bytes: 1000 })).toBe("Compressed sizes are with the defaults of Node's zlib.");
    const lower = "and at Brotli's quality 5 for messages of";
    expect(sized({ bytes: 90_000, brotliQuality: 5 }, { bytes: 70_000, brotliQuality: 5 })).toBe(
      `Compressed sizes are with the defaults of Node's zlib, ${lower} 70,000 bytes and more.`,
    );
    // Earlier records do not have it.
    expect(sized({ bytes: 2 ** 20 })).not.toContain(lower);
    expect(sized({ bytes: 2 ** 20 + 1 })).toContain(`${lower} 1,048,577 bytes`);
  });

  it("shows parts in a table of their own", () => {
    expect(rowsOf(section(markdown, "Parts of encode and decode"))).toEqual([
      ["codec", "write"],
      ["json", "–"],
      ["protobufjs", "450 ns"],
      ["capnp-ts", "–"],
      ["v8", "–"],
    ]);
  });

  it("says once why a codec has no numbers, with the operations unless it is all, and of no empty part", () => {
    const lines = markdown.split("\n").filter((line) => /(unsupported|failed): /.test(line));
    expect(lines).toEqual([`- capnp-ts: unsupported: ${HOLE}`, `- v8 (decode): failed: ${FAULT}`]);
  });

  it("says where, when and of what it is", () => {
    for (const fact of [
      "`wirebench run --seed 42`",
      "2026-11-20T12:30:05.678Z",
      "Abacus 9000, 2 cores, 8.0 GiB, linux 6.1 x64, load 0.5 0.25 0.1",
      "Node 20.1.2, V8 11.3, --expose-gc; wirebench 9.8.7",
      "lib-json 1.2.3, lib-protobufjs 1.2.3",
      "3 processes per codec and dataset",
      "16 values; 64-bit integers are numbers; SHA-256 0123456789abcdef…",
    ]) {
      expect(markdown).toContain(fact);
    }
    expect(markdown).not.toContain("not complete");
    expect(renderMarkdown({ ...record, complete: false })).toContain("not complete");
  });

  it("keeps a row a row, whatever is in a codec's name or a reason", () => {
    const name = "a|b\nc";
    const reason = "expected |, got:\n| a | b |";
    const proof = recordOf([refused(name, "verify", "failed", reason)]);
    expect(rowsOf(renderMarkdown(proof))).toEqual([
      ["dataset", "codec", "bytes", "status"],
      ["tellist", "a|b c", "", "failed: expected |, got: | a | b |"],
    ]);
    const sizes = recordOf(
      [measured(name, "encode", 1, 1)],
      [{ dataset: "tellist", codec: name, bytes: 1, gzip: 2, brotli: 3 }],
    );
    expect(rowsOf(section(renderMarkdown(sizes), "Size"))[1]).toEqual(["a|b c", "1", "2", "3"]);
    const [headings, row] = rowsOf(section(renderMarkdown(sizes), "Time"));
    expect(row?.[0]).toBe("a|b c");
    expect(headings).toHaveLength(row?.length ?? 0);
  });

  it("keeps a reason in its line", () => {
    const reason = "first line\n# second line\n| a | b |";
    const lines = renderMarkdown(recordOf([refused("json", "encode", "failed", reason)])).split("\n");
    expect(lines).toContain("- json: failed: first line # second line | a | b |");
  });

  it("quotes a command with backticks in it", () => {
    const given = recordOf([]);
    const tool = { ...given.tool, command: "wirebench run -d `date`" };
    expect(renderMarkdown({ ...given, tool })).toContain("- Command: `` wirebench run -d `date` ``\n");
  });
});

describe("the summary", () => {
  const summary = renderSummary(record);

  it("has the headline table without rates, and no parts", () => {
    expect(rowsOf(summary)).toEqual([
      ["codec", "bytes", "encode", "±", "× json", "decode", "±", "× json"],
      ["json", "2,617", "5.23 µs", "±5.0 %", "1.00", "8.00 µs", "±5.0 %", "1.00"],
      ["protobufjs", "841", "1.68 µs", "±5.0 %", "0.32", "2.50 µs", "±5.0 %", "0.31"],
      ["capnp-ts", "–", "unsupported", "", "", "unsupported", "", ""],
      ["v8", "2,263", "52.3 µs", "±5.0 %", "10.0", "failed", "", ""],
    ]);
  });

  it("says where its numbers come from", () => {
    expect(summary).toContain("**tellist**: People and their phone numbers.");
    expect(summary).toMatch(
      /^`wirebench run --seed 42` on 2026-11-20; Abacus 9000, 2 cores, linux x64, Node 20\.1\.2; 3 processes per codec and dataset; .*lib-json 1\.2\.3/m,
    );
  });
});

describe("the summary of a proof", () => {
  it("has sizes and outcomes, and says nothing of processes that timed nothing", () => {
    const { operation, nanos, ...cell } = measured("json", "verify", 2617, 1);
    const text = renderSummary(recordOf([{ ...cell, operation, status: "ok" }]));
    expect(rowsOf(text)).toEqual([
      ["dataset", "codec", "bytes", "status"],
      ["tellist", "json", "2,617", "ok"],
    ]);
    expect(text).not.toContain("processes");
  });
});

describe("the text", () => {
  it("has the tables, and why a codec has no numbers", () => {
    const lines = renderText(record).split("\n");
    const words = lines.map((line) => line.trim().split(/ {2,}/));
    expect(words).toContainEqual(["tellist: People and their phone numbers."]);
    expect(words).toContainEqual(["codec", "bytes", "encode", "±", "× json", "decode", "±", "× json"]);
    expect(words).toContainEqual(["v8", "2,263", "52.3 µs", "±5.0 %", "10.0", "failed"]);
    expect(words).toContainEqual(["protobufjs", "450 ns"]);
    expect(lines).toContain(`capnp-ts: unsupported: ${HOLE}`);
    expect(lines).toContain(`v8 (decode): failed: ${FAULT}`);
  });

  it("of a proof is one row per codec and dataset", () => {
    const { operation, nanos, ...cell } = measured("json", "verify", 2617, 1);
    const proof = recordOf([
      { ...cell, operation, status: "ok" },
      refused("capnp-ts", "verify", "unsupported", HOLE),
    ]);
    const rows = renderText(proof).trimEnd().split("\n");
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ["dataset", "codec", "bytes", "status"],
      ["tellist", "json", "2,617", "ok"],
      ["tellist", "capnp-ts", `unsupported: ${HOLE}`],
    ]);
  });
});

describe("the CSV", () => {
  it("has one line per cell, with its times in nanoseconds or its reason", () => {
    const [headings = [], ...rows] = csvRows(renderCsv(record));
    const cells = rows.map((row) => Object.fromEntries(headings.map((heading, i) => [heading, row[i]])));
    expect(cells.map(({ operation, codec, status }) => [operation, codec, status])).toEqual(
      record.cells.map(({ operation, codec, status }) => [operation, codec, status]),
    );
    expect(cells[1]).toMatchObject({
      operation: "encode",
      dataset: "tellist",
      codec: "protobufjs",
      format: "any",
      library: "lib-protobufjs",
      version: "1.2.3",
      status: "measured",
      bytes: "841",
      median_ns: "1682",
      ci95_low_ns: String(1682 * 0.95),
      ci95_high_ns: String(1682 * 1.05),
      mad_ns: "0",
      p99_ns: "3364",
      min_ns: "841",
      processes: "3",
      reason: "",
    });
    expect(cells[7]).toMatchObject({ status: "failed", bytes: "", median_ns: "", reason: FAULT });
  });

  it("gives back every reason as it was, with commas, quotes and ends of lines", () => {
    const reason = fc.string({ unit: fc.constantFrom(",", '"', "\n", "\r", "\r\n", "a", " ", "µ") });
    fc.assert(
      fc.property(fc.array(reason, { minLength: 1 }), (reasons) => {
        const failed = recordOf(reasons.map((text) => refused("a,b", "encode", "failed", text)));
        const [headings = [], ...rows] = csvRows(renderCsv(failed));
        expect(rows.map((row) => row.length)).toEqual(reasons.map(() => headings.length));
        expect(rows.map((row) => row[headings.indexOf("reason")])).toEqual(reasons);
        expect(rows.map((row) => row[headings.indexOf("codec")])).toEqual(reasons.map(() => "a,b"));
      }),
      { numRuns: runs(200), seed: SEED },
    );
  });
});

describe("the JSON", () => {
  it("is the record, with each process's batches on one line", () => {
    const json = renderJson(record);
    expect(JSON.parse(json)).toEqual(record);
    const batches = [[1, 2, 3]];
    const [cell] = record.cells;
    const one = recordOf([{ ...cell!, nanos: { ...cell!.nanos!, batches } }]);
    expect(renderJson(one)).toMatch(/^ *\[1,2,3\]$/m);
  });
});

describe("every report", async () => {
  const registry = await Registry.open();

  it.each<[string, RunRecord]>([
    ["of nothing that was measured", recordOf([])],
    ["of failures only", recordOf([refused("json", "encode", "failed", FAULT)])],
    [
      "without the baseline",
      recordOf([measured("v8", "encode", 5, 100), refused("json", "encode", "failed", FAULT)]),
    ],
    [
      "of datasets that nothing is known of",
      {
        ...recordOf([refused("json", "encode", "failed", FAULT)]),
        datasets: [{ name: "tellist", story: "", message: "M" }],
      },
    ],
    ["of a single process", recordOf([withoutInterval()])],
    [
      "of calls that took no time",
      recordOf([
        withoutInterval("json", 0),
        withoutInterval("protobufjs", 0),
        measured("v8", "encode", 5, 3),
      ]),
    ],
  ])("%s has no hole in its text", async (_, given) => {
    for (const name of registry.names("reports").filter((key) => /^(run|any)\//.test(key))) {
      const text = (await registry.definition("reports", name)).render(given);
      expect(text.length, name).toBeGreaterThan(1);
      expect(withoutProgram(text), name).not.toMatch(/NaN|Infinity|undefined|\[object/);
    }
  });
});

function withoutInterval(codec = "json", median = 100) {
  const { nanos, ...cell } = measured(codec, "encode", 5, median);
  return { ...cell, nanos: { ...nanos!, ci95: null } };
}

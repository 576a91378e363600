import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compareRecords } from "../../src/analysis/compare/compare.ts";
import { shortenedRecord } from "../../src/analysis/shortened.ts";
import { fasterHalves, stretchesOf } from "../../src/analysis/statistics/location.ts";
import { UsageError } from "../../src/model/errors.ts";
import type { RunRecord } from "../../src/model/records/run.ts";
import { renderPage } from "../../src/reports/page/page.ts";
import { renderMarkdown } from "../../src/reports/run/markdown.ts";
import { readRecord } from "../../src/store/read-record.ts";
import { expectMergeable } from "../../src/suite/merge/mergeable.ts";
import { fullCell, fullRecord } from "./full-record.ts";
import { measured, nanosOf, recordOf, refused } from "./record.ts";

const folder = mkdtempSync(path.join(tmpdir(), "wirebench-page-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A file of that text. */
function fileOf(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** The record of a page, as a command reads it. */
function recordIn(page: string): RunRecord {
  return readRecord(fileOf("page.html", page));
}

/** A record whose processes have many batches, which differ. */
function noisyRecord(shift: number, codecs = 8): RunRecord {
  const cells = Array.from({ length: codecs }, (_, n) => (n === 0 ? "json" : `codec${n}`)).flatMap(
    (codec, n) =>
      ["encode", "decode"].map((operation, o) => {
        const own = 1000 * (n + 1) * (1 + o) * (n === 3 ? shift : 1);
        const batches = Array.from({ length: 8 }, (_, i) =>
          Array.from(
            { length: 301 },
            (_, j) => 2 + own * (1 + 0.01 * Math.sin(i * 7 + n) + 0.2 * Math.sin(j * j + i) ** 2),
          ),
        );
        const processes = batches.map((means) => means.reduce((sum, one) => sum + one, 0) / means.length - 2);
        return {
          ...fullCell(codec, operation, own),
          nanos: {
            ...nanosOf(own),
            processes,
            batches,
            blocks: processes.map((_, i) => i),
            loops: processes.map(() => 2),
            batchCalls: processes.map(() => 16),
            warmUp: processes.map(() => "steady" as const),
          },
        };
      }),
  );
  return recordOf(cells);
}

describe("the record in a page", () => {
  it("is read back, and is shown as the record itself", () => {
    const record = fullRecord();
    expect(renderMarkdown(recordIn(renderPage(record)))).toBe(renderMarkdown(record));
    expect(recordIn(renderPage(record))).toEqual({ ...shortenedRecord(record) });
  });

  it("is read back where it is so long that it is compressed", () => {
    const record = noisyRecord(1, 150);
    const page = renderPage(record);
    expect(page).toContain('<script type="application/gzip" id="wirebench">');
    expect(recordIn(page)).toEqual(shortenedRecord(record));
  });

  it("has for each stretch of a process the mean and that of its faster half", () => {
    const batches = Array.from({ length: 57 }, (_, i) => 5 + ((i * 37) % 11));
    const record = recordOf([
      { ...measured("json", "encode", 1, 9), nanos: { ...nanosOf(9), batches: [batches, batches, batches] } },
    ]);
    const [short = []] = shortenedRecord(record).cells[0]!.nanos!.batches;
    expect(short).toHaveLength(10);
    for (const [i, mean] of stretchesOf(batches, 2).entries())
      expect(stretchesOf(short, 2)[i]).toBeCloseTo(mean, 4);
    for (const [i, mean] of fasterHalves(batches, 2).entries())
      expect(fasterHalves(short, 2)[i]).toBeCloseTo(mean, 4);
  });

  it("is compared as the whole record is", () => {
    const records = [noisyRecord(1), noisyRecord(1.2)].map((record, i) => ({
      ...record,
      startedAt: `2026-11-2${i}T12:00:00.000Z`,
    }));
    const pages = records.map((record) => recordIn(renderPage(record)));
    const compared = ([base, head]: readonly RunRecord[]) =>
      compareRecords([base!], [head!], { sources: { base: ["a"], head: ["b"] } }).cells.map((cell) => ({
        ...cell,
        ratio: cell.ratio?.toPrecision(4),
        verdict: cell.verdict,
      }));
    const [whole, short] = [compared(records), compared(pages)];
    expect(short.map(({ verdict, ratio }) => [verdict, ratio])).toEqual(
      whole.map(({ verdict, ratio }) => [verdict, ratio]),
    );
    expect(whole.some(({ verdict }) => verdict === "slower")).toBe(true);
  });

  it("is not merged, for which it lacks batches", () => {
    const record = recordIn(renderPage(fullRecord()));
    expect(() =>
      expectMergeable([
        { source: "a.html", record },
        { source: "b.html", record },
      ]),
    ).toThrow("a.html: expected a run.json, got a page");
  });

  it.each([
    ["without a record", "<!doctype html><p>hello", /a page without the record of a run/],
    [
      "whose record is cut off",
      '<!DOCTYPE HTML>\n<script type="application/json" id="wirebench">{"a"',
      /a page without the record/,
    ],
    [
      "whose record is no JSON",
      '<!doctype html>\n<script type="application/json" id="wirebench">{"a"}</script>',
      /page\.html:2:\d+: /,
    ],
    [
      "whose compressed record is damaged",
      '<!doctype html>\n<script type="application/gzip" id="wirebench">AAAA</script>',
      /is damaged/,
    ],
    [
      "of another kind of record",
      '<!doctype html>\n<script type="application/json" id="wirebench">{}</script>',
      /not the record of a run/,
    ],
  ])("is refused of a page %s", (_, text, message) => {
    expect(() => recordIn(text)).toThrow(UsageError);
    expect(() => recordIn(text)).toThrow(message);
  });
});

describe("a page", () => {
  it("lets no name break out of its place", () => {
    const name = '</script><img src=x onerror=alert(1)>"\u202e&<!--';
    const { cells, ...record } = recordOf([
      measured("json", "encode", 1, 9),
      refused(name, "encode", "failed", name),
    ]);
    const datasets = record.datasets.map((one) => ({ ...one, name, story: name }));
    const page = renderPage({
      ...record,
      datasets,
      cells: cells.map((cell) => ({ ...cell, dataset: name })),
    });
    expect(page.replace(/<script[\s\S]*?<\/script>/g, "")).not.toMatch(/<img|<\/script|\u202e/);
    expect(page.match(/<script/g)).toHaveLength(2);
    expect(recordIn(page).datasets[0]!.name).toBe(name);
  });

  it("is below 300 kB whatever was measured, as long as pictures can be left out", () => {
    const record = noisyRecord(1, 100);
    const datasets = Array.from({ length: 3 }, (_, i) => `data${i}`);
    const page = renderPage({
      ...record,
      datasets: datasets.map((name) => ({ ...record.datasets[0]!, name })),
      cells: datasets.flatMap((dataset) => record.cells.slice(0, 60).map((cell) => ({ ...cell, dataset }))),
    });
    expect(Buffer.byteLength(page)).toBeLessThan(300_000);
    expect(renderPage(fullRecord())).not.toMatch(/To keep the page small/);
  });

  it("asks for nothing from outside", () => {
    const page = renderPage(fullRecord()).replace(/<script[\s\S]*?<\/script>/g, "");
    expect(page).not.toMatch(/(src|href)=|url\(|@import|https?:/);
    expect(readFileSync("dist/page.js", "utf8")).not.toMatch(/fetch\(|XMLHttpRequest|import\(|https?:/);
  });
});

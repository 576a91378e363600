/** Text for a terminal: nothing is lost, and nothing is wider than the terminal where that can be. */

import { readdirSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import { left, right, tableOf } from "../../src/reports/table.ts";
import { fittedText, textTable } from "../../src/reports/text-layout.ts";
import { readAnyRecord } from "../../src/store/read-record.ts";

const widest = (text: string): number => Math.max(...text.split("\n").map(({ length }) => length));

describe("a table for a terminal", () => {
  const times = ["encode", "decode", "access"].flatMap((operation) => [
    { ...right<string>(operation, () => "12.3 µs"), starts: true },
    right<string>("± of it", () => "±2.5 %"),
  ]);
  const table = tableOf(
    ["json", "python-pickle"],
    [left("codec", (name) => name), right("bytes", () => "2,617"), ...times],
  );

  it("is as it is where there is room, or no terminal", () => {
    const whole = [
      "codec          bytes   encode  ± of it   decode  ± of it   access  ± of it",
      "json           2,617  12.3 µs   ±2.5 %  12.3 µs   ±2.5 %  12.3 µs   ±2.5 %",
      "python-pickle  2,617  12.3 µs   ±2.5 %  12.3 µs   ±2.5 %  12.3 µs   ±2.5 %",
    ].join("\n");
    expect(textTable(table)).toBe(whole);
    expect(textTable(table, 80)).toBe(whole);
  });

  it("has narrower gaps within groups, and is parted between them where that is not enough", () => {
    expect(textTable(table, 72).split("\n")[1]).toBe(
      "json           2,617  12.3 µs  ±2.5 %  12.3 µs  ±2.5 %  12.3 µs  ±2.5 %",
    );
    expect(textTable(table, 60)).toBe(
      [
        "codec          bytes   encode ± of it   decode ± of it",
        "json           2,617  12.3 µs  ±2.5 %  12.3 µs  ±2.5 %",
        "python-pickle  2,617  12.3 µs  ±2.5 %  12.3 µs  ±2.5 %",
        "",
        "codec           access ± of it",
        "json           12.3 µs  ±2.5 %",
        "python-pickle  12.3 µs  ±2.5 %",
      ].join("\n"),
    );
  });

  it("has prose at the ends of its rows broken between words, beside the other cells", () => {
    const reasons = tableOf(
      ["json"],
      [
        left("codec", (name) => name),
        right("bytes", () => "2,617"),
        left("status", () => "failed: the round trip lost a field, and a few others beside it"),
      ],
    );
    expect(textTable(reasons, 48)).toBe(
      [
        "codec  bytes  status",
        "json   2,617  failed: the round trip lost a",
        "              field, and a few others beside it",
      ].join("\n"),
    );
  });

  it("has no line break and nothing that moves a cursor, whatever its cells hold", () => {
    const hostile = tableOf(
      ["a\u001b[31m\nb"],
      [left("name\r", (name) => name), left("what", () => "\u202eright to left\u0007")],
    );
    expect(textTable(hostile)).toBe("name      what\na [31m b  right to left");
    expect(textTable(hostile, 80)).toBe("name      what\na [31m b  right to left");
  });

  it("has no column without figures", () => {
    const few = tableOf(
      ["json"],
      [left("codec", (name) => name), right("p99", () => ""), right("max", () => "1")],
    );
    expect(textTable(few)).toBe("codec  p99  max\njson          1");
    expect(textTable(few, 80)).toBe("codec  max\njson     1");
  });

  it("loses no cell, and is no wider than the terminal where the parts of a row are not", () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,9}$/);
    const cases = fc.record({
      names: fc.array(word, { minLength: 1, maxLength: 5 }),
      cells: fc.array(word, { minLength: 1, maxLength: 12 }),
      prose: fc.array(word, { maxLength: 12 }),
      starts: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
      columns: fc.integer({ min: 40, max: 120 }),
    });
    fc.assert(
      fc.property(cases, ({ names, cells, prose, starts, columns }) => {
        const table = tableOf(names, [
          left("name", (name) => name),
          ...cells.map((cell, i) => ({ ...right<string>(`h${i}`, () => cell), starts: starts[i]! })),
          left("why", () => prose.join(" ")),
        ]);
        const text = textTable(table, columns);
        for (const one of [...names, ...cells, ...prose]) expect(text).toContain(one);
        const longest = cells.length * 11 + 11 + 26;
        if (!starts.includes(true) || longest <= columns) expect(widest(text)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

describe("prose for a terminal", () => {
  it("is broken between words, and a longer word stays whole", () => {
    const text = `one two\n${"word ".repeat(12).trim()}\n${"x".repeat(50)} y`;
    expect(fittedText(text)).toBe(text);
    expect(fittedText(text, 40)).toBe(
      `one two\nword word word word word word word word\nword word word word\n${"x".repeat(50)}\ny`,
    );
  });
});

describe("the text reports of all published records", () => {
  const results = path.join(import.meta.dirname, "../../results");
  const records = readdirSync(results, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(^|\/)(run|doctor|comparison)\.json$/.test(file),
  );

  it("fit a terminal of 80 columns", async () => {
    const registry = await Registry.open();
    expect(records.length).toBeGreaterThan(3);
    for (const file of records.filter((one) => !one.includes("twenty-records"))) {
      const record = readAnyRecord(path.join(results, file));
      const kind = "kind" in record ? record.kind : "run";
      const text = (await registry.report(kind, "text")).render(record as never, 80);
      expect(widest(text), file).toBeLessThanOrEqual(80);
    }
  });
});

/** Reports are found by the kind of record and by name. */
import { describe, expect, it } from "vitest";
import { compareRecords } from "../../src/analysis/compare/compare.ts";
import { Registry } from "../../src/catalog/registry.ts";
import { RECORD_KINDS, type RecordKind } from "../../src/model/report.ts";
import { renderComparisonMarkdown } from "../../src/reports/comparison/markdown.ts";
import { measured, recordOf } from "./record.ts";

const registry = await Registry.open();
const kinds = Object.keys(RECORD_KINDS) as RecordKind[];

describe("a report", () => {
  it.each(kinds)("of a record of the kind %s is there as Markdown, text and JSON", async (kind) => {
    for (const name of ["markdown", "text", "json"]) {
      const { of, summary } = await registry.report(kind, name);
      expect(of).toBe(name === "json" ? "any" : kind);
      expect(summary).not.toBe("");
    }
  });

  it("is of the kind of record that its folder is named for", async () => {
    for (const key of registry.names("reports")) {
      const definition = await registry.definition("reports", key);
      expect(`${definition.of}/`, key).toBe(`${key.split("/")[0]}/`);
      expect(definition.render, key).toBeTypeOf("function");
    }
  });

  it("that a kind of record does not have is refused with those that it has", async () => {
    await expect(registry.report("ipc", "bmf")).rejects.toThrow(
      'no report "bmf" of a run between processes, expected one of csv, json, markdown, summary, text',
    );
    await expect(registry.report("run", "markdwon")).rejects.toThrow(
      'no report "markdwon" of a run, did you mean markdown?',
    );
  });
});

describe("a comparison as Markdown", () => {
  it("has a table per dataset, and what is said of all in lists", () => {
    const base = recordOf([measured("json", "encode", 10, 100), measured("v8", "encode", 5, 100)]);
    const head = recordOf([measured("json", "encode", 12, 200)]);
    const text = renderComparisonMarkdown(compareRecords(base, head, { sources: { base: "a", head: "b" } }));
    expect(text).toMatch(/^# wirebench comparison\n\n- base a: /);
    expect(text).toMatch(/^## tellist\n\n\| +\| operation \| codec \|/m);
    expect(text).toContain("\n\non one side only:\n\n- base: v8 on tellist (encode)\n");
    expect(text).toMatch(/^- 1 cell: /m);
  });
});

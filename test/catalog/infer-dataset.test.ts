/** The schema of JSON files, as a program asks for it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type DocumentFiles, inferDataset, type ReadProgress } from "../../src/index.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-infer-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: string): string {
  const full = path.join(folder, name);
  writeFileSync(full, content);
  return full;
}

describe("inferDataset", () => {
  it("makes a dataset of a file", async () => {
    const dataset = await inferDataset({ data: file("people.json", '[{"id":1},{"id":2,"name":"a"}]') });
    expect(dataset).toMatchObject({
      name: "people",
      values: [{ list: [{ id: 1 }, { id: 2, name: "a" }] }],
      inferred: { values: 1, choices: [expect.stringContaining("--as each")] },
    });
  });

  it.each([
    [undefined, "inferDataset: expected an object, got nothing"],
    [{}, "data: expected names of files, got nothing"],
    [{ data: [] }, "data: expected names of files, got nothing"],
    [{ data: [5] }, "data: expected names of files, got 5"],
    [{ data: "x.json", hint: ["/a=enum"] }, 'unknown option "hint", did you mean hints?'],
    [{ data: "x.json", hints: "/a=enum" }, 'hints: expected a list, got "/a=enum"'],
    [{ data: "x.json", as: "many" }, 'unknown as "many"'],
    [{ data: "x.json", duplicates: "first" }, 'unknown duplicates "first"'],
    [{ data: "x.json", sample: 0 }, "sample: expected a whole number from 1"],
  ])("refuses %j", async (options, problem) => {
    await expect(inferDataset(options as DocumentFiles)).rejects.toThrow(problem);
  });

  it("tells how far it is: the bytes of the files, those that were scanned, what is parsed", async () => {
    const data = file("many.json", JSON.stringify(Array.from({ length: 40_000 }, (_, id) => ({ id }))));
    const told: ReadProgress[] = [];
    await inferDataset({ data, as: "one", onRead: (now) => told.push(now) });
    expect([...new Set(told.map(({ step }) => step))]).toEqual(["read", "infer", "parse"]);
    expect(told.every(({ done, total = 0 }) => done <= total)).toBe(true);
    expect(told.filter(({ step }) => step === "infer").length).toBeGreaterThan(2);
  });

  it("parses those elements of a list alone that are measured, wherever they stand", async () => {
    const text = `// all\n[ {"id":1} /* one */ ,\n\n {"id":20,"note":"[{,\\"]"},{"id":9007199254740993} // last\n]`;
    const data = file("spaced.jsonc", text);
    const documents = [{ id: 1 }, { id: 20, note: '[{,"]' }, { id: "9007199254740993" }];
    expect((await inferDataset({ data, as: "each" })).documents).toEqual(documents);
    const many = file("sampled.json", JSON.stringify(Array.from({ length: 5000 }, (_, id) => ({ id }))));
    const told: ReadProgress[] = [];
    const onRead = (now: ReadProgress): unknown => told.push(now);
    const { documents: sample = [], inferred } = await inferDataset({
      data: many,
      sample: 10,
      seed: 3,
      onRead,
    });
    expect(inferred?.values).toBe(5000);
    expect(sample.length).toBe(10);
    expect(new Set(sample.map((one) => (one as { readonly id: number }).id)).size).toBe(10);
    expect(told.map(({ step }) => step)).not.toContain("parse");
  });
});

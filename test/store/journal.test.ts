/** What a journal keeps of a run, wherever it ends, and how damage to it is refused. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/model/random.ts";
import { JOURNAL, Journal, readJournal } from "../../src/store/journal.ts";
import { ResultFolder } from "../../src/store/result-folder.ts";
import { fullRecord, quietProcess } from "../reports/full-record.ts";
import { cases, SEED } from "../seed.ts";

const { schemaVersion, tool, startedAt, environment, runtimes, options, datasets } = fullRecord();
const { block, dataset, codec, operations, ...conditions } = quietProcess();

const HEADER = {
  journalVersion: 1,
  pid: process.pid,
  run: { schemaVersion, tool, startedAt, environment, runtimes, options },
  datasets,
  operations: [{ name: "encode", part: false }],
  pairs: [
    { codec: "json", dataset: "tellist", identity: { format: "json", library: "node", version: "20" } },
  ],
};
const ENTRIES = [
  {
    block,
    assignments: [{ codec, dataset, operations }],
    result: {
      conditions,
      members: [{ refused: { status: "failed", reason: "no “luck”" }, bytes: 0, operations: [] }],
    },
  },
  { completedBlock: 0 },
  { finishedAt: startedAt },
];

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-journal-"));
  file = path.join(folder, JOURNAL);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function written(lines: readonly object[] = [HEADER, ...ENTRIES]): string {
  const journal = new Journal(folder);
  for (const line of lines) journal.append(line);
  return readFileSync(file, "utf8");
}

describe("a journal", () => {
  it("is read as it was written, line by line", () => {
    expect(written().split("\n")).toEqual([...[HEADER, ...ENTRIES].map((line) => JSON.stringify(line)), ""]);
    expect(readJournal(folder)).toEqual({
      ...{ header: HEADER, entries: ENTRIES },
      ...{ writer: undefined, cutOff: undefined },
    });
  });

  it("that is cut off at any byte keeps every whole line, and says where it was cut", () => {
    const bytes = Buffer.from(written());
    const ends = [...bytes.entries()].filter(([, byte]) => byte === 0x0a).map(([index]) => index);
    const first = ends[0]!;
    const random = seededRandom(SEED);
    const within = Array.from(
      { length: cases(200) },
      () => first + Math.floor(random() * (bytes.length - first)),
    );
    for (const cut of [...within, ...ends.flatMap((end) => [end - 1, end, end + 1, end + 2])]) {
      if (cut < first || cut > bytes.length) continue;
      writeFileSync(file, bytes.subarray(0, cut));
      // A line is whole with its last brace.
      const whole = ends.filter((end) => end <= cut).length;
      const { header, entries, cutOff } = readJournal(folder);
      expect([header, ...entries], `cut at ${cut}`).toEqual([HEADER, ...ENTRIES].slice(0, whole));
      const inside = !ends.some((end) => cut === end || cut === end + 1);
      expect(cutOff, `cut at ${cut}`).toBe(inside ? `${file}:${whole + 1}` : undefined);
    }
    for (const cut of [0, 1, first - 1]) {
      writeFileSync(file, bytes.subarray(0, cut));
      expect(() => readJournal(folder)).toThrow(
        `${file}: nothing was measured before the run was killed: the file can be deleted`,
      );
    }
  });

  it.each<[string, (line: string) => string, string]>([
    ["no JSON", (line) => line.slice(0, -5), ":2:"],
    ["nothing", () => "", ":2:"],
    [
      "another line",
      () => '{"another":1}',
      ":2: damaged journal: block: expected a whole number from 0 on, got nothing",
    ],
    [
      "a field that is wrong",
      (line) => line.replace('"bytes":0', '"bytes":"none"'),
      ':2: damaged journal: result.members[0].bytes: expected a number, got "none"',
    ],
  ])("with a line in the middle that is %s is refused with the place", (_, damage, message) => {
    const [header = "", entry = "", ...rest] = written().split("\n");
    writeFileSync(file, [header, damage(entry), ...rest].join("\n"));
    expect(() => readJournal(folder)).toThrow(`${file}${message}`);
    expect(() => readJournal(folder)).toThrow("damaged journal: ");
  });

  it("of another version is refused", () => {
    written([{ ...HEADER, journalVersion: 2 }]);
    expect(() => readJournal(folder)).toThrow("journalVersion: expected 1, got 2");
  });

  it("writes later what it could not write when it came", () => {
    rmSync(folder, { recursive: true });
    const journal = new Journal(folder);
    for (const line of [HEADER, ENTRIES[0]!]) expect(() => journal.append(line)).toThrow("ENOENT");
    mkdirSync(folder);
    journal.append(ENTRIES[1]!);
    expect(readJournal(folder).entries).toEqual(ENTRIES.slice(0, 2));
  });

  it("never takes the place of another", () => {
    const text = written();
    expect(() => new Journal(folder).append(HEADER)).toThrow("EEXIST");
    new Journal(folder).remove();
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});

describe("a results folder", () => {
  it("keeps its journal until the record is saved", () => {
    const results = new ResultFolder(folder);
    results.append(HEADER);
    expect(readJournal(folder).header).toEqual(HEADER);
    results.save(fullRecord());
    expect(existsSync(file)).toBe(false);
  });

  it("is refused while it holds the journal of a run", () => {
    const text = written();
    expect(() => new ResultFolder(folder)).toThrow(
      `${folder}: it holds the journal of a run that did not end: "wirebench report ${folder}" makes its record, or delete ${file}`,
    );
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});

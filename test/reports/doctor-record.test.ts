/** The schema of records of examinations and their type say the same; they are read and rendered. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, it } from "vitest";
import recordSchema from "../../schemas/doctor-record.schema.json" with { type: "json" };
import { renderedRecord } from "../../src/cli/commands/report.ts";
import {
  DOCTOR_RECORD_VERSION,
  type DoctorRecord,
  type DoctorTrial,
} from "../../src/model/records/doctor.ts";
import { renderDoctorMarkdown } from "../../src/reports/doctor/markdown.ts";
import { renderDoctorSummary } from "../../src/reports/doctor/summary.ts";
import { renderDoctorText } from "../../src/reports/doctor/text.ts";
import { readAnyRecord, readRecord } from "../../src/store/read-record.ts";
import { EXAMINATION, REPORT, ResultFolder } from "../../src/store/result-folder.ts";
import { trialOf } from "../suite/doctor/trials.ts";
import { doctorRecordOf, loadOf } from "./doctor-record.ts";
import { openObjects, optionalFields } from "./fields.ts";

const full = doctorRecordOf([trialOf(), trialOf({ plus2: "undecided" })], {
  reason: "none",
  load: loadOf([trialOf({ plus10: "undecided", same: "slower" }), trialOf({ plus10: "faster" })]),
});
const begun = doctorRecordOf([], { complete: false });
const cut = doctorRecordOf([trialOf()], { complete: false, reason: "interrupted" });
const bad = doctorRecordOf([trialOf({ plus2: "faster", same: "slower" })]);
const quiet = doctorRecordOf([trialOf()]);
const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(
  recordSchema,
);

const folder = mkdtempSync(path.join(os.tmpdir(), "wbt-"));
const file = path.join(folder, "doctor.json");
afterAll(() => rmSync(folder, { recursive: true }));

function read(record: unknown): DoctorRecord {
  writeFileSync(file, JSON.stringify(record));
  return readAnyRecord(file) as DoctorRecord;
}

const OPTIONAL = [
  ...[".finishedAt", ".reason", ".load"],
  ...["load", "message", "messages"].map((name) => `.options.${name}`),
  ...["", ".load"].flatMap((at) =>
    ["slowed", "comparisons.operation", "knownCost.measured"].map((name) => `${at}.trials.${name}`),
  ),
  ...[".proof", ".load.findings"].map((at) => `${at}.knownCost`),
  ...[".machine", ".proof.checks"].flatMap((at) =>
    ["unit", "most", "least", "advice"].map((name) => `${at}.${name}`),
  ),
].filter((name) => name !== ".proof.checks.advice");

describe("the schema of records of examinations", () => {
  it.each([
    ["a full one", full],
    ["one that has begun", begun],
    ["one that was cut off", cut],
    ["one of a bad machine", bad],
  ])("accepts %s", (_, record) => {
    expect(validate(record), JSON.stringify(validate.errors)).toBe(true);
  });

  it("asks for every field but the optional ones, and for no other", () => {
    expect(optionalFields(full, (record) => validate(record))).toEqual(OPTIONAL.toSorted());
    expect(openObjects(full, (record) => validate(record))).toEqual([]);
  });

  it("has the version of the type", () => {
    expect(recordSchema.properties.schemaVersion.const).toBe(DOCTOR_RECORD_VERSION);
  });
});

describe("a record of an examination that is read", () => {
  it.each([full, begun, cut, bad])("is the one that was written", (record) => {
    expect(read(record)).toEqual(record);
  });

  it.each<[unknown, string]>([
    [{ ...full, trials: "none" }, 'trials: expected a list, got "none"'],
    [
      { ...full, machine: [{ name: "x", value: {}, verdict: "ok" }] },
      "machine[0].value: expected a number, a string or null",
    ],
    [
      { ...full, conclusion: { verdict: "can", smallest: "1 %" } },
      'conclusion.smallest: expected a number or null, got "1 %"',
    ],
    [{ ...full, conclusion: { verdict: "perhaps", smallest: null } }, "conclusion.verdict: expected"],
    [
      { ...full, proof: { ...full.proof, alike: { count: 1, of: 2, ci95: [0] } } },
      "proof.alike.ci95: expected two numbers",
    ],
    [{ ...full, proof: undefined }, "proof: expected"],
    [{ ...full, schemaVersion: 99 }, "expected schemaVersion 1, got 99"],
  ])("is refused with the place of what is damaged: %#", (record, message) => {
    expect(() => read(record)).toThrow(message);
  });

  it("is not taken for a run of codecs", () => {
    writeFileSync(file, JSON.stringify(full));
    expect(() => readRecord(file)).toThrow(
      `${file}: expected the record of wirebench run, got that of an examination of a machine`,
    );
  });

  it("is rendered as it is, as text or as Markdown", async () => {
    const reported = (format: string): Promise<string> => renderedRecord(read(full), format);
    expect(JSON.parse(await reported("json"))).toEqual(full);
    expect(await reported("text")).toBe(renderDoctorText(full));
    expect(await reported("markdown")).toBe(renderDoctorMarkdown(full));
    await expect(reported("csv")).rejects.toThrow(
      'no report "csv" of an examination of a machine, expected one of json, markdown, summary, text',
    );
  });

  it("lies beside its report", () => {
    const results = new ResultFolder(path.join(folder, "out"), [EXAMINATION, REPORT], EXAMINATION);
    results.saveExamination(cut);
    expect(readdirSync(results.path).toSorted()).toEqual(["doctor.json", "report.md"]);
    expect(readFileSync(path.join(results.path, "report.md"), "utf8")).toBe(renderDoctorMarkdown(cut));
    expect(readAnyRecord(path.join(results.path, "doctor.json"))).toEqual(cut);
  });
});

describe("the report of an examination", () => {
  const text = renderDoctorText(full);

  it("has a row for each check, and advice where one is not well", () => {
    expect(text).toMatch(/^the machine +is +limit +verdict$/m);
    expect(text).toMatch(/^busy before +1\.0 % +≤ 5\.0 % +ok$/m);
    expect(text).toMatch(/^governor +– +not known$/m);
    expect(text).toMatch(/^clock step +20\.0 ns +≤ 100 ns +ok$/m);
    expect(text).toMatch(/^warning: turbo: switch turbo off/m);
  });

  it("says how often each slowdown was found, and how sure that is", () => {
    expect(text).toMatch(
      /^as it is +2\.0 % +2\.0 % +1 of 2 \(9 to 91 %\) +1 of 2 \(9 to 91 %\) +0 of 2 \(0 to 66 %\) +0 of 2 /m,
    );
    expect(text).toContain(
      "called different from itself in 0 of 2 (0 to 66 %) comparisons, in 0 of 2 (0 to 66 %) trials",
    );
    expect(text).toContain("measured is off by 1.0 % (furthest trial: 1.0 %).");
  });

  it("says in how many trials the known cost was not measured", () => {
    const unknown = trialOf({}, { knownCost: { truth: 1500 } });
    const of = (...trials: DoctorTrial[]): string => renderDoctorText(doctorRecordOf(trials));
    expect(of(trialOf(), unknown)).toContain(
      "off by 1.0 % (furthest trial: 1.0 %) in 1 of 2 trials; in the others the core of all its processes was slow",
    );
    expect(of(unknown)).toContain(
      "what a run makes of it is not known, for the core of all its processes was slow",
    );
    expect(of(unknown)).toMatch(/^known cost is off by +– +≤ 5\.0 % +not known$/m);
  });

  it("has a second row beside a busy core, and no word of one that was not asked for", () => {
    expect(text).toMatch(
      /^one core busy +10\.0 % +10\.0 % +0 of 2 .* +1 of 2 .* +0 of 2 .* +1 of 2 \(9 to 91 %\)$/m,
    );
    expect(text).toContain(
      "With one core busy, the same codec under another name was called different from itself in 1 of 2 (9 to 91 %) comparisons",
    );
    expect(renderDoctorText(quiet)).not.toMatch(/busy core|core busy|^machine /m);
  });

  it("says what was slowed", () => {
    expect(text).toContain("What is slowed: json. A call encodes or decodes tellist:1 100 times");
    expect(renderDoctorText(doctorRecordOf([trialOf(), trialOf({}, { slowed: "protobufjs" })]))).toContain(
      "What is slowed: json and protobufjs, by turns from trial to trial. A call",
    );
  });

  it.each<[string, DoctorRecord]>([
    [
      "This machine can measure: a run at standard finds a codec that is 5 % slower in 2 of 2 comparisons. Take care: see the warnings.",
      { ...full, load: undefined as never },
    ],
    ["With one core busy, a run at standard finds a codec that is 20 % slower in 2 of 2 comparisons.", full],
    [
      "With one core busy, a run at standard found even a codec that is 20 % slower in 0 of 1 comparisons only.",
      { ...full, load: loadOf([trialOf({ plus20: "undecided" })]) },
    ],
    [
      "This machine cannot measure as it is: see what is bad. But a run at standard finds a codec that is 5 % slower in 1 of 1 comparisons.",
      bad,
    ],
    [
      "This machine cannot measure as it is: a run at standard found even a codec that is 20 % slower in 0 of 1 comparisons only.",
      doctorRecordOf([trialOf({ plus20: "undecided" })]),
    ],
    ["No trial was finished: nothing is known.", begun],
  ])("ends with the answer: %s", (answer, record) => {
    expect(renderDoctorText(record).trimEnd().split("\n").at(-1)).toBe(answer);
  });

  it("says of an older record what was slowed there, and no more", () => {
    const { messages: _, message: __, load: ___, ...options } = full.options;
    const text = renderDoctorText({ ...quiet, options });
    expect(text).not.toContain("What is slowed");
    expect(text).toContain("finds a codec that makes no garbage and is 2 % slower in 1 of 1 comparisons");
  });

  it("has both answers in the summary too", () => {
    const summary = renderDoctorSummary(full);
    expect(summary).toMatch(/^This machine can measure: .*\n\nWith one core busy, a run at standard finds /);
    expect(summary).toContain("| one core busy |");
  });

  it("says in Markdown what was run, when and where", () => {
    expect(renderDoctorMarkdown(cut).split("\n").slice(0, 8)).toEqual([
      "# wirebench doctor",
      "",
      "- Command: `wirebench doctor --trials 2`",
      "- Date: 2026-11-20T12:30:05.678Z (not complete: interrupted)",
      "- Machine: Abacus 9000, 2 cores, 8.0 GiB, linux 6.1 x64, load 0.5 0.25 0.1",
      "- Node 20.1.2, V8 11.3, --expose-gc; wirebench 9.8.7",
      "- Profile standard: in each trial 8 processes per codec, 100 ms of warm-up and 100 ms measured, in batches of about 100 µs; seeds from 7 on",
      "",
    ]);
    expect(renderDoctorMarkdown(cut)).toContain("\nNot complete: interrupted.\n");
  });
});

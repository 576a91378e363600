/** What follows of a record: who may be the best, beside what, and what nobody can tell. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answersOf } from "../../../src/analysis/answer/answer.ts";
import type { Answer } from "../../../src/model/records/answer.ts";
import type { RunRecord } from "../../../src/model/records/run.ts";
import { answerMarkdown, answerText } from "../../../src/reports/sections/run/answer.ts";
import { runs, SEED } from "../../seed.ts";
import { answered, type Choice, claimOf, KNOWN, runOf } from "./choices.ts";

fc.configureGlobal({ seed: SEED });

const CHOICES: Readonly<Record<string, Choice>> = {
  json: { bytes: 2600, gzip: 440, encode: 10_000, decode: 10_000, heap: 5000, cold: 1e6 },
  msgpackr: { bytes: 1800, gzip: 430, encode: 8000, decode: 8000, heap: 5000, cold: 9e6 },
  protobufjs: { bytes: 840, gzip: 400, encode: 5000, decode: 4000, heap: 1000, cold: 4e6 },
  "raw-struct": { bytes: 1780, gzip: 350, encode: 1000, decode: 1000, heap: 900, cold: 2e6 },
};

/** All that is claimed by a ratio, but for what says that nothing is. */
function compared(record: RunRecord): Answer[] {
  return answersOf(record).filter(({ goal, ratio }) => goal !== "undecided" && ratio !== null);
}

describe("an answer", () => {
  const record = runOf(CHOICES);

  it("names the smallest of each pool, with the share of the baseline's bytes", () => {
    expect(claimOf(record, "size")).toEqual({
      dataset: "tellist",
      goal: "size",
      among: "all",
      codec: "protobufjs",
      value: 840,
      unit: "bytes",
      against: "json",
      ratio: 840 / 2600,
      ci95: [840 / 2600, 840 / 2600],
      level: [],
      why: "best",
    });
    expect(claimOf(record, "size", "schemaless")).toMatchObject({ codec: "msgpackr", ratio: 1800 / 2600 });
    expect(claimOf(record, "compressed-size", "service")).toMatchObject({ codec: "protobufjs", value: 400 });
  });

  it("names all that are equally small", () => {
    const equal = runOf({ ...CHOICES, flatbuffers: { bytes: 840, encode: 9000, decode: 9000 } });
    expect(claimOf(equal, "size")).toMatchObject({
      codec: "protobufjs",
      level: ["flatbuffers"],
      why: "level",
    });
  });

  it("names the fastest of all, and of those that a service can use, with the interval of the whole round trip", () => {
    const all = claimOf(record, "speed");
    expect(all).toMatchObject({ codec: "raw-struct", operation: "round-trip", against: "json", why: "best" });
    expect(all?.value).toBeCloseTo(2000, -2);
    expect(all?.ratio).toBeCloseTo(0.1, 2);
    const service = claimOf(record, "speed", "service");
    expect(service).toMatchObject({ codec: "protobufjs", level: [], why: "best" });
    expect(service?.ci95?.[0]).toBeLessThan(0.45);
    expect(service?.ci95?.[1]).toBeGreaterThan(0.45);
    expect(service?.ci95?.[1]).toBeLessThan(0.5);
    expect(claimOf(record, "speed", "schemaless")).toMatchObject({ codec: "msgpackr" });
  });

  it("is of one operation where only that was measured", () => {
    const { decode: _, ...json } = CHOICES["json"]!;
    const { decode: __, ...protobufjs } = CHOICES["protobufjs"]!;
    const one = runOf({ json, protobufjs });
    expect(claimOf(one, "speed")).toMatchObject({ codec: "protobufjs", operation: "encode" });
    expect(answersOf(one).map(({ goal }) => goal)).not.toContain("latency");
    expect(answersOf(one).map(({ goal }) => goal)).not.toContain("cold-start");
  });

  it("does not tell codecs apart that differ by less than their noise", () => {
    const noisy = runOf(
      { ...CHOICES, flatbuffers: { bytes: 900, encode: 5000, decode: 4100 } },
      { noise: 0.05 },
    );
    const service = claimOf(noisy, "speed", "service");
    expect([service?.codec, ...(service?.level ?? [])].sort()).toEqual(["flatbuffers", "protobufjs"]);
    expect(service?.why).toBe("level");
    const [pair] = answersOf(noisy).filter(({ goal }) => goal === "undecided");
    expect(pair?.ci95?.[0]).toBeLessThan(1);
    expect(pair?.ci95?.[1]).toBeGreaterThan(1);
    expect(pair?.processes ?? Number.POSITIVE_INFINITY).toBeGreaterThan(8);
  });

  it("says how many processes would tell two apart by those that there were, not by those of the profile", () => {
    const needed = (options: { readonly processes: number }): number[] => {
      const noisy = runOf(
        { ...CHOICES, flatbuffers: { bytes: 900, encode: 5000, decode: 4600 } },
        { noise: 0.2 },
      );
      const record = { ...noisy, options: { ...noisy.options, ...options } };
      return answersOf(record).flatMap(({ goal, processes }) =>
        goal === "undecided" ? (processes ?? []) : [],
      );
    };
    expect(needed({ processes: 8 }).length).toBeGreaterThan(0);
    expect(needed({ processes: 4 })).toEqual(needed({ processes: 8 }));
  });

  it("claims no speed of a single process of each codec", () => {
    const single = runOf(CHOICES, { blocks: 1 });
    const speed = claimOf(single, "speed");
    expect(speed?.level).toHaveLength(3);
    expect(speed).toMatchObject({ ratio: null, ci95: null, why: "level" });
    expect(claimOf(single, "size")).toMatchObject({ codec: "protobufjs", why: "best" });
  });

  it("takes memory for right within a factor of 2.5", () => {
    expect(claimOf(record, "memory", "service")).toMatchObject({
      codec: "protobufjs",
      level: [],
      ratio: 0.2,
    });
    const near = runOf({ ...CHOICES, protobufjs: { ...CHOICES["protobufjs"]!, heap: 2100 } });
    expect(claimOf(near, "memory", "service")).toMatchObject({
      codec: "protobufjs",
      level: ["json", "msgpackr"],
      ratio: null,
    });
  });

  it("compares cold starts by the processes", () => {
    expect(claimOf(record, "cold-start", "service")).toMatchObject({
      codec: "json",
      against: null,
      level: [],
    });
    const slow = runOf({ ...CHOICES, json: { ...CHOICES["json"]!, cold: 50e6 } });
    const start = claimOf(slow, "cold-start", "service");
    expect(start).toMatchObject({ codec: "protobufjs", against: "json" });
    expect(start?.ratio).toBeCloseTo(0.08, 3);
  });

  it("leaves out of cold starts what its runtime has of its own", () => {
    const cells = record.cells.map((cell) => (cell.codec === "json" ? { ...cell, library: "node" } : cell));
    expect(claimOf({ ...record, cells }, "cold-start", "service")).toMatchObject({
      codec: "protobufjs",
      against: null,
      ratio: null,
    });
  });

  it("names the cheapest on a link, and what the baseline would save on a fast one", () => {
    expect(claimOf(record, "latency", "service")).toMatchObject({
      codec: "protobufjs",
      bandwidth: 100e6,
      against: "json",
      why: "best",
    });
    const enough = claimOf(record, "enough", "service");
    expect(enough).toMatchObject({ codec: "json", bandwidth: 1e9, against: "protobufjs", why: "enough" });
    // 20 µs at both ends and 20.8 µs on the link, beside 9 and 6.7 µs.
    expect(enough?.value).toBeCloseTo(40_800, -3);
    expect(enough?.ratio).toBeCloseTo(40.8 / 15.72, 1);
  });

  it("says that the baseline is enough where nothing is told to take less", () => {
    const { json, "raw-struct": raw } = CHOICES as Record<string, Choice>;
    const slow = runOf({
      json: json!,
      "raw-struct": raw!,
      msgpackr: { bytes: 2600, encode: 12_000, decode: 12_000 },
    });
    expect(claimOf(slow, "enough", "service")).toMatchObject({ codec: "json", against: null, ratio: null });
    expect(claimOf(slow, "latency", "service")).toMatchObject({ codec: "json", against: null });
  });

  it("looks at the links that are asked for", () => {
    const links = (options: RunRecord["options"] extends infer O ? Partial<O> : never): unknown[] =>
      answersOf(runOf(CHOICES, { options })).flatMap(({ goal, bandwidth }) =>
        bandwidth === undefined ? [] : [[goal, bandwidth]],
      );
    expect(links({ bandwidths: [1e6, 5e6] })).toEqual([
      ["latency", 1e6],
      ["latency", 5e6],
      ["enough", 5e6],
    ]);
    expect(links({ goal: "latency@2M" })).toEqual([
      ["latency", 2e6],
      ["enough", 2e6],
    ]);
  });

  it.each([
    ["size", "size"],
    ["speed", "speed"],
    ["latency@100M", "latency"],
    ["memory", "memory"],
    ["cold-start", "cold-start"],
  ])("begins with %s where that is the goal", (goal, first) => {
    expect(answersOf(runOf(CHOICES, { options: { goal } }))[0]?.goal).toBe(first);
  });

  it("is not given of a study, of codecs that say nothing of themselves, or of times of several machines", () => {
    expect(answersOf(runOf(CHOICES, { options: { study: "size" } }))).toEqual([]);
    const silent = { ...record, cells: record.cells.map(({ traits: _, ...cell }) => cell) };
    expect(answersOf(silent)).toEqual([]);
    const { environment, runtimes } = record;
    const machines = ["a", "b"].map((label) => ({ label, environment, runtimes, blocks: [] }));
    const goals = answersOf({ ...record, merged: { runs: [], machines } }).map(({ goal }) => goal);
    expect(new Set(goals)).toEqual(new Set(["size", "compressed-size"]));
  });

  it("takes a codec that says nothing of itself for none of a service", () => {
    const own = runOf({ ...CHOICES, mine: { bytes: 10, encode: 100, decode: 100 } });
    expect(claimOf(own, "speed")).toMatchObject({ codec: "mine" });
    expect(claimOf(own, "speed", "service")).toMatchObject({ codec: "protobufjs" });
  });

  it("compares nothing with a baseline that was not measured", () => {
    const { json: _, ...others } = CHOICES;
    const without = runOf(others);
    expect(compared(without)).toEqual([]);
    expect(claimOf(without, "speed", "service")).toMatchObject({ codec: "protobufjs", against: null });
  });
});

const choice = fc.record({
  bytes: fc.integer({ min: 1, max: 5000 }),
  gzip: fc.integer({ min: 1, max: 500 }),
  encode: fc.integer({ min: 500, max: 2000 }),
  decode: fc.integer({ min: 500, max: 2000 }),
  heap: fc.integer({ min: 0, max: 9000 }),
  cold: fc.integer({ min: 1_000_000, max: 3_000_000 }),
});

const anyRun = fc
  .record({
    choices: fc
      .uniqueArray(fc.constantFrom(...Object.keys(KNOWN)), { minLength: 2, maxLength: 6 })
      .chain((names) =>
        fc
          .tuple(...names.map(() => choice))
          .map((all) => Object.fromEntries(names.map((name, i) => [name, all[i]!]))),
      ),
    noise: fc.constantFrom(0.001, 0.02, 0.2),
    blocks: fc.integer({ min: 1, max: 8 }),
    seed: fc.integer({ min: 1, max: 1000 }),
  })
  .map(({ choices, ...circumstances }) => runOf(choices, circumstances));

describe("any record", () => {
  it("has nothing claimed whose interval includes 1, or whose ratio is not in it", () => {
    fc.assert(
      fc.property(anyRun, (record) => {
        for (const { ratio, ci95, goal, codec, against } of compared(record)) {
          const at = `${goal} of ${codec} beside ${against}`;
          expect(ci95, at).not.toBeNull();
          const [low, high] = ci95!;
          expect(low <= ratio! && ratio! <= high, at).toBe(true);
          expect(high < 1 || low > 1, at).toBe(true);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it("has a best of which nothing that is told to be better was measured", () => {
    fc.assert(
      fc.property(anyRun, (record) => {
        const least = Math.min(...record.cells.flatMap(({ bytes }) => bytes ?? []));
        expect(claimOf(record, "size")?.value).toBe(least);
        for (const { level, codec, why, ratio } of answersOf(record)) {
          expect(level).not.toContain(codec);
          if (why === "best") expect(level).toEqual([]);
          if (ratio !== null) expect(Number.isFinite(ratio)).toBe(true);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it("is put in words of 80 columns, which never name a C struct as the best without what it lacks", () => {
    fc.assert(
      fc.property(anyRun, (made) => {
        const record = answered(made);
        for (const line of answerText(record).join("\n").split("\n"))
          expect(line.length).toBeLessThanOrEqual(80);
        for (const line of answerMarkdown(record).join("\n").split("\n")) {
          expect(line).not.toMatch(/NaN|Infinity|undefined|null/);
          if (line.includes("raw-struct") && !line.startsWith("- **Not told apart**"))
            expect(line).toContain(
              "C's format; a new field needs both ends changed at once; texts and lists have limits",
            );
        }
      }),
      { numRuns: runs(60) },
    );
  });
});

/** The answer in words: what is said of which claims, and that the words follow the record. */
import { describe, expect, it } from "vitest";
import { PROFILES } from "../../../src/measure/profiles.ts";
import type { Answer } from "../../../src/model/records/answer.ts";
import type { Cell, RunRecord } from "../../../src/model/records/run.ts";
import { answerMarkdown, answerText } from "../../../src/reports/sections/run/answer.ts";
import { answered, type Choice, KNOWN, runOf } from "../../analysis/answer/choices.ts";

const CHOICES: Readonly<Record<string, Choice>> = {
  json: { bytes: 2600, gzip: 440, encode: 10_000, decode: 10_000, heap: 5000 },
  msgpackr: { bytes: 1800, gzip: 430, encode: 8000, decode: 8000, heap: 5000 },
  protobufjs: { bytes: 840, gzip: 400, encode: 5000, decode: 4000, heap: 1000 },
  "raw-struct": { bytes: 1780, gzip: 350, encode: 1000, decode: 1000, heap: 900 },
};

const CLAIM: Answer = {
  dataset: "tellist",
  goal: "speed",
  among: "all",
  codec: "protobufjs",
  operation: "round-trip",
  value: 9000,
  unit: "nanoseconds",
  against: "json",
  ratio: 0.45,
  ci95: [0.44, 0.46],
  level: [],
  why: "best",
};

/** What is said of some claims, by question. */
function said(...answer: Partial<Answer>[]): Record<string, string> {
  const record = { ...runOf(CHOICES), answer: answer.map((one) => ({ ...CLAIM, ...one })) };
  return sentencesOf(record);
}

function sentencesOf(record: RunRecord): Record<string, string> {
  const [, items = ""] = answerMarkdown(record);
  return Object.fromEntries(items.split("\n").map((item) => /^- \*\*(.+?)\*\*: (.*)$/.exec(item)!.slice(1)));
}

describe("the words of an answer", () => {
  it("are a line for each question, within 80 columns, of a run whose differences are known", () => {
    const record = answered(runOf(CHOICES, { noise: 0.0001, options: { goal: "memory" } }));
    expect(answerText(record)).toEqual([
      `For tellist (16 values, 2,600 bytes as JSON):
  Least memory        for a service: protobufjs, 2,000 bytes a round trip, 20 %
                      of JSON
  Smallest            protobufjs, 840 bytes, 32 % of JSON; with gzip 400 bytes,
                      91 % of JSON with gzip
  Fastest round trip  raw-struct, 2.00 µs, 10 × as fast as JSON (C's format; a
                      new field needs both ends changed at once; texts and lists
                      have limits); for a service: protobufjs, 8.99 µs, 2.2 × as
                      fast as JSON
  No schema           for a service: msgpackr, 16.0 µs, 1.2 × as fast as JSON
                      and 69 % of its size
  On 100 Mbit/s       for a service: protobufjs, 76.2 µs, where JSON takes
                      228 µs
  JSON is enough if   a message may take 40.8 µs over 1 Gbit/s; protobufjs, the
                      best there for a service, saves 25.1 µs`,
    ]);
  });

  it("keep to a narrower terminal, and to 80 columns of a wider one", () => {
    const record = answered(runOf(CHOICES));
    const widest = (columns: number): number =>
      Math.max(
        ...answerText(record, columns)
          .join("\n")
          .split("\n")
          .map(({ length }) => length),
      );
    expect(widest(60)).toBeLessThanOrEqual(60);
    expect(widest(200)).toBeLessThanOrEqual(80);
    expect(widest(200)).toBeGreaterThan(60);
  });

  it("say how much of the baseline a figure is, and how many times as fast", () => {
    expect(said({})).toEqual({ "Fastest round trip": "protobufjs, 9.00 µs, 2.2 × as fast as JSON" });
    expect(said({ ratio: 0.96, ci95: [0.95, 0.97] })).toEqual({
      "Fastest round trip": "protobufjs, 9.00 µs, 1.04 × as fast as JSON",
    });
    expect(said({ ratio: 1.5, ci95: [1.4, 1.6], operation: "encode", against: "v8" })).toEqual({
      "Fastest encode": "protobufjs, 9.00 µs, 1.5 × the time of v8",
    });
    expect(said({ goal: "size", unit: "bytes", value: 99.8, ratio: 0.998 })).toEqual({
      Smallest: "protobufjs, 99.8 bytes, 99.8 % of JSON",
    });
    expect(said({ goal: "size", unit: "bytes", value: 300, ratio: 3 })).toEqual({
      Smallest: "protobufjs, 300 bytes, 3.0 × JSON",
    });
  });

  it("say of gzip what it makes of the smallest, and nothing else where that is no smaller", () => {
    const size = { goal: "size", unit: "bytes", value: 9, ratio: 0.53 } as const;
    const gzip = { ...size, goal: "compressed-size", among: "service" } as const;
    expect(said(size, { ...gzip, value: 8, ratio: 0.8 })).toEqual({
      Smallest: "protobufjs, 9 bytes, 53 % of JSON; with gzip 8 bytes, 80 % of JSON with gzip",
    });
    expect(said(size, { ...gzip, value: 29, ratio: 0.88 })).toEqual({
      Smallest: "protobufjs, 9 bytes, 53 % of JSON; gzip makes it no smaller",
    });
  });

  it("say nothing of a baseline that it is not told apart from", () => {
    expect(said({ ratio: null, ci95: null })).toEqual({ "Fastest round trip": "protobufjs, 9.00 µs" });
  });

  it("name two or three that are not told apart, and of more their number", () => {
    expect(said({ level: ["msgpackr"], ratio: null, why: "level" })).toEqual({
      "Fastest round trip": "protobufjs or msgpackr, not told apart, from 9.00 µs",
    });
    expect(said({ level: ["msgpackr", "json"], ratio: null, why: "level" })).toEqual({
      "Fastest round trip": "protobufjs, msgpackr or JSON, not told apart, from 9.00 µs",
    });
    expect(said({ level: ["msgpackr", "json", "raw-struct"], ratio: null, why: "level" })).toEqual({
      "Fastest round trip": "cannot be told: any of 4 codecs may be it, from 9.00 µs on",
    });
    expect(said({ goal: "size", unit: "bytes", level: ["msgpackr"], ratio: 0.5, value: 9 })).toEqual({
      Smallest: "protobufjs and msgpackr, 9 bytes, 50 % of JSON",
    });
    const four = { level: ["msgpackr", "v8", "bson"], ratio: 0.5, value: 9 };
    expect(said({ goal: "size", unit: "bytes", ...four })).toEqual({
      Smallest: "protobufjs, msgpackr and 2 others, 9 bytes, 50 % of JSON",
    });
  });

  it("say what a format lacks, and who is best for a service then", () => {
    const raw = { codec: "raw-struct", value: 2000, ratio: 0.1 };
    expect(said(raw, { among: "service" })).toEqual({
      "Fastest round trip":
        "raw-struct, 2.00 µs, 10 × as fast as JSON (C's format; a new field needs both ends changed at once; texts and lists have limits); for a service: protobufjs, 9.00 µs, 2.2 × as fast as JSON",
    });
    expect(said({}, { among: "service" })).toEqual({
      "Fastest round trip": "protobufjs, 9.00 µs, 2.2 × as fast as JSON",
    });
  });

  it("say of the fastest without a schema how large it is, or who is smaller", () => {
    const speed = { among: "schemaless", codec: "msgpackr", value: 16_000, ratio: 0.8 } as const;
    const size = {
      goal: "size",
      among: "schemaless",
      codec: "msgpackr",
      value: 1800,
      unit: "bytes",
      ratio: 0.7,
    } as const;
    expect(said(speed, size)).toEqual({
      "No schema": "for a service: msgpackr, 16.0 µs, 1.3 × as fast as JSON and 70 % of its size",
    });
    expect(said({ ...speed, codec: "json", against: null, ratio: null }, size)).toEqual({
      "No schema": "for a service: JSON, 16.0 µs; smallest: msgpackr, 1,800 bytes, 70 % of JSON",
    });
    expect(said(size)).toEqual({ "No schema": "for a service: msgpackr, 1,800 bytes, 70 % of JSON" });
  });

  it("say what a link takes, and when JSON is enough", () => {
    const link = {
      goal: "latency",
      among: "service",
      compression: { algorithm: "gzip", level: 6 },
      bandwidth: 100e6,
      value: 68_000,
      ratio: 0.8,
      againstCompression: { algorithm: "brotli", level: 5 },
    } as const;
    expect(said(link)).toEqual({
      "On 100 Mbit/s": "for a service: protobufjs + gzip 6, 68.0 µs, where JSON + brotli 5 takes 85.0 µs",
    });
    const enough = {
      goal: "enough",
      among: "service",
      codec: "json",
      bandwidth: 1e9,
      value: 40_000,
      against: "protobufjs",
      ratio: 4,
      why: "enough",
    } as const;
    expect(said(enough)).toEqual({
      "JSON is enough if":
        "a message may take 40.0 µs over 1 Gbit/s; protobufjs, the best there for a service, saves 30.0 µs",
    });
    expect(said({ ...enough, against: null, ratio: null })).toEqual({
      "JSON is enough": "over 1 Gbit/s, where it takes 40.0 µs: no other can be told to take less",
    });
  });

  it("say nothing of memory and cold starts that is not known, unless that is the goal", () => {
    const start = { goal: "cold-start", among: "service", value: 4e6, against: null, ratio: null } as const;
    expect(said(start)).toEqual({ "Fastest start": "of what has to be loaded: protobufjs, 4.00 ms" });
    const open = { ...start, level: ["msgpackr", "json", "v8"], why: "level" } as const;
    expect(said({}, open)).toEqual({ "Fastest round trip": "protobufjs, 9.00 µs, 2.2 × as fast as JSON" });
    expect(said(open)["Fastest start"]).toContain("cannot be told: any of 4 codecs");
  });

  it("say what would tell two apart", () => {
    const pair = {
      goal: "undecided",
      codec: "protobufjs",
      against: "json",
      ratio: 0.98,
      ci95: [0.9, 1.05],
    } as const;
    const needs = (processes?: number): string | undefined =>
      said({ ...pair, ...(processes !== undefined && { processes }) })["Not told apart"];
    expect(needs()).toBe("protobufjs and JSON");
    expect(needs(PROFILES.thorough.processes)).toBe(
      "protobufjs and JSON (needs about 2 × the processes: --profile thorough has them)",
    );
    expect(needs(PROFILES.thorough.processes + 1)).toBe(
      "protobufjs and JSON (needs about 3 × the processes)",
    );
    expect(needs(1000)).toBe("protobufjs and JSON (too alike for any run to tell)");
    expect(said(pair, { ...pair, against: "msgpackr" })["Not told apart"]).toBe(
      "protobufjs, JSON and msgpackr",
    );
  });

  it("are none for a record without an answer", () => {
    expect(answerText(runOf(CHOICES))).toEqual([]);
    expect(answerMarkdown(runOf(CHOICES))).toEqual([]);
  });
});

describe("when a record changes, its words follow", () => {
  const changed = (codec: string, change: Partial<Choice>): Record<string, string> =>
    sentencesOf(answered(runOf({ ...CHOICES, [codec]: { ...CHOICES[codec]!, ...change } })));

  it("who is the smallest", () => {
    expect(changed("protobufjs", {})["Smallest"]).toContain("protobufjs, 840 bytes, 32 % of JSON");
    expect(changed("msgpackr", { bytes: 100 })["Smallest"]).toContain("msgpackr, 100 bytes, 3.8 % of JSON");
  });

  it("who is the fastest, and for a service", () => {
    expect(changed("raw-struct", { encode: 50_000 })["Fastest round trip"]).toMatch(/^protobufjs, [^;]*$/);
    expect(changed("msgpackr", { encode: 2000, decode: 1500 })["Fastest round trip"]).toMatch(
      /^raw-struct.*; for a service: msgpackr, 3\.\d\d µs, 5\.\d × as fast as JSON$/,
    );
    expect(changed("protobufjs", { traits: ["binary"] })["Fastest round trip"]).toMatch(
      /for a service: msgpackr/,
    );
  });

  it("what nobody can tell, the noisier it is", () => {
    const noisy = sentencesOf(answered(runOf(CHOICES, { noise: 0.8, blocks: 3 })));
    expect(noisy["Fastest round trip"]).toContain("not told apart, from 2.11 µs");
    expect(noisy["JSON is enough"]).toContain("no other can be told to take less");
    expect(noisy["Not told apart"]).toContain("protobufjs, JSON and msgpackr (needs about");
    expect(JSON.stringify(noisy)).not.toContain("as fast as");
    const noisier = sentencesOf(answered(runOf(CHOICES, { noise: 3, blocks: 3 })));
    expect(noisier["Fastest round trip"]).toMatch(
      /^cannot be told: any of 4 codecs may be it, from \S+ \S+ on; for a service: JSON, protobufjs or msgpackr, not told apart/,
    );
    for (const one of [noisy, noisier]) expect(one["Smallest"]).toContain("840 bytes, 32 % of JSON");
  });

  it("what a codec lacks, which it may say of itself", () => {
    const lacking = (more: Partial<Cell>): string | undefined => {
      const record = runOf(CHOICES);
      const cells = record.cells.map((cell) => (cell.codec === "raw-struct" ? { ...cell, ...more } : cell));
      return /\((.*?)\)/.exec(sentencesOf(answered({ ...record, cells }))["Fastest round trip"]!)?.[1];
    };
    expect(lacking({})).toBe(
      "C's format; a new field needs both ends changed at once; texts and lists have limits",
    );
    expect(lacking({ traits: ["evolves", "binary"] })).toBe("C's format");
    expect(lacking({ traits: [...KNOWN["v8"]!.traits!] })).toBe("C's format; no other library reads it");
  });
});

/** What other programs are given of a run: Bencher, github-action-benchmark, benchstat, and whatever reads CSV. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Ajv } from "ajv";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { Cell, RunRecord } from "../../src/model/records/run.ts";
import { renderBmf } from "../../src/reports/run/bmf.ts";
import { renderCsv } from "../../src/reports/run/csv.ts";
import { renderActionBenchmark } from "../../src/reports/run/github-action-benchmark.ts";
import { renderGoBench } from "../../src/reports/run/go-bench.ts";
import { benchstat, itWith } from "../references.ts";
import { runs, SEED } from "../seed.ts";
import { fullCell, fullRecord, standing } from "./full-record.ts";
import { measured, nanosOf, recordOf, refused } from "./record.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-exports-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const record = recordOf(
  [
    measured("json", "encode", 2617, 5234),
    { ...measured("json (A/A)", "encode", 2617, 5300), twinOf: "json" },
    measured("protobufjs", "encode", 841, 1682),
    refused("capnp-ts", "encode", "unsupported", "schemas are too deep"),
    { ...measured("json", "decode", 2617, 8000), nanos: { ...nanosOf(8000), ci95: null } },
  ],
  [{ dataset: "tellist", codec: "json", bytes: 2617, gzip: 600, brotli: 500 }],
);

/** The same cells on two machines, with blocks 0 and 2 on the first. */
function onTwoMachines(): RunRecord {
  const [cell] = record.cells;
  const machine = (label: string, blocks: readonly number[]) => ({
    label,
    blocks,
    environment: { ...record.environment, cpu: { ...record.environment.cpu, model: label } },
    runtimes: record.runtimes,
  });
  const time = (label: string, median: number, processes: number) => ({
    machine: label,
    processes,
    median,
    ci95: [median - 1, median + 1] as const,
  });
  const nanos = { ...nanosOf(100), processes: [100, 200, 110] };
  return {
    ...record,
    merged: { runs: [], machines: [machine("Abacus", [0, 2]), machine("Soroban", [1])] },
    cells: [{ ...cell!, nanos, machines: [time("Abacus", 105, 2), time("Soroban", 200, 1)] }],
  };
}

const parsed = (text: string): Record<string, Record<string, Record<string, number>>> => JSON.parse(text);

describe("Bencher's metric format", () => {
  /** https://bencher.dev/bmf.json, with the lengths that Bencher's reference has, and no other keys. */
  const isBmf = new Ajv({ strict: true }).compile({
    type: "object",
    propertyNames: { minLength: 1, maxLength: 1024 },
    additionalProperties: {
      type: "object",
      minProperties: 1,
      propertyNames: { pattern: "^[a-z-]{1,64}$" },
      additionalProperties: {
        type: "object",
        properties: {
          value: { type: "number" },
          lower_value: { type: "number" },
          upper_value: { type: "number" },
        },
        required: ["value"],
        additionalProperties: false,
      },
    },
  });

  it("has the time of each cell with its interval, and the size of each message", () => {
    expect(parsed(renderBmf(record))).toEqual({
      "encode/tellist/json": {
        latency: { value: 5234, lower_value: 5234 * 0.95, upper_value: 5234 * 1.05 },
      },
      "encode/tellist/protobufjs": {
        latency: { value: 1682, lower_value: 1682 * 0.95, upper_value: 1682 * 1.05 },
      },
      "decode/tellist/json": { latency: { value: 8000 } },
      "tellist/json": {
        bytes: { value: 2617 },
        "gzip-bytes": { value: 600 },
        "brotli-bytes": { value: 500 },
      },
      "tellist/protobufjs": { bytes: { value: 841 } },
    });
  });

  it.each<[string, RunRecord]>([
    ["usual", record],
    ["full", fullRecord()],
    ["empty", recordOf([])],
    ["merged", onTwoMachines()],
  ])("is as its schema says, for a record that is %s", (_, given) => {
    isBmf(parsed(renderBmf(given)));
    expect(isBmf.errors ?? []).toEqual([]);
  });

  it("has the memory of a call", () => {
    expect(parsed(renderBmf(fullRecord()))["encode/tellist/json"]).toHaveProperty("heap-bytes.value", 1234.5);
  });

  it("keeps machines apart whose times are not one", () => {
    const times = Object.entries(parsed(renderBmf(onTwoMachines())));
    expect(times.map(([name, { latency }]) => [name, latency?.["value"]])).toEqual([
      ["encode/tellist/json/Abacus", 105],
      ["encode/tellist/json/Soroban", 200],
      ["tellist/json", undefined],
    ]);
  });

  it("has the sizes alone of a proof, in which nothing was timed", () => {
    const { nanos, ...cell } = measured("json", "verify", 2617, 1);
    expect(parsed(renderBmf(recordOf([{ ...cell, status: "ok" }])))).toEqual({
      "tellist/json": { bytes: { value: 2617 } },
    });
  });

  it("gives no two cells one name, whatever is in their names", () => {
    const name = fc.string({
      unit: fc.constantFrom("a", "/", "%", "2F", "\n", " ", "__proto__"),
      minLength: 1,
    });
    const names = fc.uniqueArray(fc.tuple(name, name), { selector: JSON.stringify, minLength: 1 });
    fc.assert(
      fc.property(names, (all) => {
        const given = recordOf(all.map(([codec, operation]) => measured(codec, operation, 5, 100)));
        const times = Object.values(parsed(renderBmf(given))).filter(({ latency }) => latency !== undefined);
        expect(times).toHaveLength(all.length);
        const entries = JSON.parse(renderActionBenchmark(given)) as { name: string }[];
        expect(new Set(entries.map((entry) => entry.name)).size).toBe(entries.length);
      }),
      { numRuns: runs(200), seed: SEED },
    );
  });
});

describe("github-action-benchmark's custom format", () => {
  it("has times in nanoseconds and sizes in bytes, with the range in the same unit", () => {
    expect(JSON.parse(renderActionBenchmark(record))).toEqual([
      {
        name: "encode/tellist/json",
        unit: "ns",
        value: 5234,
        range: "± 262",
        extra: "lib-json 1.2.3; 3 processes; 95 % interval 4972 to 5496",
      },
      {
        name: "encode/tellist/protobufjs",
        unit: "ns",
        value: 1682,
        range: "± 84",
        extra: "lib-protobufjs 1.2.3; 3 processes; 95 % interval 1598 to 1766",
      },
      { name: "decode/tellist/json", unit: "ns", value: 8000, extra: "lib-json 1.2.3; 3 processes" },
      { name: "tellist/json", unit: "bytes", value: 2617, extra: "gzip 600, brotli 500" },
      { name: "tellist/protobufjs", unit: "bytes", value: 841 },
    ]);
  });
});

describe("Go's benchmark format", () => {
  const lines = (given: RunRecord): string[] => renderGoBench(given).trimEnd().split("\n");
  const results = (given: RunRecord): string[] => lines(given).filter((line) => line.startsWith("Benchmark"));

  it("has a line for each process, and says of the machine what benchstat makes tables by", () => {
    expect(
      lines(recordOf([{ ...record.cells[0]!, nanos: { ...nanosOf(5), processes: [5, 6, 7.5] } }])),
    ).toEqual([
      "# wirebench run --seed 42",
      "# 2026-11-20T12:30:05.678Z, wirebench 9.8.7, profile quick, lib-json 1.2.3",
      "Unit B/msg assume=exact better=lower",
      "goos: linux",
      "goarch: amd64",
      "cpu: Abacus 9000",
      "runtime: node 20.1.2",
      "timed-by: wall",
      "data: 0123456789abcdef",
      "BenchmarkEncode/dataset=tellist/codec=json 16 5 ns/op 2617 B/msg",
      "BenchmarkEncode/dataset=tellist/codec=json 16 6 ns/op 2617 B/msg",
      "BenchmarkEncode/dataset=tellist/codec=json 16 7.5 ns/op 2617 B/msg",
    ]);
  });

  it("has each process below the machine that it ran on", () => {
    const shown = lines(onTwoMachines()).filter((line) => /^(cpu|Benchmark)/.test(line));
    expect(shown.map((line) => line.replace(/ ns.*/, ""))).toEqual([
      "cpu: Abacus",
      "BenchmarkEncode/dataset=tellist/codec=json 16 100",
      "BenchmarkEncode/dataset=tellist/codec=json 16 110",
      "cpu: Soroban",
      "BenchmarkEncode/dataset=tellist/codec=json 16 200",
    ]);
  });

  it("has the runtime as a part of the name, where there are several", () => {
    const named = (cell: Partial<Cell>): string | undefined =>
      results(recordOf([{ ...record.cells[0]!, ...cell }]))[0]?.split(" ")[0];
    expect(named({ codec: "json (bun)", runtime: "bun" })).toBe(
      "BenchmarkEncode/dataset=tellist/codec=json/runtime=bun",
    );
    expect(named({ codec: "protobuf (C++ 3.21)", runtime: "C++", program: "cpp/protobuf" })).toBe(
      "BenchmarkEncode/dataset=tellist/codec=protobuf%20(C++%203.21)",
    );
  });

  it("has names that are read as they are: no number of processors, no space, no part that is none", () => {
    const names = [
      ["my-codec-2", "codec=my-codec%2D2"],
      ["a b\u00a0c\u0085", "codec=a%20b%C2%A0c%C2%85"],
      ["a/b%", "codec=a%2Fb%25"],
    ];
    for (const [codec = "", part] of names) {
      expect(results(recordOf([measured(codec, "encode", 5, 1)]))[0]).toBe(
        `BenchmarkEncode/dataset=tellist/${part} 16 1 ns/op 5 B/msg`,
      );
    }
    expect(results(recordOf([measured("a", "Encode", 5, 1)]))[0]).toMatch(/^Benchmark_Encode\//);
  });

  const stat = benchstat();

  /** benchstat's table as CSV: the rows of times. */
  function benchstatRows(args: readonly string[]): string[][] {
    const out = execFileSync(stat.program!, ["-format", "csv", ...args], {
      encoding: "utf8",
      // It warns of fewer than six processes there.
      stdio: ["ignore", "pipe", "ignore"],
    });
    return out.split("\n").map((line) => line.split(","));
  }

  function written(name: string, given: RunRecord): string {
    const file = path.join(folder, name);
    writeFileSync(file, renderGoBench(given));
    return file;
  }

  itWith(stat)("is read by benchstat, which finds the same medians, and differences by its own test", () => {
    const times = [100, 101, 102, 103, 104, 105, 106, 107];
    const of = (factor: number): RunRecord => {
      const nanos = {
        ...nanosOf(100),
        processes: times.map((time) => time * factor),
        blocks: times.map((_, i) => i),
        batchCalls: times.map(() => 16),
        batches: times.map(() => [1]),
      };
      const cell = { ...measured("json", "encode", 2617 * factor, 1), nanos };
      // The date and the command are others in every run: benchstat must not make a table of its own for each.
      return {
        ...recordOf([cell, { ...cell, codec: "same", bytes: 9, nanos: { ...nanos, processes: times } }]),
        startedAt: `2026-11-2${factor}T00:00:00Z`,
      };
    };
    const shown = benchstatRows([`old=${written("old", of(1))}`, `new=${written("new", of(2))}`]);
    const rows = shown.map((row) => row.map((field) => field.replace(/0{4,}1(?=e-07)/, "")));
    expect(rows.filter(([name]) => name === "Encode/dataset=tellist/codec=json")).toEqual([
      ["Encode/dataset=tellist/codec=json", "1.035e-07", "3%", "2.07e-07", "3%", "+100.00%", "p=0.000 n=8"],
      ["Encode/dataset=tellist/codec=json", "2617", "0%", "5234", "0%", "+100.00%", "n=8"],
    ]);
    expect(rows.filter(([name]) => name === "Encode/dataset=tellist/codec=same")[0]?.[5]).toBe("~");
  });

  itWith(stat)("has names that benchstat takes apart, whatever is in them", () => {
    const odd = ["plain", "a b", "x-2", "a/b", "50%", "=", "\u2028", "名前", "Unit", "a:b", "(bun)", "-7"];
    const cells = odd.flatMap((name) => [measured(name, "encode", 5, 100), measured(name, name, 5, 100)]);
    const file = written("odd", recordOf(cells));
    const codecs = benchstatRows([
      "-row",
      "/codec",
      "-col",
      "/gomaxprocs",
      "-filter",
      ".unit:sec/op",
      "-ignore",
      ".name",
      file,
    ]);
    const names = codecs.map(([name = ""]) => decodeURIComponent(name)).filter((name) => odd.includes(name));
    expect(names.toSorted()).toEqual(odd.toSorted());
    const full = benchstatRows(["-filter", ".unit:sec/op", file]).filter(([name]) =>
      name?.includes("/codec="),
    );
    expect(full).toHaveLength(cells.length);
  });

  itWith(stat)("is read by benchstat, whatever record it is of", () => {
    const { nanos, ...cell } = measured("json", "verify", 2617, 1);
    const proof = recordOf([{ ...cell, status: "ok" }]);
    const slow = recordOf([measured("json", "encode", 1.5, 1e22), measured("v8", "encode", 2, 1e-9)]);
    for (const [i, given] of [fullRecord(), onTwoMachines(), proof, slow].entries()) {
      const file = written(`any-${i}`, given);
      expect(
        benchstatRows([file]).some(([name]) => name?.includes("/codec=json")),
        String(i),
      ).toBe(true);
    }
  });
});

describe("the CSV", () => {
  const rowsOf = (given: RunRecord): Record<string, string>[] => {
    const [headings = [], ...rows] = renderCsv(given)
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(","));
    return rows.map((row) => Object.fromEntries(headings.map((heading, i) => [heading, row[i] ?? ""])));
  };

  it("has in each row what tells its run from others, and the baseline and compressed sizes", () => {
    expect(rowsOf(record)[0]).toMatchObject({
      started_at: "2026-11-20T12:30:05.678Z",
      complete: "true",
      cpu: "Abacus 9000",
      cores: "2",
      platform: "linux x64",
      runtime: "node",
      runtime_version: "20.1.2",
      wirebench: "9.8.7",
      profile: "quick",
      seed: "42",
      baseline: "json",
      dataset_sha256: "0123456789abcdef".repeat(4),
      gzip_bytes: "600",
      brotli_bytes: "500",
      zstd_bytes: "",
    });
  });

  it("has the rank of the tables as a number, and none of a second measurement of the baseline", () => {
    const ranked = (codec: string, tier: number, more: Partial<Cell> = {}): Cell =>
      fullCell(codec, "encode", 100, { standing: standing({ tier }), ...more });
    const cells = [
      ranked("a", 1),
      ranked("b", 2),
      ranked("c", 2),
      ranked("d", 3),
      ranked("e", 1, { twinOf: "a" }),
    ];
    expect(rowsOf(recordOf(cells)).map(({ tier, rank, twin_of }) => [tier, rank, twin_of])).toEqual([
      ["1", "1", ""],
      ["2", "2", ""],
      ["2", "2", ""],
      ["3", "4", ""],
      ["1", "", "a"],
    ]);
  });

  it("says of each cell the runtime that it was measured in", () => {
    const given: RunRecord = {
      ...recordOf([
        { ...measured("json (node)", "encode", 5, 100), runtime: "node" },
        { ...measured("json (bun)", "encode", 5, 100), runtime: "bun" },
        { ...measured("protobuf (C++ 3.21)", "encode", 5, 100), runtime: "C++", program: "cpp/protobuf" },
      ]),
      natives: [
        { program: "cpp/protobuf", language: "C++", compiler: "g++ 12.2.0", libraries: [], flags: ["-O2"] },
      ],
    };
    const [node] = given.runtimes;
    const bun = { ...node!, label: "bun", name: "bun", version: "1.3.0" };
    expect(
      rowsOf({ ...given, runtimes: [node!, bun] }).map(({ runtime, runtime_version }) => [
        runtime,
        runtime_version,
      ]),
    ).toEqual([
      ["node", "20.1.2"],
      ["bun", "1.3.0"],
      ["C++", "g++ 12.2.0"],
    ]);
  });

  it("leaves empty what batches that were not kept would tell", () => {
    const { nanos, ...cell } = measured("json", "encode", 5, 100);
    const given = recordOf([{ ...cell, nanos: { ...nanos!, batches: [[], [], []] } }]);
    expect(rowsOf(given)[0]).toMatchObject({ median_ns: "100", batch_median_ns: "" });
    expect(renderGoBench(given)).toContain("/codec=json 16 100 ns/op 5 B/msg\n");
  });

  it("has no more digits of a ratio than it can have", () => {
    const cell = fullCell("json", "encode", 100, {
      standing: standing({ ratio: 1.1040212345678, ci95: [0.123456789, 12.3456789] }),
    });
    expect(rowsOf(recordOf([cell]))[0]).toMatchObject({
      ratio: "1.10402",
      ratio_ci95_low: "0.123457",
      ratio_ci95_high: "12.3457",
    });
  });
});

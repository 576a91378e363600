/** Runs real measuring processes, from dist/ as a user's are. */
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { type Cell, type Progress, type RunRecord, run, verify } from "wirebench";
import recordSchema from "../../schemas/run-record.schema.json" with { type: "json" };

const plugin = (name: string): string => path.join(import.meta.dirname, "../plugins", name);
const misbehaving = [
  plugin("misbehaving.js"),
  path.join(import.meta.dirname, "../../benchmarks/plugins/one-number.js"),
];

const VARIANTS = [
  "",
  ":crashes",
  ":exits",
  ":hangs",
  ":loses",
  ":loses-later",
  ":overwrites",
  ":throws",
  ":refuses",
];

function outcome(record: RunRecord, codec: string, operation: string): Pick<Cell, "status" | "reason"> {
  const cell = record.cells.find((one) => one.codec === codec && one.operation === operation);
  return { status: cell?.status ?? "failed", reason: cell?.reason ?? "" };
}

describe("a run", () => {
  it("reports every way to go wrong as a row, and measures the codecs beside it", async () => {
    const record = await run({
      codecs: VARIANTS.map((variant) => `misbehaving${variant}`),
      datasets: ["one-number"],
      plugins: misbehaving,
      profile: "quick",
      timeoutSeconds: 4,
      seed: 1,
    });
    expect(record.complete).toBe(true);
    expect(outcome(record, "misbehaving", "encode").status).toBe("measured");
    const expected: [string, string, Cell["status"], RegExp][] = [
      ["crashes", "encode", "failed", /^crashed \(signal SIGABRT\)/],
      ["exits", "encode", "failed", /^crashed \(exit code 3\)/],
      ["hangs", "decode", "failed", /^hung: no result after 4 s/],
      ["loses", "decode", "failed", /^round trip: n: expected 0, got nothing/],
      ["loses-later", "decode", "failed", /the timed calls/],
      ["overwrites", "encode", "failed", /overwritten by a later call/],
      ["throws", "encode", "failed", /^no such luck/],
      ["refuses", "encode", "unsupported", /^numbers are not letters/],
    ];
    for (const [variant, operation, status, reason] of expected) {
      expect(outcome(record, `misbehaving:${variant}`, operation), variant).toEqual({
        status,
        reason: expect.stringMatching(reason),
      });
    }
  });

  it("knows a process that ran out of memory from one that hangs", async () => {
    const record = await run({
      codecs: ["misbehaving:eats-memory"],
      datasets: ["one-number"],
      plugins: misbehaving,
      profile: "quick",
    });
    expect(outcome(record, "misbehaving:eats-memory", "encode")).toEqual({
      status: "failed",
      reason: "ran out of memory",
    });
  });

  it("writes what the schema of records describes", async () => {
    const record = await run({
      codecs: ["json*", "misbehaving:refuses"],
      plugins: misbehaving,
      profile: "quick",
    });
    const validate = new Ajv2020({ allErrors: true }).compile(recordSchema);
    validate(JSON.parse(JSON.stringify(record)));
    expect(validate.errors ?? []).toEqual([]);
    const [cell] = record.cells;
    expect(cell?.nanos?.processes).toHaveLength(record.options.processes);
    expect(cell?.nanos?.batches).toHaveLength(record.options.processes);
  });

  it("measures in the same order with the same seed", async () => {
    const order = async (seed: number): Promise<string[]> => {
      const seen: string[] = [];
      const note = ({ current }: Progress): void => {
        if (current !== undefined) seen.push(current.codec);
      };
      await run({ codecs: ["*json*"], operations: ["access"], profile: "quick", seed, onProgress: note });
      return seen;
    };
    expect(await order(5)).toEqual(await order(5));
  });

  it("stops when told to, and keeps what it has", async () => {
    const controller = new AbortController();
    let saved: RunRecord | undefined;
    const record = await run({
      codecs: ["json"],
      profile: "quick",
      signal: controller.signal,
      onRecord: (soFar) => {
        saved = soFar;
        controller.abort();
      },
    });
    expect(record.complete).toBe(false);
    expect(record.cells[0]?.nanos?.processes).toHaveLength(1);
    expect(saved?.cells).toEqual(record.cells);
  });

  it("counts its progress to the end", async () => {
    const seen: Progress[] = [];
    await run({
      codecs: ["json"],
      operations: ["encode"],
      profile: "quick",
      onProgress: (now) => seen.push(now),
    });
    expect(seen.map(({ done }) => done)).toEqual([0, 1, 2, 3]);
    expect(seen.at(-1)).toMatchObject({ done: 3, total: 3, remainingMs: 0 });
  });

  it.each([
    [{ codecs: ["jsn"] }, 'unknown codec "jsn", did you mean json?'],
    [{ codecs: ["json:strng"] }, 'codec "json" has no variant "strng", did you mean string?'],
    [{ datasets: ["telist"] }, 'unknown dataset "telist", did you mean tellist?'],
    [{ datasets: ["tellist:0"] }, "expected 1 to 10000000 records after the colon"],
    [{ operations: ["endcode"] }, 'unknown operation "endcode", did you mean encode'],
    [{ codecs: ["v8"], baseline: "json" }, 'baseline "json" is not among the codecs measured'],
  ])("refuses %j before anything is measured", async (options, message) => {
    await expect(run(options)).rejects.toThrow(message);
  });
});

describe("verify", () => {
  it("gives one cell per codec and dataset, with its size", async () => {
    const record = await verify({ codecs: ["json*"], datasets: ["tellist", "tellist:2"] });
    expect(
      record.cells.map(({ operation, codec, dataset, status, bytes }) => [
        operation,
        codec,
        dataset,
        status,
        bytes,
      ]),
    ).toEqual([
      ["verify", "json", "tellist", "ok", 2617],
      ["verify", "json:string", "tellist", "ok", 2617],
      ["verify", "json", "tellist:2", "ok", 148],
      ["verify", "json:string", "tellist:2", "ok", 148],
    ]);
  });
});

/** `wirebench classic`, from the command line to the files. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { ClassicRecord } from "../../src/model/records/classic.ts";
import { readAnyRecord } from "../../src/store/read-record.ts";
import { itWith } from "../references.ts";
import { interrupted, wirebench } from "./wirebench.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-classic-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function classic(...args: string[]): Promise<{ text: string; record: ClassicRecord }> {
  const out = path.join(folder, args.join("-"));
  const { code, stdout, stderr } = await wirebench(["classic", ...args, "--out", out]);
  expect(code, stderr).toBe(0);
  return { text: stdout, record: readAnyRecord(path.join(out, "run.json")) as ClassicRecord };
}

describe("classic", () => {
  it("address-book prints the published lines, three runs and their average", async () => {
    const { text, record } = await classic("address-book", "--loops", "50");
    const run = "  encode: loop = 50, time diff = \\d+ms\n  decode: loop = 50, time diff = \\d+ms\n";
    for (const [codec, bytes] of Object.entries({ protobufjs: 841, flatbuffers: 1712, "raw-struct": 1784 }))
      expect(text).toMatch(
        new RegExp(
          `^${codec} .*\n(${run}  buf size:${bytes}\n){3}  average: encode \\d+\\.\\dms, decode \\d+\\.\\dms$`,
          "m",
        ),
      );
    expect(text).toMatch(/flatbuffers .* decode +1,712 +1,712 +1\.16 µs +1\.17 µs/);
    expect(text).toContain("no interval");
    expect(record.rows).toHaveLength(6);
    expect(
      record.rows.every(({ runs }) => runs.length === 3 && runs.every(({ calls }) => calls === 50)),
    ).toBe(true);
  });

  it("erlang-term has iterations, seconds and MB/s of 1,048,576 bytes", async () => {
    const { text, record } = await classic("erlang-term", "--seconds", "0.02");
    expect(text).toMatch(/encode speed-small, [\d.]+ bytes: \d+ iterations in 0\.\d{3} s, \d+\.\d\d MB\/s/);
    expect(text).toMatch(/erlang-etf:record-z9 .* speed-large +decode +75,818/);
    const [row] = record.rows;
    const [{ calls, milliseconds }] = row!.runs as [(typeof row & object)["runs"][number]];
    const rate = (calls * row!.bytes!) / (milliseconds / 1000) / 1_048_576;
    expect(text).toContain(`${rate.toFixed(2)} MB/s`);
  });

  itWith("erl")("erlang-term has Erlang's own figures, by the schema that its program is given", async () => {
    const { record } = await classic("erlang-term", "--seconds", "0.02", "--native");
    const native = record.rows.filter(({ runtime }) => runtime === "native");
    expect(native).toHaveLength(12);
    expect(native.every(({ status }) => status === "measured")).toBe(true);
  });

  it("python has calls in a second, less an empty loop", async () => {
    const { text, record } = await classic("python", "--seconds", "0.02");
    expect(text).toMatch(/encode garden, \d+ bytes: [\d,]+ calls in one second/);
    expect(text).toMatch(/empty loop: [\d,]+ calls in one second/);
    expect(text).toContain("730,989");
    expect(record.rows.filter(({ operation }) => operation === "empty")).toHaveLength(3);
  });

  it("interprocess has the latency of each message, as CSV and as a plot", async () => {
    const { text } = await classic("interprocess", "--messages", "5");
    expect(text).toMatch(/capnp-ts .*63\.1 ms +66\.8 ms/);
    const out = path.join(folder, "interprocess---messages-5");
    const csv = readFileSync(path.join(out, "latency-protobufjs.csv"), "utf8");
    expect(csv).toMatch(/^index,latency_ms\n(\d,\d+\.\d{6}\n){5}$/);
    expect(readdirSync(path.join(out, "plots")).some((file) => file.includes("latency-over-index"))).toBe(
      true,
    );
  });

  itWith(
    "g++",
    "protoc",
    "capnp",
    "pkg-config",
  )("interprocess has the C++ talkers and listeners beside the codecs", async () => {
    const { text, record } = await classic("interprocess", "--messages", "5", "--native");
    expect(text).toMatch(/^capnp \(C\+\+ [\d.]+\) +63\.1 ms +66\.8 ms +[\d.]+ [mµ]s +6,500,096$/m);
    expect(record.rows.map(({ system, runtime, status }) => [system, runtime, status])).toEqual([
      ["capnp", undefined, "measured"],
      ["capnp", "native", "measured"],
      ["protobuf", undefined, "measured"],
      ["protobuf", "native", "measured"],
    ]);
    for (const { latenciesMs } of record.rows) {
      expect(latenciesMs).toHaveLength(5);
      for (const latency of latenciesMs!) expect(latency).toBeGreaterThan(0);
    }
  });

  itWith("g++")(
    "address-book's originals make exactly as many calls as were asked for; what cannot be built is a failed row",
    async () => {
      const { record } = await classic("address-book", "--loops", "777", "--repeats", "2", "--native");
      const native = record.rows.filter(({ runtime }) => runtime === "native");
      expect(native.length).toBeGreaterThanOrEqual(2);
      for (const { codec, status, runs, bytes } of native) {
        expect([codec, status]).toEqual([codec, "measured"]);
        expect(runs.map(({ calls }) => calls)).toEqual([777, 777]);
        expect(bytes).toBeGreaterThan(0);
      }
      const args = ["address-book", "--loops", "5", "--native", "--cxxflags", "-nonsense", "--json"];
      const { code, stdout, stderr } = await wirebench(["classic", ...args]);
      expect(code).toBe(1);
      expect(stderr).not.toContain("left out: cpp/raw-struct");
      const { rows, complete } = JSON.parse(stdout) as ClassicRecord;
      expect(complete).toBe(true);
      const failed = rows.filter(({ status }) => status === "failed");
      expect(failed).toHaveLength(native.length);
      for (const row of failed)
        expect(row).toMatchObject({
          runtime: "native",
          reason: expect.stringMatching(/^g\+\+: .*nonsense/),
          runs: [],
        });
    },
  );

  it.each([
    [["address-boook"], 'unknown benchmark "address-boook", did you mean address-book?'],
    [["python", "--loops", "5"], "--loops: python has no such option, expected --seconds and --repeats"],
    [["address-book", "--loops", "0"], "loops: expected a whole number from 1"],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await wirebench(["classic", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it("keeps the loops that ended when it is interrupted", async () => {
    const { code, stdout } = await interrupted(
      ["classic", "erlang-term", "--seconds", "0.5", "--json"],
      (stderr) => stderr.includes("2/12"),
    );
    expect(code).toBe(130);
    const { complete, rows } = JSON.parse(stdout) as ClassicRecord;
    expect(complete).toBe(false);
    expect(rows.length).toBeGreaterThanOrEqual(2);
    expect(rows.every(({ runs, status }) => runs.length === 1 && status === "measured")).toBe(true);
  });
});

/** `wirebench ipc` as a user types it. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { IpcRecord } from "wirebench";
import { BIN, interrupted, spawned, wirebench } from "./wirebench.ts";

const { TMPDIR } = process.env;
let folder: string;
let temporary: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-ipc-"));
  // Of their own, so that what they leave behind shows.
  temporary = mkdtempSync(path.join(os.tmpdir(), "wbt-"));
  process.env["TMPDIR"] = temporary;
});
afterEach(() => {
  if (TMPDIR === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = TMPDIR;
  for (const made of [folder, temporary]) rmSync(made, { recursive: true, force: true });
});

const read = (name: string): string => readFileSync(path.join(folder, "out", name), "utf8");

const leftBehind = (): string[] => readdirSync(temporary);

describe("ipc", () => {
  it("keeps a record, a row per message, a report and plots", async () => {
    const args = [
      "ipc",
      "latency",
      "-d",
      "frame",
      "one-to-two",
      "single-point",
      "--profile",
      "quick",
      "--payload",
      "65kB",
    ];
    const { code, stdout, stderr } = spawned(
      [...args, "-c", "protobufjs", "-c", "json:string", "-c", "ready-bytes", "--out", "out", "--json"],
      { cwd: folder },
    );
    expect(stderr).toContain("out/report.md");
    expect(code).toBe(0);
    const record = JSON.parse(stdout) as IpcRecord;
    expect(JSON.parse(read("run.json"))).toEqual(record);
    expect(record.complete).toBe(true);
    expect(record.tests).toHaveLength((1 + 2 + 2) * 3);
    for (const { status, pairs, messages, encodedBytes, payloadBytes, stages } of record.tests) {
      expect(status).toBe("measured");
      expect(payloadBytes).toBe(65_000);
      expect(encodedBytes).toBeGreaterThan(payloadBytes);
      expect(stages.endToEnd?.n).toBe(pairs.reduce((sum, { received }) => sum + received, 0));
      for (const { published, received, drops } of pairs) {
        expect(published).toBe(messages);
        expect(received + drops.sender + drops.overwritten + drops.receiver).toBe(published);
      }
    }
    const rows = read("messages.csv").trim().split("\n");
    const expected = record.tests.reduce(
      (sum, { pairs, messages, warmup }) => sum + pairs.length * (messages + warmup),
      0,
    );
    expect(rows).toHaveLength(1 + expected);
    expect(new Set(rows.map((row) => row.split(",").length))).toEqual(new Set([20]));
    const report = read("report.md");
    const plots = [...report.matchAll(/\]\((plots\/[^)]+)\)/g)].map(([, file]) => file ?? "");
    expect(plots.length).toBeGreaterThan(8);
    for (const file of plots) expect(read(file)).toMatch(/^<svg /);
    expect(readdirSync(path.join(folder, "out/plots"))).toHaveLength(plots.length);
    expect(
      (await wirebench(["report", path.join(folder, "out/run.json"), "--format", "text"])).stdout,
    ).toContain("latency");
    expect(leftBehind()).toEqual([]);
  });

  it("measures the user's own data", async () => {
    const schema = path.join(import.meta.dirname, "../../schemas/speed-small.proto");
    const { stdout: json } = spawned(["decode", "-c", "json", "-d", "speed-small"], {
      input: (await wirebench(["encode", "-c", "json", "-d", "speed-small"])).bytes,
    });
    const message = /message (\w+)/.exec(readFileSync(schema, "utf8"))?.[1] ?? "";
    const name = /package ([\w.]+);/.exec(readFileSync(schema, "utf8"))?.[1];
    const own = ["--schema", schema, "--message", `${name}.${message}`, "--data", "-"];
    const { code, stdout, stderr } = spawned(
      [
        "ipc",
        "latency",
        ...own,
        "-c",
        "msgpackr",
        "--messages",
        "20",
        "--json",
        "--out",
        path.join(folder, "out"),
      ],
      { input: json },
    );
    expect(stderr).not.toContain("error");
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as IpcRecord).tests).toMatchObject([
      { dataset: "stdin", status: "measured", messages: 20, stages: { endToEnd: { n: 20 } } },
    ]);
  });

  it("says why a codec cannot carry the data, and goes on", () => {
    const args = ["ipc", "latency", "-d", "garden", "--messages", "5", "-c", "capnp-ts", "-c", "json"];
    const { code, stdout } = spawned([...args, "-c", "python-struct", "--json", "--out", "out"], {
      cwd: folder,
    });
    const { tests } = JSON.parse(stdout) as IpcRecord;
    expect(code).toBe(0);
    expect(tests.map(({ codec }) => codec)).toEqual(["capnp-ts", "json", "python-struct"]);
    for (const { status, reason, pairs } of tests) {
      if (status === "measured") expect(pairs).toHaveLength(1);
      else expect([status, reason]).toEqual(["unsupported", expect.stringMatching(/./)]);
    }
  });

  it.each([
    [["ipc"], "no test: expected latency, throughput"],
    [["ipc", "latencys"], 'unknown test "latencys", did you mean latency?'],
    [["ipc", "latency", "--payload", "huge"], 'payload "huge": expected a size'],
    [["ipc", "latency", "--transport", "upd"], 'unknown transport "upd", did you mean'],
    [["ipc", "latency", "--reliability", "sure"], "Allowed choices are reliable, best-effort"],
    [["ipc", "latency", "--depth", "0"], "depth: expected a whole number from 1"],
    [["ipc", "latency", "-d", "tellist", "--payload", "26MB"], "payload needs a dataset .* got tellist"],
    [["ipc", "latency", "-d", "telist"], 'unknown dataset "telist"'],
  ])("refuses %j in one line, and leaves nothing behind", (args, problem) => {
    const { code, stderr } = spawned(args, { cwd: folder });
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(problem));
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("keeps what was measured until Ctrl-C", async () => {
    const out = path.join(folder, "out");
    const args = [
      "ipc",
      "-d",
      "frame",
      "stability",
      "latency",
      "--payload",
      "65kB",
      "-c",
      "json",
      "--out",
      out,
      "--json",
    ];
    const { code, stdout } = await interrupted(args, (text) => text.includes("stability"));
    expect(code).toBe(130);
    const record = JSON.parse(stdout) as IpcRecord;
    expect(record).toMatchObject({ complete: false });
    expect(record.tests.map(({ test }) => test)).toEqual(["latency"]);
    expect(existsSync(path.join(out, "report.md"))).toBe(true);
    expect((await wirebench(["report", out, "--format", "text"])).stdout).toMatch(
      /^Not complete: interrupted\./,
    );
    expect(leftBehind()).toEqual([]);
  });

  it("goes on where the results cannot be saved, and says so at the end", async () => {
    const out = path.join(folder, "out");
    const args = [
      "ipc",
      "latency",
      "-d",
      "frame:1000",
      "-c",
      "json",
      "--messages",
      "20",
      "--out",
      out,
      "--json",
    ];
    // The folder is gone before the first test ends.
    const { code, stdout, stderr } = await meddled(args, () => rmSync(out, { recursive: true }));
    expect(code).toBe(2);
    expect(stderr).toMatch(/error: .*out.*: cannot be written to \(ENOENT\)/);
    expect((JSON.parse(stdout) as IpcRecord).tests).toMatchObject([{ status: "measured" }]);
  });
});

/** Runs a command, and does something once it says that the first test begins. */
function meddled(
  args: readonly string[],
  meddle: () => void,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...args]);
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      if (stderr === "") meddle();
      stderr += chunk;
    });
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Nothing that was measured is lost, at whatever moment the coordinator of a run is killed. */
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { seededRandom } from "../../src/model/random.ts";
import { readRecord } from "../../src/store/read-record.ts";
import { cases, SEED } from "../seed.ts";
import { BIN, wirebench } from "./wirebench.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-recovery-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CODECS = ["json", "raw-struct", "v8"];
const PROCESSES = 9;

/** Starts a run, waits until it says that so many processes answered, and some milliseconds more, and kills it. */
function killed(out: string, answered: number, later: number): Promise<string> {
  const args = [
    "run",
    "--profile",
    "quick",
    "-o",
    "encode,decode",
    ...CODECS.flatMap((name) => ["-c", name]),
    "--out",
    out,
  ];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...args], { stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      const before = answeredBy(stderr);
      stderr += chunk;
      if (before < answered && answeredBy(stderr) >= answered) setTimeout(() => child.kill("SIGKILL"), later);
    });
    child.on("close", () => resolve(stderr));
  });
}

/** How many processes had answered, by what the run said; -1 before it began. */
function answeredBy(stderr: string): number {
  return Math.max(-1, ...[...stderr.matchAll(/(\d+)\/\d+ processes/g)].map(([, done]) => Number(done)));
}

it("recovers every process that had answered when the run was killed", async () => {
  const random = seededRandom(SEED);
  for (let i = 0; i < cases(40) / 4; i++) {
    const out = path.join(folder, `killed-${i}`);
    const [answered, later] = [Math.floor(random() * PROCESSES), random() * 300];
    const least = answeredBy(await killed(out, answered, later));
    const what = `killed ${later} ms after ${answered} processes`;
    if (!existsSync(path.join(out, "journal.ndjson"))) {
      // It was quicker, and over.
      expect(readRecord(path.join(out, "run.json")).complete, what).toBe(true);
      continue;
    }
    const again = await wirebench(["run", "-c", "json", "--profile", "quick", "--out", out]);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toContain("it holds the journal of a run that did not end");

    const { code, stdout, stderr } = await wirebench(["report", out]);
    expect({ code, stderr }, what).toEqual({
      code: 0,
      stderr: expect.stringMatching(/recovered: .*run\.json and report\.md\n$/),
    });
    const left = readdirSync(out).filter((name) => !name.endsWith(".new") && name !== "plots");
    expect(left.toSorted()).toEqual(["report.html", "report.md", "run.json"]);
    const record = readRecord(path.join(out, "run.json"));
    expect(record.processes.length, what).toBeGreaterThanOrEqual(least);
    for (const { codec, operation, nanos } of record.cells) {
      const own = record.processes.filter((one) => one.codec === codec);
      expect(nanos?.processes, `${what}: ${operation} of ${codec}`).toHaveLength(own.length);
    }
    // Where it is printed there are no pictures beside it.
    const text = readFileSync(path.join(out, "report.md"), "utf8").replace(
      /!\[.*\]\(plots\/.*\.svg\)\n\n/g,
      "",
    );
    expect(text).toBe(stdout);
    expect(await wirebench(["report", out])).toMatchObject({ code: 0, stdout, stderr: "" });
  }
});

it("leaves out a last line that is cut off, and says so", async () => {
  const out = path.join(folder, "torn");
  await killed(out, 3, 20);
  const journal = path.join(out, "journal.ndjson");
  const lines = readFileSync(journal, "utf8").trimEnd().split("\n");
  truncateSync(journal, Buffer.byteLength(lines.join("\n")) - 7);
  const { code, stderr } = await wirebench(["report", out, "--format", "text"]);
  expect(code).toBe(0);
  expect(stderr).toContain(`warning: ${journal}:${lines.length}: this line is cut off, and left out\n`);
  expect(readRecord(path.join(out, "run.json")).processes.length).toBeGreaterThanOrEqual(2);
});

it.skipIf(process.platform !== "linux")(
  "shows a run that goes on, and leaves its journal to it",
  async () => {
    const out = path.join(folder, "alive");
    const journal = path.join(out, "journal.ndjson");
    await killed(out, 2, 20);
    const [header = "", ...rest] = readFileSync(journal, "utf8").split("\n");
    // As the run would have it open; the process itself does nothing.
    const held =
      'require("fs").openSync(process.argv[1], "r+"); console.log("open"); setInterval(() => {}, 1000)';
    const writer = spawn(process.execPath, ["-e", held, journal], { stdio: ["ignore", "pipe", "ignore"] });
    try {
      await new Promise((resolve) => writer.stdout.once("data", resolve));
      writeFileSync(journal, [header.replace(/"pid":\d+/, `"pid":${writer.pid}`), ...rest].join("\n"));
      const { code, stdout, stderr } = await wirebench(["report", out]);
      expect(code).toBe(0);
      expect(stdout).toContain("not complete");
      expect(stderr).toBe(
        `the run goes on in process ${writer.pid}: this is what it measured so far, and nothing was written\n`,
      );
      expect(readdirSync(out)).toEqual(["journal.ndjson"]);
    } finally {
      writer.kill();
    }
  },
);

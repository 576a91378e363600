/** One measuring process: what it answers, and that it ends. It runs from dist/, as a user's does. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { currentRuntime } from "../../dist/runtimes/launch/find.js";
import { isolate as isolateJob } from "../../dist/runtimes/launch/isolate.js";
import { endWaiting, startAhead, startedOrWaiting } from "../../dist/runtimes/launch/waiting.js";
import { namedDataset } from "../../src/catalog/dataset.ts";
import { datasetHash } from "../../src/catalog/dataset-hash.ts";
import { Registry } from "../../src/catalog/registry.ts";
import type { Job, Member, MemberResult } from "../../src/measure/job.ts";
import { PROFILES } from "../../src/measure/profiles.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-isolate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.unstubAllEnvs();
});

const TIMEOUT_SECONDS = 300;
const lingering = path.join(import.meta.dirname, "../plugins/lingering.js");
const { launch } = await currentRuntime();
const book = await namedDataset(await Registry.open(), "tellist");

/** A job of one member. */
interface SingleJob extends Omit<Member, "source">, Pick<Job, "int64"> {
  readonly codec: string;
  readonly plugins: readonly string[];
}

function job(overrides: Partial<SingleJob>): SingleJob {
  return {
    codec: "json",
    dataset: "tellist",
    int64: undefined,
    plugins: [],
    operations: [],
    describe: false,
    survey: false,
    ...overrides,
  };
}

function jobOf({ codec, plugins, int64, ...member }: SingleJob): Job {
  const members = [{ ...member, source: { codec, plugins } }];
  return { members, int64, profile: PROFILES.quick, others: [] };
}

/** What became of the one member of a job. */
async function isolate(
  single: SingleJob,
  timeoutSeconds: number,
  signal?: AbortSignal,
): Promise<MemberResult> {
  const result = await isolateJob(jobOf(single), launch, timeoutSeconds, signal);
  const [answer] = result.members;
  if (answer === undefined) throw new Error("no answer");
  return answer;
}

/** The process in which `lingering:forever` runs, once it does. */
function processIn(file: string): Promise<number> {
  return vi.waitFor(
    () => {
      const text = readFileSync(file, "utf8");
      if (!text.endsWith("\n")) throw new Error("not written yet");
      return Number(text);
    },
    { timeout: TIMEOUT_SECONDS * 1000 },
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("a measuring process", () => {
  it("answers with the size of the message and nothing else where no more is asked for", async () => {
    expect(await isolate(job({}), TIMEOUT_SECONDS)).toEqual({ bytes: 2617, operations: [] });
  });

  it("describes the data and the message where it is asked to", async () => {
    const { dataset, payload } = await isolate(job({ describe: true }), TIMEOUT_SECONDS);
    expect(dataset).toEqual({ sha256: datasetHash(book), values: 16, int64: "number" });
    expect(payload).toMatchObject({ bytes: 2617 });
    expect(payload?.gzip).toBeLessThan(2617);
    expect(payload?.brotli).toBeLessThan(2617);
  });

  it("compresses nothing where the data alone is to be described", async () => {
    const { dataset, payload } = await isolate(job({ describe: "data" }), TIMEOUT_SECONDS);
    expect(dataset).toEqual({ sha256: datasetHash(book), values: 16, int64: "number" });
    expect(payload).toBeUndefined();
  });

  it("takes the user's own values as they are, with their 64-bit integers", async () => {
    const named = await isolate(job({ describe: true, int64: "bigint" }), TIMEOUT_SECONDS);
    const own = await namedDataset(await Registry.open(), "tellist", "bigint");
    expect(await isolate(job({ describe: true, dataset: own }), TIMEOUT_SECONDS)).toEqual(named);
    expect(named.dataset?.int64).toBe("bigint");
  });

  it("has none of the flags that are set for the one that started it", async () => {
    vi.stubEnv("NODE_OPTIONS", "--no-such-flag");
    expect(await isolate(job({}), TIMEOUT_SECONDS)).toMatchObject({ bytes: 2617 });
  });

  it("answers although its codec prints", async () => {
    const plugins = [path.join(import.meta.dirname, "../plugins/talkative.js")];
    const answer = await isolate(job({ codec: "talkative", plugins }), TIMEOUT_SECONDS);
    expect(answer).toEqual({ bytes: 2617, operations: [] });
  });

  it("ends although its codec left a timer", async () => {
    const answer = await isolate(job({ codec: "lingering", plugins: [lingering] }), TIMEOUT_SECONDS);
    expect(answer).toEqual({ bytes: 2617, operations: [] });
  });

  it("is killed when the run is aborted, which is then the reason", async () => {
    const file = path.join(folder, "aborted");
    vi.stubEnv("WIREBENCH_TEST_PROCESS_FILE", file);
    const controller = new AbortController();
    const reason = new Error("enough");
    const forever = job({ codec: "lingering:forever", plugins: [lingering] });
    const outcome = isolate(forever, TIMEOUT_SECONDS, controller.signal).catch((error: unknown) => error);
    const pid = await processIn(file);
    expect(isAlive(pid)).toBe(true);
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    expect(isAlive(pid)).toBe(false);
  });

  it("is not started when the run was aborted before", async () => {
    vi.stubEnv("WIREBENCH_TEST_PROCESS_FILE", path.join(folder, "not-started"));
    const forever = job({ codec: "lingering:forever", plugins: [lingering] });
    const reason = new Error("not even once");
    await expect(isolate(forever, TIMEOUT_SECONDS, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it("that does not load ahead of its job is ended, and no job is given to it", async () => {
    const hanging = { command: ["sleep", "1000"], cpuSeconds: 1, env: {} };
    await startAhead(hanging, 1, 100);
    const { child, ended } = startedOrWaiting(hanging);
    expect(child.killed).toBe(false);
    child.kill("SIGKILL");
    await expect(ended).resolves.toMatchObject({ killedBy: "SIGKILL" });
  });

  it("that ends in the survey keeps what was timed, and says why there is no more", async () => {
    const plugins = [path.join(import.meta.dirname, "../plugins/survey.js")];
    const watched = job({ codec: "survey", plugins, operations: ["encode"], survey: true });
    const { members, unsurveyed } = await isolateJob(jobOf(watched), launch, TIMEOUT_SECONDS);
    const { refused, operations } = members[0]!;
    expect(unsurveyed).toBe("crashed (exit code 9)");
    expect(refused).toBeUndefined();
    expect(operations).toEqual([
      expect.objectContaining({ operation: "encode", samples: expect.anything() }),
    ]);
    expect(operations[0]).not.toHaveProperty("memory");
  });

  it("that cannot be sent its job is a failure with a reason", async () => {
    const values = [
      {
        get info(): never {
          throw new Error("it cannot be read twice");
        },
      },
    ];
    expect(await isolate(job({ dataset: { ...book, values } }), TIMEOUT_SECONDS)).toEqual({
      refused: {
        status: "failed",
        reason: "its data cannot be sent to a process: it cannot be read twice",
      },
      bytes: 0,
      operations: [],
    });
  });

  it.each(["garbage\n", "null\n", '{"after":3}\n', '{"result":{"members":[]}}\n', "no end"])(
    "whose codec writes %j where messages belong is a failure with a reason",
    async (garbage) => {
      vi.stubEnv("WIREBENCH_TEST_GARBAGE", garbage);
      const plugins = [path.join(import.meta.dirname, "../plugins/garbage.js")];
      const { refused, operations } = await isolate(job({ codec: "garbage", plugins }), TIMEOUT_SECONDS);
      const reason = `file descriptor 3 is for its messages, and something else was written to it: expected a message, got ${JSON.stringify(garbage.trimEnd()).slice(0, -1)}`;
      expect(refused).toEqual({ status: "failed", reason: expect.stringContaining(reason) });
      expect(operations).toEqual([]);
    },
  );

  it("that cannot find its plugin is a failure with a reason", async () => {
    const { refused } = await isolate(job({ plugins: ["missing.js"] }), TIMEOUT_SECONDS);
    expect(refused?.status).toBe("failed");
    expect(refused?.reason).toMatch(/missing\.js: cannot be loaded/);
  });
});

/** Numbers of the processes that this one has started and that have not ended. */
function children(): number[] {
  return readFileSync(`/proc/self/task/${process.pid}/children`, "utf8")
    .split(" ")
    .filter(Boolean)
    .map(Number);
}

describe.runIf(process.platform === "linux")("while a process times nothing any more", () => {
  const codec = job({ operations: ["encode"] });
  const before = new Set(children());
  const ahead = (): number[] => children().filter((pid) => !before.has(pid));
  const measured = { members: [{ bytes: 2617, operations: [{ operation: "encode" }] }] };
  const run = (following: number) =>
    isolateJob(jobOf(codec), launch, TIMEOUT_SECONDS, undefined, { following });

  it("the next two start, do the jobs that follow, and are ended where none do", async () => {
    expect(await run(5)).toMatchObject(measured);
    const [first, second, ...others] = ahead();
    expect(others).toEqual([]);
    expect(await run(4)).toMatchObject(measured);
    expect(ahead()).toEqual([second]);
    expect(isAlive(first!)).toBe(false);
    endWaiting();
    await vi.waitFor(() => expect(ahead()).toEqual([]), { timeout: TIMEOUT_SECONDS * 1000 });
  });

  it("none starts after the last, and one before it", async () => {
    await run(0);
    expect(ahead()).toEqual([]);
    await run(1);
    expect(ahead()).toHaveLength(1);
    await run(0);
    expect(ahead()).toEqual([]);
  });

  it("one that died while it waited is none", async () => {
    await run(1);
    for (const pid of ahead()) process.kill(pid, "SIGKILL");
    await vi.waitFor(() => expect(ahead()).toEqual([]), { timeout: TIMEOUT_SECONDS * 1000 });
    expect(await run(0)).toMatchObject(measured);
  });
});

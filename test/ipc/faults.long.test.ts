/**
 * What goes wrong between processes: whoever is killed, stopped or out of memory, the error says what it was, it
 * comes in seconds, and nothing is left, neither process nor file.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Exchange } from "../../dist/ipc/exchange/exchange.js";
import { WirebenchError } from "../../dist/model/errors.js";
import { OUTCOME } from "../../src/ipc/exchange/job.ts";
import { begin, Ground, resultOf, specOf } from "./exchanges.ts";

/** Nothing here takes longer by itself; a machine that is busy with other things may. */
const SOON_MS = 100_000;

let ground: Ground;
beforeEach(() => {
  ground = new Ground();
  vi.stubEnv("TMPDIR", ground.folder);
});
afterEach(async () => {
  const used = ground;
  try {
    await expect.poll(() => used.left(), { interval: 20 }).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    used.remove();
  }
});

/** A transport between processes, as a spec has it. */
function over(transport: string): { transport: string; address: string } {
  return { transport, address: transport === "shm" ? ground.memory : "" };
}

/** The error that an exchange ends with, soon. */
async function errorSoon(outcome: Promise<unknown>): Promise<WirebenchError> {
  const late = sleep(SOON_MS, "nothing, for too long", { ref: false });
  const error = await Promise.race([outcome, late]);
  expect(error).toBeInstanceOf(WirebenchError);
  return error as WirebenchError;
}

describe.each(["uds", "tcp", "shm"])("over %s", (transport) => {
  it("a listener that is killed ends the exchange, and is named", async () => {
    const begun = begin(specOf({ ...over(transport), listeners: 2 }));
    await begun.middle;
    process.kill((await begun.started).get("listener 1")!, "SIGKILL");
    expect((await errorSoon(begun.outcome)).message).toBe(
      "listener 1 killed by the system (signal SIGKILL): it may be out of memory",
    );
  });

  it("a talker that is killed ends the exchange, and is named", async () => {
    const begun = begin(specOf({ ...over(transport), talkers: 2 }));
    await begun.middle;
    process.kill((await begun.started).get("talker 1")!, "SIGKILL");
    expect((await errorSoon(begun.outcome)).message).toBe(
      "talker 1 killed by the system (signal SIGKILL): it may be out of memory",
    );
  });
});

it.skipIf(!existsSync("/dev/shm"))("shared memory of the system is used, and free again after", async () => {
  const begun = begin(specOf({ transport: "shm", talkers: 2, phase: { messages: 100 } }));
  await begun.middle;
  const [name] = readdirSync(ground.folder);
  const folder = path.join("/dev/shm", name!);
  // No name leads to the slots any more: they end with who has them open.
  expect(readdirSync(folder)).toEqual([]);
  const { phases } = await resultOf(begun);
  for (const { outcome } of phases[0]!.listeners[0]!.talkers) {
    expect(outcome).toEqual(new Uint8Array(100).fill(OUTCOME.received));
  }
  expect(existsSync(folder)).toBe(false);
});

/** The longest time between two messages that a listener read: when it began and ended, by the common clock. */
function longestPause(
  { phases }: Exchange,
  listener: number,
): { readonly from: number; readonly to: number } {
  const times = phases[0]!.listeners[listener]!.talkers[0]!.read.filter((time) => time > 0).toSorted();
  let longest = { from: 0, to: 0 };
  for (const [i, to] of times.entries()) {
    const from = times[i - 1] ?? to;
    if (to - from > longest.to - longest.from) longest = { from, to };
  }
  return longest;
}

/** How many of some times are within a pause. */
function within(times: Float64Array, { from, to }: { readonly from: number; readonly to: number }): number {
  return times.filter((time) => time > from && time < to).length;
}

describe("a listener that stops for a while", () => {
  const MESSAGES = 500;

  it.each(["uds", "shm"])(
    "holds up what was to be sent meanwhile, and loses nothing: %s",
    async (transport) => {
      const begun = begin(specOf({ ...over(transport), phase: { messages: MESSAGES } }));
      await begun.middle;
      const pid = (await begun.started).get("listener 0")!;
      process.kill(pid, "SIGSTOP");
      await sleep(600);
      process.kill(pid, "SIGCONT");
      const result = await resultOf(begun);
      const { outcome } = result.phases[0]!.listeners[0]!.talkers[0]!;
      expect(outcome).toEqual(new Uint8Array(MESSAGES).fill(OUTCOME.received));
      // At 200 per second, 120 were due in 600 ms. The talker began to encode none of them but those that could be on
      // their way: its own times hide the others. It says that it waited instead.
      const pause = longestPause(result, 0);
      const { intended, encodeStart, stalled } = result.phases[0]!.talkers[0]!;
      const { read } = result.phases[0]!.listeners[0]!.talkers[0]!;
      const late = intended.filter((due, i) => due < pause.to && read[i]! >= pause.to);
      expect(late.length).toBeGreaterThanOrEqual(60);
      expect(within(encodeStart, pause)).toBeLessThanOrEqual(2);
      expect(stalled).toBeGreaterThan((pause.to - pause.from) / 2);
    },
  );

  it.each([
    ["uds", "frame:300000", "sender"],
    ["shm", "frame:20000", "overwritten"],
  ] as const)("loses what does not fit, alone: %s", { retry: 2 }, async (transport, dataset, where) => {
    // Half a second deep, so that a busy machine that holds up the other one makes it lose nothing.
    const depth = 50;
    const messages = 200;
    const spec = specOf({
      ...over(transport),
      dataset,
      listeners: 2,
      reliability: "best-effort",
      depth,
      phase: { messages, rateHz: 100 },
    });
    const begun = begin(spec);
    await begun.middle;
    const pid = (await begun.started).get("listener 0")!;
    process.kill(pid, "SIGSTOP");
    await sleep(800);
    process.kill(pid, "SIGCONT");
    const result = await resultOf(begun);
    const { phases } = result;
    const [stopped, other] = [0, 1].map((listener) => {
      const [talker, { outcome }] = [phases[0]!.talkers[0]!, phases[0]!.listeners[listener]!.talkers[0]!];
      const count = (wanted: number): number => outcome.filter((one) => one === wanted).length;
      return {
        sender: talker.dropped[listener]!.reduce((sum, one) => sum + one, 0),
        overwritten: count(OUTCOME.overwritten),
        receiver: count(OUTCOME.receiver),
        received: count(OUTCOME.received),
        // Neither here nor there, or both.
        wrong: outcome.filter((one, i) => (one === OUTCOME.missing) !== (talker.dropped[listener]![i] === 1))
          .length,
      };
    });
    expect(stopped!.wrong).toBe(0);
    expect(stopped![where]).toBeGreaterThanOrEqual(15);
    expect(stopped!.sender + stopped!.overwritten + stopped!.receiver + stopped!.received).toBe(messages);
    expect(stopped!.received).toBeGreaterThanOrEqual(depth);
    expect(other).toEqual({ sender: 0, overwritten: 0, receiver: 0, received: messages, wrong: 0 });
    // The other one went on reading meanwhile.
    const { read } = phases[0]!.listeners[1]!.talkers[0]!;
    expect(within(read, longestPause(result, 0))).toBeGreaterThanOrEqual(stopped![where]);
    expect(phases[0]!.talkers[0]!.stalled).toBe(0);
  });

  it.each([
    ["uds", "reliable"],
    ["shm", "best-effort"],
  ] as const)(
    "ends the exchange if it is for ever, which says how far each was: %s %s",
    async (transport, reliability) => {
      const messages = 600;
      const depth = reliability === "reliable" ? 2 : messages;
      const phase = { messages };
      const spec = specOf({ ...over(transport), reliability, depth, listeners: 2, timeoutSeconds: 6, phase });
      const begun = begin(spec);
      await begun.middle;
      process.kill((await begun.started).get("listener 1")!, "SIGSTOP");
      const { message } = await errorSoon(begun.outcome);
      const [talker, ...listeners] = [...message.matchAll(/(?:talker|listener) \d had handled (\d+)/g)].map(
        ([, handled]) => Number(handled),
      );
      expect(message).toMatch(
        /^nothing happened for 6 s while messages were exchanged: talker 0 .*, listener 0 .*, listener 1 /,
      );
      // Those that live have reported their last; the one that has stopped could not.
      if (reliability === "reliable") expect(talker).toBeLessThan(messages);
      else expect(talker).toBe(messages);
      expect(listeners[0]).toBe(talker);
      expect(listeners[1]).toBeLessThan(talker!);
      expect(listeners[1]).toBeGreaterThan(0);
    },
  );
});

describe("shared memory that is too small", () => {
  /** What is said of slots of 2 MB. */
  function noRoom(folder: string, depth: number): RegExp {
    return new RegExp(
      `^${folder}: no room for ${depth} slots with messages of \\d+ bytes: expected ` +
        `${4096 + depth * 2_002_944} bytes, got \\d+ bytes( \\(ENOSPC\\))?: make it larger ` +
        "\\(in a container with --shm-size\\), lower the depth, or name another folder as in shm:/mnt/large$",
    );
  }

  it("is refused before anything is sent", async () => {
    const depth = 100_000_000;
    const { message } = await errorSoon(
      begin(specOf({ ...over("shm"), dataset: "frame:2000000", depth })).outcome,
    );
    expect(message).toMatch(noRoom(ground.memory, depth));
  });

  it.for([
    ["a talker", { depth: 5, talkers: 1 }],
    ["one talker and not for two", { depth: 3, talkers: 2 }],
  ] as const)("is refused, with room for less than %s", async ([_, { depth, talkers }], { skip }) => {
    const small = path.join(ground.memory, "small");
    mkdirSync(small);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", small], { stdio: "pipe" });
    } catch (error) {
      rmdirSync(small);
      skip(`needs to mount a file system of 8 MB: ${(error as Error).message}`);
    }
    try {
      const spec = specOf({ transport: "shm", address: small, dataset: "frame:2000000", depth, talkers });
      expect((await errorSoon(begin(spec).outcome)).message).toMatch(noRoom(small, depth));
    } finally {
      execFileSync("umount", [small]);
      rmdirSync(small);
    }
  });
});

it("a folder for temporary files whose path is too long for a socket's is named", async () => {
  const long = path.join(ground.folder, "x".repeat(100));
  mkdirSync(long);
  vi.stubEnv("TMPDIR", long);
  const { message } = await errorSoon(begin(specOf()).outcome);
  expect(message).toMatch(
    /0\.sock: longer than the 107 bytes of a socket's path: set TMPDIR to a shorter one$/,
  );
  rmdirSync(long);
});

describe("a coordinator that is killed", () => {
  /** Runs an exchange in a process of its own, and kills that at a stage. */
  async function killAt(stage: string, transport: string): Promise<void> {
    const spec = JSON.stringify(
      specOf({ ...over(transport), talkers: 2, listeners: 2 }),
      (_, value: unknown) => (value === Number.POSITIVE_INFINITY ? "infinite" : value),
    );
    const program = path.join(import.meta.dirname, "coordinator.js");
    const coordinator = spawn(process.execPath, [program, spec], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(coordinator, "close");
    let said = "";
    coordinator.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    try {
      await expect.poll(() => said, { interval: 5 }).toContain(stage);
      if (existsSync("/proc")) await expect.poll(() => ground.processes().length, { interval: 5 }).toBe(5);
    } finally {
      coordinator.kill("SIGKILL");
    }
    expect(await ended).toEqual([null, "SIGKILL"]);
  }

  it.each([
    ["begun", "uds"],
    ["started", "uds"],
    ["started", "shm"],
    ["middle", "uds"],
    ["middle", "shm"],
    ["middle", "tcp"],
  ])("leaves nothing behind: %s, %s", (stage, transport) => killAt(stage, transport));
});

describe("an exchange that is aborted", () => {
  const reason = new Error("enough");

  async function expectAborted(outcome: Promise<unknown>): Promise<void> {
    expect(await Promise.race([outcome, sleep(SOON_MS, "nothing", { ref: false })])).toBe(reason);
  }

  it("before it begins does not begin", async () => {
    await expectAborted(begin(specOf(), { signal: AbortSignal.abort(reason) }).outcome);
  });

  it.each([0, 10, 60, 120, 180, 240, 300])("after %d ms ends at once", async (wait) => {
    const controller = new AbortController();
    const { outcome } = begin(specOf({ ...over("shm"), listeners: 2 }), { signal: controller.signal });
    if (wait > 0) await sleep(wait);
    controller.abort(reason);
    await expectAborted(outcome);
  });

  it.each([0, 1, 5])("ends at once, %d ms after all were there", async (wait) => {
    const controller = new AbortController();
    const abort = (): void => controller.abort(reason);
    const { outcome } = begin(specOf({ ...over("shm"), talkers: 2 }), {
      signal: controller.signal,
      onStarted: () => {
        if (wait === 0) abort();
        else setTimeout(abort, wait);
      },
    });
    await expectAborted(outcome);
  });

  it.each(["uds", "tcp", "shm"])("in the middle ends at once: %s", async (transport) => {
    const controller = new AbortController();
    const begun = begin(specOf(over(transport)), { signal: controller.signal });
    await begun.middle;
    controller.abort(reason);
    await expectAborted(begun.outcome);
  });
});

/** Blocks of a run on several machines: what is killed, stopped or away costs its block a second delivery at most. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { connect, type NatsConnection } from "nats";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { type FleetPlace, prepareFleetRun } from "../../dist/fleet/coordinator.js";
import { work } from "../../dist/fleet/worker.js";
import { makePlan } from "../../dist/suite/plan.js";
import type { Selection } from "../../dist/suite/selection.js";
import { messageBytes, namesOf } from "../../src/fleet/messages.ts";
import type { RunRecord } from "../../src/model/records/run.ts";
import { readRecord } from "../../src/store/read-record.ts";
import { BIN, wirebench } from "../cli/wirebench.ts";
import { JETSTREAM, type NatsServer, startNatsServer } from "../ipc/nats-server.ts";
import { itWith } from "../references.ts";
import { killAll, startWorker } from "./workers.ts";

const itNats = itWith("nats-server");

let server: NatsServer;
let nats: NatsConnection;
beforeAll(async () => {
  server = await startNatsServer(JETSTREAM);
  nats = await connect({ servers: hostOf(server), maxReconnectAttempts: -1, reconnectTimeWait: 100 });
});
afterEach(async () => {
  killAll();
  await stopWorkers();
});
afterAll(async () => {
  await nats?.close();
  await server?.stop();
});

function hostOf({ address }: NatsServer): string {
  return address.replace("nats://", "");
}

/** Four blocks, of a process of one operation each. */
const QUICK: Selection = {
  profile: "quick",
  codecs: ["v8"],
  operations: ["encode"],
  datasets: ["packet-small"],
};

/** A run that has begun. */
function begin(selection: Selection, place: Partial<FleetPlace> = {}) {
  const said: string[] = [];
  const listeners = new Set<() => void>();
  const controller = new AbortController();
  const say = (line: string): void => {
    said.push(line);
    for (const listener of listeners) listener();
  };
  const carriedOut = async (): Promise<RunRecord> => {
    const at = { server: { address: server.address }, ...place };
    const carryOut = await prepareFleetRun(await makePlan(selection), selection, at);
    return carryOut({ command: "wirebench run --on", signal: controller.signal, say });
  };
  const record = carriedOut();
  // What it throws is looked at later.
  record.catch(() => {});
  const until = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = pattern.exec(said.join("\n"));
        if (found !== null) resolve(found);
      };
      listeners.add(look);
      look();
    });
  return { record, said, until, interrupt: () => controller.abort(new Error("interrupted")) };
}

/** Workers in this process, each with what it says. */
const working: { readonly stop: AbortController; readonly end: Promise<unknown> }[] = [];
function offer(): { readonly said: string[]; readonly end: Promise<string>; stop(): void } {
  const stop = new AbortController();
  const said: string[] = [];
  const end = work({
    server: { address: server.address },
    signal: stop.signal,
    say: (line) => void said.push(line),
  });
  working.push({ stop, end });
  return { said, end, stop: () => stop.abort(new Error("stopped")) };
}

async function stopWorkers(): Promise<void> {
  for (const { stop } of working) stop.abort(new Error("stopped"));
  await Promise.all(working.splice(0).map(({ end }) => end));
}

/** Expects each cell and the processes to have every block once. */
function expectEveryBlock(
  { cells, processes, complete }: RunRecord,
  count: number,
  said: readonly string[],
): void {
  const all = Array.from({ length: count }, (_, i) => i);
  expect(complete, said.join("\n")).toBe(true);
  for (const { nanos } of cells) expect([...(nanos?.blocks ?? [])].sort((a, b) => a - b)).toEqual(all);
  expect([...new Set(processes.map(({ block }) => block))].sort((a, b) => a - b)).toEqual(all);
}

async function expectNothingLeft(): Promise<void> {
  const names: string[] = [];
  for await (const name of (await nats.jetstreamManager()).streams.names()) names.push(name);
  expect(names).toEqual([]);
}

describe("a run on several machines", () => {
  itNats(
    "has every block once, where a worker is killed, one is of another kind and the server restarts",
    async () => {
      const workers = [1, 2].map(() => startWorker(server.address));
      const other = startWorker(server.address, { cpu: "another CPU" });
      const { record, said } = begin({ ...QUICK, profile: "standard" }, { machines: 3 });
      const [killed, left] = workers as [(typeof workers)[number], (typeof workers)[number]];
      const [, block] = await killed.until(/block (\d+): begins/);
      killed.process.kill("SIGKILL");
      await left.until(/done in/);
      await server.restart(300);
      const { merged, ...made } = await record;
      expectEveryBlock({ ...made, ...(merged && { merged }) }, 8, said);
      // By whom, and whether it is told that it is the second time, depends on what the killed server still knows.
      expect(left.said() + other.said()).toContain(`block ${block}: begins`);
      expect(merged?.machines.map(({ label }) => label)).toContain("another CPU");
      expect(merged?.machines).toHaveLength(2);
      expect(other.said()).toMatch(/block \d: done/);
      await expectNothingLeft();
    },
  );

  itNats("gives the block of a stopped worker to another, and drops what it answers later", async () => {
    const stopped = startWorker(server.address);
    const { record, said, until } = begin(QUICK);
    await stopped.until(/block 0: begins/);
    stopped.process.kill("SIGSTOP");
    offer();
    await until(/block 0: \S+ measures it[\s\S]*block 0: \S+ measures it/);
    stopped.process.kill("SIGCONT");
    expectEveryBlock(await record, 4, said);
    expect(said.filter((line) => line.includes("is done"))).toHaveLength(4);
    await expectNothingLeft();
  });

  itNats("loses a block whose two workers were killed, and says so", async () => {
    const { record, said, until } = begin(QUICK);
    for (const _ of [1, 2]) {
      const worker = startWorker(server.address);
      await worker.until(/block 0: begins/);
      worker.process.kill("SIGKILL");
    }
    await until(/block 0 is lost/);
    offer();
    const { complete, reason, options } = await record;
    expect({ complete, reason, blocks: options.blocks }, said.join("\n")).toEqual({
      complete: false,
      reason: "block 0 is lost: handed out 2 times: its machine fell silent",
      blocks: [1, 2, 3],
    });
    await expectNothingLeft();
  });

  itNats("goes on with the block that a worker gave back", async () => {
    const first = offer();
    const { record, said, until } = begin(QUICK);
    await until(/block 0: \S+ measures it/);
    first.stop();
    expect(await first.end).toBe("interrupted");
    expect(first.said.at(-1)).toBe("block 0: given back");
    offer();
    expectEveryBlock(await record, 4, said);
    expect(said.join("\n")).toMatch(/block 0: \S+ gives it back: it was stopped/);
  });

  itNats("keeps what came in when it is interrupted, and leaves nothing on the server", async () => {
    const worker = offer();
    const { record, until, interrupt } = begin({ ...QUICK, profile: "standard" });
    await until(/1 of 8/);
    interrupt();
    const { complete, reason, options, cells } = await record;
    expect({ complete, reason, blocks: options.blocks }).toEqual({
      complete: false,
      reason: undefined,
      blocks: [0],
    });
    expect(cells.map(({ status }) => status)).toContain("measured");
    await expectNothingLeft();
    await expect.poll(() => worker.said.at(-1)).toMatch(/it is over; 1 of its blocks were measured here/);
  });

  itNats("is gone on with by a worker that missed its coordinator", async () => {
    const worker = offer();
    const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-fleet-"));
    const out = path.join(folder, "out");
    const what = ["--profile", "quick", "-d", "packet-small", "-o", "encode", "-c", "v8"];
    const coordinator = spawn(process.execPath, [BIN, "run", "--on", server.address, ...what, "--out", out], {
      stdio: "ignore",
    });
    const ended = new Promise<number | null>((resolve) => coordinator.once("close", resolve));
    try {
      await expect.poll(() => worker.said.join("\n")).toMatch(/takes part/);
      coordinator.kill("SIGSTOP");
      await expect.poll(() => worker.said.join("\n")).toMatch(/its coordinator is gone/);
      coordinator.kill("SIGCONT");
      await expect.poll(() => worker.said.join("\n")).toMatch(/is gone[\s\S]*takes part/);
      expect(await ended).toBe(0);
    } finally {
      coordinator.kill("SIGKILL");
    }
    expectEveryBlock(readRecord(path.join(out, "run.json")), 4, worker.said);
    await expect.poll(() => worker.said.at(-1)).toMatch(/it is over/);
    rmSync(folder, { recursive: true });
    await expectNothingLeft();
  });

  itNats("terminates a message that is none, refuses an answer that is none, and goes on", async () => {
    const { record, said, until } = begin(QUICK, { machines: 2 });
    const [, run] = await until(/run (\w+) waits/);
    const names = await runNames(run!);
    offer();
    await until(/1 of 2 machines/);
    const [lane] = await (await nats.jetstreamManager()).consumers.list(names.queue).next();
    const forged = { kind: "stored", worker: "f".repeat(32), block: 1, journal: "0".repeat(64) } as const;
    const js = nats.jetstream();
    await js.publish(names.blocks(lane!.name), Buffer.from('{"block":"0"}'));
    await js.publish(names.events, messageBytes(forged));
    await js.publish(names.events, Buffer.from("no event"));
    offer();
    expectEveryBlock(await record, 4, said);
    const all = said.join("\n");
    expect(all).toMatch(/understood no message 1 of the queue: BlockMessage: protocol: expected/);
    expect(all).toMatch(/block 1: what worker ffffffff answered is refused: object 0+: it is not there/);
  });

  itNats("tells both sides why a machine cannot take part", async () => {
    const { record, said, until, interrupt } = begin(QUICK);
    const [, run] = await until(/run (\w+) waits/);
    const { beats } = await runNames(run!);
    const machine = {
      host: "old",
      cpu: "c",
      platform: "p",
      runtime: "r",
      engine: "e",
      version: "0.0.1",
      libraries: [],
    };
    const beat = { protocol: 1, worker: "e".repeat(32), machine } as const;
    const { data } = await nats.request(beats, messageBytes(beat), { timeout: 60_000 });
    expect(Buffer.from(data).toString()).toMatch(/"refused":"expected wirebench \S+, got 0.0.1"/);
    const { data: none } = await nats.request(beats, Buffer.from("{}"), { timeout: 60_000 });
    expect(Buffer.from(none).toString()).toMatch(/"refused":"Beat: protocol/);
    interrupt();
    expect((await record).cells).toEqual([]);
    expect(said).toContain(`old cannot take part: expected wirebench 0.1.0, got 0.0.1`);
  });

  itNats("gives up where no machine comes", async () => {
    const { record } = begin(QUICK, { patienceSeconds: 0.2, machines: 2 });
    expect((await record).reason).toMatch(/block 0 is lost: 0 of 2 machines after 0.2 s/);
    await expectNothingLeft();
  });
});

describe("the command line", () => {
  itNats("hands out a run, and writes its folder", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-fleet-"));
    const out = path.join(folder, "out");
    const flags = ["--on", server.address, "--profile", "quick", "-d", "packet-small", "-o", "encode"];
    const worker = startWorker(server.address, { args: ["--once"] });
    const { code, stdout, stderr } = await wirebench(["run", ...flags, "-c", "v8", "--json", "--out", out]);
    expect(code, stderr).toBe(0);
    const record = readRecord(path.join(out, "run.json"));
    expect(JSON.parse(stdout)).toEqual(record);
    expectEveryBlock(record, 4, [stderr]);
    expect(record.merged).toBeUndefined();
    expect(record.tool.command).toContain(`wirebench run --on ${server.address}`);
    expect(await worker.ended).toBe(0);
    rmSync(folder, { recursive: true });
  });

  itNats("says what is wrong before there is a folder", async () => {
    const out = path.join(os.tmpdir(), "wirebench-fleet-never");
    for (const [more, problem] of [
      [["--on", server.address, "--runtime", "node"], "runtimes: not on other machines"],
      [["--on", "nats://127.0.0.1:1"], "cannot connect"],
      [["--on", "http://host"], "expected the address of a server"],
      [["--on", server.address, "--machines", "0"], "expected a whole number from 1 on"],
      [["--machines", "2"], "--machines needs --on"],
      [["--on", server.address, "--nats-creds", "/nowhere"], "--nats-creds /nowhere: no such file"],
      [["--on", server.address, "--tls-key", "/nowhere"], "expected --tls-cert and --tls-key together"],
    ] as const) {
      const { code, stderr } = await wirebench(["run", "-c", "v8", ...more, "--out", out]);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(problem) });
      expect(existsSync(out)).toBe(false);
    }
  });
});

/** The names of what a run has, of the first digits of its own. */
async function runNames(start: string): Promise<ReturnType<typeof namesOf>> {
  for await (const name of (await nats.jetstreamManager()).streams.names()) {
    const [, run] = /^wirebench_(\w{32})_blocks$/.exec(name) ?? [];
    if (run?.startsWith(start)) return namesOf(run);
  }
  throw new Error(`no run ${start}`);
}

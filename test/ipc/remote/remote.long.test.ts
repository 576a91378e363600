/** `wirebench ipc talker` and `ipc listener`, as two processes that know of each other only by a NATS server. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { connect, type NatsConnection } from "nats";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "vitest";
import type { IpcRemoteRecord } from "../../../src/model/records/ipc-remote.ts";
import { BIN } from "../../cli/wirebench.ts";
import { itWith } from "../../references.ts";
import { type NatsServer, startNatsServer } from "../nats-server.ts";

const itNats = itWith("nats-server");

const PLUGINS = path.join(import.meta.dirname, "../../plugins");
const FAULTY = path.join(PLUGINS, "faulty.js");
const COORDINATES = path.join(PLUGINS, "coordinates.js");
/** More than are sent before the test has done what it does amid them. */
const ENDLESS = ["--messages", "500000", "--warmup", "0"];

let server: NatsServer;
let sniffer: NatsConnection;
let folder: string;
const running: Running[] = [];

beforeAll(async () => {
  server = await startNatsServer();
  sniffer = await connect({ servers: server.address });
});
afterAll(async () => {
  await sniffer.close();
  await server.stop();
});
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-remote-"));
});
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** A command that runs. */
class Running {
  readonly child: ChildProcess;
  /** Its exit code. */
  readonly code: Promise<number | null>;
  stdout = "";
  stderr = "";

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, [BIN, ...args], { stdio: ["ignore", "pipe", "pipe"], cwd: folder });
    this.child.stdout!.on("data", (chunk) => {
      this.stdout += chunk;
    });
    this.child.stderr!.on("data", (chunk) => {
      this.stderr += chunk;
    });
    this.code = new Promise((resolve) => this.child.on("close", resolve));
    running.push(this);
  }

  /** Resolves once its standard error holds a text so often. */
  async says(text: string, times = 1): Promise<void> {
    while (this.stderr.split(text).length <= times) {
      if (this.child.exitCode !== null) throw new Error(`ended without "${text}": ${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** Starts a listener, and waits until it waits. */
async function listener(channel: string, ...flags: string[]): Promise<Running> {
  const started = new Running([
    "ipc",
    "listener",
    "--channel",
    channel,
    "--transport",
    server.address,
    ...flags,
  ]);
  await started.says("waiting");
  return started;
}

function talker(channel: string, ...flags: string[]): Running {
  return new Running(["ipc", "talker", "--channel", channel, "--transport", server.address, ...flags]);
}

const BOOK = ["-c", "msgpackr", "-d", "tellist"];

/** Sessions that a test was amid once: answers of theirs may still be on their way when the next one begins. */
const earlier = new Set<string>();

/** Resolves with the session of the talker whose messages are being answered. */
function amid(through = sniffer): Promise<string> {
  return new Promise((resolve) => {
    let acks = 0;
    const subscription = through.subscribe("wirebench.session.*.acks", {
      callback: (_, { subject }) => {
        const session = subject.split(".")[2] ?? "";
        if (earlier.has(session)) return;
        acks += 1;
        if (acks !== 20) return;
        subscription.unsubscribe();
        earlier.add(session);
        resolve(session);
      },
    });
  });
}

const recordOf = ({ stdout }: Running): IpcRemoteRecord => JSON.parse(stdout) as IpcRemoteRecord;

describe("a talker and a listener", () => {
  itNats("measure round trips, and nothing that two clocks would have to agree on", async () => {
    const there = await listener("trips", "--once");
    const here = talker("trips", ...BOOK, "--messages", "100", "--warmup", "10", "--json", "--out", "out");
    expect([await here.code, await there.code]).toEqual([0, 0]);
    expect(there.stderr).toContain("110 of 110 messages received");
    const record = recordOf(here);
    expect(record).toMatchObject({
      schemaVersion: 1,
      kind: "ipc-remote",
      complete: true,
      channel: "trips",
      transport: server.address,
      codec: "msgpackr",
      format: "msgpack",
      dataset: "tellist",
      encodedBytes: 1849,
      messages: 100,
      warmup: 10,
      depth: 1,
      received: 100,
      lost: 0,
    });
    expect(Object.keys(record.stages).sort()).toEqual(["decode", "encode", "roundTrip", "sentToAck"]);
    for (const times of Object.values(record.stages)) expect(times.n).toBe(100);
    const { encode, decode, roundTrip, sentToAck } = record.stages;
    expect(roundTrip.p50).toBeGreaterThan(sentToAck.min!);
    expect(sentToAck.min).toBeGreaterThan(decode.min! + encode.min!);
    expect(JSON.parse(readFileSync(path.join(folder, "out/run.json"), "utf8"))).toEqual(record);
    const [head, ...rows] = readFileSync(path.join(folder, "out/messages.csv"), "utf8").trim().split("\n");
    expect(head).toBe("phase,sequence,encode_ns,round_trip_ns,decode_ns");
    expect(rows.map((row) => row.split(",").slice(0, 2).join(" "))).toEqual([
      ...Array.from({ length: 10 }, (_, i) => `warmup ${i}`),
      ...Array.from({ length: 100 }, (_, i) => `measured ${i}`),
    ]);
    expect(
      rows.every((row) =>
        row
          .split(",")
          .slice(2)
          .every((nanos) => Number(nanos) > 0),
      ),
    ).toBe(true);
  });

  itNats(
    "find each other whoever comes first, one talker after the other, and Ctrl-C ends the waiting",
    async () => {
      const first = talker("later", ...BOOK, "--messages", "30", "--depth", "8");
      await first.says("waiting for a listener");
      const there = await listener("later");
      expect(await first.code).toBe(0);
      expect(first.stdout).toContain("There is no time for one way");
      const second = talker("later", "-c", "ready-bytes", "-d", "packet", "--messages", "5");
      expect(await second.code).toBe(0);
      await there.says("waiting for a talker", 3);
      there.child.kill("SIGINT");
      expect(await there.code).toBe(0);
    },
  );

  itNats("compare data of the user's own", async () => {
    const schema = path.join(folder, "own.proto");
    writeFileSync(schema, 'syntax = "proto3"; message Own { string text = 1; }');
    const own = (text: string): string[] => {
      const file = path.join(folder, `own-${text}`, "own.json");
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ text }));
      return ["--schema", schema, "--data", file];
    };
    const there = await listener("own", ...own("here"));
    const same = talker("own", "-c", "json", ...own("here"), "--messages", "5");
    expect(await same.code).toBe(0);
    const other = talker("own", "-c", "json", ...own("there"), "--messages", "5");
    expect(await other.code).toBe(2);
    const reason = 'dataset "own": its values here are not the talker\'s';
    expect(other.stderr).toContain(`error: the listener refuses: ${reason}`);
    await there.says(`error: ${reason}`);

    const without = await listener("without", "--once");
    const refused = talker("without", "-c", "json", ...own("here"));
    expect([await refused.code, await without.code]).toEqual([2, 1]);
    expect(refused.stderr).toContain("start the listener with the same --data, and --schema if there is one");
  });

  itNats("need no schema for data of the user's own", async () => {
    const data = path.join(folder, "one.json");
    writeFileSync(data, '{"text":"here","numbers":[1,2,3]}');
    const there = await listener("inferred", "--once", "--data", data);
    const here = talker("inferred", "-c", "json", "--data", data, "--messages", "5");
    expect([await here.code, await there.code], here.stderr).toEqual([0, 0]);
  });

  itNats("refuse what is not known on both sides, or is something else there", async () => {
    const index = pathToFileURL(path.join(import.meta.dirname, "../../../dist/index.js")).href;
    const spaced = path.join(folder, "faulty.js");
    writeFileSync(
      spaced,
      `import { compileVisitor, defineCodec, direct } from ${JSON.stringify(index)};
      export default defineCodec({ format: "json", summary: "with spaces", bind: ({ schema }) => direct({
        write: (value) => Buffer.from(JSON.stringify(value, null, 1)),
        read: (bytes) => JSON.parse(bytes.toString()),
        visit: compileVisitor(schema),
      }) });`,
    );
    const there = await listener("known", "--plugin", spaced);
    const refusal = async (...flags: string[]): Promise<string> => {
      const refused = talker("known", ...flags);
      expect(await refused.code).toBe(2);
      const [, reason = ""] = /the listener refuses: (.*)/.exec(refused.stderr) ?? [];
      await there.says(`error: ${reason}`);
      return reason;
    };
    expect(await refusal("-c", "json", "-d", "coordinates", "--plugin", COORDINATES)).toMatch(
      /^unknown dataset "coordinates"/,
    );
    expect(await refusal("-c", "faulty", "-d", "tellist", "--plugin", FAULTY)).toMatch(
      /^faulty: it encodes the talker's values in another way here, with wirebench /,
    );
    const bare = await listener("bare", "--once");
    const unknown = talker("bare", "-c", "faulty", "-d", "tellist", "--plugin", FAULTY);
    expect([await unknown.code, await bare.code]).toEqual([2, 1]);
    expect(unknown.stderr).toMatch(/the listener refuses: unknown codec "faulty"/);
  });

  itNats("say what is wrong with a command", async () => {
    const nobody = talker("nobody", ...BOOK, "--timeout", "0.2");
    const spaces = talker("a channel", ...BOOK);
    const long = talker("long", "-c", "raw-struct", "-d", "frame:6500000");
    const absent = new Running(["ipc", "listener", "--channel", "x", "--transport", "nats://127.0.0.1:1"]);
    const all = [nobody, spaces, long, absent];
    expect(await Promise.all(all.map(({ code }) => code))).toEqual([2, 2, 2, 2]);
    expect(nobody.stderr).toMatch(
      /error: nobody listens on channel "nobody" of .*: start `wirebench ipc listener /,
    );
    expect(spaces.stderr).toMatch(/error: --channel: expected/);
    expect(long.stderr).toMatch(/error: .*: a message needs 6,500,056 bytes, .*: set max_payload/);
    expect(absent.stderr).toMatch(/error: nats:\/\/127\.0\.0\.1:1: cannot connect/);
  });
});

describe("a talker that waits for a listener", () => {
  itNats("is ended by Ctrl-C", async () => {
    const alone = talker("alone", ...BOOK, "--timeout", "30");
    await alone.says("wait");
    alone.child.kill("SIGINT");
    expect(await alone.code).toBe(130);
    expect(alone.stderr).toMatch(/interrupted before a listener was found/);
    expect(alone.stderr).not.toContain("bug");
  });
});

describe("amid the messages", () => {
  itNats("a talker notices that its listener was killed, and keeps what it has", async () => {
    const there = await listener("amid");
    const middle = amid();
    const here = talker("amid", ...BOOK, ...ENDLESS, "--json", "--out", "out");
    await middle;
    there.child.kill("SIGKILL");
    expect(await here.code).toBe(1);
    expect(here.stderr).toContain("error: the listener is gone");
    const record = recordOf(here);
    expect(record).toMatchObject({ complete: false, reason: "the listener is gone", lost: 0 });
    expect(record.received).toBeGreaterThanOrEqual(20);
    expect(record.stages.roundTrip.n).toBe(record.received);
    expect(JSON.parse(readFileSync(path.join(folder, "out/run.json"), "utf8"))).toEqual(record);
  });

  itNats("a listener says that its talker was killed or interrupted, and waits for the next", async () => {
    const there = await listener("talkers");
    let middle = amid();
    const killed = talker("talkers", ...BOOK, ...ENDLESS);
    await middle;
    killed.child.kill("SIGKILL");
    await there.says("error: the talker is gone");
    await there.says("waiting for a talker", 2);
    middle = amid();
    const stopped = talker("talkers", ...BOOK, ...ENDLESS);
    await middle;
    stopped.child.kill("SIGINT");
    expect(await stopped.code).toBe(130);
    expect(stopped.stdout).toContain("not complete");
    await there.says("error: the talker gave up: interrupted");
    middle = amid();
    const last = talker("talkers", ...BOOK, ...ENDLESS);
    await middle;
    there.child.kill("SIGINT");
    expect([await there.code, await last.code]).toEqual([130, 1]);
    expect(last.stderr).toContain("error: the listener gave up: interrupted");
  });

  itNats("both say that the server ended", async () => {
    const own = await startNatsServer();
    const through = await connect({ servers: own.address, reconnect: false });
    const middle = amid(through);
    const at = ["--channel", "x", "--transport", own.address];
    const there = new Running(["ipc", "listener", ...at]);
    await there.says("waiting");
    const here = new Running(["ipc", "talker", ...at, ...BOOK, ...ENDLESS]);
    await middle;
    await own.stop();
    expect(await Promise.all([here.code, there.code])).toEqual([1, 1]);
    for (const { stderr } of [here, there]) {
      expect(stderr).toContain(`error: ${own.address}: the server closed the connection`);
    }
  });

  itNats("what strangers publish ends no listener, and a talker with a reason", async () => {
    const there = await listener("strangers");
    const hello = (fields: object): string => JSON.stringify({ protocol: 1, kind: "hello", ...fields });
    const channel = "wirebench.channel.strangers";
    const garbage = [
      "",
      "\u001b[2Jnot JSON",
      "[]",
      Buffer.from([0xff, 0xfe]),
      "x".repeat(100_000),
      hello({ session: "../etc" }),
      hello({ session: "0".repeat(32), dataset: null }),
      JSON.stringify({ protocol: 2, kind: "hello", session: "0".repeat(32) }),
    ];
    for (const bytes of garbage) sniffer.publish(channel, bytes);
    await there.says("ignored", garbage.length);
    expect(there.stderr).not.toContain("\u001b");

    for (const [subject, theirs] of [
      ["frames", /^error: the listener gave up: frame: expected a header of 40 bytes, got 7$/m],
      ["listener", /^error: the listener gave up: message: expected JSON/m],
      ["acks", /^error: ack: expected 16 bytes/m],
      ["talker", /^error: message: expected JSON/m],
    ] as const) {
      const middle = amid();
      const here = talker("strangers", ...BOOK, ...ENDLESS);
      sniffer.publish(`wirebench.session.${await middle}.${subject}`, "garbage");
      expect(await here.code).toBe(1);
      expect(here.stderr).toMatch(theirs);
    }
    expect(await talker("strangers", ...BOOK, "--messages", "5").code).toBe(0);
  });
});

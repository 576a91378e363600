/** What every transport owes to talkers and listeners. The exchanges run from dist/, as a user's do. */
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Clock, clockBase } from "../../dist/ipc/clock.js";
import { type ExchangeSpec, exchange } from "../../dist/ipc/exchange/exchange.js";
import type { Drop, Setup } from "../../dist/ipc/transport.js";
import { transportNamed, transportNames } from "../../dist/ipc/transport.js";
import { removeFolders } from "../../dist/ipc/wire/own-folder.js";
import { receivedOf } from "../../src/analysis/ipc-tests.ts";
import type { Phase } from "../../src/ipc/exchange/job.ts";
import { messagesOf } from "../../src/ipc/figures/accounts.ts";
import { writeHeader } from "../../src/ipc/wire/frame.ts";
import type { IpcMessage, Reliability } from "../../src/model/records/ipc.ts";
import { Ground, specOf } from "./exchanges.ts";
import { headerOf } from "./frames.ts";

/** All but NATS, which needs a server and has tests of its own. */
const TRANSPORTS = await Promise.all(
  transportNames()
    .filter((name) => name !== "nats")
    .map(async (name) => ({ transport: name, definition: await transportNamed(name) })),
);

const WARMUP: Phase = { name: "warmup", messages: 3, window: 1, limit: Number.POSITIVE_INFINITY };

const faulty = path.join(import.meta.dirname, "../plugins/faulty.js");

describe.each(TRANSPORTS)("an exchange over $transport", ({ transport }) => {
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

  /** Every message of the phase that counts, by talker and listener. */
  async function exchanged(
    phase: Partial<Phase>,
    overrides: Partial<ExchangeSpec>,
  ): Promise<readonly (readonly IpcMessage[])[]> {
    // More than a socket holds, so that messages come in pieces and wait where they can be dropped.
    const dataset = "frame:300000";
    const address = transport === "shm" ? ground.memory : "";
    const spec = specOf({ transport, address, dataset, ...overrides });
    const { rateHz: _, ...flatOut } = spec.phases[0]!;
    const done = await exchange({ ...spec, phases: [WARMUP, { ...flatOut, ...phase }] });
    if ("refused" in done) throw new Error(done.refused.reason);
    const pairs = spec.talkers * spec.listeners;
    expect(receivedOf(messagesOf(done.phases[0]!, [1]))).toHaveLength(WARMUP.messages * pairs);
    const measured = done.phases[1]!;
    const logs = measured.listeners.flatMap(({ talkers }) => talkers);
    expect(logs.map(({ outOfOrder }) => outOfOrder)).toEqual(new Array(pairs).fill(0));
    // It throws for a message that was neither received nor dropped, or both.
    const all = messagesOf(measured, [1]);
    return Array.from({ length: pairs }, (_, pair) =>
      all.slice(pair * phase.messages!, (pair + 1) * phase.messages!),
    );
  }

  it("reliable, 1:2: a talker waits for its slowest listener, and nothing is lost", async () => {
    const messages = 20;
    const pairs = await exchanged({ messages }, { listeners: 2, depth: 2, listenerDelayMs: 5 });
    for (const pair of pairs) {
      const received = receivedOf(pair);
      expect(received).toHaveLength(messages);
      for (const [before, { encodeStart }] of received.slice(2).entries()) {
        expect(encodeStart).toBeGreaterThan(received[before]!.read);
      }
    }
  });

  it("reliable, 2:1: nothing is lost", async () => {
    const pairs = await exchanged({ messages: 40 }, { talkers: 2, depth: 3 });
    for (const pair of pairs) expect(receivedOf(pair)).toHaveLength(40);
  });

  // A machine that is busy with other things may hold up the quick one too: for as long as what waits takes to come.
  it("best effort, 1:2: a slow listener loses messages, and the other none", { retry: 4 }, async () => {
    const [messages, depth, delayMs] = [100, 20, 30];
    const slowly = { reliability: "best-effort", listeners: 2, depth, listenerDelayMs: delayMs } as const;
    const pairs = await exchanged({ messages, rateHz: 100 }, slowly);
    const [quick, slow] = pairs.map(receivedOf);
    expect(quick).toHaveLength(messages);
    // What it handles while messages come, and what waits then.
    const comeMs = (pairs[1]!.at(-1)!.encoded - pairs[1]![0]!.encoded) / 1e6;
    expect(slow!.length).toBeLessThanOrEqual(comeMs / (delayMs - 1) + 2 * depth + 3);
    expect(slow!.at(-1)!.sequence).toBe(messages - 1);
    // What waits: the queues of talker and listener, and one on its way between them.
    for (const { sequence, taken } of slow!) {
      const newer = pairs[1]!.filter((message) => message.sequence > sequence && message.encoded < taken);
      expect(newer.length).toBeLessThanOrEqual(2 * depth + 1);
    }
  });

  it("best effort, 2:1, flat out: the newest message of each talker arrives", async () => {
    const pairs = await exchanged({ messages: 300 }, { reliability: "best-effort", talkers: 2 });
    for (const pair of pairs) expect(pair.at(-1)!.outcome).toBe("received");
  });

  it("refuses a message that came to harm", async () => {
    const spec = { codec: "faulty", plugins: [faulty], dataset: "tellist" };
    await expect(exchanged({ messages: 600 }, spec)).rejects.toThrow(
      /^message \d+ of talker 0: it is damaged at byte \d+: expected \d+, got \d+$/,
    );
  });

  it("says who ended", async () => {
    const spec = { codec: "faulty:exit", plugins: [faulty], dataset: "tellist", listeners: 2 };
    await expect(exchanged({ messages: 600 }, spec)).rejects.toThrow(
      /^talker 0 (crashed|ended) \(exit code 3\)/,
    );
  });
});

/** Parent and child have to be processes. */
const WITHIN_A_THREAD = TRANSPORTS.filter(({ definition }) => definition.parentAndChild !== true);

describe.each(WITHIN_A_THREAD)("both ends of $transport in one thread", ({ definition }) => {
  async function connected(reliability: Reliability, depth: number) {
    const ground = new Ground();
    const setup: Setup = {
      ...{ talkers: 1, listeners: 1, id: 0, reliability, depth, maxBytes: 1000 },
      ...{ folder: path.join(ground.folder, path.basename(ground.folder)), address: "" },
      clock: new Clock(clockBase()),
    };
    const opening = await definition.open(setup);
    const [talker, listener] = await Promise.all([
      opening.accept(),
      definition.connect(setup, opening.addresses),
    ]);
    const drops: Drop[] = [];
    listener.onDrop((drop) => drops.push(drop));
    const open = new Set<{ close(): Promise<void> }>([listener, talker, opening]);
    const close = async (end: { close(): Promise<void> }): Promise<void> => {
      if (open.delete(end)) await end.close();
    };
    onTestFinished(async () => {
      for (const end of open) await close(end);
      removeFolders(definition, setup);
      ground.remove();
    });
    return { talker, listener, close, drops, send: talker.links[0]!.send };
  }

  const message = (sequence: number, bytes: number): Uint8Array => writeHeader(headerOf({ sequence, bytes }));
  const last = (sequence: number): Uint8Array => writeHeader(headerOf({ kind: "last", sequence }));

  it("a payload is a part of some buffer, and free once it was sent", async () => {
    const { listener, send } = await connected("reliable", 1);
    const buffer = Buffer.alloc(5000, 7);
    const payload = buffer.subarray(100, 900).fill(1);
    await send(message(0, 800), payload);
    payload.fill(2);
    const arrival = await listener.receive();
    expect(arrival.header).toMatchObject({ kind: "message", sequence: 0, bytes: 800 });
    // Libraries take another way for what is no Buffer.
    expect(arrival.payload).toEqual(Buffer.alloc(800, 1));
    expect(arrival.firstByte).toBeLessThanOrEqual(arrival.lastByte);
    expect(buffer).toHaveLength(5000);
  });

  it("a message may be empty, and is none that ends a phase", async () => {
    const { listener, send } = await connected("reliable", 1);
    await send(message(0, 0), new Uint8Array(0));
    const arrival = await listener.receive();
    expect(arrival.header).toMatchObject({ kind: "message", bytes: 0 });
    expect(arrival.payload).toHaveLength(0);
  });

  it("best effort keeps the newest messages of each phase, and what ends it", async () => {
    const { talker, listener, send, drops } = await connected("best-effort", 3);
    let acks = 0;
    talker.onAck(() => {
      acks += 1;
    });
    for (const messages of [10, 2, 0, 7]) {
      for (let sequence = 0; sequence < messages; sequence++) {
        await send(message(sequence, 5), new Uint8Array(5).fill(sequence));
      }
      await send(last(messages), new Uint8Array(0));
      // All of them arrive before the listener looks.
      await sleep(50);
      const received: number[] = [];
      for (let kind = "message"; kind !== "last"; ) {
        const { header, payload, release } = await listener.receive();
        kind = header.kind;
        received.push(header.sequence);
        if (kind === "message") expect(payload).toEqual(Buffer.alloc(5, header.sequence));
        release();
        if (kind === "message") listener.ack(0);
      }
      const kept = Math.min(messages, 3);
      const all = Array.from({ length: messages + 1 }, (_, sequence) => sequence);
      expect(received).toEqual(all.slice(-kept - 1));
      expect(drops.splice(0).map(({ sequence }) => sequence)).toEqual(all.slice(0, -kept - 1));
      await expect.poll(() => acks).toBe(kept);
      acks = 0;
    }
  });

  it("refuses a damaged header", async () => {
    const { listener, send } = await connected("reliable", 1);
    const damaged = message(0, 5);
    damaged[9]! ^= 1;
    await send(damaged, new Uint8Array(5));
    await expect(listener.receive()).rejects.toThrow("its header is damaged");
  });

  it("a talker notices that a listener is gone", async () => {
    const { talker, listener, close } = await connected("reliable", 1);
    const noticed = new Promise<Error>((resolve) => talker.onError(resolve));
    await close(listener);
    expect(await noticed).toMatchObject({ name: "PeerLostError", message: /^listener 0 / });
  });

  it("a listener notices that a talker is gone", async () => {
    const { talker, listener, close } = await connected("reliable", 1);
    const received = listener.receive();
    await close(talker);
    await expect(received).rejects.toThrow(/^talker 0 closed/);
  });
});

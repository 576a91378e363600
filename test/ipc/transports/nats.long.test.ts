/** Messages through a NATS server. The processes run from dist/, as a user's do. */
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Exchange, type ExchangeSpec, exchange } from "../../../dist/ipc/exchange/exchange.js";
import { OUTCOME, type Phase } from "../../../src/ipc/exchange/job.ts";
import { natsAddress } from "../../../src/ipc/wire/nats.ts";
import { itWith } from "../../references.ts";
import { begin } from "../exchanges.ts";
import { type NatsServer, startNatsServer } from "../nats-server.ts";

const itNats = itWith("nats-server");

const SIZES = [
  ["64 kB", "frame:64000", 40],
  ["6.5 MB", "frame:6500000", 6],
] as const;

/** Talkers and listeners. */
const PARTIES = [
  [1, 1],
  [1, 2],
  [2, 1],
] as const;

const ALL = Number.POSITIVE_INFINITY;

const phase = (messages: number, overrides: Partial<Phase> = {}): Phase => ({
  name: "measured",
  messages,
  window: 1,
  limit: ALL,
  ...overrides,
});

function spec(address: string, overrides: Partial<ExchangeSpec>): ExchangeSpec {
  return {
    codec: "raw-struct",
    dataset: "frame:64000",
    int64: undefined,
    plugins: [],
    prove: false,
    describe: false,
    talkers: 1,
    listeners: 1,
    transport: "nats",
    address,
    reliability: "reliable",
    depth: 2,
    listenerDelayMs: 0,
    timeoutSeconds: 30,
    phases: [phase(10)],
    ...overrides,
  };
}

/** What became of the messages of a phase, for each talker and listener. */
function fates(
  { phases }: Exchange,
  number: number,
): { published: number; received: number; dropped: number }[] {
  const { phase, talkers, listeners } = phases[number]!;
  return listeners.flatMap((listener, id) =>
    listener.talkers.map(({ outcome }, talker) => ({
      published: phase.messages,
      received: outcome.filter((fate) => fate === OUTCOME.received).length,
      dropped:
        outcome.filter((fate) => fate === OUTCOME.receiver).length +
        talkers[talker]!.dropped[id]!.filter((fate) => fate === 1).length,
    })),
  );
}

async function run(whole: ExchangeSpec): Promise<Exchange> {
  const result = await exchange(whole);
  if ("refused" in result) throw new Error(result.refused.reason);
  return result;
}

describe("an exchange through a NATS server", () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer({ max_payload: 33_554_432 });
  });
  afterAll(() => server.stop());

  for (const [size, dataset, messages] of SIZES) {
    for (const [talkers, listeners] of PARTIES) {
      const who = `${talkers}:${listeners} of ${size}`;

      itNats(`loses nothing where it waits, ${who}`, async () => {
        const phases = [phase(2), phase(messages, { window: 2 })];
        const result = await run(spec(server.address, { dataset, talkers, listeners, phases }));
        const all = { published: messages, received: messages, dropped: 0 };
        expect(fates(result, 1)).toEqual(Array.from({ length: talkers * listeners }, () => all));
        for (const { talkers: logs } of result.phases[1]!.listeners) {
          for (const { outOfOrder, firstByte, lastByte } of logs) {
            expect(outOfOrder).toBe(0);
            expect(lastByte.every((at, i) => at >= firstByte[i]!)).toBe(true);
          }
        }
      });

      itNats(`accounts for what it drops, ${who}`, async () => {
        const phases = [phase(2), phase(messages, { window: ALL, limit: 2 })];
        const policy = { reliability: "best-effort", depth: 2, listenerDelayMs: 2 } as const;
        const result = await run(spec(server.address, { dataset, talkers, listeners, phases, ...policy }));
        const accounts = fates(result, 1);
        expect(accounts).toHaveLength(talkers * listeners);
        for (const { published, received, dropped } of accounts) {
          expect(received).toBeGreaterThan(0);
          expect(received + dropped).toBe(published);
        }
        expect(accounts.some(({ dropped }) => dropped > 0)).toBe(true);
      });
    }
  }

  itNats("ends when somebody else publishes to its subjects", async () => {
    const stranger = await connect({ servers: server.address });
    let published = false;
    stranger.subscribe("wirebench.>", {
      callback: (_, { subject }) => {
        if (published || subject.endsWith(".back")) return;
        published = true;
        stranger.publish(subject, "here I am");
      },
    });
    await stranger.flush();
    await expect(run(spec(server.address, { phases: [phase(10_000)] }))).rejects.toThrow(
      /expected .* bytes, got 9/,
    );
    await stranger.close();
  });
});

describe("a NATS server", () => {
  itNats("that takes no message so long is found before anything is sent", async () => {
    const server = await startNatsServer();
    try {
      await expect(run(spec(server.address, { dataset: "frame:6500000" }))).rejects.toThrow(
        `${server.address}: a message needs 6,500,056 bytes, and the server takes at most 1,048,576 bytes: ` +
          "set max_payload in its configuration to that or more, of which NATS allows 67,108,864 bytes",
      );
    } finally {
      await server.stop();
    }
  });

  itNats("that ends amid the messages ends the exchange", async () => {
    const server = await startNatsServer();
    const stop = (share: number): void => {
      if (share > 0) void server.stop();
    };
    await expect(
      exchange(spec(server.address, { phases: [phase(1_000_000)] }), { onShare: stop }),
    ).rejects.toThrow(`${server.address}: the server closed the connection`);
  });

  itNats("cuts off a listener that is too slow for it, and the error says so", async () => {
    const server = await startNatsServer({ max_payload: 7_000_000, max_pending: 7_000_000 });
    try {
      const talkers = { dataset: "frame:6500000", talkers: 3, phases: [phase(400, { window: 4 })] };
      const begun = begin(spec(server.address, talkers));
      let isOver = false;
      void begun.outcome.then(() => {
        isOver = true;
      });
      const hold = async (): Promise<void> => {
        await begun.middle;
        const pid = (await begun.started).get("listener 0")!;
        while (!isOver) {
          process.kill(pid, "SIGSTOP");
          await sleep(500);
          process.kill(pid, "SIGCONT");
          await sleep(100);
        }
      };
      // Until it is gone. It may be too slow as it is, and be cut off before it is held.
      await hold().catch(() => {});
      expect(await begun.outcome).toMatchObject({
        message: expect.stringMatching(/slower than its max_pending allows/),
      });
    } finally {
      await server.stop();
    }
  });

  itNats("that forbids something is named, without the password", async () => {
    const users = '[{ user: me, password: "s3@cret", permissions: { publish: "other", subscribe: ">" } }]';
    const server = await startNatsServer({ authorization: `{ users: ${users} }` });
    try {
      const login = server.address.replace("//", "//me:s3%40cret@");
      await expect(run(spec(login, {}))).rejects.toThrow(
        new RegExp(
          `^${server.address}: the server objects: PERMISSIONS_VIOLATION \\(publish of wirebench\\.`,
        ),
      );
      await expect(run(spec(server.address.replace("//", "//me:s3cret@"), {}))).rejects.toThrow(
        `${server.address}: cannot connect to a NATS server there: 'Authorization Violation'`,
      );
    } finally {
      await server.stop();
    }
  });

  it("that is not there is named with its address", async () => {
    await expect(run(spec("nats://127.0.0.1:1", {}))).rejects.toThrow(
      /^nats:\/\/127\.0\.0\.1:1: cannot connect to a NATS server there: .*ECONNREFUSED/,
    );
  });
});

describe("the address of a NATS server", () => {
  it.each([
    ["nats://host:4333", { shown: "nats://host:4333", server: "host:4333" }],
    ["nats://host", { shown: "nats://host:4222", server: "host:4222" }],
    ["nats://[::1]:5/", { shown: "nats://[::1]:5", server: "[::1]:5" }],
    [
      "nats://me:se%40cret@host",
      { shown: "nats://host:4222", server: "host:4222", login: { user: "me", pass: "se@cret" } },
    ],
    ["nats://token@host", { shown: "nats://host:4222", server: "host:4222", login: { token: "token" } }],
  ])("%s is understood", (text, expected) => {
    expect(natsAddress(text)).toEqual({ login: undefined, ...expected });
  });

  it.each([
    "nats",
    "nats://",
    "http://host:4222",
    "nats://host:123456",
    "nats://host/subject",
    "nats://me:secret@",
  ])("%s is refused", (text) => {
    expect(() => natsAddress(text)).toThrow(/expected the address of a server, as nats:\/\/host:4222, got/);
    expect(() => natsAddress(text)).not.toThrow(/secret/);
  });
});

/**
 * What waits at both ends of a link. At its talker's, one frame is on it at a time, and of those that wait the newest
 * are kept. At its listener's, nothing is lost that is not reported, and the newest of each talker are kept.
 */
import { describe, expect, it } from "vitest";
import type { Drop } from "../../../src/ipc/transport.ts";
import { Gate, Inbox, Outbox } from "../../../src/ipc/wire/queues.ts";
import { arrivalOf } from "../frames.ts";

const INFINITE = Number.POSITIVE_INFINITY;
const NOTHING = new Uint8Array(0);

describe("a gate", () => {
  it("opens once its condition holds", async () => {
    const gate = new Gate();
    let open = false;
    const passed = gate.until(() => open).then(() => "passed");
    gate.notify();
    expect(await Promise.race([passed, Promise.resolve("waiting")])).toBe("waiting");
    open = true;
    gate.notify();
    expect(await passed).toBe("passed");
  });

  it("fails whoever waits, and whoever comes later", async () => {
    const gate = new Gate();
    const waiting = gate.until(() => false);
    gate.fail(new Error("gone"));
    await expect(waiting).rejects.toThrow("gone");
    await expect(gate.until(() => true)).rejects.toThrow("gone");
  });
});

/** A link that holds a frame until the test says that it was sent. */
function outboxOf(limit: number) {
  const sent: (number | undefined)[] = [];
  const dropped: number[] = [];
  const errors: Error[] = [];
  let onLink = 0;
  let most = 0;
  let finish: { resolve(): void; reject(error: Error): void } | undefined;
  const link = {
    listeners: [0],
    send: (header: Uint8Array) =>
      new Promise<void>((resolve, reject) => {
        onLink += 1;
        most = Math.max(most, onLink);
        sent.push(header[0] === 255 ? undefined : header[0]!);
        const end = (): void => {
          onLink -= 1;
        };
        finish = {
          resolve: () => {
            end();
            resolve();
          },
          reject: (error) => {
            end();
            reject(error);
          },
        };
      }),
  };
  const outbox = new Outbox(link, limit, {
    drop: (sequence) => dropped.push(sequence),
    error: (error) => errors.push(error),
  });
  const offer = (sequence: number | undefined): void =>
    outbox.offer({ sequence, header: () => Uint8Array.of(sequence ?? 255), payload: NOTHING });
  const done = async (error?: Error): Promise<void> => {
    if (error === undefined) finish?.resolve();
    else finish?.reject(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { outbox, offer, done, sent, dropped, errors, most: () => most };
}

describe("an outbox", () => {
  it("has one frame on its link, and sends the next when that was sent", async () => {
    const { offer, done, sent, dropped, most } = outboxOf(INFINITE);
    for (let i = 0; i < 4; i++) offer(i);
    expect(sent).toEqual([0]);
    await done();
    expect(sent).toEqual([0, 1]);
    for (let i = 0; i < 3; i++) await done();
    expect(sent).toEqual([0, 1, 2, 3]);
    expect(dropped).toEqual([]);
    expect(most()).toBe(1);
  });

  it("keeps the newest that wait, beside the one that cannot be withdrawn", async () => {
    const { offer, done, sent, dropped } = outboxOf(2);
    for (let i = 0; i < 6; i++) offer(i);
    expect(dropped).toEqual([1, 2, 3]);
    for (let i = 0; i < 3; i++) await done();
    expect(sent).toEqual([0, 4, 5]);
  });

  it("never drops the frame that ends a phase, and drops no message for it", async () => {
    const { offer, done, sent, dropped } = outboxOf(1);
    for (let i = 0; i < 3; i++) offer(i);
    offer(undefined);
    expect(dropped).toEqual([1]);
    for (let i = 0; i < 3; i++) await done();
    expect(sent).toEqual([0, 2, undefined]);
  });

  it("drops nothing while its link keeps up", async () => {
    const { offer, done, sent, dropped } = outboxOf(1);
    for (let i = 0; i < 50; i++) {
      offer(i);
      await done();
    }
    expect(dropped).toEqual([]);
    expect(sent.length).toBe(50);
  });

  it("is empty when the last frame was sent, and at once where none ever was", async () => {
    const { outbox, offer, done } = outboxOf(INFINITE);
    await outbox.empty();
    offer(0);
    offer(1);
    let empty = false;
    const emptied = outbox.empty().then(() => {
      empty = true;
    });
    await done();
    expect(empty).toBe(false);
    await done();
    await emptied;
    expect(empty).toBe(true);
  });

  it("sends nothing after a link that failed, and tells why once", async () => {
    const { offer, done, sent, errors } = outboxOf(INFINITE);
    offer(0);
    offer(1);
    await done(new Error("broken"));
    offer(2);
    await done();
    expect(sent).toEqual([0]);
    expect(errors.map(({ message }) => message)).toEqual(["broken"]);
  });
});

function inboxOf(limit: number) {
  const inbox = new Inbox(limit);
  const drops: Drop[] = [];
  inbox.onDrop((drop) => drops.push(drop));
  const arrivals = new Map<string, ReturnType<typeof arrivalOf>>();
  const push = (talker: number, sequence: number, kind: "message" | "last" = "message"): void => {
    const arrival = arrivalOf({ kind, talker, sequence });
    arrivals.set(`${talker}/${sequence}`, arrival);
    inbox.push(arrival);
  };
  const take = async (): Promise<string> => {
    const { kind, talker, sequence } = (await inbox.take()).header;
    return `${kind === "last" ? "end " : ""}${talker}/${sequence}`;
  };
  const dropped = (): string[] => drops.map(({ talker, sequence }) => `${talker}/${sequence}`);
  const released = (): string[] =>
    [...arrivals].filter(([, arrival]) => arrival.released() === 1).map(([name]) => name);
  return { inbox, push, take, drops, dropped, released };
}

describe("an inbox", () => {
  it("gives frames out in the order in which they came", async () => {
    const { push, take, dropped } = inboxOf(Number.POSITIVE_INFINITY);
    for (let i = 0; i < 100; i++) push(i % 3, i);
    push(0, 100, "last");
    for (let i = 0; i < 100; i++) expect(await take()).toBe(`${i % 3}/${i}`);
    expect(await take()).toBe("end 0/100");
    expect(dropped()).toEqual([]);
  });

  it("keeps the newest of each talker, and drops the oldest with its buffer", async () => {
    const { push, take, drops, dropped, released } = inboxOf(2);
    for (let i = 0; i < 5; i++) push(0, i);
    push(1, 0);
    expect(dropped()).toEqual(["0/0", "0/1", "0/2"]);
    expect(released()).toEqual(dropped());
    expect(drops[0]).toEqual({ talker: 0, sequence: 0, place: "receiver" });
    expect([await take(), await take(), await take()]).toEqual(["0/3", "0/4", "1/0"]);
  });

  it("never drops the frame that ends a phase, and drops no message for it", async () => {
    const { push, take, dropped } = inboxOf(1);
    push(0, 0);
    push(0, 1);
    push(0, 2, "last");
    push(1, 0, "last");
    expect(dropped()).toEqual(["0/0"]);
    expect([await take(), await take(), await take()]).toEqual(["0/1", "end 0/2", "end 1/0"]);
  });

  it("lets in what has come before it gives anything out", async () => {
    const { push, take, dropped } = inboxOf(1);
    push(0, 0);
    const taken = take();
    setImmediate(() => push(0, 1));
    await taken;
    push(0, 2);
    setImmediate(() => push(0, 3));
    expect(await take()).toBe("0/3");
    expect(dropped()).toContain("0/2");
  });

  it("wakes who waits, with all that comes at once", async () => {
    const { push, take, dropped } = inboxOf(2);
    const taken = take();
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (let i = 0; i < 4; i++) push(0, i);
    expect(await taken).toBe("0/2");
    expect(await take()).toBe("0/3");
    expect(dropped()).toEqual(["0/0", "0/1"]);
  });

  it("gives out what had come before it failed, and then fails for good", async () => {
    const { inbox, push, take } = inboxOf(2);
    push(0, 0);
    inbox.fail(new Error("gone"));
    inbox.fail(new Error("and more"));
    expect(await take()).toBe("0/0");
    await expect(take()).rejects.toThrow("gone");
    await expect(take()).rejects.toThrow("gone");
  });

  it("fails who waits already", async () => {
    const { inbox, take } = inboxOf(2);
    const taken = take();
    setTimeout(() => inbox.fail(new Error("gone")), 20);
    await expect(taken).rejects.toThrow("gone");
  });
});

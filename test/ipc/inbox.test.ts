/** What waits for a listener: nothing is lost that is not told, and of each talker the newest are kept. */
import { describe, expect, it } from "vitest";
import type { Drop } from "../../src/ipc/transport.ts";
import { Inbox } from "../../src/ipc/wire/queues.ts";
import { arrivalOf } from "./frames.ts";

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

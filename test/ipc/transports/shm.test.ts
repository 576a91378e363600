/** What shared memory has beyond other transports: both ends in one process, which reads nothing while it writes. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import type { Setup } from "../../../src/ipc/transport.ts";
import shm from "../../../src/ipc/transports/shm.ts";
import { writeHeader } from "../../../src/ipc/wire/frame.ts";
import { removeFolders } from "../../../src/ipc/wire/own-folder.ts";
import { headerOf, payloadOf } from "../frames.ts";
import { setupOf } from "../sockets.ts";

const place = mkdtempSync(path.join(os.tmpdir(), "wbt-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
  vi.restoreAllMocks();
  expect(readdirSync(place)).toEqual([]);
});

async function connected(overrides: Partial<Setup>) {
  const setup = setupOf({ folder: path.join(place, "wb-1"), address: place, ...overrides });
  const opening = await shm.open(setup);
  const files = readdirSync(path.join(place, "wb-1"));
  const ends = Promise.all(
    Array.from({ length: setup.listeners }, (_, id) =>
      shm.connect({ ...setup, id }, [opening.addresses[id]]),
    ),
  );
  const [talker, listeners] = await Promise.all([opening.accept(), ends]);
  closings.push(...[...listeners, talker, opening].map((end) => () => end.close()), () =>
    removeFolders(shm, setup),
  );
  return { files, talker, listeners, link: talker.links[0]! };
}

function send(
  link: { send(header: Uint8Array, payload: Uint8Array): Promise<void> },
  sequence: number,
): Promise<void> {
  const payload = payloadOf(100, sequence);
  return link.send(writeHeader(headerOf({ sequence, bytes: payload.length })), payload);
}

describe("shared memory", () => {
  it("has one link to all listeners, and no file by name once they are there", async () => {
    const { files, talker, link } = await connected({ listeners: 3 });
    expect(files.sort()).toEqual(["0.slots", "0.sock"]);
    await expect.poll(() => readdirSync(path.join(place, "wb-1"))).toEqual([]);
    expect(talker.links).toHaveLength(1);
    expect(link.listeners).toEqual([0, 1, 2]);
  });

  it("wakes a listener that has stopped a bounded number of times", async () => {
    const MESSAGES = 5000;
    const { listeners, link } = await connected({ reliability: "best-effort", depth: 2 });
    const [listener] = listeners;
    const lost: number[] = [];
    listener!.onDrop(({ sequence, place }) => {
      expect(place).toBe("overwritten");
      lost.push(sequence);
    });
    const write = vi.spyOn(net.Socket.prototype, "write");
    // Nothing is read meanwhile, because all of it is one turn of the event loop.
    for (let sequence = 0; sequence < MESSAGES; sequence++) void send(link, sequence);
    void link.send(writeHeader(headerOf({ kind: "last", sequence: MESSAGES })), new Uint8Array(0));
    expect(write.mock.calls.length).toBeLessThan(MESSAGES / 2);
    const received: string[] = [];
    for (let kind = ""; kind !== "last"; ) {
      const arrival = await listener!.receive();
      kind = arrival.header.kind;
      received.push(`${kind} ${arrival.header.sequence}`);
      arrival.release();
    }
    expect(received).toEqual([`message ${MESSAGES - 2}`, `message ${MESSAGES - 1}`, `last ${MESSAGES}`]);
    expect(lost).toEqual(Array.from({ length: MESSAGES - 2 }, (_, sequence) => sequence));
  });

  it("gives what was written before its talker was gone, and then tells so", async () => {
    const { talker, listeners, link } = await connected({ depth: 3 });
    for (let sequence = 0; sequence < 3; sequence++) await send(link, sequence);
    await talker.close();
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (let sequence = 0; sequence < 3; sequence++) {
      const arrival = await listeners[0]!.receive();
      expect(arrival.header.sequence).toBe(sequence);
      arrival.release();
    }
    await expect(listeners[0]!.receive()).rejects.toThrow("talker 0 closed its connection");
  });

  it("leaves nothing behind a talker that ends before its listeners come", async () => {
    const setup = setupOf({ folder: path.join(place, "wb-1"), address: place });
    const opening = await shm.open(setup);
    await opening.close();
    await expect.poll(() => readdirSync(path.join(place, "wb-1"))).toEqual([]);
    removeFolders(shm, setup);
    expect(existsSync(setup.folder)).toBe(false);
  });
});

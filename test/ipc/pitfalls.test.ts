/** What makes a measurement of messages tell of something else than it says. */
import { readFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { runIpc } from "../../dist/index.js";
import { namedDataset } from "../../src/catalog/dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import type { Phase } from "../../src/ipc/exchange/job.ts";
import { type Encoder, encoderOf } from "../../src/ipc/participants/carrier.ts";
import { Talker } from "../../src/ipc/participants/talker.ts";
import type { ListenerEnd, TalkerEnd } from "../../src/ipc/transport.ts";
import tcp from "../../src/ipc/transports/tcp.ts";
import uds from "../../src/ipc/transports/uds.ts";
import { crc32, isEnd, readHeader, writeHeader } from "../../src/ipc/wire/frame.ts";
import { endOf, headerOf, payloadOf } from "./frames.ts";
import { carrierOf, setupOf, socketFolder } from "./sockets.ts";

const registry = await Registry.open();
const place = socketFolder();
afterAll(() => place.remove());
afterEach(() => void vi.restoreAllMocks());

const RELIABLE: Phase = { name: "measured", messages: 0, window: 1, limit: Number.POSITIVE_INFINITY };

/** A message that went over a link. */
interface Sent {
  readonly value: number;
  readonly sequence: number;
  readonly payload: Uint8Array;
}

/**
 * A talker's end with one link, which keeps what goes over it.
 * @param until what each message waits for before it is answered
 */
function recordingEnd(maxBytes: number, until: Promise<unknown> = Promise.resolve()) {
  const sent: Sent[] = [];
  let onAck = (_listener: number): void => {};
  const end: TalkerEnd = {
    links: [
      {
        listeners: [0],
        send: async (header, payload) => {
          if (isEnd(header)) return;
          const { value, sequence } = readHeader(header, maxBytes);
          sent.push({ value, sequence, payload });
          await until;
          onAck(0);
        },
      },
    ],
    onAck: (callback) => {
      onAck = callback;
    },
    onError: () => {},
    close: async () => {},
  };
  return { end, sent };
}

describe("messages that a processor's caches hold", () => {
  it.each([1, 3, 5])("ready bytes of %d values are several buffers of their own", async (count) => {
    const frames = await namedDataset(registry, "frame:3000");
    const dataset = { ...frames, values: frames.values.slice(0, count) };
    const carrier = await encoderOf(registry, "ready-bytes", dataset, false);
    expect(carrier.values).toBeGreaterThanOrEqual(4);
    const all = Array.from({ length: carrier.values }, (_, value) => carrier.encode(value));
    for (const [index, bytes] of all.entries()) {
      const others = all.filter((other) => other !== bytes && other.buffer === bytes.buffer);
      for (const other of others) {
        const [first, second] = [bytes, other].toSorted((a, b) => a.byteOffset - b.byteOffset);
        expect(first!.byteOffset + first!.length).toBeLessThanOrEqual(second!.byteOffset);
      }
      expect(carrier.checksums[index]).toBe(crc32(bytes));
      expect(Buffer.compare(carrier.encoded[index]!, bytes)).toBe(0);
    }
    expect(new Set(all).size).toBe(carrier.values);
  });

  it.each(["ready-bytes", "raw-struct"])("a talker goes round all values: %s", async (codec) => {
    const carrier = await encoderOf(registry, codec, await namedDataset(registry, "frame:3000"), false);
    const { end, sent } = recordingEnd(carrier.maxBytes);
    const messages = 2 * carrier.values + 1;
    await new Talker(setupOf(), carrier, end).send({ ...RELIABLE, messages }, () => {});
    expect(carrier.values).toBeGreaterThan(1);
    expect(sent.map(({ sequence }) => sequence)).toEqual([...Array(messages).keys()]);
    for (const { value, sequence, payload } of sent) {
      expect(value).toBe(sequence % carrier.values);
      expect(Buffer.compare(payload, carrier.encoded[value]!)).toBe(0);
    }
  });
});

describe.each([
  ["tcp", tcp],
  ["uds", uds],
] as const)("a listener that comes late: %s", (name, transport) => {
  it("is waited for, and nothing is lost", async () => {
    const folder = path.join(place.folder, name);
    const setup = setupOf({ listeners: 2, folder, maxBytes: 500 });
    const opening = await transport.open(setup);
    const ends: { close(): Promise<void> }[] = [opening];
    onTestFinished(async () => {
      for (const end of ends) await end.close();
    });
    let accepted = false;
    const accepting = opening.accept().then((end) => {
      accepted = true;
      ends.push(end);
      return end;
    });
    const connect = async (id: number): Promise<ListenerEnd> => {
      const end = await transport.connect({ ...setup, id }, [opening.addresses[id]]);
      ends.push(end);
      return end;
    };

    const early = await connect(0);
    await sleep(50);
    expect(accepted).toBe(false);
    const late = await connect(1);
    const talker = await accepting;

    const payloads = [0, 1, 2, 3, 4].map((seed) => payloadOf(500, seed));
    for (const { send } of talker.links) {
      for (const [sequence, payload] of payloads.entries()) {
        await send(writeHeader(headerOf({ sequence, bytes: 500, checksum: crc32(payload) })), payload);
      }
      await send(endOf(payloads.length), new Uint8Array(0));
    }
    for (const listener of [early, late]) {
      for (const [sequence, payload] of payloads.entries()) {
        const arrival = await listener.receive();
        expect(arrival.header).toMatchObject({ kind: "message", sequence });
        expect(Buffer.compare(arrival.payload, payload)).toBe(0);
        arrival.release();
      }
      expect((await listener.receive()).header).toMatchObject({ kind: "last", sequence: payloads.length });
    }
  });
});

it("a record names Node and the libraries as they are", async () => {
  const record = await runIpc({
    tests: ["single-point"],
    codecs: ["json", "protobufjs"],
    payloads: [1000],
    messages: 1,
  });
  const installed = path.join(import.meta.dirname, "../../node_modules/protobufjs/package.json");
  const { version } = JSON.parse(readFileSync(installed, "utf8")) as { version: string };
  expect(record.environment.runtime).toMatchObject({
    name: "node",
    version: process.versions.node,
    engine: { name: "V8", version: process.versions.v8 },
  });
  expect(record.tests).toMatchObject([
    { codec: "json", status: "measured", library: "node", version: process.versions.node },
    { codec: "protobufjs", status: "measured", library: "protobufjs", version },
  ]);
});

it("no side of a TCP connection waits for acknowledgements before it sends", async () => {
  const handles = await noDelayHandles();
  const setup = setupOf({ listeners: 2 });
  const opening = await tcp.open(setup);
  const accepting = opening.accept();
  const listeners = await Promise.all(
    [0, 1].map((id) => tcp.connect({ ...setup, id }, [opening.addresses[id]])),
  );
  const talker = await accepting;
  for (const end of [...listeners, talker, opening]) await end.close();
  expect(handles()).toBe(4);
});

/** Watches which of the system's sockets are set to TCP_NODELAY, whatever way Node takes. Gives how many they are. */
async function noDelayHandles(): Promise<() => number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.on("listening", resolve));
  const socket = net.connect((server.address() as net.AddressInfo).port, "127.0.0.1");
  const { _handle: handle } = socket as unknown as { _handle: object };
  const prototype = Object.getPrototypeOf(handle) as { setNoDelay(enable: boolean): number };
  await new Promise((resolve) => socket.on("connect", resolve));
  socket.destroy();
  server.close();
  const spy = vi.spyOn(prototype, "setNoDelay");
  return () => new Set(spy.mock.contexts.filter((_, call) => spy.mock.calls[call]![0] === true)).size;
}

it.each([1, 3])("best effort: before a listener that stopped, a talker holds %d and one", async (depth) => {
  const messages = 40;
  const plain = carrierOf(payloadOf(100));
  const carrier: Encoder = { ...plain, encode: (value) => plain.encoded[value]! };
  let proceed = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  const { end, sent } = recordingEnd(carrier.maxBytes, stopped);
  const phase: Phase = { ...RELIABLE, messages, window: Number.POSITIVE_INFINITY, limit: depth };
  const { dropped } = await new Talker(setupOf({ reliability: "best-effort", depth }), carrier, end).send(
    phase,
    // Only when all messages were published does the listener go on: what is sent then was held.
    (published) => {
      if (published === messages) proceed();
    },
  );
  const drops = dropped[0]!.filter((one) => one === 1).length;
  expect(messages - drops).toBe(depth + 1);
  expect(sent.map(({ sequence }) => sequence)).toEqual([
    0,
    ...Array.from({ length: depth }, (_, index) => messages - depth + index),
  ]);
});

/** A talker's listener and a listener's talker that are not ours: what they send is checked, and what is lost counts. */
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type NatsConnection } from "nats";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "vitest";
import { namedDataset } from "../../../src/catalog/dataset.ts";
import { datasetHash } from "../../../src/catalog/dataset-hash.ts";
import { OWN_VERSION } from "../../../src/catalog/library-version.ts";
import { Registry } from "../../../src/catalog/registry.ts";
import { encoderOf } from "../../../src/ipc/participants/carrier.ts";
import { listenRemotely } from "../../../src/ipc/remote/listener.ts";
import {
  controlBytes,
  type Hello,
  parseFromListener,
  parseHello,
  readAck,
  sessionSubjects,
  writeAck,
} from "../../../src/ipc/remote/protocol.ts";
import { talkRemotely } from "../../../src/ipc/remote/talker.ts";
import { type FrameHeader, HEADER_BYTES, readHeader, writeHeader } from "../../../src/ipc/wire/frame.ts";
import { itWith } from "../../references.ts";
import { type NatsServer, startNatsServer } from "../nats-server.ts";

const itNats = itWith("nats-server");

const registry = await Registry.open();
const dataset = await namedDataset(registry, "tellist");
const carrier = await encoderOf(registry, "v8", dataset, false);

const HELLO: Hello = {
  kind: "hello",
  session: "0123456789abcdef".repeat(2),
  version: OWN_VERSION,
  codec: "v8",
  library: "node",
  libraryVersion: process.versions.node,
  dataset: { name: "tellist", own: false, int64: undefined, sha256: datasetHash(dataset) },
  checksums: carrier.checksums,
  maxBytes: carrier.maxBytes,
  messages: 4,
  warmup: 0,
  depth: 4,
};

let server: NatsServer;
let stranger: NatsConnection;
let stop: AbortController;
beforeAll(async () => {
  server = await startNatsServer();
  stranger = await connect({ servers: server.address });
});
afterAll(async () => {
  await stranger.close();
  await server.stop();
});
beforeEach(() => {
  stop = new AbortController();
});
afterEach(() => stop.abort(new Error("the test is over")));

/** What a listener says, and what it sends, when a talker says hello and then sends these frames. */
async function served(
  hello: Hello,
  frames: readonly { readonly header?: Partial<FrameHeader>; readonly payload?: Uint8Array }[],
): Promise<{ said: string[]; acked: number[] }> {
  const said: string[] = [];
  const acked: number[] = [];
  const subjects = sessionSubjects(hello.session);
  const answered = new Promise<void>((resolve) => {
    stranger.subscribe(subjects.talker, {
      callback: (_, { data }) => {
        if (data.length === 0 || parseFromListener(data).kind === "heard") return;
        resolve();
      },
    });
  });
  stranger.subscribe(subjects.acks, {
    callback: (_, { data }) => {
      acked.push(readAck(data).sequence);
    },
  });
  const end = listenRemotely({
    channel: "peers",
    address: server.address,
    registry,
    once: true,
    timeoutSeconds: 10,
    signal: stop.signal,
    say: (line) => said.push(line),
  });
  // Nobody knows when the listener has subscribed: a hello that comes too early is lost.
  while (said.length < 2) {
    stranger.publish("wirebench.channel.peers", controlBytes(hello));
    await sleep(20);
  }
  await answered;
  for (const { header, payload } of frames) {
    const bytes = payload ?? carrier.encoded[header?.value ?? 0] ?? carrier.encoded[0]!;
    const standard = { kind: "message", talker: 0, sequence: 0, value: 0, intended: 0, sent: 0 } as const;
    const checksum = carrier.checksums[header?.value ?? 0] ?? 0;
    stranger.publish(subjects.frames, writeHeader({ ...standard, bytes: bytes.length, checksum, ...header }));
    stranger.publish(subjects.frames, bytes);
  }
  stranger.publish(subjects.listener, controlBytes({ kind: "over" }));
  await end;
  await stranger.flush();
  return { said: said.slice(2), acked };
}

describe("a listener", () => {
  itNats("counts what is lost on the way", async () => {
    const frames = [0, 1, 3].map((sequence) => ({ header: { sequence } }));
    expect(await served(HELLO, frames)).toEqual({
      said: ["3 of 4 messages received, 1 lost"],
      acked: [0, 1, 3],
    });
  });

  itNats("gives no byte to the codec that its talker did not encode", async () => {
    const damaged = Uint8Array.from(carrier.encoded[0]!);
    damaged[100]! ^= 1;
    const cases = [
      [{ payload: damaged }, "message 0 of talker 0: it is damaged at byte 100: expected"],
      [{ header: { checksum: 1 } }, "message 0 of talker 0: it is of other bytes"],
      [{ header: { value: 200 } }, "message 0 of talker 0: there is no such message"],
      [{ header: { sequence: 4 } }, "message 4 of talker 0: there is no such message"],
      [{ header: { talker: 1 } }, "message 0 of talker 1: there is no such message"],
      [{ header: { kind: "last" } }, "the last frame of talker 0: there is no such message"],
      [{ header: { bytes: carrier.maxBytes + 1 } }, "message 0 of talker 0: expected at most"],
      [
        { payload: damaged.subarray(1), header: { bytes: damaged.length } },
        "message 0 of talker 0: expected",
      ],
    ] as const;
    for (const [frame, problem] of cases) {
      const { said, acked } = await served(HELLO, [frame]);
      expect(said.join("\n")).toContain(`error: ${problem}`);
      expect(acked).toEqual([]);
    }
    const twice = await served(HELLO, [{}, {}]);
    expect(twice.said.join("\n")).toContain("error: message 0 of talker 0: it came before");
    expect(twice.acked).toEqual([0]);
  });

  itNats("makes no data that would fit no message", async () => {
    const { said } = await served(
      { ...HELLO, dataset: { ...HELLO.dataset, name: "tellist:9999999" }, maxBytes: 10 },
      [],
    );
    expect(said.join("\n")).toContain(
      'error: dataset "tellist:9999999": the server takes no message so long',
    );
    const long = await served({ ...HELLO, maxBytes: 0xffff_ffff }, []);
    expect(long.said.join("\n")).toContain("a message needs 4,294,967,295 bytes");
  });
});

describe("a talker", () => {
  itNats("counts what is lost on the way", async () => {
    stranger.subscribe("wirebench.channel.lossy", {
      callback: (_, { data }) => {
        const { talker, frames, acks, listener } = sessionSubjects(parseHello(data).session);
        const peer = {
          version: "9.9.9",
          library: "node",
          libraryVersion: "20",
          cpu: "a",
          cores: 1,
          os: "b",
          node: "c",
        };
        stranger.subscribe(listener, { callback: () => {} });
        stranger.subscribe(frames, {
          callback: (__, { data: frame }) => {
            if (frame.length !== HEADER_BYTES) return;
            const { sequence } = readHeader(frame, carrier.maxBytes);
            // Of two that are on their way, the first is never answered.
            if (sequence % 2 === 1) stranger.publish(acks, writeAck({ sequence, decode: 5 }));
          },
        });
        stranger.publish(talker, controlBytes({ kind: "ready", peer }));
      },
    });
    await stranger.flush();
    const said: string[] = [];
    const { record, messages } = await talkRemotely({
      channel: "lossy",
      address: server.address,
      registry,
      codec: "v8",
      dataset,
      own: false,
      int64: undefined,
      messages: 100,
      warmup: 0,
      depth: 2,
      timeoutSeconds: 10,
      command: "",
      signal: stop.signal,
      say: (line) => said.push(line),
    });
    expect(record).toMatchObject({ complete: true, received: 50, lost: 50 });
    expect(record.stages.decode).toEqual({ n: 50, min: 5, p50: 5, max: 5 });
    expect(messages.filter(({ roundTrip }) => roundTrip === undefined)).toHaveLength(50);
    expect(said).toContain(`warning: the listener has wirebench 9.9.9, here ${OWN_VERSION}`);
  });
});

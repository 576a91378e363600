/** Listeners of talkers that send what no talker should: each is found out for what it is, and nobody hangs. */
import type net from "node:net";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { Listener } from "../../../src/ipc/participants/listener.ts";
import { PeerLostError } from "../../../src/ipc/transport.ts";
import { FrameError, HEADER_BYTES, writeHeader } from "../../../src/ipc/wire/frame.ts";
import { acceptAll, connectAll, serve } from "../../../src/ipc/wire/sockets.ts";
import { endOf, frameOf, headerOf, payloadOf } from "../frames.ts";
import { carrierOf, rogueServer, setupOf, socketFolder } from "../sockets.ts";

const place = socketFolder();
afterAll(() => place.remove());

const closings: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

const PAYLOAD = payloadOf(500);
const messages = (...sequences: number[]): Buffer[] =>
  sequences.map((sequence) => frameOf(PAYLOAD, { sequence }));

/** What a listener says of talkers that send such bytes, and then stay or go. */
async function listenTo(
  talkers: readonly (readonly Uint8Array[])[],
  { expected = 3, stay = true }: { expected?: number; stay?: boolean } = {},
): Promise<unknown> {
  const files = await Promise.all(
    talkers.map(async (chunks) => {
      const file = place.file();
      const server = await rogueServer(file, (socket: net.Socket) => {
        for (const chunk of chunks) socket.write(chunk);
        if (!stay) socket.end();
      });
      closings.push(() => server.close());
      return file;
    }),
  );
  const setup = setupOf({ talkers: talkers.length });
  const end = await connectAll(
    setup,
    files.map((path) => ({ path })),
  );
  closings.push(() => end.close());
  const listener = new Listener({ ...setup, delayMs: 0 }, carrierOf(PAYLOAD), end);
  const phase = { name: "measured", messages: expected, window: 1, limit: Number.POSITIVE_INFINITY } as const;
  return listener.receive(phase, () => {}).catch((error: unknown) => error);
}

async function expectFrameError(outcome: Promise<unknown>, text: string): Promise<void> {
  const error = await outcome;
  expect(error).toBeInstanceOf(FrameError);
  expect((error as Error).message).toContain(text);
}

describe("a listener", () => {
  it("takes what is right", async () => {
    expect(await listenTo([[...messages(0, 1, 2), endOf(3)]])).toMatchObject({
      talkers: [{ outcome: Uint8Array.of(1, 1, 1), outOfOrder: 0 }],
    });
  });

  it("counts what is out of order", async () => {
    const [zero, one, two] = messages(0, 1, 2);
    expect(await listenTo([[one!, zero!, two!, endOf(3)]])).toMatchObject({ talkers: [{ outOfOrder: 1 }] });
  });

  it("refuses a damaged header", async () => {
    const [zero, one] = messages(0, 1);
    one![20]! ^= 1;
    await expectFrameError(listenTo([[zero!, one!]]), "message 1 of talker 0: its header is damaged");
  });

  it("refuses a damaged message", async () => {
    const [zero, one] = messages(0, 1);
    one![HEADER_BYTES + 123] = 77;
    await expectFrameError(
      listenTo([[zero!, one!]]),
      `message 1 of talker 0: it is damaged at byte 123: expected ${PAYLOAD[123]}, got 77`,
    );
  });

  it("refuses a message that its talker encoded in another way", async () => {
    await expectFrameError(
      listenTo([[frameOf(payloadOf(500, 1))]]),
      "message 0 of talker 0: the talker encoded value 0 in another way than is done here",
    );
  });

  it("refuses a value that it does not know", async () => {
    await expectFrameError(listenTo([[frameOf(PAYLOAD, { value: 9 })]]), "the talker encoded value 9");
  });

  it("refuses a message of 4 GB before it has memory for it", async () => {
    const header = writeHeader(headerOf({ bytes: 4_294_967_295 }));
    const before = process.memoryUsage().arrayBuffers;
    await expectFrameError(
      listenTo([[header, payloadOf(1000)]]),
      "message 0 of talker 0: expected at most 1000 bytes, got 4294967295",
    );
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100e6);
  });

  it("refuses bytes that are no frame", async () => {
    await expectFrameError(
      listenTo([[Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n ".repeat(2))]]),
      "the mark",
    );
  });

  it("refuses what follows a frame and is none", async () => {
    await expectFrameError(listenTo([[...messages(0), Buffer.alloc(100)]]), "the mark");
  });

  it.each([
    ["a header", 20, " in the middle of a message"],
    ["a message", HEADER_BYTES + 100, " in the middle of a message"],
    ["a header that is whole", HEADER_BYTES, " in the middle of a message"],
    ["nothing", 0, ""],
  ])("tells of a stream that ends after %s", async (_, length, where) => {
    const stream = [...messages(0), messages(1)[0]!.subarray(0, length)];
    const error = await listenTo([stream], { stay: false });
    expect(error).toBeInstanceOf(PeerLostError);
    expect((error as Error).message).toBe(`talker 0 closed its connection${where}`);
  });

  it("refuses a talker that there is not", async () => {
    await expectFrameError(
      listenTo([[frameOf(PAYLOAD, { talker: 5 })]]),
      "message 0 of talker 5: it came from talker 0",
    );
  });

  it("refuses a talker that speaks for another", async () => {
    const own = [...messages(0, 1, 2), endOf(3)];
    await expectFrameError(
      listenTo([own, [frameOf(PAYLOAD, { talker: 0, sequence: 1 })]]),
      "message 1 of talker 0: it came from talker 1",
    );
  });

  it("refuses a message that came before", async () => {
    await expectFrameError(listenTo([messages(0, 1, 0)]), "message 0 of talker 0: it came before");
  });

  it("refuses more messages than there are", async () => {
    await expectFrameError(
      listenTo([messages(0, 1, 2, 3)]),
      "message 3 of talker 0: there is no such message",
    );
  });

  it("refuses an end that counts other messages", async () => {
    await expectFrameError(
      listenTo([[...messages(0, 1), endOf(2)]]),
      "talker 0: expected 3 messages, it sent 2",
    );
  });
});

it("a talker that fills its buffer anew before it was sent is found out", async () => {
  const large = payloadOf(3_000_000);
  const file = place.file();
  const setup = setupOf({ maxBytes: large.length });
  const server = await serve({ path: file });
  const accepted = acceptAll(server, setup);
  const end = await connectAll(setup, [{ path: file }]);
  closings.push(() => end.close());
  const talker = await accepted;
  closings.push(() => talker.close());
  const listener = new Listener({ ...setup, delayMs: 0 }, carrierOf(large), end);
  const phase = { name: "measured", messages: 1, window: 1, limit: Number.POSITIVE_INFINITY } as const;
  const outcome = listener.receive(phase, () => {}).catch((error: unknown) => error);
  const frame = frameOf(large);
  const reused = Uint8Array.from(large);
  const sent = talker.links[0]!.send(frame.subarray(0, HEADER_BYTES), reused);
  reused.fill(0x55);
  await sent;
  await expectFrameError(outcome, "message 0 of talker 0: it is damaged at byte");
});

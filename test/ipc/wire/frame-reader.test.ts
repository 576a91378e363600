/** Frames in a stream: however it is cut, each comes out as it went in; what is no frame is refused at once. */

import { crc32 as zlibCrc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Arrival } from "../../../src/ipc/transport.ts";
import {
  expectIntact,
  FrameError,
  HEADER_BYTES,
  isEnd,
  readHeader,
  slowCrc32,
  writeHeader,
} from "../../../src/ipc/wire/frame.ts";
import { BufferPool, FrameReader } from "../../../src/ipc/wire/frame-reader.ts";
import { runs, SEED } from "../../seed.ts";
import { endOf, frameOf, headerOf, payloadOf } from "../frames.ts";

const MAX = 1000;

/** Reads chunks that come a nanosecond after each other. */
function read(chunks: readonly Uint8Array[], pool = new BufferPool(MAX, 1)) {
  const arrivals: (Omit<Arrival, "release"> & { payload: Uint8Array })[] = [];
  const reader = new FrameReader(pool, MAX, ({ payload, release, ...arrival }) => {
    arrivals.push({ ...arrival, payload: Uint8Array.from(payload) });
    release();
  });
  for (const [at, chunk] of chunks.entries()) {
    // What a socket gives is overwritten by what it gives next.
    const lent = Uint8Array.from(chunk);
    reader.push(lent, at);
    lent.fill(0xee);
  }
  return { arrivals, reader };
}

function cut(stream: Uint8Array, at: readonly number[]): Uint8Array[] {
  const edges = [0, ...[...at].sort((a, b) => a - b), stream.length];
  return edges.slice(1).map((end, i) => stream.subarray(edges[i], end));
}

const payloads = [payloadOf(3, 1), payloadOf(0), payloadOf(MAX, 2), payloadOf(1, 3)];
const stream = Buffer.concat([
  ...payloads.map((payload, sequence) => frameOf(payload, { sequence })),
  endOf(4),
]);

function expectAll({ arrivals, reader }: ReturnType<typeof read>): void {
  expect(arrivals.map(({ payload }) => payload)).toEqual([...payloads, new Uint8Array(0)]);
  expect(arrivals.map(({ header }) => [header.kind, header.sequence])).toEqual([
    ["message", 0],
    ["message", 1],
    ["message", 2],
    ["message", 3],
    ["last", 4],
  ]);
  expect(reader.idle).toBe(true);
}

describe("a stream of frames", () => {
  it("may come in one chunk", () => expectAll(read([stream])));

  it("may come byte by byte, and each frame has the times of its first and its last", () => {
    const result = read([...stream].map((byte) => Uint8Array.of(byte)));
    expectAll(result);
    let from = 0;
    for (const { header, firstByte, lastByte } of result.arrivals) {
      expect([firstByte, lastByte]).toEqual([from, from + HEADER_BYTES + header.bytes - 1]);
      from += HEADER_BYTES + header.bytes;
    }
  });

  it("may be cut in every header", () => {
    for (let at = 0; at <= HEADER_BYTES; at++) expectAll(read(cut(stream, [at, at + HEADER_BYTES + 3])));
  });

  it("may be cut anywhere, chunks of nothing included", () => {
    const cuts = fc.array(fc.nat(stream.length), { maxLength: 30 });
    fc.assert(
      fc.property(cuts, (at) => expectAll(read(cut(stream, at)))),
      { numRuns: runs(200), seed: SEED },
    );
  });

  it("is in the middle of a message from its first byte to its last", () => {
    const frame = frameOf(payloadOf(10));
    for (let length = 0; length <= frame.length; length++) {
      expect(read([frame.subarray(0, length)]).reader.idle).toBe(length === 0 || length === frame.length);
    }
  });

  it("takes one buffer as often as it is given back", () => {
    let made = 0;
    class Counted extends BufferPool {
      override take(): Uint8Array {
        made += 1;
        return super.take();
      }
    }
    const pool = new Counted(MAX, 1);
    const [first] = [pool.take()];
    pool.give(first);
    expectAll(read([stream], pool));
    expect(made).toBe(6);
    expect(pool.take()).toBe(first);
  });
});

describe("what is no frame", () => {
  const frame = frameOf(payloadOf(10));

  it("shows by any byte of the header that is not as it was", () => {
    for (let at = 0; at < HEADER_BYTES; at++) {
      for (const bit of [0, 3, 7]) {
        const damaged = Buffer.from(frame);
        damaged[at]! ^= 1 << bit;
        expect(() => read([damaged]), `byte ${at}, bit ${bit}`).toThrow(FrameError);
      }
    }
  });

  it("takes no buffer, whatever length it declares", () => {
    const pool = new BufferPool(MAX, 0);
    pool.take = () => {
      throw new Error("a buffer was taken");
    };
    for (const bytes of [MAX + 1, 2 ** 31, 2 ** 32 - 1]) {
      const header = writeHeader(headerOf({ bytes, sequence: 7 }));
      expect(() => read([header], pool)).toThrow(
        `message 7 of talker 0: expected at most ${MAX} bytes, got ${bytes}`,
      );
    }
  });

  it("is refused at its first wrong mark, as text of another protocol has it", () => {
    expect(() => read([Buffer.from(`GET / HTTP/1.1\r\nHost: localhost\r\n\r\n${" ".repeat(40)}`)])).toThrow(
      "frame: expected the mark 0x314d4257, got 0x20544547: the stream is damaged",
    );
  });

  it("is a message whose bytes are others than its talker sent", () => {
    const header = headerOf({ bytes: 10, sequence: 3 });
    const expected = payloadOf(10);
    expect(() => expectIntact(header, payloadOf(10), expected)).not.toThrow();
    const damaged = payloadOf(10);
    damaged[6] = 255;
    expect(() => expectIntact(header, damaged, expected)).toThrow(
      `message 3 of talker 0: it is damaged at byte 6: expected ${expected[6]}, got 255`,
    );
    expect(() => expectIntact(header, expected.subarray(0, 9), expected)).toThrow("got its end");
    expect(() => expectIntact(header, payloadOf(11), expected)).toThrow("at byte 10: expected its end, got");
  });
});

describe("a header", () => {
  const header = fc.record({
    kind: fc.constantFrom("message" as const, "last" as const),
    talker: fc.nat(0xffff),
    sequence: fc.nat(0xffff_ffff),
    value: fc.nat(255),
    bytes: fc.nat(0xffff_ffff),
    checksum: fc.nat(0xffff_ffff),
    intended: fc.maxSafeNat(),
    sent: fc.maxSafeNat(),
  });

  it("comes back as it was, whatever is in it", () => {
    fc.assert(
      fc.property(header, (given) => {
        const bytes = writeHeader(given);
        expect(bytes.length).toBe(HEADER_BYTES);
        expect(readHeader(bytes, 0xffff_ffff)).toEqual(given);
        expect(isEnd(bytes)).toBe(given.kind === "last");
      }),
      { numRuns: runs(500), seed: SEED },
    );
  });

  it.each([
    headerOf({ talker: 0xffff, sequence: 0xffff_ffff, value: 255, checksum: 0xffff_ffff }),
    headerOf({ bytes: 2 ** 31 }),
    headerOf({ bytes: 2 ** 32 - 1, sequence: 2 ** 31 }),
    headerOf({ intended: 2 ** 53 - 1, sent: 0.5 }),
  ])("has room for the greatest of each: $talker $sequence $bytes", (given) => {
    expect(readHeader(writeHeader(given), 2 ** 32 - 1)).toEqual(given);
  });

  it("is read where it lies, in the middle of other bytes", () => {
    const bytes = Buffer.concat([Buffer.alloc(13), writeHeader(headerOf({ sequence: 9 })), Buffer.alloc(5)]);
    expect(readHeader(bytes.subarray(13), 0).sequence).toBe(9);
  });
});

describe("CRC-32", () => {
  it.skipIf(zlibCrc32 === undefined)("is zlib's where Node has none", () => {
    for (const length of [0, 1, 7, 1000]) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31) & 0xff);
      expect(slowCrc32(bytes)).toBe(zlibCrc32(bytes));
    }
  });

  it("has the value that everybody gives for 123456789", () => {
    expect(slowCrc32(Buffer.from("123456789"))).toBe(0xcbf43926);
  });
});

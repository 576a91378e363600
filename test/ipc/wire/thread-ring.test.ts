/** Messages in memory that threads share, and what a listener finds there while its talker goes on. */
import { describe, expect, it } from "vitest";
import { writeHeader } from "../../../src/ipc/wire/frame.ts";
import { allocateThreadRing, ThreadRingReader, ThreadRingWriter } from "../../../src/ipc/wire/thread-ring.ts";

const BYTES = 100;

function ringOf(listeners: number, keep: number) {
  const memory = allocateThreadRing({ listeners, slots: keep + listeners + 1, keep, maxBytes: BYTES });
  const writer = new ThreadRingWriter(memory);
  let sequence = 0;
  const write = (): void => {
    writer.write(headerOf("message", sequence, BYTES), new Uint8Array(BYTES).fill(sequence));
    sequence += 1;
  };
  return { memory, writer, write };
}

function headerOf(kind: "message" | "last", sequence: number, bytes: number): Uint8Array {
  return writeHeader({ kind, sequence, bytes, talker: 0, value: 0, checksum: 0, intended: 0, sent: 0 });
}

/** The sequence numbers of all messages that are there. */
function drain(reader: ThreadRingReader): number[] {
  const sequences: number[] = [];
  const into = new Uint8Array(BYTES);
  for (let header = reader.take(into); header !== undefined; header = reader.take(into)) {
    if (header.kind === "message") expect(into).toEqual(new Uint8Array(BYTES).fill(header.sequence));
    sequences.push(header.kind === "last" ? -1 : header.sequence);
  }
  return sequences;
}

describe("a ring that threads share", () => {
  it.each([1, 2, 5])("gives each listener the newest %d messages that it has not read", (keep) => {
    const { memory, write } = ringOf(2, keep);
    const [often, seldom] = [new ThreadRingReader(memory, 0), new ThreadRingReader(memory, 1)];
    for (let round = 0; round < 20; round++) {
      write();
      expect(drain(often)).toEqual([round]);
    }
    expect(drain(seldom)).toEqual(Array.from({ length: keep }, (_, i) => 20 - keep + i));
    expect(drain(seldom)).toEqual([]);
  });

  it("gives the end of a phase after its messages, however many of them are gone", () => {
    const { memory, writer, write } = ringOf(1, 2);
    const reader = new ThreadRingReader(memory, 0);
    for (let i = 0; i < 9; i++) write();
    writer.end(headerOf("last", 9, 0));
    expect(drain(reader)).toEqual([7, 8, -1]);
    writer.end(headerOf("last", 0, 0));
    expect(drain(reader)).toEqual([-1]);
    write();
    expect(drain(reader)).toEqual([9]);
  });

  it("does not write over what a listener copies, however many messages come meanwhile", () => {
    const { memory, write } = ringOf(3, 1);
    const readers = [0, 1, 2].map((listener) => new ThreadRingReader(memory, listener));
    write();
    const copied: Uint8Array[] = [];
    /** Each listener is in the middle of its copying while the next one looks. */
    const takeFrom = (listener: number): void => {
      const into = new Uint8Array(BYTES);
      into.set = (source: Uint8Array) => {
        for (let i = 0; i < 10; i++) write();
        if (listener < 2) takeFrom(listener + 1);
        Uint8Array.prototype.set.call(into, source);
      };
      const header = readers[listener]!.take(into);
      expect(header?.sequence).toBe(10 * listener);
      copied.push(Uint8Array.from(into));
    };
    takeFrom(0);
    expect(copied).toEqual([20, 10, 0].map((sequence) => new Uint8Array(BYTES).fill(sequence)));
    for (const reader of readers) expect(drain(reader)).toEqual([30]);
  });
});

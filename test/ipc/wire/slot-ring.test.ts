/** Slots in shared memory: each message is received or reported as lost, and never a mixture of two. */
import fs, {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { Clock } from "../../../src/ipc/clock.ts";
import { FrameError, writeHeader } from "../../../src/ipc/wire/frame.ts";
import { BufferPool } from "../../../src/ipc/wire/frame-reader.ts";
import {
  makeRing,
  RingReader,
  RingWriter,
  ringBytes,
  sharedFolder,
} from "../../../src/ipc/wire/slot-ring.ts";
import { UsageError } from "../../../src/model/errors.ts";
import { runs, SEED } from "../../seed.ts";
import { headerOf, payloadOf } from "../frames.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "wbt-ring-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const INFINITE = Number.POSITIVE_INFINITY;
const MAX = 5000;
const TALKER = 3;
const PAGE = 4096;

const open: number[] = [];
afterEach(() => {
  for (const fd of open.splice(0)) closeSync(fd);
});

/** A ring with its writer, and a reader that is asked for all that there is. */
function ringOf(slots: number, keep: number, onTake = (_: RingWriter): void => {}) {
  const file = path.join(folder, "ring");
  const fd = openSync(file, "w+");
  const layout = { slots, maxBytes: MAX };
  const writer = new RingWriter(fd, layout);
  const readFd = openSync(file, "r");
  open.push(fd, readFd);
  const log: string[] = [];
  class Hooked extends BufferPool {
    override take(): Uint8Array {
      onTake(writer);
      return super.take();
    }
  }
  const pool = new Hooked(MAX, 1);
  const reading = { ...layout, talker: TALKER, keep, clock: new Clock(0n) };
  const reader = new RingReader(readFd, reading, pool, ({ talker, sequence, place }) => {
    expect([talker, place]).toEqual([TALKER, "overwritten"]);
    log.push(`lost ${sequence}`);
  });
  const take = (): boolean => {
    const arrival = reader.take();
    if (arrival === undefined) return false;
    const { header, payload, firstByte, lastByte, release } = arrival;
    expect(lastByte).toBeGreaterThanOrEqual(firstByte);
    if (header.kind === "message") expect(Buffer.compare(payload, messageOf(header.sequence))).toBe(0);
    log.push(`${header.kind === "last" ? "end" : "got"} ${header.sequence}`);
    release();
    return true;
  };
  const takeAll = (): string[] => {
    while (take());
    return log.splice(0);
  };
  return { fd, writer, reader, take, takeAll, log };
}

function messageOf(sequence: number): Uint8Array {
  return payloadOf((sequence * 997) % (MAX + 1), sequence);
}

function write(writer: RingWriter, sequence: number, talker = TALKER): void {
  const payload = messageOf(sequence);
  writer.write(writeHeader(headerOf({ talker, sequence, bytes: payload.length })), payload);
}

function end(writer: RingWriter, messages: number): void {
  writer.end(writeHeader(headerOf({ kind: "last", talker: TALKER, sequence: messages })));
}

describe("a ring of slots", () => {
  it.each([1, 2, 5])("of %d carries every message where its reader keeps up, in any size", (slots) => {
    const { writer, takeAll } = ringOf(slots, INFINITE);
    for (let sequence = 0; sequence < 20; sequence++) {
      write(writer, sequence);
      expect(takeAll()).toEqual([`got ${sequence}`]);
    }
    end(writer, 20);
    expect(takeAll()).toEqual(["end 20"]);
    expect(takeAll()).toEqual([]);
  });

  it("holds as many messages as it has slots for a reader that is late", () => {
    const { writer, takeAll } = ringOf(4, INFINITE);
    for (let sequence = 0; sequence < 4; sequence++) write(writer, sequence);
    end(writer, 4);
    expect(takeAll()).toEqual(["got 0", "got 1", "got 2", "got 3", "end 4"]);
  });

  it("keeps the newest for a reader that is late, and tells each that is lost, the tail included", () => {
    const { writer, takeAll } = ringOf(4, 2);
    for (let sequence = 0; sequence < 9; sequence++) write(writer, sequence);
    end(writer, 9);
    const lost = [0, 1, 2, 3, 4, 5, 6].map((sequence) => `lost ${sequence}`);
    expect(takeAll()).toEqual([...lost, "got 7", "got 8", "end 9"]);
  });

  it("counts each phase from 0, for those that are lost too", () => {
    const { writer, takeAll } = ringOf(3, 1);
    for (const messages of [3, 1, 2]) {
      for (let sequence = 0; sequence < messages; sequence++) write(writer, sequence);
      end(writer, messages);
      const lost = Array.from({ length: messages - 1 }, (_, sequence) => `lost ${sequence}`);
      expect(takeAll()).toEqual([...lost, `got ${messages - 1}`, `end ${messages}`]);
    }
  });

  it("ends a phase of no message, and a phase of which nothing was read", () => {
    const { writer, takeAll } = ringOf(3, 1);
    end(writer, 0);
    expect(takeAll()).toEqual(["end 0"]);
  });

  it("has no message that was written over while it was copied", () => {
    let sequence = 0;
    let disturbances = 2;
    const { writer, takeAll } = ringOf(4, 2, (own) => {
      if (disturbances-- <= 0) return;
      for (let i = 0; i < 4; i++) write(own, sequence++);
    });
    write(writer, sequence++);
    const log = takeAll();
    expect(log).toEqual([
      ...["lost 0", "lost 1", "lost 2", "lost 3", "lost 4", "lost 5", "lost 6"],
      ...["got 7", "got 8"],
    ]);
  });

  it("keeps whole what is copied while one more is written, whichever of the newest it is", () => {
    for (const keep of [1, 2, 5]) {
      let sequence = 0;
      let disturbances = 1;
      const { writer, takeAll } = ringOf(keep + 2, keep, (own) => {
        if (disturbances-- > 0) for (let i = 0; i < 2; i++) write(own, sequence++);
      });
      while (sequence < keep + 4) write(writer, sequence++);
      expect(takeAll()).toContain("got 4");
    }
  });

  it("has no message of which the writing has begun", () => {
    const { fd, writer, takeAll } = ringOf(2, INFINITE);
    write(writer, 0);
    write(writer, 1);
    const version = Buffer.alloc(8);
    version.writeDoubleLE(5);
    writeSync(fd, version, 0, 8, PAGE);
    expect(takeAll()).toEqual(["lost 0", "got 1"]);
  });

  it("is not moved by a state that is being written", () => {
    const { fd, writer, takeAll } = ringOf(2, INFINITE);
    writeSync(fd, Uint8Array.of(0xff, 0xff), 0, 2, 3);
    expect(takeAll()).toEqual([]);
    write(writer, 0);
    expect(takeAll()).toEqual(["got 0"]);
  });

  it("is not believed where a slot holds something else", () => {
    const other = ringOf(2, INFINITE);
    write(other.writer, 0, 1);
    expect(other.takeAll).toThrow("message 0 of talker 1: expected message 0 of talker 3 in its slot");
    const later = ringOf(2, INFINITE);
    write(later.writer, 7);
    expect(later.takeAll).toThrow("message 7 of talker 3: expected message 0 of talker 3 in its slot");
    const damaged = ringOf(2, INFINITE);
    write(damaged.writer, 0);
    writeSync(damaged.fd, Uint8Array.of(0x77), 0, 1, PAGE + 16 + 24);
    expect(damaged.takeAll).toThrow(FrameError);
    const short = ringOf(2, INFINITE);
    write(short.writer, 0);
    ftruncateSync(short.fd, PAGE + 10);
    expect(short.takeAll).toThrow("slots: the file ends at byte");
  });

  it("loses nothing untold, in whatever order it is written and read", () => {
    const steps = fc.array(fc.constantFrom("write", "write", "write", "take", "end"), { maxLength: 60 });
    const keeps = fc.constantFrom(1, 2, 3, INFINITE);
    fc.assert(
      fc.property(steps, keeps, fc.nat(4), (given, keep, more) => {
        const { writer, take, takeAll, log } = ringOf(keep === INFINITE ? 60 : keep + more, keep);
        let sequence = 0;
        for (const step of [...given, "end"]) {
          if (step === "write") write(writer, sequence++);
          else if (step === "take") take();
          else {
            end(writer, sequence);
            // As in an exchange, a phase begins when the last has been received.
            const held = log.splice(0);
            const all = [...held, ...takeAll()];
            expect(all.map((entry) => Number(entry.split(" ")[1]))).toEqual(
              Array.from({ length: sequence + 1 }, (_, i) => i),
            );
            expect(all.at(-1)).toBe(`end ${sequence}`);
            const newest = Math.min(sequence, keep);
            expect(all.slice(all.length - 1 - newest, -1).every((entry) => entry.startsWith("got"))).toBe(
              true,
            );
            sequence = 0;
          }
        }
      }),
      { numRuns: runs(100), seed: SEED },
    );
  });
});

describe("shared memory", () => {
  it("has a folder of the exchange's name, in the folder that was asked for", () => {
    const folder = path.join(os.tmpdir(), "wb-1");
    expect(sharedFolder({ folder, address: "/mnt/large" })).toBe("/mnt/large/wb-1");
    const own = sharedFolder({ folder, address: "" });
    expect(own).toBe(existsSync("/dev/shm") ? "/dev/shm/wb-1" : folder);
  });

  it("holds a ring until it is closed", () => {
    const at = path.join(folder, "held");
    const ring = makeRing(at, 0, { slots: 3, maxBytes: MAX });
    expect(readdirSync(at)).toEqual(["0.slots"]);
    ring.close();
    expect(readdirSync(at)).toEqual([]);
  });

  it("is asked for room before anything is written", () => {
    const at = path.join(folder, "too-large");
    const layout = { slots: 1_000_000, maxBytes: 4_000_000_000 };
    expect(() => makeRing(at, 0, layout)).toThrow(UsageError);
    expect(() => makeRing(at, 0, layout)).toThrow(
      new RegExp(
        `^${folder}: no room for 1000000 slots with messages of 4000000000 bytes: ` +
          `expected ${ringBytes(layout)} bytes, got \\d+ bytes: make it larger \\(in a container with --shm-size\\), `,
      ),
    );
    expect(readdirSync(at)).toEqual([]);
  });

  it("that somebody else takes meanwhile is reported alike, and what was taken is given back", () => {
    const at = path.join(folder, "taken");
    const { writeSync: writeReally } = fs;
    let writes = 0;
    fs.writeSync = ((...args: Parameters<typeof fs.writeSync>) => {
      if (++writes > 2) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      return writeReally(...args);
    }) as typeof fs.writeSync;
    syncBuiltinESMExports();
    try {
      expect(() => makeRing(at, 0, { slots: 3, maxBytes: 1_000_000 })).toThrow(
        /: no room for 3 slots with messages of 1000000 bytes: expected \d+ bytes, got \d+ bytes \(ENOSPC\): make/,
      );
    } finally {
      fs.writeSync = writeReally;
      syncBuiltinESMExports();
    }
    expect(writes).toBe(3);
    expect(readdirSync(at)).toEqual([]);
  });

  it("has to be there", () => {
    const missing = path.join(folder, "missing", "wb-1");
    expect(() => makeRing(missing, 0, { slots: 1, maxBytes: 1 })).toThrow(
      `${missing}: cannot be made (ENOENT)`,
    );
  });
});

/** The small parts that talkers and listeners are made of. */
import { crc32 as zlibCrc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Clock, clockBase, sharesClock } from "../../src/ipc/clock.ts";
import { memcpyBytesPerSecond } from "../../src/ipc/figures/summary.ts";
import { until } from "../../src/ipc/participants/talker.ts";
import { contentBytes } from "../../src/ipc/payload.ts";
import { slowCrc32 } from "../../src/ipc/wire/frame.ts";
import { Gate } from "../../src/ipc/wire/queues.ts";
import { field, list, optional, schemaOf, textMap } from "../../src/schema/declare.ts";

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

describe("a clock", () => {
  it("is shared by who answers between asking and answer", async () => {
    const clock = new Clock(clockBase());
    expect(await sharesClock(clock, async () => clock.now())).toBeGreaterThan(0);
  });

  it.each([-60e9, -1e6, 1e6, 60e9])("is not shared by one that is off by %d ns", async (offset) => {
    const clock = new Clock(clockBase());
    expect(await sharesClock(clock, async () => clock.now() + offset)).toBeUndefined();
  });

  it("is waited for, and not beyond by much", async () => {
    const clock = new Clock(clockBase());
    for (const ahead of [0, 1e5, 5e6, 20e6]) {
      const due = clock.now() + ahead;
      await until(due, clock);
      expect(clock.now()).toBeGreaterThanOrEqual(due);
    }
  });
});

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

it("what a value holds is counted whatever the format", () => {
  const inner = {
    name: "t.Inner",
    fields: [field(1, "d", "double", optional), field(2, "f", "float", optional)],
  };
  const schema = schemaOf("t", [
    {
      name: "t.Root",
      fields: [
        field(1, "text", "string", optional),
        field(2, "bytes", "bytes", optional),
        field(3, "narrow", "int8", optional),
        field(4, "wide", "uint64", optional),
        field(5, "flag", "bool", optional),
        field(6, "inner", inner, list),
        field(7, "counts", "uint32", textMap),
        field(8, "absent", "double", optional),
      ],
    },
    inner,
  ]);
  const value = {
    text: "äb",
    bytes: new Uint8Array(5),
    narrow: 1,
    wide: 1,
    flag: true,
    inner: [{ d: 1, f: 1 }, { d: 1 }],
    counts: { ab: 1 },
  };
  expect(contentBytes(schema, value)).toBe(3 + 5 + 1 + 8 + 1 + (8 + 4) + 8 + (2 + 4));
});

it("memory is copied at some speed", () => {
  for (const bytes of [100, 1_000_000]) expect(memcpyBytesPerSecond(bytes)).toBeGreaterThan(1e6);
});

/** Memory figures of calls whose allocations are known from how V8 lays objects out. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { Memory } from "../../src/model/records/run.ts";
import { CallLoop } from "../../src/runtimes/node/memory/call-loop.ts";
import { pausesByCore, pausesOf } from "../../src/runtimes/node/memory/gc-pauses.ts";
import { collectedWorks, costUnitOf } from "../../src/runtimes/node/memory/heap-watch.ts";
import { measureMemory } from "../../src/runtimes/node/memory/memory.ts";
import { backingBuffers } from "../../src/runtimes/node/memory/retention.ts";

/** Bytes of headers: of an array with its elements, and of a typed array with its buffer outside of the heap. */
const [ARRAY, VIEW] = [48, 184];

const POOL = Buffer.poolSize;

/** In a process of their own, where nothing else allocates; it runs from dist/. */
const { calls, results } = JSON.parse(
  execFileSync(process.execPath, ["--expose-gc", path.join(import.meta.dirname, "memory-tasks.js")], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  }),
) as { calls: number; results: Record<string, Memory> };

function measured(name: string): Memory {
  const memory = results[name];
  if (memory === undefined) throw new Error(`no task "${name}"`);
  return memory;
}

function expectWithin(actual: number, expected: number, share: number): void {
  expect(actual).toBeGreaterThanOrEqual(expected * (1 - share));
  expect(actual).toBeLessThanOrEqual(expected * (1 + share));
}

const CLEAN = { leakedBytes: 0, findings: [] };

describe("bytes on the heap", () => {
  it.each([
    ["object", 56],
    ["array of 16", ARRAY + 16 * 8],
    ["array of 1,000", ARRAY + 8000],
    ["array of 12,500", ARRAY + 100_000],
    ["array of 40,000", ARRAY + 320_000],
    ["arrays of many sizes", ARRAY + 60_000],
  ])("of each call: %s", (name, bytes) => {
    const { heapBytes, retainedBytes } = measured(name);
    expectWithin(heapBytes, bytes, 0.02);
    // A call that is not optimised again after a forced collection adds 16 bytes of its own to an object.
    expectWithin(retainedBytes, bytes, 0.3);
    expect(measured(name)).toMatchObject({ externalBytes: 0, ...CLEAN });
  });

  it("hold the content of a short typed array", () => {
    // Its headers have grown from Node to Node.
    expectWithin(measured("short typed array").heapBytes, 248, 0.1);
    expect(measured("short typed array")).toMatchObject({ externalBytes: 0, ...CLEAN });
  });

  it("are less than one of a call that allocates nothing", () => {
    expect(measured("nothing").heapBytes).toBeLessThan(1);
    expect(measured("nothing").retainedBytes).toBeLessThan(64);
    expect(measured("nothing")).toMatchObject({ externalBytes: 0, ...CLEAN });
  });
});

describe("bytes outside of the heap", () => {
  it.each([
    ["typed array", 1000],
    ["unpooled buffer", POOL],
    ["typed array of 1 MiB", 2 ** 20],
    ["typed array of 100 MiB", 100 * 2 ** 20],
  ])("of each call: %s", (name, bytes) => {
    const { externalBytes, retainedBytes } = measured(name);
    expectWithin(externalBytes, bytes, 0.02);
    expectWithin(retainedBytes, bytes + VIEW, 0.02);
    expect(measured(name)).toMatchObject(CLEAN);
  });

  it("are a share of the slab where calls are slow and take one for many", () => {
    expectWithin(measured("cut from a slab by slow calls").externalBytes, 100, 0.1);
  });

  it("are a share of the slab that a pooled buffer is cut from, all of which is kept", () => {
    const { externalBytes, retainedBytes } = measured("pooled buffer");
    // Each begins at a multiple of 8.
    expectWithin(externalBytes, POOL / Math.floor(POOL / 104), 0.1);
    expectWithin(retainedBytes, POOL + 96, 0.02);
    expect(measured("pooled buffer")).toMatchObject({ leakedBytes: 0, findings: ["pooled-view"] });
  });
});

describe("what results keep alive", () => {
  it("is a slab of 1 MiB for a view of 100 bytes", () => {
    expectWithin(measured("cut from a slab").retainedBytes, 2 ** 20, 0.02);
    expect(measured("cut from a slab")).toMatchObject({ leakedBytes: 0, findings: ["pooled-view"] });
  });

  it("is the whole of an input that it is a view of, which is no pool", () => {
    expectWithin(measured("cut from the input").retainedBytes, 50_000, 0.02);
    expect(measured("cut from the input")).toMatchObject(CLEAN);
  });

  it("is no pool where a buffer is only some bytes longer than its view", () => {
    expect(measured("a little longer than its view")).toMatchObject(CLEAN);
  });

  it("is a buffer that the result hides", () => {
    expect(measured("hidden").retainedBytes).toBeGreaterThan(3000);
  });
});

describe("a leak", () => {
  it("is what calls leave on the heap", () => {
    expect(measured("leak of objects").leakedBytes).toBeGreaterThan(800);
    expect(measured("leak of objects")).toMatchObject({ findings: ["leak"] });
  });

  it("is what calls leave outside of it", () => {
    expect(measured("leak of buffers").leakedBytes).toBeGreaterThan(500);
    expect(measured("leak of buffers")).toMatchObject({ findings: ["leak"] });
  });

  it.each(["leak of 8 bytes", "leak of a map's entries"])(
    "is found where the list of what is left grows now and then only: %s",
    (name) => {
      expect(measured(name).leakedBytes).toBeGreaterThan(4);
      expect(measured(name)).toMatchObject({ findings: ["leak"] });
    },
  );

  it.each(["cache that fills up", "cache that fills up late"])("is no %s", (name) => {
    expect(measured(name)).toMatchObject(CLEAN);
  });
});

it("a call that takes longer than there is time is made three times", () => {
  expect(calls).toBe(3);
  expect(measured("long call")).toMatchObject({ externalBytes: 5000, ...CLEAN });
});

describe("a warm-up", () => {
  /** Calls of a µs on a core, after some of which the clock goes on for longer; gives how many a warm-up of 10 ms makes. */
  function calls(away: (call: number) => number, isTold = true): number {
    let [ms, core, made] = [0, 0, 0];
    vi.spyOn(performance, "now").mockImplementation(() => ms);
    const run = (): void => {
      core += 1000;
      ms += 1e-3 + away(++made);
    };
    const loop = new CallLoop({ inputs: [0], run });
    loop.warmUp(10, isTold ? () => core : undefined);
    vi.restoreAllMocks();
    return made;
  }

  it("is as long where somebody else has the core for a while", () => {
    expect(calls(() => 0)).toBeGreaterThan(4000);
    expect(calls((call) => (call === 7 ? 30 : 0))).toBeGreaterThan(4000);
    expect(calls((call) => (call === 7 ? 30 : 0), false)).toBe(8);
  });

  it("is as long where the first call compiles, or somebody else has the core in it", () => {
    expect(calls((call) => (call === 1 ? 30 : 0))).toBeGreaterThan(4000);
    expect(calls((call) => (call === 1 ? 8 : 0), false)).toBeGreaterThan(500);
  });

  it("ends where its calls wait for something else", () => {
    expect(calls(() => 10)).toBeLessThan(16);
  });
});

describe("what is odd", () => {
  it.each<[string, () => unknown]>([
    [
      "a proxy",
      () =>
        new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error("no keys");
            },
          },
        ),
    ],
    [
      "a getter that throws",
      () => ({
        get bytes() {
          throw new Error("no bytes");
        },
      }),
    ],
    ["a function", () => () => {}],
    ["null", () => null],
    [
      "a view whose buffer is no more",
      () => {
        const view = new Uint8Array(8);
        structuredClone(view.buffer, { transfer: [view.buffer] });
        return view;
      },
    ],
    [
      "a view that its buffer has become too short for",
      () => {
        const buffer = Reflect.construct(ArrayBuffer, [100, { maxByteLength: 100 }]);
        const view = new DataView(buffer, 50, 50);
        Reflect.get(buffer, "resize").call(buffer, 10);
        return view;
      },
    ],
  ])("%s is a result like any other", (_, run) => {
    const task = { inputs: [1, 2], run, fold: () => 0, check: () => {} };
    expect(measureMemory(task, { budgetMs: 2 }).findings).toEqual([]);
  });
});

describe("buffers that can be reached", () => {
  const bytes = new Uint8Array(1000);
  const cyclic: { self?: unknown; bytes: Uint8Array } = { bytes };
  cyclic.self = cyclic;

  it.each<[string, unknown, number[]]>([
    ["through objects and arrays", { list: [{ bytes }] }, [1000]],
    ["through a map's keys and entries", new Map([[bytes, new Uint8Array(200)]]), [1000, 200]],
    ["through a set", new Set([bytes]), [1000]],
    ["through a symbol", { [Symbol("bytes")]: bytes }, [1000]],
    ["through a circle", cyclic, [1000]],
    ["of a shared buffer", new Uint8Array(new SharedArrayBuffer(300)), [300]],
    ["of a short view of a buffer", new Uint8Array(new ArrayBuffer(40)), [40]],
    ["of a view at an offset", bytes.subarray(990), [1000]],
    ["but not a short typed array of its own", new Uint8Array(40), []],
    [
      "but not through a getter",
      {
        get bytes() {
          return bytes;
        },
      },
      [],
    ],
    ["but not through a proxy", [new Proxy({ bytes }, {})], []],
    ["but not beyond a great many elements", [...new Array(1e6).fill(0), bytes], []],
    ["of text, of which there are none", "text", []],
  ])("%s", (_, value, lengths) => {
    const found = backingBuffers(value).map(({ buffer }) => buffer.byteLength);
    expect(found.sort((a, b) => b - a)).toEqual(lengths);
  });

  it("count once with all that is seen of them", () => {
    const views = [bytes.subarray(0, 100), bytes.subarray(100, 150), new DataView(bytes.buffer, 150, 50)];
    expect(backingBuffers(views)).toEqual([{ buffer: bytes.buffer, viewed: 200 }]);
    expect(backingBuffers([...views, bytes])).toEqual([{ buffer: bytes.buffer, viewed: 1000 }]);
  });
});

describe("pauses", () => {
  it("are told by their time per call and by the longest", () => {
    expect(pausesOf([1000, 5000, 3000], 90)).toEqual({ gcNanos: 100, longestPauseNanos: 5000 });
    expect(pausesOf([], 10)).toEqual({ gcNanos: 0, longestPauseNanos: 0 });
  });

  it("count as the usual one each, and not with one in which somebody else had the core", () => {
    const usual = Array.from({ length: 20 }, () => 2000);
    expect(pausesOf(usual, 100).gcNanos).toBe(400);
    expect(pausesOf(usual.with(7, 900_000), 100)).toEqual({ gcNanos: 400, longestPauseNanos: 900_000 });
  });

  it("are what stretches with a collection took on a core beyond those without", () => {
    const usual = [500, 510, 490, 9000, 505].map((nanos) => ({ nanos, collected: false }));
    const collecting = [1505, 1705].map((nanos) => ({ nanos, collected: true }));
    // Two collections of 1100 in 70 calls.
    const pauses = pausesByCore([...usual, ...collecting], 10);
    expect(pauses).toEqual({ gcNanos: 2200 / 70, longestPauseNanos: 1200 });
    expect(pausesByCore(usual, 10)).toEqual({ gcNanos: 0, longestPauseNanos: 0 });
    expect(pausesByCore(collecting, 10)).toEqual({ gcNanos: 0, longestPauseNanos: 0 });
  });

  it("are waited for where a call allocates, and not where it does not", () => {
    expect(measured("array of 1,000").gcNanos).toBeGreaterThan(0);
    expect(measured("nothing")).toMatchObject({ gcNanos: 0, longestPauseNanos: 0 });
  });
});

describe("the unit in which a runtime gives the cost of a collection", () => {
  const ms = 1e6;

  it("is the microsecond of Node where the collections fit into the work", () => {
    expect(costUnitOf([{ costs: [860, 411], nanos: 7 * ms }])).toBe(1000);
    expect(costUnitOf([{ costs: [], nanos: 7 * ms }])).toBe(1000);
  });

  it("is the nanosecond where they do not, in any of the works", () => {
    const stalled = { costs: [1_000_000], nanos: 2000 * ms };
    expect(costUnitOf([{ costs: [1_464_382, 892_911], nanos: 15 * ms }])).toBe(1);
    expect(costUnitOf([stalled, { costs: [1_464_382], nanos: 15 * ms }])).toBe(1);
  });

  it("is not known where they are longer than the work in every unit", () => {
    expect(costUnitOf([{ costs: [16 * ms], nanos: 15 * ms }])).toBeUndefined();
  });
});

describe("collections that a runtime reports", () => {
  /** Works each of which has so many, and how many were asked for. */
  const worksOf = (collections: (work: number) => number): number => {
    let asked = 0;
    return collectedWorks(() => ({ costs: Array(collections(asked++)).fill(1), nanos: 10 })).length;
  };

  it("are seen in three works where these have some", () => {
    expect(worksOf(() => 2)).toBe(3);
    expect(worksOf(() => 4)).toBe(3);
  });

  it("are waited for where a young generation is so large that most works have none", () => {
    expect(worksOf(() => 1)).toBe(4);
    expect(worksOf((work) => (work % 3 === 2 ? 1 : 0))).toBe(12);
  });

  it("are not waited for without end", () => {
    expect(worksOf(() => 0)).toBe(20);
  });
});

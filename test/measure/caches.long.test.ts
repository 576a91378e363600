/** What keeps its results and gives them out again is found by the proof; what does its work passes it. */
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { namedDataset } from "../../src/catalog/dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import { proveSlowerThanCopy } from "../../src/measure/copy-floor.ts";
import { CoreSpeed } from "../../src/measure/core-speed.ts";
import { provenBinding } from "../../src/measure/prove.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { UnsupportedError, VerificationError } from "../../src/model/errors.ts";
import type { Task } from "../../src/model/operation.ts";
import { datasets } from "../arbitrary-schema.ts";
import { runs, SEED } from "../seed.ts";

const registry = await Registry.open([path.join(import.meta.dirname, "../plugins/caching.js")]);

async function prove(name: string, dataset: Dataset): Promise<void> {
  await provenBinding(await registry.codec(name), dataset);
}

describe("a codec that keeps", () => {
  it.each([
    ["messages by their objects", "caching", /^an encoded message was given out again by a later call/],
    ["them in a Map", "caching:map", /^an encoded message was given out again by a later call/],
    ["them and gives views", "caching:views", /^an encoded message was given out again by a later call/],
    ["them and gives copies", "caching:copies", /^encode: an object that was changed in place/],
    ["copies made when it was bound", "caching:ahead", /^encode: an object that was changed in place/],
    ["strings", "caching:strings", /^encode: an object that was changed in place/],
    ["the messages of elements", "caching:elements", /^encode: an object that was changed in place/],
    ["what it copies into memory", "caching:into", /^encode: an object that was changed in place/],
    ["memory of its own", "caching:beside", /^into: expected the message in the memory that it was given/],
    ["what memory holds", "caching:unwritten", /^into: it writes another message/],
    ["decoded values", "caching:decoded", /^a decoded value was given out again by a later call/],
    ["them by content", "caching:decoded-content", /^a decoded value was given out again by a later call/],
    [
      "them and gives copies of them",
      "caching:decoded-copies",
      /^decode: a buffer that was changed in place/,
    ],
    ["what it added up", "caching:accessed", /^access: a buffer that was changed in place/],
  ])("%s fails its proof", async (_, codec, reason) => {
    for (const dataset of ["tellist", "tellist:2"]) {
      const proof = prove(codec, await namedDataset(registry, dataset));
      await expect(proof, dataset).rejects.toThrow(reason);
      await expect(proof).rejects.toThrow(VerificationError);
    }
  });

  it.each(["caching:copies", "caching:decoded-copies"])("%s does so on several values too", async (codec) => {
    const one = await namedDataset(registry, "tellist:3");
    const two = { ...one, values: [one.values[0]!, structuredClone(one.values[0]!)] };
    await expect(prove(codec, two)).rejects.toThrow("changed in place");
  });
});

const builtIn = (await Registry.open()).names("datasets");
const codecs = await (await Registry.open()).selectCodecs(["*"]);

it.each(builtIn)("every codec does its work on %s, and its values stay as they are", async (name) => {
  const { size } = await registry.definition("datasets", name);
  const dataset = await namedDataset(registry, size === undefined ? name : `${name}:3`);
  const kept = structuredClone(dataset.values);
  let carried = 0;
  for (const codec of codecs) {
    try {
      await prove(codec, dataset);
      carried += 1;
    } catch (error) {
      expect(error, codec).toBeInstanceOf(UnsupportedError);
    }
    expect(dataset.values, codec).toEqual(kept);
  }
  expect(carried).toBeGreaterThan(5);
});

it.each(codecs)("%s does its work on random data, or says that it is unsupported", async (name) => {
  const codec = await registry.codec(name);
  await fc.assert(
    fc.asyncProperty(datasets(), async (dataset) => {
      const error = await provenBinding(codec, dataset).catch((reason: unknown) => reason);
      if (error instanceof Error) expect(error).toBeInstanceOf(UnsupportedError);
    }),
    { numRuns: runs(50), seed: SEED },
  );
});

describe("calls that make messages", () => {
  const clock = { now: () => performance.now(), stepNanos: 50 };
  const bytes = new Uint8Array(100_000).fill(7);
  const task: Task<number, Uint8Array> = {
    inputs: [1],
    run: () => bytes,
    fold: () => 1,
    makesBytes: true,
    check: () => {},
  };
  const speed = new CoreSpeed(clock);
  const prove = (nanos: number, change: Partial<typeof task> = {}): void =>
    proveSlowerThanCopy(
      { ...task, ...change } as Task,
      { batches: [nanos, nanos + 2, nanos + 4], batchCalls: 1, loop: 2 },
      clock,
      speed,
    );

  it("in less time than a copy of them takes have not made them", () => {
    expect(() => prove(3)).toThrow(
      /^3\.0 ns for 100000 bytes: to copy them takes [\d.]+ ns, so they are not made anew$/,
    );
    expect(() => prove(1e9)).not.toThrow();
  });

  it("are held to what a copy takes at full speed, however slow the core is when it is copied", () => {
    // By this clock everything takes as long: once 2 µs, and then 5.
    let ms = 0;
    let micros = 2;
    const now = (): number => {
      ms += micros / 1000;
      return ms;
    };
    const slow = new CoreSpeed({ now });
    for (let i = 0; i < 20; i++) slow.slowdown();
    slow.prepare();
    micros = 5;
    const floorAt = (core: CoreSpeed): number => {
      try {
        proveSlowerThanCopy(
          task as Task,
          { batches: [0], batchCalls: 1, loop: 0 },
          { now, stepNanos: 1 },
          core,
        );
      } catch (error) {
        return Number(/takes ([\d.]+) ns/.exec((error as Error).message)?.[1]);
      }
      return Number.NaN;
    };
    expect(floorAt(new CoreSpeed({ now })) / floorAt(slow)).toBeCloseTo(2.5, 2);
  });

  it("are not held to it where a copy is no measure", () => {
    expect(() => prove(3, { run: () => bytes.subarray(0, 255) })).not.toThrow();
    const { makesBytes: _, ...unmarked } = task;
    expect(() =>
      proveSlowerThanCopy(unmarked as Task, { batches: [3], batchCalls: 1, loop: 2 }, clock, speed),
    ).not.toThrow();
  });
});

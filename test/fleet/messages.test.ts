/** What comes over the network is checked before it is believed, and nothing of it is executed. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  FleetMessageError,
  type FleetMessages,
  isRunStream,
  namesOf,
  readMessage,
  type Task,
} from "../../src/fleet/messages.ts";
import { planOf, taskOf } from "../../src/fleet/task.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { WirebenchError } from "../../src/model/errors.ts";
import { makePlan } from "../../src/suite/plan.ts";
import type { Selection } from "../../src/suite/selection.ts";
import { datasets } from "../arbitrary-schema.ts";
import { runs, SEED } from "../seed.ts";

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const ID = "0".repeat(32);
const machine = {
  host: "h",
  cpu: "c",
  platform: "linux x64",
  runtime: "node 22",
  engine: "V8 12",
  version: "1",
  libraries: ["json 1"],
};

const GOOD: readonly (readonly [keyof FleetMessages, object])[] = [
  ["Announcement", { protocol: 1, run: ID, version: "1", task: ID + ID }],
  ["Beat", { protocol: 1, worker: ID, machine, block: 3 }],
  ["BeatReply", { lane: ID }],
  ["BlockMessage", { protocol: 1, run: ID, block: 0, survey: false, deliveries: 2 }],
  ["FleetEvent", { kind: "stored", worker: ID, block: 0, journal: ID + ID }],
];

describe("the streams of a run", () => {
  it("are known by their names, and nobody else's is taken for one", () => {
    const { queue, eventStream, bucket } = namesOf(ID);
    expect([queue, eventStream, `OBJ_${bucket}`].filter((name) => !isRunStream(name))).toEqual([]);
    const others = ["wirebench_results", "OBJ_wirebench_files", `${queue}_kept`, `my_${queue}`, bucket];
    expect(others.filter(isRunStream)).toEqual([]);
  });
});

describe("a message", () => {
  it.each(GOOD)("%s is read", (kind, message) => {
    expect(readMessage(kind, bytes(message))).toEqual(message);
  });

  it.each(GOOD)("%s without one of its fields, or with one of another kind, is none", (kind, message) => {
    for (const field of Object.keys(message)) {
      if (field === "block" && kind === "Beat") continue;
      const { [field]: _, ...rest } = message as Record<string, unknown>;
      expect(() => readMessage(kind, bytes(rest)), field).toThrow(FleetMessageError);
      expect(() => readMessage(kind, bytes({ ...message, [field]: [{}] })), field).toThrow(FleetMessageError);
    }
  });

  it.each([
    ["Announcement", { protocol: 2, run: ID, version: "1", task: ID + ID }, /protocol: expected 1, got 2/],
    ["Announcement", { protocol: 1, run: "*.>", version: "1", task: ID + ID }, /run/],
    ["Announcement", { protocol: 1, run: ID, version: "1\u001b[2J", task: ID + ID }, /version/],
    ["Beat", { protocol: 1, worker: ID, machine: { ...machine, host: "x".repeat(301) } }, /machine\.host/],
    ["BlockMessage", { protocol: 1, run: ID, block: -1, survey: false, deliveries: 2 }, /block/],
    ["BlockMessage", { protocol: 1, run: ID, block: 0, survey: false, deliveries: 0 }, /deliveries/],
    ["BeatReply", { lane: "$JS.API.STREAM.DELETE.x" }, /lane|expected/],
  ] as const)("%s %o is none, and the error names the place", (kind, message, place) => {
    expect(() => readMessage(kind, bytes(message))).toThrow(place);
  });

  it("is no longer than it may be, and JSON", () => {
    expect(() => readMessage("Beat", new Uint8Array(65_537))).toThrow("at most 65536 bytes");
    expect(() => readMessage("Beat", Buffer.from("{"))).toThrow("no JSON");
  });

  it("ends in a typed error, whatever it is", () => {
    const kinds = GOOD.map(([kind]) => kind);
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.json(), (kind, text) => {
        try {
          readMessage(kind, Buffer.from(text));
        } catch (error) {
          expect(error).toBeInstanceOf(FleetMessageError);
        }
      }),
      { numRuns: runs(500), seed: SEED },
    );
  });
});

const QUICK: Selection = { profile: "quick", codecs: ["json", "v8"], operations: ["encode"], seed: 7 };

/** A task as it arrives. */
async function sent(selection: Selection): Promise<Task> {
  return readMessage("Task", bytes(taskOf(await makePlan(selection), selection)));
}

describe("a task", () => {
  it("is the plan that its coordinator made", async () => {
    const selection: Selection = { ...QUICK, codecs: ["j*"], isolate: "cell", threshold: 0.02 };
    const names = (plan: Awaited<ReturnType<typeof makePlan>>) => ({
      ...plan,
      runtimes: plan.runtimes.length,
      pairs: plan.pairs.map(({ codec, dataset }) => [codec, dataset.name]),
    });
    expect(names(await planOf(await sent(selection)))).toEqual(names(await makePlan(selection)));
  });

  it("carries a user's schemas and values", async () => {
    await fc.assert(
      fc.asyncProperty(datasets(), async (dataset) => {
        const own = { ...dataset, story: "a story" };
        const { pairs } = await planOf(await sent({ ...QUICK, datasets: [own] }));
        const { values, schema, story } = pairs[0]!.dataset.source as Dataset;
        const [there] = (await makePlan({ ...QUICK, datasets: [own] })).pairs;
        const here = there?.dataset.source as Dataset;
        expect(isDeepStrictEqual([values, schema, story], [here.values, here.schema, here.story])).toBe(true);
      }),
      { numRuns: Math.ceil(runs(100) / 3), seed: SEED },
    );
  });

  it.each([
    ["plugins", ["./codec.js"]],
    ["runtimes", ["node@/tmp/program"]],
    ["shard", "1/3"],
    ["blocks", [0]],
  ] as const)("is refused with %s, which stay at home", async (option, value) => {
    const plan = await makePlan(QUICK);
    expect(() => taskOf(plan, { ...QUICK, [option]: value })).toThrow(`${option}: not on other machines`);
  });

  it("loads no file and starts no program that it names", async () => {
    const task = await sent(QUICK);
    const selection = {
      ...task.selection,
      plugins: ["/nowhere/plugin.js"],
      runtimes: ["node@/nowhere/program"],
      blocks: [99],
    };
    const { pairs, runtimes } = await planOf(readMessage("Task", bytes({ ...task, selection })));
    expect(pairs.flatMap(({ source }) => source.plugins)).toEqual([]);
    expect(runtimes.map(({ isCurrent }) => isCurrent)).toEqual([true]);
  });

  it.each([
    ["a codec that is not there", { selection: { ...QUICK, codecs: ["evil"] } }],
    ["a codec by its path", { selection: { ...QUICK, codecs: ["../../../tmp/evil"] } }],
    ["a dataset by its path", { datasets: ["../evil"] }],
    ["a profile that is not there", { selection: { ...QUICK, profile: "endless" } }],
    ["a schema without its root", { datasets: [dataset({ root: "Other" })] }],
    [
      "a schema without a type that it names",
      { datasets: [dataset({ type: { kind: "message", name: "N" } })] },
    ],
    ["a schema of a type under another name", { datasets: [dataset({ key: "N" })] }],
    ["a default that is no number", { datasets: [dataset({ default: ["bigint", "x"] })] }],
    ["values that are not of the schema", { datasets: [{ ...dataset({}), values: [{ a: {} }] }] }],
  ])("is refused with %s", async (_, change) => {
    const task = { protocol: 1, selection: QUICK, datasets: [], ...change };
    const read = async (): Promise<unknown> => planOf(readMessage("Task", bytes(task)));
    await expect(read()).rejects.toBeInstanceOf(WirebenchError);
  });
});

/** A dataset of one message with one field, as it crosses. */
function dataset({
  root = "M",
  key = "M",
  type = { kind: "scalar", scalar: "int32" } as object,
  ...more
}): object {
  const repetition = { kind: "one", presence: "optional" };
  const message = { name: "M", fields: [{ name: "a", number: 1, type, repetition, ...more }] };
  return {
    name: "own",
    schema: { package: "", root, messages: [[key, message]], enums: [] },
    values: [{}],
    int64: "number",
  };
}

/** What a selection becomes before anything is measured, and which selections are refused. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { namedDataset } from "../../src/catalog/dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import tellist from "../../src/datasets/tellist.ts";
import { PROFILES } from "../../src/measure/profiles.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { UsageError } from "../../src/model/errors.ts";
import { makePlan, type Plan } from "../../src/suite/plan.ts";
import type { Selection } from "../../src/suite/selection.ts";

const CODECS = [
  "amf3",
  "capnp-ts",
  "erlang-etf",
  "flatbuffers",
  "json",
  "msgpackr",
  "protobufjs",
  "python-pickle",
  "python-struct",
  "raw-struct",
  "v8",
];

const plugin = (name: string): string => path.join(import.meta.dirname, "../plugins", name);

function book(name: string, values = [tellist.make(2, 0)]): Dataset {
  return { name, schema: tellist.schema, values, int64: "number" };
}

/** Without the baseline's second measurement. */
function namedPairs({ pairs }: Plan): string[] {
  return pairs.flatMap(({ codec, dataset, twinOf }) =>
    twinOf === undefined ? [`${codec} ${dataset.name}`] : [],
  );
}

function pairsOf({ pairs }: Plan): string[] {
  return pairs.map(({ codec, dataset }) => `${codec} ${dataset.name}`);
}

describe("a plan", () => {
  it("without a selection is every codec without its variants, on the address book", async () => {
    const plan = await makePlan({});
    expect(pairsOf(plan)).toEqual(
      [...CODECS, "json (A/A)", "json (A/A 2)"].map((codec) => `${codec} tellist`),
    );
    expect(plan.pairs.at(-1)).toMatchObject({ twinOf: "json", source: { codec: "json", plugins: [] } });
    expect(plan).toMatchObject({
      operations: [
        { name: "encode", part: false },
        { name: "decode", part: false },
        { name: "access", part: false },
      ],
      isolate: "codec",
      int64: undefined,
      profileName: "standard",
      profile: PROFILES.standard,
      baseline: "json",
      timeoutSeconds: 120,
      threshold: 0.01,
      jit: "isolated",
      survey: true,
      others: [],
    });
    expect(Number.isInteger(plan.seed)).toBe(true);
  });

  it("of one's own data is what a Node program would choose from, unless codecs are named", async () => {
    const node = ["capnp-ts", "flatbuffers", "json", "msgpackr", "protobufjs", "v8"];
    const codecsOf = async (selection: Selection): Promise<string[]> => [
      ...new Set(namedPairs(await makePlan(selection)).map((pair) => pair.split(" ")[0]!)),
    ];
    expect(await codecsOf({ datasets: [book("own")] })).toEqual(node);
    expect(await codecsOf({ datasets: ["garden", book("own")] })).toEqual(node);
    expect(await codecsOf({ datasets: ["coordinates"], plugins: [plugin("coordinates.js")] })).toEqual(node);
    expect(await codecsOf({ datasets: ["garden", "tellist:3"] })).toEqual(CODECS);
    expect(await codecsOf({ datasets: [book("own")], codecs: ["@published"] })).toEqual(CODECS);
  });

  it("measures the baseline twice more, on each dataset and in every profile", async () => {
    const twins = async (selection: Selection): Promise<string[]> =>
      (await makePlan(selection)).pairs.flatMap(({ codec, twinOf }) => (twinOf === undefined ? [] : [codec]));
    expect(await twins({ codecs: ["v8", "json"], baseline: "v8" })).toEqual(["v8 (A/A)", "v8 (A/A 2)"]);
    expect(
      await twins({ codecs: ["v8"], datasets: ["tellist:1", "tellist:2"], profile: "thorough" }),
    ).toEqual(["v8 (A/A)", "v8 (A/A 2)", "v8 (A/A)", "v8 (A/A 2)"]);
    expect(await twins({ profile: "quick" })).toEqual(["json (A/A)", "json (A/A 2)"]);
  });

  it("says which size of a dataset it is of, where that is not the one that its story tells of", async () => {
    const { pairs } = await makePlan({
      codecs: ["json"],
      datasets: ["tellist", "tellist:1000"],
      profile: "quick",
    });
    const stories = [...new Set(pairs.map(({ dataset }) => dataset.story))];
    expect(stories).toEqual([tellist.story, `${tellist.story} Here with 1,000 records.`]);
  });

  it("of processes that run every codec has every built-in shape besides, none of it large", async () => {
    const { others } = await makePlan({ jit: "shared", plugins: [plugin("coordinates.js")] });
    expect(others).toContain("tellist:37");
    expect(others).toContain("frame:64");
    expect(others).toContain("garden");
    expect(others).not.toContain("coordinates");
  });

  it.each([{ threshold: -0.1 }, { threshold: 2 }, { bandwidths: [0] }])("refuses %j", async (selection) => {
    await expect(makePlan(selection)).rejects.toThrow(UsageError);
  });

  it("has a new seed each time, unless one is given", async () => {
    const seeds = await Promise.all(Array.from({ length: 5 }, async () => (await makePlan({})).seed));
    expect(new Set(seeds).size).toBeGreaterThan(1);
    for (const seed of [0, 2 ** 31 - 1]) expect((await makePlan({ seed })).seed).toBe(seed);
  });

  it("has all blocks of its profile, those that are named, or every n-th", async () => {
    const blocksOf = async (selection: Selection): Promise<unknown> => (await makePlan(selection)).blocks;
    expect(await blocksOf({})).toBeUndefined();
    expect(await blocksOf({ blocks: [5, 2] })).toEqual([2, 5]);
    const shards = ["1/3", "2/3", "3/3"].map((shard) => blocksOf({ shard }));
    expect(await Promise.all(shards)).toEqual([
      [0, 3, 6],
      [1, 4, 7],
      [2, 5],
    ]);
    expect(await blocksOf({ shard: "1/1" })).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await makePlan({ shard: "2/3", survey: false })).toMatchObject({ shard: "2/3", survey: false });
  });

  it("has each codec on each dataset, in the order in which they were named", async () => {
    const plan = await makePlan({ codecs: ["v8", "json*"], datasets: ["tellist:5", book("own")] });
    expect(namedPairs(plan)).toEqual([
      "v8 tellist:5",
      "json tellist:5",
      "json:string tellist:5",
      "v8 own",
      "json own",
      "json:string own",
    ]);
  });

  it("knows which library each codec measures, and of which version", async () => {
    const { pairs } = await makePlan({ codecs: ["protobufjs", "v8", "raw-struct"], profile: "quick" });
    const libraries = pairs.slice(0, 3).map(({ identity: { library } }) => library);
    expect(libraries).toEqual(["protobufjs", "node", "wirebench"]);
    expect(pairs[0]?.identity.version).toBe("8.8.1");
    expect(pairs[1]?.identity.version).toBe(process.versions.node);
  });

  it("has once what was named twice", async () => {
    const plan = await makePlan({
      codecs: ["json", "v8", "json"],
      datasets: ["tellist", "tellist:2", "tellist"],
      operations: ["encode", "encode"],
    });
    expect(namedPairs(plan)).toEqual(["json tellist", "v8 tellist", "json tellist:2", "v8 tellist:2"]);
    expect(plan.operations).toHaveLength(1);
    const own = book("own");
    expect(namedPairs(await makePlan({ codecs: ["json"], datasets: [own, own] }))).toHaveLength(1);
  });

  it.each<[Selection, string]>([
    [{}, "json"],
    [{ codecs: ["v8", "json"] }, "json"],
    [{ codecs: ["v8", "protobufjs"] }, "v8"],
    [{ codecs: ["json:string", "v8"] }, "json:string"],
    [{ baseline: "v8" }, "v8"],
  ])("of %j has its ratios to %s", async (selection, baseline) => {
    expect((await makePlan(selection)).baseline).toBe(baseline);
  });

  it("has the user's own values in canonical form", async () => {
    const unordered = { info: [{ phone_num: 5, gender: 1, age: 3, name: "a", id: 1 }] };
    const { pairs } = await makePlan({ codecs: ["json"], datasets: [book("own", [unordered])] });
    const { source } = pairs[0]!.dataset;
    expect(JSON.stringify((source as Dataset).values)).toBe(
      '[{"info":[{"id":1,"name":"a","age":3,"gender":1,"phone_num":5}]}]',
    );
  });
});

describe("a plan is refused", () => {
  const unknownOf = (options: object): Selection => options as Selection;

  it.each<[Selection, string]>([
    [unknownOf({ profile: "slow" }), 'unknown profile "slow", expected one of quick, standard, thorough'],
    [unknownOf({ profile: "toString" }), 'unknown profile "toString"'],
    [unknownOf({ profile: "standrad" }), 'unknown profile "standrad", did you mean standard?'],
    [unknownOf({ isolate: "process" }), 'unknown isolate "process", expected one of codec, cell'],
    [{ seed: -1 }, "seed: expected a whole number from 0 to 2147483647, got -1"],
    [{ seed: 1.5 }, "seed: expected a whole number from 0 to 2147483647, got 1.5"],
    [{ seed: 2 ** 31 }, "got 2147483648"],
    [{ seed: Number.NaN }, "got NaN"],
    [unknownOf({ seed: "7" }), "got 7"],
    [{ blocks: [] }, "no block: expected at least one"],
    [{ blocks: [0, 8] }, "blocks: expected a whole number from 0 to 7, got 8"],
    [{ blocks: [1, 1] }, "blocks: expected each once, got 1, 1"],
    [unknownOf({ blocks: 3 }), "blocks: expected a list, got 3"],
    [{ blocks: [1], shard: "1/2" }, "shard: it chooses the blocks, expected no blocks beside it"],
    [{ shard: "9/9" }, "shard 9/9: the profile standard has 8 blocks, expected at most 8 shards"],
    [
      { shard: "1/5", profile: "quick" },
      "shard 1/5: the profile quick has 4 blocks, expected at most 4 shards",
    ],
    ...["0/5", "6/5", "2", "2/", "-1/5", "1.5/2", "2/5 ", "1/0"].map((shard): [Selection, string] => [
      { shard },
      `shard: expected a number and how many there are, as 2/5, got ${shard}`,
    ]),
    [unknownOf({ codecs: "json" }), 'codecs: expected a list, got "json"'],
    [unknownOf({ bandwidths: 5 }), "bandwidths: expected a list, got 5"],
    [{ timeoutSeconds: 0 }, "timeout: expected a number from 0.001 to 2147483.647, got 0"],
    [{ timeoutSeconds: -5 }, "got -5"],
    [{ timeoutSeconds: Number.POSITIVE_INFINITY }, "got Infinity"],
    [{ timeoutSeconds: Number.NaN }, "got NaN"],
    [{ baseline: "json", codecs: ["v8"] }, 'baseline "json" is not among the codecs measured'],
    [{ baseline: "protobufsj" }, 'baseline "protobufsj" is not among the codecs measured, did you mean'],
    [{ datasets: [] }, "no dataset: expected at least one"],
    [{ codecs: [] }, "no codec: expected at least one"],
    [unknownOf({ int64: "big" }), 'unknown int64 "big", did you mean bigint?'],
    [
      { datasets: ["coordinates"], plugins: [plugin("coordinates.js")], int64: "number" },
      'dataset "coordinates": at[0]: 1152921504606846976 is beyond 2^53',
    ],
    [{ operations: [] }, "no operation: expected at least one"],
    [{ plugins: ["missing.js"] }, "missing.js: cannot be loaded"],
    [{ datasets: [book("own", [])] }, 'dataset "own" has no value to measure'],
    [
      { datasets: [book("own", [{ info: [{ id: -1 }] }])] },
      'dataset "own": info[0].id: -1 is outside uint32',
    ],
  ])("of %j", async (selection, message) => {
    await expect(makePlan(selection)).rejects.toThrow(message);
  });

  it.each<[Selection]>([
    [unknownOf({ profile: "slow" })],
    [unknownOf({ isolate: "process" })],
    [{ seed: -1 }],
    [{ timeoutSeconds: 0 }],
    [{ baseline: "jsn" }],
    [{ datasets: [] }],
  ])("as the user's error where the selection is %j", async (selection) => {
    await expect(makePlan(selection)).rejects.toThrow(UsageError);
  });

  it("where two sets of data have one name", async () => {
    const clash = 'two datasets are called "own": rename the file of one';
    await expect(makePlan({ datasets: [book("own"), book("own", [tellist.make(3, 0)])] })).rejects.toThrow(
      clash,
    );
    await expect(makePlan({ datasets: ["tellist", book("tellist")] })).rejects.toThrow(
      'two datasets are called "tellist"',
    );
  });
});

describe("the type of 64-bit integers", () => {
  const phoneOf = ({ values }: Dataset): unknown =>
    (values[0] as { info: { phone_num: unknown }[] }).info[0]?.phone_num;

  it("is that of the plan in a dataset that is named", async () => {
    const registry = await Registry.open();
    expect((await makePlan({ int64: "bigint" })).int64).toBe("bigint");
    const dataset = await namedDataset(registry, "tellist:2", "bigint");
    expect([dataset.int64, phoneOf(dataset)]).toEqual(["bigint", 13_800_000_000n]);
    const [standard, number] = [
      await namedDataset(registry, "tellist:2"),
      await namedDataset(registry, "tellist:2", "number"),
    ];
    expect([standard.int64, phoneOf(standard)]).toEqual(["number", 13_800_000_000]);
    expect(number).toEqual(standard);
  });

  it("is that of the data in a dataset of the user's own", async () => {
    const { pairs } = await makePlan({ codecs: ["json"], datasets: [book("own")], int64: "bigint" });
    expect((pairs[0]!.dataset.source as Dataset).int64).toBe("number");
  });

  it("is the one that fits in a plugin's dataset, which is refused where it is to be the other", async () => {
    const registry = await Registry.open([plugin("coordinates.js")]);
    expect(await namedDataset(registry, "coordinates:2")).toMatchObject({
      int64: "bigint",
      values: expect.arrayContaining([{ at: [2n ** 60n, 2n ** 60n + 1n] }]),
    });
    await expect(namedDataset(registry, "coordinates", "number")).rejects.toThrow(
      'dataset "coordinates": at[0]: 1152921504606846976 is beyond 2^53',
    );
  });
});

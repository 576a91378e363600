/** Which operations are measured, and in which order a process runs them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import { UsageError } from "../../src/model/errors.ts";
import { grouped, type PlannedOperation, selectOperations } from "../../src/suite/operations.ts";
import { runs, SEED } from "../seed.ts";

const WHOLE = ["encode", "decode", "access"];
const OPTIONAL = ["pick", "update"];
const PARTS = ["build", "write", "read", "plain"];
/** Those of the study of stalls. */
const THREADS = ["clone", "worker"];

const builtIn = await Registry.open();
const withPlugin = await Registry.open(["test/plugins/round-trip.js"]);

async function select(patterns?: readonly string[], parts = false, registry = builtIn): Promise<string[]> {
  return (await selectOperations(registry, patterns, parts)).map(({ name }) => name);
}

describe("operations are selected", () => {
  it.each<[string, readonly string[] | undefined, boolean, readonly string[]]>([
    ["the whole ones by default", undefined, false, WHOLE],
    ["with their parts", undefined, true, [...WHOLE, ...PARTS]],
    ["by name, in the order of tables", ["access", "encode"], false, ["encode", "access"]],
    ["once, however often they are named", ["decode", "dec*", "decode"], false, ["decode"]],
    ["by pattern", ["*code"], false, ["encode", "decode"]],
    ["a part by its name, without the other parts", ["write"], false, ["write"]],
    ["a whole one by its name, with all parts", ["decode"], true, ["decode", ...PARTS]],
    ["an optional one by its name", ["pick", "encode"], false, ["encode", "pick"]],
    [
      "all by a pattern, but those with an argument",
      ["*"],
      false,
      [...WHOLE, ...OPTIONAL, ...PARTS, ...THREADS],
    ],
    ["with an argument", ["reads:4:2", "read", "reads:1:1"], false, ["reads:1:1", "reads:4:2", "read"]],
    ["with an argument once", ["reads:4:2", "reads:4:2", "*code"], false, ["encode", "decode", "reads:4:2"]],
  ])("%s", async (_, patterns, parts, expected) => {
    expect(await select(patterns, parts)).toEqual(expected);
  });

  it("with the user's own after those of wirebench", async () => {
    expect(await select(undefined, true, withPlugin)).toEqual([...WHOLE, ...PARTS, "round-trip"]);
  });

  it("and known as a part or a whole", async () => {
    const selected = await selectOperations(builtIn, ["access", "build"], false);
    expect(selected).toEqual([
      { name: "access", part: false },
      { name: "build", part: true },
    ]);
  });

  it.each<[readonly string[], string]>([
    [["encode", "endcode"], 'unknown operation "endcode", did you mean encode'],
    [["x*"], 'unknown operation "x*", expected one of access, build, clone, decode'],
    [[""], 'unknown operation ""'],
    [["reads"], 'operation "reads": expected reads:STEP:FIELDS, as in reads:4:2'],
    [["reads:4"], 'operation "reads:4": expected reads:STEP:FIELDS, as in reads:4:2'],
    [["encode:2"], 'operation "encode" takes no argument, got "encode:2"'],
    [[], "no operation: expected at least one"],
  ])("but not by %j", async (patterns, message) => {
    await expect(select(patterns)).rejects.toThrow(UsageError);
    await expect(select(patterns)).rejects.toThrow(message);
  });
});

describe("operations of one process", () => {
  const operations: readonly PlannedOperation[] = [
    ...PARTS.map((name) => ({ name, part: true })),
    ...WHOLE.map((name) => ({ name, part: false })),
  ];

  it("are all of them, whole ones first, each kind in the order in which they are given", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...operations], { minLength: 1 }), (some) => {
        const namesOf = (part: boolean): string[] =>
          some.filter((operation) => operation.part === part).map(({ name }) => name);
        expect(grouped(some, "codec")).toEqual([[...namesOf(false), ...namesOf(true)]]);
      }),
      { numRuns: runs(200), seed: SEED },
    );
  });

  it("are one where each cell has a process of its own", () => {
    const groups = grouped(operations, "cell");
    expect(groups).toEqual([...WHOLE, ...PARTS].map((name) => [name]));
  });
});

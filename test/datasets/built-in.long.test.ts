/** What every built-in dataset promises, and what those that are published elsewhere are said to measure. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findDataset, namedDataset } from "../../src/catalog/dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import { UnsupportedError } from "../../src/model/errors.ts";
import { firstDifference, type Value } from "../../src/model/value.ts";
import { emitCapnp } from "../../src/schema/emit/capnp.ts";
import { emitFbs } from "../../src/schema/emit/fbs.ts";
import { emitHeader } from "../../src/schema/emit/header.ts";
import { emitProto } from "../../src/schema/emit/proto.ts";
import { conformAll } from "../../src/schema/values/conform.ts";
import { encodeValue } from "../../src/schema/values/transcode.ts";
import { expectAccess, expectRoundTrips } from "../codec-contract.ts";
import { protobufText } from "../codecs/protobuf-text.ts";
import { itWith, python, pythonWithAmf } from "../references.ts";

const registry = await Registry.open();
const names = registry.names("datasets");
const codecs = await registry.selectCodecs(["*"]);
const SCHEMAS = path.join(import.meta.dirname, "../../schemas");

/** The datasets of megabytes, and the sizes at which all codecs are tried on them. */
const SMALL: Readonly<Record<string, string>> = { cloud: "cloud:1600", frame: "frame:1000" };

function small(name: string): string {
  return SMALL[name] ?? name;
}

/** Datasets as they were made first: to make one takes longer than most of what is done with it. */
const made = new Map<string, ReturnType<typeof namedDataset>>();

function datasetOf(name: string): ReturnType<typeof namedDataset> {
  const known = made.get(name) ?? namedDataset(registry, name);
  made.set(name, known);
  return known;
}

async function sizes(codecName: string, dataset: string): Promise<number[]> {
  const data = await datasetOf(dataset);
  const binding = await (await registry.codec(codecName)).bind(data);
  return data.values.map((value) => encodeValue(binding, value).length);
}

describe.each(names.map(small))("%s", (name) => {
  it("makes canonical values, distinct ones, and the same each time", async () => {
    const { schema, values, int64 } = await datasetOf(name);
    expect(conformAll(schema, values, { form: "plain", int64: "auto" })).toEqual({ values, int64 });
    expect(values.map(orderOfFields)).toEqual(
      conformAll(schema, values, { form: "plain", int64 }).values.map(orderOfFields),
    );
    values.forEach((value, i) => {
      for (const other of values.slice(0, i)) expect(firstDifference(other, value)).toBeDefined();
    });
    const again = await namedDataset(registry, name);
    expect(again.values).toEqual(values);
  });

  it("has values of one size in protobuf, JSON and Python's struct", async () => {
    for (const codec of ["protobufjs", "json", "python-struct"]) {
      expect(new Set(await sizes(codec, name)).size, codec).toBe(1);
    }
  });

  it.each(codecs)("is carried by %s, or refused with a reason", async (codecName) => {
    const dataset = await datasetOf(name);
    const few = { ...dataset, values: dataset.values.slice(0, 2) };
    const codec = await registry.codec(codecName);
    try {
      const binding = await codec.bind(few);
      expectRoundTrips(codec, binding, few);
      expectAccess(codec, binding, few);
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
      expect(error.message).not.toBe("");
    }
  });
});

describe.each(names.filter((name) => name !== "tellist"))("schemas/%s", (name) => {
  const read = (ending: string): string => readFileSync(path.join(SCHEMAS, `${name}.${ending}`), "utf8");
  const withoutFirstLine = (text: string): string => text.slice(text.indexOf("\n") + 1);

  it("has the schema of the dataset in every language, and the bounds of its standard size", async () => {
    const dataset = await namedDataset(registry, name);
    expect(withoutFirstLine(read("proto"))).toBe(emitProto(dataset.schema));
    expect(withoutFirstLine(read("fbs"))).toBe(emitFbs(dataset.schema));
    expect(withoutFirstLine(read("capnp"))).toBe(withoutFirstLine(emitCapnp(dataset.schema)));
    expect(withoutFirstLine(read("h"))).toBe(emitHeader(dataset));
  });

  const folder = mkdtempSync(path.join(tmpdir(), "schemas-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  itWith("protoc")("makes protoc write the bytes of protobufjs", async () => {
    const { schema, values, ...rest } = await datasetOf(small(name));
    const binding = await (await registry.codec("protobufjs")).bind({ schema, values, ...rest });
    const theirs = execFileSync("protoc", ["-I", SCHEMAS, "--encode", schema.root, `${name}.proto`], {
      input: protobufText(schema, schema.root, values[0]!),
    });
    const ours = encodeValue(binding, values[0]!);
    expect(theirs.length).toBe(ours.length);
    // A map's entries have no order there.
    const hasMap = [...schema.messages.values()].some(({ fields }) =>
      fields.some(({ repetition }) => repetition.kind === "map"),
    );
    if (!hasMap) expect(theirs.equals(ours as Uint8Array)).toBe(true);
  });

  itWith("flatc")("is taken by flatc", () => {
    execFileSync("flatc", ["--ts", "-o", folder, path.join(SCHEMAS, `${name}.fbs`)]);
  });

  itWith("capnp")("is taken by capnp", () => {
    execFileSync("capnp", ["compile", "-o-", path.join(SCHEMAS, `${name}.capnp`)], { stdio: "pipe" });
  });

  itWith("gcc")("is taken by gcc", () => {
    execFileSync("gcc", [
      "-std=c11",
      "-Wall",
      "-Werror",
      "-fsyntax-only",
      "-x",
      "c",
      path.join(SCHEMAS, `${name}.h`),
    ]);
  });
});

describe("published sizes", () => {
  it.each([
    ["protobufjs", "tellist", 841],
    ["protobufjs", "speed-small", 228],
    ["protobufjs", "speed-large", 84_584],
    ["python-struct", "packet", 1116],
    ["python-struct", "packet-small", 6],
  ])("of %s on %s are %i bytes", async (codec, dataset, bytes) => {
    expect((await sizes(codec, dataset))[0]).toBe(bytes);
  });

  it("are followed by packets of other sizes", async () => {
    expect(new Set(await sizes("python-struct", "packet:10"))).toEqual(new Set([18]));
    expect(new Set(await sizes("python-struct", "packet:1"))).toEqual(new Set([9]));
  });
});

describe("messages of megabytes", () => {
  const first = async (name: string): Promise<Value> => {
    const { definition, size } = await findDataset(registry, name);
    return definition.make(size, 0);
  };

  it.each([
    ["frame", 6_500_000],
    ["frame:26000000", 26_000_000],
    ["frame:1", 1],
  ])("%s is a picture of %i bytes", async (name, bytes) => {
    expect(((await first(name)) as { data: Uint8Array }).data.length).toBe(bytes);
  });

  it.each([
    ["cloud", 406_250],
    ["cloud:26000000", 1_625_000],
    ["cloud:33", 3],
    ["cloud:32", 2],
    ["cloud:1", 1],
  ])("%s is a scan of %i points", async (name, points) => {
    expect(((await first(name)) as { points: Value[] }).points.length).toBe(points);
  });

  it.each([
    ["cloud:0", "expected 1 to 100000000 bytes of points after the colon"],
    ["frame:100000001", "expected 1 to 100000000 bytes of picture after the colon"],
  ])("%s is refused", async (name, message) => {
    await expect(first(name)).rejects.toThrow(message);
  });
});

describe("the garden", () => {
  const measure = (program: string, script: string, value: Value): unknown =>
    JSON.parse(execFileSync(program, ["-c", script], { input: JSON.stringify(value), encoding: "utf8" }));
  const python27 = python("2.7");
  const withAmf = pythonWithAmf();

  it("has 88 leaves, and dictionaries four deep", async () => {
    const [value] = (await namedDataset(registry, "garden")).values;
    expect(shapeOf(value!)).toEqual({ leaves: 88, depth: 4 });
  });

  itWith(python27)("has the sizes in CPython 2.7 that its page says", async () => {
    const { values } = await namedDataset(registry, "garden");
    const script = `
import cPickle, json, sys
names = {}
def plain(value):
    if isinstance(value, dict):
        return dict((names.setdefault(key, key.encode()), plain(item)) for key, item in value.items())
    return [plain(item) for item in value] if isinstance(value, list) else value
value = plain(json.load(sys.stdin))
print(json.dumps([len(str(value)), len(cPickle.dumps(value, 1))]))`;
    for (const value of values) expect(measure(python27.program!, script, value)).toEqual([1162, 843]);
  });

  itWith(withAmf)("has the size in Py3AMF that its page says", async () => {
    const { values } = await namedDataset(registry, "garden");
    const script = `
import json, pyamf, sys
print(len(pyamf.encode(json.load(sys.stdin), encoding=pyamf.AMF3).getvalue()))`;
    for (const value of values) expect(measure(withAmf.program!, script, value)).toBe(604);
  });
});

/** How many values are in a value, and how deep its objects are nested. */
function shapeOf(value: Value): { readonly leaves: number; readonly depth: number } {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array)
    return { leaves: 1, depth: 0 };
  const within = Object.values(value).map(shapeOf);
  return {
    leaves: within.reduce((sum, { leaves }) => sum + leaves, 0),
    depth: Math.max(0, ...within.map(({ depth }) => depth)) + (Array.isArray(value) ? 0 : 1),
  };
}

/** The names of a value's fields in their order, all the way down. */
function orderOfFields(value: Value): unknown {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return null;
  return Object.entries(value).map(([key, item]) => [key, orderOfFields(item)]);
}

/** The table of hostile bytes: what is tried, a codec that goes wrong in each way, and the codecs that live here. */
import { describe, expect, it } from "vitest";
import { namedDataset } from "../../src/catalog/dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import { excerptOf } from "../../src/facts/excerpt.ts";
import { HOSTILE_CLASSES, type HostileClass } from "../../src/facts/hostile/classes.ts";
import { HOSTILE_FORMATS } from "../../src/facts/hostile/messages.ts";
import { Trials, type Tried } from "../../src/facts/hostile/trial.ts";
import { type Binding, direct } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { always, field, schemaOf } from "../../src/schema/declare.ts";

const registry = await Registry.open([]);
const classOf = (name: string): HostileClass => HOSTILE_CLASSES.find((one) => one.name === name)!;
const none = (): void => {};
const run = (trials: Trials, name: string, verified = false): Tried =>
  trials.run(classOf(name), verified, 0, Number.MAX_SAFE_INTEGER, none);

const person: Dataset = {
  name: "person",
  schema: schemaOf("t", [
    { name: "t.Person", fields: [field(1, "name", "string", always), field(2, "age", "uint32", always)] },
  ]),
  values: [{ name: "Ann", age: 7 }],
  int64: "number",
};

/** Microseconds of processor time. */
function used(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** JSON that does something else with bytes that it did not write. */
function jsonThat(onOther: (bytes: Uint8Array) => unknown, verify?: () => void) {
  const written = new Set<string>();
  const binding: Binding = direct({
    write: (value) => {
      const bytes = Buffer.from(JSON.stringify(value));
      written.add(bytes.toString("hex"));
      return bytes;
    },
    read: (bytes) =>
      written.has(Buffer.from(bytes as Uint8Array).toString("hex"))
        ? JSON.parse(bytes.toString())
        : onOther(bytes as Uint8Array),
    visit: () => 0,
    ...(verify === undefined ? {} : { verify }),
  });
  return { format: "t", schemaless: true as const, bind: () => binding };
}

describe("a codec that goes wrong", () => {
  const outcomeOf = async (onOther: (bytes: Uint8Array) => unknown, name = "cut off", verified = false) =>
    run(
      await Trials.of(
        jsonThat(onOther, () => {}),
        person,
      ),
      name,
      verified,
    );

  it("refuses, stumbles, or takes bytes for another value", async () => {
    const refusing = await outcomeOf(() => {
      throw new Error("no");
    });
    expect(refusing.counts).toEqual({ error: 22 });
    const stumbling = await outcomeOf(() => (undefined as unknown as { a: number }).a);
    expect(stumbling.worst).toMatchObject({ outcome: "stumble", length: 0 });
    const taking = await outcomeOf(() => ({ name: "Bob", age: 7 }));
    expect(taking.worst).toMatchObject({ outcome: "other", got: 'name: expected "Ann", got "Bob"', hex: "" });
    const same = await outcomeOf(() => ({ name: "Ann", age: 7 }));
    expect(same.counts).toEqual({ same: 22 });
  });

  it("is checked against the schema where it is verified", async () => {
    const { counts } = await outcomeOf(() => ({ name: 5, age: 7 }), "cut off", true);
    expect(counts).toEqual({ error: 22 });
  });

  it("is slow, or takes memory", async () => {
    const waiting = await outcomeOf(() => {
      for (const end = used() + 80_000; used() < end; );
    });
    // The rest is left out: it takes its time, and says no more.
    expect(waiting.counts).toEqual({ slow: 10 });
    // Kept, so that no collection between the tries takes it off what they take.
    const kept: Uint8Array[] = [];
    const hoarding = await outcomeOf(() => kept.push(new Uint8Array(24 * 2 ** 20).fill(1)));
    expect(hoarding.worst?.outcome).toBe("memory");
  });

  it("changes what every object has, or the prototype of one", async () => {
    const polluting = await outcomeOf(() => {
      (Object.prototype as Record<string, unknown>)["polluted"] = 1;
      return { name: "Ann", age: 7 };
    });
    expect(polluting.worst).toMatchObject({ outcome: "other", got: "every object has polluted now" });
    expect("polluted" in {}).toBe(false);
    const proto = await outcomeOf((bytes) => {
      const { __proto__: own, ...rest } = JSON.parse(bytes.toString()) as Record<string, object>;
      return Object.setPrototypeOf(rest, own!);
    }, "key __proto__");
    expect(proto.worst).toMatchObject({ outcome: "other" });
    expect(proto.worst?.got).toContain("its prototype is what the message says");
  });
});

describe("classes", () => {
  it.each(["json", "msgpackr", "protobufjs", "avsc", "flatbuffers", "cbor-x", "python-pickle"])(
    "of %s are the same every time, and leave the message as it is",
    async (name) => {
      const codec = await registry.codec(name);
      await codec.load?.();
      const trials = await Trials.of(codec, person);
      const hex = (of: HostileClass) =>
        trials.cases(of).map((bytes) => Buffer.from(bytes.subarray(0, 99)).toString("hex"));
      for (const of of HOSTILE_CLASSES) {
        expect(hex(of), of.name).toEqual(hex(of));
        if (["cut off", "one bit turned", "length of 2^31", "trailing bytes", "random"].includes(of.name))
          expect(trials.cases(of).length, of.name).toBeGreaterThan(5);
      }
    },
  );

  it.each(Object.keys(HOSTILE_FORMATS))("%s: nested messages are of their format", async (format) => {
    const codec = { msgpack: "msgpackr", cbor: "cbor-x", protobuf: "protobufjs" }[format] ?? format;
    const nested = HOSTILE_FORMATS[format]?.nested?.(20);
    // Those of others are read by their bare libraries, in hostile-messages.test.ts.
    const isElsewhere = ["devalue", "superjson", "seroval", "ion", "bson", "protobuf"].includes(format);
    if (nested === undefined || isElsewhere) return;
    const plain: Dataset = { ...person, values: [] };
    const binding = await (await registry.codec(codec)).bind(plain);
    let value: unknown = binding.read(nested);
    let depth = 0;
    for (; Array.isArray(value) && value.length > 0; depth++) [value] = value;
    expect(depth, Buffer.from(nested).toString("hex")).toBeGreaterThanOrEqual(18);
  });
});

it("bad UTF-8 is given to codecs whose texts are UTF-8", async () => {
  const bad = HOSTILE_CLASSES.find(({ name }) => name === "bad UTF-8")!;
  const given: string[] = [];
  for (const name of ["json", "json:string", "v8", "erlang-etf", "erlang-etf:record", "msgpackr"]) {
    const codec = await registry.codec(name);
    await codec.load?.();
    if ((await Trials.of(codec, person)).cases(bad).length > 0) given.push(name);
  }
  expect(given).toEqual(["json", "erlang-etf", "msgpackr"]);
});

/** What a format that lives here takes for another value without a fault of the codec's: there is no checksum. */
const TAKES = ["one bit turned", "length of 2^31", "random", "cut off", "trailing bytes", "overlong varint"];

const isFull = process.env["WIREBENCH_TEST_CASES"] === "full";
const CASES = isFull ? Number.MAX_SAFE_INTEGER : 60;

it.each(["erlang-etf", "erlang-etf:z9", "erlang-etf:record", "python-pickle", "amf3"])(
  "%s: many values in few bytes do not end a process, nor take memory out of proportion",
  async (name) => {
    const trials = await Trials.of(await registry.codec(name), person);
    const { counts, worst } = run(trials, "many values");
    expect(Object.keys(counts), JSON.stringify(worst)).not.toContain("memory");
  },
);

describe.each(isFull ? ["tellist", "garden", "speed-small"] : ["speed-small"])(
  "codecs that live here, of %s",
  async (name) => {
    const dataset = excerptOf(await namedDataset(registry, name));
    it.each(["amf3", "erlang-etf", "python-pickle", "python-struct", "raw-struct"])(
      "%s: nothing stumbles, verified or not",
      async (codecName) => {
        const trials = await Trials.of(await registry.codec(codecName), dataset);
        for (const of of HOSTILE_CLASSES) {
          for (const verified of [false, true]) {
            const { counts, worst } = trials.run(of, verified, 0, CASES, none);
            // Neither the time of this process nor its memory is the codec's. It has bytes for texts, or texts without a check: the verifier has that.
            const takesText = of.name === "bad UTF-8" && !verified && /etf|raw/.test(codecName);
            const takes = TAKES.includes(of.name) || takesText;
            const allowed = ["same", "error", "slow", "memory", ...(takes ? ["other"] : [])];
            const told = `${of.name}, verified ${verified}: ${JSON.stringify(worst)}`;
            for (const outcome of Object.keys(counts)) expect(allowed, told).toContain(outcome);
          }
        }
      },
    );
  },
);

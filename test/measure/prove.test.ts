/** What was timed is proven afterwards, and nothing is called before it is timed that it does not take. */
import { describe, expect, it } from "vitest";
import type { Host, LoadedCodec, Surveys } from "../../src/measure/host.ts";
import type { Job, JobListeners, JobResult } from "../../src/measure/job.ts";
import { proveTimed } from "../../src/measure/prove.ts";
import { runJob } from "../../src/measure/run-job.ts";
import { type Binding, direct } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { UnsupportedError, VerificationError } from "../../src/model/errors.ts";
import type { OperationDefinition, Task } from "../../src/model/operation.ts";
import access from "../../src/operations/access.ts";
import build from "../../src/operations/build.ts";
import decode from "../../src/operations/decode.ts";
import encode from "../../src/operations/encode.ts";
import { always, field, schemaOf } from "../../src/schema/declare.ts";
import { compileVisitor } from "../../src/schema/generate/visit.ts";

const schema = schemaOf("test", [{ name: "test.Pair", fields: [field(1, "n", "int32", always)] }]);
const dataset: Dataset = { name: "pairs", schema, values: [{ n: 1 }, { n: 2 }, { n: 3 }], int64: "number" };
const OPERATIONS: Readonly<Record<string, OperationDefinition>> = { encode, decode, access, build };

/** JSON, of whose steps each call is noted, and some are changed. */
function bindingOf(calls: string[], change: (binding: Binding) => Partial<Binding> = () => ({})): Binding {
  const json = direct({
    write: (value) => Buffer.from(JSON.stringify(value)),
    read: (bytes) => JSON.parse(bytes.toString()),
    visit: compileVisitor(schema),
  });
  const binding = { ...json, direct: { build: false, plain: true }, ...change(json) };
  return {
    ...binding,
    write: (message) => {
      calls.push("write");
      return binding.write(message);
    },
    read: (bytes) => {
      calls.push("read");
      return binding.read(bytes);
    },
    access: (bytes) => {
      calls.push("access");
      return binding.access(bytes);
    },
  };
}

/** Runs a job in this process; `calls` has the mark "timed" where the measured phase of each operation ends. */
async function jobOf(
  bind: () => Binding,
  operations: readonly string[],
  calls: string[] = [],
  others: readonly string[] = [],
  surveys: Surveys = {},
  listeners: Partial<JobListeners> = {},
): Promise<JobResult["members"][number]> {
  const codec: LoadedCodec = {
    name: "test",
    format: "none",
    summary: "",
    importMs: 0,
    bind,
    expectLibrary: () => void calls.push("library"),
  };
  const host: Host = {
    runtime: { name: "test", version: "0", engine: "none" } as unknown as Host["runtime"],
    clock: { now: () => performance.now(), stepNanos: 1 },
    codec: async () => codec,
    dataset: async () => dataset,
    operation: async (name) => OPERATIONS[name]!,
    meter: { start: () => {}, stop: () => void calls.push("timed"), conditions: () => ({}) as never },
    surveys: async () => surveys,
  };
  const source = { codec: "test", plugins: [] };
  const job: Job = {
    members: [{ source, dataset: "pairs", operations, describe: true, survey: surveys.memory !== undefined }],
    int64: undefined,
    profile: { processes: 1, warmupMs: 1, measureMs: 1, batchMicros: 20 },
    others,
  };
  const result = await runJob(job, host, {
    onStep: () => {},
    onTimedAll: () => {},
    onMessage: () => {},
    onTimed: () => {},
    ...listeners,
  });
  return result.members[0]!;
}

describe("before an operation is timed", () => {
  it.each<[string, readonly string[]]>([
    ["encode", ["write"]],
    ["build", []],
    ["decode", ["read", "write"]],
    ["access", ["access", "write"]],
  ])(
    "in a process that does nothing else: of %s, only what it takes is called",
    async (operation, called) => {
      const calls: string[] = [];
      const member = await jobOf(() => bindingOf(calls), [operation], calls);
      expect(member.operations).toMatchObject([{ operation, samples: {} }]);
      const timed = calls.indexOf("timed");
      expect([...new Set(calls.slice(0, timed))].toSorted()).toEqual(called);
      // Then everything is proven.
      expect(calls.slice(timed)).toEqual(expect.arrayContaining(["read", "access", "library"]));
    },
  );

  it("its inputs are encoded once each", async () => {
    const calls: string[] = [];
    await jobOf(() => bindingOf(calls), ["decode"], calls);
    const before = calls.slice(0, calls.indexOf("timed"));
    expect(before.filter((call) => call === "write")).toHaveLength(3);
  });

  it("what comes before it in the process was timed too, and nothing was proven", async () => {
    const calls: string[] = [];
    await jobOf(() => bindingOf(calls), ["encode", "decode", "access"], calls);
    const [first, second, third] = calls.flatMap((call, index) => (call === "timed" ? [index] : []));
    expect(new Set(calls.slice(0, first))).toEqual(new Set(["write"]));
    expect(new Set(calls.slice(first! + 1, second))).toEqual(new Set(["write", "read"]));
    expect(new Set(calls.slice(second! + 1, third))).toEqual(new Set(["access"]));
    expect(calls.indexOf("library")).toBeGreaterThan(third!);
  });
});

it("together with others, each codec runs the same number of times in turns, however long that takes", async () => {
  const calls: string[] = [];
  await jobOf(() => bindingOf(calls), ["encode"], calls, ["pairs"]);
  const turns = calls.slice(0, calls.lastIndexOf("access", calls.indexOf("timed")) + 1);
  expect(turns).toEqual(Array.from({ length: 2 * 300 }, () => ["write", "read", "access"]).flat());
});

it("compression is timed before other processes may start, and memory is surveyed when it may be", async () => {
  const calls: string[] = [];
  const memory = (): { unavailable: string } => {
    calls.push("memory");
    return { unavailable: "a test" };
  };
  const compression = (): [] => {
    calls.push("compression");
    return [];
  };
  const surveys = { memory, compression };
  const member = await jobOf(() => bindingOf([]), ["encode", "decode"], [], [], surveys, {
    onTimedAll: () => void calls.push("timed all"),
    onMessage: ({ member, encoded }) => void calls.push(`message ${member}: ${atob(encoded)}`),
    onTimed: async ({ members }) => {
      calls.push(members[0]?.compression === undefined ? "lost" : "waits");
      await new Promise((resolve) => setTimeout(resolve, 5));
      calls.push("may go on");
    },
  });
  const [message = ""] = calls.splice(2, 1);
  expect(message).toMatch(/^message 0: \{"n":1/);
  expect(calls).toEqual(["compression", "timed all", "waits", "may go on", "memory", "memory"]);
  expect(member).toMatchObject({ compression: [], operations: [{ memoryReason: "a test" }, {}] });
});

describe("a codec that fails its proof has no times", () => {
  it.each<[string, (json: Binding) => Partial<Binding>, string]>([
    ["loses a field", () => ({ read: () => ({}) }), "round trip: n: expected 1, got nothing"],
    ["reads too little", () => ({ access: () => 0 }), "access: expected the checksum 1, got 0"],
    [
      "overwrites what it gave",
      () => {
        const shared = Buffer.alloc(8, " ");
        return {
          write: (value) => {
            shared.write(JSON.stringify(value));
            return shared;
          },
        };
      },
      "an encoded message was overwritten by a later call",
    ],
    [
      "throws",
      () => ({
        write: () => {
          throw new TypeError("no such luck");
        },
      }),
      "no such luck",
    ],
  ])("because it %s", async (_, change, reason) => {
    const member = await jobOf(() => bindingOf([], change), ["encode", "decode", "access"]);
    expect(member).toMatchObject({ refused: { status: "failed", reason }, bytes: 0, operations: [] });
    expect(member.dataset).toMatchObject({ values: 3 });
  });

  it("and is unsupported where its first message says so", async () => {
    const write = (): never => {
      throw new UnsupportedError("too long for it");
    };
    const member = await jobOf(() => bindingOf([], () => ({ write })), ["encode", "decode"]);
    expect(member.refused).toEqual({ status: "unsupported", reason: "too long for it" });
  });

  it("but one operation that is empty for it leaves the others", async () => {
    const none = (): Binding => bindingOf([], () => ({ direct: { build: true, plain: true } }));
    const { operations } = await jobOf(none, ["encode", "build"]);
    expect(operations).toMatchObject([
      { operation: "encode", samples: {} },
      { operation: "build", refused: { status: "unsupported" } },
    ]);
  });
});

describe("timed results", () => {
  const task: Task<number, number> = {
    inputs: [1, 2, 3],
    run: (input) => input,
    fold: (result) => result,
    check: () => {},
  };
  const prove = (change: Partial<typeof task>, folds?: readonly number[]): void =>
    proveTimed({ ...task, ...change } as Task, folds && Int32Array.from(folds), () => {});

  it("are right when every result is, and folds as the first ones did", () => {
    expect(() => prove({}, [1, 2, 3])).not.toThrow();
    expect(() => prove({}, [1, 2, 4])).toThrow("the timed calls' results fold to 4, a right one to 3");
  });

  it("are wrong when one of them is", () => {
    const check = (result: number, index: number): void => {
      if (index === 2) throw new VerificationError(`no ${result}`);
    };
    expect(() => prove({ check }, [1, 2, 3])).toThrow("no 3");
  });
});

/** What a selection between processes becomes before anything is sent, and which selections are refused. */
import { describe, expect, it } from "vitest";
import tellist from "../../src/datasets/tellist.ts";
import { type IpcPlan, makeIpcPlan } from "../../src/ipc/plan.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { UsageError } from "../../src/model/errors.ts";
import { IPC_TESTS } from "../../src/model/records/ipc.ts";

const CODECS = ["protobufjs", "capnp-ts", "flatbuffers", "msgpackr", "raw-struct"];

const BOOK: Dataset = {
  name: "book",
  schema: tellist.schema,
  values: [tellist.make(1, 0)],
  int64: "number",
};

/** Everything but the codecs, once for each. */
function testsOf(plan: IpcPlan): string[] {
  const lines = plan.cells.map(({ test, dataset, messages, reliability, depth, rateHz }) =>
    [test, dataset.name, messages, reliability, depth, rateHz ?? "flat out"].join(" "),
  );
  return [...new Set(lines)];
}

describe("a plan", () => {
  it("has the published parameters where nothing else is said", async () => {
    const plan = await makeIpcPlan({ tests: ["all"] });
    expect(plan.tests).toEqual(IPC_TESTS);
    expect(plan.codecs).toEqual(CODECS);
    expect(testsOf(plan)).toEqual([
      "latency frame:6500000 100 reliable 1 flat out",
      "latency cloud:6500000 100 reliable 1 flat out",
      "throughput frame:6500000 154 reliable 2 flat out",
      "stability frame:6500000 20000 reliable 1 flat out",
      "one-to-two frame:6500000 100 reliable 2 flat out",
      "one-to-two frame:6500000 100 best-effort 1 20",
      "one-to-two frame:26000000 100 reliable 2 flat out",
      "one-to-two frame:26000000 100 best-effort 1 20",
      "two-to-one frame:6500000 100 reliable 2 flat out",
      "two-to-one frame:6500000 100 best-effort 1 20",
      "two-to-one frame:26000000 100 reliable 2 flat out",
      "two-to-one frame:26000000 100 best-effort 1 20",
      "single-point frame:6500000 100 reliable 1 flat out",
      "single-point frame:6500000 1 reliable 1 flat out",
    ]);
    expect(plan.cells).toHaveLength(14 * CODECS.length);
  });

  it("has JSON beside the others for data of a user's own", async () => {
    const { codecs } = await makeIpcPlan({ tests: ["latency"], datasets: [BOOK] });
    expect(codecs).toEqual([...CODECS, "json"]);
  });

  it("has two listeners or two talkers where the test is called so", async () => {
    const { cells } = await makeIpcPlan({ tests: ["all"], codecs: ["json"], profile: "quick" });
    for (const { test, talkers, listeners } of cells) {
      expect([test, talkers, listeners]).toEqual([
        test,
        test === "two-to-one" ? 2 : 1,
        test === "one-to-two" ? 2 : 1,
      ]);
    }
  });

  it("has what was asked for", async () => {
    const plan = await makeIpcPlan({
      tests: ["latency", "one-to-two"],
      codecs: ["json", "ready-bytes"],
      datasets: ["cloud", "frame:1000", "tellist"],
      payloads: [640, 1600],
      messages: 7,
      transport: "nats://me:secret@host:4222",
      rateHz: 30,
      reliability: "best-effort",
      depth: 3,
    });
    expect(plan.codecs).toEqual(["json", "ready-bytes"]);
    expect(plan.transport).toEqual({
      name: "nats",
      address: "nats://me:secret@host:4222",
      shown: "nats://host:4222",
    });
    const each = ["cloud:640", "cloud:1600", "frame:1000", "tellist"];
    expect(testsOf(plan)).toEqual(
      ["latency", "one-to-two"].flatMap((test) => each.map((name) => `${test} ${name} 7 best-effort 3 30`)),
    );
  });

  it("says how much a message of any dataset holds", async () => {
    const { datasets } = await makeIpcPlan({ tests: ["latency"], datasets: ["frame:1000", BOOK] });
    const [first] = (tellist.make(1, 0) as { info: { name: string; phonenum: string | number }[] }).info;
    expect(datasets[0]?.payloadBytes).toBe(1000);
    expect(datasets[1]?.payloadBytes).toBeGreaterThan(first!.name.length);
    expect(datasets[1]?.payloadBytes).toBeLessThan(100);
  });

  it("sends as many small messages as make up the bytes, within bounds", async () => {
    const messages = async (payload: number): Promise<number> =>
      (await makeIpcPlan({ tests: ["throughput"], payloads: [payload], codecs: ["json"] })).cells[0]!
        .messages;
    expect(await messages(26_000_000)).toBe(39);
    expect(await messages(100_000)).toBe(10_000);
    expect(await messages(100)).toBe(100_000);
  });

  it.each([
    [{ tests: ["latencys"] }, 'unknown test "latencys", did you mean latency?'],
    [{ tests: [] }, "tests: expected at least one"],
    [{ tests: ["latency"], codecs: ["protobuf"] }, 'unknown codec "protobuf", did you mean protobufjs'],
    [{ tests: ["latency"], codecs: [] }, "codecs: expected at least one"],
    [{ tests: ["latency"], datasets: [] }, "datasets: expected at least one"],
    [{ tests: ["latency"], datasets: ["frames"] }, 'unknown dataset "frames", did you mean frame?'],
    [{ tests: ["latency"], transport: "udp" }, 'unknown transport "udp"'],
    [{ tests: ["latency"], transport: "tcp://1.2.3.4:5" }, 'transport "tcp://1.2.3.4:5": expected tcp alone'],
    [{ tests: ["latency"], transport: "uds:" }, "expected uds alone"],
    [{ tests: ["latency"], transport: "nats" }, "expected the address of a server, as nats://host:4222"],
    [{ tests: ["latency"], transport: "nats://" }, "expected the address of a server, as nats://host:4222"],
    [{} as never, "tests: expected a list, got nothing"],
    [{ tests: "latency" as never }, 'tests: expected a list, got "latency"'],
    [{ tests: ["latency"], payloads: [] }, "payloads: expected at least one"],
    [
      { tests: ["latency"], datasets: ["tellist", "frame:9", BOOK], payloads: [640] },
      "payload needs a dataset whose size is in bytes and not in its name, as frame: got tellist, frame:9, book",
    ],
    [{ tests: ["latency"], transport: 5 as never }, "transport: expected its name, got 5"],
    [{ tests: ["latency"], codecs: ["ready-byte"] }, 'unknown codec "ready-byte", did you mean ready-bytes?'],
    [{ tests: ["latency"], payloads: [1e12] }, "expected 1 to"],
    [{ tests: ["latency"], messages: 0 }, "messages: expected a whole number from 1"],
    [
      { tests: ["latency"], rateHz: 0.005 },
      "rate: a message would take 200 s, expected less than the timeout of 120 s",
    ],
    [{ tests: ["latency"], datasets: [BOOK, { ...BOOK }] }, 'two datasets are called "book"'],
    [{ tests: ["latency"], depth: 1000 }, 'depth: 1000 messages of "frame:6500000" on their way would take'],
    [{ tests: ["latency"], depth: 1.5 }, "depth: expected a whole number from 1"],
    [{ tests: ["latency"], rateHz: Number.NaN }, "rateHz: expected a number from"],
    [{ tests: ["latency"], reliability: "sure" as never }, 'unknown reliability "sure"'],
    [{ tests: ["latency"], profile: "thorough" as never }, 'unknown profile "thorough"'],
  ])("is refused with the reason: %j", async (selection, problem) => {
    const attempt = makeIpcPlan(selection);
    await expect(attempt).rejects.toThrow(UsageError);
    await expect(attempt).rejects.toThrow(problem);
  });
});

/** The schema of records between processes and their type say the same. */
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import recordSchema from "../../schemas/ipc-record.schema.json" with { type: "json" };
import { IPC_RECORD_VERSION, IPC_TESTS, type IpcRecord } from "../../src/model/records/ipc.ts";
import { openObjects, optionalFields } from "./fields.ts";
import { ipcRecordOf, measuredTest, refusedTest } from "./ipc-record.ts";

const PACE = { encodeMs: 2, transportMs: 4, decodeMs: 4 };
const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(recordSchema);

/** A test that has every field there is. */
const everything = measuredTest("two-to-one", "capnp-ts", PACE, {
  messages: 20_000,
  reason: "none",
  rateHz: 20,
  throughput: {
    messagesPerSecond: 100,
    payloadBytesPerSecond: 650e6,
    encodedBytesPerSecond: 660e6,
    shareOfMemcpy: 1.2,
  },
  drift: { slopePer1000: -1.5, ci95: [-4, 1], firstDecile: 1e7, lastDecile: 9e6 },
  unfairness: 1.25,
});

const full: IpcRecord = ipcRecordOf([everything]);

/** What may be left out, by where it is, with the places in lists left out. */
const OPTIONAL = [
  ".finishedAt",
  ...["values", "int64", "sha256"].map((name) => `.datasets.${name}`),
  ...["reason", "rateHz", "throughput", "drift", "unfairness"].map((name) => `.tests.${name}`),
  ...["encode", "transport", "queue", "decode", "endToEnd", "response"].flatMap((stage) => [
    `.tests.stages.${stage}`,
    ...percentiles(`.tests.stages.${stage}`),
  ]),
  ...percentiles(".tests.pairs.endToEnd"),
];

function percentiles(at: string): string[] {
  return ["min", "p50", "p90", "p99", "p999", "max"].map((name) => `${at}.${name}`);
}

describe("the schema of records between processes", () => {
  it.each([
    ["a full one", full],
    ["one of nothing", ipcRecordOf([])],
    ["one with holes", ipcRecordOf([refusedTest("latency", "amf3", "failed", "no such luck")])],
    [
      "one of few messages",
      ipcRecordOf([measuredTest("single-point", "v8", PACE, { messages: 1, warmup: 0 })]),
    ],
  ])("accepts %s", (_, record) => {
    expect(validate(record), JSON.stringify(validate.errors)).toBe(true);
  });

  it("asks for every field but the optional ones, and for no other", () => {
    expect(optionalFields(full, (record) => validate(record))).toEqual([...new Set(OPTIONAL)].toSorted());
    expect(openObjects(full, (record) => validate(record))).toEqual([]);
  });

  it("has the version and the tests of the type", () => {
    expect(recordSchema.properties.schemaVersion.const).toBe(IPC_RECORD_VERSION);
    expect(recordSchema.$defs.IpcTestName.enum).toEqual(IPC_TESTS);
  });

  it("asks for a reason where there are no numbers", () => {
    const { reason: _, ...silent } = refusedTest("latency", "amf3", "unsupported", "a list in a list");
    expect(validate(ipcRecordOf([silent]))).toBe(false);
  });
});

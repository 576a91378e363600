/** The schema of records of messages between two machines and their type say the same, and reports are made of them. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, describe, expect, it } from "vitest";
import recordSchema from "../../schemas/ipc-remote-record.schema.json" with { type: "json" };
import { renderedRecord } from "../../src/cli/commands/report.ts";
import { IPC_REMOTE_RECORD_VERSION, type IpcRemoteRecord } from "../../src/model/records/ipc-remote.ts";
import { renderRemoteMarkdown } from "../../src/reports/ipc-remote/markdown.ts";
import { renderRemoteText } from "../../src/reports/ipc-remote/text.ts";
import { IpcRemoteResults } from "../../src/store/ipc-results.ts";
import { type AnyRecord, readAnyRecord, readRecord } from "../../src/store/read-record.ts";
import { csvRows } from "./csv-rows.ts";
import { openObjects, optionalFields } from "./fields.ts";
import { timesOf } from "./ipc-record.ts";
import { recordOf } from "./record.ts";

const { tool, startedAt, environment } = recordOf([]);

/** A record of so many messages that has every field but a reason. */
function remoteRecordOf(messages: number, own: Partial<IpcRemoteRecord> = {}): IpcRemoteRecord {
  return {
    schemaVersion: 1,
    kind: "ipc-remote",
    tool: { ...tool, command: "wirebench ipc talker --channel lab" },
    startedAt,
    finishedAt: "2026-11-20T12:31:05.678Z",
    complete: true,
    environment,
    listener: {
      version: "9.8.7",
      library: "lib-protobufjs",
      libraryVersion: "1.2.3",
      cpu: "Abacus 8000",
      cores: 4,
      os: "linux 6.1 x64",
      node: "20.1.2",
    },
    channel: "lab",
    transport: "nats://host:4222",
    codec: "protobufjs",
    format: "protobuf",
    library: "lib-protobufjs",
    version: "1.2.3",
    dataset: "frame:650000",
    payloadBytes: 650_000,
    encodedBytes: 650_040,
    messages,
    warmup: 10,
    depth: 1,
    received: messages,
    lost: 0,
    stages: {
      encode: timesOf(messages, 1e6),
      decode: timesOf(messages, 2e6),
      roundTrip: timesOf(messages, 9e6),
      sentToAck: timesOf(messages, 8e6),
    },
    ...own,
  };
}

const full = remoteRecordOf(20_000, { reason: "none" });
const cut = remoteRecordOf(100, { complete: false, reason: "the listener\nis gone", received: 3, lost: 1 });
const few = remoteRecordOf(1);
const validate = new Ajv2020({ strict: true, strictRequired: false }).compile(recordSchema);

const folder = mkdtempSync(path.join(os.tmpdir(), "wbt-"));
const file = path.join(folder, "run.json");
afterAll(() => rmSync(folder, { recursive: true }));

/** What `wirebench report` prints of a record. */
function reported(record: unknown, format: string): Promise<string> {
  return renderedRecord(read(record), format);
}

function read(record: unknown): AnyRecord {
  writeFileSync(file, JSON.stringify(record));
  return readAnyRecord(file);
}

const OPTIONAL = [
  ".reason",
  ...["encode", "decode", "roundTrip", "sentToAck"].flatMap((stage) =>
    ["min", "p50", "p90", "p99", "p999", "max"].map((name) => `.stages.${stage}.${name}`),
  ),
];

describe("the schema of records between two machines", () => {
  it.each([
    ["a full one", full],
    ["one of a single message", few],
    ["one that was cut off", cut],
  ])("accepts %s", (_, record) => {
    expect(validate(record), JSON.stringify(validate.errors)).toBe(true);
  });

  it("asks for every field but the optional ones, and for no other", () => {
    expect(optionalFields(full, (record) => validate(record))).toEqual(OPTIONAL.toSorted());
    expect(openObjects(full, (record) => validate(record))).toEqual([]);
  });

  it("has the version of the type", () => {
    expect(recordSchema.properties.schemaVersion.const).toBe(IPC_REMOTE_RECORD_VERSION);
  });

  it("asks for a reason where it is not complete", () => {
    const { reason: _, ...silent } = cut;
    expect(validate(silent)).toBe(false);
  });
});

describe("a record between two machines that is read", () => {
  it.each([full, few, cut])("is the one that was written", (record) => {
    expect(read(record)).toEqual(record);
  });

  it("has every field but the optional ones", () => {
    const accepts = (record: unknown): boolean => {
      try {
        read(record);
        return true;
      } catch {
        return false;
      }
    };
    expect(optionalFields(full, accepts)).toEqual(OPTIONAL.toSorted());
  });

  it("is refused with the place of what is damaged", () => {
    const { reason: _, ...silent } = cut;
    expect(() => read({ ...full, lost: "none" })).toThrow(
      `${file}: damaged record: lost: expected a whole number from 0 on, got "none"`,
    );
    expect(() => read(silent)).toThrow(`${file}: damaged record: reason: expected a string, got nothing`);
    expect(() => read({ ...full, schemaVersion: 99 })).toThrow("expected schemaVersion 1, got 99");
    expect(() => read({ ...full, kind: "toString" })).toThrow(
      'there is no report of a record of the kind "toString"',
    );
  });

  it("is not taken for a run of codecs", () => {
    writeFileSync(file, JSON.stringify(full));
    expect(() => readRecord(file)).toThrow(
      `${file}: expected the record of wirebench run, got that of a run between processes`,
    );
  });
});

describe("the report of a record between two machines", () => {
  it("is the record, its text or its Markdown", async () => {
    expect(JSON.parse(await reported(full, "json"))).toEqual(full);
    expect(await reported(full, "text")).toBe(renderRemoteText(full));
    expect(await reported(full, "markdown")).toBe(renderRemoteMarkdown(full));
    await expect(reported(full, "bmf")).rejects.toThrow(
      'no report "bmf" of messages between two machines, expected one of csv, json, markdown, text',
    );
  });

  it("has a row of CSV for each figure", async () => {
    const [names = [], ...rows] = csvRows(await reported(cut, "csv"));
    const figures = rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
    expect(figures.map(({ measure, statistic }) => `${measure} ${statistic}`)).toEqual([
      "messages received",
      "messages lost",
      ...Object.entries(cut.stages).flatMap(([stage, times]) => {
        const measure = stage.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        return Object.keys(times).map((statistic) => `${measure} ${statistic}`);
      }),
    ]);
    expect(figures[1]).toMatchObject({
      unit: "messages",
      value: "1",
      codec: "protobufjs",
      complete: "false",
    });
    expect(figures[1]).toMatchObject({ listener_cpu: "Abacus 8000", reason: "the listener\nis gone" });
  });

  it("says in Markdown what was run, between which machines, and what came of it", () => {
    expect(renderRemoteMarkdown(remoteRecordOf(1000)).split("\n").slice(0, 16)).toEqual([
      "# wirebench report: between two machines",
      "",
      "- Command: `wirebench ipc talker --channel lab`",
      `- Date: ${startedAt}`,
      "- protobufjs (lib-protobufjs 1.2.3), frame:650000: 650,040 bytes a message, 1 at a time",
      "- 1000 of 1000 messages answered, after 10 of warm-up",
      "- talker: Abacus 9000, 2 cores, Node 20.1.2",
      "- listener: Abacus 8000, 4 cores, Node 20.1.2",
      "- through: nats://host:4222, channel lab",
      "",
      expect.stringMatching(/^\| +\| +min \| +p50 \| +p90 \| +p99 \| +p99\.9 \| +max \|$/),
      expect.stringMatching(/^\| -+ \|( -+: \|){6}$/),
      expect.stringMatching(/^\| encode +\| +960\u00a0µs \| +1\.00\u00a0ms \|/),
      expect.stringMatching(/^\| decode /),
      expect.stringMatching(/^\| sent to answered /),
      expect.stringMatching(/^\| round trip /),
    ]);
  });

  it("says why it is not complete", () => {
    expect(renderRemoteMarkdown(cut)).toContain(
      "- 3 of 100 messages answered, 1 lost, after 10 of warm-up: not complete\n",
    );
    expect(renderRemoteMarkdown(cut)).toContain("- not complete: the listener is gone\n");
  });

  it("lies beside the record", () => {
    const results = new IpcRemoteResults(path.join(folder, "out"));
    results.save(cut, [{ phase: "measured", sequence: 0, encode: 5 }]);
    expect(readdirSync(results.path).toSorted()).toEqual(["messages.csv", "report.md", "run.json"]);
    expect(readFileSync(path.join(results.path, "report.md"), "utf8")).toBe(renderRemoteMarkdown(cut));
    expect(readAnyRecord(path.join(results.path, "run.json"))).toEqual(cut);
  });
});

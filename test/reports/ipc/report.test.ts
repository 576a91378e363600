/** What the report of a run between processes says, read back from its text. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { IpcRecord, IpcTestRecord } from "../../../src/model/records/ipc.ts";
import { renderIpcMarkdown } from "../../../src/reports/ipc/markdown.ts";
import { renderIpcText } from "../../../src/reports/ipc/text.ts";
import { runs, SEED } from "../../seed.ts";
import { ipcRecordOf, measuredTest, pairOf, refusedTest, timesOf } from "../ipc-record.ts";

const CAPNP = { encodeMs: 2, transportMs: 4, decodeMs: 4 };
const PROTOBUF = { encodeMs: 10, transportMs: 5, decodeMs: 5 };

const record = ipcRecordOf([
  measuredTest("latency", "capnp-ts", CAPNP),
  measuredTest("latency", "protobufjs", PROTOBUF),
  refusedTest("latency", "raw-struct", "unsupported", "a list in a list"),
  refusedTest("latency", "amf3", "failed", "listener 0 ended with code 1"),
  measuredTest("throughput", "capnp-ts", CAPNP, {
    throughput: {
      messagesPerSecond: 246.9,
      payloadBytesPerSecond: 1.605e9,
      encodedBytesPerSecond: 1.7e9,
      shareOfMemcpy: 0.17,
    },
  }),
  measuredTest("stability", "capnp-ts", CAPNP, {
    messages: 20_000,
    drift: { slopePer1000: -1500, ci95: [-4000, 1000], firstDecile: 1.01e7, lastDecile: 0.99e7 },
  }),
  measuredTest("one-to-two", "protobufjs", PROTOBUF, {
    reliability: "best-effort",
    rateHz: 20,
    pairs: [pairOf(0, 0, 100, timesOf(98, 2e7), 2), pairOf(0, 1, 100, timesOf(95, 3e7), 5)],
  }),
  measuredTest("two-to-one", "protobufjs", PROTOBUF, { unfairness: 1.25 }),
  measuredTest("single-point", "capnp-ts", CAPNP, { warmup: 0 }),
  measuredTest("single-point", "capnp-ts", CAPNP, { warmup: 0, messages: 1 }),
]);

/** The cells of each row of the tables in a Markdown text, without the rules beneath the headings. */
function rowsOf(markdown: string): string[][] {
  const lines = markdown.split("\n").filter((line) => line.startsWith("|") && !/^[|\-: ]+$/.test(line));
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll("\\|", "|").replaceAll("\u00a0", " ")),
  );
}

/** The tables of a test's section, by heading: a row is its cells by the names of their columns. */
function tablesOf(markdown: string, test: string): Record<string, string>[][] {
  const [, section = ""] = markdown.split(new RegExp(`^## ${test}: .*$`, "m"));
  return (section.split(/^## /m)[0] ?? "")
    .split("\n\n")
    .filter((block) => block.startsWith("|"))
    .map((block) => {
      const [headings = [], ...rows] = rowsOf(block);
      // A share stands behind the figure that it is of.
      const names = headings.map((name, i) => (name === "%" ? `${headings[i - 1]} %` : name));
      return rows.map((row) => Object.fromEntries(row.map((cell, i) => [names[i], cell])));
    });
}

describe("the report between processes", () => {
  const markdown = renderIpcMarkdown(record);

  it("names the circumstances, the clock and the speed of memory", () => {
    expect(markdown).toContain("- Command: `wirebench ipc -c capnp-ts`\n");
    expect(markdown).toContain("- Date: 2026-11-20T12:30:05.678Z\n");
    expect(markdown).toContain("Abacus 9000, 2 cores, 8.0 GiB, linux 6.1 x64, load 0.5 0.25 0.1");
    expect(markdown).toContain("- Node 20.1.2, V8 11.3, --expose-gc; wirebench 9.8.7\n");
    expect(markdown).toContain("- Libraries: lib-amf3 1.2.3, lib-capnp-ts 1.2.3,");
    expect(markdown).toContain("- Transport: `uds`, inter-process\n");
    expect(markdown).toMatch(/- Clock: the monotonic clock .* from an unknown source\n/);
    expect(markdown).toContain("- Copying memory: 10,000 MB/s in pieces of 6,500,000 bytes\n");
  });

  it("says when a run was interrupted", () => {
    expect(renderIpcMarkdown({ ...record, complete: false })).toContain("(not complete:");
  });

  it("says when there are more processes than cores, and where", () => {
    expect(markdown).toContain("**More processes than cores.**");
    expect(markdown).toContain("one-to-two has 3 at work, two-to-one has 3 at work");
    const { cpu } = record.environment;
    const roomy = { ...record, environment: { ...record.environment, cpu: { ...cpu, cores: 3 } } };
    expect(renderIpcMarkdown(roomy)).not.toContain("More processes");
  });

  it("says that profile quick is scaled down", () => {
    expect(markdown).not.toContain("Scaled down");
    const quick: IpcRecord = { ...record, options: { ...record.options, profile: "quick" } };
    expect(renderIpcMarkdown(quick)).toContain("**Scaled down.**");
    expect(renderIpcText(quick)).toContain("scaled down");
  });

  it("has a row per codec: sizes, what became of the messages, and end-to-end times", () => {
    const [messages] = tablesOf(markdown, "latency");
    expect(messages?.[0]).toEqual({
      codec: "capnp-ts",
      payload: "6,500,000",
      encoded: "6,500,040",
      received: "100 of 100",
      "dropped: sender": "0",
      overwritten: "0",
      receiver: "0",
      p50: "10.0 ms",
      p90: "10.4 ms",
      p99: "",
      max: "30.0 ms",
    });
    expect(messages?.map((row) => row["codec"])).toEqual(["capnp-ts", "protobufjs", "raw-struct", "amf3"]);
    expect(messages?.[2]).toMatchObject({ received: "unsupported", p50: "", max: "" });
    expect(messages?.[3]).toMatchObject({ received: "failed", p50: "", max: "" });
  });

  it("has the reason of each hole and failure", () => {
    expect(markdown).toContain("\n- raw-struct: unsupported: a list in a list\n");
    expect(markdown).toContain("\n- amf3: failed: listener 0 ended with code 1\n");
  });

  it("says where the time went, and with what shares", () => {
    const [, stages] = tablesOf(markdown, "latency");
    expect(stages?.[0]).toEqual({
      codec: "capnp-ts",
      encode: "2.00 ms",
      "encode %": "20 %",
      transport: "4.00 ms",
      "transport %": "40 %",
      queue: "10.0 µs",
      "queue %": "0.1 %",
      decode: "4.00 ms",
      "decode %": "40 %",
      response: "11.0 ms",
      "response p99": "",
      "response max": "33.0 ms",
    });
    expect(stages).toHaveLength(2);
  });

  it("has the greatest time where too few messages tell a median, and says so", () => {
    const few = renderIpcMarkdown(
      ipcRecordOf([measuredTest("latency", "capnp-ts", CAPNP, { messages: 19 })]),
    );
    const [messages, stages] = tablesOf(few, "latency");
    expect(messages?.[0]).toMatchObject({ p50: "", p90: "", p99: "", max: "30.0 ms" });
    expect(stages?.[0]).toMatchObject({ encode: "max 6.00 ms", "encode %": "20 %", response: "max 33.0 ms" });
  });

  it("has p99.9 only where there is one", () => {
    expect(tablesOf(markdown, "stability")[0]?.[0]).toMatchObject({ p99: "15.0 ms", "p99.9": "20.0 ms" });
    expect(tablesOf(markdown, "latency")[0]?.[0]).not.toHaveProperty("p99.9");
  });

  it("has the throughput by payload, by what was sent, and as a share of copying", () => {
    expect(tablesOf(markdown, "throughput")[2]).toEqual([
      {
        codec: "capnp-ts",
        "messages/s": "246.9",
        "payload MB/s": "1,605",
        "encoded MB/s": "1,700",
        "of memcpy": "17 %",
      },
    ]);
  });

  it("has a row per talker and listener", () => {
    expect(tablesOf(markdown, "one-to-two")[2]).toEqual([
      {
        codec: "protobufjs",
        talker: "0",
        listener: "0",
        received: "98 of 100",
        "dropped: sender": "0",
        overwritten: "0",
        receiver: "2",
        total: "1.23 s",
        "out of order": "0",
        p50: "20.0 ms",
        p90: "",
        max: "60.0 ms",
        "× quickest": "1.00",
      },
      expect.objectContaining({ listener: "1", received: "95 of 100", receiver: "5", "× quickest": "1.50" }),
    ]);
    expect(tablesOf(markdown, "one-to-two")[0]?.[0]).toMatchObject({
      received: "193 of 200",
      receiver: "7",
    });
    expect(tablesOf(markdown, "two-to-one")[2]?.map(({ talker, listener }) => [talker, listener])).toEqual([
      ["0", "0"],
      ["1", "0"],
    ]);
    expect(markdown).toContain("as a multiple of the quickest's: protobufjs 1.25.");
  });

  it("has the drift of times and memory", () => {
    expect(tablesOf(markdown, "stability")[2]).toEqual([
      {
        codec: "capnp-ts",
        "drift per 1,000": "-1.50 µs",
        "95 % interval": "-4.00 µs to +1.00 µs",
        "first tenth": "10.1 ms",
        "last tenth": "9.90 ms",
        "memory per 1,000: talker": "+500 kB",
        listener: "+500 kB",
      },
    ]);
  });

  it("has what starting, the first message and each further one took a process", () => {
    const tables = tablesOf(markdown, "single-point");
    expect(tables[2]?.[0]).toEqual({
      codec: "capnp-ts",
      process: "talker 0",
      start: "60.0 ms",
      bind: "60.0 ms",
      connect: "2.50 ms",
      "first message": "10.0 ms",
      // 200 ms for all, of which 10 for the first.
      "each further": "1.92 ms",
      all: "200 ms",
    });
    expect(tables[6]?.[0]).toMatchObject({ "each further": "", all: "2.00 ms" });
  });

  it("has what each process took", () => {
    const processes = tablesOf(markdown, "two-to-one")[3];
    expect(processes?.map((row) => row["process"])).toEqual(["talker 0", "talker 1", "listener 0"]);
    expect(processes?.[0]).toEqual({
      codec: "protobufjs",
      process: "talker 0",
      "CPU user": "1.00 s",
      system: "12.0 ms",
      handling: "1.00 s",
      "memory before": "100 MB",
      after: "120 MB",
      peak: "150 MB",
      collections: "7",
      all: "14.0 ms",
      longest: "5.00 ms",
      stalled: "3.00 ms",
    });
  });

  it("says which codecs did not keep the pace, and of the others nothing", () => {
    const pace = { encodeMs: 1, transportMs: 1, decodeMs: 1 };
    const rowOf = (codec: string, totalMs: number): IpcTestRecord => {
      const row = measuredTest("latency", codec, pace, { rateHz: 100, messages: 101 });
      return { ...row, pairs: row.pairs.map((pair) => ({ ...pair, published: 101, totalMs })) };
    };
    const text = renderIpcMarkdown(ipcRecordOf([rowOf("quick", 1010), rowOf("slow", 4000)]));
    expect(text).toContain("- slow did not keep the pace: 25 of 100 messages per second");
    expect(text).not.toContain("quick did not keep");
  });

  it("says in which way messages were sent, and keeps the ways apart", () => {
    const way = "6,500,000 bytes of payload; ";
    expect(markdown).toContain(
      `### 100 messages per talker after 10 of warm-up; ${way}best effort, queues keep 1; 20 per second and talker; uds, inter-process`,
    );
    expect(markdown).toContain(
      `### 1 message per talker, no warm-up; ${way}reliable, 1 on the way at most; each sent as soon as it may be; uds, inter-process`,
    );
    expect(markdown.match(/^## single-point: frame$/gm)).toHaveLength(1);
  });

  it("shows its plots, whatever they are called", () => {
    const plots = [
      { file: "plots/latency frame:(1).svg", title: "latency [frame]\n](x)" },
      { file: "a.svg", title: "a" },
    ];
    const shown = renderIpcMarkdown(record, plots);
    expect(shown).toContain(
      "\n![latency \\[frame\\] \\](x)](plots/latency%20frame:%281%29.svg)\n\n![a](a.svg)\n",
    );
    expect(markdown).not.toContain("## Plots");
  });

  it("holds together before anything was measured", () => {
    expect(renderIpcMarkdown(ipcRecordOf([]))).toContain("# wirebench report");
    expect(renderIpcText(ipcRecordOf([]))).toContain("standard");
  });

  it("keeps names and reasons in their places", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "|", "\n", "\r", "\u001b", "`", "\\", "é", "]") });
    fc.assert(
      fc.property(name, name, name, (codec, dataset, text) => {
        const hostile = ipcRecordOf([
          measuredTest("two-to-one", codec, CAPNP, { dataset, transport: text, unfairness: 1 }),
          refusedTest("two-to-one", `${codec}x`, "failed", text, { dataset, transport: text }),
        ]);
        const shown = renderIpcMarkdown(hostile, [{ file: text, title: text }]);
        const tables = rowsOf(shown);
        expect(new Set(tables.map((row) => row.length))).toEqual(new Set([11, 12, 13]));
        expect(shown.match(/^## /gm)).toHaveLength(3);
        expect(shown).not.toMatch(/\p{Cc}(?<!\n)/u);
        expect(renderIpcText(hostile)).not.toMatch(/\p{Cc}(?<!\n)/u);
        expect(renderIpcText(hostile).match(/^.*two-to-one: /gm)).toHaveLength(1);
      }),
      { seed: SEED, numRuns: runs(50) },
    );
  });
});

describe("the terminal's tables between processes", () => {
  const text = renderIpcText(record);

  it("have a section per test and way, and the reasons", () => {
    expect(
      text.match(/^(latency|throughput|stability|one-to-two|two-to-one|single-point): frame: /gm),
    ).toHaveLength(7);
    expect(text).toMatch(
      /^capnp-ts +6,500,000 +6,500,040 +100 of 100 +0 +0 +0 +10\.0 ms +10\.4 ms +30\.0 ms$/m,
    );
    expect(text).toContain("amf3: failed: listener 0 ended with code 1");
  });
});

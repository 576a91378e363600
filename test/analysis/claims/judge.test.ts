/** What becomes of published claims by the cells of a run. */
import { describe, expect, it } from "vitest";
import { judgeClaims } from "../../../src/analysis/claims/judge.ts";
import { CLAIMS, claimOf } from "../../../src/analysis/claims/statements.ts";
import type { ClaimResult, Side } from "../../../src/model/records/claims.ts";
import type { Cell, RunRecord } from "../../../src/model/records/run.ts";
import { measured, recordOf, refused } from "../../reports/record.ts";

/** A cell of any dataset, of a native program where it has one. */
function cell(name: string, operation: string, bytes: number, median: number, own: object = {}): Cell {
  return { ...measured(name, operation, bytes, median), ...own };
}

function runOf(cells: readonly Cell[]): RunRecord {
  return { ...recordOf(cells), noise: { twin: "A/A", spread: 0.01, gate: 0.01 } };
}

function resultOf(id: string, cells: readonly Cell[], side: Side = "typescript"): ClaimResult {
  const [claim] = judgeClaims([claimOf(id)!], { run: runOf(cells) });
  const found = claim!.results.filter((result) => result.side === side);
  expect(found).toHaveLength(1);
  return found[0]!;
}

const LIST = [
  cell("protobufjs", "encode", 841, 5000),
  cell("protobufjs", "access", 841, 5000),
  cell("flatbuffers", "encode", 1712, 44_000),
  cell("flatbuffers", "access", 1712, 500),
  cell("raw-struct", "encode", 1784, 1000),
  cell("raw-struct", "access", 1784, 300),
];

const on = (dataset: string) => ({ dataset });

describe("the published claims", () => {
  it("are 18, each with an id of its own", () => {
    expect(new Set(CLAIMS.map(({ id }) => id)).size).toBe(18);
  });

  it("have the published ratios, by the published figures", () => {
    const published = Object.fromEntries(
      CLAIMS.map(({ id, tests = [] }) => [
        id,
        tests.map((test) => test.published.map((ratio) => Number(ratio.toPrecision(3)))),
      ]),
    );
    expect(published).toMatchObject({
      "fb-size-2x-pb": [[2.04]],
      "fb-encode-faster": [[0.823, 0.767]],
      "fb-decode-9x-faster": [[0.103, 0.117]],
      "struct-fastest": [[0.351, 0.34], [0.0612, 0.0539], expect.anything(), expect.anything()],
      "etf-encode-fast": [[2.79], [2.53]],
      "etf-zlib-costs": [[0.397], [21.1], [8.4], [0.22], [23.2], [5.11]],
      "etf-9-not-worth-it": [[0.982], [3.95]],
      "etf-not-below-pb": [[1.36], [0.913]],
      "pickle-5x-amf3": [[5.07]],
      "amf3-smaller": [[0.756]],
      "struct-pack-cheap": [[21.2]],
      "unpack-faster": [
        [1.15, 1.2],
        [1.15, 1.2],
      ],
    });
  });

  it.each([
    ["fb-size-2x-pb", "holds"],
    ["fb-encode-faster", "reversed"],
    ["fb-decode-9x-faster", "holds"],
    ["struct-fastest", "holds"],
    ["struct-smallest", "impossible"],
  ])("%s: %s", (id, verdict) => {
    expect(resultOf(id, LIST)).toMatchObject({ verdict });
  });

  it("have a ratio with an interval and the figures that it is of", () => {
    expect(resultOf("fb-encode-faster", LIST).parts).toEqual([
      {
        what: "encode of tellist, flatbuffers to protobuf",
        published: [expect.closeTo(0.823, 3), expect.closeTo(0.767, 3)],
        figures: [
          { of: "encode flatbuffers", value: 44_000, unit: "nanoseconds" },
          { of: "encode protobufjs", value: 5000, unit: "nanoseconds" },
        ],
        ratio: expect.closeTo(8.8, 5),
        ci95: [expect.closeTo(8.8, 5), expect.closeTo(8.8, 5)],
        verdict: "reversed",
      },
    ]);
  });

  it("compare rates by the bytes of each encoding, as was published", () => {
    const cells = ["speed-small", "speed-large"].flatMap((dataset) => [
      cell("erlang-etf:record", "encode", 900, 1000, on(dataset)),
      cell("erlang-etf:record-z6", "encode", 300, 8000, on(dataset)),
    ]);
    const { verdict, parts } = resultOf("etf-zlib-costs", cells);
    expect(verdict).toBe("holds");
    expect(parts.map(({ ratio }) => ratio)).toEqual(
      [1 / 3, 24, 8, 1 / 3, 24, 8].map((ratio) => expect.closeTo(ratio, 6)),
    );
  });

  it.each([
    ["nothing", [], "flatbuffers was not measured"],
    ["the one codec", [LIST[0]!, LIST[1]!], "flatbuffers was not measured"],
    [
      "a reason",
      [LIST[0]!, refused("flatbuffers", "encode", "failed", "it crashed")],
      "flatbuffers: failed: it crashed",
    ],
  ])("are not testable where there is %s", (_, cells, reason) => {
    expect(resultOf("fb-encode-faster", cells)).toMatchObject({ verdict: "not testable", reason });
  });

  it("are not testable from a single block", () => {
    const single = LIST.map(({ nanos, ...rest }) => {
      const first = <T>(all: readonly T[]): T[] => all.slice(0, 1);
      const { blocks, batches, loops, processes } = nanos!;
      return {
        ...rest,
        nanos: {
          ...nanos!,
          blocks: first(blocks),
          batches: first(batches),
          loops: first(loops),
          processes: first(processes),
        },
      };
    });
    expect(resultOf("fb-encode-faster", single).verdict).toBe("not testable");
    expect(resultOf("fb-size-2x-pb", single).verdict).toBe("holds");
  });
});

describe("the originals", () => {
  const NATIVE = LIST.map((one) => ({
    ...one,
    codec: {
      protobufjs: "protobuf (C++ 3.21)",
      flatbuffers: "flatbuffers (C++ 22.12)",
      "raw-struct": "raw-struct (C++)",
    }[one.codec]!,
    program: "cpp/program",
  }));

  it("have verdicts of their own beside those of the codecs", () => {
    const faster = NATIVE.map((one) =>
      one.codec.startsWith("flatbuffers") && one.operation === "encode"
        ? { ...one, nanos: measured("", "", 0, 2500).nanos! }
        : one,
    );
    const cells = [...LIST, ...faster];
    expect(resultOf("fb-encode-faster", cells, "native")).toMatchObject({
      verdict: "holds",
      subjects: ["flatbuffers (C++ 22.12)", "protobuf (C++ 3.21)"],
    });
    expect(resultOf("fb-encode-faster", cells)).toMatchObject({ verdict: "reversed" });
  });

  it("are not taken from a variant or from another codec", () => {
    const reused = NATIVE.map((one) => ({ ...one, codec: one.codec.replace(" (", ":reused (") }));
    expect(resultOf("fb-encode-faster", reused, "native")).toMatchObject({
      verdict: "not testable",
      reason: "the original of FlatBuffers was not measured",
    });
  });
});

import { describe, expect, it } from "vitest";
import type { ByteUses } from "../../../src/model/records/byte-uses.ts";
import type { RunRecord } from "../../../src/model/records/run.ts";
import { usesBars } from "../../../src/reports/page/uses.ts";
import { usesLines, usesTable } from "../../../src/reports/sections/run/uses.ts";
import { viewOf } from "../../../src/reports/view.ts";
import { type Choice, runOf } from "../../analysis/answer/choices.ts";

const NOTHING: ByteUses = { text: 0, numbers: 0, blobs: 0, keys: 0, structure: 0, padding: 0 };

const USES: Readonly<Record<string, Partial<ByteUses>>> = {
  json: { text: 100, numbers: 20, keys: 60, structure: 20 },
  protobufjs: { text: 98, numbers: 10, structure: 30 },
};

function dataOf(choices: Readonly<Record<string, Choice>>, uses = USES) {
  const record = runOf(choices, { noise: 0.0001 });
  const [{ name }] = record.datasets as [RunRecord["datasets"][number]];
  const payloads = Object.entries(uses).map(([codec, some]) => {
    const bytes = Object.values(some).reduce((sum, one) => sum + one);
    return { dataset: name, codec, bytes, gzip: 1, brotli: 1, uses: { ...NOTHING, ...some } };
  });
  return viewOf({
    ...record,
    payloads: [...payloads, { dataset: name, codec: "zip", bytes: 9, gzip: 1, brotli: 1 }],
  }).datasets[0]!;
}

const SLOW_JSON = {
  json: { bytes: 200, encode: 9000, decode: 9000 },
  protobufjs: { bytes: 138, encode: 1000, decode: 1000 },
};

describe("where the bytes of codecs go", () => {
  it("is a row for each codec whose bytes are known, the smallest first, and a column for what some have", () => {
    const table = usesTable(dataOf(SLOW_JSON))!;
    expect(table.columns.map(({ heading }) => heading)).toEqual([
      "codec",
      "bytes",
      "text",
      "numbers",
      "keys",
      "structure",
    ]);
    expect(table.rows).toEqual([
      ["protobufjs", "138", "98", "10", "", "30"],
      ["json", "200", "100", "20", "60", "20"],
    ]);
    expect(usesTable(dataOf(SLOW_JSON, {}))).toBeUndefined();
  });

  it("is said in words, for JSON as shares and for all as the least and the most", () => {
    expect(usesLines(dataOf(SLOW_JSON))).toEqual([
      "a message in json is 50 % text, 10 % numbers, 30 % keys, 10 % structure",
      "text takes 98 bytes in protobufjs, and 100 in json",
      "numbers take 10 bytes in protobufjs, and 20 in json",
      "keys take 0 bytes in protobufjs, and 60 in json",
      "structure takes 20 bytes in json, and 30 in protobufjs",
    ]);
    expect(usesLines(dataOf(SLOW_JSON, {}))).toEqual([]);
  });

  it("says where nothing is faster than JSON, and how much of it is text", () => {
    const lines = usesLines(
      dataOf({
        json: { bytes: 200, encode: 1000, decode: 9000 },
        protobufjs: { bytes: 138, encode: 9000, decode: 1000 },
      }),
    );
    expect(lines.at(-1)).toContain(
      "nothing is faster than json to encode: text and keys are 80 % of its bytes",
    );
  });

  it("is drawn as bars, the longest as wide as the page", () => {
    const html = usesBars(dataOf(SLOW_JSON))
      .map((one) => one.html)
      .join("");
    const widths = [...html.matchAll(/width:([\d.]+)%/g)].map(([, width]) => Number(width));
    expect(widths).toEqual([49, 5, 15, 50, 10, 30, 10]);
    expect(usesBars(dataOf(SLOW_JSON, {}))).toEqual([]);
  });
});

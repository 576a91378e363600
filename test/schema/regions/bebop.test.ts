/** Regions of Bebop's messages where the library reads, and of messages that no library of this schema writes. */
import { BebopView } from "bebop";
import { afterEach, describe, expect, it, vi } from "vitest";
import { namedDataset } from "../../../src/catalog/dataset.ts";
import { Registry } from "../../../src/catalog/registry.ts";
import { bytesOf } from "../../../src/model/codec.ts";
import type { Region } from "../../../src/model/region.ts";
import { bebopRegions } from "../../../src/schema/regions/bebop.ts";
import { encodeValue } from "../../../src/schema/values/transcode.ts";
import { list, mapOf, messageType, of, ofMessage, schemaOf, single } from "../schema-of.ts";
import { expectTiles } from "./tiling.ts";

const registry = await Registry.open();

const METHODS = [
  "readMessageLength",
  "readByte",
  "readInt16",
  "readUint16",
  "readInt32",
  "readUint32",
  "readInt64",
  "readUint64",
  "readFloat32",
  "readFloat64",
] as const;

afterEach(() => {
  vi.restoreAllMocks();
});

it.each(["tellist", "garden", "frame", "packet", "speed-small", "cloud:20"])(
  "the library reads a number of %s wherever a region begins that is no text and no bytes",
  async (name) => {
    const dataset = await namedDataset(registry, name);
    const binding = await (await registry.codec("bebop")).bind(dataset);
    const bytes = bytesOf(encodeValue(binding, dataset.values[0]!), "bebop");
    const view = BebopView.getInstance();
    const starts = new Set<number>();
    for (const method of METHODS) {
      const original = view[method].bind(view) as () => never;
      vi.spyOn(view, method).mockImplementation(() => {
        starts.add(view.index);
        return original();
      });
    }
    binding.read(bytes);
    const numbers = [...bebopRegions(bytes, dataset).regions].filter(
      ({ type }) => !["text", "bytes", "key"].includes(type),
    );
    expect(numbers.map(({ offset }) => offset)).toEqual([...starts]);
  },
);

const schema = schemaOf(
  "p",
  [
    { name: "x", type: of("uint8") },
    { name: "texts", type: of("string"), repetition: list },
    { name: "map", type: of("uint8"), repetition: mapOf("string") },
    { name: "inner", type: ofMessage("p.N"), repetition: list },
  ],
  { messages: [messageType("p.N", [{ name: "n", type: of("uint8"), repetition: single("implicit") }])] },
);

const RECURSIVE = schemaOf("r", [{ name: "r", type: ofMessage("r.M") }]);

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function read(hex: string) {
  const bytes = Buffer.from(hex.replaceAll(" ", ""), "hex");
  const anatomy = bebopRegions(bytes, { name: "m", schema, values: [], int64: "number" });
  expectTiles(bytes, anatomy);
  const { regions, defaults, problem } = anatomy;
  const all: Region[] = [...regions];
  const shown = all.filter(({ leaf }) => leaf === true).map(({ place, value }) => `${place.path} ${value}`);
  return {
    leaves: [...shown, ...defaults.map(({ place, value }) => `${place.path} ${value}, not written`)],
    unknown: all.flatMap(({ role, offset, length }) =>
      role === "unknown" ? [`${length} at ${offset}`] : [],
    ),
    problem: problem && `${problem.code} at ${problem.offset}: ${problem.message}`,
  };
}

describe("a message of Bebop", () => {
  it("is unknown from an index on that the schema lacks, up to its end", () => {
    expect(read("15000000 04 02000000 04000000 09 aabb 00 03000000 01 05 00 00")).toEqual({
      leaves: ["inner[1].n 5", "inner[0].n 0, not written"],
      unknown: ["4 at 13"],
      problem: undefined,
    });
    expect(read("04000000 01 05 0907")).toEqual({ leaves: ["x 5"], unknown: ["2 at 6"], problem: undefined });
  });

  it("has the last of a field and of a key that stand twice", () => {
    expect(read("05000000 01 05 01 06 00").leaves).toEqual(["x 6"]);
    const twice = "03 02000000 01000000 61 07 01000000 61 08";
    expect(read(`12000000 ${twice} 00`)).toEqual({ leaves: ["map.a 8"], unknown: [], problem: undefined });
  });

  it("is read up to where it is cut off", () => {
    expect(read("12000000 01 05 02 02000000 01000000 61 0100")).toEqual({
      leaves: ["x 5", "texts[0] a"],
      unknown: ["2 at 16"],
      problem: expect.stringMatching(/^truncated at 4: .*expected 18 more bytes, got 14/),
    });
  });

  it("is passed where one in it is broken, and bounds that", () => {
    const broken = read("17000000 04 02000000 04000000 01 05 00 ff 03000000 01 06 00 01 07 00");
    expect(broken.leaves).toEqual(["inner[0].n 5", "inner[1].n 6", "x 7"]);
    expect(broken.unknown).toEqual(["1 at 16"]);
    expect(broken.problem).toMatch(/^corrupt at 16: .*1 byte of a message after its end/);
    const short = read("11000000 04 01000000 02000000 01 05 01 07 00");
    expect(short.leaves).toEqual(["inner[0].n 5", "x 7"]);
  });

  it("stops where messages are nested too deeply, and reads what is nearly as deep", () => {
    for (const [depth, isRead] of [
      [100, true],
      [101, false],
      [5000, false],
    ] as const) {
      let bytes = Buffer.from("0100000000", "hex");
      for (let i = 1; i < depth; i++)
        bytes = Buffer.concat([uint32(bytes.length + 2), Buffer.of(1), bytes, Buffer.of(0)]);
      const { problem } = bebopRegions(bytes, { name: "r", schema: RECURSIVE, values: [], int64: "number" });
      expect(problem?.code).toBe(isRead ? undefined : "limit");
    }
  });

  it("with a count of four billion ends with its bytes", () => {
    expect(read("0a000000 02 ffffffff 01000000 61 00").leaves).toEqual(["texts[0] a"]);
  });
});

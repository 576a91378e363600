import {
  Schema as Columns,
  Dictionary,
  Field,
  Int32,
  makeBuilder,
  RecordBatch,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
  Vector,
} from "apache-arrow";
import { describe, expect, it } from "vitest";
import { Registry } from "../../src/catalog/registry.ts";
import { DecodeError, UnsupportedError } from "../../src/model/errors.ts";
import type { Presence } from "../../src/model/schema.ts";
import type { Value } from "../../src/model/value.ts";
import { decodeTrusted, decodeUntrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { list, mapOf, messageType, of, ofMessage, schemaOf, single } from "../schema/schema-of.ts";
import { datasetOf } from "./dataset.ts";

const codec = await (await Registry.open()).codec("apache-arrow");
const rows = { name: "rows", type: ofMessage("t.Row"), repetition: list };

/** A table of rows with these fields. */
function tableOf(fields: Parameters<typeof messageType>[1], values: readonly Value[]) {
  return datasetOf(
    schemaOf("t", [rows], { messages: [messageType("t.Row", fields)] }),
    values.map((value) => ({ rows: value })),
  );
}

const text = (presence: Presence) => ({ name: "a", type: of("string"), repetition: single(presence) });

async function encoded(dataset: ReturnType<typeof datasetOf>): Promise<Uint8Array> {
  return encodeValue(await codec.bind(dataset), dataset.values[0]!) as Uint8Array;
}

async function decode(dataset: ReturnType<typeof datasetOf>, bytes: Uint8Array): Promise<Value> {
  return decodeUntrusted(codec.name, await codec.bind(dataset), dataset, bytes);
}

describe("a table", () => {
  it("is a column for each field, which the library reads by its name", async () => {
    const dataset = tableOf([text("always"), { name: "b" }], [[{ a: "x", b: 1 }, { a: "y" }]]);
    const table = tableFromIPC(await encoded(dataset));
    expect(table.schema.fields.map(String)).toEqual(["a: Utf8", "b: Int32"]);
    expect(table.schema.fields.map(({ nullable }) => nullable)).toEqual([false, true]);
    expect(table.toArray().map((row) => row?.toJSON())).toEqual([
      { a: "x", b: 1 },
      { a: "y", b: null },
    ]);
  });

  it("is a list of messages and nothing else", async () => {
    const row = messageType("t.Row", [{}]);
    for (const fields of [[{}], [rows, {}], [{ ...rows, repetition: mapOf("string") }]]) {
      const dataset = datasetOf(schemaOf("t", fields, { messages: [row] }), []);
      await expect(codec.bind(dataset)).rejects.toThrow(
        new UnsupportedError("apache-arrow: t.M is no table: a list of messages, and nothing else"),
      );
    }
  });

  it("has columns, and none that is within itself", async () => {
    const within = { name: "row", type: ofMessage("t.Row") };
    await expect(codec.bind(tableOf([within], []))).rejects.toThrow("apache-arrow: t.Row is within itself");
    await expect(codec.bind(tableOf([], []))).rejects.toThrow(
      "apache-arrow: t.Row has no field, so no column",
    );
  });

  it("refuses text that the library reads without its first character", async () => {
    const dataset = tableOf([text("always")], [[{ a: "x" }, { a: "\ufeffx" }]]);
    await expect(codec.bind(dataset)).rejects.toThrow("rows[1].a: apache-arrow takes a byte order mark off");
  });
});

describe("a table of another version", () => {
  const read = async (dataset: ReturnType<typeof datasetOf>, bytes: Uint8Array): Promise<Value> =>
    decodeTrusted(await codec.bind(dataset), bytes);

  it("is read by the names of its columns, as the library gives rows", async () => {
    const [a, b] = [text("always"), { name: "b", type: of("int32"), repetition: single("always") }];
    const more = [
      { name: "more", type: of("string"), repetition: single("always") },
      { name: "l", type: of("int32"), repetition: list },
      { name: "m", type: of("string"), repetition: mapOf("string") },
    ];
    const wide = tableOf([...more, b, a], [[{ more: "?", l: [1], m: { k: "v" }, b: 7, a: "x" }]]);
    const narrow = tableOf([a, b], [[{ a: "x", b: 7 }]]);
    expect(await read(narrow, await encoded(wide))).toEqual({ rows: [{ a: "x", b: 7 }] });
    expect(await read(wide, await encoded(narrow))).toEqual({ rows: [{ a: "x", b: 7, l: [], m: {} }] });
  });

  it("gives what its columns have where the types are others", async () => {
    const column = (scalar: Parameters<typeof of>[0], value: Value) =>
      tableOf([{ name: "n", type: of(scalar), repetition: single("optional") }], [[{ n: value }, {}]]);
    const of32 = column("int32", 5);
    for (const [written, value] of [
      [column("int64", 5), 5],
      [column("double", 0.5), 0.5],
      [column("string", "q"), "q"],
      [column("bool", true), true],
      [tableOf([{ name: "n", type: of("int32"), repetition: list }], [[{ n: [1, 2] }, { n: [] }]]), [1, 2]],
    ] as const) {
      const { rows: found } = (await read(of32, await encoded(written))) as { rows: { n?: Value }[] };
      expect(found[0]!.n).toEqual(value);
    }
  });

  it("is refused as sound, and not as damaged, by a reader that wants all of it", async () => {
    const other = tableOf(
      [text("always"), { name: "b", type: of("int32"), repetition: list }],
      [[{ a: "x", b: [] }]],
    );
    await expect(decode(tableOf([text("always")], []), await encoded(other))).rejects.toMatchObject({
      code: "unsupported",
    });
  });
});

describe("bytes from outside", () => {
  const dataset = tableOf([text("optional")], [[{ a: "x" }, {}, { a: "zz" }]]);

  function streamOf(...lists: (string | null)[][]): Uint8Array {
    const columns = new Columns([new Field("a", new Utf8(), true)]);
    const batches = lists.map((values) => {
      const builder = makeBuilder({ type: new Utf8(), nullValues: [null] });
      for (const value of values) builder.append(value);
      const column = builder.finish().toVector();
      return new RecordBatch(columns, new Table({ a: column }).batches[0]!.data);
    });
    return tableToIPC(new Table(columns, batches), "stream");
  }

  it("may have several record batches, or none", async () => {
    expect(await decode(dataset, streamOf(["x", null], [], ["zz"]))).toEqual(dataset.values[0]);
    const none = streamOf([]);
    const schemaEnd = 8 + Buffer.from(none).readInt32LE(4);
    const bytes = Buffer.concat([none.subarray(0, schemaEnd), Buffer.from("ffffffff00000000", "hex")]);
    expect(await decode(dataset, bytes)).toEqual({ rows: [] });
  });

  it("have these columns, without a dictionary", async () => {
    const keys = new Vector([makeBuilder({ type: new Int32() }).finish().flush()]);
    const column = makeBuilder({ type: new Dictionary(new Utf8(), new Int32()) })
      .finish()
      .toVector();
    for (const bytes of [
      tableToIPC(new Table({ b: keys }), "stream"),
      tableToIPC(new Table({ a: keys }), "stream"),
      tableToIPC(new Table({ a: column }), "stream"),
    ]) {
      await expect(decode(dataset, bytes)).rejects.toThrow(/expected the columns a: Utf8, got/);
    }
  });

  it("are a stream, whole and alone", async () => {
    const bytes = streamOf(["x"]);
    const cases: [Uint8Array, string][] = [
      [bytes.subarray(0, bytes.length - 8), "the mark of its end is missing"],
      [Buffer.concat([bytes, bytes]), `${bytes.length} bytes after its end`],
      [bytes.subarray(8), "expected ff ff ff ff before a message"],
      [tableToIPC(tableFromIPC(bytes), "file"), "expected ff ff ff ff before a message"],
      [Buffer.from("ffffffff00000000", "hex"), "metadata of 0 bytes"],
    ];
    for (const [given, problem] of cases) await expect(decode(dataset, given)).rejects.toThrow(problem);
  });

  it("are refused with the column, wherever a byte of the body makes them another table", async () => {
    const bytes = streamOf(["x", null, "zz"]);
    // Offsets 0, 1, 1, 3 and the texts: the body ends before the mark of the end.
    const body = Buffer.from(bytes).lastIndexOf("xzz");
    const offsets = Buffer.from(bytes).indexOf(Buffer.from("0000000001000000", "hex"), body - 24);
    const bits = Buffer.from(bytes).lastIndexOf(0b101, offsets - 1);
    const cases: [number, number[], string][] = [
      [body, [0xff], `arrow at a at byte ${body}: the text of row 0 is not UTF-8`],
      [offsets + 4, [9], `arrow at a at byte ${offsets + 8}: an offset of 1 after 9`],
      [offsets + 12, [99], `arrow at a at byte ${body}: a buffer of 8 bytes, expected 99`],
      [offsets, [0xff, 0xff, 0xff, 0xff], `arrow at a at byte ${offsets}: an offset of -1`],
      [bits, [0b111], `arrow at a at byte ${bits}: the rows that are null are not 1`],
    ];
    for (const [at, change, problem] of cases) {
      const damaged = Buffer.from(bytes);
      damaged.set(change, at);
      await expect(decode(dataset, damaged), problem).rejects.toThrow(problem);
    }
  });

  it("have no key twice", async () => {
    const map = { name: "m", type: of("string"), repetition: mapOf("string") };
    const maps = tableOf([map], [[{ m: { ab: "1", ac: "2" } }]]);
    const bytes = Buffer.from(await encoded(maps));
    bytes.set(Buffer.from("abab"), bytes.indexOf("abac"));
    await expect(decode(maps, bytes)).rejects.toThrow(
      new DecodeError("arrow", 'the key "ab" stands twice', { path: "m" }),
    );
  });

  it("become no number that is rounded", async () => {
    const big = tableOf(
      [{ name: "n", type: of("uint64"), repetition: single("always") }],
      [[{ n: 2 ** 53 - 1 }]],
    );
    const bytes = Buffer.from(await encoded(big));
    bytes.set([1, 0, 0, 0, 0, 0, 0x20], bytes.indexOf(Buffer.from("ffffffffffff1f00", "hex")));
    await expect(decode(big, bytes)).rejects.toThrow(DecodeError);
  });
});

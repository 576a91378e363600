/** The table of evolution: codecs that go wrong in each way, what is known of libraries, and the codecs that live here. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { namedDataset } from "../../src/catalog/dataset.ts";
import { Registry } from "../../src/catalog/registry.ts";
import type { AskedCodec, FactCell } from "../../src/facts/cell.ts";
import { evolutionOf, evolutionRows } from "../../src/facts/evolution/asked.ts";
import { changesOf } from "../../src/facts/evolution/changes.ts";
import { direct } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { messageOf } from "../../src/model/schema.ts";
import type { Value } from "../../src/model/value.ts";
import { always, field, list, optional, packedList, schemaOf } from "../../src/schema/declare.ts";
import { readProto } from "../../src/schema/read/proto.ts";
import { conform } from "../../src/schema/values/conform.ts";
import { tree } from "../schema/proto-files.ts";

const registry = await Registry.open([]);

const point = {
  name: "t.Point",
  fields: [field(1, "x", "double", optional), field(2, "y", "double", optional)],
};
const colour = {
  name: "t.Colour",
  values: [
    { name: "RED", number: 0 },
    { name: "BLUE", number: 3 },
  ],
  bits: 32,
  closed: true,
} as const;
const root = {
  name: "t.Root",
  fields: [
    field(1, "count", "int32", optional),
    field(2, "name", "string", optional),
    field(3, "far", "int64", optional),
    field(4, "colour", colour, optional),
    field(5, "at", point, optional),
    field(6, "marks", "uint32", packedList),
    { ...field(7, "left", "string", optional), oneof: "side" },
    { ...field(8, "right", "int32", optional), oneof: "side" },
    field(9, "points", point, list),
    field(10, "token", "bytes", optional),
    field(11, "ratio", "float", optional),
  ],
};
const dataset: Dataset = {
  name: "t",
  schema: schemaOf("t", [root, point], [colour]),
  values: [
    {
      count: 7,
      name: "Ann",
      far: 9,
      colour: 3,
      at: { x: 1, y: 2 },
      marks: [5],
      left: "l",
      points: [{ x: 3, y: 4 }],
      token: Uint8Array.of(1, 2, 3),
      ratio: 0.5,
    },
  ],
  int64: "number",
};

/** Cells of some rows: a library of others' may end this process with the rest. */
async function cellsOf(
  codec: AskedCodec,
  { rows = /./, of = dataset }: { readonly rows?: RegExp; readonly of?: Dataset } = {},
): Promise<Map<string, FactCell>> {
  await codec.load?.();
  const ask = evolutionOf(codec, of);
  const cells = new Map<string, FactCell>();
  for (const [index, { name }] of evolutionRows(of).entries()) {
    const cell = rows.test(name) ? await ask(index) : undefined;
    if (cell !== undefined) cells.set(name, cell);
  }
  return cells;
}

/** A codec whose messages are the very values, changed when they are read. */
function changing(read: (value: Record<string, Value>, of: Dataset) => unknown): AskedCodec {
  return {
    format: "t",
    bind: (bound) => {
      const kept: Value[] = [];
      return direct({
        write: (value) => Buffer.from([kept.push(value as Value) - 1, ...store(value as Value)]),
        read: (bytes) => read(stored(bytes as Uint8Array), bound),
        visit: () => 0,
      });
    },
  };
}

const values: Value[] = [];
const store = (value: Value): number[] => [values.push(value) & 0xff, values.length >> 8];
const stored = (bytes: Uint8Array): Record<string, Value> =>
  values[bytes[1]! + 256 * bytes[2]! - 1] as Record<string, Value>;

const only = (value: Record<string, Value>, { schema }: Dataset): Record<string, Value> => {
  const known = messageOf(schema, schema.root).fields.map(({ name }) => name);
  return Object.fromEntries(Object.entries(value).filter(([key]) => known.includes(key)));
};

describe("changes", () => {
  const changes = changesOf(dataset);

  it("has every kind for a schema with a place for it, each with values of its schemas", () => {
    const names = changes.map(({ name }) => name).join("\n");
    for (const part of [
      "add a field at the end of Root",
      "add a field in the middle of Point",
      "remove the last field",
      "remove another field",
      "write a field no longer",
      "rename a field",
      "reorder fields",
      "widen int32 to int64",
      "narrow int64 to int32",
      "change the sign: int32 to uint32",
      "change to zigzag: int32 to sint32",
      "widen float to double",
      "narrow double to float",
      "int32 to double",
      "int32 to string",
      "change string to bytes",
      "int32 to a list",
      "list of uint32 to one",
      "optional to required, absent",
      "add a value to an enum",
      "add a member to a oneof",
      "message to map",
      "reuse a number, same type",
      "reuse a number, another type",
    ]) {
      expect(names).toContain(part);
    }
    expect(new Set(changes.map(({ name }) => name)).size).toBe(changes.length);
    for (const change of changes) {
      for (const { schema, value } of [change.old, change.new]) {
        const form = { form: "plain", int64: "number" } as const;
        expect(conform(schema, value, form).value, change.name).toEqual(value);
      }
      expect(change.old, change.name).not.toEqual(change.new);
    }
  });

  it("leave the numbers of other fields as they are", () => {
    for (const { old, new: next, message, fields } of changes) {
      const kept = messageOf(old.schema, message).fields.filter(({ name }) => !fields.includes(name));
      const after = new Map(messageOf(next.schema, message).fields.map((one) => [one.name, one]));
      for (const one of kept) expect(after.get(one.name)).toEqual(one);
    }
  });
});

describe("a codec that goes wrong", () => {
  it("is same where it hands values on, and drops where it keeps what it knows", async () => {
    const whole = await cellsOf(changing((value) => value));
    expect(whole.get("add a field at the end of Root: old reads new")).toMatchObject({ outcome: "same" });
    expect(whole.get("add a field at the end of Root: relay")).toMatchObject({ outcome: "same" });
    const knowing = await cellsOf(changing(only));
    expect(knowing.get("add a field at the end of Root: old reads new")).toMatchObject({ outcome: "same" });
    expect(knowing.get("add a field at the end of Root: relay")).toMatchObject({ outcome: "lost" });
    expect(knowing.get("rename a field: old reads new")).toMatchObject({ outcome: "default", got: "absent" });
  });

  it("has a default, a wrong value, or a change elsewhere", async () => {
    const row = "widen int32 to int64, 1099511627781: old reads new";
    const got = async (edit: (value: Record<string, Value>) => unknown) =>
      (
        await cellsOf(
          changing((value) => (Number(value["count"]) > 2 ** 32 ? edit(value) : value)),
          { rows: /^widen/ },
        )
      ).get(row);
    expect(await got((value) => value)).toMatchObject({ outcome: "same" });
    expect(await got((value) => ({ ...value, count: 0 }))).toMatchObject({ outcome: "default", got: "0" });
    expect(await got(({ count: _, ...rest }) => rest)).toMatchObject({ outcome: "default", got: "absent" });
    expect(await got((value) => ({ ...value, count: 5 }))).toMatchObject({
      outcome: "other",
      at: "count",
      got: "5",
    });
    expect(await got((value) => ({ ...value, count: 0, name: "Bob" }))).toMatchObject({
      outcome: "other",
      at: "name",
      got: "elsewhere: 'Bob' in place of 'Ann'",
    });
    expect(await got((value) => ({ ...value, count: 0, points: [] }))).toMatchObject({
      outcome: "other",
      at: "points",
    });
    expect(await got(() => undefined)).toMatchObject({ outcome: "other" });
  });

  it("says of a relay which program fails, and on what", async () => {
    const row = "add a field at the end of Root: relay";
    const failing = async (part: "read" | "write") => {
      const codec = changing((value) => {
        if (part === "read" && value["wirebench_added"] !== undefined) throw new Error("unknown field");
        return value;
      });
      const bind = async (to: Dataset) => {
        const binding = await codec.bind(to);
        const knows = messageOf(to.schema, to.schema.root).fields.some(
          ({ name }) => name === "wirebench_added",
        );
        return direct({
          read: binding.read,
          visit: () => 0,
          write: (value) => {
            if (
              part === "write" &&
              !knows &&
              (value as Record<string, Value>)["wirebench_added"] !== undefined
            )
              throw new Error("unknown field");
            return binding.write(value);
          },
        });
      };
      return (await cellsOf({ ...codec, bind }, { rows: /^add.*relay/ })).get(row);
    };
    expect(await failing("read")).toMatchObject({ outcome: "error", step: "read" });
    expect(await failing("write")).toMatchObject({ outcome: "error", step: "write" });
  });

  it("has an error of its own, or stumbles", async () => {
    const thrown = async (error: () => unknown) =>
      (
        await cellsOf(
          changing((value) => {
            if (value["wirebench_added"] !== undefined) error();
            return value;
          }),
          { rows: /^add/ },
        )
      ).get("add a field at the end of Root: old reads new");
    const own = await thrown(() => {
      throw new RangeError("index out of range: 10 + 5 > 12");
    });
    expect(own).toMatchObject({ outcome: "error", step: "read" });
    expect(own?.stumbles).toBeUndefined();
    const view = new DataView(new ArrayBuffer(1));
    for (const stumble of [
      () => view.getInt32(0),
      () => new Array(-1),
      () => new Uint8Array(-1),
      () => (undefined as unknown as { a: number }).a,
      () => BigInt(0.5),
      () => "a".repeat(2 ** 30),
      () => Buffer.alloc(1).readInt32LE(0),
      () => String.fromCodePoint(-1),
      () => new Float64Array(new ArrayBuffer(9)),
    ].filter((one) => isThrowing(one))) {
      expect(await thrown(stumble), String(stumble)).toMatchObject({ outcome: "error", stumbles: true });
    }
  });
});

function isThrowing(work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}

describe("what is known of libraries", () => {
  const outcome = (cells: Map<string, FactCell>, row: string): string | undefined => {
    const cell = cells.get(row);
    return cell?.outcome === "other" ? `wrong ${cell.got}` : cell?.outcome;
  };

  it("protobufjs drops unknown fields, and takes another wire type for an absent field", async () => {
    const cells = await cellsOf(await registry.codec("protobufjs"));
    expect(outcome(cells, "add a field at the end of Root: old reads new")).toBe("same");
    expect(outcome(cells, "add a field at the end of Root: relay")).toBe("lost");
    expect(outcome(cells, "widen int32 to int64, 1099511627781: old reads new")).toBe("wrong 5");
    expect(outcome(cells, "int32 to double: old reads new")).toBe("default");
    expect(outcome(cells, "int32 to a list: new reads old")).toBe("same");
    expect(outcome(cells, "change to zigzag: int32 to sint32: old reads new")).toBe("wrong 14 in place of 7");
    expect(outcome(cells, "rename a field: old reads new")).toBe("same");
    expect(outcome(cells, "optional to required, absent: new reads old")).toBe("error");
    expect(outcome(cells, "reuse a number, same type: old reads new")).toBe("wrong 1 in place of absent");
  });

  it("packs what becomes a list where the schema is of proto3, as protoc does", async () => {
    const implicit = { kind: "one", presence: "implicit" } as const;
    const fields = [field(1, "n", "int32", implicit), field(2, "s", "string", implicit)];
    const of: Dataset = {
      name: "t",
      schema: schemaOf("t", [{ name: "t.A", fields }], []),
      values: [{ n: -5, s: "x" }],
      int64: "number",
    };
    const cells = await cellsOf(await registry.codec("protobufjs"), { rows: /^int32 to a list/, of });
    expect(cells.get("int32 to a list: old reads new")).toMatchObject({
      outcome: "default",
      got: "0",
      message: "0a0afbffffffffffffffff01120178",
    });
    expect(outcome(cells, "int32 to a list: new reads old")).toBe("same");
  });

  it.each([
    ['syntax = "proto3";', "optional", "0a0afbffffffffffffffff01120178"],
    ['syntax = "proto2";', "optional", "08fbffffffffffffffff01120178"],
    ['edition = "2023";', "", "0a0afbffffffffffffffff01120178"],
    [
      'edition = "2023"; option features.repeated_field_encoding = EXPANDED;',
      "",
      "08fbffffffffffffffff01120178",
    ],
  ])(
    "packs what becomes a list as a file of %s does, whose fields all have presence",
    async (head, label, hex) => {
      const folder = tree({
        "a.proto": `${head} message A { ${label} int32 n = 1; ${label} string s = 2; }`,
      });
      const of: Dataset = {
        name: "t",
        schema: readProto(path.join(folder, "a.proto")),
        values: [{ n: -5, s: "x" }],
        int64: "number",
      };
      const cells = await cellsOf(await registry.codec("protobufjs"), { rows: /^int32 to a list/, of });
      expect(cells.get("int32 to a list: old reads new")).toMatchObject({ message: hex });
    },
  );

  it("protobuf-es keeps unknown fields, and fails on a packed list", async () => {
    const cells = await cellsOf(await registry.codec("protobuf-es"), { rows: /relay|list/ });
    expect(outcome(cells, "add a field at the end of Root: relay")).toBe("same");
    expect(outcome(cells, "list of uint32 to one, of two: new reads old")).toBe("error");
  });

  it("avsc reads other versions by its resolver, and by nothing else", async () => {
    const { resolve, ...plain } = await registry.codec("avsc");
    const rows = /^(?:add a field at|reorder|widen|narrow)/;
    const without = await cellsOf(plain, { rows });
    const resolving = await cellsOf({ ...plain, resolve: resolve! }, { rows });
    expect(outcome(without, "add a field at the end of Root: old reads new")).toBe("error");
    expect(outcome(resolving, "add a field at the end of Root: old reads new")).toBe("same");
    expect(outcome(resolving, "reorder fields: old reads new")).toBe("same");
    expect(outcome(without, "reorder fields: old reads new")).not.toBe("same");
    expect(outcome(resolving, "widen int32 to int64: new reads old")).toBe("same");
    expect(resolving.get("narrow int64 to int32: new reads old")).toMatchObject({
      outcome: "error",
      step: "bind",
    });
  });

  it("FlatBuffers keeps its order, Cap'n Proto its ordinals", async () => {
    const flat = await cellsOf(await registry.codec("flatbuffers"), { rows: /^add a field .* Root/ });
    expect(outcome(flat, "add a field at the end of Root: old reads new")).toBe("same");
    expect(outcome(flat, "add a field in the middle of Root: new reads old")).not.toBe("same");
    const capnp = await cellsOf(await registry.codec("capnp-ts"), { rows: /^(?:add|reorder|remove)/ });
    expect(outcome(capnp, "add a field in the middle of Root: old reads new")).toBe("same");
    expect(outcome(capnp, "reorder fields: new reads old")).toBe("same");
    expect(outcome(capnp, "remove another field: old reads new")).toBeUndefined();
  });

  it("JSON has names only: another type is what was written", async () => {
    const cells = await cellsOf(await registry.codec("json"));
    expect(outcome(cells, "reorder fields: old reads new")).toBe("same");
    expect(outcome(cells, "rename a field: old reads new")).toBe("default");
    expect(outcome(cells, "widen int32 to int64, 1099511627781: old reads new")).toBe("same");
    expect(outcome(cells, "int32 to string: old reads new")).toBe("wrong '7' in place of 7");
    expect(outcome(cells, "message to map: new reads old")).toBe("same");
  });
});

/** Codecs whose bytes have no names, numbers or types: two programs must have one schema. */
const POSITIONAL = ["python-struct", "raw-struct", "erlang-etf:record"];

/** What a format with names and types, but no schema, cannot know: that a reader expects another type. */
const OTHER_TYPE = / to (?:string|a list|bytes|one)\b|message to map/;

const isFull = process.env["WIREBENCH_TEST_CASES"] === "full";

describe.each(isFull ? ["tellist", "garden", "speed-small"] : ["speed-small"])(
  "codecs that live here, of %s",
  async (name) => {
    const of = await namedDataset(registry, name);
    const one: Dataset = { name, schema: of.schema, values: of.values.slice(0, 1), int64: of.int64 };

    it.each(["amf3", "erlang-etf", "python-pickle"])("%s is wrong about types only", async (codec) => {
      for (const [row, cell] of await cellsOf(await registry.codec(codec), { of: one })) {
        if (OTHER_TYPE.test(row)) continue;
        // It has bigints as text.
        if (codec === "amf3" && one.int64 === "bigint" && /u?int64/.test(row)) continue;
        const isKnown = row.startsWith("rename a field") || row.startsWith("optional to required, absent");
        const expected = isKnown ? ["same", "default", "error"] : ["same", "error"];
        expect(expected, `${row}: ${JSON.stringify(cell)}`).toContain(cell.outcome);
        expect(cell.stumbles, `${row}: ${JSON.stringify(cell)}`).toBeUndefined();
      }
    });

    it.each(POSITIONAL)("%s reads what only names were changed of, and never stumbles", async (codec) => {
      for (const [row, cell] of await cellsOf(await registry.codec(codec), { of: one })) {
        expect(cell.stumbles, `${row}: ${JSON.stringify(cell)}`).toBeUndefined();
        if (!/^(?:rename|write a field no longer)/.test(row)) continue;
        expect(cell.outcome, `${row}: ${JSON.stringify(cell)}`).toBe("same");
      }
    });
  },
);

describe("a field with a default of its own", () => {
  const of = (presence: typeof optional | typeof always): Dataset => ({
    name: "t",
    schema: schemaOf("t", [
      {
        name: "t.Root",
        fields: [{ ...field(1, "x", "uint32", presence), default: 7 }, field(2, "s", "string", optional)],
      },
    ]),
    values: [{ x: 0, s: "q" }],
    int64: "number",
  });

  it("is not the zero that was written where it is absent", async () => {
    const cells = await cellsOf(await registry.codec("json"), { of: of(optional), rows: /^rename/ });
    expect(cells.get("rename a field: old reads new")).toMatchObject({ outcome: "default", got: "absent" });
    expect(cells.get("rename a field: relay")?.outcome).toBe("same");
  });

  it.each(["capnp-es", "capnp-ts"])("is read by %s whichever version wrote it", async (name) => {
    const rows = /^(?:rename|reorder|add a field|change the sign: uint32 to int32:)/;
    const cells = await cellsOf(await registry.codec(name), { of: of(always), rows });
    const wrong = [...cells].filter(([row, { outcome }]) => outcome !== "same" && !row.includes("relay"));
    expect(cells.size).toBeGreaterThan(8);
    expect(wrong).toEqual([]);
  });
});

describe("a group of Cap'n Proto", () => {
  it("shares its numbers with the struct around it", () => {
    const group = {
      name: "t.Root.g",
      form: "group",
      fields: [field(2, "x", "int32", optional), field(4, "y", "string", optional)],
    } as const;
    const schema = schemaOf("t", [
      {
        name: "t.Root",
        fields: [
          field(1, "a", "uint32", optional),
          field(2, "g", group, optional),
          field(3, "b", "string", optional),
        ],
      },
      group,
    ]);
    const value = { a: 1, g: { x: 2, y: "y" }, b: "b" };
    const added = changesOf({ schema, values: [value], int64: "number" }).filter(({ name }) =>
      name.startsWith("add a field at the end"),
    );
    expect(added.map(({ done }) => done)).toEqual([
      "optional string wirebench_added = 5, after its 3 fields",
      "optional string wirebench_added = 5, after its 2 fields",
    ]);
  });
});

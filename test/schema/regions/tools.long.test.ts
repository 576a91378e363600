/** Regions against the official tools: where they see something begin, a region begins, and the other way round. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { namedDataset } from "../../../src/catalog/dataset.ts";
import { Registry } from "../../../src/catalog/registry.ts";
import { bytesOf } from "../../../src/model/codec.ts";
import type { Dataset } from "../../../src/model/dataset.ts";
import { UnsupportedError } from "../../../src/model/errors.ts";
import type { Region } from "../../../src/model/region.ts";
import { emitCapnp } from "../../../src/schema/emit/capnp.ts";
import { emitFbs } from "../../../src/schema/emit/fbs.ts";
import { readCapnp } from "../../../src/schema/read/capnp.ts";
import { capnpRegions } from "../../../src/schema/regions/capnp.ts";
import { regionReader } from "../../../src/schema/regions/index.ts";
import { conform } from "../../../src/schema/values/conform.ts";
import { encodeValue } from "../../../src/schema/values/transcode.ts";
import { datasetFor, datasets } from "../../arbitrary-schema.ts";
import { describeWith, python, pythonWithPeers } from "../../references.ts";
import { cases, SEED } from "../../seed.ts";
import { expectWhole } from "./tiling.ts";

const registry = await Registry.open();
const BUILT_IN = ["tellist", "garden", "frame", "packet", "speed-small", "cloud:20"];

interface Message {
  readonly dataset: Dataset;
  readonly bytes: Uint8Array;
  readonly regions: readonly Region[];
}

/** The first value of each built-in dataset, and of random ones, as far as a codec takes them. */
async function messagesOf(name: string, random = 100): Promise<Message[]> {
  const codec = await registry.codec(name);
  const read = regionReader(codec);
  if (typeof read === "string") throw new Error(read);
  const known = await Promise.all(BUILT_IN.map((dataset) => namedDataset(registry, dataset)));
  const all = [...known, ...fc.sample(datasets(), { numRuns: cases(random), seed: SEED })];
  const messages: Message[] = [];
  for (const given of all) {
    try {
      const dataset = datasetFor(name, given);
      const binding = await codec.bind(dataset);
      const bytes = bytesOf(encodeValue(binding, dataset.values[0]!), codec.format);
      messages.push({ dataset, bytes, regions: [...read(bytes, dataset).regions] });
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
    }
  }
  expect(messages.length).toBeGreaterThan(BUILT_IN.length);
  return messages;
}

function inFolder<Result>(work: (folder: string) => Result): Result {
  const folder = mkdtempSync(path.join(tmpdir(), "wirebench-regions-"));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describeWith("flatc")("flatc --annotate", () => {
  it("sees the same parts of a message, and the same targets of offsets", async () => {
    // It has a line for each byte of a vector of them: those of a picture are millions.
    const small = (await messagesOf("flatbuffers", 400)).filter(({ bytes }) => bytes.length < 100_000);
    const messages = small.filter(({ regions }) => !sharesVtables(regions));
    expect(messages.length).toBeGreaterThan(10);
    const annotated = inFolder((folder) => {
      messages.forEach(({ dataset, bytes }, i) => {
        writeFileSync(path.join(folder, `t${i}.fbs`), emitFbs(dataset.schema));
        writeFileSync(path.join(folder, `t${i}.bin`), bytes);
      });
      const commands = messages.map((_, i) => `flatc --annotate t${i}.fbs -- t${i}.bin`);
      execFileSync("sh", ["-e"], { cwd: folder, input: commands.join("\n"), stdio: "pipe" });
      return messages.map((_, i) => partsOf(readFileSync(path.join(folder, `t${i}.afb`), "utf8")));
    });
    messages.forEach(({ dataset, regions }, i) => {
      const ours = regions.flatMap(({ role, offset, length, type, target }) => {
        if (role === "padding") return [];
        // flatc shows each byte of a vector of them.
        const starts = type === "bytes" ? Array.from({ length }, (_, at) => offset + at) : [offset];
        return starts.map((at) => `${at}${target === undefined ? "" : ` to ${target}`}`);
      });
      expect(ours, emitFbs(dataset.schema)).toEqual(annotated[i]);
    });
  });
});

/** Whether tables of two kinds have one vtable: flatc 2.0.8 takes all of them for tables of the first kind. */
function sharesVtables(regions: readonly Region[]): boolean {
  const kinds = new Map<number, string>();
  return regions.some(({ type, target, place }) => {
    if (type !== "soffset" || target === undefined) return false;
    const known = kinds.get(target);
    kinds.set(target, place.field);
    return known !== undefined && known !== place.field;
  });
}

/** Offsets of what flatc names, and where offsets lead; of the text of a string its first byte. */
function partsOf(afb: string): string[] {
  return afb.split("\n").flatMap((line) => {
    const found = /^ {2}\+0x([0-9A-F]+) \|[^|]*\| (\S+) *\|([^|]*)\|(.*)$/.exec(line);
    if (found === null || found[4]!.includes("padding")) return [];
    const target = /Loc: \+0x([0-9A-F]+)/.exec(found[3]!);
    const arrow = target === null ? "" : ` to ${Number.parseInt(target[1]!, 16)}`;
    return [`${Number.parseInt(found[1]!, 16)}${arrow}`];
  });
}

const GENOPS = `
import json, pickletools, sys
print(json.dumps([[[at, op.name] for op, arg, at in pickletools.genops(bytes.fromhex(one))] for one in json.load(sys.stdin)]))
`;

const DUMPS = `
import json, pickle, sys
value = json.load(sys.stdin)
print(json.dumps([pickle.dumps(value, protocol).hex() for protocol in range(6)]))
`;

const cpython = python("3.11");

function ofPython(program: string, input: unknown, reference = cpython): unknown {
  const output = execFileSync(reference.program!, ["-c", program], {
    input: JSON.stringify(input),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(output) as unknown;
}

describeWith(cpython)("CPython's pickletools", () => {
  function expectOpcodes(all: readonly Pick<Message, "bytes" | "regions">[]): void {
    const named = ofPython(
      GENOPS,
      all.map(({ bytes }) => Buffer.from(bytes).toString("hex")),
    ) as [number, string][][];
    all.forEach(({ regions }, i) => {
      const types = new Map(regions.map(({ offset, type }) => [offset, type]));
      for (const [at, name] of named[i]!) expect(`${at} ${types.get(at)}`).toBe(`${at} ${name}`);
    });
  }

  it.each(["python-pickle", "python-pickle:1", "python-pickle:2", "python-pickle:5"])(
    "sees the opcodes of %s where regions begin",
    async (name) => expectOpcodes(await messagesOf(name)),
  );

  it("sees those of its own pickles, of every protocol, and their values are in the regions", async () => {
    const value = {
      name: "zoë",
      list: [1, -1, 70_000, 2 ** 40, -(2 ** 40), 1.5, -0.25, true, false, null, ""],
      again: { name: "zoë", empty: {}, none: [], text: 'a\n"b"\\' },
    };
    const read = regionReader(await registry.codec("python-pickle"));
    if (typeof read === "string") throw new Error(read);
    const schema = (await namedDataset(registry, "tellist")).schema;
    const pickles = (ofPython(DUMPS, value) as string[]).map((hex) => Buffer.from(hex, "hex"));
    const messages = pickles.map((bytes) => {
      const anatomy = read(bytes, { name: "pickles", schema, values: [], int64: "bigint" });
      expect(anatomy.problem).toBeUndefined();
      return { bytes, regions: [...anatomy.regions] };
    });
    expectOpcodes(messages);
    for (const { regions } of messages) {
      const leaves = regions.flatMap(({ leaf, value: held }) => (leaf === true ? [String(held)] : []));
      const expected = [value.name, ...value.list, "zoë", value.again.text].map(String);
      expect(leaves.sort()).toEqual(expected.sort());
    }
  });
});

const ION_DUMPS = `
import json, sys
from amazon.ion import simpleion
print(json.dumps([simpleion.dumps(value, binary=True).hex() for value in json.load(sys.stdin)]))
`;

const peers = pythonWithPeers();

describeWith(peers)("amazon.ion for Python", () => {
  it("writes messages whose values are in the regions", async () => {
    const values = [
      {
        name: "zoë",
        list: [
          1,
          -1,
          0,
          300,
          -70_000,
          2 ** 40,
          -(2 ** 70),
          1.5,
          -0.25,
          true,
          false,
          null,
          "",
          "x".repeat(300),
        ],
        again: { name: "zoë", empty: {}, none: [], inner: { list: [[1], [[2]]] } },
      },
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`key ${i}`, i - 150])),
      [],
    ];
    const read = regionReader(await registry.codec("ion-js"));
    if (typeof read === "string") throw new Error(read);
    const { schema } = await namedDataset(registry, "tellist");
    const messages = ofPython(ION_DUMPS, values, peers) as string[];
    messages.forEach((hex, i) => {
      const anatomy = read(Buffer.from(hex, "hex"), { name: "ion", schema, values: [], int64: "number" });
      expectWhole(Buffer.from(hex, "hex"), anatomy, values[i]!, true);
    });
  });
});

/** Whether protoc could take anything but messages for a message: it shows bytes as one where they are one. */
function isPlainToProtoc({ schema }: Dataset): boolean {
  const fields = [...schema.messages.values()].flatMap((message) => message.fields);
  return fields.every(({ type, repetition }) => {
    if (type.kind === "scalar" && (type.scalar === "string" || type.scalar === "bytes")) return false;
    return repetition.kind === "one" || (repetition.kind === "list" && !repetition.packed);
  });
}

describeWith("protoc")("protoc --decode_raw", () => {
  it("sees the fields of messages in the same order", async () => {
    const messages = (await messagesOf("protobufjs", 3000)).filter(
      ({ dataset }) => dataset.name === "tellist" || isPlainToProtoc(dataset),
    );
    expect(messages.length).toBeGreaterThan(3);
    for (const { bytes, regions } of messages.slice(0, 30)) {
      const text = execFileSync("protoc", ["--decode_raw"], { input: bytes, encoding: "utf8" });
      const numbers = text.split("\n").flatMap((line) => /^ *(\d+)(?::| \{)/.exec(line)?.[1] ?? []);
      const tags = regions.filter(({ role, type, value }) => {
        return role === "tag" && type === "tag" && !String(value).endsWith("end group");
      });
      expect(tags.map(({ value }) => String(value).split(" ")[0])).toEqual(numbers);
    }
  });
});

/** Whether a term begins at each offset, and how many bytes it takes. */
const USED = `
-mode(compile).
main([In]) ->
    {ok, Bytes} = file:read_file(In),
    io:format("~w~n", [[used(Frame) || Frame <- frames(Bytes)]]).
frames(<<Size:32, Frame:Size/binary, Rest/binary>>) -> [Frame | frames(Rest)];
frames(<<>>) -> [].
used(<<At:32, Message/binary>>) ->
    <<_:At/binary, Term/binary>> = Message,
    {_, Used} = binary_to_term(<<131, Term/binary>>, [used]),
    Used - 1.
`;

describeWith("escript")("Erlang's binary_to_term", () => {
  it.each(["erlang-etf", "erlang-etf:record"])("reads a term of %s wherever a tag is shown", async (name) => {
    const questions = (await messagesOf(name, 30)).flatMap(({ bytes, regions }) =>
      regions.slice(0, 300).flatMap(({ offset, type, role }, i) => {
        if (
          role !== "tag" ||
          !/^(SMALL_INTEGER|INTEGER|SMALL_BIG|NEW_FLOAT|BINARY|\w*ATOM\w*)_EXT$/.test(type)
        )
          return [];
        // A leaf ends where the next thing begins.
        const next = regions
          .slice(i + 1)
          .find((one) => one.type === "NIL_EXT" || (one.role === "tag" && one.type.endsWith("_EXT")));
        return [{ bytes, offset, length: (next?.offset ?? bytes.length) - offset }];
      }),
    );
    expect(questions.length).toBeGreaterThan(300);
    const used = inFolder((folder) => {
      const frames = questions.flatMap(({ bytes, offset }) => {
        const head = Buffer.alloc(8);
        head.writeUInt32BE(bytes.length + 4);
        head.writeUInt32BE(offset, 4);
        return [head, bytes];
      });
      writeFileSync(path.join(folder, "in"), Buffer.concat(frames));
      writeFileSync(path.join(folder, "used.escript"), USED);
      const output = execFileSync("escript", [path.join(folder, "used.escript"), path.join(folder, "in")], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
      return JSON.parse(output) as number[];
    });
    expect(used).toEqual(questions.map(({ length }) => length));
  });
});

describeWith("capnp")("capnp convert", () => {
  it.each(["tellist", "speed-small", "cloud"])("has the texts of the regions of %s", async (name) => {
    const [message] = (await messagesOf("capnp-ts", 1)).filter(({ dataset }) =>
      dataset.name.startsWith(name),
    );
    const { dataset, bytes, regions } = message!;
    const schema = emitCapnp(dataset.schema);
    const root = /root is (\w+)/.exec(schema)![1]!;
    const text = inFolder((folder) => {
      writeFileSync(path.join(folder, "t.capnp"), schema);
      return execFileSync("capnp", ["decode", path.join(folder, "t.capnp"), root], {
        input: bytes,
        encoding: "utf8",
      });
    });
    const texts = regions.flatMap(({ leaf, value }) =>
      leaf === true && typeof value === "string" ? [value] : [],
    );
    const printed = text.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    const isPlain = (one: string): boolean => /^[ -~]*$/.test(one) && !/["'\\]/.test(one);
    expect(texts.filter((one) => one !== "" && isPlain(one)).length).toBeGreaterThan(0);
    for (const one of texts.filter((held) => held !== "" && isPlain(held)))
      expect(printed).toContain(`"${one}"`);
  });
});

/** Lists of values that became lists of structs, and the reverse: `capnp` reads the first field of each. */
const VALUES = `@0xdbb9ad1f14bf0b39;
struct A { n @0 :List(UInt32); b @1 :List(UInt8); t @2 :List(Text); l @3 :List(List(Int16)); }
`;
const STRUCTS = `@0xdbb9ad1f14bf0b39;
struct A { n @0 :List(N); b @1 :List(B); t @2 :List(T); l @3 :List(L); }
struct N { v @0 :UInt32; w @1 :UInt16 = 3; s @2 :Text; }
struct B { v @0 :UInt8; w @1 :Bool = true; x @2 :Int32; }
struct T { v @0 :Text; w @1 :Int8 = -7; }
struct L { v @0 :List(Int16); }
`;

describeWith("capnp")("lists of Cap'n Proto whose elements another version has as structs", () => {
  const inValues = '(n = [7, 4294967295], b = [0, 9, 255], t = ["a", ""], l = [[1, -2], [3]])';
  const inStructs = `(
    n = [(v = 7, w = 4, s = "x"), (v = 9)], b = [(v = 1, w = false, x = -1), (v = 2)],
    t = [(v = "a", w = 5), (v = "bc")], l = [(v = [1, -2]), (v = [3])])`;

  it.each([
    ["values as structs", VALUES, inValues, STRUCTS],
    ["structs as values", STRUCTS, inStructs, VALUES],
  ])("reads %s", (_, writer, text, reader) => {
    inFolder((folder) => {
      const [from, to] = [path.join(folder, "w.capnp"), path.join(folder, "r.capnp")];
      writeFileSync(from, writer);
      writeFileSync(to, reader);
      const bytes = execFileSync("capnp", ["encode", from, "A"], { input: text });
      const json = execFileSync("capnp", ["convert", "binary:json", to, "A"], { input: bytes });
      const dataset: Dataset = { name: "t", schema: readCapnp(to), values: [], int64: "number" };
      const { value } = conform(dataset.schema, JSON.parse(json.toString()), {
        form: "json",
        int64: "number",
        most: 1000,
      });
      expectWhole(bytes, capnpRegions(bytes, dataset), value);
    });
  });
});

/** Where buffers begin, and the message written again: in batches of two rows, and with compressed buffers. */
const STREAMS = `
import json, pyarrow as pa, sys
def starts(buffer):
    batches = list(pa.ipc.open_stream(buffer))
    held = [one for batch in batches for column in batch.columns for one in column.buffers()]
    return [one.address - buffer.address for one in held if one is not None and one.size > 0]
def written(table, rows=None, **options):
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, rows)
    return sink.getvalue()
def answer(one):
    buffer = pa.py_buffer(bytes.fromhex(one))
    table = pa.ipc.open_stream(buffer).read_all()
    again = written(table, 2)
    return {
        "starts": starts(buffer),
        "again": again.to_pybytes().hex(),
        "againStarts": starts(again),
        "compressed": written(table, compression="lz4").to_pybytes().hex(),
    }
print(json.dumps([answer(one) for one in json.load(sys.stdin)]))
`;

interface Streams {
  readonly starts: readonly number[];
  readonly again: string;
  readonly againStarts: readonly number[];
  readonly compressed: string;
}

describeWith(peers)("pyarrow", () => {
  it("sees buffers where regions begin, and what it writes in batches has the same values", async () => {
    const small = (await messagesOf("apache-arrow", 300)).filter(({ bytes }) => bytes.length < 100_000);
    const hex = small.map(({ bytes }) => Buffer.from(bytes).toString("hex"));
    const answers = ofPython(STREAMS, hex, peers) as Streams[];
    expect(answers.flatMap(({ starts }) => starts).length).toBeGreaterThan(small.length);
    const read = regionReader(await registry.codec("apache-arrow"));
    if (typeof read === "string") throw new Error(read);
    small.forEach(({ dataset, regions }, i) => {
      const { starts, again, againStarts, compressed } = answers[i]!;
      expectStarts(regions, starts);
      const bytes = Buffer.from(again, "hex");
      const anatomy = read(bytes, dataset);
      expectWhole(bytes, anatomy, dataset.values[0]!);
      expectStarts([...anatomy.regions], againStarts);
      expect(read(Buffer.from(compressed, "hex"), dataset).problem?.message).toContain("compressed");
    });
  });

  function expectStarts(regions: readonly Region[], starts: readonly number[]): void {
    const ours = new Set(regions.map(({ offset }) => offset));
    expect(starts.filter((start) => !ours.has(start))).toEqual([]);
    expect(regions.filter(({ role }) => role === "unknown")).toEqual([]);
  }
});

import { describe, expect, it } from "vitest";
import {
  ByteArray,
  checkExtent,
  decodePickle,
  decodePickles,
  encodePickle,
  FrozenSet,
  PyFloat,
  Tuple,
  type UnpickleOptions,
} from "../../../src/formats/python-pickle/index.ts";
import { OP, opcodeName } from "../../../src/formats/python-pickle/opcodes.ts";
import { DecodeError, type DecodeProblem, UsageError } from "../../../src/model/errors.ts";

/** Opcodes as text: a name of {@link OP}, `xHH…` for bytes, or `'…'` for text as it is. */
function assemble(source: string): Buffer {
  const parts = source.match(/'[^']*'|\S+/g) ?? [];
  return Buffer.concat(
    parts.map((part) => {
      if (part.startsWith("'")) return Buffer.from(JSON.parse(`"${part.slice(1, -1)}"`), "latin1");
      if (/^x([0-9a-f]{2})+$/.test(part)) return Buffer.from(part.slice(1), "hex");
      return Buffer.from([OP[part as keyof typeof OP]]);
    }),
  );
}

const read = (source: string, options?: UnpickleOptions): unknown => decodePickle(assemble(source), options);

function problemOf(run: () => unknown): DecodeError {
  try {
    run();
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
  throw new Error("accepted");
}

describe("opcodes", () => {
  it("are 68", () => {
    expect(new Set(Object.values(OP)).size).toBe(68);
  });

  it.each<[string, unknown]>([
    ["NONE STOP", null],
    ["NEWTRUE STOP", true],
    ["INT '01\\n' STOP", true],
    ["INT '00\\n' STOP", false],
    ["INT '-12\\n' STOP", -12],
    ["LONG '12L\\n' STOP", 12],
    ["LONG '-9007199254740992L\\n' STOP", -9007199254740992n],
    ["LONG1 x00 STOP", 0],
    ["LONG1 x02ff7f STOP", 32767],
    ["LONG1 x01ff STOP", -1],
    ["LONG1 x0500000080ff STOP", -(2 ** 31)],
    ["LONG1 x0600000000ff7f STOP", 0x7fff * 2 ** 32],
    ["LONG1 x07ffffffffffff1f STOP", Number.MAX_SAFE_INTEGER],
    ["LONG1 x0701000000000020 STOP", 2n ** 53n + 1n],
    ["LONG1 x07010000000000e0 STOP", Number.MIN_SAFE_INTEGER],
    ["LONG4 x01000000 x80 STOP", -128],
    ["BININT xffffffff STOP", -1],
    ["BININT2 x0102 STOP", 513],
    ["FLOAT '-1.5e3\\n' STOP", -1500],
    ["FLOAT 'inf\\n' STOP", Number.POSITIVE_INFINITY],
    ["BINFLOAT x3ff8000000000000 STOP", 1.5],
    ["SHORT_BINSTRING x0161 STOP", "a"],
    ["BINSTRING x01000000 x61 STOP", "a"],
    ["UNICODE 'a\\\\u5c0f\\n' STOP", "a小"],
    ["UNICODE '\\\\ud83d\\\\ude00\\n' STOP", "😀"],
    ["BINUNICODE x01000000 x61 STOP", "a"],
    ["BINUNICODE8 x0100000000000000 x61 STOP", "a"],
    ["SHORT_BINBYTES x0161 STOP", new Uint8Array([0x61])],
    ["BINBYTES x01000000 x61 STOP", new Uint8Array([0x61])],
    ["BINBYTES8 x0100000000000000 x61 STOP", new Uint8Array([0x61])],
    ["BYTEARRAY8 x0100000000000000 x61 STOP", new ByteArray([0x61])],
    ["MARK NONE NEWTRUE LIST STOP", [null, true]],
    ["MARK NONE TUPLE STOP", Tuple.of(null)],
    ["NONE NONE NONE TUPLE3 STOP", Tuple.of(null, null, null)],
    ["MARK SHORT_BINUNICODE x0161 NONE DICT STOP", { a: null }],
    ["MARK NONE NONE DICT STOP", new Map([[null, null]])],
    ["EMPTY_DICT SHORT_BINUNICODE x0161 NONE SETITEM STOP", { a: null }],
    ["EMPTY_SET MARK NONE ADDITEMS STOP", new Set([null])],
    ["MARK NONE FROZENSET STOP", new FrozenSet([null])],
    ["EMPTY_LIST PUT '0\\n' GET '0\\n' APPEND STOP", cyclicList()],
    ["EMPTY_LIST LONG_BINPUT x00000001 LONG_BINGET x00000001 APPEND STOP", cyclicList()],
    ["NONE NEWTRUE POP STOP", null],
    ["NONE MARK POP STOP", null],
    ["NONE MARK NEWTRUE POP_MARK STOP", null],
    ["NONE DUP TUPLE2 STOP", Tuple.of(null, null)],
    ["GLOBAL 'builtins\\nset\\n' EMPTY_LIST TUPLE1 REDUCE STOP", new Set()],
    ["GLOBAL '__builtin__\\nfrozenset\\n' MARK NONE LIST TUPLE1 REDUCE STOP", new FrozenSet([null])],
    [
      "GLOBAL '_codecs\\nencode\\n' BINUNICODE x02000000 xc3bf BINUNICODE x06000000 'latin1' TUPLE2 REDUCE STOP",
      new Uint8Array([0xff]),
    ],
    ["GLOBAL '__builtin__\\nbytearray\\n' EMPTY_TUPLE REDUCE STOP", new ByteArray(0)],
    ["FRAME x0100000000000000 NONE FRAME x0100000000000000 STOP", null],
  ])("%s", (source, expected) => {
    expect(read(source)).toEqual(expected);
  });

  it.each(["PERSID", "BINPERSID", "BUILD", "OBJ", "NEWOBJ", "NEWOBJ_EX", "EXT1", "EXT2", "EXT4", "REDUCE"])(
    "%s is refused by name",
    (name) => {
      const error = problemOf(() => read(`NONE NONE ${name} x61610a61610a STOP`));
      expect(error.code).toBe("unsupported");
      expect(error.message).toContain(name);
      expect(error.offset).toBe(2);
    },
  );

  it.each([
    ["GLOBAL 'os\\nsystem\\n'", "GLOBAL os.system"],
    ["INST 'os\\nsystem\\n'", "INST os.system"],
    ["SHORT_BINUNICODE x026f73 SHORT_BINUNICODE x0673797374656d STACK_GLOBAL", "STACK_GLOBAL os.system"],
    ["PROTO x03 GLOBAL '__builtin__\\nset\\n'", "GLOBAL __builtin__.set"],
    ["GLOBAL 'builtins\\neval\\n'", "GLOBAL builtins.eval"],
    ["GLOBAL x706572 xc3b60a xe5b08f0a", "GLOBAL perö.小"],
    ["INST x706572 xc3b60a xe5b08f0a", "INST perö.小"],
    ["GLOBAL x1b5b324a0a x1b0a", 'GLOBAL "\\u001b[2J.\\u001b"'],
    ["GLOBAL 'builtins\\nset\\n' STOP", "GLOBAL builtins.set"],
    ["EMPTY_LIST GLOBAL 'builtins\\nset\\n' APPEND STOP", "GLOBAL builtins.set"],
    ["GLOBAL 'builtins\\nset\\n' NONE TUPLE1 REDUCE STOP", "GLOBAL builtins.set"],
    ["GLOBAL 'builtins\\nbytes\\n' BININT1 x05 TUPLE1 REDUCE STOP", "GLOBAL builtins.bytes"],
    [
      "GLOBAL '_codecs\\nencode\\n' BINUNICODE x03000000 xe5b08f BINUNICODE x06000000 'latin1' TUPLE2 REDUCE STOP",
      "GLOBAL _codecs.encode",
    ],
  ])("%s: nothing is called", (source, named) => {
    const error = problemOf(() => read(source));
    expect(error.code).toBe("unsupported");
    expect(error.message).toContain(named);
  });

  it("that are none are refused, as each byte", () => {
    for (let byte = 0; byte < 256; byte++) {
      const error = problemOf(() => decodePickle(Buffer.from([byte])));
      if (opcodeName(byte) === undefined)
        expect(error.message).toContain(`0x${byte.toString(16).padStart(2, "0")}`);
    }
  });
});

describe("a string literal of Python 2", () => {
  it.each([
    ["'a'", "a"],
    ['"it\'s"', "it's"],
    ["'\\x41\\n\\\\\\'\\101\\0'", "A\n\\'A\0"],
  ])("%s", (literal, expected) => {
    expect(decodePickle(Buffer.from(`S${literal}\n.`, "latin1"))).toBe(expected);
  });

  it.each(["a", "'", "'a", "'a\"", "'\\", "'\\'", "'\\q'", "'\\x4'"])("%s is none", (literal) => {
    expect(() => decodePickle(Buffer.from(`S${literal}\n.`, "latin1"))).toThrow(DecodeError);
  });
});

describe("what is malformed", () => {
  it.each<[string, DecodeProblem, number?]>([
    ["", "truncated", 0],
    ["NONE", "truncated", 1],
    ["NONE STOP NONE", "corrupt", 2],
    ["STOP", "corrupt", 0],
    ["NONE NONE STOP", "corrupt", 2],
    ["NONE MARK STOP", "corrupt"],
    ["MARK NONE STOP", "corrupt"],
    ["PROTO x06 NONE STOP", "unsupported", 0],
    ["NONE PROTO x04 STOP", "corrupt", 1],
    ["SHORT_BINUNICODE x0261", "truncated"],
    ["BINUNICODE xffffffff x61 STOP", "truncated"],
    ["BINUNICODE8 xffffffffffffffff x61 STOP", "truncated"],
    ["BINBYTES8 x0000000000000080 STOP", "truncated"],
    ["LONG4 xffffffff STOP", "truncated"],
    ["FRAME xff00000000000000 NONE STOP", "truncated"],
    ["FRAME x0200000000000000 NONE FRAME x0100000000000000 STOP", "corrupt"],
    ["FRAME x0200000000000000 NONE SHORT_BINUNICODE x0161 POP STOP", "corrupt"],
    ["SHORT_BINUNICODE x02c0af STOP", "corrupt"],
    ["SHORT_BINUNICODE x03eda080 STOP", "corrupt"],
    ["SHORT_BINUNICODE x02e5b0 STOP", "corrupt"],
    ["UNICODE '\\\\ud83d\\n' STOP", "corrupt"],
    ["GLOBAL xff0a x610a STOP", "corrupt", 0],
    ["UNICODE '\\\\u12\\n' STOP", "corrupt"],
    ["BINGET x00 STOP", "corrupt"],
    ["GET '-1\\n' STOP", "corrupt"],
    ["NONE LONG_BINPUT xffffffff BINGET x00 TUPLE2 STOP", "corrupt"],
    ["MARK APPENDS STOP", "corrupt"],
    ["NONE MARK NONE APPENDS STOP", "corrupt"],
    ["EMPTY_LIST MARK SETITEMS STOP", "corrupt"],
    ["EMPTY_DICT MARK NONE SETITEMS STOP", "corrupt"],
    ["EMPTY_LIST MARK NONE APPEND STOP", "corrupt"],
    ["EMPTY_TUPLE MARK NONE APPENDS STOP", "corrupt"],
    ["EMPTY_SET NONE APPEND STOP", "corrupt"],
    ["EMPTY_DICT EMPTY_LIST NONE SETITEM STOP", "corrupt"],
    ["EMPTY_SET MARK EMPTY_DICT ADDITEMS STOP", "corrupt"],
    ["EMPTY_DICT MARK SHORT_BINUNICODE x0161 NONE SHORT_BINUNICODE x0161 NONE SETITEMS STOP", "corrupt"],
    ["EMPTY_DICT MARK BININT1 x01 NONE NEWTRUE NONE SETITEMS STOP", "corrupt"],
    ["EMPTY_SET MARK BININT1 x01 NEWTRUE ADDITEMS STOP", "corrupt"],
    ["INT '\\n' STOP", "corrupt"],
    ["INT '010\\n' STOP", "corrupt"],
    ["INT '0x10\\n' STOP", "corrupt"],
    ["INT '1_0\\n' STOP", "corrupt"],
    ["FLOAT '1e999\\n' STOP", "corrupt"],
    ["FLOAT ' 1\\n' STOP", "corrupt"],
    ["STRING 'a\\n' STOP", "corrupt"],
    ["SHORT_BINSTRING x01ff STOP", "unsupported"],
    ["NEXT_BUFFER STOP", "unsupported"],
    ["NONE READONLY_BUFFER STOP", "unsupported"],
  ])("%s", (source, code, offset) => {
    const error = problemOf(() => read(source));
    expect(error.code).toBe(code);
    if (offset !== undefined) expect(error.offset).toBe(offset);
    expect(read("EMPTY_LIST STOP")).toEqual([]);
  });
});

describe("options", () => {
  it("read integers, floats, dicts and Python 2's str in other ways", () => {
    expect(read("BININT1 x05 STOP", { integers: "bigint" })).toBe(5n);
    expect(read("INT '5\\n' STOP", { integers: "bigint" })).toBe(5n);
    expect(read("BINFLOAT x3ff0000000000000 STOP", { wholeFloats: "PyFloat" })).toEqual(new PyFloat(1));
    expect(read("BINFLOAT x3ff0000000000000 STOP")).toBe(1);
    expect(read("EMPTY_DICT STOP", { dicts: "Map" })).toEqual(new Map());
    expect(read("SHORT_BINSTRING x01ff STOP", { encoding: "latin1" })).toBe("ÿ");
    expect(read("SHORT_BINSTRING x01ff STOP", { encoding: "bytes" })).toEqual(new Uint8Array([255]));
  });

  it("keep the sign of -0 in keys and sets, which have none in JavaScript", () => {
    const zero = "BINFLOAT x8000000000000000";
    const kept = new PyFloat(-0);
    expect([...(read(`EMPTY_SET MARK ${zero} ADDITEMS STOP`) as Set<unknown>)]).toEqual([kept]);
    expect([...(read(`MARK ${zero} FROZENSET STOP`) as Set<unknown>)]).toEqual([kept]);
    expect([...(read(`EMPTY_DICT ${zero} NONE SETITEM STOP`) as Map<unknown, unknown>)]).toEqual([
      [kept, null],
    ]);
    expect(read(`EMPTY_DICT NONE ${zero} SETITEM STOP`)).toEqual(new Map([[null, -0]]));
    expect(problemOf(() => read(`EMPTY_SET MARK ${zero} BININT1 x00 ADDITEMS STOP`)).code).toBe("corrupt");
    const bytes = assemble(`PROTO x04 FRAME x0e00000000000000 EMPTY_SET MEMOIZE MARK ${zero} ADDITEMS STOP`);
    expect(Buffer.from(encodePickle(decodePickle(bytes)))).toEqual(bytes);
  });

  it("take what stands twice", () => {
    const last = { duplicates: "last" } as const;
    const twice = "EMPTY_DICT MARK SHORT_BINUNICODE x0161 NONE SHORT_BINUNICODE x0161 NEWTRUE SETITEMS STOP";
    expect(read(twice, last)).toEqual({ a: true });
    expect(read("EMPTY_DICT MARK BININT1 x01 NONE NEWTRUE NEWFALSE SETITEMS STOP", last)).toEqual(
      new Map([[1, false]]),
    );
  });

  it("give the buffers that are kept beside the pickle", () => {
    const buffer = new Uint8Array([1, 2]);
    expect(read("NEXT_BUFFER READONLY_BUFFER STOP", { buffers: [buffer] })).toBe(buffer);
    expect(problemOf(() => read("NEXT_BUFFER STOP", { buffers: [] })).code).toBe("corrupt");
  });

  it.each<[string, UnpickleOptions, string, string]>([
    ["bytes", { bytes: 2 }, "NONE STOP", "NONE POP STOP"],
    [
      "depth",
      { depth: 2 },
      "EMPTY_LIST EMPTY_LIST APPEND STOP",
      "EMPTY_LIST EMPTY_LIST EMPTY_LIST APPEND APPEND STOP",
    ],
    ["depth of tuples", { depth: 2 }, "EMPTY_TUPLE TUPLE1 STOP", "EMPTY_TUPLE TUPLE1 TUPLE1 STOP"],
    [
      "depth by references",
      { depth: 2 },
      "EMPTY_LIST BINPUT x00 POP EMPTY_LIST BINGET x00 APPEND STOP",
      "EMPTY_LIST BINPUT x00 POP EMPTY_LIST BINPUT x01 BINGET x00 APPEND POP EMPTY_LIST BINGET x01 APPEND STOP",
    ],
    [
      "items",
      { items: 3 },
      "EMPTY_LIST MARK NONE NONE APPENDS STOP",
      "EMPTY_LIST MARK NONE NONE NONE APPENDS STOP",
    ],
    ["integerBytes", { integerBytes: 2 }, "LONG1 x020001 STOP", "LONG1 x03000001 STOP"],
    [
      "integerBytes of LONG4",
      { integerBytes: 2 },
      "LONG4 x02000000 x0001 STOP",
      "LONG4 x03000000 x000001 STOP",
    ],
    ["digits", { digits: 2 }, "INT '-99\\n' STOP", "INT '100\\n' STOP"],
  ])("limit %s", (_, options, good, bad) => {
    expect(() => read(good, options)).not.toThrow();
    expect(problemOf(() => read(bad, options)).code).toBe("limit");
  });

  it("a number of many digits that is none is refused after one look at it", () => {
    const number = Buffer.from(`F${"1".repeat(100_000)}z\n.`);
    expect(problemOf(() => decodePickle(number, { digits: 200_000 })).code).toBe("corrupt");
  });

  it("have the documented defaults", () => {
    const list = (count: number): Buffer =>
      Buffer.concat([Buffer.from("]("), Buffer.alloc(count, "N"), Buffer.from("e.")]);
    expect((decodePickle(list(999_999)) as unknown[]).length).toBe(999_999);
    expect(problemOf(() => decodePickle(list(1_000_000))).code).toBe("limit");
    const lists = (levels: number): Buffer => Buffer.from(`${"]".repeat(levels)}${"a".repeat(levels - 1)}.`);
    expect(() => decodePickle(lists(100))).not.toThrow();
    for (const levels of [101, 200_000])
      expect(problemOf(() => decodePickle(lists(levels))).code).toBe("limit");
    expect(decodePickle(encodePickle(2n ** 14287n - 1n))).toBe(2n ** 14287n - 1n);
    expect(() => decodePickle(encodePickle(2n ** 14287n))).toThrow(DecodeError);
    const digits = (count: number): Buffer => Buffer.from(`L${"9".repeat(count)}L\n.`);
    expect(decodePickle(digits(4300))).toBe(10n ** 4300n - 1n);
    for (const protocol of [1, 2, 4, 5] as const) {
      expect(decodePickle(encodePickle(1n - 10n ** 4300n, { protocol }))).toBe(1n - 10n ** 4300n);
    }
    expect(problemOf(() => decodePickle(digits(4301))).code).toBe("limit");
    expect(problemOf(() => decodePickle(Buffer.alloc(2 ** 26 + 1))).code).toBe("limit");
  });
});

describe("references", () => {
  it.each<[string, string]>([
    ["MEMOIZE", "EMPTY_DICT MEMOIZE MARK %K BINGET x00 %L NONE SETITEMS STOP"],
    ["a memo with a gap", "EMPTY_DICT BINPUT x09 MARK %K BINGET x09 %L NONE SETITEMS STOP"],
    ["two indexes", "EMPTY_DICT BINPUT x00 BINPUT x01 MARK %K BINGET x01 %L NONE SETITEMS STOP"],
    ["PUT", "EMPTY_DICT PUT '0\\n' MARK %K GET '0\\n' %L NONE SETITEMS STOP"],
    ["DUP", "EMPTY_DICT DUP MEMOIZE POP MARK %K BINGET x00 %L NONE SETITEMS STOP"],
  ])("to a dict in itself, by %s", (_, source) => {
    const dict = read(source.replace("%K", "SHORT_BINUNICODE x0161").replace("%L", "SHORT_BINUNICODE x0162"));
    expect(Object.keys(dict as object)).toEqual(["a", "b"]);
    expect((dict as { a: unknown }).a).toBe(dict);
  });

  it("go to the dict that was filled", () => {
    const dict = "EMPTY_DICT MEMOIZE MARK SHORT_BINUNICODE x0131 NONE SHORT_BINUNICODE x0132 NONE SETITEMS";
    const [first, second] = read(`EMPTY_LIST MARK ${dict} BINGET x00 APPENDS STOP`) as unknown[];
    expect(first).toEqual({ 1: null, 2: null });
    expect(second).toBe(first);
    const overwritten = read(
      `EMPTY_LIST MARK ${dict.replace("SETITEMS", "")} EMPTY_LIST BINPUT x00 POP SETITEMS BINGET x00 APPENDS STOP`,
    );
    expect(overwritten).toEqual([{ 1: null, 2: null }, []]);
  });

  it("keep keys apart that a dict had before", () => {
    const dict = (key: string): string =>
      `EMPTY_DICT MARK SHORT_BINUNICODE x0161 NONE SHORT_BINUNICODE x01${key} NONE SETITEMS`;
    const dicts = ["62", "62", "62", "63"].map(dict).join(" ");
    const known = { a: null, b: null };
    expect(read(`EMPTY_LIST MARK ${dicts} APPENDS STOP`)).toEqual([
      known,
      known,
      known,
      { a: null, c: null },
    ]);
    expect(problemOf(() => read(`${dict("61")} STOP`)).message).toContain("stands twice");
  });

  it("to a dict that becomes a Map later lead to the Map", () => {
    const value = read(
      "EMPTY_DICT BINPUT x00 SHORT_BINUNICODE x0161 MARK BINGET x00 TUPLE SETITEM NONE BINGET x00 SETITEM STOP",
    ) as Map<unknown, unknown>;
    expect(value).toBeInstanceOf(Map);
    expect((value.get("a") as Tuple)[0]).toBe(value);
    expect(value.get(null)).toBe(value);
  });

  it.each([
    "EMPTY_DICT BINPUT x00 BINGET x00 NONE NONE SETITEM POP SHORT_BINUNICODE x0161 NEWTRUE SETITEM STOP",
    "EMPTY_DICT DUP NONE NONE SETITEM POP SHORT_BINUNICODE x0161 NEWTRUE SETITEM STOP",
    "EMPTY_DICT BINPUT x00 NONE NONE SETITEM BINGET x00 SHORT_BINUNICODE x0161 NEWTRUE SETITEM POP STOP",
  ])("may each add to a dict: %s", (source) => {
    const entries: [unknown, unknown][] = [
      [null, null],
      ["a", true],
    ];
    expect(read(source)).toEqual(new Map(entries));
  });

  it("are followed where a limit says how many values they may be", () => {
    // The empty list twice in a list, which is twice in the next.
    const doubled = (times: number): string =>
      `${"MARK ".repeat(times)} EMPTY_LIST ${"DUP LIST ".repeat(times)} STOP`;
    expect(() => read(doubled(10), { unfolded: 5000 })).not.toThrow();
    expect(problemOf(() => read(doubled(13), { unfolded: 5000 })).message).toContain("more than 5000 values");
    expect(() => read(doubled(13))).not.toThrow();
    const cycle = "EMPTY_LIST BINPUT x00 BINGET x00 APPEND STOP";
    expect(problemOf(() => read(cycle, { unfolded: 5000 })).message).toContain("contains itself");
    expect(() => read(cycle)).not.toThrow();
    expect(() => read("NONE STOP", { unfolded: Number.NaN })).toThrow(UsageError);
  });

  it("are followed by checkExtent, and counted each time", () => {
    let value: unknown[] = [];
    for (let i = 0; i < 30; i++) value = [value, value];
    expect(() => checkExtent(value, { depth: 100, items: 1_000_000 })).toThrow(/more than 1000000 values/);
    expect(() => checkExtent(value, { depth: 31 })).not.toThrow();
    expect(() => checkExtent(value, { depth: 30 })).toThrow(DecodeError);
    expect(() => checkExtent(cyclicList(), { depth: 5 })).not.toThrow();
    expect(() => checkExtent(cyclicList(), { depth: 5, cycles: false })).toThrow(/contains itself/);
  });
});

describe("decodePickles", () => {
  it("reads what several calls of pickle.dump leave in a file", () => {
    const one = encodePickle([1]);
    expect(decodePickles(Buffer.concat([one, encodePickle("a", { protocol: 1 }), one]))).toEqual([
      [1],
      "a",
      [1],
    ]);
    expect(decodePickles(Buffer.alloc(0))).toEqual([]);
    expect(() => decodePickles(Buffer.concat([one, Buffer.from("N")]))).toThrow(DecodeError);
  });
});

describe("input", () => {
  it("may be a view anywhere in its memory", () => {
    const value = { a: "some text", b: 1.5, c: new Uint8Array([1, 2]) };
    const pickle = encodePickle(value);
    for (const offset of [1, 3, 8]) {
      const memory = new Uint8Array(pickle.length + 20).fill(0x2e);
      memory.set(pickle, offset);
      expect(decodePickle(memory.subarray(offset, offset + pickle.length))).toEqual(value);
    }
    const shared = new Uint8Array(new SharedArrayBuffer(pickle.length));
    shared.set(pickle);
    expect(decodePickle(shared)).toEqual(value);
  });
});

function cyclicList(): unknown[] {
  const list: unknown[] = [];
  list.push(list);
  return list;
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import tellist from "../../src/datasets/tellist.ts";
import { type CStruct, compileStruct, layoutOf, parseHeader } from "../../src/formats/c-struct/index.ts";
import { describeStruct } from "../../src/formats/c-struct/shape.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { SchemaError, UnsupportedError, UsageError } from "../../src/model/errors.ts";
import { seededRandom } from "../../src/model/random.ts";
import type { Field, Schema } from "../../src/model/schema.ts";
import type { RecordValue } from "../../src/model/value.ts";
import { emitHeader } from "../../src/schema/emit/header.ts";
import { cStruct } from "../../src/schema/layout/c.ts";
import { readHeader } from "../../src/schema/read/header.ts";
import { datasets } from "../arbitrary-schema.ts";
import { leavesOf, store } from "../formats/c-struct/c-program.ts";
import { runC } from "../formats/c-struct/gcc.ts";
import { randomHeader } from "../formats/c-struct/random-header.ts";
import { itWith } from "../references.ts";
import { SEED } from "../seed.ts";

const TELLIST = path.join(import.meta.dirname, "../../schemas/tellist.h");

const folder = mkdtempSync(path.join(tmpdir(), "header-"));
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string, message?: string): Schema {
  const file = path.join(folder, "x.h");
  writeFileSync(file, text);
  return readHeader(file, message);
}

/** A field without its number, in one line. */
function spelled({ name, type, repetition, capacity }: Field): string {
  const base = type.kind === "scalar" ? type.scalar : `${type.kind} ${type.name}`;
  const size = capacity === undefined ? "" : `(${capacity})`;
  if (repetition.kind === "map") return `${name}: map`;
  if (repetition.kind === "list") return `${name}: ${base}${size}[${repetition.length ?? ""}]`;
  return `${name}: ${base}${size}${repetition.presence === "optional" ? "?" : ""}`;
}

function fieldsOf(schema: Schema, message = schema.root): string[] {
  return schema.messages.get(message)!.fields.map(spelled);
}

describe("a header as a schema", () => {
  it("is the address book where it is the published one", () => {
    const schema = readHeader(TELLIST);
    expect(schema.root).toBe("personal_info_list");
    expect(fieldsOf(schema)).toEqual(["info: message personal_info[]"]);
    expect(fieldsOf(schema, "personal_info")).toEqual([
      "id: uint32",
      "age: uint8",
      "gender: int8",
      "phone_num: uint64",
      "name: string(32)",
    ]);
  });

  it.each([
    ["char x; char y[4]; char z[2][4];", ["x: int8", "y: string(4)", "z: string(4)[2]"]],
    ["uint8_t x[4]; uint8_t y[2][4];", ["x: bytes(4)", "y: bytes(4)[2]"]],
    ["struct { int size; uint8_t bytes[9]; } x, y[2];", ["x: bytes(9)", "y: bytes(9)[2]"]],
    ["bool has_x; float x; bool has_y;", ["x: float?", "has_y: bool"]],
    ["int x[2][3]; int y_count; double y[4];", ["x: int32[6]", "y: double[]"]],
    ["int n; int64_t x[];", ["x: int64[]"]],
    ["int n; uint8_t x[];", ["x: bytes"]],
    ["int x_count; uint8_t x[];", ["x: uint8[]"]],
    ["enum { A } x; enum { B } y[2];", ["x: enum s.x", "y: enum s.y[2]"]],
    ["struct { int a; } x; struct t { int b; } y;", ["x: message s.x", "y: message t"]],
    ["char dummy_field;", []],
    ["int8_t __proto__; int8_t constructor;", ["__proto__: int8", "constructor: int8"]],
  ])("%s", (members, expected) => {
    expect(fieldsOf(read(`struct s { ${members} };`))).toEqual(expected);
  });

  it("has the structs and enums that its root needs, and no others", () => {
    const schema = read(
      "enum e { A = 1, B = -1 }; enum f { C }; struct a { enum e x; }; struct b { int y; }; struct c { struct a z; };",
      "c",
    );
    expect([...schema.messages.keys()]).toEqual(["c", "a"]);
    expect([...schema.enums.values()]).toEqual([
      {
        name: "e",
        values: [
          { name: "A", number: 1 },
          { name: "B", number: -1 },
        ],
        bits: 32,
        closed: false,
      },
    ]);
    expect(schema.messages.get("c")?.fields.map(({ number }) => number)).toEqual([1]);
  });

  const two = "struct a { int x; }; struct b { struct a x; }; typedef struct c_tag { int x; } c;";

  it.each([
    ["a", "a"],
    ["struct a", "a"],
    ["c", "c"],
    ["c_tag", "c"],
  ])("has the root that is asked for, as %s", (message, root) => {
    expect(read(two, message).root).toBe(root);
  });

  it.each([
    [two, undefined, UsageError, "which struct is it? give --message, one of b, c"],
    [two, "d", UsageError, 'struct "d" is not in it, did you mean'],
    ["enum e { A };", undefined, SchemaError, "declares no struct"],
    ["struct s { int *p; };", undefined, SchemaError, "1:16: pointers are not supported"],
  ])("is refused with the file's name: %s %s", (text, message, type, problem) => {
    expect(() => read(text, message)).toThrow(type);
    expect(() => read(text, message)).toThrow(problem);
    expect(() => read(text, message)).toThrow(path.join(folder, "x.h"));
  });

  it("is refused where there is no file", () => {
    expect(() => readHeader(path.join(folder, "none.h"))).toThrow("none.h: no such file");
  });
});

/** Every offset in a struct and in the structs in it. */
function layoutsOf(struct: CStruct): unknown {
  const { size, align, offsets } = layoutOf(struct);
  const inner = struct.members.map(({ type }) =>
    type.kind === "struct" ? layoutsOf(type.struct) : undefined,
  );
  return { size, align, offsets, inner };
}

/** Datasets that have a struct, from random schemas. */
function structDatasets(count: number): Dataset[] {
  return fc.sample(datasets(), { numRuns: count * 2, seed: SEED }).filter((dataset) => {
    try {
      cStruct(dataset);
      return true;
    } catch (error) {
      if (error instanceof UnsupportedError) return false;
      throw error;
    }
  });
}

/** The struct that a printed header is for: the last one, which holds the others. */
function printedAgain(text: string): CStruct {
  const schema = read(text, parseHeader(text).structs.at(-1)?.name);
  return cStruct({ schema, values: [] });
}

describe("a printed header", () => {
  it("of the address book is this", () => {
    const values = [tellist.make(37, 0)];
    expect(emitHeader({ schema: tellist.schema, values })).toBe(`#ifndef PERSONAL_INFO_LIST_H
#define PERSONAL_INFO_LIST_H

#include <stdbool.h>
#include <stdint.h>

enum gender_type {
  MALE = 0,
  FEMALE = 1,
  OTHER = 2
};

/* 48 bytes. */
struct personal_info {
  uint32_t id;
  uint8_t age;
  int8_t gender; /* enum gender_type */
  uint64_t phone_num;
  char name[32];
};

/* 8 bytes, and 48 for each of info. */
struct personal_info_list {
  uint32_t info_count;
  __extension__ struct personal_info info[];
};

#endif
`);
  });

  it("has the layout of the header that its schema was read from", () => {
    const header = randomHeader(seededRandom(SEED + 2), 30);
    for (const struct of parseHeader(header).structs.filter(({ name }) => /^s\d+$/.test(name))) {
      const schema = read(header, struct.name);
      expect(layoutsOf(cStruct({ schema, values: [] }))).toEqual(layoutsOf(struct));
      const printed = emitHeader({ schema, values: [] });
      const again = printedAgain(printed);
      expect(layoutsOf(again), printed).toEqual(layoutsOf(struct));
      const fields = read(printed, struct.name).messages.get(struct.name)!.fields.map(spelled);
      expect(fields.map(unnamed)).toEqual(schema.messages.get(struct.name)!.fields.map(spelled).map(unnamed));
    }
  });

  it.each([
    ["an unnamed struct", "typedef struct { struct { int a; } in, out; } s;"],
    ["an unnamed enum", "typedef struct { enum { A, B } in, out; } s;"],
    [
      "a struct and an enum of one name",
      "typedef struct { char c; } e; enum e { A = -2147483647 - 1 }; struct s { e a; enum e b; };",
    ],
    [
      "its own guard as a name",
      "enum e { S_H }; struct S_H_ { int a; }; struct s { enum e a; struct S_H_ b; };",
    ],
  ])("of a header with %s is one with the same layout", (_, text) => {
    const schema = read(text, "s");
    const printed = emitHeader({ schema, values: [] });
    expect(layoutsOf(cStruct({ schema: read(printed, "s"), values: [] }))).toEqual(
      layoutsOf(cStruct({ schema, values: [] })),
    );
  });

  it("has the layout that was derived, and the same fields", () => {
    for (const dataset of structDatasets(40)) {
      const printed = emitHeader(dataset);
      const again = printedAgain(printed);
      expect(layoutsOf(again), printed).toEqual(layoutsOf(cStruct(dataset)));
      const before = describeStruct(cStruct(dataset)).fields;
      const after = describeStruct(again).fields;
      expect(after.map(({ offset, stride }) => [offset, stride])).toEqual(
        before.map(({ offset, stride }) => [offset, stride]),
      );
      expect(after.map(({ repeat }) => repeat.kind)).toEqual(before.map(({ repeat }) => repeat.kind));
    }
  });

  itWith("gcc", "g++")("compiles without a warning as C99, C23 and C++11", () => {
    const texts = [
      ...structDatasets(12).map(emitHeader),
      emitHeader({ schema: readHeader(TELLIST), values: [] }),
      emitHeader({ schema: tellist.schema, values: [tellist.make(37, 0)] }),
    ];
    const headers = Object.fromEntries(texts.map((text, i) => [`h${i}.h`, text]));
    const flags = ["-Wall", "-Wextra", "-pedantic", "-Werror"];
    const sources = Object.fromEntries(texts.map((_, i) => [`u${i}.c`, `#include "h${i}.h"\nint u${i};\n`]));
    const main = "int main(void) { return 0; }\n";
    for (const [compiler, standard] of [
      ["gcc", "c99"],
      ["gcc", "c2x"],
      ["g++", "c++11"],
    ] as const) {
      runC({ ...headers, ...sources, "main.c": main }, compiler, [
        ...flags,
        `-std=${standard}`,
        ...Object.keys(sources),
      ]);
    }
  });

  itWith("gcc")("makes gcc write what the codec writes", () => {
    const cases = structDatasets(20);
    const files: Record<string, string> = {};
    const expected: string[] = [];
    cases.forEach((dataset, i) => {
      const struct = cStruct(dataset);
      const compiled = compileStruct(struct, { int64: dataset.int64 });
      const blocks = dataset.values.map((value) => {
        const bytes = compiled.pack(value);
        expected.push(Buffer.from(bytes).toString("hex"));
        const stores = leavesOf(struct, value as RecordValue, "(*p)").map(store);
        return `{ struct ${struct.name} *p = calloc(1, ${bytes.length}); ${stores.join(" ")} print(p, ${bytes.length}); free(p); }`;
      });
      files[`h${i}.h`] = emitHeader(dataset);
      files[`u${i}.c`] = `#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n#include "h${i}.h"
void print(const void *p, size_t n);\nvoid f${i}(void) { ${blocks.join("\n")} }\n`;
    });
    files["main.c"] = `#include <stdio.h>\n#include <stddef.h>
void print(const void *p, size_t n) { for (size_t i = 0; i < n; i++) printf("%02x", ((const unsigned char *)p)[i]); puts(""); }
${cases.map((_, i) => `void f${i}(void);`).join(" ")}
int main(void) { ${cases.map((_, i) => `f${i}();`).join(" ")} return 0; }\n`;
    const sources = Object.keys(files).filter((name) => /^u\d+\.c$/.test(name));
    const printed = runC(files, "gcc", ["-std=c99", ...sources]);
    expect(printed.trimEnd().split("\n")).toEqual(expected);
  });
});

/** A type that a header left unnamed has a name in the printed one. */
function unnamed(field: string): string {
  return field.replace(/(message|enum) [\w.]+/, (name) => name.replace(/\./g, "_"));
}

import { describe, expect } from "vitest";
import { readConstant } from "../../../src/formats/c-struct/constant.ts";
import {
  type CompiledStruct,
  type CStruct,
  compileStruct,
  layoutOf,
  parseHeader,
} from "../../../src/formats/c-struct/index.ts";
import { Cursor, tokenize } from "../../../src/formats/c-struct/tokens.ts";
import { SchemaError } from "../../../src/model/errors.ts";
import { seededRandom } from "../../../src/model/random.ts";
import { itWith } from "../../references.ts";
import { SEED } from "../../seed.ts";
import { compare, leavesOf, store } from "./c-program.ts";
import { runC } from "./gcc.ts";
import { type Random, randomHeader, randomValue } from "./random-header.ts";

const INCLUDES =
  '#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stddef.h>\n#include "random.h"\n';

/** How a program refers to a struct, which is by its typedef name unless it has a tag only. */
function spelled(header: string, { name }: CStruct): string {
  return header.includes(`struct ${name} {`) ? `struct ${name}` : name;
}

interface Case {
  readonly name: string;
  readonly struct: CStruct;
  readonly compiled: CompiledStruct;
  readonly value: Record<string, unknown>;
  readonly bytes: Uint8Array;
}

/** Structs with a few values each. */
function casesOf(structs: readonly CStruct[], random: Random, values: number): Case[] {
  return structs.flatMap((struct) => {
    const compiled = compileStruct(struct);
    return Array.from({ length: values }, (_, i) => {
      const value = randomValue(compiled.shape, random);
      return { name: `${struct.name}#${i}`, struct, compiled, value, bytes: compiled.pack(value) };
    });
  });
}

function topLevel(header: string): CStruct[] {
  return parseHeader(header).structs.filter(({ name }) => /^s\d+$/.test(name));
}

/** A random constant expression, some of them without a value in C. */
function randomExpression(random: Random, depth: number): string {
  const pick = (items: readonly string[]): string => items[Math.floor(random() * items.length)]!;
  const inner = (): string => randomExpression(random, depth - 1);
  if (depth === 0 || random() < 0.2) return pick(LITERALS);
  const kind = random();
  if (kind < 0.2) return `${pick(["-", "~", "!", "+"])}(${inner()})`;
  if (kind < 0.3) return `(${inner()} ? ${inner()} : ${inner()})`;
  return kind < 0.6 ? `(${inner()})` : `${inner()} ${pick(OPERATORS)} ${inner()}`;
}

const LITERALS =
  "0 1 2 7 31 33 010 0x7fffffff 0x80000000 0xffffffff 2147483647 2147483648 4294967295 1u 0xffu 3L 5UL 6ll 7ull A B 'a' '\\n' 0b11 0x7fffffffffffffff 0x8000000000000000 18446744073709551615u".split(
    " ",
  );
const OPERATORS = "+ - * / % << >> & | ^ < > <= >= == != && ||".split(" ");

describe("gcc", () => {
  itWith("gcc")("gives 3,000 random constants the value that we give them", () => {
    const random = seededRandom(SEED + 2);
    const constants: { text: string; value: bigint }[] = [];
    while (constants.length < 3000) {
      const text = randomExpression(random, 3);
      const cursor = new Cursor("x", tokenize("x", text));
      try {
        constants.push({
          text,
          value: readConstant(
            cursor,
            new Map([
              ["A", 5],
              ["B", -3],
            ]),
          ),
        });
      } catch (error) {
        // Overflow, division by zero and the like.
        expect(error).toBeInstanceOf(SchemaError);
      }
    }
    const lines = constants.map(({ text }) => `  (unsigned long long)(${text}),`);
    const printed = runC(
      {
        "random.h": "enum { A = 5, B = -3 };",
        "main.c": `${INCLUDES}static const unsigned long long v[] = {\n${lines.join("\n")}\n};
int main(void) { for (size_t i = 0; i < sizeof v / sizeof *v; i++) printf("%llu\\n", v[i]); }\n`,
      },
      "gcc",
      ["-w"],
    );
    expect(printed.trimEnd().split("\n")).toEqual(
      constants.map(({ value }) => String(BigInt.asUintN(64, value))),
    );
  });

  itWith("gcc")("lays out 300 random structs as we do", () => {
    const header = randomHeader(seededRandom(SEED), 300);
    const structs = topLevel(header);
    expect(structs).toHaveLength(300);
    const lines = structs.map((struct) => {
      const type = spelled(header, struct);
      const offsets = struct.members.map(({ name }) => `printf(" %zu", offsetof(${type}, ${name}));`);
      return `printf("${struct.name} %zu %zu:", sizeof(${type}), _Alignof(${type})); ${offsets.join(" ")} puts("");`;
    });
    const printed = runC({
      "random.h": header,
      "main.c": `${INCLUDES}int main(void) {\n${lines.join("\n")}\n}\n`,
    });
    const ours = structs.map((struct) => {
      const { size, align, offsets } = layoutOf(struct);
      return `${struct.name} ${size} ${align}: ${offsets.join(" ")}`;
    });
    expect(printed.trimEnd().split("\n")).toEqual(ours);
  });

  itWith("gcc")("writes the bytes that we write, and reads those", () => {
    const random = seededRandom(SEED + 1);
    const header = randomHeader(random, 80);
    const cases = casesOf(topLevel(header), random, 5);
    const functions = cases.map(({ name, struct, value, bytes }, i) => {
      const leaves = leavesOf(struct, value, "(*p)");
      const hex = Buffer.from(bytes).toString("hex");
      return `static void f${i}(void) {
  ${spelled(header, struct)} *p = calloc(1, ${bytes.length});
  ${leaves.map(store).join("\n  ")}
  print(p, ${bytes.length});
  parse(p, "${hex}");
  ${leaves.map((leaf) => compare(leaf, name)).join("\n  ")}
  free(p);
}`;
    });
    const main = `${INCLUDES}
static void print(const void *p, size_t n) {
  for (size_t i = 0; i < n; i++) printf("%02x", ((const unsigned char *)p)[i]);
  puts("");
}
static void parse(void *p, const char *hex) {
  for (unsigned char *at = p; *hex != 0; hex += 2) { unsigned byte; sscanf(hex, "%2x", &byte); *at++ = byte; }
}
${functions.join("\n")}
int main(void) { ${cases.map((_, i) => `f${i}();`).join(" ")} }
`;
    const printed = runC({ "random.h": header, "main.c": main });
    expect(printed.trimEnd().split("\n")).toEqual(
      cases.map(({ bytes }) => Buffer.from(bytes).toString("hex")),
    );
  });
});

/** Random C headers with every construct that the reader takes, and random values of their structs. */
import type { Shape, StructShape } from "../../../src/formats/c-struct/index.ts";

/** Numbers in [0, 1), as of `seededRandom`. */
export type Random = () => number;

const TYPES = [
  "char", "signed char", "unsigned char", "short", "unsigned short int", "int", "unsigned", "long", "unsigned long",
  "long long int", "unsigned long long", "float", "double", "bool", "_Bool", "int8_t", "uint8_t", "int16_t",
  "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "size_t", "uint_least8_t", "int_fast32_t", "uintptr_t",
]; // biome-ignore format: a list
const COUNTS = ["int", "uint8_t", "uint16_t", "uint32_t", "int64_t", "size_t", "char"];

function pick<T>(items: readonly T[], random: Random): T {
  return items[Math.floor(random() * items.length)]!;
}

/** A header of `count` structs `s0`, `s1` …, each of which may hold those before it. */
export function randomHeader(random: Random, count: number): string {
  return new HeaderWriter(random).header(count);
}

class HeaderWriter {
  readonly #random: Random;
  /** How each struct that another may hold is spelled: those that hold no other, or else values explode. */
  readonly #structs: string[] = [];
  #holdsAnother = false;
  readonly #enums: string[] = [];
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  header(count: number): string {
    const structs = Array.from({ length: count }, (_, i) => this.#struct(i));
    return `#ifndef RANDOM_H
#define RANDOM_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define TWO 2
#define FOUR (TWO * 2)
typedef char label_t[FOUR + 1];
typedef uint16_t pair_t[TWO];
${structs.join("\n")}
#endif
`;
  }

  #struct(index: number): string {
    this.#holdsAnother = false;
    const before = this.#chance(0.2) ? this.#enum() : "";
    const flexible = this.#chance(0.2);
    const body = `{\n${this.#members(1 + Math.floor(this.#random() * 7))}${flexible ? this.#flexible() : ""}}`;
    const name = `s${index}`;
    const [text, spelled] = pick(
      [
        [`struct ${name} ${body};`, `struct ${name}`],
        [`typedef struct ${body} ${name};`, name],
        [`typedef struct ${name}_tag ${body} ${name};`, pick([name, `struct ${name}_tag`], this.#random)],
      ] as const,
      this.#random,
    );
    if (!flexible && !this.#holdsAnother) this.#structs.push(spelled);
    return `${before}${text}\n`;
  }

  #enum(): string {
    const name = `e${this.#enums.length}`;
    this.#enums.push(`enum ${name}`);
    return `enum ${name} { ${name}_A, ${name}_B = ${pick(["7", "-3", "TWO << 4", `${name}_A - 1`], this.#random)}, ${name}_C };\n`;
  }

  #members(count: number): string {
    return Array.from({ length: count }, () => `  ${this.#member(`m${this.#names++}`)}\n`).join("");
  }

  #member(name: string): string {
    const type = pick(TYPES, this.#random);
    const choices: (() => string)[] = [
      () => `${type} ${name};`,
      () => `${type} ${name}, ${name}b;`,
      () => `${type} ${name}[${this.#bound()}];`,
      () => `${type} ${name}[${this.#bound()}][${this.#bound()}];`,
      () => `char ${name}[${pick(["1", "2", "7", "8", "32", "FOUR * 3"], this.#random)}];`,
      () => `char ${name}[${this.#bound()}][5];`,
      () => `label_t ${name};`,
      () => `pair_t ${name}[${this.#bound()}];`,
      () => `uint8_t ${name}[${this.#bound()}];`,
      () => `bool has_${name}; ${type} ${name};`,
      () => `char ${name}[9]; bool has_${name};`,
      () => `struct { ${pick(COUNTS, this.#random)} size; uint8_t bytes[${this.#bound()}]; } ${name};`,
      () => `${pick(COUNTS, this.#random)} ${name}_count; ${type} ${name}[${this.#bound()}];`,
      () => `char ${name}[${this.#bound()}][3]; ${pick(COUNTS, this.#random)} ${name}_count;`,
      () => `struct {\n${this.#members(2)}  } ${name};`,
      () => `enum { ${name}_X, ${name}_Y = -1 } ${name};`,
    ];
    const struct = this.#structs.length > 0 ? pick(this.#structs.slice(-8), this.#random) : undefined;
    if (struct !== undefined) {
      choices.push(
        () => `${struct} ${name};`,
        () => `${struct} ${name}[${this.#bound()}];`,
        () => `bool has_${name}; ${struct} ${name};`,
        () => `uint16_t ${name}_count; ${struct} ${name}[${this.#bound()}];`,
      );
    }
    const type2 = this.#enums.length > 0 ? pick(this.#enums, this.#random) : undefined;
    if (type2 !== undefined)
      choices.push(
        () => `${type2} ${name};`,
        () => `${type2} ${name}[${this.#bound()}];`,
      );
    const text = pick(choices, this.#random)();
    this.#holdsAnother ||= struct !== undefined && text.includes(`${struct} ${name}`);
    return text;
  }

  #flexible(): string {
    const name = `m${this.#names++}`;
    const count = pick(COUNTS, this.#random);
    const struct = this.#structs.length > 0 ? pick(this.#structs.slice(-8), this.#random) : "double";
    return pick(
      [
        `  ${count} n;\n  ${struct} ${name}[];\n`,
        `  ${count} n;\n  ${struct} ${name}[0];\n`,
        `  ${count} ${name}_count;\n  ${pick(TYPES.slice(3), this.#random)} ${name}[];\n`,
        `  ${count} length;\n  uint8_t ${name}[];\n`,
        `  ${count} n;\n  char ${name}[][6];\n`,
      ],
      this.#random,
    );
  }

  #bound(): string {
    return pick(["1", "2", "3", "5", "TWO", "FOUR", "FOUR + 1", "TWO * FOUR"], this.#random);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }
}

/** A random value of a struct, often at a limit of what it holds. Strings are of 1 to 4 bytes a character. */
export function randomValue(struct: StructShape, random: Random): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const { key, element, repeat } of struct.fields) {
    const one = (): unknown => randomElement(element, random);
    if (repeat.kind === "one") {
      if (repeat.flag === undefined || random() < 0.6) entries.push([key, one()]);
    } else {
      const most = repeat.kind === "fixed" ? repeat.length : Math.min(repeat.max, 6);
      const length = repeat.kind === "fixed" || random() < 0.3 ? most : Math.floor(random() * (most + 1));
      const items = Array.from({ length }, one);
      const isBytes = repeat.kind === "counted" && repeat.as === "bytes";
      entries.push([key, isBytes ? Uint8Array.from(items as number[]) : items]);
    }
  }
  return Object.fromEntries(entries);
}

function randomElement(shape: Shape, random: Random): unknown {
  switch (shape.kind) {
    case "struct":
      return randomValue(shape.struct, random);
    case "bool":
      return random() < 0.5;
    case "float": {
      const value = pick([0, -0, 1, -1.5, 0.1, 3e38, 1e-40, Math.PI, random() * 1e6, -random()], random);
      return shape.bits === 32 ? Math.fround(value) : value;
    }
    case "text": {
      const length = random() < 0.3 ? shape.capacity - 1 : Math.floor(random() * shape.capacity);
      let text = "";
      while (Buffer.byteLength(text) < length) {
        const next = text + pick(["a", "7", " ", '"', "\\", "\n", "é", "日", "😀"], random);
        text = Buffer.byteLength(next) <= length ? next : `${text}x`;
      }
      return text;
    }
    case "bytes": {
      const length =
        shape.size === undefined || random() < 0.3 ? shape.capacity : Math.floor(random() * shape.capacity);
      return Uint8Array.from({ length }, () => Math.floor(random() * 256));
    }
    case "integer": {
      const bits = BigInt(shape.bits);
      const random64 =
        (BigInt(Math.floor(random() * 2 ** 32)) << 32n) | BigInt(Math.floor(random() * 2 ** 32));
      const value = pick([0n, 1n, -1n, 1n << (bits - 1n), (1n << (bits - 1n)) - 1n, random64], random);
      const held = shape.signed ? BigInt.asIntN(shape.bits, value) : BigInt.asUintN(shape.bits, value);
      return shape.bits === 64 ? held : Number(held);
    }
  }
}

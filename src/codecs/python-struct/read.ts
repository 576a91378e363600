import { compileFormat, type Struct } from "../../formats/python-struct/index.ts";
import { DecodeError } from "../../model/errors.ts";
import { assignField, compile, literalKey, numbered, setOwn } from "../../model/generated-code.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { FieldType, Int64Mode } from "../../model/schema.ts";
import { show, type Value } from "../../model/value.ts";
import {
  type FieldLayout,
  type Layouts,
  type MessageLayout,
  type Slot,
  StructPlan,
} from "../../schema/layout/python-struct.ts";
import { MAX_DEPTH } from "../../schema/values/conform.ts";
import { SCOPE, unpacked } from "./expressions.ts";

/** Structs being read. */
interface Input {
  readonly bytes: Uint8Array;
  at: number;
}

/** Generates the function that reads a value, whatever the bytes are. Throws DecodeError. */
export function compileReader(
  layouts: Layouts,
  root: string,
  int64: Int64Mode,
): (bytes: Uint8Array) => Value {
  const reader = new Reader(layouts, int64);
  const functions = [...layouts.values()].map((layout) => reader.message(layout));
  const source = `${functions.join("\n")}
return (bytes) => {
  const s = { bytes, at: 0 };
  const value = ${reader.nameOf(root)}(s, 1);
  if (s.at < bytes.length) trailing(s);
  return value;
};`;
  return compile(source, {
    ...reader.structs,
    ...SCOPE,
    MAX_DEPTH,
    setOwn,
    tooDeep,
    tooMany,
    trailing,
    twice,
  });
}

/** An expression, the statement that comes before it, and the least bytes that it reads. */
interface Read {
  readonly before: string;
  readonly value: string;
  readonly size: number;
}

/** Writes the source of the functions, and compiles the structs that they use. */
class Reader {
  /** By their names in the generated code. */
  readonly structs: Record<string, Struct> = {};
  readonly #layouts: Layouts;
  readonly #int64: Int64Mode;
  readonly #names: ReadonlyMap<string, string>;
  #count = 0;

  constructor(layouts: Layouts, int64: Int64Mode) {
    this.#layouts = layouts;
    this.#int64 = int64;
    this.#names = numbered(layouts.keys(), "read");
  }

  nameOf(message: string): string {
    return this.#names.get(message)!;
  }

  /** What follows the struct is read in its order; then come the fields that are always there, then the others. */
  message({ message, fields, struct }: MessageLayout): string {
    const tails = fields.map((layout, i) => this.#tail(layout, `x${i}`));
    const values = fields.map(({ slot, place }, i) =>
      slot === undefined || place === undefined ? `x${i}` : unpacked(slot, "r", place),
    );
    const members = fields.flatMap(({ field, flag }, i) =>
      flag === undefined ? [`${literalKey(field.name)}: ${values[i]}`] : [],
    );
    const optional = fields.flatMap(({ field, flag }, i) =>
      flag === undefined ? [] : [`if (r[${flag}]) { ${assignField("m", field.name, values[i]!)} }`],
    );
    return `function ${this.nameOf(message.name)}(s, depth) {
  if (depth > MAX_DEPTH) tooDeep(s);
  ${this.#unpack(struct, "r", this.#int64)}
  ${tails.join("\n  ")}
  const m = { ${members.join(", ")} };
  ${optional.join("\n  ")}
  return m;
}`;
  }

  /** Statements that read what follows the struct. */
  #tail(layout: FieldLayout, x: string): string {
    const { field, slot, keySlot, flag, count, place } = layout;
    const { repetition } = field;
    if (place !== undefined) return "";
    const one = this.#one(field.type, slot);
    if (repetition.kind === "one") {
      return `const ${x} = ${flag === undefined ? one.value : `r[${flag}] ? ${one.value} : undefined`};`;
    }
    const total =
      count === undefined ? String(repetition.kind === "list" && repetition.length) : `r[${count}]`;
    const each = (least: number, body: string): string =>
      `if (${total} * ${least} > s.bytes.length - s.at) tooMany(s, ${total}); for (let i = 0; i < ${total}; i++) { ${body} }`;
    if (keySlot === undefined) {
      return `const ${x} = []; ${each(one.size, `${one.before} ${x}.push(${one.value});`)}`;
    }
    // A key is text whatever the dataset's integers are.
    const key = this.#slot(keySlot, "k", "bigint");
    const body = `${key.before} const key = String(${key.value}); if (Object.hasOwn(${x}, key)) twice(s, key); ${one.before} setOwn(${x}, key, ${one.value});`;
    return `const ${x} = {}; ${each(key.size + one.size, body)}`;
  }

  #one(type: FieldType, slot: Slot | undefined): Read {
    if (slot !== undefined) return this.#slot(slot, "e", this.#int64);
    const message = (type as Extract<FieldType, { kind: "message" }>).name;
    const value = `${this.nameOf(message)}(s, depth + 1)`;
    return { before: "", value, size: this.#layouts.get(message)!.struct.size };
  }

  #slot(slot: Slot, r: string, int64: Int64Mode): Read {
    const plan = StructPlan.of(slot);
    return { before: this.#unpack(plan, r, int64), value: unpacked(slot, r, 0), size: plan.size };
  }

  /** A statement that reads the next struct as the list `r`. */
  #unpack({ format, text, size }: StructPlan, r: string, int64: Int64Mode): string {
    const name = `struct${this.#count++}`;
    this.structs[name] = compileFormat(format, { text, int64 });
    return `const ${r}At = s.at, ${r} = ${name}.unpackFrom(s.bytes, ${r}At); s.at += ${size};`;
  }
}

function fail({ at }: Input, problem: string, code: "corrupt" | "truncated" | "limit" = "corrupt"): never {
  throw new DecodeError("python-struct", problem, { offset: at, code });
}

function tooDeep(input: Input): never {
  fail(input, `nested deeper than ${MAX_DEPTH} messages`, "limit");
}

function tooMany(input: Input, count: number): never {
  fail(
    input,
    `${count} elements, which the ${inBytes(input.bytes.length - input.at)} left cannot hold`,
    "truncated",
  );
}

function trailing(input: Input): never {
  fail(input, `${inBytes(input.bytes.length - input.at)} after the end of the message`);
}

function twice(input: Input, key: string): never {
  fail(input, `the key ${show(key)} twice`);
}

import { ByteOutput } from "../../formats/bytes/output.ts";
import { utf8Size } from "../../formats/bytes/portable.ts";
import { compileFormat, type Struct } from "../../formats/python-struct/index.ts";
import { UnsupportedError, ValueError } from "../../model/errors.ts";
import { compile, fieldOf, numbered } from "../../model/generated-code.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { is64Bit, type Scalar } from "../../model/schema.ts";
import { childPath, type RecordValue, type Value } from "../../model/value.ts";
import {
  type FieldLayout,
  type Layouts,
  type MessageLayout,
  type Slot,
  StructPlan,
} from "../../schema/layout/python-struct.ts";
import { MAX_DEPTH } from "../../schema/values/conform.ts";
import { absent, packed, SCOPE } from "./expressions.ts";

/** Largest message. */
const MAX_MESSAGE_BYTES = 2 ** 28;

/**
 * Generates the function that writes a value as structs, the root's first. Throws ValueError, without a path, for text
 * or bytes that do not fit their slot, and UnsupportedError for a message that is too large.
 */
export function compileWriter(layouts: Layouts, root: string): (value: Value) => Uint8Array {
  const writer = new Writer(layouts);
  const functions = [...layouts.values()].map((layout) => writer.message(layout));
  const source = `${functions.join("\n")}\nreturn ${writer.entry(root)};`;
  return compile(source, { ...writer.structs, ...SCOPE, MAX_DEPTH, room, tooDeep, whole });
}

/** Writes the source of the functions, and compiles the structs that they use. */
class Writer {
  /** By their names in the generated code. */
  readonly structs: Record<string, Struct> = {};
  readonly #names: ReadonlyMap<string, string>;
  #count = 0;
  /** Functions that pack a whole message, for messages that end with their struct. */
  readonly #single = new Map<string, string>();

  constructor(layouts: Layouts) {
    this.#names = numbered(layouts.keys(), "write");
  }

  /** The expression of the function that makes bytes of the root. */
  entry(root: string): string {
    return this.#single.get(root) ?? `(m) => whole(m, ${this.#names.get(root)})`;
  }

  message({ message, fields, struct }: MessageLayout): string {
    const reads = fields.map(({ field }, i) => `const x${i} = ${fieldOf("m", field.name)};`).join(" ");
    const values = fields.flatMap((layout, i) => structValues(layout, `x${i}`));
    const tails = fields.map((layout, i) => this.#tail(layout, `x${i}`)).filter((tail) => tail !== "");
    const name = this.#compiled(struct);
    if (tails.length === 0) {
      this.#single.set(message.name, `(m) => { ${reads} return ${name}.pack(${values.join(", ")}); }`);
    }
    return `function ${this.#names.get(message.name)}(out, m, depth) {
  if (depth > MAX_DEPTH) tooDeep();
  ${reads}
  ${this.#pack(name, values)}
${tails.map((tail) => `  ${tail}\n`).join("")}}`;
  }

  /** Statements that write what follows the struct. */
  #tail({ field, slot, keySlot, flag }: FieldLayout, x: string): string {
    const { type, repetition } = field;
    const one = (value: string): string => {
      if (type.kind === "message") return `${this.#names.get(type.name)}(out, ${value}, depth + 1);`;
      return this.#packOne(slot!, value);
    };
    if (repetition.kind === "list") return `for (const e of ${x}) { ${one("e")} }`;
    if (repetition.kind === "map") {
      const key = this.#packOne(keySlot!, keyValue(repetition.key));
      return `for (const k of Object.keys(${x})) { ${key} ${one(`${x}[k]`)} }`;
    }
    if (slot !== undefined) return "";
    return flag === undefined ? one(x) : `if (${x} !== undefined) ${one(x)}`;
  }

  #packOne(slot: Slot, value: string): string {
    return this.#pack(this.#compiled(StructPlan.of(slot)), packed(slot, value));
  }

  #pack(name: string, values: readonly string[]): string {
    const size = this.structs[name]!.size;
    return `room(out, ${size}); ${name}.packInto(${["out.bytes", "out.at", ...values].join(", ")}); out.at += ${size};`;
  }

  #compiled({ format, text }: StructPlan): string {
    const name = `struct${this.#count++}`;
    this.structs[name] = compileFormat(format, { text });
    return name;
  }
}

/** What a field puts into the struct of its message, in the order of its places. */
function structValues({ field, slot, flag, count }: FieldLayout, x: string): string[] {
  if (count !== undefined) {
    return [field.repetition.kind === "map" ? `Object.keys(${x}).length` : `${x}.length`];
  }
  if (field.repetition.kind !== "one") return [];
  const given = slot === undefined ? [] : packed(slot, x);
  if (flag === undefined) return given;
  const empty = slot === undefined ? [] : absent(slot);
  return [`${x} !== undefined`, ...given.map((value, i) => `${x} === undefined ? ${empty[i]} : ${value}`)];
}

/** A map's keys are strings in a plain value. */
function keyValue(key: Scalar): string {
  if (key === "string") return "k";
  if (key === "bool") return 'k === "true"';
  return is64Bit(key) ? "BigInt(k)" : "Number(k)";
}

function whole<M>(message: M, write: (out: ByteOutput, message: M, depth: number) => void): Uint8Array {
  const out = ByteOutput.borrow();
  try {
    write(out, message, 1);
    return out.finish();
  } catch (error) {
    out.release();
    throw error;
  }
}

function room(out: ByteOutput, size: number): void {
  if (out.at + size > MAX_MESSAGE_BYTES) {
    throw new UnsupportedError(`a message of more than ${MAX_MESSAGE_BYTES} bytes`);
  }
  out.reserve(size);
}

function tooDeep(): never {
  throw new ValueError("", `nested deeper than ${MAX_DEPTH} messages`);
}

/** The ValueError of the first text or bytes in a value that do not fit their slot, with its path. */
export function problemOf(
  layouts: Layouts,
  message: string,
  value: Value,
  path = "",
  depth = 1,
): ValueError | undefined {
  // A value that contains itself is refused for its depth.
  if (depth > MAX_DEPTH) return undefined;
  for (const layout of layouts.get(message)?.fields ?? []) {
    const { name } = layout.field;
    const given = Object.hasOwn(value as RecordValue, name) ? (value as RecordValue)[name] : undefined;
    if (given === undefined) continue;
    const found = fieldProblem(layouts, layout, given, { path: childPath(path, name), depth });
    if (found !== undefined) return found;
  }
  return undefined;
}

function fieldProblem(
  layouts: Layouts,
  { field, slot, keySlot }: FieldLayout,
  given: Value,
  { path, depth }: { readonly path: string; readonly depth: number },
): ValueError | undefined {
  const { type, repetition } = field;
  const one = (value: Value, at: string): ValueError | undefined =>
    type.kind === "message"
      ? problemOf(layouts, type.name, value, at, depth + 1)
      : slotProblem(slot, value, at);
  if (repetition.kind === "one") return one(given, path);
  const entries = Object.entries(given as RecordValue);
  for (const [key, item] of entries) {
    const at = childPath(path, repetition.kind === "list" ? Number(key) : key);
    const found = (keySlot && slotProblem(keySlot, key, at)) ?? one(item, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

function slotProblem(slot: Slot | undefined, value: Value, path: string): ValueError | undefined {
  if (slot === undefined || slot.kind === "number") return undefined;
  const { kind, holds, bytes } = slot;
  if (holds === "string" && typeof value === "string" && !value.isWellFormed()) {
    return new ValueError(path, "a lone surrogate, which UTF-8 cannot hold");
  }
  const length = holds === "string" ? utf8Size(value as string) : (value as Uint8Array).length;
  const fits = kind === "fixed" ? length === bytes : length <= bytes;
  if (fits) return undefined;
  return new ValueError(
    path,
    `expected ${kind === "fixed" ? "" : "at most "}${inBytes(bytes)}, got ${length}`,
  );
}

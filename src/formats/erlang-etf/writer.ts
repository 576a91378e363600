import { ValueError } from "../../model/errors.ts";
import { pathText, show } from "../../model/value.ts";
import { ByteOutput } from "../bytes/output.ts";
import { UTF8_PER_UNIT, writeUtf8 } from "../bytes/utf8.ts";
import { compareText } from "./compare-text.ts";
import { layOut, type ObjectShape, ObjectShapes, type ShapeLayout } from "./object-shapes.ts";
import type { WriteRules } from "./options.ts";
import { isPlain } from "./plain-object.ts";
import * as tags from "./tags.ts";
import { putInteger, writeBigInt, writeFloat, writeNumber } from "./write-number.ts";
import { writeSpecial } from "./write-special.ts";

/** Shapes of objects that were met, by any writer. */
const shapes = new ObjectShapes();

/** Writes one term after the other. Whoever encodes in the middle of that, as a getter can, uses another. */
export class TermWriter {
  readonly out = ByteOutput.borrow();
  readonly rules: WriteRules;
  /** Values of the objects that are being written, those of the outer before those of the inner. */
  readonly #values: unknown[] = [];
  #top = 0;
  #refused: ValueError | undefined;
  /** Where it was refused, from the inside out. */
  readonly #steps: (string | number)[] = [];

  constructor(rules: WriteRules) {
    this.rules = rules;
  }

  /** Throws a ValueError. Those around add where it is. */
  refuse(problem: string): never {
    this.#refused = new ValueError("", problem);
    throw this.#refused;
  }

  /** Adds a step to the path of what is refused. */
  below(step: string | number): void {
    this.#steps.push(step);
  }

  /** What to throw for what was thrown, here or by a getter or a trap of what is written. */
  explain(error: unknown): ValueError {
    const path = pathText(this.#steps.reverse());
    const refused = this.#refused;
    if (refused !== undefined && error === refused) return new ValueError(path, refused.problem);
    const explained = new ValueError(path, `cannot be read: ${messageOf(error)}`);
    explained.cause = error;
    return explained;
  }

  /** Writes a term. @param depth of what it is in: 0 at the top */
  term(value: unknown, depth: number): void {
    switch (typeof value) {
      case "number":
        writeNumber(this, value);
        break;
      case "string":
        this.text(value);
        break;
      case "boolean":
        this.word(value ? TRUE : FALSE);
        break;
      case "bigint":
        writeBigInt(this, value);
        break;
      case "object":
        if (value === null) this.word(NULL);
        else if (Array.isArray(value)) this.#list(value, depth + 1);
        else if ((value.constructor === Object && Object.getPrototypeOf(value) === OBJECT) || isPlain(value))
          this.#object(value, depth + 1);
        else writeSpecial(this, value, depth + 1);
        break;
      default:
        this.refuse(`expected a term, got ${show(value)}`);
    }
  }

  /** Writes an atom of ASCII. */
  word(name: Uint8Array): void {
    const { out } = this;
    const version = this.rules.minorVersion;
    out.reserve(3 + name.length);
    const { bytes } = out;
    let { at } = out;
    bytes[at++] = version === 2 ? tags.SMALL_ATOM_UTF8 : tags.ATOM;
    if (version !== 2) bytes[at++] = 0;
    bytes[at++] = name.length;
    for (let i = 0; i < name.length; i++) bytes[at + i] = name[i]!;
    out.at = at + name.length;
  }

  /** Writes a text as a binary. */
  text(value: string): void {
    const { out } = this;
    if (value.length > this.rules.maxBytes) this.refuse(`more than ${this.rules.maxBytes} bytes`);
    out.reserve(5 + UTF8_PER_UNIT * value.length);
    const { at, bytes, view } = out;
    const length = writeUtf8(bytes, at + 5, value);
    if (length < 0) this.refuse("a lone surrogate has no UTF-8");
    bytes[at] = tags.BINARY;
    view.setUint32(at + 1, length);
    out.at = at + 5 + length;
  }

  /** Writes a tag and 32 bits. */
  head(tag: number, count: number): void {
    const { out } = this;
    out.reserve(5);
    const { at } = out;
    out.bytes[at] = tag;
    out.view.setUint32(at + 1, count);
    out.at = at + 5;
  }

  /** Writes one byte. */
  byte(value: number): void {
    const { out } = this;
    out.reserve(1);
    out.bytes[out.at++] = value;
  }

  /** Throws a ValueError where a term is too deep or too long. */
  enter(depth: number): void {
    const { maxDepth, maxBytes } = this.rules;
    if (depth > maxDepth) this.refuse(`nested deeper than ${maxDepth} levels`);
    if (this.out.at > maxBytes) this.refuse(`more than ${maxBytes} bytes`);
  }

  #list(list: readonly unknown[], depth: number): void {
    this.enter(depth);
    const count = list.length;
    if (count > 0) {
      if (count <= tags.MAX_STRING && this.#string(list, count)) return;
      this.elements(tags.LIST, list, depth);
    }
    this.byte(tags.NIL);
  }

  /** Writes a tag, the count of some elements, and the elements. */
  elements(tag: number, list: readonly unknown[], depth: number): void {
    const count = list.length;
    if (tag === tags.SMALL_TUPLE) {
      this.byte(tag);
      this.byte(count);
    } else this.head(tag, count);
    let i = 0;
    try {
      for (; i < count; i++) this.term(list[i], depth);
    } catch (error) {
      this.below(i);
      throw error;
    }
  }

  /** Writes a list of bytes as Erlang does; false, and nothing is written, where it is none. */
  #string(list: readonly unknown[], count: number): boolean {
    const { out } = this;
    let i = 0;
    try {
      if (!isByte(list[0])) return false;
      out.reserve(3 + count);
      const { at, bytes } = out;
      for (; i < count; i++) {
        const item = list[i];
        if (!isByte(item)) return false;
        bytes[at + 3 + i] = Number(item);
      }
    } catch (error) {
      this.below(i);
      throw error;
    }
    const { at, bytes, view } = out;
    bytes[at] = tags.STRING;
    view.setUint16(at + 1, count);
    out.at = at + 3 + count;
    return true;
  }

  /** Maps of up to 32 keys are in the order of their keys, and we keep larger ones so too. */
  #object(object: object, depth: number): void {
    this.enter(depth);
    const from = this.#top;
    const values = this.#values;
    let shape: ObjectShape = shapes.root;
    let count = 0;
    let reading: string | undefined;
    try {
      for (const key in object) {
        let next = shape.next;
        if (next === undefined || next.key !== key) {
          next = Object.hasOwn(object, key) ? shapes.extend(shape, key) : undefined;
          if (next === undefined) {
            this.#unshaped(object, depth);
            return;
          }
        }
        shape = next;
        reading = key;
        values[from + count++] = (object as Record<string, unknown>)[key];
        reading = undefined;
      }
    } catch (error) {
      if (reading !== undefined) this.below(reading);
      throw error;
    }
    this.#top = from + count;
    this.#entries(shape, shape.layout ?? layOut(shape), from, depth);
    this.#top = from;
  }

  #entries(shape: ObjectShape, { keys, order, room }: ShapeLayout, from: number, depth: number): void {
    const { out } = this;
    const values = this.#values;
    const count = keys.length;
    if (count === 0) {
      this.head(tags.MAP, 0);
      return;
    }
    // Room for all that is written here: an integer is done with in place.
    out.reserve(room);
    let { at, bytes, view } = out;
    let i = 0;
    try {
      for (; i < count; i++) {
        const { size, first, second, rest } = keys[i]!;
        view.setFloat64(at, first, true);
        view.setFloat64(at + 8, second, true);
        for (let word = 0; word < rest.length; word++) view.setFloat64(at + 16 + 8 * word, rest[word]!, true);
        at += size;
        const value = values[from + order[i]!];
        if (typeof value === "number") {
          if ((value & 0xff) === value && !Object.is(value, -0)) {
            // Its tag came with the key.
            bytes[at + 1] = value;
            at += 2;
            continue;
          }
          const end = putInteger(bytes, view, at, value);
          if (end >= 0) {
            at = end;
            continue;
          }
        }
        out.at = at;
        if (typeof value === "string") this.text(value);
        else if (typeof value === "number") writeFloat(this, value);
        else this.term(value, depth);
        out.reserve(room);
        ({ at, bytes, view } = out);
      }
      out.at = at;
    } catch (error) {
      this.below(shape.keys[order[i]!]!);
      throw error;
    }
  }

  /** An object whose shape is not kept: it has many keys, long ones, or keys that others do not have. */
  #unshaped(object: object, depth: number): void {
    const keys = Object.keys(object).sort(compareText);
    this.head(tags.MAP, keys.length);
    let i = 0;
    try {
      for (; i < keys.length; i++) {
        this.text(keys[i]!);
        this.term((object as Record<string, unknown>)[keys[i]!], depth);
      }
    } catch (error) {
      this.below(keys[i]!);
      throw error;
    }
  }
}

const TRUE = Buffer.from("true");
const FALSE = Buffer.from("false");
const NULL = Buffer.from("null");

const OBJECT = Object.prototype;

function isByte(value: unknown): boolean {
  if (typeof value === "bigint") return value >= 0n && value <= 255n;
  return typeof value === "number" && (value & 0xff) === value && !Object.is(value, -0);
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "what was thrown has no text";
  }
}

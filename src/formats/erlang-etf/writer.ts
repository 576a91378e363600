import { ValueError } from "../../model/errors.ts";
import { pathText, show } from "../../model/value.ts";
import { writeBytes } from "../bytes/copy.ts";
import { ByteOutput } from "../bytes/output.ts";
import { utf8Bytes } from "../bytes/portable.ts";
import { UTF8_PER_UNIT, writeUtf8 } from "../bytes/utf8.ts";
import {
  writeArity,
  writeAtom,
  writeBigInt,
  writeBinary,
  writeBits,
  writeExport,
  writeFloat,
  writeNumber,
  writePid,
  writePort,
  writeReference,
  writeUint32,
} from "./leaf.ts";
import { NONE, shapes, sortedOrder } from "./object-shapes.ts";
import type { WriteRules } from "./options.ts";
import { TermOrder } from "./order.ts";
import { Properties } from "./properties.ts";
import * as tags from "./tags.ts";
import {
  Atom,
  BitBinary,
  Export,
  Float,
  Fun,
  ImproperList,
  OldFun,
  Pid,
  Port,
  Reference,
  Tuple,
} from "./terms.ts";

/** Writes one term after the other. Whoever encodes in the middle of that, as a getter can, uses another. */
export class TermWriter {
  readonly out = ByteOutput.borrow();
  readonly rules: WriteRules;
  readonly properties = new Properties();
  #refused: ValueError | undefined;
  /** Where it was refused, from the inside out. */
  readonly #steps: (string | number)[] = [];
  /** Bytes of keys that were moved into their order. */
  #moved = 0;

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

  /** Throws a ValueError where a term is too deep or too long. */
  enter(depth: number): void {
    const { maxDepth, maxBytes } = this.rules;
    if (depth > maxDepth) this.refuse(`nested deeper than ${maxDepth} levels`);
    if (this.out.at > maxBytes) this.refuse(`more than ${maxBytes} bytes`);
  }

  /** Writes one byte. */
  byte(value: number): void {
    const { out } = this;
    out.reserve(1);
    out.bytes[out.at++] = value;
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

  /** Writes bytes as they are. */
  raw(bytes: Uint8Array): void {
    const { out } = this;
    out.reserve(bytes.length);
    writeBytes(out.bytes, out.at, bytes);
    out.at += bytes.length;
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
        else this.within(value, depth + 1);
        break;
      default:
        this.refuse(`expected a term, got ${show(value)}`);
    }
  }

  /** Writes an array, or an object by what it inherits from. @param depth of it, from 1 */
  within(value: object, depth: number): void {
    if (Array.isArray(value)) {
      this.#list(value, depth);
      return;
    }
    const code = shapes.expected(depth);
    if (code?.object(this, value, depth)) return;
    // Code that was expected has looked at the constructor, which says quickly that an object is plain.
    if (code === undefined && value.constructor === Object && Object.getPrototypeOf(value) === OBJECT) {
      this.#object(value, depth, isLittered());
    } else if (isPlain(value)) this.#object(value, depth, true);
    else this.#special(value, depth);
  }

  #list(list: readonly unknown[], depth: number): void {
    this.enter(depth);
    const count = list.length;
    if (count > 0) {
      if (count <= tags.MAX_STRING && this.#string(list, count)) return;
      this.#elements(tags.LIST, list, depth);
    }
    this.byte(tags.NIL);
  }

  /** Writes a tag, the count of some elements, and the elements. */
  #elements(tag: number, list: readonly unknown[], depth: number): void {
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
      if (byteOf(list[0]) < 0) return false;
      out.reserve(3 + count);
      const { at, bytes } = out;
      for (; i < count; i++) {
        const byte = byteOf(list[i]);
        if (byte < 0) return false;
        bytes[at + 3 + i] = byte;
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

  /** Writes an object of which it is not known what its shape may be. */
  #object(object: object, depth: number, mayInherit: boolean): void {
    this.enter(depth);
    this.properties.begin(mayInherit);
    for (const key in object) this.property(object, key);
    this.entries(depth);
  }

  /** Reads the property that a loop over an object's gives next. */
  property(object: object, key: string): void {
    const { properties } = this;
    if (!properties.follow(object, key)) return;
    try {
      properties.take((object as Record<string, unknown>)[key]);
    } catch (error) {
      this.below(key);
      throw error;
    }
  }

  /** Writes the properties that were read. Maps of up to 32 keys are in their order, and we keep larger ones so too. */
  entries(depth: number): void {
    const { from, shape, values, keys } = this.properties;
    if (shape === undefined) this.#sorted(keys, sortedOrder(keys), from, depth);
    else {
      shapes.note(shape, depth);
      const code = shapes.codeOf(shape);
      if (code === undefined) this.#sorted(shape.keys, shape.order, from, depth);
      else code.values(this, values, from, depth);
    }
    this.properties.end(from);
  }

  #sorted(keys: readonly string[], order: readonly number[], from: number, depth: number): void {
    const { values } = this.properties;
    this.head(tags.MAP, keys.length);
    let place = 0;
    try {
      for (; place < order.length; place++) {
        this.text(keys[order[place]!]!);
        this.term(values[from + order[place]!], depth);
      }
    } catch (error) {
      this.below(keys[order[place]!]!);
      throw error;
    }
  }

  /** Writes a term that is an object of a class. @param depth of the object, from 1 */
  #special(value: object, depth: number): void {
    if (value instanceof Uint8Array) writeBinary(this, value);
    else if (value instanceof Atom) writeAtom(this, value.name);
    else if (value instanceof Tuple) this.#tuple(value, depth);
    else if (value instanceof Map) this.#map(value, depth);
    else if (value instanceof Float) writeFloat(this, value.value);
    else if (value instanceof ImproperList) this.#improper(value, depth);
    else if (value instanceof BitBinary) writeBits(this, value);
    else if (value instanceof Pid) writePid(this, value);
    else if (value instanceof Port) writePort(this, value);
    else if (value instanceof Reference) writeReference(this, value);
    else if (value instanceof Export) writeExport(this, value);
    else if (value instanceof Fun) this.#fun(value, depth);
    else if (value instanceof OldFun) this.#oldFun(value, depth);
    else this.refuse(`expected plain data or a term, got ${show(value)}`);
  }

  #tuple({ elements }: Tuple, depth: number): void {
    this.enter(depth);
    if (!Array.isArray(elements)) this.refuse(`expected the elements of a tuple, got ${show(elements)}`);
    this.#elements(elements.length <= 255 ? tags.SMALL_TUPLE : tags.LARGE_TUPLE, elements, depth);
  }

  #improper({ elements, tail }: ImproperList, depth: number): void {
    this.enter(depth);
    if (!Array.isArray(elements) || elements.length === 0) {
      this.refuse(`expected the elements of an improper list, got ${show(elements)}`);
    }
    if (Array.isArray(tail) || tail instanceof ImproperList) {
      this.refuse("expected another tail of an improper list, got a list");
    }
    this.#elements(tags.LIST, elements, depth);
    try {
      this.term(tail, depth);
    } catch (error) {
      this.below("tail");
      throw error;
    }
  }

  /** Writes a fun with its environment, and its size before it. */
  #fun(fun: Fun, depth: number): void {
    const { out } = this;
    this.enter(depth);
    const start = out.at + 1;
    this.head(tags.NEW_FUN, 0);
    writeArity(this, fun.arity);
    if (!(fun.uniq instanceof Uint8Array) || fun.uniq.length !== 16) {
      this.refuse(`expected 16 bytes of a module's MD5, got ${show(fun.uniq)}`);
    }
    this.raw(fun.uniq);
    writeUint32(this, fun.index);
    this.#expectFree(fun.free);
    writeUint32(this, fun.free.length);
    writeAtom(this, fun.module);
    this.#signed(fun.oldIndex);
    this.#signed(fun.oldUniq);
    this.#pidOf(fun);
    this.#free(fun.free, depth);
    out.view.setUint32(start, out.at - start);
  }

  /** Writes a fun in the old form. */
  #oldFun(fun: OldFun, depth: number): void {
    this.enter(depth);
    this.#expectFree(fun.free);
    this.head(tags.FUN, fun.free.length);
    this.#pidOf(fun);
    writeAtom(this, fun.module);
    this.#signed(fun.index);
    this.#signed(fun.uniq);
    this.#free(fun.free, depth);
  }

  #expectFree(free: unknown): void {
    if (!Array.isArray(free)) this.refuse(`expected the free variables of a fun, got ${show(free)}`);
  }

  #pidOf({ pid }: { readonly pid: unknown }): void {
    if (!(pid instanceof Pid)) this.refuse(`expected the pid of a fun, got ${show(pid)}`);
    writePid(this, pid);
  }

  /** Writes values of free variables. */
  #free(free: readonly unknown[], depth: number): void {
    let i = 0;
    try {
      for (; i < free.length; i++) this.term(free[i], depth);
    } catch (error) {
      this.below(i);
      throw error;
    }
  }

  #signed(value: number): void {
    if ((value | 0) !== value) this.refuse(`expected an integer of 32 bits, got ${show(value)}`);
    writeNumber(this, value);
  }

  /** Writes a map of any keys, in the order of the keys. All keys are written before the first value is. */
  #map(map: ReadonlyMap<unknown, unknown>, depth: number): void {
    this.enter(depth);
    const { out } = this;
    const keys = [...map.keys()];
    this.head(tags.MAP, keys.length);
    const starts: number[] = [];
    let at = 0;
    try {
      for (const key of keys) {
        starts.push(out.at);
        this.term(key, depth);
        at += 1;
      }
      if (keys.length === 1) this.term(map.get(keys[0]), depth);
    } catch (error) {
      this.below(stepOf(keys[keys.length === 1 ? 0 : at]));
      throw error;
    }
    if (keys.length > 1) this.#entries(map, keys, starts, depth);
  }

  /** Puts keys that were written last, each from its start on, into their order, and their values behind them. */
  #entries(
    map: ReadonlyMap<unknown, unknown>,
    keys: readonly unknown[],
    starts: number[],
    depth: number,
  ): void {
    const { out } = this;
    const [from = 0] = starts;
    const end = out.at;
    const order = this.#orderOf(keys, starts);
    this.#moved += end - from;
    if (this.#moved > MOVED * end + MOVED_ANYWAY) this.refuse("keys in keys of maps take too long to sort");
    const written = out.bytes.slice(from, end);
    starts.push(end);
    out.at = from;
    let place = 0;
    try {
      for (; place < order.length; place++) {
        const one = order[place]!;
        this.raw(written.subarray(starts[one]! - from, starts[one + 1]! - from));
        this.term(map.get(keys[one]), depth);
      }
    } catch (error) {
      this.below(stepOf(keys[order[place]!]));
      throw error;
    }
  }

  /** The places of keys that were written from these starts on, in their order. */
  #orderOf(keys: readonly unknown[], starts: readonly number[]): readonly number[] {
    const { out } = this;
    const terms = new TermOrder(out.bytes.subarray(0, out.at));
    const order = starts.map((_, i) => i).sort((a, b) => terms.compare(starts[a]!, starts[b]!));
    const twice = order.find((one, i) => i > 0 && terms.compare(starts[order[i - 1]!]!, starts[one]!) === 0);
    if (twice === undefined) return order;
    this.below(stepOf(keys[twice]));
    return this.refuse("another key of the map is the same term");
  }
}

/**
 * Bytes of keys that may be moved into their order, for each byte that is written, and beyond that in any term. Each
 * key is moved once for every map that it is in a key of: more of them in one another are an attack.
 */
const MOVED = 16;
const MOVED_ANYWAY = 2 ** 20;

const TRUE = utf8Bytes("true");
const FALSE = utf8Bytes("false");
const NULL = utf8Bytes("null");

const OBJECT = Object.prototype;

/** The byte that an integer is, or -1. */
function byteOf(value: unknown): number {
  if (typeof value === "number") return (value & 0xff) === value && !Object.is(value, -0) ? value : -1;
  return typeof value === "bigint" && value >= 0n && value <= 255n ? Number(value) : -1;
}

/** Whether a program gave all objects properties that a loop over an object's sees. */
function isLittered(): boolean {
  for (const _ in NONE) return true;
  return false;
}

/** Whether an object is one of its properties alone: not of a class, such as Date, and not made of another object. */
function isPlain(object: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(object);
  return prototype === OBJECT || prototype === null || isObjectPrototype(prototype);
}

/** Whether an object is the Object.prototype of a realm, such as that of a vm's context. */
function isObjectPrototype(object: object): boolean {
  if (Object.getPrototypeOf(object) !== null || !Object.hasOwn(object, "constructor")) return false;
  const maker: unknown = object.constructor;
  return typeof maker === "function" && maker.name === "Object" && maker.prototype === object;
}

function stepOf(key: unknown): string | number {
  return typeof key === "string" || typeof key === "number" ? key : show(key);
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    return "what was thrown has no text";
  }
}

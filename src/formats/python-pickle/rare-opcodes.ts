import { copyBytes } from "../bytes/copy.ts";
import type { ByteInput } from "../bytes/input.ts";
import { latin1Slice } from "../bytes/native.ts";
import { readUtf8 } from "../bytes/utf8.ts";
import { expectData, PyGlobal } from "./global.ts";
import { OP, opcodeName } from "./opcodes.ts";
import type { UnpickleOptions } from "./options.ts";
import { costOf, reduce } from "./reduce.ts";
import { KIND, KNOWN, LEVEL, UNFILLED, UnpickleStack } from "./stack.ts";
import { parseByteString, parseFloat64, parseRawUnicode } from "./text-arguments.ts";
import { ByteArray, FrozenSet, PyFloat, Tuple } from "./types.ts";

/** The opcodes that are not in the loop of the machine, and the state that all of them share. */
export class RareOpcodes extends UnpickleStack {
  protected maxItems = 0;
  protected sawGlobal = false;
  /** Whether the last of the rare opcodes puts {@link result} on the stack. */
  protected pushes = false;
  protected result: unknown;
  #begin = 0;
  #version = 0;
  #buffers: Iterator<Uint8Array> | undefined;
  /** What calls took from their arguments. */
  #reduced = 0;

  protected begin(input: ByteInput, options: UnpickleOptions): void {
    this.startArguments(input, options);
    this.startStack(options);
    this.#begin = input.at;
    this.#version = 0;
    this.maxItems = options.items ?? 1_000_000;
    this.sawGlobal = false;
    this.#buffers = options.buffers?.[Symbol.iterator]();
    this.#reduced = 0;
  }

  protected clear(failed: boolean): void {
    this.clearStack(failed);
    this.memo.clear();
    this.result = undefined;
    this.#buffers = undefined;
  }

  /** What is in the memo, and no text. */
  protected again(sp: number, index: number): unknown {
    const value = this.memo.get(index);
    if (value === undefined) this.fail(`expected an index of the memo, got ${index}`);
    if (this.memo.labelOf(index) === UNFILLED) this.isEmptyShared = true;
    const current = (this.replaced.size > 0 && this.replaced.get(value as object)) || value;
    this.tagAgain(sp, current);
    return current;
  }

  /** Executes an opcode whose arguments begin at the input's place; see {@link pushes}. */
  protected rare(op: number, sp: number): number {
    this.pushes = true;
    switch (op) {
      case OP.PROTO:
        this.#protocol(this.unsigned(1));
        return sp;
      case OP.FRAME:
        this.#frame(this.unsigned(8));
        return sp;
      case OP.POP:
        return this.#pop(sp);
      case OP.POP_MARK: {
        this.pushes = false;
        const mark = this.popMark();
        this.drop(mark, sp);
        return mark;
      }
      case OP.DUP:
        this.need(sp, 1);
        if ((this.tags[sp - 1]! & (LEVEL - 1)) === KIND.newDict) this.labels[sp - 1] = KNOWN;
        this.result = this.stack[sp - 1];
        this.tagAgain(sp, this.result);
        return sp;
      case OP.LIST:
      case OP.DICT:
        return this.#fromMark(op, this.popMark(), sp);
      case OP.EMPTY_SET:
        this.tag(sp, KIND.set + LEVEL);
        this.result = new Set();
        return sp;
      case OP.ADDITEMS:
        this.pushes = false;
        return this.addItems(this.popMark(), sp);
      case OP.FROZENSET: {
        const mark = this.popMark();
        const set = new FrozenSet();
        for (let i = mark; i < sp; i++) this.addTo(set, this.stack[i]);
        this.tag(mark, KIND.immutable + LEVEL * (this.drop(mark, sp) + 1));
        this.result = set;
        return mark;
      }
      case OP.GET:
      case OP.LONG_BINGET:
        this.result = this.again(sp, op === OP.GET ? this.index() : this.unsigned(4));
        return sp;
      case OP.PUT:
      case OP.LONG_BINPUT:
        this.pushes = false;
        this.need(sp, 1);
        this.memoize(sp - 1, op === OP.PUT ? this.index() : this.unsigned(4));
        return sp;
      case OP.READONLY_BUFFER:
        return this.#readOnly(sp);
      case OP.STACK_GLOBAL:
        return this.#stackGlobal(sp);
      case OP.REDUCE:
        return this.#reduce(sp);
      default:
        this.result = this.#leaf(op);
        return sp;
    }
  }

  #leaf(op: number): unknown {
    switch (op) {
      case OP.INT:
      case OP.LONG:
        return this.decimal(op);
      case OP.LONG4:
        return this.long4();
      case OP.FLOAT: {
        const value = parseFloat64(this.numberText()) ?? this.fail("expected a number");
        return this.wrapsFloats && Number.isInteger(value) ? new PyFloat(value) : value;
      }
      case OP.STRING:
        return this.byteString(parseByteString(this.line()) ?? this.fail("expected a string literal"));
      case OP.BINSTRING:
      case OP.SHORT_BINSTRING: {
        const [from, to] = this.span(op === OP.BINSTRING ? 4 : 1);
        return this.byteString(latin1Slice.call(this.input.bytes, from, to));
      }
      case OP.UNICODE:
        return parseRawUnicode(this.line()) ?? this.fail("expected text in raw-unicode-escape");
      case OP.BINUNICODE8: {
        const [from, to] = this.span(8);
        return readUtf8(this.input.bytes, from, to) ?? this.noText();
      }
      case OP.BINBYTES:
      case OP.BINBYTES8: {
        const [from, to] = this.span(op === OP.BINBYTES ? 4 : 8);
        return copyBytes(this.input.bytes, from, to);
      }
      case OP.BYTEARRAY8: {
        const [from, to] = this.span(8);
        return new ByteArray(this.input.bytes.subarray(from, to));
      }
      case OP.NEXT_BUFFER:
        return this.#nextBuffer();
      case OP.GLOBAL:
        return this.#global(this.name(), this.name(), "GLOBAL");
      default:
        return this.#refuse(op);
    }
  }

  #refuse(op: number): never {
    const name = opcodeName(op);
    if (name === undefined)
      this.fail(`expected an opcode, got the byte 0x${op.toString(16).padStart(2, "0")}`);
    if (op === OP.INST) this.fail(`INST ${this.name()}.${this.name()} is not data`, "unsupported");
    this.fail(`${name} is not data`, "unsupported");
  }

  #protocol(version: number): void {
    this.pushes = false;
    if (version > 5) this.fail(`protocol ${version}, expected at most 5`, "unsupported");
    if (this.start !== this.#begin) this.fail("PROTO is not at the beginning");
    this.#version = version;
  }

  #frame(size: number): void {
    this.pushes = false;
    const { bytes, at } = this.input;
    if (this.inFrame) this.fail("a frame begins within a frame");
    if (size > bytes.length - at) this.cut();
    this.end = (at + size) | 0;
    this.inFrame = true;
  }

  #pop(sp: number): number {
    this.pushes = false;
    // As CPython has it, POP takes a mark where one is on top.
    if (this.marks.length > 0 && this.floor === sp) {
      this.popMark();
      return sp;
    }
    this.need(sp, 1);
    this.drop(sp - 1, sp);
    return sp - 1;
  }

  #fromMark(op: number, mark: number, sp: number): number {
    const items = this.stack.slice(mark, sp);
    const levels = this.drop(mark, sp);
    if (op === OP.LIST) {
      this.tag(mark, KIND.list + LEVEL * (levels + 1));
      this.result = items;
      return mark;
    }
    // As with EMPTY_DICT and SETITEMS: the dict below its keys and values.
    this.stack[mark] = this.dictsAreMaps ? new Map() : {};
    for (let i = 0; i < items.length; i++) this.stack[mark + 1 + i] = items[i];
    this.tag(mark, (this.dictsAreMaps ? KIND.map : KIND.dict) + LEVEL);
    this.setItems(mark + 1, mark + 1 + items.length);
    const kind = this.tags[mark]! % LEVEL;
    if (levels > 0) this.tag(mark, kind + LEVEL * (levels + 1));
    this.result = this.stack[mark];
    return mark;
  }

  #global(module: string, name: string, opcode: string): PyGlobal {
    const global = new PyGlobal(module, name, opcode, this.start);
    expectData(global, this.#version);
    this.sawGlobal = true;
    return global;
  }

  #stackGlobal(sp: number): number {
    this.need(sp, 2);
    const [module, name] = [this.stack[sp - 2], this.stack[sp - 1]];
    if (typeof module !== "string" || typeof name !== "string") this.fail("expected the names of a global");
    this.result = this.#global(module, name, "STACK_GLOBAL");
    this.drop(sp - 2, sp);
    return sp - 2;
  }

  #reduce(sp: number): number {
    this.need(sp, 2);
    const [callable, args] = [this.stack[sp - 2], this.stack[sp - 1]];
    if (!(callable instanceof PyGlobal && args instanceof Tuple))
      this.fail("REDUCE is not data", "unsupported");
    this.#reduced += costOf(args);
    // A bytearray is made of bytes, which are made of text: the same bytes are taken twice.
    if (this.#reduced > 2 * this.input.bytes.length)
      this.fail("REDUCE is given the same values again", "limit");
    const made = reduce(callable, args);
    if (made === undefined) throw callable.refusal();
    const levels = this.drop(sp - 2, sp);
    if (made instanceof Uint8Array) {
      this.result = made;
      return sp - 2;
    }
    for (const item of made.items) this.addTo(made.made, item);
    const kind = made.made instanceof FrozenSet ? KIND.immutable : KIND.set;
    // The tuple of arguments and the list in it are two levels that the set does not have.
    this.tag(sp - 2, kind + LEVEL * Math.max(1, levels - 1));
    this.result = made.made;
    return sp - 2;
  }

  /** Makes the buffer on top read-only, which in JavaScript no array of bytes is. */
  #readOnly(sp: number): number {
    this.need(sp, 1);
    if (this.#buffers === undefined) this.fail("READONLY_BUFFER needs the option buffers", "unsupported");
    if (!(this.stack[sp - 1] instanceof Uint8Array)) this.fail("expected a buffer on the stack");
    this.pushes = false;
    return sp;
  }

  #nextBuffer(): Uint8Array {
    if (this.#buffers === undefined) this.fail("NEXT_BUFFER needs the option buffers", "unsupported");
    const { done, value } = this.#buffers.next();
    return done === true ? this.fail("expected another buffer, got the end of the option buffers") : value;
  }
}

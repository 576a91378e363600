import { copyBytes } from "../bytes/copy.ts";
import type { ByteInput } from "../bytes/input.ts";
import { checkExtent } from "./extent.ts";
import { OP } from "./opcodes.ts";
import type { UnpickleOptions } from "./options.ts";
import { RareOpcodes } from "./rare-opcodes.ts";
import { replaceDicts } from "./replace.ts";
import { KIND, LEVEL, UNFILLED } from "./stack.ts";
import { PyFloat } from "./types.ts";

/** The pickle machine: runs opcodes until STOP. One is used again and again. */
export class Unpickler extends RareOpcodes {
  static #idle: Unpickler | undefined;

  /** The value of one pickle from the input's place on, which is after it then. Throws DecodeError. */
  static unpickle(input: ByteInput, options: UnpickleOptions): unknown {
    const unpickler = Unpickler.#idle ?? new Unpickler();
    Unpickler.#idle = undefined;
    let failed = true;
    try {
      unpickler.begin(input, options);
      const value = unpickler.#finished(unpickler.#run());
      failed = false;
      return value;
    } finally {
      unpickler.clear(failed);
      Unpickler.#idle = unpickler;
    }
  }

  /** What the stack could not tell of the value while it was made. */
  #finished(value: unknown): unknown {
    const whole = this.shared && this.replaced.size > 0 ? replaceDicts(value, this.replaced) : value;
    if (this.shared || this.sawGlobal) checkExtent(whole, { depth: this.depth });
    return whole;
  }

  #run(): unknown {
    const { bytes, view } = this.input;
    const { stack, labels, memo, texts } = this;
    const { maxItems } = this;
    let end = this.end | 0;
    let at = this.input.at | 0;
    let sp = 0;
    let items = 0;
    for (;;) {
      if (at >= end) end = this.endPart(at) | 0;
      this.start = at;
      const op = bytes[at++]!;
      let value: unknown;
      switch (op) {
        case 0x8c /* SHORT_BINUNICODE */:
          {
            if (at >= end) this.cut();
            const from = at + 1;
            at = from + bytes[at]!;
            if (at > end) this.cut();
            value = texts.read(bytes, view, from, at) ?? this.noText();
            labels[sp] = texts.label;
            break;
          }
        case 0x58 /* BINUNICODE */:
          {
            const from = at + 4;
            at = this.endOfLong(at);
            value = texts.read(bytes, view, from, at) ?? this.noText();
            labels[sp] = texts.label;
            break;
          }
        case 0x94 /* MEMOIZE */:
          if (sp <= this.floor) this.need(sp, 1);
          this.memoize(sp - 1, memo.next);
          continue;
        case 0x71 /* BINPUT */:
          if (at >= end) this.cut();
          this.need(sp, 1);
          this.memoize(sp - 1, bytes[at++]!);
          continue;
        case 0x68 /* BINGET */:
          if (at >= end) this.cut();
          value = memo.get(bytes[at]!);
          if (typeof value !== "string") value = this.again(sp, bytes[at]!);
          labels[sp] = memo.labelOf(bytes[at]!);
          at += 1;
          break;
        case 0x4b /* BININT1 */:
          if (at >= end) this.cut();
          value = bytes[at++];
          if (this.bigints) value = BigInt(value as number);
          break;
        case 0x4d /* BININT2 */:
          if (at + 2 > end) this.cut();
          value = bytes[at]! | (bytes[at + 1]! << 8);
          if (this.bigints) value = BigInt(value as number);
          at += 2;
          break;
        case 0x4a /* BININT */:
          if (at + 4 > end) this.cut();
          value = view.getInt32(at, true);
          if (this.bigints) value = BigInt(value as number);
          at += 4;
          break;
        case 0x8a /* LONG1 */:
          {
            if (at >= end) this.cut();
            const from = at + 1;
            at = from + bytes[at]!;
            if (at > end) this.cut();
            value = this.integerIn(from, at);
            break;
          }
        case 0x47 /* BINFLOAT */:
          {
            if (at + 8 > end) this.cut();
            const float = view.getFloat64(at);
            value = this.wrapsFloats && Number.isInteger(float) ? new PyFloat(float) : float;
            at += 8;
            break;
          }
        case 0x4e /* NONE */:
          value = null;
          break;
        case 0x88 /* NEWTRUE */:
          value = true;
          break;
        case 0x89 /* NEWFALSE */:
          value = false;
          break;
        case 0x7d /* EMPTY_DICT */:
          if (this.dictsAreMaps) {
            this.tag(sp, KIND.map + LEVEL);
            value = new Map();
          } else {
            this.tag(sp, KIND.newDict + LEVEL);
            labels[sp] = UNFILLED;
            value = {};
          }
          break;
        case 0x5d /* EMPTY_LIST */:
          this.tag(sp, KIND.list + LEVEL);
          value = [];
          break;
        case 0x28 /* MARK */:
          this.marks.push(sp);
          this.floor = sp;
          continue;
        case 0x75 /* SETITEMS */:
          sp = this.setItems(this.popMark(), sp);
          continue;
        case 0x65 /* APPENDS */:
          sp = this.append(this.popMark(), sp);
          continue;
        case 0x73 /* SETITEM */:
          this.need(sp, 3);
          sp = this.setItems(sp - 2, sp);
          continue;
        case 0x61 /* APPEND */:
          this.need(sp, 2);
          sp = this.append(sp - 1, sp);
          continue;
        case 0x29 /* EMPTY_TUPLE */:
        case 0x85 /* TUPLE1 */:
        case 0x86 /* TUPLE2 */:
        case 0x87 /* TUPLE3 */:
          {
            const from = op === OP.EMPTY_TUPLE ? sp : sp - (op - OP.TUPLE1 + 1);
            this.need(sp, sp - from);
            value = this.tuple(from, sp);
            sp = from;
            break;
          }
        case 0x74 /* TUPLE */:
          {
            const from = this.popMark();
            value = this.tuple(from, sp);
            sp = from;
            break;
          }
        case 0x43 /* SHORT_BINBYTES */:
          {
            if (at >= end) this.cut();
            const from = at + 1;
            at = from + bytes[at]!;
            if (at > end) this.cut();
            value = copyBytes(bytes, from, at);
            break;
          }
        case 0x2e /* STOP */:
          this.need(sp, 1);
          if (sp > 1 || this.marks.length > 0)
            this.fail(`${sp - 1} values and ${this.marks.length} marks are left`);
          this.drop(0, 1);
          this.input.at = at;
          return stack[0];
        default:
          this.input.at = at;
          sp = this.rare(op, sp);
          at = this.input.at | 0;
          end = this.end | 0;
          if (!this.pushes) continue;
          value = this.result;
          labels[sp] = -1;
      }
      if (++items > maxItems) this.fail(`more than ${maxItems} values`, "limit");
      stack[sp++] = value;
      // Most of what is put into the memo is so at once.
      if (at < end && bytes[at] === 0x94 /* MEMOIZE */) {
        at += 1;
        const index = memo.add(value, labels[sp - 1]!);
        if (op === OP.EMPTY_DICT) labels[sp - 1] = index;
      }
    }
  }
}

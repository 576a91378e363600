import { copyBytes } from "../bytes/copy.ts";
import type { ByteInput } from "../bytes/input.ts";
import { checkExtent } from "./extent.ts";
import { PickleInput } from "./input.ts";
import { OP } from "./opcodes.ts";
import type { UnpickleOptions } from "./options.ts";
import { type Machine, NOTHING, RARE } from "./rare-opcodes.ts";
import { KIND, LEVEL, PickleStack, UNFILLED } from "./stack.ts";
import { PyFloat } from "./types.ts";

/** Most values of a pickle by default. */
const MAX_ITEMS = 1_000_000;

/** The pickle machine: runs opcodes until STOP. One is used again and again. */
export class Unpickler implements Machine {
  static #idle: Unpickler | undefined;

  readonly input = new PickleInput();
  readonly stack = new PickleStack(this.input);
  version = 0;
  sawGlobal = false;
  buffers: Iterator<Uint8Array> | undefined;
  reduced = 0;
  /** A field, as V8 converts a parameter that may be Infinity for each value anew (2 % of decode, Node 20). */
  #maxItems = 0;

  /** The value of one pickle from the input's place on, which is after it then. Throws DecodeError. */
  static unpickle(source: ByteInput, options: UnpickleOptions): unknown {
    const unpickler = Unpickler.#idle ?? new Unpickler();
    Unpickler.#idle = undefined;
    let failed = true;
    try {
      unpickler.#begin(source, options);
      const value = unpickler.#finished(unpickler.#run(), options.unfolded);
      source.at = unpickler.input.at;
      failed = false;
      return value;
    } finally {
      unpickler.stack.clear(failed);
      unpickler.buffers = undefined;
      Unpickler.#idle = unpickler;
    }
  }

  #begin(source: ByteInput, options: UnpickleOptions): void {
    this.input.open(source, options);
    this.stack.start(options);
    this.version = 0;
    this.sawGlobal = false;
    this.buffers = options.buffers?.[Symbol.iterator]();
    this.reduced = 0;
    this.#maxItems = options.items ?? MAX_ITEMS;
  }

  /** What the stack could not tell of the value while it was made. */
  #finished(value: unknown, unfolded: number | undefined): unknown {
    const { depth, replaced, shared } = this.stack;
    const whole = shared && replaced.size > 0 ? replaceDicts(value, replaced) : value;
    // Where nothing is there twice, opcodes were counted for each value.
    if (shared || this.sawGlobal)
      checkExtent(whole, unfolded === undefined ? { depth } : { depth, items: unfolded, cycles: false });
    return whole;
  }

  /**
   * Executes opcodes up to STOP, and returns the value. Those that most pickles are made of are cases of one loop, whose
   * places and heights are variables; the others are in the table of {@link RARE}.
   */
  #run(): unknown {
    const { input, stack } = this;
    const maxItems = this.#maxItems;
    const { bytes, view } = input;
    const { values, labels, memo, texts } = stack;
    let end = input.end | 0;
    let at = input.at | 0;
    let sp = 0;
    let items = 0;
    for (;;) {
      if (at >= end) end = input.endPart(at) | 0;
      input.start = at;
      const op = bytes[at++]!;
      let value: unknown;
      switch (op) {
        case 0x8c /* SHORT_BINUNICODE */:
          {
            if (at >= end) input.cut();
            const from = at + 1;
            at = from + bytes[at]!;
            if (at > end) input.cut();
            value = texts.read(bytes, view, from, at) ?? input.noText();
            labels[sp] = texts.label;
            break;
          }
        case 0x58 /* BINUNICODE */:
          {
            const from = at + 4;
            at = input.endOfLong(at);
            value = texts.read(bytes, view, from, at) ?? input.noText();
            labels[sp] = texts.label;
            break;
          }
        case 0x94 /* MEMOIZE */:
          if (sp <= stack.floor) stack.need(sp, 1);
          stack.memoize(sp - 1, memo.next);
          continue;
        case 0x71 /* BINPUT */:
          if (at >= end) input.cut();
          stack.need(sp, 1);
          stack.memoize(sp - 1, bytes[at++]!);
          continue;
        case 0x68 /* BINGET */:
          if (at >= end) input.cut();
          value = memo.get(bytes[at]!);
          if (typeof value !== "string") value = stack.again(sp, bytes[at]!);
          labels[sp] = memo.labelOf(bytes[at]!);
          at += 1;
          break;
        case 0x4b /* BININT1 */:
          if (at >= end) input.cut();
          value = bytes[at++];
          if (input.bigints) value = BigInt(value as number);
          break;
        case 0x4d /* BININT2 */:
          if (at + 2 > end) input.cut();
          value = bytes[at]! | (bytes[at + 1]! << 8);
          if (input.bigints) value = BigInt(value as number);
          at += 2;
          break;
        case 0x4a /* BININT */:
          if (at + 4 > end) input.cut();
          value = view.getInt32(at, true);
          if (input.bigints) value = BigInt(value as number);
          at += 4;
          break;
        case 0x8a /* LONG1 */:
          {
            if (at >= end) input.cut();
            const from = at + 1;
            at = from + bytes[at]!;
            if (at > end) input.cut();
            value = input.integerIn(from, at);
            break;
          }
        case 0x47 /* BINFLOAT */:
          {
            if (at + 8 > end) input.cut();
            const float = view.getFloat64(at);
            value = input.wrapsFloats && Number.isInteger(float) ? new PyFloat(float) : float;
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
          if (stack.dictsAreMaps) {
            stack.tag(sp, KIND.map + LEVEL);
            value = new Map();
          } else {
            stack.tag(sp, KIND.newDict + LEVEL);
            labels[sp] = UNFILLED;
            value = {};
          }
          break;
        case 0x5d /* EMPTY_LIST */:
          stack.tag(sp, KIND.list + LEVEL);
          value = [];
          break;
        case 0x28 /* MARK */:
          stack.marks.push(sp);
          stack.floor = sp;
          continue;
        case 0x75 /* SETITEMS */:
          sp = stack.setItems(stack.popMark(), sp);
          continue;
        case 0x65 /* APPENDS */:
          sp = stack.append(stack.popMark(), sp);
          continue;
        case 0x73 /* SETITEM */:
          stack.need(sp, 3);
          sp = stack.setItems(sp - 2, sp);
          continue;
        case 0x61 /* APPEND */:
          stack.need(sp, 2);
          sp = stack.append(sp - 1, sp);
          continue;
        case 0x29 /* EMPTY_TUPLE */:
        case 0x85 /* TUPLE1 */:
        case 0x86 /* TUPLE2 */:
        case 0x87 /* TUPLE3 */:
          {
            const from = op === OP.EMPTY_TUPLE ? sp : sp - (op - OP.TUPLE1 + 1);
            stack.need(sp, sp - from);
            value = stack.tuple(from, sp);
            sp = from;
            break;
          }
        case 0x74 /* TUPLE */:
          {
            const from = stack.popMark();
            value = stack.tuple(from, sp);
            sp = from;
            break;
          }
        case 0x43 /* SHORT_BINBYTES */:
          {
            if (at >= end) input.cut();
            const from = at + 1;
            at = from + bytes[at]!;
            if (at > end) input.cut();
            value = copyBytes(bytes, from, at);
            break;
          }
        case 0x2e /* STOP */:
          stack.need(sp, 1);
          if (sp > 1 || stack.marks.length > 0)
            input.refuse(`${sp - 1} values and ${stack.marks.length} marks are left`);
          stack.drop(0, 1);
          input.at = at;
          return values[0];
        default:
          input.at = at;
          stack.height = sp;
          value = RARE[op]!(this);
          at = input.at | 0;
          end = input.end | 0;
          sp = stack.height;
          if (value === NOTHING) continue;
          labels[sp] = -1;
      }
      if (++items > maxItems) input.refuse(`more than ${maxItems} values`, "limit");
      values[sp++] = value;
      // Most of what is put into the memo is so at once.
      if (at < end && bytes[at] === 0x94 /* MEMOIZE */) {
        at += 1;
        const index = memo.add(value, labels[sp - 1]!);
        if (op === OP.EMPTY_DICT) labels[sp - 1] = index;
      }
    }
  }
}

/**
 * Puts Maps in the place of the objects that they replace, wherever a value refers to those, and returns the value.
 * A dict can contain itself before it has a key that is not text.
 */
function replaceDicts(value: unknown, replaced: ReadonlyMap<object, unknown>): unknown {
  const next = (item: unknown): unknown => replaced.get(item as object) ?? item;
  const whole = next(value);
  const seen = new Set<unknown>([whole]);
  for (const container of seen) {
    for (const item of replaceIn(container, next)) {
      if (typeof item === "object" && item !== null && !ArrayBuffer.isView(item)) seen.add(item);
    }
  }
  return whole;
}

/** Replaces what a container holds itself, and returns that. Keys and elements of sets are never dicts. */
function replaceIn(container: unknown, next: (item: unknown) => unknown): readonly unknown[] {
  if (Array.isArray(container)) {
    container.forEach((item, index) => {
      container[index] = next(item);
    });
    return container;
  }
  if (container instanceof Map) {
    for (const [key, item] of container) container.set(key, next(item));
    return [...container.values()];
  }
  if (container instanceof Set || Object.getPrototypeOf(container) !== Object.prototype) return [];
  const dict = container as Record<string, unknown>;
  for (const key of Object.keys(dict)) {
    const item = next(dict[key]);
    if (item !== dict[key]) Object.defineProperty(dict, key, { value: item });
  }
  return Object.values(dict);
}

import { copyShared, writeBytes } from "../bytes/copy.ts";
import { ByteOutput } from "../bytes/output.ts";
import { UTF8_PER_UNIT, writeUtf8 } from "../bytes/utf8.ts";
import { OP } from "./opcodes.ts";
import type { Protocol } from "./options.ts";
import { MAY_BE_SLICED, SLOT_ROOM, TextMemo } from "./text-memo.ts";

/** Bytes after which a frame ends, and from which on a text or bytes stand outside of frames (`Lib/pickle.py`). */
const FRAME_TARGET = 64 * 1024;
/** Fewer bytes than this go without a frame. */
const FRAME_LEAST = 4;
/** The opcode and the length. */
const FRAME_HEAD = 9;

/** Room for what one value takes beside its text and bytes, and for all that may stand around it. */
const ROOM = SLOT_ROOM + 64;

/** A callable that stands for a type in older protocols. */
type Global = "bytes" | "bytearray" | "set" | "frozenset" | "encode";

/**
 * A pickle being written: its opcodes, its frames, and what the memo has. Each method writes at an offset and returns
 * where it ends; at every one that begins a value there is room for {@link ROOM} bytes.
 */
export class PickleOutput {
  protocol: Protocol = 4;
  /** Whether opcodes of protocol 4 are written. */
  modern = true;
  /** Whether there is a memo. */
  memo = true;
  /** Where to write; replaced as it grows. */
  bytes!: Uint8Array;
  /** The same memory. */
  view!: DataView;
  /** From here on a value needs {@link room}. */
  limit = 0;
  /** Entries of the memo. */
  count = 0;
  #output!: ByteOutput;
  /** Where the frame begins, or -1. */
  #frame = -1;
  readonly texts = new TextMemo();
  readonly #globals = new Map<Global, number>();

  /** Begins a pickle, and returns where its first value goes. */
  start(protocol: Protocol, memo: boolean): number {
    this.protocol = protocol;
    this.modern = protocol >= 4;
    this.memo = memo;
    this.#output = ByteOutput.borrow();
    this.#frame = -1;
    this.texts.startPickle(this.count + 1);
    this.count = 0;
    if (this.#globals.size > 0) this.#globals.clear();
    this.#reserve(0, ROOM);
    if (protocol < 2) return 0;
    this.bytes[0] = OP.PROTO;
    this.bytes[1] = protocol;
    return this.modern ? this.#beginFrame(2) : 2;
  }

  /** Writes the end and returns the pickle. */
  finish(at: number): Uint8Array {
    this.bytes[at] = OP.STOP;
    const pickle = copyShared(this.bytes, 0, this.#endFrame(at + 1));
    this.release();
    return pickle;
  }

  /** Lets the output go, after an error. */
  release(): void {
    this.#output.release();
  }

  #reserve(at: number, count: number): void {
    const output = this.#output;
    output.at = at;
    output.reserve(count);
    this.bytes = output.bytes;
    this.view = output.view;
    const full = this.#frame < 0 ? Number.POSITIVE_INFINITY : this.#frame + FRAME_HEAD + FRAME_TARGET;
    this.limit = Math.min(output.bytes.length - ROOM, full);
  }

  #beginFrame(at: number): number {
    this.#frame = at;
    this.#reserve(at + FRAME_HEAD, ROOM);
    return at + FRAME_HEAD;
  }

  #endFrame(at: number): number {
    const start = this.#frame;
    this.#frame = -1;
    return start < 0 ? at : endFrame(this.#output, start, at);
  }

  /** Where a value may begin: a full frame ends before it, and there is room for it. */
  room(at: number): number {
    return at >= this.limit ? this.#makeRoom(at) : at;
  }

  /** Where a container ends: no frame ends here, but there is room for the end of another, too. */
  roomAfter(at: number): number {
    if (at > this.bytes.length - ROOM) this.#reserve(at, 2 * ROOM);
    return at;
  }

  #makeRoom(at: number): number {
    if (this.#frame >= 0 && at - this.#frame - FRAME_HEAD >= FRAME_TARGET) {
      return this.#beginFrame(this.#endFrame(at));
    }
    this.#reserve(at, 2 * ROOM);
    return at;
  }

  /** An `int` where the number is a safe integer that is not -0, else a `float`. */
  number(value: number, at: number): number {
    const { bytes } = this;
    if ((value | 0) === value && (value !== 0 || 1 / value > 0)) {
      if (value >>> 0 <= 0xff) {
        bytes[at] = OP.BININT1;
        bytes[at + 1] = value;
        return at + 2;
      }
      if (value >>> 0 <= 0xffff) {
        bytes[at] = OP.BININT2;
        bytes[at + 1] = value;
        bytes[at + 2] = value >> 8;
        return at + 3;
      }
      bytes[at] = OP.BININT;
      this.view.setInt32(at + 1, value, true);
      return at + 5;
    }
    if (Number.isSafeInteger(value) && value !== 0) return this.#longNumber(value, at);
    return this.float(value, at);
  }

  /** A safe integer of more than 32 bits. Without a bigint it takes a tenth of the time (measured on Node 20). */
  #longNumber(value: number, at: number): number {
    if (this.protocol < 2) return this.line(OP.LONG, `${value}L`, at);
    const { view } = this;
    const size = sizeOfSafeInteger(value);
    const body = this.head(OP.LONG1, size, 1, at);
    view.setInt32(body, value | 0, true);
    view.setInt32(body + 4, Math.floor(value / 2 ** 32), true);
    return body + size;
  }

  /** A `float`. */
  float(value: number, at: number): number {
    this.bytes[at] = OP.BINFLOAT;
    this.view.setFloat64(at + 1, value);
    return at + 9;
  }

  /** An `int`. */
  bigint(value: bigint, at: number): number {
    if (BigInt.asIntN(32, value) === value) return this.number(Number(value), at);
    if (this.protocol < 2) return this.line(OP.LONG, `${value}L`, at);
    const size = sizeOfInteger(value);
    this.#reserve(at, size + ROOM);
    const body = size <= 0xff ? this.head(OP.LONG1, size, 1, at) : this.head(OP.LONG4, size, 4, at);
    if (size <= 8) this.view.setBigInt64(body, value, true);
    else writeInteger(this.bytes, body, size, value);
    return body + size;
  }

  /** A key of an object, or where it is in the memo. Returns -1 for a lone surrogate, which has no UTF-8. */
  key(text: string, at: number): number {
    return this.#slot(this.memo ? this.texts.slotOfKey(text) : -1, text, at);
  }

  /** {@link key} of a text that may have a slot, at an offset where there is room. */
  keyIn(slot: number, text: string, at: number): number {
    const { texts } = this;
    if (texts.texts[slot] !== text) return this.key(text, at);
    const known = texts.numbers[slot]! - texts.first;
    if (known >= 0) return this.fetch(known, at);
    if (!this.modern || !this.memo) return this.key(text, at);
    texts.numbers[slot] = texts.first + this.count++;
    return texts.writeShort(slot, this.view, at);
  }

  /** Any other text, or where it is in the memo. Returns -1 for a lone surrogate. */
  text(text: string, at: number): number {
    const { length } = text;
    const isShort = length > 0 && length < MAY_BE_SLICED && this.memo;
    return this.#slot(isShort ? this.texts.slotOfText(text) : -1, text, at);
  }

  #slot(slot: number, text: string, at: number): number {
    if (slot < 0) return this.#longText(text, at);
    const texts = this.texts;
    const known = texts.indexIn(slot);
    if (known >= 0) return this.fetch(known, at);
    if (text.length >= MAY_BE_SLICED) {
      // As a value it had no slot.
      const before = texts.indexOf(text);
      if (before !== undefined) return this.fetch(before, at);
    }
    texts.setIndexIn(slot, this.count);
    if (!this.modern) return this.newText(text, at);
    this.count += 1;
    return texts.writeShort(slot, this.view, at);
  }

  #longText(text: string, at: number): number {
    if (!this.memo) return this.newText(text, at);
    const known = this.texts.indexOf(text);
    if (known !== undefined) return this.fetch(known, at);
    this.texts.setIndexOf(text, this.count);
    return this.newText(text, at);
  }

  /** Text that is not looked for in the memo. Returns -1 for a lone surrogate. */
  newText(text: string, at: number): number {
    const isLarge = UTF8_PER_UNIT * text.length >= FRAME_TARGET && Buffer.byteLength(text) >= FRAME_TARGET;
    if (isLarge && this.#frame >= 0) {
      const end = this.#textBody(text, this.#endFrame(at));
      return end < 0 ? -1 : this.put(this.#beginFrame(end));
    }
    const end = this.#textBody(text, at);
    return end < 0 ? -1 : this.put(end);
  }

  #textBody(text: string, at: number): number {
    this.#reserve(at, UTF8_PER_UNIT * text.length + ROOM);
    // If it is ASCII, it has this length; if not, it may have to be moved.
    const body = this.#textHead(text.length, at);
    const size = writeUtf8(this.bytes, body, text);
    if (size < 0 || size === text.length) return size < 0 ? -1 : body + size;
    const moved = this.#textHead(size, at);
    if (moved !== body) writeUtf8(this.bytes, moved, text);
    return moved + size;
  }

  #textHead(size: number, at: number): number {
    if (this.modern && size <= 0xff) return this.head(OP.SHORT_BINUNICODE, size, 1, at);
    return this.head(OP.BINUNICODE, size, 4, at);
  }

  /** `bytes` of protocol 3 and later, or a `bytearray` of protocol 5. */
  data(code: typeof OP.BINBYTES | typeof OP.BYTEARRAY8, data: Uint8Array, at: number): number {
    const isOutside = this.#frame >= 0 && data.length >= FRAME_TARGET;
    const start = isOutside ? this.#endFrame(at) : at;
    this.#reserve(start, data.length + ROOM);
    const body = this.#dataHead(code, data.length, start);
    writeBytes(this.bytes, body, data);
    const end = body + data.length;
    return isOutside ? this.#beginFrame(end) : end;
  }

  #dataHead(code: typeof OP.BINBYTES | typeof OP.BYTEARRAY8, size: number, at: number): number {
    if (code === OP.BYTEARRAY8) return this.head(code, size, 8, at);
    if (size <= 0xff) return this.head(OP.SHORT_BINBYTES, size, 1, at);
    return size < 2 ** 32 ? this.head(code, size, 4, at) : this.head(OP.BINBYTES8, size, 8, at);
  }

  /** A callable, or where it is in the memo. */
  global(name: Global, at: number): number {
    const known = this.#globals.get(name);
    if (known !== undefined) return this.fetch(known, at);
    const module = name === "encode" ? "_codecs" : this.protocol < 3 ? "__builtin__" : "builtins";
    let end: number;
    if (this.modern) {
      end = this.text(name, this.room(this.text(module, this.room(at))));
      this.bytes[end++] = OP.STACK_GLOBAL;
    } else {
      end = this.line(OP.GLOBAL, `${module}\n${name}`, at);
    }
    if (this.memo) this.#globals.set(name, this.count);
    return this.put(end);
  }

  /** Puts what was just written into the memo. */
  put(at: number): number {
    if (!this.memo) return at;
    const index = this.count++;
    if (!this.modern) {
      return index <= 0xff ? this.head(OP.BINPUT, index, 1, at) : this.head(OP.LONG_BINPUT, index, 4, at);
    }
    this.bytes[at] = OP.MEMOIZE;
    return at + 1;
  }

  /** What is in the memo. */
  fetch(index: number, at: number): number {
    if (index > 0xff) return this.head(OP.LONG_BINGET, index, 4, at);
    this.bytes[at] = OP.BINGET;
    this.bytes[at + 1] = index;
    return at + 2;
  }

  /** An opcode and an unsigned number. */
  head(code: number, value: number, size: 1 | 4 | 8, at: number): number {
    this.bytes[at] = code;
    if (size === 1) this.bytes[at + 1] = value;
    else this.view.setUint32(at + 1, value, true);
    if (size === 8) this.view.setUint32(at + 5, value / 2 ** 32, true);
    return at + 1 + size;
  }

  /** An opcode and text to the end of the line. */
  line(code: number, text: string, at: number): number {
    this.#reserve(at, UTF8_PER_UNIT * text.length + ROOM);
    this.bytes[at] = code;
    const end = at + 1 + writeUtf8(this.bytes, at + 1, text);
    this.bytes[end] = 0x0a;
    return end + 1;
  }

  /** An opcode without an argument. */
  op(code: number, at: number): number {
    this.bytes[at] = code;
    return at + 1;
  }

  /** `bytes`; before protocol 3 as text of Latin-1 that is encoded. */
  bytesValue(value: Uint8Array, start: number): number {
    if (this.protocol >= 3) return this.data(OP.BINBYTES, value, start);
    if (value.length === 0) return this.#emptyCall("bytes", start);
    const text = Buffer.from(value.buffer, value.byteOffset, value.length).toString("latin1");
    let at = this.beginCall("encode", start);
    // CPython makes the text for this; only texts of one character are shared.
    at = text.length === 1 ? this.text(text, at) : this.newText(text, at);
    return this.endCall(2, this.text("latin1", at));
  }

  /** `bytearray`; before protocol 5 from `bytes`. */
  byteArrayValue(value: Uint8Array, start: number): number {
    if (this.protocol >= 5) return this.data(OP.BYTEARRAY8, value, start);
    if (value.length === 0) return this.#emptyCall("bytearray", start);
    const at = this.beginCall("bytearray", start);
    return this.endCall(1, this.put(this.bytesValue(value, this.room(at))));
  }

  #emptyCall(name: Global, at: number): number {
    return this.op(OP.REDUCE, this.op(OP.EMPTY_TUPLE, this.global(name, at)));
  }

  /** A callable, and what begins its arguments. */
  beginCall(name: Global, start: number): number {
    const at = this.global(name, start);
    return this.protocol < 2 ? this.op(OP.MARK, at) : at;
  }

  /** The tuple of arguments, and the call. */
  endCall(count: 1 | 2, at: number): number {
    const tuple = this.op(this.protocol < 2 ? OP.TUPLE : OP.TUPLE1 + count - 1, at);
    return this.op(OP.REDUCE, this.put(tuple));
  }
}

/** Writes the head of the frame that began at `start` and ends at `at`; returns where it ends then. */
function endFrame(output: ByteOutput, start: number, at: number): number {
  const body = start + FRAME_HEAD;
  const size = at - body;
  if (size < FRAME_LEAST) {
    output.bytes.copyWithin(start, body, at);
    return at - FRAME_HEAD;
  }
  output.bytes[start] = OP.FRAME;
  output.view.setUint32(start + 1, size, true);
  output.view.setUint32(start + 5, 0, true);
  return at;
}

/** How many bytes an integer takes, at least one. */
function sizeOfInteger(value: bigint): number {
  const digits = value.toString(16).length;
  let size = Math.max(1, (digits >> 1) - 1);
  while (BigInt.asIntN(8 * size, value) !== value) size += 1;
  return size;
}

/** Writes an integer into `size` bytes, which must be free and as many as {@link sizeOfInteger} says. */
function writeInteger(bytes: Uint8Array, at: number, size: number, value: bigint): void {
  const hex = BigInt.asUintN(8 * size, value)
    .toString(16)
    .padStart(2 * size, "0");
  for (let i = 0; i < size; i++) {
    const digit = 2 * (size - 1 - i);
    bytes[at + i] = Number.parseInt(hex.slice(digit, digit + 2), 16);
  }
}

/** Bytes of a safe integer of more than 32 bits, as {@link sizeOfInteger} counts them. */
function sizeOfSafeInteger(value: number): 5 | 6 | 7 {
  if (value >= -(2 ** 39) && value < 2 ** 39) return 5;
  return value >= -(2 ** 47) && value < 2 ** 47 ? 6 : 7;
}

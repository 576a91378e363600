import { parseByteString, parseFloat64, parseRawUnicode } from "../../formats/python-pickle/input.ts";
import { OP, opcodeName } from "../../formats/python-pickle/opcodes.ts";
import { MAX_DIGITS, MAX_INTEGER_BYTES } from "../../formats/python-pickle/options.ts";
import { PyGlobal } from "../../formats/python-pickle/types.ts";
import type { Place, RegionRole } from "../../model/region.ts";
import { BYTES, type Held, TEXT } from "../../model/region-table.ts";
import type { Value } from "../../model/value.ts";
import { Cursor } from "./cursor.ts";
import { integerAt } from "./leaf-values.ts";
import type { RegionId, RegionList } from "./region-list.ts";

/** What is on the stack of the pickle machine. Where it belongs in the value is known when all was read. */
export class PickleNode {
  readonly kind: "leaf" | "list" | "dict" | "tuple" | "global";
  /** The region that has the value, and the value. */
  readonly held: RegionId;
  value: Held | undefined;
  /** Elements, or keys and values in turns. */
  readonly items: PickleNode[];
  /** What the memo has, where this only refers to it. */
  readonly referent: PickleNode | undefined;
  /** Containers that are in each other here, this one counted. */
  depth: number;
  /** Whether it was taken from the stack, and nothing has it but the memo. */
  isDropped = false;
  /** All regions that are about it: most stand in a row, from `first` up to `end`. */
  readonly first: RegionId;
  end: RegionId;
  others: RegionId[] = NO_REGIONS;

  constructor(
    kind: PickleNode["kind"],
    first: RegionId,
    end: RegionId,
    held: RegionId,
    value?: Held,
    referent?: PickleNode,
  ) {
    this.kind = kind;
    this.first = first;
    this.end = end;
    this.held = held;
    this.value = value;
    this.items = kind === "leaf" ? NO_ITEMS : [];
    this.referent = referent;
    this.depth = kind === "leaf" ? 0 : 1;
  }

  /** Adds regions in a row. */
  add(first: RegionId, end = first + 1): void {
    if (first === this.end) this.end = end;
    else for (let id = first; id < end; id++) this.#addOther(id);
  }

  /** Adds all that are about another. */
  addOf({ first, end, others }: PickleNode): void {
    this.add(first, end);
    for (const id of others) this.#addOther(id);
  }

  #addOther(id: RegionId): void {
    if (this.others === NO_REGIONS) this.others = [id];
    else this.others.push(id);
  }
}

/** Of most nodes, to which nothing is added. */
const NO_ITEMS: PickleNode[] = [];
const NO_REGIONS: RegionId[] = [];

/** An index that is text, to the end of the line. */
const LINE = -1;

/** Bytes of a length or of a number, by the opcode. */
const TEXTS: Readonly<Record<number, number>> = {
  [OP.SHORT_BINSTRING]: 1,
  [OP.BINSTRING]: 4,
  [OP.SHORT_BINUNICODE]: 1,
  [OP.BINUNICODE]: 4,
  [OP.BINUNICODE8]: 8,
};
const BLOBS: Readonly<Record<number, number>> = {
  [OP.SHORT_BINBYTES]: 1,
  [OP.BINBYTES]: 4,
  [OP.BINBYTES8]: 8,
  [OP.BYTEARRAY8]: 8,
};
const NUMBERS: Readonly<Record<number, readonly [size: number, (view: DataView, at: number) => number]>> = {
  [OP.BININT1]: [1, (view, at) => view.getUint8(at)],
  [OP.BININT2]: [2, (view, at) => view.getUint16(at, true)],
  [OP.BININT]: [4, (view, at) => view.getInt32(at, true)],
  [OP.BINFLOAT]: [8, (view, at) => view.getFloat64(at)],
};
const CONSTANTS: ReadonlyMap<number, Value> = new Map<number, Value>([
  [OP.NONE, null],
  [OP.NEWTRUE, true],
  [OP.NEWFALSE, false],
]);
const CONTAINERS: Readonly<Record<number, "list" | "dict" | "tuple">> = {
  [OP.EMPTY_LIST]: "list",
  [OP.EMPTY_DICT]: "dict",
  [OP.EMPTY_TUPLE]: "tuple",
};
/** Bytes of an index of the memo, by the opcode. */
const GETS: Readonly<Record<number, number>> = { [OP.BINGET]: 1, [OP.LONG_BINGET]: 4, [OP.GET]: LINE };
const PUTS: Readonly<Record<number, number>> = {
  [OP.MEMOIZE]: 0,
  [OP.BINPUT]: 1,
  [OP.LONG_BINPUT]: 4,
  [OP.PUT]: LINE,
};
/** Opcodes that take what is above a mark. */
const MARKED: Readonly<Record<number, "list" | "dict" | "tuple">> = {
  [OP.LIST]: "list",
  [OP.DICT]: "dict",
  [OP.TUPLE]: "tuple",
};
/** Opcodes whose value is text, to the end of the line. */
const LINES: ReadonlySet<number> = new Set([OP.INT, OP.LONG, OP.FLOAT, OP.UNICODE, OP.STRING]);
/** What stands for bytes in protocols that have no opcode for them; the first is a function. */
const CODECS_ENCODE = "_codecs encode";
const CALLABLES: ReadonlySet<string> = new Set([
  CODECS_ENCODE,
  "__builtin__ bytes",
  "__builtin__ bytearray",
  "builtins bytes",
  "builtins bytearray",
]);

const TUPLES: Readonly<Record<number, number>> = { [OP.TUPLE1]: 1, [OP.TUPLE2]: 2, [OP.TUPLE3]: 3 };

/** Runs the opcodes of a pickle, and notes what each byte is. */
export class PickleMachine {
  readonly #cursor: Cursor;
  readonly #list: RegionList;
  readonly #root: Place;
  readonly #stack: PickleNode[] = [];
  readonly #marks: { readonly height: number; readonly id: RegionId }[] = [];
  readonly #memo = new Map<number, PickleNode>();
  /** The first region of the opcode that is executed. */
  #first: RegionId = 0;

  /** @param root the place of what belongs to no value */
  constructor(list: RegionList, root: Place) {
    this.#list = list;
    this.#cursor = new Cursor("python-pickle", list);
    this.#root = root;
  }

  /** What is on top of the stack, if anything. */
  get top(): PickleNode | undefined {
    return this.#stack.at(-1);
  }

  /** Executes opcodes up to STOP. */
  run(): void {
    const cursor: Cursor = this.#cursor;
    for (;;) {
      const op = cursor.peek();
      this.#first = this.#list.next;
      if (op === OP.STOP) {
        this.#take("terminator", 1, "STOP");
        cursor.expectEnd();
        return;
      }
      if (op === OP.PROTO || op === OP.FRAME) {
        this.#take("header", 1, opcodeName(op)!);
        this.#take("header", op === OP.PROTO ? 1 : 8, op === OP.PROTO ? "protocol" : "bytes of the frame");
      } else if (!this.#scalar(op) && !this.#structure(op))
        cursor.fail(`${opcodeName(op) ?? `0x${op.toString(16)}`} is no plain data`, cursor.at, "unsupported");
    }
  }

  #take(role: RegionRole, size: number, type: string, value?: Held): RegionId {
    return this.#cursor.take(role, size, this.#root, type, value);
  }

  /** Pushes what the regions of this opcode are about. */
  #push(kind: PickleNode["kind"], held = -1, value?: Held, referent?: PickleNode): PickleNode {
    const node = new PickleNode(kind, this.#first, this.#list.next, held, value, referent);
    this.#stack.push(node);
    return node;
  }

  /** The value of a node: text is made where somebody asks for it. */
  value(node: PickleNode): Value | undefined {
    if (typeof node.value === "symbol") node.value = this.#list.value(node.held);
    return node.value as Value | undefined;
  }

  /** Whether this was an opcode that pushes a value, or refers to one. */
  #scalar(op: number): boolean {
    const cursor: Cursor = this.#cursor;
    const name = opcodeName(op) ?? "";
    const number = NUMBERS[op];
    const container = CONTAINERS[op];
    const width = TEXTS[op] ?? BLOBS[op];
    if (CONSTANTS.has(op)) this.#leaf(1, name, CONSTANTS.get(op)!);
    else if (width !== undefined) this.#counted(op, name, width);
    else if (number !== undefined) {
      const [size, read] = number;
      this.#take("tag", 1, name);
      cursor.need(size);
      this.#leaf(size, name, read(cursor.view, cursor.at));
    } else if (op === OP.LONG1 || op === OP.LONG4) this.#long(name, op === OP.LONG1 ? 1 : 4);
    else if (LINES.has(op)) this.#lineValue(op, name);
    else if (GETS[op] !== undefined) this.#get(name, GETS[op]);
    else if (container !== undefined) {
      this.#take("tag", 1, name);
      this.#push(container);
    } else if (op === OP.GLOBAL) this.#global();
    else if (op === OP.DUP) this.#duplicate(name);
    else return false;
    return true;
  }

  #leaf(size: number, type: string, value: Value): void {
    this.#push("leaf", this.#take("payload", size, type, value), value);
  }

  /** Text or bytes behind their length. */
  #counted(op: number, name: string, width: number): void {
    const cursor: Cursor = this.#cursor;
    this.#take("tag", 1, name);
    const size = this.#uint(width);
    const counter = this.#take("length", width, "uint", size);
    cursor.need(size);
    const isText = TEXTS[op] !== undefined;
    if (op === OP.SHORT_BINSTRING || op === OP.BINSTRING) this.#expectAscii(cursor.at, cursor.at + size);
    if (size === 0) this.#push("leaf", counter, isText ? "" : new Uint8Array(0));
    else if (isText) this.#push("leaf", this.#take("payload", size, "str", TEXT), TEXT);
    else this.#push("leaf", this.#take("payload", size, "bytes", BYTES), BYTES);
  }

  /** Throws where a `str` of Python 2 is not the same text in every encoding. */
  #expectAscii(start: number, end: number): void {
    if (this.#list.bytes.subarray(start, end).some((byte) => byte > 0x7f)) this.#failOfString();
  }

  #failOfString(): never {
    this.#cursor.fail("a str of Python 2 is not ASCII", this.#cursor.at, "unsupported");
  }

  #uint(width: number): number {
    const { view, at } = this.#cursor;
    this.#cursor.need(width);
    if (width === 1) return view.getUint8(at);
    return width === 4 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
  }

  #long(name: string, width: number): void {
    const cursor: Cursor = this.#cursor;
    this.#take("tag", 1, name);
    const size = this.#uint(width);
    const counter = this.#take("length", width, "uint", size);
    cursor.need(size);
    if (size > MAX_INTEGER_BYTES)
      cursor.fail(
        `expected an integer of at most ${MAX_INTEGER_BYTES} bytes, got ${size}`,
        cursor.at,
        "limit",
      );
    const signed = BigInt.asIntN(8 * size, integerAt(this.#list.bytes, cursor.at, cursor.at + size));
    if (size > 0) this.#leaf(size, name, signed);
    else this.#push("leaf", counter, 0n);
  }

  /** A number or text, to the end of the line. */
  #lineValue(op: number, name: string): void {
    const cursor: Cursor = this.#cursor;
    const tag = this.#take("tag", 1, name);
    const size = this.#lineEnd() - cursor.at;
    if ((op === OP.INT || op === OP.LONG) && size > MAX_DIGITS + 2)
      cursor.fail(`expected an integer of at most ${MAX_DIGITS} digits`, cursor.at, "limit");
    const { buffer, byteOffset } = this.#list.bytes;
    const value = lineValue(op, Buffer.from(buffer, byteOffset + cursor.at, size).toString("latin1"));
    if (op === OP.STRING && /[^\0-\x7f]/.test(String(value))) this.#failOfString();
    if (value === undefined) cursor.fail("expected a number or text of Python");
    if (size > 0) this.#leaf(size, name, value);
    else this.#push("leaf", tag, value);
    this.top!.add(this.#take("terminator", 1, "line end"));
  }

  #lineEnd(): number {
    const end = this.#list.bytes.indexOf(0x0a, this.#cursor.at);
    return end < 0 ? this.#cursor.fail("a line without an end", this.#list.bytes.length, "truncated") : end;
  }

  #get(name: string, width: number): void {
    this.#take("tag", 1, name);
    const { index, size } = this.#index(width);
    const referent = this.#memo.get(index);
    if (referent === undefined) this.#cursor.fail(`nothing is in the memo at ${index}`);
    const id = this.#take("offset", size, "memo", index);
    if (referent.isDropped) {
      referent.isDropped = false;
      referent.add(this.#first, this.#list.next);
      this.#stack.push(referent);
    } else this.#push(referent.kind, id, this.value(referent), referent.referent ?? referent);
  }

  #duplicate(name: string): void {
    const top = this.top ?? this.#cursor.fail("nothing is on the stack");
    const id = this.#take("tag", 1, name);
    this.#push(top.kind, id, this.value(top), top.referent ?? top);
  }

  /** An index of the memo in so many bytes, or to the end of the line, and all its bytes. */
  #index(width: number): { readonly index: number; readonly size: number } {
    if (width !== LINE) return { index: this.#uint(width), size: width };
    const size = this.#lineEnd() - this.#cursor.at;
    return { index: Number(this.#cursor.textAt(this.#cursor.at, size)), size: size + 1 };
  }

  /** A class or function by its module and name, each to the end of a line. */
  #global(): void {
    const cursor: Cursor = this.#cursor;
    this.#take("tag", 1, "GLOBAL");
    const start = cursor.at;
    const module = this.#line();
    const name = this.#line();
    const size = cursor.at - start;
    cursor.at = start;
    const text = `${module} ${name}`;
    this.#take("tag", size, "module, name", text);
    this.#name(module, name, "GLOBAL", start - 1);
  }

  /** A class or function whose module and name are on the stack. */
  #stackGlobal(opcode: string): void {
    const [first, second] = this.#pop(2) as [PickleNode, PickleNode];
    const [module, name] = [this.value(first), this.value(second)];
    if (typeof module !== "string" || typeof name !== "string")
      this.#cursor.fail("expected the names of a global");
    const start = this.#cursor.at;
    this.#take("tag", 1, opcode, `${module} ${name}`);
    const node = this.#name(module, name, opcode, start);
    for (const part of [first, second]) {
      this.#list.unmark(part.held, "tag");
      node.addOf(part);
    }
  }

  /** Pushes what stands for bytes, and throws for all that does not. */
  #name(module: string, name: string, opcode: string, at: number): PickleNode {
    const text = `${module} ${name}`;
    if (!CALLABLES.has(text)) throw new PyGlobal(module, name, opcode, at).refusal();
    return this.#push("global", -1, text);
  }

  #line(): string {
    const cursor: Cursor = this.#cursor;
    const end = this.#lineEnd();
    const text = cursor.textAt(cursor.at, end - cursor.at);
    cursor.at = end + 1;
    return text;
  }

  /** Whether this was an opcode that works on what is on the stack. */
  #structure(op: number): boolean {
    const name = opcodeName(op) ?? "";
    const tuple = TUPLES[op];
    if (PUTS[op] !== undefined) this.#put(name, PUTS[op]);
    else if (op === OP.MARK)
      this.#marks.push({ height: this.#stack.length, id: this.#take("tag", 1, "MARK") });
    else if (op === OP.APPENDS || op === OP.SETITEMS || op === OP.APPEND || op === OP.SETITEM)
      this.#fill(op, name);
    else if (MARKED[op] !== undefined) this.#gather(MARKED[op], name, ...this.#popMark());
    else if (tuple !== undefined) this.#gather("tuple", name, this.#pop(tuple), -1);
    else if (op === OP.REDUCE) this.#reduce(name);
    else if (op === OP.STACK_GLOBAL) this.#stackGlobal(name);
    else if (op === OP.POP || op === OP.POP_MARK) this.#drop(op, name);
    else return false;
    return true;
  }

  #put(name: string, width: number): void {
    this.#take("tag", 1, name);
    const { index, size } = width === 0 ? { index: this.#memo.size, size: 0 } : this.#index(width);
    const top = this.#stack.at(-1) ?? this.#cursor.fail("nothing is on the stack");
    this.#take("tag", size, "memo", index);
    top.add(this.#first, this.#list.next);
    this.#memo.set(index, top);
  }

  #pop(count: number): PickleNode[] {
    if (this.#stack.length < count) this.#cursor.fail(`expected ${count} values on the stack`);
    return this.#stack.splice(this.#stack.length - count, count);
  }

  /** What is above the topmost mark, and that. */
  #popMark(): [items: PickleNode[], id: RegionId] {
    const { height, id } = this.#marks.pop() ?? this.#cursor.fail("no mark is on the stack");
    return [this.#stack.splice(height), id];
  }

  /** Takes what is on top of the stack, which may be a mark, or all down to that. */
  #drop(op: number, name: string): void {
    const isMark = op === OP.POP_MARK || this.#marks.at(-1)?.height === this.#stack.length;
    const dropped = isMark ? this.#popMark()[0] : this.#pop(1);
    this.#take("tag", 1, name);
    for (const node of dropped) node.isDropped = node.kind !== "leaf" && node.referent === undefined;
  }

  /** Counts the levels of what gets items. */
  #deepen(node: { depth: number }, items: readonly PickleNode[]): void {
    for (const { depth } of items) if (depth >= node.depth) node.depth = depth + 1;
    this.#cursor.enter(node.depth);
  }

  /** Puts items into the list or dict below them. */
  #fill(op: number, name: string): void {
    const isOne = op === OP.APPEND || op === OP.SETITEM;
    const [items, mark] = isOne ? [this.#pop(op === OP.APPEND ? 1 : 2), -1] : this.#popMark();
    const kind = op === OP.APPEND || op === OP.APPENDS ? "list" : "dict";
    const { top } = this;
    if (top?.kind !== kind || (kind === "dict" && items.length % 2 !== 0))
      this.#cursor.fail(`${name} of what is no ${kind}`);
    if (top.referent !== undefined)
      this.#cursor.fail(`${name} of a ${kind} that stands elsewhere`, this.#cursor.at, "unsupported");
    this.#deepen(top, items);
    this.#take("terminator", 1, name);
    top.add(this.#first, this.#list.next);
    if (mark >= 0) top.add(mark);
    for (const item of items) top.items.push(item);
  }

  #gather(kind: "list" | "dict" | "tuple", name: string, items: PickleNode[], mark: RegionId): void {
    if (kind === "dict" && items.length % 2 !== 0) this.#cursor.fail("a key without a value");
    const levels = { depth: 1 };
    this.#deepen(levels, items);
    this.#take("tag", 1, name);
    const node = this.#push(kind);
    node.depth = levels.depth;
    if (mark >= 0) node.add(mark);
    for (const item of items) node.items.push(item);
  }

  /** What CPython writes for bytes where the protocol has no opcode: a call with text, bytes, or nothing. */
  #reduce(name: string): void {
    const [callable, args] = this.#pop(2) as [PickleNode, PickleNode];
    const { items } = args.referent ?? args;
    const [first, encoding] = items;
    const id = this.#take("tag", 1, name);
    if (callable.kind !== "global" || args.kind !== "tuple")
      this.#cursor.fail("a call that is no plain data", this.#cursor.at - 1, "unsupported");
    const value = this.#called(String(this.value(callable)), items);
    const held = args.referent !== undefined ? args.held : first === undefined ? id : first.held;
    const node = this.#push("leaf", held, value);
    if (args.referent === undefined && encoding !== undefined) this.#list.unmark(encoding.held, "tag");
    for (const part of [callable, args, ...args.items]) node.addOf(part);
  }

  /** The bytes that a call makes: `_codecs.encode(str, "latin1")`, or of `bytes` and `bytearray` also one with bytes or nothing. */
  #called(callable: string, [first, encoding, ...more]: readonly PickleNode[]): Uint8Array {
    const isType = callable !== CODECS_ENCODE;
    const value = first === undefined ? new Uint8Array(0) : this.value(first);
    if (isType && encoding === undefined && value instanceof Uint8Array) return value;
    const name = encoding === undefined ? undefined : this.value(encoding);
    const isLatin1 = typeof name === "string" && /^latin-?1$/.test(name) && more.length === 0;
    if (!isLatin1 || typeof value !== "string" || /[^\0-\xff]/.test(value))
      this.#cursor.fail("a call that is no plain data", this.#cursor.at - 1, "unsupported");
    return new Uint8Array(Buffer.from(value, "latin1"));
  }
}

/** What a line of Latin-1 is to an opcode; two of INT are booleans. */
function lineValue(op: number, line: string): Value | undefined {
  if (op === OP.UNICODE) return parseRawUnicode(line);
  if (op === OP.STRING) return parseByteString(line);
  if (op === OP.FLOAT) return parseFloat64(line);
  if (op === OP.INT && (line === "00" || line === "01")) return line === "01";
  const digits = line.replace(/L$/, "");
  return /^[+-]?\d+$/.test(digits) ? BigInt(digits.replace("+", "")) : undefined;
}

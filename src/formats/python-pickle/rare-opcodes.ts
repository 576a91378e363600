import { copyBytes } from "../bytes/copy.ts";
import { latin1Slice } from "../bytes/native.ts";
import { readUtf8 } from "../bytes/utf8.ts";
import { type PickleInput, parseByteString, parseFloat64, parseRawUnicode } from "./input.ts";
import { OP, opcodeName } from "./opcodes.ts";
import { KIND, KNOWN, LEVEL, type PickleStack } from "./stack.ts";
import { ByteArray, FrozenSet, PyFloat, PyGlobal, Tuple } from "./types.ts";

/** The pickle machine as opcodes see it that are not in its loop. */
export interface Machine {
  readonly input: PickleInput;
  readonly stack: PickleStack;
  /** Protocol that PROTO gave; 0 without it. */
  version: number;
  /** Whether a callable was named, which may be all that the pickle is. */
  sawGlobal: boolean;
  /** What NEXT_BUFFER takes from; undefined without the option. */
  readonly buffers: Iterator<Uint8Array> | undefined;
  /** What calls took from their arguments. */
  reduced: number;
}

/** What {@link RareOpcode} gives for no value. */
export const NOTHING = Symbol("nothing");

/**
 * Executes an opcode whose arguments begin at the input's place, and leaves the input after them and the stack's
 * height as it is then. Returns the value that goes onto the stack, already tagged, or {@link NOTHING}.
 */
export type RareOpcode = (machine: Machine) => unknown;

/** The opcodes that are not in the loop of the machine, by their codes. */
const OPCODES: ReadonlyMap<number, RareOpcode> = new Map<number, RareOpcode>([
  [OP.PROTO, protocol],
  [OP.FRAME, frame],
  [OP.POP, pop],
  [OP.POP_MARK, popMark],
  [OP.DUP, duplicate],
  [OP.INT, ({ input }) => input.decimal(OP.INT)],
  [OP.LONG, ({ input }) => input.decimal(OP.LONG)],
  [OP.LONG4, ({ input }) => input.long4()],
  [OP.FLOAT, float],
  [OP.STRING, string],
  [OP.BINSTRING, ({ input }) => binaryString(input, 4)],
  [OP.SHORT_BINSTRING, ({ input }) => binaryString(input, 1)],
  [OP.UNICODE, unicode],
  [OP.BINUNICODE8, binaryUnicode],
  [OP.BINBYTES, ({ input }) => copyBytes(input.bytes, ...input.span(4))],
  [OP.BINBYTES8, ({ input }) => copyBytes(input.bytes, ...input.span(8))],
  [OP.BYTEARRAY8, ({ input }) => new ByteArray(input.bytes.subarray(...input.span(8)))],
  [OP.NEXT_BUFFER, nextBuffer],
  [OP.READONLY_BUFFER, readOnlyBuffer],
  [OP.LIST, list],
  [OP.DICT, dict],
  [OP.EMPTY_SET, emptySet],
  [OP.ADDITEMS, addItems],
  [OP.FROZENSET, frozenSet],
  [OP.GET, ({ input, stack }) => stack.again(stack.height, input.index())],
  [OP.LONG_BINGET, ({ input, stack }) => stack.again(stack.height, input.unsigned(4))],
  [OP.PUT, ({ input, stack }) => memoize(stack, input.index())],
  [OP.LONG_BINPUT, ({ input, stack }) => memoize(stack, input.unsigned(4))],
  [OP.GLOBAL, (machine) => global(machine, machine.input.name(), machine.input.name(), "GLOBAL")],
  [OP.STACK_GLOBAL, stackGlobal],
  [OP.REDUCE, reduce],
]);

/** By each byte, what executes an opcode that is not in the loop; for one that is no data, what refuses it. */
export const RARE: readonly RareOpcode[] = Array.from(
  { length: 256 },
  (_, code) => OPCODES.get(code) ?? refuse,
);

function refuse({ input }: Machine): never {
  const code = input.bytes[input.start]!;
  const name = opcodeName(code);
  if (name === undefined) {
    input.refuse(`expected an opcode, got the byte 0x${code.toString(16).padStart(2, "0")}`);
  }
  if (code === OP.INST) throw new PyGlobal(input.name(), input.name(), "INST", input.start).refusal();
  return input.refuse(`${name} is not data`, "unsupported");
}

function protocol(machine: Machine): typeof NOTHING {
  const { input } = machine;
  const version = input.unsigned(1);
  if (version > 5) input.refuse(`protocol ${version}, expected at most 5`, "unsupported");
  if (input.start !== input.begin) input.refuse("PROTO is not at the beginning");
  machine.version = version;
  return NOTHING;
}

function frame({ input }: Machine): typeof NOTHING {
  const size = input.unsigned(8);
  const { at, bytes } = input;
  if (input.inFrame) input.refuse("a frame begins within a frame");
  if (size > bytes.length - at) input.cut();
  input.end = (at + size) | 0;
  input.inFrame = true;
  return NOTHING;
}

/** As CPython has it, POP takes a mark where one is on top. */
function pop({ stack }: Machine): typeof NOTHING {
  if (stack.marks.length > 0 && stack.floor === stack.height) stack.popMark();
  else {
    stack.need(stack.height, 1);
    stack.drop(stack.height - 1, stack.height);
    stack.height -= 1;
  }
  return NOTHING;
}

function popMark({ stack }: Machine): typeof NOTHING {
  const mark = stack.popMark();
  stack.drop(mark, stack.height);
  stack.height = mark;
  return NOTHING;
}

function duplicate({ stack }: Machine): unknown {
  const { height, labels, tags, values } = stack;
  stack.need(height, 1);
  if ((tags[height - 1]! & (LEVEL - 1)) === KIND.newDict) labels[height - 1] = KNOWN;
  const value = values[height - 1];
  stack.tagAgain(height, value);
  return value;
}

function memoize(stack: PickleStack, index: number): typeof NOTHING {
  stack.need(stack.height, 1);
  stack.memoize(stack.height - 1, index);
  return NOTHING;
}

function float({ input }: Machine): number | PyFloat {
  const value = parseFloat64(input.numberText()) ?? input.refuse("expected a number");
  return input.wrapsFloats && Number.isInteger(value) ? new PyFloat(value) : value;
}

function string({ input }: Machine): unknown {
  return input.byteString(parseByteString(input.line()) ?? input.refuse("expected a string literal"));
}

function binaryString(input: PickleInput, size: 1 | 4): unknown {
  return input.byteString(latin1Slice.call(input.bytes, ...input.span(size)));
}

function unicode({ input }: Machine): string {
  return parseRawUnicode(input.line()) ?? input.refuse("expected text in raw-unicode-escape");
}

function binaryUnicode({ input }: Machine): string {
  return readUtf8(input.bytes, ...input.span(8)) ?? input.noText();
}

function nextBuffer({ buffers, input }: Machine): Uint8Array {
  if (buffers === undefined) return input.refuse("NEXT_BUFFER needs the option buffers", "unsupported");
  const { done, value } = buffers.next();
  return done === true ? input.refuse("expected another buffer, got the end of the option buffers") : value;
}

/** Makes the buffer on top read-only, which in JavaScript no array of bytes is. */
function readOnlyBuffer({ buffers, input, stack }: Machine): typeof NOTHING {
  stack.need(stack.height, 1);
  if (buffers === undefined) input.refuse("READONLY_BUFFER needs the option buffers", "unsupported");
  if (!(stack.values[stack.height - 1] instanceof Uint8Array)) input.refuse("expected a buffer on the stack");
  return NOTHING;
}

function list({ stack }: Machine): unknown[] {
  const mark = stack.popMark();
  const items = stack.values.slice(mark, stack.height);
  stack.tag(mark, KIND.list + LEVEL * (stack.drop(mark, stack.height) + 1));
  stack.height = mark;
  return items;
}

/** As with EMPTY_DICT and SETITEMS: the dict goes below its keys and values. */
function dict({ stack }: Machine): unknown {
  const mark = stack.popMark();
  const { dictsAreMaps, values } = stack;
  const items = values.slice(mark, stack.height);
  const levels = stack.drop(mark, stack.height);
  values[mark] = dictsAreMaps ? new Map() : {};
  for (let i = 0; i < items.length; i++) values[mark + 1 + i] = items[i];
  stack.tag(mark, (dictsAreMaps ? KIND.map : KIND.dict) + LEVEL);
  stack.setItems(mark + 1, mark + 1 + items.length);
  const kind = stack.tags[mark]! % LEVEL;
  if (levels > 0) stack.tag(mark, kind + LEVEL * (levels + 1));
  stack.height = mark;
  return values[mark];
}

function emptySet({ stack }: Machine): Set<unknown> {
  stack.tag(stack.height, KIND.set + LEVEL);
  return new Set();
}

function addItems({ stack }: Machine): typeof NOTHING {
  stack.height = stack.addItems(stack.popMark(), stack.height);
  return NOTHING;
}

function frozenSet({ stack }: Machine): FrozenSet {
  const mark = stack.popMark();
  const set = new FrozenSet();
  for (let i = mark; i < stack.height; i++) stack.addTo(set, stack.values[i]);
  stack.tag(mark, KIND.immutable + LEVEL * (stack.drop(mark, stack.height) + 1));
  stack.height = mark;
  return set;
}

/** What stands for a built-in type in protocols that have no opcode for it. */
const DATA: ReadonlyMap<string, readonly string[]> = new Map([
  ["_codecs", ["encode"]],
  ["__builtin__", ["bytes", "bytearray", "set", "frozenset"]],
  ["builtins", ["bytes", "bytearray", "set", "frozenset"]],
]);

/**
 * Throws DecodeError, with its name, for a callable that never stands for data: see {@link dataOf}.
 * @param protocol from 3 on, Python 2's name of the module is not known
 */
function expectData(global: PyGlobal, protocol: number): void {
  const isOld = global.module === "__builtin__";
  if (DATA.get(global.module)?.includes(global.name) !== true || (isOld && protocol >= 3)) {
    throw global.refusal();
  }
}

function global(machine: Machine, module: string, name: string, opcode: string): PyGlobal {
  const named = new PyGlobal(module, name, opcode, machine.input.start);
  expectData(named, machine.version);
  machine.sawGlobal = true;
  // The tuple of arguments and the list in it are two levels that a set does not have: checkExtent counts in the end.
  machine.stack.extra = 2;
  return named;
}

function stackGlobal(machine: Machine): PyGlobal {
  const { input, stack } = machine;
  stack.need(stack.height, 2);
  const module = stack.values[stack.height - 2];
  const name = stack.values[stack.height - 1];
  if (typeof module !== "string" || typeof name !== "string") {
    return input.refuse("expected the names of a global");
  }
  const named = global(machine, module, name, "STACK_GLOBAL");
  stack.drop(stack.height - 2, stack.height);
  stack.height -= 2;
  return named;
}

function reduce(machine: Machine): unknown {
  const { input, stack } = machine;
  stack.need(stack.height, 2);
  const callable = stack.values[stack.height - 2];
  const args = stack.values[stack.height - 1];
  if (!(callable instanceof PyGlobal && args instanceof Tuple)) {
    return input.refuse("REDUCE is not data", "unsupported");
  }
  machine.reduced += costOf(args);
  // A bytearray is made of bytes, which are made of text: the same bytes are taken twice.
  if (machine.reduced > 2 * input.taken) input.refuse("REDUCE is given the same values again", "limit");
  const result = dataOf(callable, args);
  if (result === undefined) throw callable.refusal();
  const place = stack.height - 2;
  const levels = stack.drop(place, stack.height);
  stack.height = place;
  if (result instanceof Uint8Array) return result;
  for (const item of result.items) stack.addTo(result.made, item);
  const kind = result.made instanceof FrozenSet ? KIND.immutable : KIND.set;
  stack.tag(place, kind + LEVEL * Math.max(1, levels - 1));
  return result.made;
}

/** Code points of Latin-1 are the bytes. */
const BEYOND_LATIN1 = /[^\0-\xff]/;

/**
 * What the pickler of CPython writes for a built-in type that its protocol has no opcode for, as the value that is
 * meant; undefined for any other call. These are all:
 *
 * - `_codecs.encode(str, "latin1")`, and `bytes()`
 * - `bytearray()`, `bytearray(bytes)`, and `bytearray(str, "latin-1")`
 * - `set(list)` and `frozenset(list)`; the items of the list, for the caller to add
 */
function dataOf(
  { name }: PyGlobal,
  args: Tuple,
): Uint8Array | { readonly made: Set<unknown>; readonly items: readonly unknown[] } | undefined {
  const [first, second] = args;
  if (name === "set" || name === "frozenset") {
    if (args.length > 1 || !(Array.isArray(first) || args.length === 0)) return undefined;
    return {
      made: name === "set" ? new Set() : new FrozenSet(),
      items: args.length === 0 ? [] : (first as unknown[]),
    };
  }
  if (args.length === 0 && name !== "encode") return name === "bytes" ? new Uint8Array(0) : new ByteArray(0);
  if (args.length === 1 && name === "bytearray" && first instanceof Uint8Array) return new ByteArray(first);
  if (args.length !== 2 || name === "bytes" || typeof first !== "string") return undefined;
  const encoding = second instanceof Uint8Array ? Buffer.from(second).toString("latin1") : second;
  if ((encoding !== "latin1" && encoding !== "latin-1") || BEYOND_LATIN1.test(first)) return undefined;
  const bytes = Buffer.from(first, "latin1");
  return name === "encode" ? new Uint8Array(bytes) : new ByteArray(bytes);
}

/** How much a call takes from its arguments, which a pickle can give to many calls. */
function costOf(args: Tuple): number {
  const [first] = args;
  return typeof first === "string" || Array.isArray(first) || first instanceof Uint8Array ? first.length : 0;
}

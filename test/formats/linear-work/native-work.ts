/**
 * What V8 and Node do inside one call, which no count of our own statements shows. Each method that goes over its
 * receiver or an argument is replaced by one that adds how much that is. To be loaded before whoever keeps a method.
 */
import buffer from "node:buffer";
import { syncBuiltinESMExports } from "node:module";
import zlib from "node:zlib";
import { KeyChains } from "../../../src/formats/bytes/key-chains.ts";

/** What a call goes over, of its receiver, its arguments and its result. */
type Cost = (receiver: unknown, args: readonly unknown[], result: unknown) => number;

let units = 0;

/** Units of work since the last call: characters, bytes, elements and keys that native code went over. */
export function takeNativeWork(): number {
  const taken = units;
  units = 0;
  return taken;
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  const { length, size, byteLength } = Object(value) as Record<string, unknown>;
  const found = length ?? size ?? byteLength;
  // An object may have any property of these names.
  return typeof found === "number" ? found : 0;
}

const ofReceiver: Cost = (receiver) => sizeOf(receiver);
const ofArgument: Cost = (_, [first]) => (typeof first === "number" ? first : sizeOf(first));
const ofResult: Cost = (_receiver, _args, result) => sizeOf(result);
const ofCount: Cost = (_receiver, _args, result) => Number(result);
/** From the second argument on, to what was found. */
const ofSearch: Cost = (receiver, [, from], found) =>
  (Number(found) < 0 ? sizeOf(receiver) : Number(found)) - Number(from ?? 0);
/** All that lies behind what is taken out or put in is moved. */
const ofMove: Cost = (receiver, [start]) => sizeOf(receiver) - Number(start ?? 0);
/**
 * To the end of what an expression matches; where it goes on from its last match, what is between is not counted. The
 * sticky ones here that do not match fail at their first characters.
 */
const ofMatch: Cost = (receiver, [text], result) => {
  const { global, sticky } = receiver as RegExp;
  if (!Array.isArray(result)) return sticky ? 1 : sizeOf(text);
  return (global || sticky ? 0 : (result as RegExpExecArray).index) + sizeOf(result[0]);
};
/** V8's conversion between decimal digits and an integer is not linear. */
const ofDigits: Cost = (_, [text]) => {
  if (typeof text !== "string") return 1;
  return text.startsWith("0x") ? text.length : Math.ceil(text.length ** 2 / 64);
};

/** Whoever goes over what, by its methods. */
const METHODS: readonly (readonly [owner: object, cost: Cost, ...names: string[]])[] = [
  [String.prototype, ofReceiver, "isWellFormed", "toWellFormed", "normalize", "replace", "replaceAll"],
  [String.prototype, ofReceiver, "split", "match", "matchAll", "search", "trim", "includes", "lastIndexOf"],
  [String.prototype, ofReceiver, "toLowerCase", "toUpperCase", "localeCompare"],
  [String.prototype, ofSearch, "indexOf"],
  [String.prototype, ofResult, "padStart", "padEnd", "repeat", "slice", "substring", "concat"],
  [String.prototype, ofArgument, "startsWith", "endsWith"],
  [RegExp.prototype, ofMatch, "exec"],
  [Array.prototype, ofReceiver, "join", "sort", "reverse", "shift", "unshift", "includes", "lastIndexOf"],
  [Array.prototype, ofSearch, "indexOf"],
  [Array.prototype, ofResult, "slice", "concat", "flat", "fill"],
  [Array.prototype, ofMove, "splice"],
  [Object.getPrototypeOf(Uint8Array.prototype), ofReceiver, "reverse", "join", "sort", "includes"],
  [Object.getPrototypeOf(Uint8Array.prototype), ofSearch, "indexOf"],
  [Object.getPrototypeOf(Uint8Array.prototype), ofArgument, "set"],
  [Object.getPrototypeOf(Uint8Array.prototype), ofResult, "slice", "fill", "copyWithin"],
  [Buffer.prototype, ofResult, "utf8Slice", "latin1Slice", "asciiSlice", "hexSlice", "toString"],
  [Buffer.prototype, ofCount, "utf8Write", "latin1Write", "write", "copy"],
  [Buffer.prototype, ofSearch, "indexOf"],
  [Buffer.prototype, ofReceiver, "equals", "compare"],
  [Buffer, ofArgument, "byteLength", "compare"],
  [Buffer, ofResult, "alloc", "allocUnsafe", "allocUnsafeSlow", "from", "concat"],
  [Object, ofResult, "keys", "values", "entries", "getOwnPropertyNames", "fromEntries"],
  [Array, ofResult, "from", "of"],
  [JSON, ofResult, "stringify"],
  [JSON, ofArgument, "parse"],
  [globalThis, ofDigits, "BigInt"],
  [buffer, ofArgument, "isUtf8", "isAscii"],
  [zlib, ofResult, "inflateSync", "deflateSync"],
];

/** Memory outside of V8's heap, which is filled with zeros. */
const MEMORY = ["ArrayBuffer", "Uint8Array", "Uint16Array", "Uint32Array", "Int32Array", "Float64Array"];

/** Comparisons in Maps and Sets of keys that V8 puts into one chain. */
function countChains(owner: object, name: string): void {
  const native = Reflect.get(owner, name) as Method;
  const containers = new WeakMap<object, KeyChains>();
  const apply = (_: Method, self: Map<unknown, unknown> | Set<unknown>, args: unknown[]): unknown => {
    if ((typeof args[0] === "number" || typeof args[0] === "bigint") && !self.has(args[0])) {
      const before = units;
      const chains = containers.get(self) ?? new KeyChains();
      const { compared } = chains;
      chains.count(self, args[0]);
      containers.set(self, chains);
      units = before + chains.compared - compared;
    }
    return Reflect.apply(native, self, args);
  };
  Reflect.set(owner, name, new Proxy(native, { apply }));
}

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** From now on, counts what these methods go over. */
export function countNativeWork(): void {
  for (const [owner, cost, ...names] of METHODS) {
    for (const name of names) {
      const native = Reflect.get(owner, name) as Method;
      const apply = (_: Method, self: unknown, args: unknown[]): unknown => {
        const result = Reflect.apply(native, self, args);
        units += Math.max(1, cost(self, args, result));
        return result;
      };
      Object.defineProperty(owner, name, { value: new Proxy(native, { apply }), writable: true });
    }
  }
  for (const name of MEMORY) {
    const native = Reflect.get(globalThis, name) as new () => object;
    const construct = (_: unknown, args: unknown[], target: new () => object): object => {
      units += Math.max(1, ofArgument(undefined, args, undefined));
      return Reflect.construct(native, args, target);
    };
    const counted = new Proxy(native, { construct });
    Reflect.set(globalThis, name, counted);
    // Libraries tell what memory is by its class.
    if (name === "ArrayBuffer") Reflect.set(native.prototype, "constructor", counted);
  }
  countChains(Map.prototype, "set");
  countChains(Set.prototype, "add");
  syncBuiltinESMExports();
}

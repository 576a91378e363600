/**
 * What every code generator here shares. Names from a schema or from data are untrusted: they enter
 * generated code only through {@link literal}, as quoted strings.
 */
import { interpret } from "./interpreter/interpret.ts";

/** A string as a JavaScript literal. */
export function literal(text: string): string {
  // JSON is a subset of JavaScript since ES2019, the two line separators included.
  return JSON.stringify(text);
}

/**
 * An expression that reads a field of a plain object, undefined when it is not set. A name that every object
 * inherits, such as `constructor`, is read only where the object has it itself.
 */
export function fieldOf(object: string, name: string): string {
  const read = `${object}[${literal(name)}]`;
  return name in Object.prototype
    ? `(Object.hasOwn(${object}, ${literal(name)}) ? ${read} : undefined)`
    : read;
}

/** The key of an object literal. `"__proto__": x` would set the prototype; in brackets it is a field. */
export function literalKey(name: string): string {
  return name === "__proto__" ? `[${literal(name)}]` : literal(name);
}

/** A statement that gives an object a field of its own, whatever its name is. */
export function assignField(object: string, name: string, value: string): string {
  return name === "__proto__"
    ? `Object.defineProperty(${object}, "__proto__", { value: ${value}, enumerable: true, configurable: true, writable: true });`
    : `${object}[${literal(name)}] = ${value};`;
}

/** {@link assignField} for keys that are data, such as those of a map. */
export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    if (isFarIndex(key) && !Object.hasOwn(object, Number(key) - 1)) keepIndexesApart(object);
    object[key] = value;
  }
}

/** Indexes up to this one take little room. */
const FEW_INDEXES = 32;

/** An index so far from others that V8 gives the indexes of an object a table. */
const FAR = 100_000;

/** Whether a key is an index for which V8 makes room up to it, in an object that has not the one before it. */
export function isFarIndex(key: string): boolean {
  const first = key.charCodeAt(0);
  return key.length <= 4 && first > 0x30 && first <= 0x39 && Number(key) > FEW_INDEXES;
}

/**
 * Makes V8 keep the indexes of an object in a table. Else an object with the key `900` and no other has room for 1,367
 * indexes, and 60 kB of such objects take 130 MB and 200 ms (measured on Node 20).
 */
function keepIndexesApart(object: Record<number, unknown>): void {
  if (Object.hasOwn(object, FAR)) return;
  object[FAR] = undefined;
  delete object[FAR];
}

let compiled = 0;
let isAllowed: boolean | undefined;

/** Whether code may be made of strings here, which a content security policy and a flag of Node forbid. It is asked once. */
export function canCompile(): boolean {
  if (isAllowed !== undefined) return isAllowed;
  try {
    new Function("");
    isAllowed = true;
  } catch {
    isAllowed = false;
  }
  return isAllowed;
}

/**
 * Runs generated code with some values in scope and returns what it returns. Each source is made unique:
 * V8 shares functions, and with them type feedback, between evaluations of equal sources, and then the first
 * user of the code decides how fast it is for the next (measured: 1.7 against 5.1 ns a call). Where no code may be made
 * of strings it is interpreted.
 */
export function compile<T>(source: string, scope: Readonly<Record<string, unknown>> = {}): T {
  if (!canCompile()) return interpret(source, scope) as T;
  compiled += 1;
  const names = Object.keys(scope);
  const factory = new Function(...names, `"use strict"; /* ${compiled} */\n${source}`);
  return factory(...names.map((name) => scope[name])) as T;
}

/** Gives each name of a set its own identifier, `f0`, `f1`, …, for use in generated code. */
export function numbered(names: Iterable<string>, prefix: string): ReadonlyMap<string, string> {
  return new Map([...names].map((name, index) => [name, `${prefix}${index}`]));
}

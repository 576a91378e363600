/**
 * JavaScript source from names that nobody has checked: a property may be called anything. Names enter the
 * source as JSON, which is a subset of JavaScript since ES2019, and nowhere else.
 */

/** An expression that reads a property; undefined when the object has none of its own. */
export function readProperty(object: string, key: string): string {
  const read = `${object}[${JSON.stringify(key)}]`;
  return key in Object.prototype
    ? `(Object.hasOwn(${object}, ${JSON.stringify(key)}) ? ${read} : undefined)`
    : read;
}

/** A property in an object literal. Without the brackets, `"__proto__": x` would set the prototype. */
export function literalProperty(key: string, value: string): string {
  return key === "__proto__" ? `["__proto__"]: ${value}` : `${JSON.stringify(key)}: ${value}`;
}

/** A statement that gives an object a property of its own. */
export function setProperty(object: string, key: string, value: string): string {
  return key === "__proto__"
    ? `setOwn(${object}, "__proto__", ${value});`
    : `${object}[${JSON.stringify(key)}] = ${value};`;
}

/** Gives an object a property of its own, whatever its key is. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

let compiled = 0;

/**
 * Runs source with some values in scope and returns what it returns. Each source is made unique, because V8
 * shares type feedback between evaluations of equal ones.
 */
export function compile<T>(source: string, scope: Readonly<Record<string, unknown>>): T {
  compiled += 1;
  const names = Object.keys(scope);
  const factory = new Function(...names, `"use strict"; /* ${compiled} */\n${source}`);
  return factory(...names.map((name) => scope[name])) as T;
}

import { shortPath } from "./errors.ts";
import { inBytes } from "./in-bytes.ts";
/**
 * Plain data: what a program holds before it serialises and wants back after. A field that is not set
 * is not there at all; a 64-bit integer is a number or a bigint by the dataset's choice, never a mix.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Uint8Array
  | readonly Value[]
  | { readonly [field: string]: Value };

/** A plain value with named fields. */
export type RecordValue = { readonly [field: string]: Value };

/** Whether a value has named fields: not null, not a list, not bytes. */
export function isRecord(value: unknown): value is RecordValue {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** `info[3].age`: the path of a field or element below `path`. */
export function childPath(path: string, key: string | number): string {
  if (typeof key === "number") return `${path}[${key}]`;
  const step = /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? key : `[${JSON.stringify(key)}]`;
  return path === "" ? step : step.startsWith("[") ? path + step : `${path}.${step}`;
}

/** `info[3].age`: the path that some steps lead along. */
export function pathText(steps: readonly (string | number)[]): string {
  return steps.reduce<string>(childPath, "");
}

/**
 * Calls `meet` for a value and for everything in it, outermost first, with what makes its path; for a field also with its
 * name.
 */
export function walk(root: Value, meet: (value: Value, path: () => string, name?: string) => void): void {
  const steps: (string | number)[] = [];
  const path = (): string => pathText(steps);
  const visit = (value: Value, name?: string): void => {
    meet(value, path, name);
    if (typeof value !== "object") return;
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        steps.push(i);
        visit(value[i]);
        steps.pop();
      }
    } else if (isRecord(value)) {
      for (const [key, item] of Object.entries(value)) {
        steps.push(key);
        visit(item, key);
        steps.pop();
      }
    }
  };
  visit(root);
}

/**
 * Where two values first differ, as a sentence that starts with the path; undefined when they are equal.
 * Numbers are equal by Object.is, so -0 is not 0 and NaN is NaN. The order of fields does not count.
 */
export function firstDifference(expected: unknown, actual: unknown): string | undefined {
  const difference = differenceOf(expected, actual);
  if (difference === undefined) return undefined;
  return `${shortPath(pathText(difference.steps.reverse())) || "value"}: ${difference.problem}`;
}

/** What differs, and the steps to it from there up: a path for each of millions of equal values would take seconds. */
interface Difference {
  readonly steps: (string | number)[];
  readonly problem: string;
}

function differenceOf(expected: unknown, actual: unknown): Difference | undefined {
  if (Object.is(expected, actual)) return undefined;
  if (expected instanceof Uint8Array) return differenceOfBytes(expected, actual);
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return different(expected, actual);
    if (expected.length !== actual.length) {
      return { steps: [], problem: `expected ${expected.length} elements, got ${actual.length}` };
    }
    for (let i = 0; i < expected.length; i++) {
      const difference = differenceOf(expected[i], actual[i]);
      if (difference !== undefined) return below(i, difference);
    }
    return undefined;
  }
  if (!isRecord(expected) || !isRecord(actual)) return different(expected, actual);
  const keys = Object.keys(expected);
  for (const key of keys) {
    if (!Object.hasOwn(actual, key)) return below(key, different(expected[key], undefined));
    const difference = differenceOf(expected[key], actual[key]);
    if (difference !== undefined) return below(key, difference);
  }
  const others = Object.keys(actual);
  if (others.length === keys.length) return undefined;
  const extra = others.find((key) => !Object.hasOwn(expected, key));
  return extra === undefined ? undefined : below(extra, different(undefined, actual[extra]));
}

function differenceOfBytes(expected: Uint8Array, actual: unknown): Difference | undefined {
  if (!(actual instanceof Uint8Array) || actual.length !== expected.length)
    return different(expected, actual);
  const at = expected.findIndex((byte, i) => byte !== actual[i]);
  if (at < 0) return undefined;
  return { steps: [], problem: `expected byte ${at} to be ${expected[at]}, got ${actual[at]}` };
}

function different(expected: unknown, actual: unknown): Difference {
  return { steps: [], problem: `expected ${show(expected)}, got ${show(actual)}` };
}

function below(step: string | number, difference: Difference): Difference {
  difference.steps.push(step);
  return difference;
}

/** The name of the class that an object is of; undefined for a plain object, and where the class has none. */
export function classNameOf(value: object): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return undefined;
  const made: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  return typeof made === "function" && !["", "Object"].includes(made.name) ? made.name : undefined;
}

/** A value in a few characters, for an error message. */
export function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "bigint") return `${value}n`;
  if (Object.is(value, -0)) return "-0";
  // Not what only inherits from bytes, whose length cannot be read.
  if (ArrayBuffer.isView(value) && value instanceof Uint8Array) return inBytes(value.length);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) {
    const kind = Object.prototype.toString.call(value).slice("[object ".length, -1);
    if (kind !== "Object") return `a ${kind}`;
    const name = classNameOf(value);
    return name === undefined ? "an object" : `an object of the class ${name}`;
  }
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  return String(value);
}

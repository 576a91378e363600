import { UsageError } from "../model/errors.ts";
import { childPath, isRecord, show } from "../model/value.ts";

/**
 * What a record must have for every report to be rendered: a type or one of the kinds below per field, `?` where it
 * may be absent.
 */
export type Shape = string | { readonly [field: string]: Shape } | readonly [Shape];

/** An `Environment`. */
export const ENVIRONMENT: Shape = {
  cpu: { model: "string", cores: "number" },
  memoryBytes: "number",
  os: { platform: "string", release: "string", arch: "string" },
  node: { version: "string", v8: "string", execArgv: ["string"] },
  load: ["number"],
};

/** Throws UsageError that names the place where a value is not of a shape. */
export function check(value: unknown, shape: Shape, at: string, file: string): void {
  if (typeof shape === "string") {
    if (!isOfKind(value, shape)) throw damaged(file, at, KINDS[shape] ?? `a ${shape}`, value);
  } else if (isList(shape)) {
    if (!Array.isArray(value)) throw damaged(file, at, "a list", value);
    const [inner] = shape;
    if (typeof inner === "string") {
      // A record has millions of numbers: a place is worked out for the one that is wrong alone.
      const wrong = value.findIndex((item) => !isOfKind(item, inner));
      if (wrong >= 0) check(value[wrong], inner, childPath(at, wrong), file);
    } else {
      value.forEach((item, index) => {
        check(item, inner, childPath(at, index), file);
      });
    }
  } else {
    if (!isRecord(value)) throw damaged(file, at, "an object", value);
    for (const [key, inner] of Object.entries(shape)) {
      const name = key.replace("?", "");
      if (key.endsWith("?") && value[name] === undefined) continue;
      check(value[name], inner, childPath(at, name), file);
    }
  }
}

/** Kinds that are no types of JavaScript, in words. */
const KINDS: Readonly<Record<string, string>> = {
  interval: "two numbers or null",
  time: "a number from 0 on",
  status: "measured, ok, unsupported or failed",
  verdict: "faster, slower, same or undecided",
  "warm-up": "steady, warming, slowing or erratic",
  "number or null": "a number or null",
};

/** Kinds that are one of some words. */
const WORDS: Readonly<Record<string, readonly unknown[]>> = {
  status: ["measured", "ok", "unsupported", "failed"],
  verdict: ["faster", "slower", "same", "undecided"],
  "warm-up": ["steady", "warming", "slowing", "erratic"],
};

function isOfKind(value: unknown, kind: string): boolean {
  if (kind === "time") return typeof value === "number" && value >= 0;
  if (kind === "number or null") return value === null || typeof value === "number";
  const words = WORDS[kind];
  if (words !== undefined) return words.includes(value);
  if (kind !== "interval") return typeof value === kind;
  return (
    value === null ||
    (Array.isArray(value) && value.length === 2 && value.every((end) => typeof end === "number"))
  );
}

/** A record that is not what it should be. */
export function damaged(file: string, at: string, expected: string, value: unknown): UsageError {
  return new UsageError(
    `${file}: damaged record: ${at || "record"}: expected ${expected}, got ${show(value)}`,
  );
}

function isList(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

import { defineCodec } from "../model/codec.ts";
import { DecodeError } from "../model/errors.ts";
import { isRecord } from "../model/value.ts";
import { jsonFamily, refuseKeys } from "../schema/json-family.ts";
import { textPageCode } from "../schema/page-code.ts";
import { MAX_DEPTH } from "../schema/values/conform.ts";
import { superjsonSteps, superjsonType, superjsonValue } from "../schema/values/stand-ins.ts";

type Library = typeof import("superjson");

/** Most steps of a path to what JSON lacks: a message, and the list that it is in. */
const STEPS = 2 * MAX_DEPTH;

/**
 * Throws DecodeError unless the notes on a JSON value say of what is there that it stands for a bigint, a number that JSON
 * lacks, bytes, or something else in the value. Of a note on a number the library would make as many zero bytes.
 */
function checkNotes(message: unknown): void {
  const { json, meta } = isRecord(message) ? (message as Record<string, unknown>) : {};
  if (json === undefined) throw problem("expected a value and notes on it");
  if (meta === undefined) return;
  const {
    values,
    referentialEqualities: equal,
    v: version,
  } = (isRecord(meta) ? meta : {}) as Record<string, unknown>;
  if (version !== 1) throw problem("expected notes of version 1", ["meta"]);
  if (values !== undefined) checkValues(json, values, []);
  if (equal === undefined) return;
  if (!isRecord(equal)) throw problem("a value that contains itself", ["meta"]);
  for (const [path, others] of Object.entries(equal)) {
    if (!Array.isArray(others) || !others.every((other) => typeof other === "string"))
      throw problem("expected a list of paths", [path]);
    for (const one of [path, ...others]) found(json, superjsonSteps(one));
  }
}

/** @param notes of what is in the value at a path: objects by paths, and the type first where there is one */
function checkValues(json: unknown, notes: unknown, path: readonly string[]): void {
  if (path.length > STEPS) throw problem(`nested deeper than ${STEPS} levels`, path);
  const [type, inner] = (Array.isArray(notes) ? notes : [undefined, notes]) as [unknown, unknown];
  if (inner !== undefined) {
    if (!isRecord(inner)) throw problem("expected notes by their paths", path);
    for (const [key, note] of Object.entries(inner))
      checkValues(json, note, [...path, ...superjsonSteps(key)]);
  }
  if (type === undefined) return;
  const value = found(json, path);
  const known = superjsonType(type);
  if (known === undefined || superjsonValue(value, known) === undefined)
    throw problem("not what it is said to be", path);
}

function found(json: unknown, path: readonly string[]): unknown {
  if (path.length > STEPS) throw problem(`nested deeper than ${STEPS} levels`, path);
  let value = json;
  for (const step of path) {
    const isThere = Array.isArray(value)
      ? /^\d+$/.test(step) && Number(step) < value.length
      : isRecord(value) && Object.hasOwn(value, step);
    if (!isThere) throw problem("a note on what is not there", path);
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function problem(text: string, path: readonly string[] = []): DecodeError {
  return new DecodeError("superjson", text, { path: path.slice(0, 10).join(".") });
}

export default defineCodec<Library>({
  format: "superjson",
  library: "superjson",
  tried: "2.2.6",
  load: () => import("superjson"),
  schemaless: true,
  traits: ["self-describing", "evolves", "one-reader"],
  summary: "stringify and parse, as UTF-8: JSON, and paths to what JSON lacks; bytes are lists of numbers",
  page: () =>
    textPageCode('import * as superjson from "superjson";', "superjson.stringify", "superjson.parse"),
  bind: (dataset, { stringify, parse }) => {
    refuseKeys(dataset, "superjson", ["__proto__", "constructor", "prototype"]);
    return jsonFamily(dataset, { format: "superjson", stringify, parse, check: checkNotes });
  },
});

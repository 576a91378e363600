import type { Dataset } from "../../model/dataset.ts";
import { DecodeError } from "../../model/errors.ts";
import { type Field, messageOf } from "../../model/schema.ts";
import { childPath, isRecord, type RecordValue, show } from "../../model/value.ts";
import { MAX_DEPTH } from "../../schema/values/conform.ts";
import { isTextInteger } from "./integers.ts";

/** Values that references may stand for beyond one for each byte. */
const SHARED_ITEMS = 200_000;

/** A 64-bit integer as text; no more digits than the greatest has, so that reading it costs nothing. */
const DECIMAL = /^(?:0|-?[1-9]\d{0,19})$/;

/**
 * Throws DecodeError unless what was decoded has the shape of the dataset's schema: plain objects for messages and
 * maps, lists, text or safe numbers for integers that are text. References count in full each time, so that what
 * follows every path through the value ends soon; no message may contain itself.
 */
export function checkShape(dataset: Dataset, value: unknown, bytes: number): void {
  new Check(dataset, bytes + SHARED_ITEMS).message(dataset.schema.root, value, "", 1);
}

class Check {
  readonly #dataset: Dataset;
  readonly #items: number;
  readonly #names = new Map<string, ReadonlySet<string>>();
  #count = 0;

  constructor(dataset: Dataset, items: number) {
    this.#dataset = dataset;
    this.#items = items;
  }

  message(name: string, value: unknown, path: string, depth: number): void {
    if (depth > MAX_DEPTH) throw problem(path, `nested deeper than ${MAX_DEPTH} messages`, "limit");
    if (!isPlainObject(value)) throw mismatch(path, `an object (${name})`, value);
    const { fields } = messageOf(this.#dataset.schema, name);
    const names = this.#namesOf(name, fields);
    const unknown = Object.keys(value).find((key) => !names.has(key));
    if (unknown !== undefined) throw problem(childPath(path, unknown), `${name} has no such field`);
    for (const field of fields) {
      const item = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      if (item !== undefined) this.#field(field, item, childPath(path, field.name), depth);
    }
  }

  #namesOf(message: string, fields: readonly Field[]): ReadonlySet<string> {
    const known = this.#names.get(message);
    if (known !== undefined) return known;
    const names = new Set(fields.map(({ name }) => name));
    this.#names.set(message, names);
    return names;
  }

  #field(field: Field, value: unknown, path: string, depth: number): void {
    switch (field.repetition.kind) {
      case "one":
        this.#one(field, value, path, depth);
        break;
      case "list":
        if (!Array.isArray(value)) throw mismatch(path, "a list", value);
        for (let i = 0; i < value.length; i++) this.#one(field, value[i], childPath(path, i), depth);
        break;
      case "map":
        if (!isPlainObject(value)) throw mismatch(path, "an object as a map", value);
        for (const key of Object.keys(value)) this.#one(field, value[key], childPath(path, key), depth);
    }
  }

  #one({ type }: Field, value: unknown, path: string, depth: number): void {
    this.#count += 1;
    if (this.#count > this.#items) throw problem(path, `more than ${this.#items} values`, "limit");
    if (type.kind === "message") this.message(type.name, value, path, depth + 1);
    else if (isTextInteger(type, this.#dataset.int64)) {
      if (!isLong(value)) throw mismatch(path, "decimal text or a safe integer", value);
    } else if (value === null || value === undefined) throw mismatch(path, "a value", value);
  }
}

/** Whether this can be a 64-bit integer: as text, or as the number that a dataset without bigints has written. */
function isLong(value: unknown): boolean {
  return typeof value === "string" ? DECIMAL.test(value) : Number.isSafeInteger(value);
}

function isPlainObject(value: unknown): value is RecordValue {
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function mismatch(path: string, expected: string, value: unknown): DecodeError {
  return problem(path, `expected ${expected}, got ${show(value)}`);
}

function problem(path: string, text: string, code: "corrupt" | "limit" = "corrupt"): DecodeError {
  return new DecodeError("amf3", text, { path, code });
}

import { types } from "node:util";
import { isRecord, show } from "../../model/value.ts";
import { expectLimit } from "../bytes/options.ts";
import { Externalizable, lendOutput } from "./external.ts";
import { AmfOutput, expectAttached, Refusal } from "./output.ts";
import { IdentityTable, TraitsWriter } from "./references.ts";
import {
  EcmaArray,
  MARKER,
  MAX_INTEGER,
  MIN_INTEGER,
  MOST_DEPTH,
  TypedObject,
  Vector,
  WeakDictionary,
  Xml,
} from "./types.ts";

/** What to take from a value. */
export interface EncodeOptions {
  /** Deepest nesting of objects and lists; 100 by default, at most 1,000. */
  readonly depth?: number;
}

/**
 * A value as AMF3. An object that is there twice becomes a reference, and may contain itself. The types are those of
 * `decode`; besides, a bigint that is a safe integer is written as the number.
 *
 * Throws ValueError, with the path, for what AMF3 cannot hold, among it a bigint beyond 2^53, text with a lone
 * surrogate, an empty name, a list with holes and an object of a class that is not known here; and for what cannot be
 * read, with the error of the getter as its cause. Throws UsageError for a depth that makes no sense.
 */
export function encode(value: unknown, options: EncodeOptions = {}): Uint8Array {
  const { depth = 100 } = options;
  expectLimit("depth", depth, MOST_DEPTH);
  const output = new AmfOutput();
  try {
    new Writer(output, depth).value(value, 1);
  } catch (error) {
    output.release();
    throw Refusal.of(error).toValueError();
  }
  return output.finish();
}

/** What names lead to. */
type Members = Readonly<Record<string, unknown>>;

/** Writes values with the tables that references point into. It recurses no deeper than its limit. */
class Writer {
  readonly #output: AmfOutput;
  readonly #objects = new IdentityTable();
  readonly #traits: TraitsWriter;
  readonly #depth: number;

  /** @param depth deepest nesting */
  constructor(output: AmfOutput, depth: number) {
    this.#output = output;
    this.#traits = new TraitsWriter(output);
    this.#depth = depth;
  }

  /** @param depth levels of nesting, that of this value included */
  value(value: unknown, depth: number): void {
    const output = this.#output;
    switch (typeof value) {
      case "string":
        output.byte(MARKER.string);
        output.text(value);
        break;
      case "number":
        this.#number(value);
        break;
      case "object":
        if (value === null) output.byte(MARKER.null);
        else this.#object(value, depth);
        break;
      case "boolean":
        output.byte(value ? MARKER.true : MARKER.false);
        break;
      case "undefined":
        output.byte(MARKER.undefined);
        break;
      case "bigint":
        if (!Number.isSafeInteger(Number(value)))
          throw new Refusal("expected a safe integer, got a bigint beyond 2^53");
        this.#number(Number(value));
        break;
      default:
        throw new Refusal(`expected data, got ${show(value)}`);
    }
  }

  #number(value: number): void {
    const output = this.#output;
    // -0 is no integer: as one it would be 0.
    if ((value | 0) === value && value >= MIN_INTEGER && value <= MAX_INTEGER && !Object.is(value, -0)) {
      output.byte(MARKER.integer);
      output.u29(value);
    } else {
      output.byte(MARKER.double);
      output.double(value);
    }
  }

  #object(object: object, depth: number): void {
    if (Array.isArray(object)) {
      if (this.#isNew(MARKER.array, object)) this.#array(object, depth);
      return;
    }
    const prototype = Object.getPrototypeOf(object);
    if (prototype === Object.prototype || prototype === null) {
      if (this.#isNew(MARKER.object, object)) this.#plain(object as Members, depth);
      return;
    }
    this.#special(object, depth);
  }

  /** An object that is neither a list nor plain. */
  #special(object: object, depth: number): void {
    const output = this.#output;
    if (types.isUint8Array(object)) {
      if (this.#isNew(MARKER.byteArray, object)) writeByteArray(output, object);
    } else if (types.isDate(object)) {
      if (this.#isNew(MARKER.date, object)) writeDate(output, object);
    } else if (object instanceof Xml) {
      if (this.#isNew(object.legacy ? MARKER.xmlDocument : MARKER.xml, object)) output.utf8(object.text);
    } else if (types.isMap(object)) {
      if (this.#isNew(MARKER.dictionary, object)) this.#dictionary(object, depth);
    } else if (object instanceof TypedObject) {
      if (this.#isNew(MARKER.object, object)) this.#typed(object, depth);
    } else if (object instanceof Externalizable) {
      if (this.#isNew(MARKER.object, object)) this.#externalizable(object, depth);
    } else if (object instanceof EcmaArray) {
      if (this.#isNew(MARKER.array, object)) this.#ecmaArray(object, depth);
    } else if (object instanceof Vector) {
      if (this.#isNew(vectorMarkerOf(object), object)) this.#vector(object, depth);
    } else {
      throw notOfAmf3(object);
    }
  }

  /** Writes the marker, and a reference where the object was written before. */
  #isNew(marker: number, object: object): boolean {
    const output = this.#output;
    output.byte(marker);
    const place = this.#objects.placeOf(object);
    if (place < 0) return true;
    output.u29(place << 1);
    return false;
  }

  #enter(depth: number): void {
    if (depth > this.#depth) throw new Refusal(`nested deeper than ${this.#depth} levels`);
  }

  #plain(members: Members, depth: number): void {
    this.#enter(depth);
    this.#traits.anonymous();
    this.#members(members, Object.keys(members), depth);
  }

  #members(members: Members, names: readonly string[], depth: number): void {
    const output = this.#output;
    let i = 0;
    try {
      for (; i < names.length; i++) {
        const name = names[i]!;
        if (name === "") throw new Refusal("an empty name, which AMF3 cannot write");
        output.text(name);
        this.value(members[name], depth + 1);
      }
    } catch (error) {
      throw Refusal.at(names[i]!, error);
    }
    // The empty name ends them.
    output.byte(0x01);
  }

  #array(items: readonly unknown[], depth: number): void {
    this.#enter(depth);
    this.#output.length(items.length, "a list");
    this.#output.byte(0x01);
    this.#items(items, depth);
  }

  #items(items: readonly unknown[], depth: number): void {
    const { length } = items;
    let i = 0;
    try {
      for (; i < length; i++) {
        const item = items[i];
        if (item === undefined && !(i in items)) throw new Refusal("a hole in a list");
        this.value(item, depth + 1);
      }
    } catch (error) {
      throw Refusal.at(i, error);
    }
  }

  #ecmaArray({ items, entries }: EcmaArray, depth: number): void {
    this.#enter(depth);
    if (!Array.isArray(items)) throw Refusal.at("items", new Refusal(`expected a list, got ${show(items)}`));
    if (!isRecord(entries)) {
      throw Refusal.at("entries", new Refusal(`expected an object, got ${show(entries)}`));
    }
    this.#output.length(items.length, "a list");
    below("entries", () => this.#members(entries, Object.keys(entries), depth));
    below("items", () => this.#items(items, depth));
  }

  #vector({ items, fixed, className }: Vector, depth: number): void {
    const output = this.#output;
    if (Array.isArray(items)) this.#enter(depth);
    else expectAttached(items);
    output.length(items.length, "a vector");
    output.byte(fixed ? 1 : 0);
    if (types.isFloat64Array(items)) {
      for (const item of items) output.double(item);
    } else if (Array.isArray(items)) {
      output.text(className);
      below("items", () => this.#items(items, depth));
    } else {
      const view = output.room(4 * items.length);
      // Modulo 2^32, integers with and without a sign have the same bytes.
      for (let i = 0; i < items.length; i++) view.setInt32(4 * i, items[i]!);
    }
  }

  #dictionary(map: ReadonlyMap<unknown, unknown>, depth: number): void {
    this.#enter(depth);
    // What a getter changes while they are written does not change how many there are.
    const entries = [...map];
    const twice = entries.findIndex(([key]) => typeof key === "bigint" && map.has(Number(key)));
    if (twice >= 0) {
      const key = show(entries[twice]![0]);
      throw Refusal.at(twice, new Refusal(`the key ${key} is written as a number, which is a key too`));
    }
    this.#output.length(entries.length, "a dictionary");
    this.#output.byte(map instanceof WeakDictionary ? 1 : 0);
    entries.forEach(([key, value], i) => {
      below(typeof key === "string" ? key : i, () => {
        this.value(key, depth + 1);
        this.value(value, depth + 1);
      });
    });
  }

  #typed({ traits, members }: TypedObject, depth: number): void {
    this.#enter(depth);
    this.#traits.typed(traits);
    below("members", () => {
      for (const name of traits.sealed) {
        below(name, () => {
          if (!Object.hasOwn(members, name)) throw new Refusal("missing, and sealed in its class");
          this.value(members[name], depth + 1);
        });
      }
      const sealed = new Set(traits.sealed);
      const others = Object.keys(members).filter((name) => !sealed.has(name));
      if (traits.dynamic) this.#members(members, others, depth);
      else if (others[0] !== undefined) {
        throw Refusal.at(others[0], new Refusal(`no member of the class ${traits.className}`));
      }
    });
  }

  #externalizable({ className, write }: Externalizable, depth: number): void {
    this.#enter(depth);
    this.#traits.external(className);
    lendOutput(this.#output, (value) => this.value(value, depth + 1), write);
  }
}

/** Writes what is a step below a value. */
function below(step: string | number, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw Refusal.at(step, error);
  }
}

function writeByteArray(output: AmfOutput, bytes: Uint8Array): void {
  expectAttached(bytes);
  output.length(bytes.length, "bytes");
  output.bytes(bytes);
}

function writeDate(output: AmfOutput, date: Date): void {
  const time = Date.prototype.getTime.call(date);
  if (Number.isNaN(time)) throw new Refusal("a Date without a time");
  output.byte(0x01);
  output.double(time);
}

function vectorMarkerOf(vector: Vector): number {
  const { items } = vector;
  if (Array.isArray(items)) return MARKER.vectorObject;
  if (types.isInt32Array(items)) return MARKER.vectorInt;
  if (types.isUint32Array(items)) return MARKER.vectorUint;
  if (types.isFloat64Array(items)) return MARKER.vectorDouble;
  throw notOfAmf3(vector);
}

function notOfAmf3(object: object): Refusal {
  return new Refusal(`expected a plain object or a type of AMF3, got ${show(object)}`);
}

import { DecodeError } from "../../model/errors.ts";
import { setOwn } from "../../model/generated-code.ts";
import { show } from "../../model/value.ts";
import { copyBytes } from "../bytes/copy.ts";
import { KeyChains, TOO_ALIKE } from "../bytes/key-chains.ts";
import { expectLimit } from "../bytes/options.ts";
import { type ExternalReader, lendInput } from "./external.ts";
import { AmfInput } from "./input.ts";
import { ObjectTable, TraitsTable } from "./references.ts";
import {
  EcmaArray,
  MARKER,
  MOST_DEPTH,
  TypedObject,
  Vector,
  type VectorItems,
  WeakDictionary,
  Xml,
} from "./types.ts";

/** What to take from bytes, and how much of it. */
export interface DecodeOptions {
  /** Most bytes; 64 MiB by default. */
  readonly bytes?: number;
  /** Deepest nesting of objects and lists; 100 by default, at most 1,000. */
  readonly depth?: number;
  /** Most values in all, elements of numeric vectors not counted; 1,000,000 by default. */
  readonly items?: number;
  /** What reads objects that write themselves, by class. Without one, such an object is refused by its class's name. */
  readonly external?: ReadonlyMap<string, ExternalReader>;
}

/** Milliseconds from the epoch to the first and last instant of a Date (ECMAScript, "Time Values and Time Range"). */
const MAX_TIME = 8.64e15;

/**
 * The value in bytes of AMF3. What is there twice by reference is one object twice, and an object may contain itself:
 * a program that follows every path through the value should know that.
 *
 * | AMF3 | JavaScript |
 * | --- | --- |
 * | undefined, null, booleans, string | the same |
 * | integer, double | number |
 * | array | array; with named entries EcmaArray |
 * | object without a class, dynamic or sealed | plain object; `__proto__` is a member like others |
 * | object of a class | TypedObject |
 * | object that writes itself | what the reader of its class returns |
 * | date | Date, to the nearest millisecond |
 * | byte array | Uint8Array, a copy |
 * | vector | Vector |
 * | dictionary | Map; with weak keys WeakDictionary |
 * | XML | Xml |
 *
 * JavaScript keeps two things in its own way. An object has names that are indexes, such as `7`, before all others and
 * in rising order, whatever the bytes have; a Map keeps the order of its keys. A key of -0 in a Map is 0.
 *
 * Throws DecodeError with the offset, and nothing else, for bytes that are not one such value and its end, and
 * UsageError for a limit that makes no sense.
 */
export function decode(bytes: Uint8Array, options: DecodeOptions = {}): unknown {
  const { bytes: most = 64 * 2 ** 20, depth = 100, items = 1_000_000, external } = options;
  expectLimit("bytes", most);
  expectLimit("items", items);
  expectLimit("depth", depth, MOST_DEPTH);
  const input = new AmfInput(bytes, most);
  const value = new Reader(input, depth, items, external).value(1);
  input.expectEnd();
  return value;
}

/** Reads values with the tables that references point into. It recurses no deeper than its limit. */
class Reader {
  readonly #input: AmfInput;
  readonly #objects: ObjectTable;
  readonly #traits: TraitsTable;
  readonly #external: ReadonlyMap<string, ExternalReader> | undefined;
  readonly #depth: number;
  readonly #items: number;
  #count = 0;
  #chains: KeyChains | undefined;

  constructor(
    input: AmfInput,
    depth: number,
    items: number,
    external: ReadonlyMap<string, ExternalReader> | undefined,
  ) {
    this.#input = input;
    this.#objects = new ObjectTable(input);
    this.#traits = new TraitsTable(input);
    this.#external = external;
    this.#depth = depth;
    this.#items = items;
  }

  /** @param depth levels of nesting, that of this value included */
  value(depth: number): unknown {
    const input = this.#input;
    const at = input.at;
    const marker = input.byte();
    this.#count += 1;
    if (this.#count > this.#items) input.fail(`more than ${this.#items} values`, { at, code: "limit" });
    switch (marker) {
      case MARKER.undefined:
        return undefined;
      case MARKER.null:
        return null;
      case MARKER.false:
        return false;
      case MARKER.true:
        return true;
      case MARKER.integer:
        return (input.u29() << 3) >> 3;
      case MARKER.double:
        return input.double();
      case MARKER.string:
        return input.text();
      default:
        return this.#object(marker, at, depth);
    }
  }

  /** What references can point to: the lowest bit of what follows the marker says whether this is one. */
  #object(marker: number, at: number, depth: number): unknown {
    const input = this.#input;
    if (marker > MARKER.dictionary) {
      input.fail(`unknown marker 0x${marker.toString(16)}`, { at, code: "unsupported" });
    }
    const head = input.u29();
    if ((head & 1) === 0) return this.#objects.get(head >> 1, marker, at);
    const length = head >> 1;
    if (!isContainer(marker)) return this.#objects.add(marker, readLeaf(input, marker, length));
    if (depth > this.#depth) input.fail(`nested deeper than ${this.#depth} levels`, { at, code: "limit" });
    switch (marker) {
      case MARKER.object:
        return this.#instance(head, at, depth);
      case MARKER.array:
        return this.#array(length, depth);
      case MARKER.dictionary:
        return this.#dictionary(length, depth);
      default:
        return this.#vector(length, depth);
    }
  }

  #array(length: number, depth: number): unknown {
    const input = this.#input;
    const items: unknown[] = [];
    const name = input.name();
    const array = this.#objects.add(MARKER.array, name === "" ? items : new EcmaArray(items));
    if (array instanceof EcmaArray) this.#members(array.entries, name, depth);
    input.expectCount(length, 1);
    for (let i = 0; i < length; i++) items.push(this.value(depth + 1));
    return array;
  }

  #dictionary(length: number, depth: number): unknown {
    const input = this.#input;
    const isWeak = input.flag("the flag for weak keys");
    input.expectCount(length, 2);
    const map = this.#objects.add(MARKER.dictionary, isWeak ? new WeakDictionary() : new Map());
    for (let i = 0; i < length; i++) {
      const at = input.at;
      const key = this.value(depth + 1);
      if (map.has(key)) input.fail(`the key ${show(key)} stands twice`, { at });
      this.#chains ??= new KeyChains();
      this.#chains.count(map, key);
      if (this.#chains.exceed(input.at)) input.fail(TOO_ALIKE, { at, code: "limit" });
      map.set(key, this.value(depth + 1));
    }
    return map;
  }

  #vector(length: number, depth: number): unknown {
    const input = this.#input;
    const fixed = input.flag("the flag for a fixed length");
    const className = input.text();
    input.expectCount(length, 1);
    const vector = this.#objects.add(MARKER.vectorObject, new Vector<unknown[]>([], { fixed, className }));
    for (let i = 0; i < length; i++) vector.items.push(this.value(depth + 1));
    return vector;
  }

  #instance(head: number, at: number, depth: number): unknown {
    const input = this.#input;
    const { traits, isExternal } = this.#traits.of(head, at);
    if (isExternal) return this.#externalizable(traits.className, at, depth);
    const members: Record<string, unknown> = {};
    const object = traits.className === "" ? members : new TypedObject(traits, members);
    this.#objects.add(MARKER.object, object);
    for (const name of traits.sealed) setOwn(members, name, this.value(depth + 1));
    if (traits.dynamic) this.#members(members, input.name(), depth);
    return object;
  }

  /** Values and names until the empty name. @param name the first one */
  #members(members: Record<string, unknown>, name: string, depth: number): void {
    const input = this.#input;
    while (name !== "") {
      if (Object.hasOwn(members, name)) input.fail(`the name ${show(name)} stands twice`);
      setOwn(members, name, this.value(depth + 1));
      name = input.name();
    }
  }

  #externalizable(className: string, at: number, depth: number): unknown {
    const input = this.#input;
    const read = this.#external?.get(className);
    if (read === undefined) {
      return input.fail(
        `objects of class ${show(className)} write themselves, and nothing is given to read them`,
        {
          at,
          code: "unsupported",
        },
      );
    }
    const finish = this.#objects.reserve(MARKER.object);
    try {
      return finish(lendInput(input, () => this.value(depth + 1), read));
    } catch (error) {
      if (error instanceof DecodeError) throw error;
      return input.fail(`the reader of class ${show(className)} failed`, { at, cause: error });
    }
  }
}

/** Whether values can be in what has this marker. */
function isContainer(marker: number): boolean {
  return marker === MARKER.array || marker === MARKER.object || marker >= MARKER.vectorObject;
}

/** Reads an object that holds no others, after its marker and its length, in bytes or in numbers. */
function readLeaf(input: AmfInput, marker: number, length: number): unknown {
  switch (marker) {
    case MARKER.date:
      return readDate(input);
    case MARKER.byteArray: {
      const start = input.at;
      input.at += input.expectCount(length, 1);
      return copyBytes(input.bytes, start, input.at);
    }
    case MARKER.xml:
    case MARKER.xmlDocument:
      return new Xml(input.utf8(length), { legacy: marker === MARKER.xmlDocument });
    default: {
      const fixed = input.flag("the flag for a fixed length");
      return new Vector(readNumbers(input, marker, length), { fixed });
    }
  }
}

function readDate(input: AmfInput): Date {
  const at = input.at;
  const time = Math.round(input.double());
  if (!(Math.abs(time) <= MAX_TIME)) input.fail(`${time} ms from the epoch is no date`, { at });
  return new Date(time);
}

function readNumbers(input: AmfInput, marker: number, length: number): VectorItems {
  const { view, at } = input;
  if (marker === MARKER.vectorDouble) {
    input.at += 8 * input.expectCount(length, 8);
    return Float64Array.from({ length }, (_, i) => view.getFloat64(at + 8 * i));
  }
  input.at += 4 * input.expectCount(length, 4);
  return marker === MARKER.vectorInt
    ? Int32Array.from({ length }, (_, i) => view.getInt32(at + 4 * i))
    : Uint32Array.from({ length }, (_, i) => view.getUint32(at + 4 * i));
}

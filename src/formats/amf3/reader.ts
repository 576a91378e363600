import { DecodeError } from "../../model/errors.ts";
import { setOwn } from "../../model/generated-code.ts";
import { show } from "../../model/value.ts";
import { WeakDictionary } from "./dictionary.ts";
import { EcmaArray } from "./ecma-array.ts";
import type { ExternalReader } from "./external.ts";
import type { AmfInput } from "./input.ts";
import { MARKER } from "./markers.ts";
import { ObjectTable } from "./object-table.ts";
import type { ReadRules } from "./options.ts";
import { lendInput } from "./read-external.ts";
import { readLeaf } from "./read-leaf.ts";
import { TraitsTable } from "./traits-table.ts";
import { TypedObject } from "./typed-object.ts";
import { Vector } from "./vector.ts";

/** What names lead to. */
type Members = Record<string, unknown>;

/** Reads values with the tables that references point into. It recurses no deeper than its limit. */
export class Reader {
  readonly #input: AmfInput;
  readonly #objects: ObjectTable;
  readonly #traits: TraitsTable;
  readonly #external: ReadonlyMap<string, ExternalReader> | undefined;
  readonly #depth: number;
  readonly #items: number;
  #count = 0;

  constructor(input: AmfInput, rules: ReadRules) {
    this.#input = input;
    this.#objects = new ObjectTable(input);
    this.#traits = new TraitsTable(input);
    this.#external = rules.external;
    this.#depth = rules.depth;
    this.#items = rules.items;
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
    const members: Members = {};
    const object = traits.className === "" ? members : new TypedObject(traits, members);
    this.#objects.add(MARKER.object, object);
    for (const name of traits.sealed) setOwn(members, name, this.value(depth + 1));
    if (traits.dynamic) this.#members(members, input.name(), depth);
    return object;
  }

  /** Values and names until the empty name. @param name the first one */
  #members(members: Members, name: string, depth: number): void {
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

/**
 * AMF3 values as JSON that Python writes too (py3amf.py). An object has no number of its own: a reference counts
 * objects in the order in which they are met.
 */
import {
  EcmaArray,
  Traits,
  TypedObject,
  Vector,
  WeakDictionary,
  Xml,
} from "../../../src/formats/amf3/index.ts";
import { setOwn } from "../../../src/model/generated-code.ts";

export type Notation = null | boolean | number | string | readonly Notation[];

/** Classes that both sides know. */
export const POINT = new Traits("test.Point", ["x", "y"]);
export const BAG = new Traits("test.Bag", ["name"], { dynamic: true });

/** What a value is, with what is shared in it. */
export function notationOf(value: unknown, places = new Map<unknown, number>()): Notation {
  if (value === undefined) return ["undefined"];
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return numberNotation(value);
  const known = places.get(value);
  if (known !== undefined) return ["ref", known];
  places.set(value, places.size);
  const one = (item: unknown): Notation => notationOf(item, places);
  const named = (members: object): Notation => Object.entries(members).map(([key, item]) => [key, one(item)]);
  if (Array.isArray(value)) return ["list", value.map(one)];
  if (value instanceof Uint8Array) return ["bytes", Buffer.from(value).toString("hex")];
  if (value instanceof Date) return ["date", value.getTime()];
  if (value instanceof EcmaArray) return ["ecma", named(value.entries), value.items.map(one)];
  if (value instanceof Xml) return ["xml", value.legacy, value.text];
  if (value instanceof Vector) {
    const { items, fixed, className } = value;
    return ["vector", items.constructor.name, fixed, className, [...items].map(one)];
  }
  if (value instanceof Map) {
    const weak = value instanceof WeakDictionary;
    return ["dictionary", weak, [...value].map(([key, item]) => [one(key), one(item)])];
  }
  if (value instanceof TypedObject) return ["typed", value.traits.className, named(value.members)];
  return ["object", named(value as object)];
}

function numberNotation(value: number): Notation {
  if (Number.isInteger(value) && Math.abs(value + 0.5) < 2 ** 28 && !Object.is(value, -0)) {
    return ["integer", value];
  }
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return ["double", Number.isNaN(value) ? "nan" : bytes.toString("hex")];
}

/** The value of a notation. */
export function fromNotation(notation: Notation, objects: unknown[] = []): unknown {
  if (typeof notation !== "object" || notation === null) return notation;
  const [kind, ...rest] = notation as readonly [string, ...Notation[]];
  const add = <T>(object: T): T => {
    objects.push(object);
    return object;
  };
  const fill = (members: Record<string, unknown>, named: Notation | undefined): void => {
    for (const [key, item] of named as readonly [string, Notation][])
      setOwn(members, key, fromNotation(item, objects));
  };
  const push = (items: unknown[], from: Notation | undefined): void => {
    for (const item of from as readonly Notation[]) items.push(fromNotation(item, objects));
  };
  switch (kind) {
    case "undefined":
      return undefined;
    case "integer":
      return rest[0];
    case "double":
      return rest[0] === "nan" ? Number.NaN : Buffer.from(rest[0] as string, "hex").readDoubleBE();
    case "ref":
      return objects[rest[0] as number];
    case "bytes":
      return add(new Uint8Array(Buffer.from(rest[0] as string, "hex")));
    case "date":
      return add(new Date(rest[0] as number));
    case "xml":
      return add(new Xml(rest[1] as string, { legacy: rest[0] as boolean }));
    case "list": {
      const list = add<unknown[]>([]);
      push(list, rest[0]);
      return list;
    }
    case "object": {
      const object = add<Record<string, unknown>>({});
      fill(object, rest[0]);
      return object;
    }
    case "ecma": {
      const array = add(new EcmaArray());
      fill(array.entries, rest[0]);
      push(array.items, rest[1]);
      return array;
    }
    case "typed": {
      const traits = [POINT, BAG].find(({ className }) => className === rest[0]) as Traits;
      const object = add(new TypedObject(traits));
      fill(object.members, rest[1]);
      return object;
    }
    case "dictionary": {
      const map = add(rest[0] === true ? new WeakDictionary() : new Map<unknown, unknown>());
      for (const [key, item] of rest[1] as readonly [Notation, Notation][]) {
        const name = fromNotation(key, objects);
        map.set(name, fromNotation(item, objects));
      }
      return map;
    }
    case "vector": {
      const [name, fixed, className, items] = rest as [string, boolean, string, Notation];
      const options = { fixed, className };
      const vector = name === "Array" ? add(new Vector<unknown[]>([], options)) : undefined;
      if (vector !== undefined) {
        push(vector.items, items);
        return vector;
      }
      const numbers = (items as readonly Notation[]).map((item) => fromNotation(item) as number);
      const make = { Int32Array, Uint32Array, Float64Array }[name] ?? Float64Array;
      return add(new Vector(make.from(numbers), options));
    }
    default:
      throw new Error(`no such kind: ${kind}`);
  }
}

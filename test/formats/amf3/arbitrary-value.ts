import fc from "fast-check";
import { EcmaArray, TypedObject, Vector, WeakDictionary, Xml } from "../../../src/formats/amf3/index.ts";
import { setOwn } from "../../../src/model/generated-code.ts";
import { BAG, POINT } from "./notation.ts";

/** Makes a value out of parts, and knows every object that was made before it, so that it can be one again. */
type Make = (objects: unknown[]) => unknown;

const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(0, -0, 1, 127, 128, 16383, 16384, 2097151, 2097152, 2 ** 28 - 1, 2 ** 28),
  fc.constantFrom(-1, -(2 ** 28), -(2 ** 28) - 1, 2 ** 53, Number.NaN, Number.NEGATIVE_INFINITY),
);
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("", "a", "name", "小明的花园", "\u{1f600}", "a\u0000b", "\ufeffa", "x".repeat(64)),
);
const name = fc.oneof(
  fc.string({ unit: "binary", minLength: 1, maxLength: 6 }),
  fc.constantFrom("a", "id", "玫瑰", "1", "10,5", "__proto__", "constructor", "toJSON", "length"),
);
const simple: fc.Arbitrary<unknown> = fc.oneof(number, text, fc.boolean(), fc.constantFrom(null, undefined));

/** Bytes that Py3AMF does not take for a stream of zlib. */
const bytes = fc.uint8Array({ maxLength: 8 }).filter(([first]) => first !== 0x78);

/** Dates that a number of seconds holds exactly, which is what Py3AMF makes of them. */
const date = fc.integer({ min: 0, max: 4 * 4_102_444_800 }).map((quarters) => new Date(250 * quarters));

/** A value of everything that Py3AMF writes, and reads as it was. */
export function sharedTypes(): fc.Arbitrary<unknown> {
  return values([]);
}

/** A value of every type of AMF3 that needs no reader. */
export function allTypes(): fc.Arbitrary<unknown> {
  const xml = fc.tuple(text, fc.boolean()).map(([content, legacy]) => new Xml(content, { legacy }));
  const fixed = fc.boolean();
  const int = fc.tuple(fc.array(fc.integer()), fixed).map(([items, isFixed]) => {
    return new Vector(Int32Array.from(items), { fixed: isFixed });
  });
  const uint = fc.array(fc.nat(2 ** 32 - 1)).map((items) => new Vector(Uint32Array.from(items)));
  const double = fc.array(fc.double()).map((items) => new Vector(Float64Array.from(items)));
  return values([xml, int, uint, double]);
}

/** @param leaves arbitrary objects that hold no others, beside bytes and dates; with them, every container too */
function values(leaves: readonly fc.Arbitrary<object>[]): fc.Arbitrary<unknown> {
  const { value } = fc.letrec<{ value: Make }>((tie) => {
    const items = fc.array(tie("value"), { maxLength: 4 });
    const named = fc.uniqueArray(fc.tuple(name, tie("value")), { maxLength: 4, selector: ([key]) => key });
    const containers: fc.Arbitrary<Make>[] = [
      items.map((parts) =>
        container(
          () => [],
          (list, made) => push(list, parts, made),
        ),
      ),
      named.map((parts) =>
        container(
          () => ({}),
          (object, made) => fill(object, parts, made),
        ),
      ),
      fc
        .tuple(items, named)
        .filter(([, entries]) => entries.length > 0)
        .map(([parts, entries]) =>
          container(
            () => new EcmaArray(),
            (array, made) => {
              fill(array.entries, entries, made);
              push(array.items, parts, made);
            },
          ),
        ),
      fc.tuple(tie("value"), tie("value")).map(([x, y]) =>
        container(
          () => new TypedObject(POINT),
          ({ members }, made) =>
            fill(
              members,
              [
                ["x", x],
                ["y", y],
              ],
              made,
            ),
        ),
      ),
      fc.tuple(tie("value"), fc.constantFrom("z", "note", "名")).map(([one, key]) =>
        container(
          () => new TypedObject(BAG),
          ({ members }, made) =>
            fill(
              members,
              [
                ["name", one],
                [key, one],
              ],
              made,
            ),
        ),
      ),
    ];
    if (leaves.length > 0) {
      containers.push(
        fc.tuple(items, fc.boolean()).map(([parts, isWeak]) =>
          container(
            () => (isWeak ? new WeakDictionary() : new Map<unknown, unknown>()),
            (map, made) => {
              for (const part of parts) map.set(part(made), part(made));
            },
          ),
        ),
        fc.tuple(items, fc.boolean(), text).map(([parts, fixed, className]) =>
          container(
            () => new Vector<unknown[]>([], { fixed, className }),
            (vector, made) => push(vector.items, parts, made),
          ),
        ),
      );
    }
    const leaf = fc.oneof(bytes, date, ...leaves).map((object) => container(() => copyOf(object)));
    const again = fc.nat().map(
      (n): Make =>
        (made) =>
          made.length === 0 ? null : made[n % made.length],
    );
    return {
      value: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        {
          weight: 4,
          arbitrary: simple.map(
            (one): Make =>
              () =>
                one,
          ),
        },
        { weight: 1, arbitrary: leaf },
        { weight: 1, arbitrary: again },
        ...containers.map((arbitrary) => ({ weight: 1, arbitrary })),
      ),
    };
  });
  const root = fc.array(value, { minLength: 1, maxLength: 2 });
  return root.map((parts) => {
    const list: unknown[] = [];
    push(list, parts, [list]);
    return list;
  });
}

/** One object, which is known before what is in it is made, so that it can be in itself. */
function container<T extends object>(
  create: () => T,
  complete: (object: T, made: unknown[]) => void = () => {},
): Make {
  return (made) => {
    const object = create();
    made.push(object);
    complete(object, made);
    return object;
  };
}

/** A leaf of its own each time: what is arbitrary may be used twice. */
function copyOf(object: object): object {
  if (object instanceof Uint8Array) return new Uint8Array(object);
  return object instanceof Date
    ? new Date(object)
    : Object.assign(Object.create(Object.getPrototypeOf(object)), object);
}

function push(list: unknown[], parts: readonly Make[], made: unknown[]): void {
  for (const part of parts) list.push(part(made));
}

function fill(
  members: Record<string, unknown>,
  parts: readonly (readonly [string, Make])[],
  made: unknown[],
): void {
  for (const [key, part] of parts) setOwn(members, key, part(made));
}

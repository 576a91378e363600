/** The rows of the table of fidelity: values at the edge of a user's schema, and what programs have that a schema lacks. */
import type { Dataset } from "../model/dataset.ts";
import {
  type Field,
  hasPresence,
  type Int64Mode,
  integerOf,
  type Scalar,
  type Schema,
} from "../model/schema.ts";
import type { Value } from "../model/value.ts";
import { field, optional, schemaOf } from "../schema/declare.ts";
import { ABSENT, type Place, placeIn } from "./places.ts";

/** A value that is given to a codec in one place of the first value of the user's data. */
export interface Probe {
  readonly name: string;
  readonly place: Place;
  /** Makes the value, anew for each codec. */
  given(): unknown;
  /** How 64-bit integers are held in this row, where that matters. */
  readonly int64?: Int64Mode;
  /** Set for what only codecs without a schema are asked: JavaScript's own types, in {@link PLAIN}. */
  readonly isForeign?: boolean;
  /** What else must hold of what came back, as a sentence where it does not. */
  fault?(got: unknown): string | undefined;
}

/** Probes of a dataset: those whose type its schema has, in a place that its first value has. */
export function fidelityProbes({
  schema,
  values,
  int64,
}: Pick<Dataset, "schema" | "values" | "int64">): readonly Probe[] {
  const [value] = values;
  if (value === undefined) return [];
  return [
    ...floats(schema, value),
    ...integers(schema, value, int64),
    ...texts(schema, value),
    ...presences(schema, value, int64),
    ...enums(schema, value),
    ...collections(schema, value),
    ...foreign(),
  ];
}

const isScalar =
  (...scalars: readonly Scalar[]) =>
  ({ type }: Field): boolean =>
    type.kind === "scalar" && scalars.includes(type.scalar);

function probes(
  place: Place | undefined,
  group: string,
  given: Readonly<Record<string, () => unknown>>,
  rest: Partial<Probe> = {},
): Probe[] {
  if (place === undefined) return [];
  return Object.entries(given).map(([name, make]) => ({
    name: `${group}: ${name}`,
    place,
    given: make,
    ...rest,
  }));
}

function floats(schema: Schema, value: Value): Probe[] {
  return (["double", "float"] as const).flatMap((scalar) => {
    const [least, most] =
      scalar === "double" ? [5e-324, Number.MAX_VALUE] : [2 ** -149, 3.4028234663852886e38];
    return probes(placeIn(schema, value, isScalar(scalar)), scalar, {
      "-0": () => -0,
      NaN: () => Number.NaN,
      Infinity: () => Number.POSITIVE_INFINITY,
      "-Infinity": () => Number.NEGATIVE_INFINITY,
      least: () => least,
      most: () => most,
      "0.1": () => 0.1,
    });
  });
}

function integers(schema: Schema, value: Value, int64: Int64Mode): Probe[] {
  const scalars = [
    "int8",
    "uint8",
    "int16",
    "uint16",
    "int32",
    "uint32",
    "sint32",
    "fixed32",
    "sfixed32",
  ] as const;
  const small = scalars.flatMap((scalar) => {
    const { bits, signed } = integerOf(scalar)!;
    const most = 2 ** (signed ? bits - 1 : bits) - 1;
    return probes(placeIn(schema, value, isScalar(scalar)), scalar, {
      least: () => (signed ? -most - 1 : 0),
      most: () => most,
    });
  });
  const long = (["int64", "uint64", "sint64", "fixed64", "sfixed64"] as const).flatMap((scalar) => {
    const { signed } = integerOf(scalar)!;
    const place = placeIn(schema, value, isScalar(scalar));
    return [
      ...probes(place, scalar, { "2^53 - 1": () => (int64 === "number" ? 2 ** 53 - 1 : 2n ** 53n - 1n) }),
      ...probes(
        place,
        scalar,
        {
          "2^53 + 1": () => 2n ** 53n + 1n,
          least: () => (signed ? -(2n ** 63n) : 0n),
          most: () => (signed ? 2n ** 63n - 1n : 2n ** 64n - 1n),
        },
        { int64: "bigint" },
      ),
    ];
  });
  return [...small, ...long];
}

function texts(schema: Schema, value: Value): Probe[] {
  const text = probes(placeIn(schema, value, isScalar("string")), "string", {
    empty: () => "",
    NUL: () => "a\0b",
    "NUL at the end": () => "a\0",
    "4-byte UTF-8": () => "\u{1f600}",
    "not normalised": () => "e\u0301",
    "byte order mark": () => "\ufeffa",
    "lone surrogate": () => "a\ud800b",
    "text __proto__": () => "__proto__",
  });
  const bytes = probes(placeIn(schema, value, isScalar("bytes")), "bytes", {
    empty: () => new Uint8Array(0),
    "not UTF-8": () => Uint8Array.of(0, 255, 128, 0),
  });
  return [...text, ...bytes];
}

/** Absent, and zero or empty where a reader can tell them apart. */
function presences(schema: Schema, value: Value, int64: Int64Mode): Probe[] {
  const place = placeIn(schema, value, (field) => hasPresence(field) && field.type.kind === "scalar");
  if (place?.field.type.kind !== "scalar") return [];
  const { scalar } = place.field.type;
  const absent = probes(place, "optional", { absent: () => ABSENT });
  if (scalar === "bool") return [...absent, ...probes(place, "optional", { false: () => false })];
  if (scalar === "string") return [...absent, ...probes(place, "optional", { empty: () => "" })];
  if (scalar === "bytes") return absent;
  const isLong = integerOf(scalar)?.bits === 64;
  const zero = (): unknown => (isLong && int64 === "bigint" ? 0n : 0);
  return [...absent, ...probes(place, "optional", { zero })];
}

function enums(schema: Schema, value: Value): Probe[] {
  const place = placeIn(schema, value, ({ type }) => type.kind === "enum");
  const type = place?.field.type.kind === "enum" ? schema.enums.get(place.field.type.name) : undefined;
  if (type === undefined) return [];
  const known = new Set(type.values.map(({ number }) => number));
  const most = 2 ** (type.bits - (type.unsigned === true ? 0 : 1)) - 1;
  const unknown = [...Array(known.size + 1).keys()].find((number) => !known.has(number) && number <= most);
  if (unknown === undefined) return [];
  return probes(place, "enum", { "unknown number": () => unknown });
}

function collections(schema: Schema, value: Value): Probe[] {
  const isList = ({ repetition }: Field): boolean =>
    repetition.kind === "list" && repetition.length === undefined;
  const list = placeIn(schema, value, isList, "field");
  const isMap = ({ repetition, type }: Field): boolean =>
    repetition.kind === "map" && repetition.key === "string" && isScalar("string")({ type } as Field);
  const map = placeIn(schema, value, isMap, "field");
  return [
    ...probes(list, "list", { empty: () => [] }),
    ...probes(map, "map", {
      empty: () => ({}),
      "key __proto__": () =>
        Object.fromEntries([
          ["__proto__", "a"],
          ["b", "c"],
        ]),
      "key constructor": () => ({ constructor: "a" }),
      "empty key": () => ({ "": "a" }),
      "keys like numbers": () => ({ "2": "b", "10": "a", "-1": "c" }),
    }),
  ];
}

class Point {
  readonly x = 1;
}

const text = field(1, "text", "string", optional);

/**
 * What JavaScript's own types are given in: a schema with nothing that an adapter would have to map, so that the cell is the
 * library's. It has a double, for which adapters keep all bits of numbers.
 */
export const PLAIN: Dataset = {
  name: "plain",
  schema: schemaOf(
    "facts",
    [{ name: "facts.Plain", fields: [text, field(2, "number", "double", optional)] }],
    [],
  ),
  values: [{ text: "a", number: 0.1 }],
  int64: "number",
};

/** JavaScript's own types in place of a text. */
function foreign(): Probe[] {
  const place: Place = { steps: [text.name], field: text, message: PLAIN.schema.root };
  const rest = { isForeign: true };
  return [
    ...probes(
      place,
      "value",
      {
        undefined: () => undefined,
        null: () => null,
        "-0": () => -0,
        NaN: () => Number.NaN,
        BigInt: () => 2n ** 70n,
        Date: () => new Date(86_400_000.0),
        "Date, invalid": () => new Date(Number.NaN),
        RegExp: () => /a/g,
        Map: () => new Map([["a", 1]]),
        "Map with keys that are no text": () =>
          new Map<unknown, unknown>([
            [1, 2],
            [true, 3],
          ]),
        Set: () => new Set([1, 2]),
        Uint8Array: () => Uint8Array.of(1, 2),
        Buffer: () => Buffer.of(1, 2),
        ArrayBuffer: () => Uint8Array.of(1, 2).buffer,
        Float64Array: () => Float64Array.of(1.5, -0),
        // biome-ignore lint/suspicious/noSparseArray: it is what is asked about
        "sparse array": () => [1, , 3],
        "undefined in an array": () => [1, undefined, 3],
        "instance of a class": () => new Point(),
        "object without a prototype": () => Object.assign(Object.create(null), { a: 1 }),
        "key __proto__": () =>
          Object.fromEntries([
            ["__proto__", 1],
            ["a", 2],
          ]),
        "keys like numbers": () => ({ "2": 1, "10": 2, "-1": 3 }),
        "symbol as a key": () => ({ [Symbol.for("a")]: 1, b: 2 }),
        function: () => () => 1,
        symbol: () => Symbol.for("a"),
      },
      rest,
    ),
    ...probes(place, "value", { "order of keys": () => ({ b: 1, a: 2 }) }, { ...rest, fault: otherOrder }),
    ...probes(place, "value", { "shared reference": shared }, { ...rest, fault: copies }),
    ...probes(place, "value", { cycle }, { ...rest, fault: noCycle }),
  ];
}

function shared(): unknown {
  const one = { x: 1 };
  return { a: one, b: one };
}

function cycle(): unknown {
  const one: Record<string, unknown> = { x: 1 };
  one["self"] = one;
  return one;
}

type Held = Record<string, unknown>;

function otherOrder(got: unknown): string | undefined {
  const keys = Object.keys(got as Held).join(", ");
  return keys === "b, a" ? undefined : `keys ${keys}`;
}

function copies(got: unknown): string | undefined {
  const { a, b } = got as Held;
  return a === b ? undefined : "two copies";
}

function noCycle(got: unknown): string | undefined {
  return (got as Held)["self"] === got ? undefined : "no cycle";
}

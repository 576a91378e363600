/** Random schemas in FlatBuffers' and Cap'n Proto's own languages, and values of them for their own tools. */
import { type Field, integerOf, messageOf, type Schema, VOID } from "../../src/model/schema.ts";
import { isRecord, type RecordValue, type Value } from "../../src/model/value.ts";

/** Numbers from 0 to 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

class Choice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = randomOf(seed);
  }

  below(count: number): number {
    return Math.floor(this.#random() * count);
  }

  of<T>(...choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  /** In one of so many cases. */
  once(cases: number): boolean {
    return this.below(cases) === 0;
  }
}

const FBS_INTEGERS = ["byte", "ubyte", "short", "ushort", "int", "uint", "long", "ulong"];

/** A .fbs file with the root T0, whose tables have everything that is read. */
export function randomFbs(seed: number): string {
  const choice = new Choice(seed);
  const scalar = (): string => choice.of("bool", "float", "double", ...FBS_INTEGERS);
  const struct = (index: number): string => {
    const fields = Array.from({ length: 1 + choice.below(5) }, (_, i) => {
      const one =
        choice.once(4) && index > 0 ? `S${choice.below(index)}` : choice.of(scalar(), scalar(), "E", "Flags");
      return `  a${i}:${choice.once(4) ? `[${one}:${1 + choice.below(3)}]` : one};`;
    });
    const align = choice.once(4) ? " (force_align: 16)" : "";
    return `struct S${index}${align} {\n${fields.join("\n")}\n}`;
  };
  const table = (index: number): string => {
    let id = 0;
    const fields = Array.from({ length: 1 + choice.below(9) }, (_, i) => {
      const [type, suffix] = choice.of<() => readonly [string, string[]]>(
        () => [scalar(), []],
        () => [choice.of(...FBS_INTEGERS), [choice.of("= 7", "= 100", "= null")]],
        () => [choice.of("float", "double"), [choice.of("= -1.25", "= null", "= 3")]],
        () => ["bool", [choice.of("= true", "= null", "= false")]],
        () => ["E", [choice.of("= B", "", "= null")]],
        () => [choice.of("Flags", "Wide"), []],
        () => ["string", choice.once(3) ? ["required"] : []],
        () => [
          `[${choice.of(scalar(), "E", "string", "S0", "S2", "T1", "T3")}]`,
          choice.once(4) ? ["required"] : [],
        ],
        () => ["[ubyte]", []],
        () => [choice.of("S0", "S1", "S2"), []],
        () => [choice.of("T1", "T2", "T3"), []],
        () => ["U", []],
      )();
      const attributes: string[] = suffix.filter((one) => one === "required");
      id += type === "U" ? 2 : 1;
      attributes.push(`id: ${id - 1}`);
      return `  f${i}:${type} ${suffix.find((one) => one.startsWith("=")) ?? ""} (${attributes.join(", ")});`;
    });
    // The order of the text is not that of the ids.
    return `table T${index} {\n${fields.reverse().join("\n")}\n}`;
  };
  return `// Made at random.
namespace test.deep;
enum E : byte { A = -2, Z = 0, B = 5 }
enum Flags : ubyte (bit_flags) { R, G, X = 6 }
enum Wide : ushort { ZERO, MOST = 65535 }
${[0, 1, 2].map(struct).join("\n")}
union U { T1, Other: T2, test.deep.T3 }
${[0, 1, 2, 3].map(table).join("\n")}
root_type T0;
${choice.once(2) ? 'file_identifier "RAND";' : ""}
`;
}

const CAPNP_SCALARS = [
  ...["Bool", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float32", "Float64"],
];
const CAPNP_DEFAULTS: Readonly<Record<string, string>> = {
  ...{ Bool: "true", Int8: "-3", Int16: "-300", Int32: "-70000", Int64: "-5000000000", UInt8: "200" },
  ...{
    UInt16: "65535",
    UInt32: "4000000000",
    UInt64: "0xffffffffffffffff",
    Float32: "-1.5",
    Float64: "0.25",
  },
};

/** A .capnp file with the root T0, with groups and unions in each other. */
export function randomCapnp(seed: number): string {
  const choice = new Choice(seed);
  const struct = (index: number): string => {
    let ordinal = 0;
    const slots: string[] = [];
    const type = (): string => {
      const scalar = choice.of(...CAPNP_SCALARS);
      const element = choice.of(...CAPNP_SCALARS, "Text", "Data", "E", "T1", "T2");
      return choice.of(
        scalar,
        scalar,
        scalar,
        "Text",
        "Data",
        "E",
        "T1",
        "T2",
        "Void",
        `List(${element})`,
        `List(List(${element}))`,
      );
    };
    const field = (): string => {
      const own = type();
      const initial = CAPNP_DEFAULTS[own] ?? (own === "E" ? "two" : undefined);
      slots.push("");
      return `f${slots.length} @# :${own}${initial !== undefined && choice.once(3) ? ` = ${initial}` : ""};`;
    };
    let names = 0;
    const members = (depth: number, inUnion: boolean): string => {
      const count = (inUnion ? 2 : 1) + choice.below(4);
      let hasUnion = inUnion;
      const lines = Array.from({ length: count }, () => {
        const kind = depth > 2 ? "field" : choice.of("field", "field", "field", "group", "named", "union");
        if (kind === "group") return `g${names++} :group { ${members(depth + 1, false)} }`;
        if (kind === "named") return `u${names++} :union { ${members(depth + 1, true)} }`;
        if (kind === "union" && !hasUnion) {
          hasUnion = true;
          return `union { ${members(depth + 1, true)} }`;
        }
        return field();
      });
      // So that a value may end here.
      if (inUnion) {
        slots.push("");
        lines.push(`f${slots.length} @# :UInt16;`);
      }
      return lines.join(" ");
    };
    const text = members(0, false);
    // Ordinals in any order.
    const order = slots
      .map((_, i) => i)
      .sort((a, b) => randomOf(seed + 31 * a)() - randomOf(seed + 31 * b)());
    return `struct T${index} { ${text.replace(/@#/g, () => `@${order[ordinal++]}`)} }`;
  };
  return `@0xbf5147cbbecf40c1;
# Made at random: "no text".
enum E { one @0; three @2; two @1; }
${[0, 1, 2].map(struct).join("\n")}
`;
}

/** A value of a schema's root as a codec takes it, in canonical form but for the order of fields. */
export function randomValue(schema: Schema, seed: number): RecordValue {
  return new ValueMaker(schema, new Choice(seed)).message(schema.root, 4);
}

class ValueMaker {
  readonly #schema: Schema;
  readonly #choice: Choice;

  constructor(schema: Schema, choice: Choice) {
    this.#schema = schema;
    this.#choice = choice;
  }

  message(name: string, depth: number): RecordValue {
    const value: Record<string, Value> = {};
    const { fields } = messageOf(this.#schema, name);
    const unions = new Map<string, Field | undefined>();
    for (const field of fields) {
      const { oneof, repetition, type } = field;
      if (oneof !== undefined && !unions.has(oneof)) {
        const members = fields.filter((one) => one.oneof === oneof && (depth > 0 || isLeaf(one)));
        const none = this.#schema.language === "flatbuffers" && this.#choice.once(4);
        unions.set(oneof, none ? undefined : members[this.#choice.below(members.length)]);
      }
      const isDeep =
        depth <= 0 && type.kind === "message" && messageOf(this.#schema, type.name).form === undefined;
      if (repetition.kind === "list") {
        const count = repetition.length ?? (isDeep ? 0 : this.#choice.below(4));
        value[field.name] = Array.from({ length: count }, () => this.#one(field, depth));
      } else if (oneof !== undefined) {
        if (unions.get(oneof) === field) value[field.name] = this.#one(field, depth);
      } else if (repetition.kind === "one") {
        const absent = repetition.presence === "optional" && (isDeep || this.#choice.once(3));
        if (!absent) value[field.name] = this.#one(field, depth);
      }
    }
    return value;
  }

  #one({ type, default: declared }: Field, depth: number): Value {
    const choice = this.#choice;
    if (declared !== undefined && typeof declared !== "string" && choice.once(4)) {
      const is64 = type.kind === "scalar" && integerOf(type.scalar)?.bits === 64;
      return is64 ? BigInt(declared as number) : declared;
    }
    if (type.kind === "message") return this.message(type.name, depth - 1);
    if (type.kind === "enum") {
      const { values } = this.#schema.enums.get(type.name)!;
      const { number } = choice.of(...values);
      return type.name.endsWith("Flags") ? number | choice.of(...values).number : number;
    }
    switch (type.scalar) {
      case "bool":
        return choice.once(2);
      case "string":
        return choice.of("", "a", "naïve 日本", "a longer text with some words");
      case "bytes":
        return Uint8Array.from({ length: choice.below(5) }, () => choice.below(256));
      case "float":
      case "double":
        return (choice.below(4001) - 2000) / 4 + 0;
      default: {
        const { bits, signed } = integerOf(type.scalar)!;
        const wide = (BigInt(choice.below(2 ** 32)) << 32n) | BigInt(choice.below(2 ** 32));
        const some = choice.once(3) ? BigInt(choice.below(100)) : wide;
        const integer = signed ? BigInt.asIntN(bits, some) : BigInt.asUintN(bits, some);
        return bits === 64 ? integer : Number(integer);
      }
    }
  }
}

function isLeaf({ type }: Field): boolean {
  return type.kind !== "message";
}

/** A value as `flatc --binary` takes it: a union is two fields, bytes are numbers. */
export function flatcText(schema: Schema, name: string, value: RecordValue): string {
  const entries = messageOf(schema, name).fields.flatMap((field) => {
    const held = value[field.name];
    if (held === undefined) return [];
    const { type, oneof } = field;
    const one = (item: Value): string =>
      type.kind === "message" ? flatcText(schema, type.name, item as RecordValue) : leafText(item);
    const text = Array.isArray(held) ? `[${held.map(one).join(", ")}]` : one(held);
    if (oneof === undefined) return [`"${field.name}": ${text}`];
    return [`"${oneof}_type": ${field.tag}`, `"${oneof}": ${text}`];
  });
  return `{ ${entries.join(", ")} }`;
}

function leafText(value: Value): string {
  return value instanceof Uint8Array
    ? `[${value.join(", ")}]`
    : typeof value === "bigint"
      ? String(value)
      : JSON.stringify(value);
}

/** A value as `capnp convert json` takes it. */
export function capnpText(schema: Schema, name: string, value: RecordValue): string {
  const { fields, form } = messageOf(schema, name);
  const one = ({ type }: Field, item: Value): string => {
    if (type.kind === "message") return capnpText(schema, type.name, item as RecordValue);
    if (type.kind !== "enum") return typeof item === "bigint" ? `"${item}"` : leafText(item);
    return type.name === VOID.name
      ? "null"
      : JSON.stringify(schema.enums.get(type.name)!.values[item as number]!.name);
  };
  const entries = fields.flatMap((field) => {
    const held = value[field.name];
    if (held === undefined) return [];
    const text = Array.isArray(held)
      ? `[${held.map((item) => one(field, item)).join(", ")}]`
      : one(field, held);
    return [form === "list" ? text : `"${field.name}": ${text}`];
  });
  return form === "list" ? (entries[0] ?? "[]") : `{ ${entries.join(", ")} }`;
}

/** A value with its bytes as lists of numbers, for a comparison. */
export function plainOf(value: Value): Value {
  if (Array.isArray(value)) return value.map(plainOf);
  if (value instanceof Uint8Array) return Array.from(value);
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainOf(item)]))
    : value;
}

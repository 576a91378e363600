import { placeMembers, roundUp, sizeOf } from "../../formats/c-struct/declarations.ts";
import {
  type CEnum,
  type CMember,
  type CScalar,
  type CStruct,
  type CType,
  layoutOf,
  MAX_MESSAGE_BYTES,
  MAX_STRUCT_BYTES,
  parseHeader,
  structNamed,
} from "../../formats/c-struct/index.ts";
import { describeStruct } from "../../formats/c-struct/shape.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { UnsupportedError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import {
  type EnumType,
  enumInteger,
  enumOf,
  type Field,
  type FieldType,
  hasPresence,
  integerOf,
  type MessageType,
  messageOf,
  reachableEnums,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import { identifiers } from "../identifiers.ts";
import { type FieldExtents, measureExtents } from "../values/extents.ts";

/** Deepest nesting of structs, as of messages in a value. */
const MAX_DEPTH = 100;
/** A `char` array is a multiple of this, its NUL included. */
const TEXT_STEP = 8;
/** The array of a bytes struct is a multiple of this, as its 4-byte size would make it by padding anyway. */
const BYTES_STEP = 4;
/** A struct needs a member; this is the one that nanopb gives an empty message. */
const DUMMY: CMember = scalarMember("dummy_field", "char");

/**
 * The C struct of a dataset's root.
 *
 * A schema that was read from a header has the struct of that header. For any other, bounds come from the
 * values, the largest of each: a string takes the next multiple of 8 bytes with its NUL, bytes the next
 * multiple of 4, a list as many elements as the longest has; {@link Field.capacity} wins. Members stand in this
 * order: numbers as declared, with the `has_` flags together where they cost least padding; strings; bytes;
 * lists and maps, each behind its count; structs. The largest list of the root is flexible and last.
 *
 * Throws UnsupportedError for what no struct can hold: a message in itself, a NUL in a string, nothing to take
 * a bound from, more than {@link MAX_STRUCT_BYTES} for a struct or {@link MAX_MESSAGE_BYTES} for a value.
 */
export function cStruct(dataset: Pick<Dataset, "schema" | "values" | "bounds">): CStruct {
  const { header, root } = dataset.schema;
  if (header !== undefined) return structNamed(parseHeader(header), root);
  return new Derivation(dataset).root();
}

/** Throws UnsupportedError for a string that C cannot end. */
function refuseNul(text: string, path: () => string): void {
  if (!text.includes("\0")) return;
  throw new UnsupportedError(`${path()}: a NUL inside a string, which ends it in C`);
}

/** One value of a field: its type, and its array when it is text. */
type Element = Pick<CMember, "type" | "dimensions">;

class Derivation {
  readonly #schema: Schema;
  readonly #hasValues: boolean;
  readonly #extents: ReadonlyMap<Field, FieldExtents>;
  readonly #names: CNames;
  readonly #structs = new Map<string, CStruct>();
  readonly #enums = new Map<string, CEnum>();
  readonly #open: string[] = [];

  constructor({ schema, values, bounds = values }: Pick<Dataset, "schema" | "values" | "bounds">) {
    this.#schema = schema;
    this.#hasValues = bounds.length > 0;
    this.#extents = measureExtents(schema, bounds, refuseNul);
    this.#names = cNames(schema);
  }

  root(): CStruct {
    const root = messageOf(this.#schema, this.#schema.root);
    const struct = this.#struct(root);
    const { flexible } = describeStruct(struct);
    const field = root.fields.find(({ name }) => name === flexible?.key);
    if (flexible === undefined || field === undefined) return struct;
    const bytes = flexible.offset + flexible.stride * (this.#extents.get(field)?.count ?? 0);
    if (bytes > MAX_MESSAGE_BYTES) {
      throw new UnsupportedError(
        `${root.name}: ${inBytes(bytes)} for the largest value, expected at most ${MAX_MESSAGE_BYTES}`,
      );
    }
    return struct;
  }

  #struct(message: MessageType): CStruct {
    const known = this.#structs.get(message.name);
    if (known !== undefined) return known;
    if (this.#open.includes(message.name)) {
      throw new UnsupportedError(`${message.name}: contains itself, which a C struct cannot`);
    }
    if (this.#open.length >= MAX_DEPTH) {
      throw new UnsupportedError(`${message.name}: nested deeper than ${MAX_DEPTH} messages`);
    }
    this.#open.push(message.name);
    const struct = { name: this.#names.structs.get(message.name)!, members: this.#members(message) };
    this.#open.pop();
    const { size } = layoutOf(struct);
    if (size > MAX_STRUCT_BYTES) {
      throw new UnsupportedError(
        `${message.name}: ${inBytes(size)} as a C struct, expected at most ${MAX_STRUCT_BYTES}`,
      );
    }
    this.#structs.set(message.name, struct);
    return struct;
  }

  #members(message: MessageType): readonly CMember[] {
    if (message.fields.length === 0) return [DUMMY];
    const names = memberNames(message);
    const elements = message.fields.map((field) => this.#element(message, field));
    const flexible = message.name === this.#schema.root ? this.#largestList(message, elements) : undefined;
    return orderMembers(
      message.fields.map((field, i) =>
        this.#field(message, field, names.get(field.name)!, elements[i]!, field === flexible),
      ),
    );
  }

  /** The list or map of the root that takes most bytes in the values; the first of equal ones. */
  #largestList(root: MessageType, elements: readonly Element[]): Field | undefined {
    let largest: Field | undefined;
    let most = -1;
    for (const [i, field] of root.fields.entries()) {
      const { repetition } = field;
      if (repetition.kind === "one" || (repetition.kind === "list" && repetition.length !== undefined))
        continue;
      const { type, dimensions } = elements[i]!;
      const bytes = sizeOf(type) * (dimensions[0] ?? 1) * (this.#extents.get(field)?.count ?? 0);
      if (bytes > most) [largest, most] = [field, bytes];
    }
    return largest;
  }

  #field(
    message: MessageType,
    field: Field,
    name: string,
    element: Element,
    flexible: boolean,
  ): FieldMembers {
    const { repetition } = field;
    const key = name === field.name ? undefined : field.name;
    const member: CMember = defined({ name, ...element, flexible, key });
    if (repetition.kind === "one") {
      const flag = hasPresence(field) ? scalarMember(`has_${name}`, "bool") : undefined;
      return { group: groupOf(field.type), members: [member], flag };
    }
    const count = scalarMember(`${name}_count`, "uint32");
    const members = (bounds: readonly number[]): CMember[] => [
      count,
      {
        ...member,
        dimensions: [...bounds, ...element.dimensions],
        ...(repetition.kind === "map" ? { map: true } : {}),
      },
    ];
    if (flexible) return { group: "flexible", members: members([]), flag: undefined };
    const fixed = repetition.kind === "list" ? repetition.length : undefined;
    if (fixed === undefined) {
      return {
        group: "list",
        members: members([Math.max(1, this.#extent(message, field).count)]),
        flag: undefined,
      };
    }
    // Without a count, `uint8_t x[N]` would be bytes.
    const isOctets = element.type.kind === "scalar" && element.type.scalar === "uint8";
    return { group: "list", members: members([fixed]).slice(isOctets ? 0 : 1), flag: undefined };
  }

  #element(message: MessageType, field: Field): Element {
    const value = this.#value(message, field, field.type);
    if (field.repetition.kind !== "map") return value;
    const { key } = field.repetition;
    const keyElement =
      key === "string"
        ? text(roundUp((this.#extent(message, field).key?.most ?? 0) + 1, TEXT_STEP))
        : numeric(key);
    const members = [
      { name: "key", ...keyElement, flexible: false },
      { name: "value", ...value, flexible: false },
    ];
    const struct: CStruct = { name: this.#names.entries.get(field)!, members };
    return { type: { kind: "struct", struct }, dimensions: [] };
  }

  #value(message: MessageType, field: Field, type: FieldType): Element {
    switch (type.kind) {
      case "message":
        return {
          type: { kind: "struct", struct: this.#struct(messageOf(this.#schema, type.name)) },
          dimensions: [],
        };
      case "enum":
        return { type: this.#enum(type.name), dimensions: [] };
      case "scalar":
        break;
    }
    if (type.scalar === "string") {
      return text(field.capacity ?? roundUp((this.#extent(message, field).value?.most ?? 0) + 1, TEXT_STEP));
    }
    if (type.scalar !== "bytes") return numeric(type.scalar);
    const capacity =
      field.capacity ??
      Math.max(BYTES_STEP, roundUp(this.#extent(message, field).value?.most ?? 0, BYTES_STEP));
    const name = `${this.#names.structs.get(message.name)}.${field.name}`;
    return { type: { kind: "struct", struct: bytesStruct(name, capacity) }, dimensions: [] };
  }

  /** Throws UnsupportedError where there is no value that could say. */
  #extent(message: MessageType, field: Field): FieldExtents {
    if (!this.#hasValues) {
      throw new UnsupportedError(
        `${message.name}.${field.name}: nothing bounds it, expected values to take a bound from, or a C header`,
      );
    }
    return this.#extents.get(field) ?? { count: 0 };
  }

  #enum(name: string): CType {
    const type = enumOf(this.#schema, name);
    const { values } = type;
    const enumerators = this.#names.enumerators.get(name)!;
    const known = this.#enums.get(name) ?? {
      name: this.#names.enums.get(name)!,
      values: values.map(({ number }, i) => ({ name: enumerators[i]!, number })),
    };
    this.#enums.set(name, known);
    return { kind: "enum", enum: known, bits: enumInteger(type) === "int8" ? 8 : 32 };
  }
}

function groupOf(type: FieldType): FieldMembers["group"] {
  if (type.kind === "message") return "struct";
  if (type.kind === "enum") return "number";
  if (type.scalar === "string") return "text";
  return type.scalar === "bytes" ? "bytes" : "number";
}

function text(capacity: number): Element {
  return { type: { kind: "scalar", scalar: "char" }, dimensions: [capacity] };
}

/** A number of the same width: protobuf's other encodings of integers are plain ones in C. */
function numeric(scalar: Scalar): Element {
  const integer = integerOf(scalar);
  const plain = integer === undefined ? scalar : (`${integer.signed ? "" : "u"}int${integer.bits}` as const);
  return { type: { kind: "scalar", scalar: plain as CScalar }, dimensions: [] };
}

function bytesStruct(name: string, capacity: number): CStruct {
  const bytes: CMember = { ...scalarMember("bytes", "uint8"), dimensions: [capacity] };
  return { name, members: [scalarMember("size", "uint32"), bytes] };
}

function scalarMember(name: string, scalar: CScalar): CMember {
  return { name, type: { kind: "scalar", scalar }, dimensions: [], flexible: false };
}

/** Groups of members, in the order in which they stand. */
const GROUPS = ["number", "text", "bytes", "list", "struct", "flexible"] as const;

/** The members of one field, which stay together, and the flag that goes with those of others. */
export interface FieldMembers {
  readonly group: (typeof GROUPS)[number];
  readonly members: readonly CMember[];
  readonly flag: CMember | undefined;
}

/** Puts the members of a struct into order: group by group, each as declared, the flags among the numbers. */
function orderMembers(fields: readonly FieldMembers[]): CMember[] {
  const [numbers = [], ...others] = GROUPS.map((group) =>
    fields.filter((field) => field.group === group).flatMap((field) => field.members),
  );
  const flags = fields.flatMap(({ flag }) => (flag === undefined ? [] : [flag]));
  return withFlags(flags, numbers, others.flat());
}

/** Puts the flags, together, where they make the struct smallest; the first of equal places. */
function withFlags(
  flags: readonly CMember[],
  numbers: readonly CMember[],
  others: readonly CMember[],
): CMember[] {
  const at = (place: number): CMember[] => [
    ...numbers.slice(0, place),
    ...flags,
    ...numbers.slice(place),
    ...others,
  ];
  if (flags.length === 0) return at(0);
  const sizes = Array.from({ length: numbers.length + 1 }, (_, place) => placeMembers(at(place)).size);
  return at(sizes.indexOf(Math.min(...sizes)));
}

/** The C identifiers of a schema. */
interface CNames {
  /** Structs by the full name of their message. */
  readonly structs: ReadonlyMap<string, string>;
  /** Entry structs by the map that they are for. */
  readonly entries: ReadonlyMap<Field, string>;
  /** Enums by their full name. */
  readonly enums: ReadonlyMap<string, string>;
  /** Enumerators in the order of the enum's values. */
  readonly enumerators: ReadonlyMap<string, readonly string[]>;
}

/**
 * Chooses the identifiers that a schema has in C and C++: a full name without the package, `Outer_Inner` for
 * a nested one. In C++ types and enumerators share one scope, so here they do too.
 */
function cNames(schema: Schema): CNames {
  const scope = new FileScope();
  const prefix = schema.package === "" ? "" : `${schema.package}.`;
  const local = (name: string): string => (name.startsWith(prefix) ? name.slice(prefix.length) : name);
  const messages = reachableMessages(schema);
  const enums = reachableEnums(schema);
  const structs = messages.map((message) => [message.name, scope.add(local(message.name))] as const);
  const entries = messages.flatMap((message) =>
    message.fields
      .filter((field) => field.repetition.kind === "map")
      .map((field) => [field, scope.add(`${local(message.name)}.${field.name}.entry`)] as const),
  );
  const enumNames = enums.map((type) => [type.name, scope.add(local(type.name))] as const);
  const enumerators = enums.map((type) => [type.name, enumeratorsOf(type, scope)] as const);
  const named = scope.resolve();
  const resolved = <K>(pairs: readonly (readonly [K, string])[]): Map<K, string> =>
    new Map(pairs.map(([key, wanted]) => [key, named(wanted)]));
  return {
    structs: resolved(structs),
    entries: resolved(entries),
    enums: resolved(enumNames),
    enumerators: new Map(enumerators.map(([name, wanted]) => [name, wanted.map(named)])),
  };
}

function enumeratorsOf(type: EnumType, scope: FileScope): string[] {
  return type.values.map((value) => scope.add(value.name));
}

/** Names wanted in one scope. Equal ones become different. */
class FileScope {
  readonly #wanted = new Set<string>();

  /** Asks for a name. Returns what stands for it until {@link resolve}. */
  add(name: string): string {
    let wanted = name;
    // A character that no identifier has: it ends up as an underscore.
    while (this.#wanted.has(wanted)) wanted += " ";
    this.#wanted.add(wanted);
    return wanted;
  }

  resolve(): (wanted: string) => string {
    const names = identifiers(this.#wanted, { reserved: WORDS, style: unreserved });
    return (wanted) => names.get(wanted)!;
  }
}

/**
 * Chooses the identifiers of a message's fields, by field name. Those that would be taken for the flag or the
 * count of another field are changed.
 */
function memberNames(message: MessageType): ReadonlyMap<string, string> {
  const reserved = new Set(WORDS);
  for (;;) {
    const names = identifiers(
      message.fields.map((field) => field.name),
      { reserved, style: unreserved },
    );
    const fields = new Map(message.fields.map((field) => [names.get(field.name)!, field]));
    const clashes = [...fields.keys()].filter((name) => isTaken(name, fields));
    if (clashes.length === 0) return names;
    for (const clash of clashes) reserved.add(clash);
  }
}

/** Whether a name is that of another member's flag or count. */
function isTaken(name: string, fields: ReadonlyMap<string, Field>): boolean {
  const counted = name.endsWith("_count") ? fields.get(name.slice(0, -"_count".length)) : undefined;
  if (counted !== undefined && counted.repetition.kind !== "one") return true;
  const flagged = name.startsWith("has_") ? fields.get(name.slice("has_".length)) : undefined;
  return flagged?.repetition.kind === "one";
}

/** Names kept for compilers (C11, 7.1.3) and the macros of <stdint.h> (7.20) get a letter before or a mark after. */
function unreserved(name: string): string {
  if (/^_[A-Z_]/.test(name)) return `x${name}`;
  return /^(U?INT\w*|(PTRDIFF|SIG_ATOMIC|SIZE|WCHAR|WINT)_(MAX|MIN|WIDTH))$|^u?int\w*_t$/.test(name)
    ? `${name}_`
    : name;
}

/** Keywords of C23 and C++23, what <stdbool.h> and <stddef.h> define, and macros that gcc defines unasked. */
const WORDS: ReadonlySet<string> = new Set(
  `alignas alignof and and_eq asm atomic auto bitand bitor bool break case catch char char8_t char16_t char32_t class
  co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default
  delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
  namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
  requires restrict return short signed sizeof static static_assert static_cast struct switch template this
  thread_local throw true try typedef typeid typename typeof typeof_unqual union unsigned using virtual void volatile
  wchar_t while xor xor_eq NULL EOF errno stdin stdout stderr assert offsetof linux unix i386 size_t ssize_t
  ptrdiff_t max_align_t nullptr_t main dummy_field`.split(/\s+/),
);

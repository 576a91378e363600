import {
  type EnumType,
  type Field,
  type MessageType,
  reachableEnums,
  reachableMessages,
  type Schema,
} from "../../model/schema.ts";
import { identifiers } from "../identifiers.ts";

/** The C identifiers of a schema. */
export interface CNames {
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
export function cNames(schema: Schema): CNames {
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

/** Names wanted in one scope, equal ones told apart. */
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
export function memberNames(message: MessageType): ReadonlyMap<string, string> {
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

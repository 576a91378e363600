import { identifiers } from "../identifiers.ts";

/**
 * The names of one scope of a .proto file: the file itself, or a message. Messages, enums, fields, oneofs and
 * the values of enums share it, and so do the entry types that protoc makes up for maps.
 */
export class ProtoScope {
  readonly #taken = new Set<string>();
  readonly #folded = new Set<string>();

  /**
   * An identifier for a name, with a number after it where another of the scope has it.
   * @param options `reserved` cannot be used; `derived` are further names that the identifier takes up; `fold`
   *   gives what no two of the same `kind` may have in common
   */
  take(
    name: string,
    options: {
      reserved?: ReadonlySet<string>;
      derived?: (identifier: string) => string;
      kind?: string;
      fold?: (identifier: string) => string;
    } = {},
  ): string {
    const { reserved = new Set(), derived, kind = "", fold } = options;
    const base = identifiers([name], { reserved }).get(name) ?? name;
    for (let i = 1; ; i++) {
      const candidate = i === 1 ? base : `${base}${i}`;
      const names = derived === undefined ? [candidate] : [candidate, derived(candidate)];
      const folded = fold === undefined ? undefined : `${kind} ${fold(candidate)}`;
      if (names.some((one) => this.#taken.has(one)) || (folded !== undefined && this.#folded.has(folded)))
        continue;
      for (const one of names) this.#taken.add(one);
      if (folded !== undefined) this.#folded.add(folded);
      return candidate;
    }
  }
}

/** The name that protoc gives the entry type of a map field: `PhoneNumEntry` for `phone_num`. */
export function mapEntryName(field: string): string {
  return `${field.replace(/(?:^|_+)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase())}Entry`;
}

/** The name of a group's type, which starts with a capital; its field is the same name in lower case. */
export function groupTypeName(field: string): string {
  const name = field.charAt(0).toUpperCase() + field.slice(1);
  return /^[A-Z]/.test(name) ? name : `G${name}`;
}

/** What proto3 wants to be different in the field names of a message: all but case and underscores. */
export function foldedField(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

/** What proto3 wants to be different in the values of an enum: the name without that of the enum, in PascalCase. */
export function foldedEnumValue(enumName: string, name: string): string {
  const prefix = [...foldedField(enumName)].join("_*");
  const rest = name.replace(new RegExp(`^_*${prefix}_*`, "i"), "");
  return (rest === "" ? name : rest)
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join("");
}

/** Words that start a statement of their own in the body of an enum. */
export const ENUM_STATEMENTS: ReadonlySet<string> = new Set(["option", "reserved"]);

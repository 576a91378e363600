import {
  type EnumType,
  type Field,
  type MessageType,
  messageOf,
  reachableEnums,
  reachableMessages,
  type Schema,
  simpleName,
} from "../../model/schema.ts";
import { identifiers } from "../identifiers.ts";
import { isGroup, mapEntryName, oneofOf, protobufSyntax } from "../layout/protobuf.ts";

/** What a file or a message declares. */
export interface ProtoDeclarations {
  readonly enums: readonly ProtoEnum[];
  readonly messages: readonly ProtoMessage[];
}

/** A message of a printed file, and what is declared in it. */
export interface ProtoMessage extends ProtoDeclarations {
  readonly name: string;
  /** The schema's own; undefined where it only holds others. */
  readonly type: MessageType | undefined;
  readonly fields: readonly ProtoField[];
}

/** A field, with the identifiers of its own and of the oneof around it. */
export interface ProtoField {
  readonly field: Field;
  readonly name: string;
  readonly oneof?: string;
  /** The type that a group declares in place. */
  readonly group?: ProtoMessage;
}

/** An enum, its values with identifiers. */
export interface ProtoEnum {
  readonly name: string;
  readonly values: readonly { readonly name: string; readonly number: number }[];
  readonly closed: boolean;
}

/** A .proto file before it is printed. */
export interface ProtoFile extends ProtoDeclarations {
  /** Where each message and enum is declared: identifiers from the package down, by its name in the schema. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
  /** The values of each enum, by its name in the schema. */
  readonly values: ReadonlyMap<string, ProtoEnum["values"]>;
}

/**
 * Puts the types of a schema where a .proto file declares them: nested as their names say, those of another
 * package at the top, and the types of groups in their fields where the syntax is proto2.
 * @param imported messages and enums that the file does not declare
 */
export function protoFile(schema: Schema, imported: ReadonlySet<string>): ProtoFile {
  return new TreeBuilder(schema, imported).file();
}

/** An enum that no field has a default of. In proto3 its first value has to be zero; without such a value it cannot be there. */
function printable(type: EnumType, syntax: "proto2" | "proto3" | "2023"): EnumType[] {
  const zeros = type.values.filter(({ number }) => number === 0);
  if (syntax === "proto2" || type.closed) return [type];
  if (zeros.length === 0) return [];
  return [{ ...type, values: [...zeros, ...type.values.filter(({ number }) => number !== 0)] }];
}

/** A name of the schema, split where it nests, with what the schema declares there. */
interface Place {
  readonly children: Map<string, Place>;
  readonly enums: EnumType[];
  message?: MessageType;
}

class TreeBuilder {
  readonly #schema: Schema;
  readonly #root: Place = { children: new Map(), enums: [] };
  /** Whether names must differ in JSON too. */
  readonly #folds: boolean;
  /** Whether the types of groups stand in their fields. */
  readonly #inPlace: boolean;
  /** Messages that some field refers to by name and no group declares; the others are groups. */
  readonly #named: ReadonlySet<string>;
  readonly #paths = new Map<string, readonly string[]>();
  readonly #values = new Map<string, ProtoEnum["values"]>();

  constructor(schema: Schema, imported: ReadonlySet<string>) {
    this.#schema = schema;
    const syntax = protobufSyntax(schema);
    this.#folds = syntax !== "proto2";
    this.#inPlace = syntax !== "2023";
    const messages = reachableMessages(schema).filter(({ name }) => !imported.has(name));
    const references = messages.flatMap(({ fields }) =>
      fields.flatMap((field) =>
        field.type.kind === "message" && !this.#isInPlace(field) ? [field.type.name] : [],
      ),
    );
    // A group declares its type, which others may refer to.
    const declared = messages.flatMap(({ name, fields }) =>
      fields.flatMap((field) =>
        field.type.kind === "message" &&
        this.#isInPlace(field) &&
        isDeclaredBy(field.name, field.type.name, name)
          ? [field.type.name]
          : [],
      ),
    );
    this.#named = new Set([schema.root, ...references.filter((name) => !declared.includes(name))]);
    for (const message of messages) this.#placeOf(this.#steps(message.name)).message = message;
    const unused = (schema.unused ?? []).flatMap((type) => printable(type, syntax));
    for (const type of [...reachableEnums(schema).filter(({ name }) => !imported.has(name)), ...unused])
      this.#placeOf(this.#steps(type.name).slice(0, -1)).enums.push(type);
  }

  file(): ProtoFile {
    const scope = new ProtoScope();
    const messages = this.#messagesIn(this.#root, scope, []);
    const enums = this.#enumsIn(this.#root, scope, []);
    return { messages, enums, paths: this.#paths, values: this.#values };
  }

  /** `["Outer", "Inner"]` for `pkg.Outer.Inner`; a name of another package stays in one piece. */
  #steps(name: string): string[] {
    const { package: own } = this.#schema;
    if (own === "") return name.split(".");
    return name.startsWith(`${own}.`) ? name.slice(own.length + 1).split(".") : [name];
  }

  #placeOf(steps: readonly string[]): Place {
    let place = this.#root;
    for (const step of steps) {
      const next = place.children.get(step) ?? { children: new Map(), enums: [] };
      place.children.set(step, next);
      place = next;
    }
    return place;
  }

  #messagesIn(place: Place, scope: ProtoScope, outer: readonly string[]): ProtoMessage[] {
    // Names first: what is inside of a message may refer to the ones after it.
    const named = [...place.children.entries()]
      .filter(([, { message }]) => message === undefined || this.#named.has(message.name))
      .map(([step, child]) => ({ child, name: scope.take(step) }));
    return named.map(({ child, name }) => {
      const path = [...outer, name];
      if (child.message !== undefined) this.#paths.set(child.message.name, path);
      return this.#message(child, path);
    });
  }

  #message(place: Place, path: readonly string[]): ProtoMessage {
    const scope = new ProtoScope();
    const messages = this.#messagesIn(place, scope, path);
    const fields = (place.message?.fields ?? []).map((field) => this.#field(field, scope, path));
    const enums = this.#enumsIn(place, scope, path);
    const oneofs = new Map<string, string>();
    for (const { field } of fields) {
      const oneof = oneofOf(field);
      if (oneof !== undefined && !oneofs.has(oneof)) oneofs.set(oneof, scope.take(oneof));
    }
    const members = fields.map((one): ProtoField => {
      const oneof = oneofs.get(oneofOf(one.field) ?? "");
      return oneof === undefined ? one : { ...one, oneof };
    });
    return { name: path.at(-1) ?? "", type: place.message, messages, enums, fields: members };
  }

  #field(field: Field, scope: ProtoScope, path: readonly string[]): ProtoField {
    if (field.type.kind === "message" && this.#isInPlace(field)) {
      const group = this.#group(field.type.name, groupTypeName(field.name, field.type.name), scope, path);
      return { field, name: group.name.toLowerCase(), group };
    }
    const name = scope.take(field.name, {
      ...(field.repetition.kind === "map" ? { derived: mapEntryName } : {}),
      ...(this.#folds ? { kind: "field", fold: foldedField } : {}),
    });
    return { field, name };
  }

  #isInPlace(field: Field): boolean {
    return this.#inPlace && isGroup(field);
  }

  #group(type: string, wanted: string, scope: ProtoScope, path: readonly string[]): ProtoMessage {
    const name = scope.take(wanted, { derived: (identifier) => identifier.toLowerCase() });
    const message = messageOf(this.#schema, type);
    // What is declared in the type stands in its first copy, where it is found by others.
    const first = !this.#named.has(type) && !this.#paths.has(type);
    if (first) this.#paths.set(type, [...path, name]);
    const place = first ? this.#placeOf(this.#steps(type)) : { children: new Map(), enums: [], message };
    return this.#message(place, [...path, name]);
  }

  #enumsIn(place: Place, scope: ProtoScope, outer: readonly string[]): ProtoEnum[] {
    const named = place.enums.map((type) => ({ type, name: scope.take(simpleName(type.name)) }));
    return named.map(({ type, name }) => {
      this.#paths.set(type.name, [...outer, name]);
      const values = this.#identify(type, name, scope);
      this.#values.set(type.name, values);
      return { name, values, closed: type.closed };
    });
  }

  #identify({ values }: EnumType, enumName: string, scope: ProtoScope): ProtoEnum["values"] {
    const numbers = new Map<string, number>();
    return values.map(({ name, number }) => {
      // Two names of one number may be alike.
      const fold = (identifier: string): string => {
        const folded = foldedEnumValue(enumName, identifier);
        return numbers.get(folded) === number ? identifier : folded;
      };
      const alike = this.#folds ? { kind: enumName, fold } : {};
      const identifier = scope.take(name, { reserved: ENUM_STATEMENTS, ...alike });
      numbers.set(foldedEnumValue(enumName, identifier), number);
      return { name: identifier, number };
    });
  }
}

/**
 * The names of one scope of a .proto file: the file itself, or a message. Messages, enums, fields, oneofs and
 * the values of enums share it, and so do the entry types that protoc makes up for maps.
 */
class ProtoScope {
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

/** Whether a group of a message is where its type was declared: that is named after it, within the message. */
function isDeclaredBy(field: string, type: string, message: string): boolean {
  const own = simpleName(type);
  return type === `${message}.${own}` && /^[A-Z]/.test(own) && own.toLowerCase() === field;
}

/** The name of a group's type, which starts with a capital; its field is the same name in lower case. */
function groupTypeName(field: string, type: string): string {
  const own = simpleName(type);
  if (own.toLowerCase() === field && /^[A-Z]/.test(own)) return own;
  const name = field.charAt(0).toUpperCase() + field.slice(1);
  return /^[A-Z]/.test(name) ? name : `G${name}`;
}

/** What proto3 wants to be different in the field names of a message: all but case and underscores. */
function foldedField(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

/** What proto3 wants to be different in the values of an enum: the name without that of the enum, in PascalCase. */
function foldedEnumValue(enumName: string, name: string): string {
  const prefix = [...foldedField(enumName)].join("_*");
  const rest = name.replace(new RegExp(`^_*${prefix}_*`, "i"), "");
  return (rest === "" ? name : rest)
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join("");
}

/** Words that start a statement of their own in the body of an enum. */
const ENUM_STATEMENTS: ReadonlySet<string> = new Set(["option", "reserved"]);

import { SchemaError } from "../../../model/errors.ts";
import { fieldNumberProblem, isPackable, mapEntryName, type ProtobufScalar } from "../../layout/protobuf.ts";
import { checkEnum, checkMessage, fieldProblem } from "./checks.ts";
import type { EnumDeclaration, FieldDeclaration, MessageDeclaration, ProtoFile } from "./declarations.ts";
import { readDefault } from "./defaults.ts";
import { EDITION_FEATURES, type Features } from "./features.ts";
import type { LinkedEnum, LinkedField, LinkedMessage, LinkedType } from "./linked.ts";
import type { LoadedFile } from "./source.ts";
import { joined, Symbols, type TypeSymbol } from "./symbols.ts";

/**
 * Resolves the names and features of some files, and checks what they declare. Every message and enum by its full name, in
 * the order of the files and of their declarations, outer before inner. Throws SchemaError.
 */
export function link(files: readonly LoadedFile[]): {
  readonly messages: ReadonlyMap<string, LinkedMessage>;
  readonly enums: ReadonlyMap<string, LinkedEnum>;
} {
  const linker = new Linker(files);
  for (const { file } of files) linker.declare(file);
  for (const { file } of files) linker.resolve(file);
  linker.append();
  return linker;
}

class Linker {
  readonly messages = new Map<string, LinkedMessage>();
  readonly enums = new Map<string, LinkedEnum>();
  readonly #symbols: Symbols;
  /** Extensions of each message by number. */
  readonly #extensions = new Map<LinkedMessage, Map<number, LinkedField>>();

  constructor(files: readonly LoadedFile[]) {
    this.#symbols = new Symbols(files);
  }

  declare(file: ProtoFile): void {
    const features = { ...EDITION_FEATURES[file.edition], ...file.features };
    this.#declare(file.package, file, features, file);
  }

  #declare(
    scope: string,
    { messages, enums, extensions }: Pick<MessageDeclaration, "messages" | "enums" | "extensions">,
    around: Features,
    file: ProtoFile,
  ): void {
    const member = ({ name, spot }: FieldDeclaration | EnumDeclaration["values"][number]): void =>
      this.#symbols.add({ kind: "member", name: joined(scope, name), file }, spot);
    for (const declaration of messages) {
      const name = joined(scope, declaration.name);
      const features = { ...around, ...declaration.features };
      this.#symbols.add({ kind: "message", name, file, features, declaration }, declaration.spot);
      this.messages.set(name, { kind: "message", name, file, declaration, fields: [] });
      for (const one of [
        ...declaration.fields,
        ...declaration.oneofs.filter((oneof) => !oneof.isSynthetic),
      ]) {
        this.#symbols.add({ kind: "member", name: joined(name, one.name), file }, one.spot);
      }
      this.#declare(name, declaration, features, file);
    }
    for (const declaration of enums) {
      const name = joined(scope, declaration.name);
      const features = { ...around, ...declaration.features };
      this.#symbols.add({ kind: "enum", name, file, features, declaration }, declaration.spot);
      const isClosed = features.enum_type === "CLOSED";
      const linked: LinkedEnum = { kind: "enum", name, file, declaration, isClosed };
      checkEnum(linked);
      this.enums.set(name, linked);
      for (const value of declaration.values) member(value);
    }
    for (const extension of extensions) member(extension);
  }

  resolve(file: ProtoFile): void {
    const features = { ...EDITION_FEATURES[file.edition], ...file.features };
    this.#resolve(file.package, file, features, file);
  }

  #resolve(
    scope: string,
    { messages, extensions }: Pick<MessageDeclaration, "messages" | "extensions">,
    around: Features,
    file: ProtoFile,
  ): void {
    for (const declaration of messages) {
      const message = this.messages.get(joined(scope, declaration.name))!;
      const features = { ...around, ...declaration.features };
      checkMessage(message);
      for (const field of declaration.fields) message.fields.push(this.#field(field, message, features));
      this.#resolve(message.name, declaration, features, file);
    }
    for (const extension of extensions) this.#extension(extension, scope, around, file);
  }

  #extension(declaration: FieldDeclaration, scope: string, features: Features, file: ProtoFile): void {
    const { extendee, number, numberSpot } = declaration;
    const fail = (problem: string): SchemaError =>
      new SchemaError(file.shown, `extension ${joined(scope, declaration.name)}: ${problem}`, numberSpot);
    if (extendee === undefined) throw fail("it extends no message");
    const found = this.#symbols.type(extendee, scope, file);
    const message = this.#linked(found);
    if (message.kind !== "message") throw fail(`${found.name} is no message`);
    const { extensionRanges, isMessageSet } = message.declaration;
    if (!isMessageSet && !extensionRanges.some(({ from, to }) => from <= number && number <= to)) {
      throw fail(`${message.name} has no extension number ${number}`);
    }
    const extensions = this.#extensions.get(message) ?? new Map<number, LinkedField>();
    this.#extensions.set(message, extensions);
    const other = extensions.get(number);
    if (other !== undefined) throw fail(`${other.name} has the number ${number} too`);
    extensions.set(number, this.#field(declaration, message, features, { scope, file }));
  }

  /** Puts the extensions of each message behind its fields. */
  append(): void {
    for (const [{ fields }, extensions] of this.#extensions) {
      fields.push(...[...extensions.values()].sort((a, b) => a.declaration.number - b.declaration.number));
    }
  }

  #field(
    declaration: FieldDeclaration,
    owner: LinkedMessage,
    around: Features,
    outside?: { readonly scope: string; readonly file: ProtoFile },
  ): LinkedField {
    const { scope, file } = outside ?? { scope: owner.name, file: owner.file };
    const name = outside === undefined ? declaration.name : joined(scope, declaration.name);
    const fail = (problem: string, spot = declaration.spot): SchemaError =>
      new SchemaError(
        file.shown,
        `field ${outside === undefined ? `${owner.name}.${name}` : name}: ${problem}`,
        spot,
      );
    const wrongNumber = owner.declaration.isMessageSet ? undefined : fieldNumberProblem(declaration.number);
    if (wrongNumber !== undefined) throw fail(wrongNumber);
    const oneof = declaration.oneof === undefined ? undefined : owner.declaration.oneofs[declaration.oneof];
    if (declaration.oneof !== undefined && oneof === undefined)
      throw fail("it is in a oneof that is not there");
    const features = { ...around, ...oneof?.features, ...declaration.features };
    const type = this.#type(declaration, scope, file);
    const isList = declaration.label === "repeated";
    const entry = type.kind === "message" && type.declaration.isMapEntry ? type : undefined;
    if (entry !== undefined && (!isList || entry.name !== joined(scope, mapEntryName(declaration.name)))) {
      throw fail(`${entry.name} is the type of a map's entries`);
    }
    const { key, value } = entry === undefined ? { key: undefined, value: type } : this.#entry(entry, fail);
    const isPacked = declaration.packed ?? features.repeated_field_encoding === "PACKED";
    const linked = {
      name,
      file,
      declaration,
      type: value,
      key,
      presence: presenceOf(declaration, type, features),
      isPacked: isList && isPacked && isPackable(typeOf(value)),
      isDelimited:
        declaration.isGroup ||
        (type.kind === "message" && entry === undefined && features.message_encoding === "DELIMITED"),
      oneof: oneof?.isSynthetic === true ? undefined : oneof?.name,
    };
    const problem = fieldProblem(linked);
    if (problem !== undefined) throw fail(problem);
    const read = readDefault(linked);
    if ("problem" in read) throw fail(read.problem, declaration.default?.spot);
    return { ...linked, default: read.value };
  }

  #type({ type, isGroup }: FieldDeclaration, scope: string, file: ProtoFile): LinkedType {
    if (!isGroup && isScalar(type.name)) return { kind: "scalar", scalar: type.name };
    return this.#linked(this.#symbols.type(type, scope, file));
  }

  #linked({ kind, name }: TypeSymbol): LinkedMessage | LinkedEnum {
    return (kind === "message" ? this.messages : this.enums).get(name)!;
  }

  #entry(
    { name, file, declaration }: LinkedMessage,
    fail: (problem: string) => SchemaError,
  ): { readonly key: ProtobufScalar; readonly value: LinkedType } {
    const [key, value] = declaration.fields;
    if (key?.number !== 1 || value?.number !== 2) throw fail(`${name} has no key and value`);
    const type = this.#type(key, name, file);
    if (type.kind !== "scalar" || ["float", "double", "bytes"].includes(type.scalar)) {
      throw fail(`the key of a map cannot be ${key.type.name}`);
    }
    const linked = this.#type(value, name, file);
    if (linked.kind === "message" && linked.declaration.isMapEntry) throw fail("a map of maps");
    return { key: type.scalar, value: linked };
  }
}

function typeOf(type: LinkedType): Parameters<typeof isPackable>[0] {
  return type.kind === "scalar" ? type : { kind: type.kind, name: type.name };
}

function presenceOf(
  { label, extendee, oneof }: FieldDeclaration,
  type: LinkedType,
  { field_presence }: Features,
): LinkedField["presence"] {
  if (label === "required") return "required";
  if (extendee !== undefined || oneof !== undefined) return "optional";
  if (field_presence === "LEGACY_REQUIRED") return "required";
  return type.kind === "message" || field_presence === "EXPLICIT" ? "optional" : "implicit";
}

function isScalar(name: string): name is ProtobufScalar {
  return SCALARS.has(name);
}

const SCALARS: ReadonlySet<string> = new Set<ProtobufScalar>([
  "double",
  "float",
  "int32",
  "int64",
  "uint32",
  "uint64",
  "sint32",
  "sint64",
  "fixed32",
  "fixed64",
  "sfixed32",
  "sfixed64",
  "bool",
  "string",
  "bytes",
]);

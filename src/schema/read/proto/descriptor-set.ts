import { createRequire } from "node:module";
import type protobuf from "protobufjs";
import { SchemaError } from "../../../model/errors.ts";
import type {
  DefaultText,
  EnumDeclaration,
  FieldDeclaration,
  MessageDeclaration,
  Name,
  ProtoFile,
  Range,
} from "./declarations.ts";
import { type Edition, type FeatureChoices, featureValues, isFeature } from "./features.ts";
import { unescaped } from "./tokens.ts";

/**
 * Reads a FileDescriptorSet (protobuf's descriptor.proto), which `protoc -o` and `buf build -o` write; undefined
 * where the bytes are something else. Throws SchemaError where they are a damaged set.
 */
export function readDescriptorSet(file: string, bytes: Uint8Array): ProtoFile[] | undefined {
  if (!beginsLikeSet(bytes)) return undefined;
  let files: readonly FileObject[];
  try {
    const type = setType();
    files = (type.toObject(type.decode(bytes), { enums: String, longs: Number, arrays: true }) as SetObject)
      .file;
  } catch (error) {
    if (isText(bytes)) return undefined;
    throw new SchemaError(file, "a FileDescriptorSet that is cut off or damaged", {}, { cause: error });
  }
  return files.map((one) => new Reader(file, one).file());
}

/** Whether the first field is a file whose first field is a name: text can begin so, but does not decode then. */
export function beginsLikeSet(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x0a) return false;
  const reader = library().Reader.create(bytes);
  try {
    reader.skip(1);
    const length = reader.uint32();
    return reader.uint32() === 0x0a && reader.uint32() <= length;
  } catch {
    return false;
  }
}

function isText(bytes: Uint8Array): boolean {
  return !bytes.some((byte) => byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d));
}

const load = createRequire(import.meta.url);

/** Loaded when a file may be a set: commands that read none start 40 ms sooner. */
function library(): typeof protobuf {
  return load("protobufjs") as typeof protobuf;
}

let known: protobuf.Type | undefined;

function setType(): protobuf.Type {
  const json = load("protobufjs/google/protobuf/descriptor.json") as protobuf.INamespace;
  known ??= library().Root.fromJSON(json).lookupType("google.protobuf.FileDescriptorSet");
  return known;
}

/** The messages of descriptor.proto as objects, as far as they are read. */
interface SetObject {
  readonly file: readonly FileObject[];
}

interface OptionsObject {
  readonly features?: Readonly<Record<string, unknown>>;
  readonly packed?: boolean;
  readonly allowAlias?: boolean;
  readonly mapEntry?: boolean;
  readonly messageSetWireFormat?: boolean;
}

interface FileObject {
  readonly name?: string;
  readonly package?: string;
  readonly syntax?: string;
  readonly edition?: string;
  readonly dependency: readonly string[];
  readonly publicDependency: readonly number[];
  readonly optionDependency: readonly string[];
  readonly messageType: readonly MessageObject[];
  readonly enumType: readonly EnumObject[];
  readonly extension: readonly FieldObject[];
  readonly options?: OptionsObject;
}

interface MessageObject {
  readonly name?: string;
  readonly field: readonly FieldObject[];
  readonly extension: readonly FieldObject[];
  readonly nestedType: readonly MessageObject[];
  readonly enumType: readonly EnumObject[];
  readonly oneofDecl: readonly { readonly name?: string; readonly options?: OptionsObject }[];
  readonly extensionRange: readonly RangeObject[];
  readonly reservedRange: readonly RangeObject[];
  readonly reservedName: readonly string[];
  readonly options?: OptionsObject;
}

interface RangeObject {
  readonly start?: number;
  readonly end?: number;
}

interface FieldObject {
  readonly name?: string;
  readonly number?: number;
  readonly label?: string;
  readonly type?: string;
  readonly typeName?: string;
  readonly extendee?: string;
  readonly oneofIndex?: number;
  readonly defaultValue?: string;
  readonly jsonName?: string;
  readonly proto3Optional?: boolean;
  readonly options?: OptionsObject;
}

interface EnumObject {
  readonly name?: string;
  readonly value: readonly { readonly name?: string; readonly number?: number }[];
  readonly reservedRange: readonly RangeObject[];
  readonly reservedName: readonly string[];
  readonly options?: OptionsObject;
}

class Reader {
  readonly #file: FileObject;
  readonly #shown: string;

  constructor(set: string, file: FileObject) {
    this.#file = file;
    this.#shown = `${set}: ${file.name ?? "a file without a name"}`;
  }

  file(): ProtoFile {
    const { name = "", package: own = "", dependency, publicDependency, optionDependency } = this.#file;
    const imports = dependency.map((one, index) => ({
      ...nameOf(one),
      isPublic: publicDependency.includes(index),
    }));
    return {
      name,
      shown: this.#shown,
      package: own,
      edition: this.#edition(),
      features: featuresOf(this.#file.options),
      imports: [...imports, ...optionDependency.map((one) => ({ ...nameOf(one), isPublic: false }))],
      messages: this.#file.messageType.map((one) => this.#message(one)),
      enums: this.#file.enumType.map((one) => this.#enum(one)),
      extensions: this.#file.extension.map((one) => this.#field(one)),
    };
  }

  #edition(): Edition {
    const { syntax = "proto2", edition = "none" } = this.#file;
    const named = syntax === "editions" ? edition.replace(/^EDITION_/, "") : syntax;
    if (named === "proto2" || named === "proto3" || named === "2023" || named === "2024") return named;
    throw this.#error(`edition ${named} is not known, expected one of 2023, 2024`);
  }

  #message(message: MessageObject): MessageDeclaration {
    const { field, oneofDecl, options } = message;
    return {
      ...this.#name(message.name),
      features: featuresOf(options),
      fields: field.map((one) => this.#field(one)),
      extensions: message.extension.map((one) => this.#field(one)),
      messages: message.nestedType.map((one) => this.#message(one)),
      enums: message.enumType.map((one) => this.#enum(one)),
      oneofs: oneofDecl.map((one, index) => ({
        ...this.#name(one.name),
        features: featuresOf(one.options),
        isSynthetic: field.some(
          ({ oneofIndex, proto3Optional }) => oneofIndex === index && proto3Optional === true,
        ),
      })),
      extensionRanges: rangesOf(message.extensionRange, 1),
      reserved: { ranges: rangesOf(message.reservedRange, 1), names: message.reservedName.map(nameOf) },
      isMapEntry: options?.mapEntry === true,
      isMessageSet: options?.messageSetWireFormat === true,
    };
  }

  #field(field: FieldObject): FieldDeclaration {
    const { number = 0, label = "LABEL_OPTIONAL", extendee, oneofIndex, options } = field;
    const name = this.#name(field.name);
    const isNamed = field.typeName !== undefined;
    const keyword = field.type?.replace(/^TYPE_/, "").toLowerCase();
    if (!isNamed && keyword === undefined) throw this.#error(`field ${name.name} has no type`);
    return {
      ...name,
      number,
      numberSpot: undefined,
      label: label.replace(/^LABEL_/, "").toLowerCase() as FieldDeclaration["label"],
      type: nameOf(field.typeName ?? keyword ?? ""),
      isGroup: keyword === "group",
      extendee: extendee === undefined ? undefined : nameOf(extendee),
      oneof: oneofIndex,
      default: field.defaultValue === undefined ? undefined : this.#default(field.defaultValue, keyword),
      jsonName: field.jsonName,
      packed: options?.packed,
      features: featuresOf(options),
    };
  }

  #default(text: string, keyword: string | undefined): DefaultText {
    const spot = undefined;
    if (keyword === "string") return { kind: "string", text: Buffer.from(text).toString("latin1"), spot };
    if (keyword === "bytes") {
      const bytes = unescaped(text);
      if (bytes === undefined) throw this.#error(`${JSON.stringify(text)} is no default of bytes`);
      return { kind: "string", text: bytes, spot };
    }
    if (/^-?\d+$/.test(text)) return { kind: "integer", text, spot };
    return { kind: /^-?[\d.]/.test(text) ? "float" : "name", text, spot };
  }

  #enum(type: EnumObject): EnumDeclaration {
    return {
      ...this.#name(type.name),
      features: featuresOf(type.options),
      values: type.value.map(({ name, number = 0 }) => ({
        ...this.#name(name),
        number,
        numberSpot: undefined,
      })),
      reserved: { ranges: rangesOf(type.reservedRange, 0), names: type.reservedName.map(nameOf) },
      allowsAlias: type.options?.allowAlias === true,
    };
  }

  /** The name of what is declared, which must be an identifier. */
  #name(name = ""): Name {
    if (!/^[A-Za-z_]\w*$/.test(name)) throw this.#error(`${JSON.stringify(name)} is no name`);
    if (name === "__proto__") throw this.#error('the name "__proto__" cannot be used');
    return nameOf(name);
  }

  #error(problem: string): SchemaError {
    return new SchemaError(this.#shown, problem);
  }
}

function nameOf(name: string): Name {
  return { name, spot: undefined };
}

/** @param beyond what an end is greater by than the last number */
function rangesOf(ranges: readonly RangeObject[], beyond: 0 | 1): Range[] {
  return ranges.map(({ start = 0, end = 0 }) => ({ from: start, to: end - beyond, spot: undefined }));
}

function featuresOf(options: OptionsObject | undefined): FeatureChoices {
  const entries = Object.entries(options?.features ?? {}).map(
    ([name, value]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const,
  );
  return Object.fromEntries(
    entries.filter(([name, value]) => isFeature(name) && featureValues(name).includes(String(value))),
  );
}

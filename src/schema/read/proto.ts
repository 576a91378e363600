import { defined } from "../../model/defined.ts";
import { SchemaError, UsageError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import {
  type EnumType,
  type Field,
  type FieldType,
  type MessageType,
  type Repetition,
  type Schema,
  simpleName,
} from "../../model/schema.ts";
import { markedField, markedMessage } from "../json-marks.ts";
import { jsonName } from "../values/field-keys.ts";
import { EDITION_FEATURES } from "./proto/features.ts";
import { link } from "./proto/link.ts";
import type { LinkedEnum, LinkedField, LinkedMessage, LinkedType } from "./proto/linked.ts";
import { type ProtoSource, readProtoSource } from "./proto/source.ts";

/**
 * Reads a message of a .proto file, or of a FileDescriptorSet, as a schema.
 * @param message full name, or the end of one, as in `Person` for `pkg.Person`; may be left out where the
 *   file has only one message that no other message of it contains.
 * @param include folders that imports are looked for in: see {@link readProtoSource}
 */
export function readProto(file: string, message?: string, include?: readonly string[]): Schema {
  const source = readProtoSource(file, include);
  const { messages, enums: declared } = link(source.files);
  const own = [...messages.values()].filter(
    (one) => !one.declaration.isMapEntry && source.asked.includes(one.file),
  );
  const root = message === undefined ? onlyRoot(source, own) : findMessage(source, messages, own, message);
  const converter = new Converter();
  converter.message(root);
  // It may hold any message of the files.
  if (converter.messages.has("google.protobuf.Any")) {
    for (const one of readable(messages)) converter.message(one);
  }
  const enums = new Map(converter.enums);
  const { file: rootFile } = root;
  // A descriptor set has other files too, which may be of other packages.
  const unused = converter.unused([...declared.values()].filter(({ file }) => file === rootFile));
  const packing =
    rootFile.features.repeated_field_encoding ?? EDITION_FEATURES[rootFile.edition].repeated_field_encoding;
  return {
    package: rootFile.package,
    root: root.name,
    messages: converter.messages,
    enums,
    ...(unused.length === 0 ? {} : { unused }),
    ...(rootFile.edition === "proto3" ? { isProto3: true } : {}),
    packsLists: packing === "PACKED",
  };
}

/** The messages that no message set is reached from. */
function readable(messages: ReadonlyMap<string, LinkedMessage>): readonly LinkedMessage[] {
  const all = [...messages.values()];
  const refused = new Set<LinkedType>(all.filter(({ declaration }) => declaration.isMessageSet));
  // A set is gone through with what is added meanwhile.
  for (const one of refused) {
    for (const other of all) if (other.fields.some(({ type }) => type === one)) refused.add(other);
  }
  return all.filter((one) => !one.declaration.isMapEntry && !refused.has(one));
}

function findMessage(
  { shown }: ProtoSource,
  messages: ReadonlyMap<string, LinkedMessage>,
  own: readonly LinkedMessage[],
  message: string,
): LinkedMessage {
  const wanted = message.replace(/^\./, "");
  const all = [...messages.values()].filter(({ declaration }) => !declaration.isMapEntry);
  const exact = all.find(({ name }) => name === wanted);
  if (exact !== undefined) return exact;
  const ending = all.filter(({ name }) => name.endsWith(`.${wanted}`));
  if (ending.length === 1 && ending[0] !== undefined) return ending[0];
  const names = own.map(({ name }) => name);
  const problem =
    ending.length > 1
      ? `is one of ${ending.map(({ name }) => name).join(", ")}: give the full name`
      : // A name without its package is compared with names without theirs.
        `is not in it${nearNames(wanted, wanted.includes(".") ? names : names.map(simpleName))}`;
  throw new UsageError(`${shown}: message "${message}" ${problem}`);
}

function onlyRoot({ shown }: ProtoSource, own: readonly LinkedMessage[]): LinkedMessage {
  const contained = new Set<LinkedType>(
    own.flatMap((message) => message.fields.flatMap(({ type }) => (type === message ? [] : [type]))),
  );
  const roots = own.filter((message) => !contained.has(message));
  if (roots.length === 1 && roots[0] !== undefined) return roots[0];
  if (own.length === 0) throw new SchemaError(shown, "declares no message");
  const choices = (roots.length > 0 ? roots : own).map(({ name }) => name).join(", ");
  throw new UsageError(`${shown}: which message is it? give --message, one of ${choices}`);
}

/** Turns linked messages into the model, each as it is met. */
class Converter {
  readonly messages = new Map<string, MessageType>();
  readonly enums = new Map<string, EnumType>();

  /** Enums that no field refers to, of the file itself and of the messages that are met. */
  unused(enums: readonly LinkedEnum[]): EnumType[] {
    const used = new Set(this.enums.keys());
    for (const one of enums) {
      const scope = one.name.slice(0, -one.declaration.name.length - 1);
      if (scope === one.file.package || this.messages.has(scope)) this.#enum(one);
    }
    return [...this.enums.values()].filter(({ name }) => !used.has(name));
  }

  message({ name, file, declaration, fields: linked }: LinkedMessage): void {
    if (this.messages.has(name)) return;
    if (declaration.isMessageSet) {
      throw new SchemaError(
        file.shown,
        `message ${name}: message_set_wire_format is not supported`,
        declaration.spot,
      );
    }
    const fields: Field[] = [];
    // Entered before its fields are, so that a recursive message ends here.
    this.messages.set(name, { name, fields, ...markedMessage(declaration.above ?? "") });
    for (const field of linked) fields.push(this.#field(field));
  }

  #field(field: LinkedField): Field {
    const { name, declaration, isDelimited, oneof } = field;
    const key = declaration.jsonName;
    return defined({
      name,
      jsonName: key === jsonName(declaration.name) ? undefined : key,
      number: declaration.number,
      type: this.#type(field.type),
      repetition: repetitionOf(field),
      group: isDelimited || undefined,
      oneof,
      default: field.default,
      ...markedField(declaration.above ?? ""),
    });
  }

  #type(type: LinkedType): FieldType {
    if (type.kind === "scalar") return type;
    if (type.kind === "message") this.message(type);
    else this.#enum(type);
    return { kind: type.kind, name: type.name };
  }

  #enum({ name, declaration, isClosed }: LinkedEnum): void {
    const values = declaration.values.map((value) => ({ name: value.name, number: value.number }));
    this.enums.set(name, { name, values, bits: 32, closed: isClosed });
  }
}

function repetitionOf({ declaration, key, isPacked, presence }: LinkedField): Repetition {
  if (key !== undefined) return { kind: "map", key };
  if (declaration.label === "repeated") return { kind: "list", packed: isPacked };
  return { kind: "one", presence };
}

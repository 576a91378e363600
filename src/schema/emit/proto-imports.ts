import {
  type FieldType,
  type MessageType,
  reachableEnums,
  reachableMessages,
  type Schema,
} from "../../model/schema.ts";
import { isNullValue } from "../values/well-known.ts";

const PACKAGE = "google.protobuf.";

/** Files of `google/protobuf/` with messages that have a meaning of their own, and the fields of each message. */
const FILES: readonly (readonly [file: string, message: string, fields: string])[] = [
  ["any", "Any", "type_url:string value:bytes"],
  ["duration", "Duration", "seconds:int64 nanos:int32"],
  ["empty", "Empty", ""],
  ["field_mask", "FieldMask", "paths:string"],
  ["struct", "ListValue", `values:${PACKAGE}Value`],
  ["struct", "Struct", `fields:${PACKAGE}Value`],
  [
    "struct",
    "Value",
    `null_value:${PACKAGE}NullValue number_value:double string_value:string bool_value:bool ` +
      `struct_value:${PACKAGE}Struct list_value:${PACKAGE}ListValue`,
  ],
  ["timestamp", "Timestamp", "seconds:int64 nanos:int32"],
  ...["Bool", "Int32", "Int64", "UInt32", "UInt64", "Float", "Double", "String", "Bytes"].map(
    (type) => ["wrappers", `${type}Value`, `value:${type.toLowerCase()}`] as const,
  ),
];

const NULL_VALUE = "google/protobuf/struct.proto";

/** The file that declares a message of `google.protobuf` as it is; undefined for every other. */
function importOf({ name, fields }: MessageType): string | undefined {
  const typeOf = (type: FieldType): string => (type.kind === "scalar" ? type.scalar : type.name);
  const text = fields.map((field) => `${field.name}:${typeOf(field.type)}`).join(" ");
  const found = FILES.find(([, message, declared]) => name === PACKAGE + message && text === declared);
  return found && `google/protobuf/${found[0]}.proto`;
}

/** A schema for a file that imports types of `google.protobuf`: those that it has as they are, by their files. */
export interface Importing {
  /** In it their messages have no fields. */
  readonly schema: Schema;
  readonly imports: ReadonlyMap<string, string>;
}

/** Takes what can be imported out of a schema, unless it is of that package itself. */
export function importing(schema: Schema): Importing {
  const imports = new Map<string, string>();
  if (`${schema.package}.` === PACKAGE || schema.root.startsWith(PACKAGE)) return { schema, imports };
  const messages = new Map(schema.messages);
  for (const message of reachableMessages(schema)) {
    const file = importOf(message);
    if (file === undefined) continue;
    imports.set(message.name, file);
    messages.set(message.name, { ...message, fields: [] });
  }
  const own = { ...schema, messages };
  for (const { name, values } of reachableEnums(own))
    if (isNullValue(name) && values.length === 1) imports.set(name, NULL_VALUE);
  return { schema: own, imports };
}

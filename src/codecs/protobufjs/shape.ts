import protobuf from "protobufjs";
import type { MessageShape } from "../../formats/protobuf-verifier/index.ts";
import type { Schema } from "../../model/schema.ts";
import { protobufShape } from "../../schema/layout/protobuf-shape.ts";
import { describeSchema, refuseMixedGroups } from "./descriptor.ts";

/** Whether this copy of the library, 7.5 or later, knows the features of editions. */
const KNOWS_EDITIONS = "hasPresence" in protobuf.Field.prototype;

/** The root's type, with the code for every type made. Throws UnsupportedError. */
export function messageType(schema: Schema): protobuf.Type {
  if (!KNOWS_EDITIONS) refuseMixedGroups(schema);
  const { namespace, root: name } = describeSchema(schema);
  const root = protobuf.Root.fromJSON(namespace);
  for (const type of root.nestedArray) if (type instanceof protobuf.Type) clearDefaults(type.setup());
  return root.lookupType(name);
}

/**
 * A field that is not in the bytes is read from the prototype of its message, where protobufjs puts a default.
 * Where absence has a meaning it becomes undefined there, so that it shows.
 */
function clearDefaults(type: protobuf.Type): void {
  const prototype = type.ctor.prototype as unknown as Record<string, unknown>;
  for (const field of type.fieldsArray) {
    if (field.repeated || field.map) continue;
    if (!isImplicit(field)) prototype[field.name] = undefined;
    else if (field.type === "bytes") prototype[field.name] = new Uint8Array(0);
  }
}

/** As it was described: a field tells only versions that know editions whether it has presence. */
function isImplicit({ options }: protobuf.Field): boolean {
  const { field_presence } = (options?.["features"] ?? {}) as Readonly<Record<string, string>>;
  return field_presence === "IMPLICIT";
}

/** The shape against which bytes from outside are checked before protobufjs reads them. */
export function shapeOf(schema: Schema): MessageShape {
  // A 64-bit key that is left out and one of 0 are two keys to protobufjs, and then the wrong one may count.
  return protobufShape(schema, { tellsZero: true });
}

/** Checks untrusted bytes against the shape of a protobuf message, before any reader sees them. */
export { DecodeError } from "../../model/errors.ts";
export type { ProtobufOptions, UnknownField } from "./options.ts";
export { type FieldShape, type MessageShape, mapShape, type TypeShape } from "./shape.ts";
export { verifyProtobuf } from "./verify.ts";

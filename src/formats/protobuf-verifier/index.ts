/** Checks untrusted bytes against the shape of a protobuf message, before any reader sees them. */
export { DecodeError } from "../../model/errors.ts";
export type { UnknownField } from "../../model/unknown-field.ts";
export { type FieldShape, type MessageShape, mapShape, type TypeShape } from "./shape.ts";
export { type ProtobufOptions, type ProtobufReport, verifyProtobuf } from "./verify.ts";

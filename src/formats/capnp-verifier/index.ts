/** Checks untrusted Cap'n Proto messages before any reader sees them, and unpacks packed ones. */
export { DecodeError } from "../../model/errors.ts";
export type { CapnpLimits, UnpackLimits } from "./limits.ts";
export { unpackCapnp } from "./segments.ts";
export type {
  BlobShape,
  DataShape,
  ElementShape,
  FieldsShape,
  ListShape,
  PointerShape,
  StructShape,
  UnionShape,
  ValueShape,
} from "./shape.ts";
export { verifyCapnp } from "./verify.ts";

/** Checks untrusted Cap'n Proto messages before any reader sees them, and unpacks packed ones. */
export { DecodeError } from "../../model/errors.ts";
export type {
  BlobShape,
  CapnpLimits,
  DataShape,
  ElementShape,
  ListShape,
  PointerShape,
  StructShape,
  UnpackLimits,
  ValueShape,
} from "./shape.ts";
export { unpackCapnp } from "./unpack.ts";
export { verifyCapnp } from "./verify.ts";

/** Checks untrusted FlatBuffers messages before they are read. The runtime library for JavaScript cannot. */
export { DecodeError } from "../../model/errors.ts";
export type { VerifyOptions } from "./options.ts";
export type { ScalarName } from "./scalars.ts";
export type {
  ElementShape,
  FieldShape,
  ScalarShape,
  TableShape,
  TypeShape,
  VectorShape,
} from "./shape.ts";
export { flatbufferVerifier } from "./verify.ts";

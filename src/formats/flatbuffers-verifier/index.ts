/** Checks untrusted FlatBuffers messages before they are read. The runtime library for JavaScript cannot. */
export { DecodeError } from "../../model/errors.ts";
export type {
  ElementShape,
  FieldShape,
  MemberShape,
  ScalarName,
  ScalarShape,
  StructShape,
  TableShape,
  TypeShape,
  UnionShape,
  VectorShape,
  VerifyOptions,
} from "./shape.ts";
export { flatbufferVerifier } from "./verify.ts";

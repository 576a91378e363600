/**
 * C structs on x86-64 Linux: reads a header, and turns plain values into the bytes that a C program keeps, and
 * back.
 *
 *     import { compileStruct, parseHeader, structNamed } from "wirebench/c-struct";
 *
 *     const header = parseHeader("struct point { int32_t x, y; char label[8]; };");
 *     const point = compileStruct(structNamed(header, "point"));
 *     const bytes = point.pack({ x: 1, y: -1, label: "a" }); // 16 bytes
 *     point.verify(bytes);
 *     point.unpack(bytes); // { x: 1, y: -1, label: "a" }
 *
 * What C has no words for, such as optional members and counts, is said by the names of members: see
 * {@link Roles}.
 */
export { DecodeError, SchemaError, ValueError } from "../../model/errors.ts";
export { type CompiledStruct, compileStruct } from "./compile.ts";
export { type Roles, rolesOf } from "./conventions.ts";
export {
  type CEnum,
  type CHeader,
  type CMember,
  type CScalar,
  type CStruct,
  type CType,
  structNamed,
} from "./declarations.ts";
export { layoutOf, MAX_STRUCT_BYTES, type StructLayout } from "./layout.ts";
export { MAX_MESSAGE_BYTES } from "./pack.ts";
export { parseHeader } from "./parse.ts";
export type {
  Counted,
  FieldShape,
  FlexibleShape,
  Integer,
  Repeat,
  Shape,
  Slot,
  StructShape,
} from "./shape.ts";

/** What .proto files declare, with the names in it resolved. */
import type { Field } from "../../../model/schema.ts";
import type { ProtobufScalar } from "../../layout/protobuf.ts";
import type { EnumDeclaration, FieldDeclaration, MessageDeclaration, ProtoFile } from "./declarations.ts";

/** A message whose fields have their types. */
export interface LinkedMessage {
  readonly kind: "message";
  /** Full name. */
  readonly name: string;
  readonly file: ProtoFile;
  readonly declaration: MessageDeclaration;
  /** As they are declared, and then its extensions by their numbers. */
  readonly fields: LinkedField[];
}

/** An enum. */
export interface LinkedEnum {
  readonly kind: "enum";
  readonly name: string;
  readonly file: ProtoFile;
  readonly declaration: EnumDeclaration;
  /** Whether numbers without a name are refused. */
  readonly isClosed: boolean;
}

/** What one value of a field is. */
export type LinkedType =
  | LinkedMessage
  | LinkedEnum
  | { readonly kind: "scalar"; readonly scalar: ProtobufScalar };

/** A field with its type, and with what its features come to. */
export interface LinkedField {
  /** Its own name; the full one of an extension. */
  readonly name: string;
  readonly file: ProtoFile;
  readonly declaration: FieldDeclaration;
  /** Of a map that of its values. */
  readonly type: LinkedType;
  /** The type of a map's keys. */
  readonly key: ProtobufScalar | undefined;
  readonly presence: "required" | "optional" | "implicit";
  readonly isPacked: boolean;
  readonly isDelimited: boolean;
  readonly oneof: string | undefined;
  readonly default: Field["default"];
}

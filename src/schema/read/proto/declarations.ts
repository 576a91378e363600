/** What .proto files declare, in the terms of protobuf's descriptor.proto. Names are as they are written, unresolved. */
import type { Place } from "../../../model/errors.ts";
import type { Edition, FeatureChoices } from "./features.ts";

/** Where a declaration stands in its file; undefined in a FileDescriptorSet, which has no text. */
export type Spot = Pick<Place, "line" | "column"> | undefined;

/** A name where it is written. */
export interface Name {
  readonly name: string;
  readonly spot: Spot;
}

/** A file, or one file of a FileDescriptorSet. */
export interface ProtoFile {
  /** What others import it by. */
  readonly name: string;
  /** What an error calls it. */
  readonly shown: string;
  readonly package: string;
  readonly edition: Edition;
  readonly features: FeatureChoices;
  readonly imports: readonly Import[];
  readonly messages: readonly MessageDeclaration[];
  readonly enums: readonly EnumDeclaration[];
  readonly extensions: readonly FieldDeclaration[];
}

/** An import. What is imported publicly is visible to who imports the file. */
export interface Import extends Name {
  readonly isPublic: boolean;
}

/** A message, also a group's and the entry of a map. */
export interface MessageDeclaration extends Name {
  readonly features: FeatureChoices;
  readonly fields: readonly FieldDeclaration[];
  readonly extensions: readonly FieldDeclaration[];
  readonly messages: readonly MessageDeclaration[];
  readonly enums: readonly EnumDeclaration[];
  readonly oneofs: readonly OneofDeclaration[];
  readonly extensionRanges: readonly Range[];
  readonly reserved: Reserved;
  /** The type that a map field makes up for its entries: fields `key` and `value`. */
  readonly isMapEntry: boolean;
  /** Set by `message_set_wire_format`. */
  readonly isMessageSet: boolean;
  /** The comments right above it. */
  readonly above?: string | undefined;
}

/** A field or an extension. */
export interface FieldDeclaration extends Name {
  readonly number: number;
  readonly numberSpot: Spot;
  /** Undefined where none is written. */
  readonly label: "optional" | "required" | "repeated" | undefined;
  /** A scalar's keyword or the name of a type, which begins with a dot where it is full. */
  readonly type: Name;
  /** Set where the type is a group's. */
  readonly isGroup: boolean;
  readonly extendee: Name | undefined;
  /** Index in the message's oneofs. */
  readonly oneof: number | undefined;
  readonly default: DefaultText | undefined;
  readonly jsonName: string | undefined;
  readonly packed: boolean | undefined;
  readonly features: FeatureChoices;
  /** The comments right above it. */
  readonly above?: string | undefined;
}

/** A default as it is written. Text in quotes has a character for each byte. */
export interface DefaultText {
  readonly kind: "name" | "integer" | "float" | "string";
  readonly text: string;
  readonly spot: Spot;
}

/** A oneof; one that the compiler makes up for an `optional` of proto3 is synthetic. */
export interface OneofDeclaration extends Name {
  readonly features: FeatureChoices;
  readonly isSynthetic: boolean;
}

/** An enum. */
export interface EnumDeclaration extends Name {
  readonly features: FeatureChoices;
  readonly values: readonly EnumValue[];
  readonly reserved: Reserved;
  readonly allowsAlias: boolean;
}

/** A value of an enum. */
export interface EnumValue extends Name {
  readonly number: number;
  readonly numberSpot: Spot;
}

/** Numbers from the first to the last, both included. */
export interface Range {
  readonly from: number;
  readonly to: number;
  readonly spot: Spot;
}

/** What is kept from use. */
export interface Reserved {
  readonly ranges: readonly Range[];
  readonly names: readonly Name[];
}

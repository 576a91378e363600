/** What to allow. */
export interface ProtobufOptions {
  /** Deepest nesting of messages; 100 by default, as in protobuf's own libraries (protobuf.dev, "Proto Limits"). */
  readonly depth?: number;
  /** `refuse`, the default: they would be lost to a program that reads by this shape. */
  readonly unknownFields?: "refuse" | "skip";
  /** `safe` refuses 64-bit integers that a JavaScript number would round; `any` is the default. */
  readonly integers?: "any" | "safe";
  /**
   * Most values that a reader makes, which counts every field of a message, there or not, and every element;
   * unbounded by default. A message without fields is two bytes.
   */
  readonly values?: number;
}

/** A field of the bytes that the shape does not have. */
export interface UnknownField {
  /** Name of the message that it stands in. */
  readonly message: string;
  readonly number: number;
  /** Byte offset of its tag. */
  readonly offset: number;
}

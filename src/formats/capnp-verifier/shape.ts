/** Fields of a struct that are there together. */
export interface FieldsShape {
  readonly data: readonly DataShape[];
  /** The pointer section, in its order unless they have an index. */
  readonly pointers: readonly PointerShape[];
  readonly unions?: readonly UnionShape[];
}

/** What the bytes of a struct may hold. Shapes may refer to each other in circles. */
export interface StructShape extends FieldsShape {
  /** Length of the data section in the reader's schema. */
  readonly dataWords: number;
  /** Length of the pointer section; by default that of the list. */
  readonly pointerCount?: number;
}

/** Fields of which one member's are there. What the bits of the others hold is not looked at. */
export interface UnionShape {
  /** First bit of the 16 that tell which. */
  readonly discriminant: number;
  readonly members: ReadonlyMap<number, FieldsShape>;
}

/** What one value of fixed width is. */
export interface ValueShape {
  readonly bits: 1 | 8 | 16 | 32 | 64;
  /** The only values allowed, as those of an enum: of 16 unsigned or 32 signed bits. */
  readonly values?: ReadonlySet<number>;
  /** For 64 bits: whether it is an integer that a JavaScript number has to hold. */
  readonly safe?: "signed" | "unsigned";
  /** The integer from which 64 bits are the difference. */
  readonly zero?: bigint;
}

/** A field of the data section. */
export interface DataShape extends ValueShape {
  /** For error paths. */
  readonly name: string;
  /** First bit. */
  readonly offset: number;
  /** Bit that says whether the field is there. While it is 0 the field has to be 0: a reader would not see it. */
  readonly flag?: number;
}

/** A field of the pointer section. */
export interface PointerShape {
  /** For error paths. */
  readonly name: string;
  readonly target: ElementShape | ListShape;
  /** Whether a null pointer is malformed. */
  readonly required: boolean;
  /** Its place in the section; by default that in the list. */
  readonly index?: number;
}

/** A list. */
export interface ListShape {
  readonly kind: "list";
  readonly element: ElementShape | ListShape;
}

/** What one element of a list is. */
export type ElementShape =
  | ({ readonly kind: "value" } & ValueShape)
  | BlobShape
  | { readonly kind: "struct"; readonly shape: StructShape };

/** UTF-8 with a NUL at its end, or any bytes. */
export interface BlobShape {
  readonly kind: "text" | "data";
}

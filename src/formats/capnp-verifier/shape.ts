/** What the bytes of a struct may hold. Shapes may refer to each other in circles. */
export interface StructShape {
  /** Length of the data section in the reader's schema. */
  readonly dataWords: number;
  readonly data: readonly DataShape[];
  /** The pointer section, in its order. */
  readonly pointers: readonly PointerShape[];
}

/** What one value of fixed width is. */
export interface ValueShape {
  readonly bits: 1 | 8 | 16 | 32 | 64;
  /** The only values allowed, as those of an enum: of 16 unsigned or 32 signed bits. */
  readonly values?: ReadonlySet<number>;
  /** For 64 bits: whether it is an integer that a JavaScript number has to hold. */
  readonly safe?: "signed" | "unsigned";
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
}

/** A list. */
export interface ListShape {
  readonly kind: "list";
  readonly element: ElementShape;
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

/**
 * What a message may ask of its reader. The defaults of the first three are the C++ library's
 * (capnp/serialize.c++, and `ReaderOptions` of capnp/message.h).
 */
export interface CapnpLimits {
  /** Segments; 511. */
  readonly segments?: number;
  /** Pointers to structs and lists, and elements that are structs, one inside another, the root counted; 64. */
  readonly nesting?: number;
  /**
   * Words that may be visited, each as often as pointers lead to it, and one for an element without content;
   * 8 Mi. What is shared by many pointers, or goes in circles, ends here.
   */
  readonly traversalWords?: number;
  /**
   * Bytes of heap that all of it may take as plain JavaScript values, by an estimate that is rather high. One
   * bit becomes a property or element of 8 bytes, so that few bytes with a million bools are a large value.
   * Without it there is no such limit.
   */
  readonly heapBytes?: number;
}

/** What a packed message may unpack to. */
export interface UnpackLimits {
  /** Bytes; 64 MiB, as many as the C++ library reads by default. Two packed bytes can stand for 2048. */
  readonly unpackedBytes?: number;
  /** As in {@link CapnpLimits}. */
  readonly segments?: number;
}

/** Default of {@link CapnpLimits.segments}. */
export const MAX_SEGMENTS = 511;
/** Default of {@link CapnpLimits.nesting}. */
export const MAX_NESTING = 64;
/** Default of {@link CapnpLimits.traversalWords}. */
export const MAX_TRAVERSAL_WORDS = 8 * 2 ** 20;
/** Default of {@link UnpackLimits.unpackedBytes}. */
export const MAX_UNPACKED_BYTES = 64 * 2 ** 20;

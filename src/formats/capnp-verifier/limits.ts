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

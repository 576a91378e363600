import type { Int64Mode } from "../../model/schema.ts";

/**
 * One value of a struct. An integer is a number, or a bigint where it has 64 bits, by {@link StructOptions.int64};
 * `?` is a boolean, and a number is taken for whether it is not zero; `e`, `f` and `d` are numbers; `c`, `s` and `p`
 * are bytes, and where {@link StructOptions.text} says so strings.
 */
export type StructValue = number | bigint | boolean | string | Uint8Array;

/** What CPython leaves to the language, and limits. */
export interface StructOptions {
  /**
   * What an integer of 64 bits is unpacked to, `bigint` by default; `number` throws DecodeError for one that is no
   * safe integer. Both are packed.
   */
  readonly int64?: Int64Mode;
  /**
   * Whether `s` and `p` are strings, kept as UTF-8: all of them, or the values of these indexes. What does not fit is
   * then a ValueError, not cut off, and the zeros that fill an `s` are unpacked with it. By default none.
   */
  readonly text?: boolean | readonly number[];
  /** Most bytes of one struct, 64 MiB by default. A format of more is a SchemaError. */
  readonly maxBytes?: number;
  /** Most values of one struct, 1,000,000 by default. A format of more is a SchemaError. */
  readonly maxValues?: number;
  /** Most runs of values of one character, each of which is code of its own, 10,000 by default. More are a SchemaError. */
  readonly maxRuns?: number;
}

/** {@link StructOptions.text}, by the index of a value. */
export type TextRule = (index: number) => boolean;

import type { ScalarName } from "./scalars.ts";

/**
 * What a message is checked against: a table and its fields in the order of their ids. A table may contain
 * itself, so shapes are objects that refer to each other.
 */
export interface TableShape {
  readonly fields: readonly FieldShape[];
  /**
   * Bytes of memory that a table without any field takes once it is decoded, such as those of empty lists that
   * stand for absent vectors; by default what an object takes that has a place for each field.
   */
  readonly memory?: number;
}

/** One field of a table. */
export interface FieldShape {
  /** For the path in an error. */
  readonly name: string;
  readonly type: TypeShape;
  /** Whether a table without it is refused. */
  readonly required?: boolean;
}

/** A scalar, and which of its values are allowed. A `bool` is 0 or 1. */
export interface ScalarShape {
  readonly kind: "scalar";
  readonly scalar: ScalarName;
  /** Values of an enum that has no others. */
  readonly values?: ReadonlySet<number>;
  /** Whether a 64-bit integer beyond 2^53 is refused, because the reader makes it a number. */
  readonly safe?: boolean;
}

/** What an element of a vector is. */
export type ElementShape =
  | ScalarShape
  | { readonly kind: "string" }
  | { readonly kind: "table"; readonly table: TableShape };

/** A vector. */
export interface VectorShape {
  readonly kind: "vector";
  readonly element: ElementShape;
  /** The one number of elements that is allowed. */
  readonly length?: number;
  /** Whether the elements are tables, of which no two may have the same integer or string in field 0. */
  readonly distinctKeys?: boolean;
}

/** What a field is. Unions, structs and nested messages are not covered. */
export type TypeShape = ElementShape | VectorShape;

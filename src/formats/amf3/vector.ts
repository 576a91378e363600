/** What a vector holds: 32-bit integers, doubles, or any values. */
export type VectorItems = Int32Array | Uint32Array | Float64Array | unknown[];

/** A list of elements of one type (section 3.15): `Vector.<int>`, `<uint>`, `<Number>`, or of objects. */
export class Vector<Items extends VectorItems = VectorItems> {
  readonly items: Items;
  /** Whether its length is fixed, in the program that it is for. */
  readonly fixed: boolean;
  /** Class of a vector of objects; `""` where it is none in particular, and for vectors of numbers. */
  readonly className: string;

  constructor(items: Items, options: { readonly fixed?: boolean; readonly className?: string } = {}) {
    this.items = items;
    this.fixed = options.fixed ?? false;
    this.className = options.className ?? "";
  }
}

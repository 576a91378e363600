import { KeyNode, KeyTree, LONGEST, MOST_KEYS } from "../bytes/key-tree.ts";
import { compileWriteShape, type ShapeCode } from "./shape-writer.ts";

/** Objects whose keys are those from the root of the tree down to here, in that order. */
export class ObjectShape extends KeyNode<ShapeCode> {
  readonly key: string;
  #order: readonly number[] | undefined;

  constructor(above: ObjectShape | undefined, key: string) {
    super(above, key);
    this.key = key;
  }

  /** For each place in the map, which property is there. */
  get order(): readonly number[] {
    this.#order ??= sortedOrder(this.keys);
    return this.#order;
  }
}

/** Shapes of objects as they were written. */
export class ObjectShapes extends KeyTree<ShapeCode, ObjectShape> {
  constructor() {
    super(new ObjectShape(undefined, ""));
  }

  protected override compile(shape: ObjectShape): ShapeCode {
    return compileWriteShape(this, shape);
  }

  /** The shape with one key more, or undefined where it is not to be kept. */
  extend(shape: ObjectShape, key: string): ObjectShape | undefined {
    const { next } = shape;
    if (next !== undefined && next.key === key) return next;
    const known = this.find(shape, (one) => one.key === key);
    if (known !== undefined) return known;
    if (key.length > LONGEST || shape.keys.length >= MOST_KEYS || !key.isWellFormed()) return undefined;
    return this.add(shape, new ObjectShape(shape, key));
  }
}

/** Shapes of objects that were met, by any writer. */
export const shapes = new ObjectShapes();

/** The places of some keys in the order that Erlang sorts them in. */
export function sortedOrder(keys: readonly string[]): number[] {
  return keys.map((_, i) => i).sort((a, b) => compareText(keys[a]!, keys[b]!));
}

/** The order of the UTF-8 of two texts, which is that of their code points: below 0, 0 or above. */
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** A surrogate stands for a code point beyond all that are one unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

import { KeyNode, KeyTree, MOST_KEYS } from "../bytes/key-tree.ts";
import { compileWriteDict } from "./dict-writer.ts";
import type { WriteObject } from "./object-writers.ts";
import { SLOT_TEXT } from "./text-memo.ts";

/** Objects whose shapes are noted, each of them. */
const EAGER = 2000;

/** Objects whose keys are those from the root of the tree down to here, in that order. */
export class DictShape extends KeyNode<WriteObject> {
  readonly key: string;

  constructor(above: DictShape | undefined, key: string) {
    super(above, key);
    this.key = key;
  }
}

/** Shapes of objects as they were written. */
export class DictShapes extends KeyTree<WriteObject, DictShape> {
  /** By the first key, what wrote such an object last; no more than there is code. */
  readonly #byFirst = new Map<string, WriteObject>();

  #chance = 1;
  #eager = EAGER;

  constructor() {
    super(new DictShape(undefined, ""));
  }

  protected override compile(shape: DictShape): WriteObject {
    return compileWriteDict(this, shape);
  }

  /**
   * The shape with one key more, or undefined where it was not met before: now it was. So each object adds one shape at
   * most, and those with keys of their own cost little.
   */
  follow(shape: DictShape, key: string): DictShape | undefined {
    const { next } = shape;
    if (next !== undefined && next.key === key) return next;
    const known = this.find(shape, (one) => one.key === key);
    if (known !== undefined) return known;
    const isKept = key.length <= SLOT_TEXT && shape.keys.length < MOST_KEYS && key.isWellFormed();
    if (isKept) this.add(shape, new DictShape(shape, key));
    return undefined;
  }

  /**
   * Whether to note the shape of an object: of the first ones each, then one in eight by chance. It takes as long as to
   * write some keys, for nothing where no shape is met again.
   */
  isToLearn(): boolean {
    if (this.#eager > 0) return --this.#eager >= 0;
    this.#chance = (Math.imul(this.#chance, 0x5bd1e995) + 0x3039) | 0;
    return this.#chance >>> 29 === 0;
  }

  /** What is to write objects that begin with a key. */
  expectedFor(first: string): WriteObject | undefined {
    return this.#byFirst.get(first);
  }

  /** What is to write objects of a shape that was met, if it was often. */
  writerOf(shape: DictShape): WriteObject | undefined {
    if (shape.keys.length < 2) return undefined;
    const write = this.codeOf(shape);
    if (write !== undefined) this.#byFirst.set(shape.keys[0]!, write);
    return write;
  }

  protected override forget(): void {
    super.forget();
    this.#byFirst.clear();
  }
}

/** Shapes of objects that were met, by any pickler. */
export const shapes = new DictShapes();

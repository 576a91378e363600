import { type ObjectShape, shapes } from "./object-shapes.ts";

/**
 * The properties of the objects that are being written. Those of one object are all read, in their order, before any is
 * written: what a getter does to the object it is of has the same effect however the object is written.
 */
export class Properties {
  /** Values of the objects that are being written, those of the outer before those of the inner. */
  readonly values: unknown[] = [];
  /** Where those of the object that is being read begin. */
  from = 0;
  /** Shape of what was read of it; undefined where that is not kept. */
  shape: ObjectShape | undefined = shapes.root;
  /** Its keys where its shape is not kept. */
  keys: readonly string[] = [];
  #top = 0;
  #mayInherit = false;

  /** Begins with an object. @param mayInherit whether a loop over its properties may give some that are not its own */
  begin(mayInherit: boolean): void {
    this.from = this.#top;
    this.shape = shapes.root;
    this.#mayInherit = mayInherit;
  }

  /** Begins with an object of which the first values were read: as many as given, of a shape that begins like its own. */
  beginWith(shape: ObjectShape, values: readonly unknown[]): void {
    this.begin(false);
    for (const value of values) this.values[this.#top++] = value;
    this.shape = shape.first(values.length);
  }

  /** Goes on to the property that a loop over an object's gives next; false where it is to be left out. */
  follow(object: object, key: string): boolean {
    const { shape } = this;
    if (this.#mayInherit && !Object.hasOwn(object, key)) return false;
    if (shape === undefined) (this.keys as string[]).push(key);
    else {
      this.shape = shapes.extend(shape, key);
      if (this.shape === undefined) this.keys = [...shape.keys, key];
    }
    return true;
  }

  /** Takes the value of that property. */
  take(value: unknown): void {
    this.values[this.#top++] = value;
  }

  /** Ends with an object, given where it began. */
  end(from: number): void {
    this.#top = from;
  }
}

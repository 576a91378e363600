/** Where the variables of interpreted code are: in frames, by a number that is known before it runs. */
import type { ClassCode, Code } from "./syntax.ts";

/** What a call or a turn of a loop has of its own: the frame around it, `this`, `new.target`, and its variables. */
export type Frame = unknown[];

/** Places in a frame. */
export const PARENT = 0;
export const THIS = 1;
export const TARGET = 2;
export const ARGUMENTS = 3;
const FIRST = 4;

/** The frame of a call. */
export function frameOf(
  size: number,
  parent: Frame,
  self: unknown,
  target: unknown,
  args: readonly unknown[],
): Frame {
  const frame: Frame = new Array(size);
  frame[PARENT] = parent;
  frame[THIS] = self;
  frame[TARGET] = target;
  frame[ARGUMENTS] = args;
  return frame;
}

/** A frame within that of a call. */
export function innerFrame(size: number, parent: Frame): Frame {
  return frameOf(size, parent, parent[THIS], parent[TARGET], parent[ARGUMENTS] as readonly unknown[]);
}

/** What makes functions and classes, which hold statements and are held by expressions. */
export interface Makers {
  function(code: Code, scope: Scope, own?: string): (frame: Frame) => unknown;
  class(code: ClassCode, scope: Scope): (frame: Frame) => unknown;
}

/** What is known of the frames of one function, or of one body of a loop. */
interface Layout {
  size: number;
  readonly isFunction: boolean;
}

/** A place of a variable: so many frames up, and there. */
export interface Place {
  readonly hops: number;
  readonly index: number;
}

/** The names that are known at a place of the source. */
export class Scope {
  readonly make: Makers;
  readonly #parent: Scope | undefined;
  readonly #layout: Layout;
  readonly #names = new Map<string, { readonly index: number; readonly isShared: boolean }>();

  private constructor(make: Makers, parent: Scope | undefined, layout: Layout) {
    this.make = make;
    this.#parent = parent;
    this.#layout = layout;
  }

  /** The names around a source, of which there are none. */
  static outermost(make: Makers): Scope {
    return new Scope(make, undefined, { size: FIRST, isFunction: true });
  }

  /** Names of a function, whose calls have frames of their own. */
  function(): Scope {
    return new Scope(this.make, this, { size: FIRST, isFunction: true });
  }

  /** Names of a block. @param hasFrame whether each of its turns has a frame of its own */
  block(hasFrame = false): Scope {
    return new Scope(this.make, this, hasFrame ? { size: FIRST, isFunction: false } : this.#layout);
  }

  /** Whether its frame is another than that of the scope around it. */
  hasOwnFrame(outer: Scope): boolean {
    return this.#layout !== outer.#layout;
  }

  /** How long a frame is, once all names are declared. */
  get size(): number {
    return this.#layout.size;
  }

  /** Gives a name a place in the frame. @param isShared between the turns of a loop, so that no function may keep it */
  declare(name: string, isShared = false): number {
    const index = this.#layout.size;
    this.#layout.size += 1;
    this.#names.set(name, { index, isShared });
    return index;
  }

  /** Where a name is; undefined where it is none of the code's. Throws SyntaxError for one that a function cannot keep. */
  find(name: string): Place | undefined {
    let hops = 0;
    let isInFunction = false;
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#parent) {
      const found = scope.#names.get(name);
      if (found !== undefined) {
        if (found.isShared && isInFunction)
          throw new SyntaxError(`cannot interpret: a function in a loop that keeps its variable ${name}`);
        return { hops, index: found.index };
      }
      if (scope.#parent !== undefined && scope.#parent.#layout !== scope.#layout) {
        hops += 1;
        isInFunction ||= scope.#layout.isFunction;
      }
    }
    return undefined;
  }
}

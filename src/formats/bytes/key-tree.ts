import { canCompile } from "../../model/generated-code.ts";

/**
 * Sequences of keys of objects or maps that were met before, as a tree of a bounded size: each key is below those that
 * come before it. A sequence that is met again and again gets code of its own, and so many do, at most.
 */

/** Most keys of a sequence, as Erlang keeps maps of up to 32 keys as it keeps tuples, and sorted. */
export const MOST_KEYS = 32;

/** Bytes of a key that is kept for reading, and UTF-16 units of one for writing. */
export const LONGEST = 64;

/** Most keys that are tried at one place. */
const MOST_OTHERS = 16;

/** Most nodes that are added before those that lead to no code are forgotten. */
export const MOST = 4096;

/** Most nodes that get code before everything is forgotten. */
export const MOST_CODE = 256;

/** How often a sequence is met before it gets code, which takes as long as to read or write hundreds of objects. */
export const FIRST_USES = 16;

/** What mostly comes next of late, at one depth. */
class Place<Node> {
  successor: Node | undefined = undefined;
  /** Whether it was something else the last time: objects of one kind that follow one another end once. */
  isDoubtful = false;
}

/** The sequence of keys from the root of a tree down to here. */
export class KeyNode<Code> {
  readonly keys: readonly string[];
  /** The sequence of one key less; undefined at the root. */
  readonly above: this | undefined;
  /** Code for it; undefined until it is met often. */
  code: Code | undefined;
  /** How often it was met without code. */
  uses = 0;
  /** After it, at the same depth. */
  readonly after = new Place<this>();
  /** First in it, at the next depth. */
  readonly inside = new Place<this>();
  /** The sequences of one key more, the last to be met first. */
  next: this | undefined;
  /** The next of those that are one key more than the same one. */
  other: this | undefined;

  constructor(above: KeyNode<Code> | undefined, key: string) {
    this.keys = above === undefined ? [] : [...above.keys, key];
    this.above = above as this | undefined;
    this.code = undefined;
    this.next = undefined;
    this.other = undefined;
  }

  /** The sequence of the first so many keys. */
  first(count: number): this {
    let node = this;
    while (node.keys.length > count) node = node.above!;
    return node;
  }
}

/** A tree of sequences. */
export abstract class KeyTree<Code, Node extends KeyNode<Code>> {
  readonly root: Node;
  /** By depth, where we are. */
  readonly #places: (Place<Node> | undefined)[] = [];
  #count = 0;
  #compiled = 0;
  #uses = FIRST_USES;

  constructor(root: Node) {
    this.root = root;
  }

  /** Generates code for a sequence of at least one key. */
  protected abstract compile(node: Node): Code;

  /** The code of what is likely to be next at a depth. */
  expected(depth: number): Code | undefined {
    return this.#places[depth]?.successor?.code;
  }

  /** Notes what was met at a depth. */
  note(node: Node, depth: number): void {
    const place = this.#places[depth];
    if (place !== undefined) {
      const isOther = place.successor !== node;
      if (isOther && (place.isDoubtful || place.successor === undefined)) place.successor = node;
      else if (place.isDoubtful !== isOther) place.isDoubtful = isOther;
    }
    if (place !== node.after) this.#places[depth] = node.after;
  }

  /** Notes that what comes at the next depth is in a node. */
  enter(node: Node, depth: number): void {
    this.#places[depth + 1] = node.inside;
  }

  /** The code of what was met, if it has or now gets some. */
  codeOf(node: Node): Code | undefined {
    if (node.code !== undefined) return node.code;
    node.uses += 1;
    // Interpreted, it would take longer than what it stands for.
    if (node.uses < this.#uses || node.keys.length === 0 || !canCompile()) return undefined;
    if (++this.#compiled > MOST_CODE) {
      // What asks for so much code gets less of it each time.
      this.#uses *= 2;
      this.forget();
      return undefined;
    }
    node.code = this.compile(node);
    return node.code;
  }

  /** What comes next after a node and is the one sought for, which is then the first; undefined if there is none. */
  protected find(node: Node, isSought: (one: Node) => boolean): Node | undefined {
    const first = node.next;
    if (first === undefined) return undefined;
    if (isSought(first)) return first;
    let before = first;
    for (let i = 1; before.other !== undefined; i++) {
      const one = before.other;
      if (isSought(one)) {
        before.other = one.other;
        one.other = first;
        node.next = one;
        return one;
      }
      // The last to be met gives way.
      if (i === MOST_OTHERS - 1) before.other = undefined;
      else before = one;
    }
    return undefined;
  }

  /** Adds a node that is one key more than another; undefined, and it is not added, where there are too many. */
  protected add(node: Node, added: Node): Node | undefined {
    if (++this.#count > MOST) {
      this.#prune();
      return undefined;
    }
    added.other = node.next;
    node.next = added;
    return added;
  }

  /** Forgets what leads to no code, or everything where that is not much. */
  #prune(): void {
    this.#places.length = 0;
    this.#count = keepCode(this.root);
    if (this.#count > MOST / 2) this.forget();
  }

  /** Forgets everything. */
  protected forget(): void {
    this.#count = 0;
    this.#compiled = 0;
    this.root.next = undefined;
    this.#places.length = 0;
  }
}

/** Forgets what is below a node and leads to no code, and what came after the rest. Gives back how many are left. */
function keepCode<Code>(node: KeyNode<Code>): number {
  let count = 0;
  let kept: KeyNode<Code> | undefined;
  for (let one = node.next; one !== undefined; one = one.other) {
    const below = keepCode(one);
    if (below === 0 && one.code === undefined) continue;
    count += 1 + below;
    one.after.successor = undefined;
    one.inside.successor = undefined;
    if (kept === undefined) node.next = one;
    else kept.other = one;
    kept = one;
  }
  if (kept === undefined) node.next = undefined;
  else kept.other = undefined;
  return count;
}

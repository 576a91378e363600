/**
 * What was read before, as a tree: the keys of maps, each below those that came before it in its map. A map that has
 * the keys of an earlier one is read by comparing bytes, without making a string of any key; and objects get the same
 * strings in the same order, so that V8 gives them one hidden class.
 */

/** A key, after all those above it. */
export class KeyPath {
  /** All keys of the path, this one the last. */
  readonly keys: readonly string[];
  /** The term of the key as it stands in the input, tag and length included. */
  readonly size: number;
  /** That term as words of 32 bits, the highest byte first; the last ends where the term does, over the one before. */
  readonly words: readonly number[];
  /** Whether a property of that name can be set by assignment on every object of the path. */
  readonly assignable: boolean;
  /** The keys that came after it, the last to be met first. */
  next: KeyPath | undefined;
  /** The next of those that came after the same key. */
  other: KeyPath | undefined;

  constructor(above: KeyPath | undefined, key: string, words: readonly number[], size: number) {
    this.keys = above === undefined ? [] : [...above.keys, internalized(key)];
    this.size = size;
    this.words = words;
    this.assignable = above === undefined || (above.assignable && key !== "__proto__");
    this.next = undefined;
    this.other = undefined;
  }
}

/** The same text as V8 keeps names of properties: with it, setting a property takes 3 ns instead of 8 (measured). */
function internalized(key: string): string {
  return Object.keys({ [key]: 0 })[0]!;
}

/** Most keys of a map that is kept here; Erlang keeps maps of up to 32 keys as it keeps tuples. */
export const LONGEST_PATH = 32;

/** Bytes of a key that is kept: one word at least. */
const SHORTEST = 4;
const LONGEST = 64;

/** Most keys that are tried at one place. */
const MOST_OTHERS = 8;

/** Most keys in all; with one more, everything is forgotten, so that no input can make it grow. */
const MOST = 4096;

/** A tree of paths. */
export class KeyPaths {
  readonly root = new KeyPath(undefined, "", [], 0);
  #count = 0;

  /** The path that goes on with the key at the offset, or undefined if it was not met before. */
  follow(path: KeyPath, view: DataView, at: number, end: number): KeyPath | undefined {
    const first = path.next;
    if (first === undefined) return undefined;
    if (isAt(first, view, at, end)) return first;
    return this.#followOther(path, first, view, at, end);
  }

  #followOther(path: KeyPath, first: KeyPath, view: DataView, at: number, end: number): KeyPath | undefined {
    let before = first;
    for (let i = 1; i < MOST_OTHERS && before.other !== undefined; i++) {
      const one = before.other;
      if (isAt(one, view, at, end)) {
        before.other = one.other;
        one.other = first;
        path.next = one;
        return one;
      }
      before = one;
    }
    before.other = undefined;
    return undefined;
  }

  /** Keeps the key from `at` to `end`, which is not in the path yet; undefined where it is not to be kept. */
  add(path: KeyPath, key: string, view: DataView, at: number, end: number): KeyPath | undefined {
    const size = end - at;
    if (size < SHORTEST || size > LONGEST || path.keys.length >= LONGEST_PATH) return undefined;
    if (++this.#count > MOST) {
      this.#count = 0;
      this.root.next = undefined;
      return undefined;
    }
    const words: number[] = [];
    for (let offset = 0; offset < size; offset += 4)
      words.push(view.getInt32(Math.min(at + offset, end - 4)));
    const added = new KeyPath(path, key, words, size);
    added.other = path.next;
    path.next = added;
    return added;
  }
}

/** Whether the bytes at the offset are the key's. What tells keys apart is at the end: it is compared first. */
function isAt({ size, words }: KeyPath, view: DataView, at: number, end: number): boolean {
  const last = at + size - 4;
  if (last + 4 > end) return false;
  const count = words.length - 1;
  if (view.getInt32(last) !== words[count]) return false;
  for (let i = 0; i < count; i++) if (view.getInt32(at + 4 * i) !== words[i]) return false;
  return true;
}

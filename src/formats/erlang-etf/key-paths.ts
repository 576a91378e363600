import { KeyNode, KeyTree, LONGEST, MOST_KEYS } from "../bytes/key-tree.ts";
import { compileReadPath, type PathCode } from "./path-reader.ts";

/** Bytes of a key that is kept: one word at least. */
const SHORTEST = 4;

/** A key, after all those above it. */
export class KeyPath extends KeyNode<PathCode> {
  /** The term of the key as it stands in the input, tag and length included. */
  readonly size: number;
  /** That term as words of 32 bits, the highest byte first; the last ends where the term does, over the one before. */
  readonly words: readonly number[];

  constructor(above: KeyPath | undefined, key: string, words: readonly number[], size: number) {
    super(above, key);
    this.size = size;
    this.words = words;
  }
}

/**
 * Keys as they were read. A map that has the keys of an earlier one is read by comparing bytes, without making a string
 * of any key.
 */
export class KeyPaths extends KeyTree<PathCode, KeyPath> {
  constructor() {
    super(new KeyPath(undefined, "", [], 0));
  }

  protected override compile(path: KeyPath): PathCode {
    return compileReadPath(this, path);
  }

  /** The path that goes on with the key at the offset, or undefined if it was not met before. */
  follow(path: KeyPath, view: DataView, at: number, end: number): KeyPath | undefined {
    const { next } = path;
    if (next === undefined || isAt(next, view, at, end)) return next;
    return this.find(path, (one) => isAt(one, view, at, end));
  }

  /** Keeps the key from `at` to `end`, which is not in the path yet; undefined where it is not to be kept. */
  keep(path: KeyPath, key: string, view: DataView, at: number, end: number): KeyPath | undefined {
    const size = end - at;
    if (size < SHORTEST || size > LONGEST || path.keys.length >= MOST_KEYS) return undefined;
    const words: number[] = [];
    for (let offset = 0; offset < size; offset += 4) {
      words.push(view.getInt32(Math.min(at + offset, end - 4)));
    }
    return this.add(path, new KeyPath(path, key, words, size));
  }
}

/** Keys that were met, by any reader. */
export const paths = new KeyPaths();

/** Whether the bytes at the offset are the key's. What tells keys apart is at the end: it is compared first. */
function isAt({ size, words }: KeyPath, view: DataView, at: number, end: number): boolean {
  const last = at + size - 4;
  if (last + 4 > end) return false;
  const count = words.length - 1;
  if (view.getInt32(last) !== words[count]) return false;
  for (let i = 0; i < count; i++) if (view.getInt32(at + 4 * i) !== words[i]) return false;
  return true;
}

import { compile, literalKey } from "../../model/generated-code.ts";
import { KeyNode, KeyTree, LONGEST, MOST_KEYS } from "../bytes/key-tree.ts";
import type { TermReader } from "./reader.ts";
import * as tags from "./tags.ts";

/** Bytes of a key that is kept: one word at least. */
const SHORTEST = 4;

/** A reader of maps whose keys are likely to be those of a path. */
export interface PathReader extends TermReader {
  /** Reads a binary, whose tag comes next. */
  text(): string | Uint8Array;
  /** Reads the rest of a map of `pairs` keys, of which the first were read: those of a path. @param values of these */
  rest(begun: KeyPath, values: unknown[], pairs: number, depth: number): object;
}

/** How maps of a path of keys are read, as code of their own. */
export interface PathCode {
  /** How many keys there are. */
  readonly pairs: number;
  /** Reads a map of so many keys, which are likely to be those of the path. @param depth of the map, from 1 */
  readonly map: (reader: PathReader, depth: number) => object;
  /** Makes an object of values, in the order of the keys. */
  readonly build: (values: readonly unknown[]) => object;
}

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

/**
 * Generates the code that reads maps of a path. Keys are compared where they stand, as numbers that are part of the
 * code, and the object is made at once, with all its properties: V8 gives all of them one hidden class.
 * @param paths where to note that a map of the path was read
 * @param path of at least one key
 */
function compileReadPath(paths: KeyPaths, path: KeyPath): PathCode {
  const nodes = path.keys.map((_, i) => path.first(i + 1));
  const all = nodes.map((_, i) => `v${i}`);
  const object = (values: readonly string[]): string =>
    `{ ${path.keys.map((key, i) => `${literalKey(key)}: ${values[i]}`).join(", ")} }`;
  const steps = nodes.map(({ size, words }, i) => {
    const last = words.length - 1;
    const differs = words.map((word, n) => {
      return `view.getInt32(at + ${n === last ? size - 4 : 4 * n}) !== ${word}`;
    });
    return `if (at + ${size + 1} >= end || ${[differs[last], ...differs.slice(0, last)].join(" || ")}) {
      r.at = at;
      return r.rest(path.first(${i}), [${all.slice(0, i).join(", ")}], ${nodes.length}, d);
    }
    at += ${size};
    if (bytes[at] === ${tags.SMALL_INTEGER}) {
      v${i} = bytes[at + 1];
      at += 2;
    } else if (bytes[at] === ${tags.NEW_FLOAT} && at + 9 <= end && isFinite(v${i} = view.getFloat64(at + 1))) {
      at += 9;
    } else {
      r.at = at;
      v${i} = bytes[at] === ${tags.BINARY} ? r.text() : r.term(d);
      at = r.at;
    }`;
  });
  const source = `return {
  pairs: ${nodes.length},
  map(r, d) {
    const bytes = r.bytes, view = r.view, end = bytes.length;
    let at = r.at, ${all.join(", ")};
    paths.enter(path, d);
    ${steps.join("\n    ")}
    r.at = at;
    paths.note(path, d);
    return ${object(all)};
  },
  build(v) {
    return ${object(all.map((_, i) => `v[${i}]`))};
  },
};`;
  return compile(source, { paths, path, isFinite: Number.isFinite });
}

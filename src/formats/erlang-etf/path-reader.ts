import { compile, literalKey } from "../../model/generated-code.ts";
import type { KeyPath, KeyPaths } from "./key-paths.ts";
import type { PlainReader } from "./plain-reader.ts";
import * as tags from "./tags.ts";

/** How maps of a path of keys are read, as code of their own. */
export interface PathCode {
  /** How many keys there are. */
  readonly pairs: number;
  /** Reads a map of so many keys, which are likely to be those of the path. @param depth of the map, from 1 */
  readonly map: (reader: PlainReader, depth: number) => object;
  /** Makes an object of values, in the order of the keys. */
  readonly build: (values: readonly unknown[]) => object;
}

/**
 * Generates the code that reads maps of a path. Keys are compared where they stand, as numbers that are part of the
 * code, and the object is made at once, with all its properties: V8 gives all of them one hidden class.
 * @param paths where to note that a map of the path was read
 * @param path of at least one key
 */
export function compileReadPath(paths: KeyPaths, path: KeyPath): PathCode {
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
    } else {
      r.at = at;
      v${i} = r.term(d);
      at = r.at;
    }`;
  });
  const source = `return {
  pairs: ${nodes.length},
  map(r, d) {
    const bytes = r.bytes, view = r.view, end = bytes.length;
    let at = r.at, ${all.join(", ")};
    ${steps.join("\n    ")}
    r.at = at;
    paths.note(path, d);
    return ${object(all)};
  },
  build(v) {
    return ${object(all.map((_, i) => `v[${i}]`))};
  },
};`;
  return compile(source, { paths, path });
}

import { isAscii } from "node:buffer";
import { setOwn } from "../../model/generated-code.ts";
import { copyBytes } from "../bytes/copy.ts";
import { MOST_KEYS } from "../bytes/key-tree.ts";
import { TextCache } from "../bytes/text-cache.ts";
import { readShortText, readUtf8, SHORT_TEXT } from "../bytes/utf8.ts";
import { type KeyPath, paths } from "./key-paths.ts";
import { readAtom, TEXT_BYTE } from "./leaf.ts";
import { TermReader } from "./reader.ts";
import * as tags from "./tags.ts";
import { Atom } from "./terms.ts";

/** Bytes of text from which on it is worth knowing whether a byte of it is a byte of memory. */
const LONG_TEXT = 2 ** 16;

/** Bytes of a short text that V8 makes one string of. A longer one is a string of two, which take so much more memory. */
const ONE_STRING = 12;
const TWO_STRINGS = 64;

/** Bytes of memory that an atom takes beyond an item. */
const ATOM = 96;

const names = new TextCache();

/** Reads terms as values of JavaScript. */
export class PlainReader extends TermReader {
  protected override atom(name: string): unknown {
    switch (name) {
      case "true":
        return true;
      case "false":
        return false;
      case "null":
        return null;
      default:
        this.spend(ATOM);
        return new Atom(name);
    }
  }

  protected override float(value: number): number {
    return value;
  }

  /** Reads a binary, whose tag comes next. */
  text(): string | Uint8Array {
    this.at += 1;
    return this.binary(this.length(1));
  }

  protected override binary(length: number): string | Uint8Array {
    const { at, bytes } = this;
    this.at = at + length;
    if (this.rules.binaries === "bytes") {
      this.spend(length);
      return copyBytes(bytes, at, at + length);
    }
    const short = length <= SHORT_TEXT ? readShortText(bytes, at, length) : undefined;
    if (short !== undefined) {
      if (length > ONE_STRING) this.spend(TWO_STRINGS);
      return short;
    }
    const isAsciiAlone = length >= LONG_TEXT && isAscii(bytes.subarray(at, at + length));
    this.spend(isAsciiAlone ? length : TEXT_BYTE * length);
    const text = readUtf8(bytes, at, at + length);
    if (text !== undefined) return text;
    if (this.rules.binaries === "auto") return copyBytes(bytes, at, at + length);
    return this.fail('a binary that is not UTF-8; the options binaries: "bytes" and "auto" take it', { at });
  }

  protected override map(pairs: number, depth: number): unknown {
    if (this.rules.maps === "Map") return this.readMap(pairs, depth);
    if (pairs > MOST_KEYS) return this.#setAll({}, pairs, depth);
    const code = paths.expected(depth);
    return code?.pairs === pairs ? code.map(this, depth) : this.rest(paths.root, [], pairs, depth);
  }

  /** Reads the rest of a map of `pairs` keys, of which the first were read: those of a path. @param values of these */
  rest(begun: KeyPath, values: unknown[], pairs: number, depth: number): object {
    const { bytes, view } = this;
    const end = bytes.length;
    let path = begun;
    for (let i = values.length; i < pairs; i++) {
      let next = paths.follow(path, view, this.at, end);
      if (next === undefined) {
        const { at } = this;
        const key = this.#key();
        if (path.keys.includes(key)) this.#twice(key, at);
        next = paths.keep(path, key, view, at, this.at);
        if (next === undefined) return this.#mixed(path.keys, values, key, pairs, depth);
      } else this.at += next.size;
      path = next;
      const { at } = this;
      // Small integers are done with in place.
      if (at + 1 < end && bytes[at] === tags.SMALL_INTEGER) {
        values.push(bytes[at + 1]);
        this.at = at + 2;
      } else values.push(this.term(depth));
    }
    paths.note(path, depth);
    return paths.codeOf(path)?.build(values) ?? objectOf(path.keys, values);
  }

  /** A map of which the first keys are known, and where `key`, which was just read, is the first that is not kept. */
  #mixed(keys: readonly string[], values: unknown[], key: string, pairs: number, depth: number): object {
    const object = objectOf(keys, values);
    setOwn(object, key, this.term(depth));
    return this.#setAll(object, pairs - keys.length - 1, depth);
  }

  /** Reads that many entries into an object. */
  #setAll(object: Record<string, unknown>, pairs: number, depth: number): object {
    for (let i = 0; i < pairs; i++) {
      const { at } = this;
      const key = this.#key();
      if (Object.hasOwn(object, key)) this.#twice(key, at);
      setOwn(object, key, this.term(depth));
    }
    return object;
  }

  /** Reads a key: a binary of UTF-8, or an atom. */
  #key(): string {
    const start = this.at;
    const tag = this.uint8();
    switch (tag) {
      case tags.BINARY: {
        const length = this.length(1);
        const { at } = this;
        this.at = at + length;
        if (length > SHORT_TEXT) this.spend(TEXT_BYTE * length);
        return (
          names.read(this.bytes, this.view, at, at + length) ?? this.fail("a key that is not UTF-8", { at })
        );
      }
      case tags.ATOM:
      case tags.SMALL_ATOM:
      case tags.ATOM_UTF8:
      case tags.SMALL_ATOM_UTF8:
        return readAtom(this, tag);
      default:
        return this.fail(
          `expected a binary or an atom as a key, got a term with the tag ${tag}; the option maps: "Map" takes any`,
          { at: start, code: "unsupported" },
        );
    }
  }

  #twice(key: string, at: number): never {
    this.fail(`the key ${JSON.stringify(key)} stands twice`, { at });
  }
}

function objectOf(keys: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  keys.forEach((key, i) => {
    setOwn(object, key, values[i]);
  });
  return object;
}

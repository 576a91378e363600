import { isUtf8 } from "node:buffer";
import { show } from "../../model/value.ts";
import { ByteInput } from "./input.ts";

/** Keys of an object as they are met, and which there may be. */
export interface KeyRules {
  /** Those that stood before. */
  readonly seen: Set<string>;
  /** Whether `__proto__` is refused. */
  readonly refuseProto: boolean;
  /** All that there may be; undefined where any may. */
  readonly allowed: ReadonlySet<string> | undefined;
}

/** The bytes of a self-describing format whose text is UTF-8 behind its length. */
export class TextInput extends ByteInput {
  /** A Buffer, whose own methods make text of it: V8 takes a longer way to native ones that are borrowed. */
  declare readonly bytes: Buffer;

  constructor(format: string, bytes: Uint8Array) {
    super(format, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), Number.POSITIVE_INFINITY);
  }

  /** Steps over `count` bytes. */
  skip(count: number): void {
    this.need(count);
    this.at += count;
  }

  /** Steps over text of `length` bytes, which must be UTF-8. */
  skipText(length: number): void {
    const start = this.at;
    this.skip(length);
    if (!isUtf8(this.bytes.subarray(start, this.at))) this.fail("text is not valid UTF-8", { at: start });
  }

  /** Text of `length` bytes, which must be UTF-8 and may be a key by the rules. @param at where the key begins */
  key(length: number, at: number, rules: KeyRules): void {
    this.skipText(length);
    this.checkKey(this.bytes.toString("utf8", this.at - length, this.at), at, rules);
  }

  /** Checks that text may be a key by the rules. @param at where it begins */
  checkKey(key: string, at: number, { seen, refuseProto, allowed }: KeyRules): void {
    if (seen.has(key)) this.fail(`the key ${show(key)} stands twice`, { at });
    if (refuseProto && key === "__proto__")
      this.fail('"__proto__" cannot be read as a key', { at, code: "unsupported" });
    if (allowed?.has(key) === false) this.fail(`unknown key ${show(key)}`, { at });
    seen.add(key);
  }

  /** Throws a DecodeError where a byte order mark is next, U+FEFF in UTF-8, which the reader of the text would drop. */
  expectNoMark(): void {
    const { at, bytes } = this;
    if (bytes[at] !== 0xef || bytes[at + 1] !== 0xbb || bytes[at + 2] !== 0xbf) return;
    this.fail("text starts with a byte order mark, which would be lost", { code: "unsupported" });
  }

  /** Checks that what a container at `at` says it holds can be there, before anything is made of it. */
  enter(least: number, at: number, depth: number, mostDepth: number): void {
    if (depth > mostDepth) this.fail(`nested deeper than ${mostDepth} levels`, { at, code: "limit" });
    if (least <= this.remaining) return;
    this.fail(`expected at least ${least} more bytes, got ${this.remaining}`, { at, code: "truncated" });
  }
}

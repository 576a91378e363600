import type { MessagePackInput } from "./input.ts";

/** First byte of the extension that begins a bundle: fixext 4 for the first, ext 16 for one after another; and its type, the letter b. */
const FIRST = 0xd6;
const NEXT = 0xc8;
const BUNDLE_TYPE = 0x62;

/** The byte before a length in a bundle, which MessagePack never uses. */
const TEXT = 0xc1;

/** Bytes of the longest text that msgpackr does not hand to a TextDecoder, which drops a byte order mark. */
const MARK_IS_KEPT = 64;

/** Two texts behind what they are of, and how many of their units were taken. */
interface Bundle {
  /** Where the texts begin and end in the message. */
  readonly at: number;
  readonly end: number;
  /** By the sign of a length: below 0 the first, which may be other than ASCII. */
  readonly texts: readonly [string, string];
  readonly taken: [number, number];
}

/**
 * The bundles in which msgpackr writes texts of 4 to 4095 units with `bundleStrings`: the extension says how far behind itself two texts
 * stand, of which the byte 0xc1 and a length take the next units each. The texts of the last bundle end the message, those of any other are
 * in the extension that begins the next. It checks that each is where it is said to be, and taken as a whole.
 */
export class Bundles {
  readonly #input: MessagePackInput;
  #bundle: Bundle | undefined;

  constructor(input: MessagePackInput) {
    this.#input = input;
  }

  /** The text of a bundle that is next, at the head of which a bundle may begin; undefined where something else is. */
  text(): string | undefined {
    const input = this.#input;
    const { at, bytes } = input;
    if (bytes[at] === FIRST && bytes[at + 1] === BUNDLE_TYPE) this.#begin(2);
    else if (bytes[at] === NEXT && bytes[at + 3] === BUNDLE_TYPE) this.#begin(4);
    else if (bytes[at] !== TEXT) return undefined;
    if (input.uint(1) !== TEXT) input.fail("expected a text of the bundle", { at: input.at - 1 });
    return this.#take(at);
  }

  /** Takes the extension that is next. @param head bytes before what it holds, of which there are two more in the one after a bundle */
  #begin(head: 2 | 4): void {
    const input = this.#input;
    const { at, view } = input;
    if ((head === 2) !== (this.#bundle === undefined))
      input.fail("a bundle begins like one that is not the first, or after another");
    const from = at + head;
    input.skip(head);
    const target = from + input.uint(4);
    if (this.#bundle !== undefined) {
      this.#close();
      if (input.at !== from + view.getUint16(at + 1))
        input.fail("expected a bundle's texts to end its extension");
    }
    const { at: next } = input;
    if (target < next) input.fail("texts of a bundle stand before their values", { at: from });
    input.skip(target - next);
    const texts = [this.#whole(), this.#whole()] as const;
    this.#bundle = { at: target, end: input.at, texts, taken: [0, 0] };
    input.at = next;
  }

  /** The next units of the bundle, of the length that comes. */
  #take(at: number): string {
    const input = this.#input;
    const bundle = this.#bundle;
    if (bundle === undefined) return input.fail("a text of a bundle where none has begun", { at });
    const length = this.#length();
    const which = length < 0 ? 0 : 1;
    const from = bundle.taken[which];
    const to = from + Math.abs(length);
    const text = bundle.texts[which].slice(from, to);
    if (length === 0 || to > bundle.texts[which].length || !text.isWellFormed())
      input.fail(`${Math.abs(length)} units are no text of the bundle`, { at });
    bundle.taken[which] = to;
    return text;
  }

  /** Behind the whole value. */
  end(): void {
    if (this.#bundle !== undefined) this.#close();
  }

  /** Steps over the texts of the bundle, which must be next, and taken. */
  #close(): void {
    const { at, end, texts, taken } = this.#bundle!;
    const input = this.#input;
    if (at !== input.at) input.fail(`expected the texts of a bundle here, they stand at byte ${at}`);
    if (texts.some(({ length }, i) => length !== taken[i])) input.fail("a bundle has text that is no value");
    input.at = end;
  }

  #length(): number {
    const input = this.#input;
    const { at, view } = input;
    const token = input.uint(1);
    // From 0x40 on it is the id of a record.
    if (token < 0x40) return token;
    if (token >= 0xe0) return token - 0x100;
    if (token === 0xcc) return input.uint(1);
    if (token === 0xcd) return input.uint(2);
    if (token === 0xd0 || token === 0xd1) {
      const size = token === 0xd0 ? 1 : 2;
      input.skip(size);
      return size === 1 ? view.getInt8(at + 1) : view.getInt16(at + 1);
    }
    return input.fail(`expected the length of a text, got the byte 0x${token.toString(16)}`, { at });
  }

  #whole(): string {
    const input = this.#input;
    const length = input.textLength();
    if (length > MARK_IS_KEPT) input.expectNoMark();
    input.skipText(length);
    return input.bytes.toString("utf8", input.at - length, input.at);
  }
}

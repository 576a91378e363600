import { TextInput } from "../bytes/text-input.ts";

/** The first byte of a data item, and what it says (RFC 8949, section 3). */
export interface Head {
  /** Offset of the first byte. */
  readonly at: number;
  readonly major: number;
  /** The low five bits. */
  readonly info: number;
  /** What the low bits or the bytes behind them say, rounded beyond 2^53; of an indefinite length -1. */
  readonly argument: number;
}

/** Low bits of a first byte: its argument is in one, two, four or eight bytes, or the length is indefinite. */
export const INFO = { one: 24, two: 25, four: 26, eight: 27, indefinite: 31 } as const;

/** The byte that ends what has no length. */
export const BREAK = 0xff;

/** Reads the primitives of CBOR, each checked against the end of the bytes. */
export class CborInput extends TextInput {
  constructor(bytes: Uint8Array) {
    super("cbor", bytes);
  }

  /** The head of the next data item. */
  head(): Head {
    const { at } = this;
    this.need(1);
    const first = this.bytes[this.at++]!;
    const info = first & 0x1f;
    return { at, major: first >> 5, info, argument: this.#argument(info, at) };
  }

  #argument(info: number, at: number): number {
    if (info < INFO.one) return info;
    const start = this.at;
    switch (info) {
      case INFO.one:
        this.skip(1);
        return this.view.getUint8(start);
      case INFO.two:
        this.skip(2);
        return this.view.getUint16(start);
      case INFO.four:
        this.skip(4);
        return this.view.getUint32(start);
      case INFO.eight:
        this.skip(8);
        return this.view.getUint32(start) * 2 ** 32 + this.view.getUint32(start + 4);
      case INFO.indefinite:
        return -1;
      default:
        return this.fail(`the low bits ${info} of a first byte are reserved`, { at });
    }
  }

  /** Whether the end of what has no length is next, which is then passed. */
  isBreak(): boolean {
    this.need(1);
    if (this.bytes[this.at] !== BREAK) return false;
    this.at += 1;
    return true;
  }
}

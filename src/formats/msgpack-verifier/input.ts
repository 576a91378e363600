import { TextInput } from "../bytes/text-input.ts";

/** Reads the primitives of MessagePack, each checked against the end of the bytes. */
export class MessagePackInput extends TextInput {
  constructor(bytes: Uint8Array) {
    super("msgpack", bytes);
  }

  /** An unsigned integer of `size` bytes. */
  uint(size: 1 | 2 | 4): number {
    const at = this.at;
    this.skip(size);
    if (size === 1) return this.view.getUint8(at);
    return size === 2 ? this.view.getUint16(at) : this.view.getUint32(at);
  }

  /** The length of text, which must come next. @param isKey where other values are sound, and not read */
  textLength(isKey = false): number {
    const at = this.at;
    const token = this.uint(1);
    const tag = TAGS[token - 0xc0];
    if (token >= 0xa0 && token < 0xc0) return token & 0x1f;
    if (tag?.kind === "text") return this.uint(tag.size);
    const got = `got the byte 0x${token.toString(16)}`;
    if (!isKey) return this.fail(`expected text, ${got}`, { at });
    return this.fail(`expected text as a key, ${got}`, {
      at,
      code: token === 0xc1 ? "corrupt" : "unsupported",
    });
  }

  /** An integer of eight bytes. */
  long(signed: boolean): bigint {
    const at = this.at;
    this.skip(8);
    return signed ? this.view.getBigInt64(at) : this.view.getBigUint64(at);
  }
}

/**
 * What follows a first byte from 0xc0 to 0xdf (specification, "Formats"). `size` counts bytes: of the value where
 * it is `fixed`, and of the length before it otherwise.
 */
export type Tag =
  | { readonly kind: "fixed"; readonly size: 0 | 1 | 2 | 4 | 8 }
  | { readonly kind: "bytes" | "text" | "array" | "map" | "extension"; readonly size: 1 | 2 | 4 }
  /** An extension of 1, 2, 4, 8 or 16 bytes has its type next. */
  | { readonly kind: "fixed extension"; readonly size: 0 }
  | { readonly kind: "uint64" | "int64"; readonly size: 8 }
  | { readonly kind: "never used"; readonly size: 0 };

/** Indexed by the first byte less 0xc0. */
export const TAGS: readonly Tag[] = [
  { kind: "fixed", size: 0 }, // c0 nil
  { kind: "never used", size: 0 }, // c1
  { kind: "fixed", size: 0 }, // c2 false
  { kind: "fixed", size: 0 }, // c3 true
  { kind: "bytes", size: 1 }, // c4 bin 8
  { kind: "bytes", size: 2 }, // c5 bin 16
  { kind: "bytes", size: 4 }, // c6 bin 32
  { kind: "extension", size: 1 }, // c7 ext 8
  { kind: "extension", size: 2 }, // c8 ext 16
  { kind: "extension", size: 4 }, // c9 ext 32
  { kind: "fixed", size: 4 }, // ca float 32
  { kind: "fixed", size: 8 }, // cb float 64
  { kind: "fixed", size: 1 }, // cc uint 8
  { kind: "fixed", size: 2 }, // cd uint 16
  { kind: "fixed", size: 4 }, // ce uint 32
  { kind: "uint64", size: 8 }, // cf
  { kind: "fixed", size: 1 }, // d0 int 8
  { kind: "fixed", size: 2 }, // d1 int 16
  { kind: "fixed", size: 4 }, // d2 int 32
  { kind: "int64", size: 8 }, // d3
  { kind: "fixed extension", size: 0 }, // d4 fixext 1
  { kind: "fixed extension", size: 0 }, // d5 fixext 2
  { kind: "fixed extension", size: 0 }, // d6 fixext 4
  { kind: "fixed extension", size: 0 }, // d7 fixext 8
  { kind: "fixed extension", size: 0 }, // d8 fixext 16
  { kind: "text", size: 1 }, // d9 str 8
  { kind: "text", size: 2 }, // da str 16
  { kind: "text", size: 4 }, // db str 32
  { kind: "array", size: 2 }, // dc array 16
  { kind: "array", size: 4 }, // dd array 32
  { kind: "map", size: 2 }, // de map 16
  { kind: "map", size: 4 }, // df map 32
];

/** First byte of a record definition: fixext 1. */
export const RECORD_TOKEN = 0xd4;

/** Type of the extension in which msgpackr defines a record: the letter r. */
export const RECORD_TYPE = 0x72;

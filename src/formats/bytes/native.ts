/** Methods of Node's buffers, not all of them documented, and the same for a page; they take any Uint8Array as `this`. */
import { HAS_BUFFER } from "./portable.ts";

interface NativeText {
  indexOf(this: Uint8Array, byte: number, from: number): number;
  latin1Slice(this: Uint8Array, start: number, end: number): string;
  utf8Slice(this: Uint8Array, start: number, end: number): string;
  utf8Write(this: Uint8Array, text: string, at: number, length: number): number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Most arguments of a call: engines differ, and all take more. */
const MOST_CODES = 4096;

const PAGE: NativeText = {
  indexOf(byte, from) {
    return Uint8Array.prototype.indexOf.call(this, byte, from);
  },
  latin1Slice(start, end) {
    let text = "";
    for (let at = start; at < end; at += MOST_CODES)
      text += String.fromCharCode(...this.subarray(at, Math.min(at + MOST_CODES, end)));
    return text;
  },
  utf8Slice(start, end) {
    return decoder.decode(this.subarray(start, end));
  },
  utf8Write(text, at, length) {
    return encoder.encodeInto(text, this.subarray(at, at + length)).written;
  },
};

export const { indexOf, latin1Slice, utf8Slice, utf8Write }: NativeText = HAS_BUFFER
  ? (Buffer.prototype as unknown as NativeText)
  : PAGE;

/** From this many bytes on, Node's native search, encoder and copy beat a loop (measured on Node 20). */
export const LONG = 32;

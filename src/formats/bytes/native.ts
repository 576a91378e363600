/** Methods of Node's buffers, not all of them documented; they take any Uint8Array as `this`. */
interface NativeText {
  indexOf(this: Uint8Array, byte: number, from: number): number;
  latin1Slice(this: Uint8Array, start: number, end: number): string;
  utf8Slice(this: Uint8Array, start: number, end: number): string;
  utf8Write(this: Uint8Array, text: string, at: number, length: number): number;
}

export const { indexOf, latin1Slice, utf8Slice, utf8Write } = Buffer.prototype as unknown as NativeText;

/** From this many bytes on, Node's native search, encoder and copy beat a loop (measured on Node 20). */
export const LONG = 32;

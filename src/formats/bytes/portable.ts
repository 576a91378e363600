/** What Node's Buffer does fastest, and what does the same in a page, where there is none. */

/** Whether this is Node, or has what Node has. */
export const HAS_BUFFER: boolean = typeof Buffer !== "undefined";

const encoder = new TextEncoder();
/** A byte order mark is a character, as it is to Buffer. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Text as UTF-8; half of a surrogate pair becomes U+FFFD. */
export const utf8Bytes: (text: string) => Uint8Array = HAS_BUFFER
  ? (text) => Buffer.from(text, "utf8")
  : (text) => encoder.encode(text);

/** UTF-8 as text; what is none becomes U+FFFD. */
export const utf8Text: (bytes: Uint8Array) => string = HAS_BUFFER
  ? (bytes) => bufferOf(bytes).toString("utf8")
  : (bytes) => decoder.decode(bytes);

/** Bytes of UTF-8 that text takes. */
export const utf8Size: (text: string) => number = HAS_BUFFER
  ? (text) => Buffer.byteLength(text)
  : (text) => encoder.encode(text).length;

/** Bytes in standard base64 with padding. */
export const base64: (bytes: Uint8Array) => string = HAS_BUFFER
  ? (bytes) => bufferOf(bytes).toString("base64")
  : (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** The bytes of base64 in either alphabet, padded or not. */
export const fromBase64: (text: string) => Uint8Array = HAS_BUFFER
  ? (text) => Buffer.from(text, "base64")
  : (text) => {
      const digits = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
      // A last digit alone holds no byte.
      const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits;
      return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
    };

/** Two hexadecimal digits for each byte. */
export const hexText: (bytes: Uint8Array) => string = HAS_BUFFER
  ? (bytes) => bufferOf(bytes).toString("hex")
  : (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes of hexadecimal digits, two for each. */
export const fromHex: (digits: string) => Uint8Array = HAS_BUFFER
  ? (digits) => Buffer.from(digits, "hex")
  : (digits) =>
      Uint8Array.from({ length: digits.length / 2 }, (_, i) =>
        Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16),
      );

/** Which of two runs of bytes comes first, as their first different byte says; a shorter one before what it begins. */
export const compareBytes: (a: Uint8Array, b: Uint8Array) => number = HAS_BUFFER
  ? (a, b) => Buffer.compare(a, b)
  : (a, b) => {
      const shared = Math.min(a.length, b.length);
      for (let i = 0; i < shared; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
      return Math.sign(a.length - b.length);
    };

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

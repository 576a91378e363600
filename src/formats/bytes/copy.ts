import { LONG } from "./native.ts";

/** Copies bytes to their place. */
export function writeBytes(bytes: Uint8Array, at: number, source: Uint8Array): void {
  if (source.length >= LONG) {
    bytes.set(source, at);
    return;
  }
  for (let i = 0; i < source.length; i++) bytes[at + i] = source[i]!;
}

/** A copy of some bytes, as a plain Uint8Array whatever the input is. */
export function copyBytes(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const copy = new Uint8Array(end - start);
  if (end - start >= LONG) copy.set(bytes.subarray(start, end));
  else for (let i = start; i < end; i++) copy[i - start] = bytes[i]!;
  return copy;
}

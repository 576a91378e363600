import { isUtf8 } from "node:buffer";

/** Below this, a loop over ASCII is done before a native call has begun. */
const SHORT = 48;

/** Whether bytes from `start` to `end` are valid UTF-8. */
export function isText(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < SHORT) {
    let i = start;
    while (i < end && bytes[i]! < 0x80) i++;
    if (i === end) return true;
  }
  return isUtf8(bytes.subarray(start, end));
}

import { Refusal } from "./refusal.ts";

/** Refuses a typed array that seems empty, as its memory was given to another thread or has shrunk below it. */
export function expectAttached(array: Uint8Array | Int32Array | Uint32Array | Float64Array): void {
  if (array.length > 0) return;
  try {
    // The method that all typed arrays share. ArrayBuffer.prototype.detached is not there in Node 20.
    Uint8Array.prototype.keys.call(array);
  } catch (error) {
    throw new Refusal("detached from its memory", { cause: error });
  }
}

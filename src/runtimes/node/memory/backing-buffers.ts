import { types } from "node:util";
import { getHeapStatistics } from "node:v8";

/** A buffer outside of the heap, and how much of it is seen. */
export interface BackingBuffer {
  readonly buffer: ArrayBufferLike;
  /** Bytes of the views of it together; at most its length. */
  readonly viewed: number;
}

/** Fields and elements of a value that are looked at: what lies beyond is not found. */
const MAX_FIELDS = 20_000;

/** Longest view whose content V8 may hold on the heap. */
const MAX_ON_HEAP = 64;

/**
 * Every buffer that a value keeps alive by what can be reached from it: elements, fields, entries of maps and
 * sets. Getters and proxies are passed over, and so is what private fields and closures hold. Never throws.
 */
export function backingBuffers(value: unknown): BackingBuffer[] {
  const viewed = new Map<ArrayBufferLike, number>();
  const seen = new Set<unknown>();
  const pending: object[] = [];
  let looks = 0;
  const reach = (found: unknown): boolean => {
    if (typeof found === "object" && found !== null && !seen.has(found)) {
      seen.add(found);
      pending.push(found);
    }
    return ++looks < MAX_FIELDS;
  };
  reach(value);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    try {
      if (types.isProxy(next)) continue;
      if (types.isAnyArrayBuffer(next)) viewed.set(next, next.byteLength);
      else if (ArrayBuffer.isView(next)) addView(viewed, next);
      else reachFrom(next, reach);
    } catch {
      // A view of a buffer that has become too small for it, or an object that is odd in some other way.
    }
  }
  return Array.from(viewed, ([buffer, bytes]) => ({ buffer, viewed: bytes }));
}

/** Tells what an object holds, until `reach` says that it is enough. */
function reachFrom(object: object, reach: (found: unknown) => boolean): void {
  if (Array.isArray(object)) {
    for (let i = 0; i < object.length; i++) {
      if (!reach(Object.getOwnPropertyDescriptor(object, i)?.value)) return;
    }
    return;
  }
  if (types.isMap(object)) {
    for (const [key, entry] of Map.prototype.entries.call(object)) {
      if (!reach(key) || !reach(entry)) return;
    }
  } else if (types.isSet(object)) {
    for (const entry of Set.prototype.values.call(object)) {
      if (!reach(entry)) return;
    }
  }
  for (const key of Reflect.ownKeys(object)) {
    if (!reach(Object.getOwnPropertyDescriptor(object, key)?.value)) return;
  }
}

function addView(viewed: Map<ArrayBufferLike, number>, view: ArrayBufferView): void {
  if (isOnHeap(view)) return;
  const { buffer } = view;
  viewed.set(buffer, Math.min(buffer.byteLength, (viewed.get(buffer) ?? 0) + view.byteLength));
}

/**
 * Whether a view's content is on the heap and no buffer keeps it. To ask such a view for its buffer moves the
 * content out, which is how it is told: only then does V8 count more bytes outside of the heap.
 */
function isOnHeap(view: ArrayBufferView): boolean {
  if (view.byteLength > MAX_ON_HEAP || view.byteOffset > 0) return false;
  const before = getHeapStatistics().external_memory;
  const whole = view.buffer.byteLength === view.byteLength;
  return whole && getHeapStatistics().external_memory > before;
}

import type { ExternalReader } from "./external.ts";

/** What to take from bytes, and how much of it. */
export interface DecodeOptions {
  /** Most bytes; 64 MiB by default. */
  readonly bytes?: number;
  /** Deepest nesting of objects and lists; 100 by default, at most 1,000. */
  readonly depth?: number;
  /** Most values in all, elements of numeric vectors not counted; 1,000,000 by default. */
  readonly items?: number;
  /** What reads objects that write themselves, by class. Without one, such an object is refused by its class's name. */
  readonly external?: ReadonlyMap<string, ExternalReader>;
}

/** What to take from a value. */
export interface EncodeOptions {
  /** Deepest nesting of objects and lists; 100 by default, at most 1,000. */
  readonly depth?: number;
}

export const DEFAULT_BYTES = 64 * 2 ** 20;
export const DEFAULT_ITEMS = 1_000_000;

/** The depth to keep to. The stack has room for {@link DEEPEST} levels and for the caller's own. */
export function depthOf(options: { readonly depth?: number }): number {
  return Math.min(options.depth ?? DEFAULT_DEPTH, DEEPEST);
}

const DEFAULT_DEPTH = 100;
const DEEPEST = 1000;

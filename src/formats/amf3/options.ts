import { expectLimit } from "../bytes/options.ts";
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

/** Every limit of reading, and what was given to read with. */
export type ReadRules = Required<Omit<DecodeOptions, "external">> & Pick<DecodeOptions, "external">;

/** Throws UsageError for a limit that makes no sense. */
export function readRules(options: DecodeOptions): ReadRules {
  const { bytes = 64 * 2 ** 20, items = 1_000_000, external } = options;
  expectLimit("bytes", bytes, Number.POSITIVE_INFINITY);
  expectLimit("items", items, Number.POSITIVE_INFINITY);
  const rules = { bytes, items, depth: depthOf(options) };
  return external === undefined ? rules : { ...rules, external };
}

/** The depth to keep to; throws UsageError for one that makes no sense. */
export function depthOf({ depth = 100 }: { readonly depth?: number }): number {
  expectLimit("depth", depth, DEEPEST);
  return depth;
}

/** For so many levels, and for the caller's own, the stack has room. */
const DEEPEST = 1000;

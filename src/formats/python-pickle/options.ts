import { UsageError } from "../../model/errors.ts";
import { expectLimit, expectOneOf } from "../bytes/options.ts";

/** Protocols that are written. Protocol 0 and 3 are only read. */
export type Protocol = 1 | 2 | 4 | 5;

/** How to write. */
export interface PickleOptions {
  /** 4 by default, as CPython 3.8 to 3.13 have it. */
  readonly protocol?: Protocol;
  /**
   * Whether what is there twice is written once: objects that are the same, and texts that are equal. Texts have no
   * identity in JavaScript, so this is what CPython writes where all equal strings are interned. Without it, the
   * pickle is that of CPython's `Pickler.fast`: it takes no cycles. True by default.
   */
  readonly memo?: boolean;
  /** Deepest nesting of containers; 100 by default, at most {@link MAX_DEPTH}. */
  readonly depth?: number;
}

/** How to read, and how much at most. */
export interface UnpickleOptions {
  /** Most bytes of a pickle; 64 MiB by default. */
  readonly bytes?: number;
  /** Deepest nesting of containers; 100 by default, at most {@link MAX_DEPTH}. */
  readonly depth?: number;
  /** Most values that opcodes may make or fetch from the memo, keys too; 1,000,000 by default. */
  readonly items?: number;
  /**
   * Most values for a reader that follows every reference: what is there twice counts twice, and what contains itself is
   * refused. Any number by default.
   */
  readonly unfolded?: number;
  /** Most bytes of an integer; by default 1,786, which are 4,300 digits. */
  readonly integerBytes?: number;
  /** Most characters of a number that is text, as in protocol 0; 4,300 by default. */
  readonly digits?: number;
  /** `mixed`: an `int` is a number where that is exact, else a bigint. `bigint`: always one. `mixed` by default. */
  readonly integers?: "mixed" | "bigint";
  /** Whether a `float` that is whole is a {@link PyFloat}, so that it stays one when it is written. `number` by default. */
  readonly wholeFloats?: "number" | "PyFloat";
  /** `auto`: a `dict` is an object where all keys are `str`, else a Map. `Map`: always one. `auto` by default. */
  readonly dicts?: "auto" | "Map";
  /** How Python 2's `str` is read, as with CPython's `encoding`; `ASCII` by default. `bytes` makes Uint8Arrays. */
  readonly encoding?: "ASCII" | "latin1" | "bytes";
  /** Buffers that protocol 5 keeps beside the pickle, in order. Without them, they are refused. */
  readonly buffers?: Iterable<Uint8Array>;
  /** What a key is that a `dict` has twice, or a `set` its element; CPython never writes one. `refuse` by default. */
  readonly duplicates?: "refuse" | "last";
}

/** Deepest nesting that any option allows: what walks a value by recursion does not survive much more. */
export const MAX_DEPTH = 1000;

/** Most bytes of an integer by default. */
export const MAX_INTEGER_BYTES = 1786;

/** Most digits of an integer as text, by default and for CPython (`sys.get_int_max_str_digits`). */
export const MAX_DIGITS = 4300;

/** What may be chosen, made once: checks run before every pickle that is read. */
const INTEGERS = ["mixed", "bigint"];
const WHOLE_FLOATS = ["number", "PyFloat"];
const DICTS = ["auto", "Map"];
const ENCODING = ["ASCII", "latin1", "bytes"];
const DUPLICATES = ["refuse", "last"];

/** Throws UsageError for an option that makes no sense: a limit of NaN would be none. */
export function checkUnpickleOptions(options: UnpickleOptions): void {
  if (options.bytes !== undefined) expectLimit("bytes", options.bytes);
  if (options.items !== undefined) expectLimit("items", options.items);
  if (options.unfolded !== undefined) expectLimit("unfolded", options.unfolded);
  if (options.integerBytes !== undefined) expectLimit("integerBytes", options.integerBytes);
  if (options.digits !== undefined) expectLimit("digits", options.digits);
  if (options.integers !== undefined) expectOneOf("integers", options.integers, INTEGERS);
  if (options.wholeFloats !== undefined) expectOneOf("wholeFloats", options.wholeFloats, WHOLE_FLOATS);
  if (options.dicts !== undefined) expectOneOf("dicts", options.dicts, DICTS);
  if (options.encoding !== undefined) expectOneOf("encoding", options.encoding, ENCODING);
  if (options.duplicates !== undefined) expectOneOf("duplicates", options.duplicates, DUPLICATES);
}

/** The protocol that an option gives. Throws UsageError for one that is not written. */
export function protocolOf({ protocol = 4 }: PickleOptions): Protocol {
  if (protocol === 4 || protocol === 5 || protocol === 2 || protocol === 1) return protocol;
  throw new UsageError(`protocol: expected 1, 2, 4 or 5, got ${String(protocol)}`);
}

/** The depth that an option gives. Throws UsageError for one that is no depth. */
export function depthOf({ depth = 100 }: { readonly depth?: number }): number {
  if (!(depth >= 0 && depth <= MAX_DEPTH)) {
    throw new UsageError(`depth: not a depth, expected 0 to ${MAX_DEPTH}, got ${depth}`);
  }
  return depth;
}

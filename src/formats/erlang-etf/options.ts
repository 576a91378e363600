import { UsageError } from "../../model/errors.ts";
import { show } from "../../model/value.ts";
import { expectLimit, expectOneOf } from "../bytes/options.ts";

/** What is done with a term, and how much of it is taken. */
export interface DecodeOptions {
  /**
   * `plain`, the default: what a program wants. Binaries are text, maps are objects, floats are numbers, and the atoms
   * true, false and null are values of JavaScript. `typed`: what Erlang had, so that encoding gives back what Erlang
   * would write: binaries are Uint8Arrays, maps are Maps, floats Float, atoms Atom. {@link maps} and {@link binaries}
   * mean nothing then.
   */
  readonly terms?: "plain" | "typed";
  /**
   * `object`, the default: keys are binaries of UTF-8 or atoms, and it is an error if both have one name. `Map`: any
   * term is a key, an atom stays an Atom, and -0.0 is a Float, as keys of a Map have no -0.
   */
  readonly maps?: "object" | "Map";
  /** `text`, the default: binaries must be UTF-8. `bytes`: Uint8Array. `auto`: text where it is UTF-8, else Uint8Array. */
  readonly binaries?: "text" | "bytes" | "auto";
  /** `refuse`, the default, or `inert`: a Fun or Export, which holds what is in the bytes and cannot be called. */
  readonly funs?: "refuse" | "inert";
  /** Most bytes of input; 64 MiB by default. */
  readonly maxBytes?: number;
  /** Deepest nesting of lists, tuples, maps and funs; 100 by default, and never more than {@link MOST_DEPTH}. */
  readonly maxDepth?: number;
  /** Most items of lists and tuples, with two for each entry of a map; 1,000,000 by default. */
  readonly maxItems?: number;
  /**
   * Most bytes of a term that was compressed; 16 MiB by default. With all that is made of it, it takes no more memory
   * than this and 64 times the input. Besides the term's own bytes, memory is counted as it may be at most: 1 byte for
   * each of a long text in ASCII and 2 of any other; 40 for an integer of up to 32 bits in a list of nothing else; 64
   * for any other item, or 256 with `typed`, `Map` or binaries as bytes; and 192 more for a list, 256 for a tuple. So by
   * default a text of 8,388,000 letters passes, a list of 372,000 integers of 32 bits, and one of 43,000 tuples of a
   * small integer, each with what 64 times the input adds. For larger terms, this must be larger.
   */
  readonly maxInflatedBytes?: number;
  /** Most bytes of one integer; 1,024 by default. */
  readonly maxIntegerBytes?: number;
}

/** How a term is written. */
export interface EncodeOptions {
  /**
   * The option of that name of Erlang's `term_to_binary`. 1, the default, is that of OTP 17 to 25: atoms that are
   * Latin-1 are written so. 2, the default since OTP 26: atoms are UTF-8. 0: floats as text, which R11 can read.
   */
  readonly minorVersion?: 0 | 1 | 2;
  /** Level of zlib, 0 to 9. A term that it does not make smaller stays as it is. By default nothing is compressed. */
  readonly compressed?: number;
  /** Deepest nesting; 100 by default, and never more than {@link MOST_DEPTH}. A cycle is deeper than any. */
  readonly maxDepth?: number;
  /** Most bytes of a term before it is compressed, about; 64 MiB by default. */
  readonly maxBytes?: number;
}

/** The most that {@link DecodeOptions.maxDepth} can be, so that a stack of usual size is never exhausted. */
export const MOST_DEPTH = 512;

/** Every option of reading, with its default. */
export type ReadRules = Required<DecodeOptions>;

/** Throws UsageError for an option that makes no sense. */
export function readRules(options: DecodeOptions): ReadRules {
  const rules = taken(options, withDefaults);
  expectOneOf("terms", rules.terms, ["plain", "typed"]);
  expectOneOf("maps", rules.maps, ["object", "Map"]);
  expectOneOf("binaries", rules.binaries, ["text", "bytes", "auto"]);
  expectOneOf("funs", rules.funs, ["refuse", "inert"]);
  expectLimit("maxBytes", rules.maxBytes, Number.POSITIVE_INFINITY);
  expectLimit("maxDepth", rules.maxDepth, MOST_DEPTH);
  expectLimit("maxItems", rules.maxItems, Number.POSITIVE_INFINITY);
  expectLimit("maxInflatedBytes", rules.maxInflatedBytes, 2 ** 32 - 1);
  expectLimit("maxIntegerBytes", rules.maxIntegerBytes, MOST_INTEGER_BYTES);
  return rules;
}

function withDefaults(options: DecodeOptions): ReadRules {
  return {
    terms: options.terms ?? "plain",
    maps: options.maps ?? "object",
    binaries: options.binaries ?? "text",
    funs: options.funs ?? "refuse",
    maxBytes: options.maxBytes ?? 2 ** 26,
    maxDepth: options.maxDepth ?? 100,
    maxItems: options.maxItems ?? 1_000_000,
    maxInflatedBytes: options.maxInflatedBytes ?? 2 ** 24,
    maxIntegerBytes: options.maxIntegerBytes ?? MAX_INTEGER_BYTES,
  };
}

/** Most bytes of an integer by default. */
export const MAX_INTEGER_BYTES = 1024;

/** Longest integer that V8 can hold: 2^30 bits, less what is lost to rounding. */
export const MOST_INTEGER_BYTES = 2 ** 27 - 8;

/** Every option of writing, with its default; without `compressed`, it is undefined. */
export interface WriteRules {
  readonly minorVersion: 0 | 1 | 2;
  readonly compressed: number | undefined;
  readonly maxDepth: number;
  readonly maxBytes: number;
}

/** Throws UsageError for an option that makes no sense. */
export function writeRules(options: EncodeOptions): WriteRules {
  const rules = taken(options, ({ minorVersion = 1, compressed, maxDepth = 100, maxBytes = 2 ** 26 }) => ({
    minorVersion,
    compressed,
    maxDepth,
    maxBytes,
  }));
  const { minorVersion, compressed, maxDepth, maxBytes } = rules;
  expectLimit("minorVersion", minorVersion, 2);
  if (compressed !== undefined) expectLimit("compressed", compressed, 9);
  expectLimit("maxDepth", maxDepth, MOST_DEPTH);
  expectLimit("maxBytes", maxBytes, 2 ** 32 - 1);
  return rules;
}

/** What options say. Throws UsageError for what is no object, or cannot be read. */
function taken<Options extends object, Rules>(options: Options, take: (options: Options) => Rules): Rules {
  if (typeof options !== "object" || options === null) {
    throw new UsageError(`options: expected an object, got ${show(options)}`);
  }
  try {
    return take(options);
  } catch (error) {
    throw new UsageError("options: cannot be read", { cause: error });
  }
}

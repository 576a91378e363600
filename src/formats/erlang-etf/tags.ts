/**
 * The tags of the external term format (erlang.org/doc/apps/erts/erl_ext_dist.html, the section of each in the same
 * order), without `_EXT`. Those of the distribution protocol only, such as the atom cache, are not among them.
 */

/** First byte of every external term. */
export const VERSION = 131;
/** After {@link VERSION} only: the size of the term as 32 bits, and the term as a zlib stream. */
export const COMPRESSED = 80;

export const SMALL_INTEGER = 97;
export const INTEGER = 98;
/** A float as text: `%.20e`, in 31 bytes filled up with NULs. */
export const FLOAT = 99;
export const PORT = 102;
export const NEW_PORT = 89;
export const V4_PORT = 120;
export const PID = 103;
export const NEW_PID = 88;
export const SMALL_TUPLE = 104;
export const LARGE_TUPLE = 105;
export const MAP = 116;
export const NIL = 106;
/** A list of bytes. */
export const STRING = 107;
export const LIST = 108;
export const BINARY = 109;
export const SMALL_BIG = 110;
export const LARGE_BIG = 111;
export const REFERENCE = 101;
export const NEW_REFERENCE = 114;
export const NEWER_REFERENCE = 90;
/** A fun of releases before R8; not written since, but still a term. */
export const FUN = 117;
export const NEW_FUN = 112;
export const EXPORT = 113;
export const BIT_BINARY = 77;
export const NEW_FLOAT = 70;
export const ATOM_UTF8 = 118;
export const SMALL_ATOM_UTF8 = 119;
export const ATOM = 100;
export const SMALL_ATOM = 115;

/** Tags that are known and refused: they mean something to a connection or to one node only. */
export const REFUSED: ReadonlyMap<number, string> = new Map([
  [COMPRESSED, "a compressed term within a term"],
  [82, "ATOM_CACHE_REF, which is for the distribution protocol"],
  [121, "LOCAL_EXT, which only the node that wrote it can read"],
]);

/** Most characters of an atom's name. */
export const MAX_ATOM_CHARACTERS = 255;
/** Longest list of bytes that is a STRING. */
export const MAX_STRING = 65_535;
/** Most words of a reference (OTP 24 and later). */
export const MAX_REFERENCE_WORDS = 5;
/** Largest number of a port in NEW_PORT: 28 bits. */
export const MAX_NEW_PORT = 2 ** 28 - 1;

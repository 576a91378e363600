import { DecodeError, SchemaError, UsageError, ValueError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { Int64Mode } from "../../model/schema.ts";
import { parseFormat, shown } from "./format.ts";
import { compilePacker } from "./pack.ts";
import { compileUnpacker } from "./unpack.ts";
import { described, isBytes, NAME, type StructValue } from "./values.ts";

/** What CPython leaves to the language, and limits. */
export interface StructOptions {
  /**
   * What an integer of 64 bits is unpacked to, `bigint` by default; `number` throws DecodeError for one that is no
   * safe integer. Both are packed.
   */
  readonly int64?: Int64Mode;
  /**
   * Whether `s` and `p` are strings, kept as UTF-8: all of them, or the values of these indexes. What does not fit is
   * then a ValueError, not cut off, and the zeros that fill an `s` are unpacked with it. By default none.
   */
  readonly text?: boolean | readonly number[];
  /** Most bytes of one struct, 64 MiB by default. A format of more is a SchemaError. */
  readonly maxBytes?: number;
  /** Most values of one struct, 1,000,000 by default. A format of more is a SchemaError. */
  readonly maxValues?: number;
  /** Most runs of values of one character, 10,000 by default. A format of more is a SchemaError. */
  readonly maxRuns?: number;
}

/** A format, compiled. Made by {@link compileFormat}; its methods need no `this`. */
export interface Struct {
  readonly format: string;
  /** Bytes of a struct, `calcsize` of the format. */
  readonly size: number;
  /** Values of a struct. */
  readonly count: number;
  /**
   * The bytes of some values, in memory that no later call writes to; a small result shares a buffer with others, as
   * those of `Buffer.from` do. Throws ValueError for a wrong number of them, and with the path of the value, as in
   * `[2]`, for one that its character does not take: out of range, or of another type.
   */
  pack(...values: readonly StructValue[]): Uint8Array;
  /** {@link pack} of a list, which may be longer than a call can have arguments. */
  packArray(values: readonly StructValue[]): Uint8Array;
  /**
   * Writes the values into bytes from an offset on; a negative one counts from the end. Padding becomes zero. Throws
   * ValueError where there is no room, and as {@link pack} does; some bytes may be written then.
   */
  packInto(bytes: Uint8Array, offset: number, ...values: readonly StructValue[]): void;
  /** The values of just as many bytes as a struct has; own memory. Throws DecodeError. */
  unpack(bytes: Uint8Array): StructValue[];
  /** The values from an offset on; a negative one counts from the end. Throws DecodeError. */
  unpackFrom(bytes: Uint8Array, offset?: number): StructValue[];
  /** The values of one struct after the other. Throws DecodeError at once unless the bytes are whole structs. */
  iterUnpack(bytes: Uint8Array): IterableIterator<StructValue[]>;
}

/**
 * Compiles a format of CPython's struct module. Throws SchemaError, with the column, for one that CPython refuses,
 * and for one over a limit. Throws UsageError for an option that makes no sense.
 */
export function compileFormat(format: string, options: StructOptions = {}): Struct {
  const {
    int64 = "bigint",
    text = false,
    maxBytes = 2 ** 26,
    maxValues = 1_000_000,
    maxRuns = 10_000,
  } = options;
  if (int64 !== "bigint" && int64 !== "number") {
    throw new UsageError(`int64: expected "bigint" or "number", got ${described(int64)}`);
  }
  const parsed = parseFormat(format, maxRuns);
  const { size, count, runs } = parsed;
  expectAtMost(format, "bytes", size, maxBytes);
  expectAtMost(format, "values", count, maxValues);
  expectAtMost(format, "runs of one character", runs, maxRuns);

  const texts = new Set(typeof text === "boolean" ? [] : text);
  const isText = (index: number): boolean => text === true || texts.has(index);
  const name = shown(format);
  const wrongSize = (bytes: unknown, expected: string, at = 0): never => {
    const code = length(bytes) - at < size ? "truncated" : "corrupt";
    throw new DecodeError(NAME, `expected ${expected} for ${name}, got ${sized(bytes)}`, {
      offset: at,
      code,
    });
  };

  const start = (bytes: Uint8Array, offset: number): number => {
    if (!isBytes(bytes)) throw new ValueError("bytes", `expected bytes, got ${described(bytes)}`);
    if (!Number.isInteger(offset))
      throw new ValueError("offset", `expected an integer, got ${described(offset)}`);
    return offset < 0 ? offset + bytes.length : offset;
  };
  const room = (bytes: Uint8Array, offset: number): number => {
    const at = start(bytes, offset);
    if (at >= 0 && at + size <= bytes.length) return at;
    throw new ValueError("offset", `expected room for ${inBytes(size)}, got ${offset} in ${sized(bytes)}`);
  };
  const wrongCount = (got: number): never => {
    throw new ValueError("", `expected ${count} values for ${name}, got ${Math.max(0, got)}`);
  };
  const packer = compilePacker(parsed, isText, { room, wrongCount });
  const read = compileUnpacker(parsed, isText, int64);

  return {
    format,
    size,
    count,
    pack: packer.pack,
    packArray(values) {
      if (!Array.isArray(values))
        throw new ValueError("", `expected a list of values, got ${described(values)}`);
      return packer.packArray(values);
    },
    packInto: packer.packInto,
    unpack(bytes) {
      if (!isBytes(bytes) || bytes.length !== size) wrongSize(bytes, inBytes(size));
      return read(bytes, 0);
    },
    unpackFrom(bytes, offset = 0) {
      const at = start(bytes, offset);
      if (at < 0 || at + size > bytes.length) {
        wrongSize(bytes, `${inBytes(size)} from ${offset} on`, Math.max(0, at));
      }
      return read(bytes, at);
    },
    iterUnpack(bytes) {
      if (size === 0) throw new SchemaError(name, "a struct of no bytes cannot be iterated over");
      if (!isBytes(bytes) || bytes.length % size !== 0) wrongSize(bytes, `a multiple of ${inBytes(size)}`);
      return structs(bytes);
    },
  };

  function* structs(bytes: Uint8Array): Generator<StructValue[]> {
    // The length is asked for anew: a buffer can be detached between two steps.
    for (let at = 0; at < bytes.length; at += size) {
      if (at + size > bytes.length) wrongSize(bytes, inBytes(size), at);
      yield read(bytes, at);
    }
  }
}

function expectAtMost(format: string, what: string, got: number, most: number): void {
  // Also where the limit is NaN, which would otherwise be none.
  if (!(got <= most)) throw new SchemaError(shown(format), `expected at most ${most} ${what}, got ${got}`);
}

function length(bytes: unknown): number {
  return isBytes(bytes) ? bytes.length : 0;
}

function sized(bytes: unknown): string {
  return isBytes(bytes) ? inBytes(bytes.length) : described(bytes);
}

/** Formats that are kept compiled, as many as CPython keeps (Modules/_struct.c, MAXCACHE). */
const MOST_KEPT = 100;

const kept = new Map<string, Struct>();

/** The one that was used last: most programs use it again, and to compare is faster than to look up. */
let last = compileFormat("");

/** A format with the usual options, compiled when it is first met. */
function compiled(format: string): Struct {
  if (format !== last.format) last = kept.get(format) ?? keep(compileFormat(format));
  return last;
}

function keep(struct: Struct): Struct {
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(struct.format, struct);
  return struct;
}

/** Bytes of a struct. Throws SchemaError as {@link compileFormat} does, but for its limits. */
export function calcsize(format: string): number {
  return parseFormat(format, 0).size;
}

/** {@link Struct.pack} of a format. A program that packs often compiles the format itself: this has to look it up. */
export function pack(format: string, ...values: readonly StructValue[]): Uint8Array {
  return compiled(format).pack(...values);
}

/** {@link Struct.packInto} of a format. */
export function packInto(
  format: string,
  bytes: Uint8Array,
  offset: number,
  ...values: readonly StructValue[]
): void {
  compiled(format).packInto(bytes, offset, ...values);
}

/** {@link Struct.unpack} of a format. */
export function unpack(format: string, bytes: Uint8Array): StructValue[] {
  return compiled(format).unpack(bytes);
}

/** {@link Struct.unpackFrom} of a format. */
export function unpackFrom(format: string, bytes: Uint8Array, offset = 0): StructValue[] {
  return compiled(format).unpackFrom(bytes, offset);
}

/** {@link Struct.iterUnpack} of a format. */
export function iterUnpack(format: string, bytes: Uint8Array): IterableIterator<StructValue[]> {
  return compiled(format).iterUnpack(bytes);
}

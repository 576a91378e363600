import protobuf from "protobufjs";
import type { Dataset } from "../../model/dataset.ts";
import { type FieldType, integerOf, is64Bit } from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { compileConversion, compileCopier } from "../../schema/generate/copy.ts";

/** What protobufjs holds a 64-bit integer in. */
type Long = InstanceType<typeof protobuf.util.Long>;

/**
 * Makes what turns a plain value into one that protobufjs encodes; undefined where it encodes plain values as
 * they are. A bigint is what it would write as 0 without a word. Its own `fromObject` does the same in four
 * times the time (measured on the address book: 1.8 against 0.4 µs).
 */
export function compileToMessage({ schema, int64 }: Dataset): ((value: Value) => unknown) | undefined {
  return compileConversion<Value, unknown>(schema, {
    leaf: (type, value) => (int64 === "bigint" ? ifLong(type, (kind) => `long${kind}(${value})`) : undefined),
    scope: { longSigned, longUnsigned },
  });
}

/**
 * Makes what turns a decoded message into a plain value. The `toObject` of protobufjs cannot leave out absent
 * fields and fill in implicit ones at once, and takes six times as long (measured: 1.3 against 0.2 µs).
 */
export function compileToPlain({ schema, int64 }: Dataset): (message: unknown) => Value {
  return compileCopier<unknown, Value>(schema, {
    leaf: (type, value) => ifLong(type, (kind) => `${int64}${kind}(${value})`),
    // In an entry without a value protobufjs has a list for empty bytes (8.8.1, `types.defaults`).
    entry: (type, value) =>
      type.kind === "scalar" && type.scalar === "bytes" ? `bytesOf(${value})` : undefined,
    key: (scalar, key) =>
      is64Bit(scalar) ? ifLong({ kind: "scalar", scalar }, (kind) => `key${kind}(${key})`) : undefined,
    inherited: true,
    scope: { bytesOf, numberSigned, numberUnsigned, bigintSigned, bigintUnsigned, keySigned, keyUnsigned },
  });
}

/** An expression for a 64-bit integer, by its sign; undefined for every other type. */
function ifLong(type: FieldType, expression: (kind: "Signed" | "Unsigned") => string): string | undefined {
  if (type.kind !== "scalar" || !is64Bit(type.scalar)) return undefined;
  return expression(integerOf(type.scalar)?.signed === true ? "Signed" : "Unsigned");
}

/** A 64-bit word through which the two forms of an integer go: that makes one object, and no other garbage. */
const word = new DataView(new ArrayBuffer(8));

function longSigned(value: bigint): Long {
  word.setBigInt64(0, value);
  return new protobuf.util.Long(word.getInt32(4), word.getInt32(0), false);
}

function longUnsigned(value: bigint): Long {
  word.setBigUint64(0, value);
  return new protobuf.util.Long(word.getInt32(4), word.getInt32(0), true);
}

function bigintSigned({ low, high }: Long): bigint {
  word.setInt32(0, high);
  word.setInt32(4, low);
  return word.getBigInt64(0);
}

function bigintUnsigned({ low, high }: Long): bigint {
  word.setInt32(0, high);
  word.setInt32(4, low);
  return word.getBigUint64(0);
}

function numberSigned({ low, high }: Long): number {
  return high * 4294967296 + (low >>> 0);
}

function numberUnsigned({ low, high }: Long): number {
  return (high >>> 0) * 4294967296 + (low >>> 0);
}

function keySigned(key: string): string {
  return key.length === 8 ? String(bigintSigned(longOf(key))) : key;
}

function keyUnsigned(key: string): string {
  return key.length === 8 ? String(bigintUnsigned(longOf(key))) : key;
}

function bytesOf(held: Uint8Array | readonly []): Uint8Array {
  return held.length === 0 ? new Uint8Array(0) : (held as Uint8Array);
}

/** A key of 64 bits. protobufjs makes eight characters of it, one for each byte, the lowest first. */
function longOf(key: string): Long {
  return protobuf.util.LongBits.fromHash(key).toLong(false) as Long;
}

import { UsageError } from "../../model/errors.ts";
import { copyBytes } from "../bytes/copy.ts";
import type { ExternalInput } from "./external.ts";
import type { AmfInput } from "./input.ts";

/**
 * Lends the input to what reads an object, and returns what it returns. Whoever keeps it cannot read with it later.
 * @param readObject reads a value of AMF3
 */
export function lendInput(
  input: AmfInput,
  readObject: () => unknown,
  read: (lent: ExternalInput) => unknown,
): unknown {
  let isLent = true;
  const live = (): AmfInput => {
    if (isLent) return input;
    throw new UsageError("ExternalInput: used after the object that it was for was read");
  };
  try {
    return read(externalInput(live, readObject));
  } finally {
    isLent = false;
  }
}

/** What the readers of others may do with the input. @param live the input; throws when it is given back */
function externalInput(live: () => AmfInput, readObject: () => unknown): ExternalInput {
  const { view } = live();
  /** Steps over so many bytes and returns where they are. */
  const take = (count: number): number => {
    const input = live();
    const at = input.at;
    input.need(count);
    input.at += count;
    return at;
  };
  const utf8 = (length: number): string => live().utf8(checkedLength(length));
  return {
    readBoolean: () => live().flag("a boolean"),
    readByte: () => view.getInt8(take(1)),
    readUnsignedByte: () => view.getUint8(take(1)),
    readShort: () => view.getInt16(take(2)),
    readUnsignedShort: () => view.getUint16(take(2)),
    readInt: () => view.getInt32(take(4)),
    readUnsignedInt: () => view.getUint32(take(4)),
    readFloat: () => view.getFloat32(take(4)),
    readDouble: () => view.getFloat64(take(8)),
    readUTF: () => utf8(view.getUint16(take(2))),
    readUTFBytes: utf8,
    readBytes: (length) => {
      const at = take(checkedLength(length));
      return copyBytes(live().bytes, at, at + length);
    },
    readObject: () => {
      live();
      return readObject();
    },
  };
}

/** A length that a reader asks for, which it may have computed from what it read. */
function checkedLength(length: number): number {
  if (Number.isInteger(length) && length >= 0) return length;
  throw new RangeError(`expected a count of bytes, got ${length}`);
}

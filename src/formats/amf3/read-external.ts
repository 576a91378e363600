import { copyBytes } from "../../bytes/copy.ts";
import type { ExternalInput } from "./external.ts";
import type { AmfInput } from "./input.ts";

/** What the readers of others may do with the input. @param readObject reads a value of AMF3 */
export function externalInput(input: AmfInput, readObject: () => unknown): ExternalInput {
  /** Steps over so many bytes and returns where they are. */
  const take = (count: number): number => {
    const at = input.at;
    input.need(count);
    input.at += count;
    return at;
  };
  const { view } = input;
  const utf8 = (length: number): string => input.utf8(checkedLength(length));
  return {
    readBoolean: () => input.flag("a boolean"),
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
      return copyBytes(input.bytes, at, at + length);
    },
    readObject,
  };
}

/** A length that a reader asks for, which it may have computed from what it read. */
function checkedLength(length: number): number {
  if (Number.isInteger(length) && length >= 0) return length;
  throw new RangeError(`expected a count of bytes, got ${length}`);
}

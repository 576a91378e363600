import { types } from "node:util";
import { UsageError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { show } from "../../model/value.ts";
import { copyBytes } from "../bytes/copy.ts";
import type { AmfInput } from "./input.ts";
import { type AmfOutput, expectAttached, expectText, Refusal } from "./output.ts";

/**
 * An object that writes itself (section 3.12, "Externalizable"). Only its class knows what its bytes mean, so that
 * reading one takes an {@link ExternalReader} for the class.
 */
export class Externalizable {
  /** The alias under which both sides know the class. */
  readonly className: string;
  /** Writes what is in it. */
  readonly write: (output: ExternalOutput) => void;

  constructor(className: string, write: (output: ExternalOutput) => void) {
    this.className = className;
    this.write = write;
  }
}

/** Reads what an object of a class has written, and returns what stands for it. It must read all of that. */
export type ExternalReader = (input: ExternalInput) => unknown;

/**
 * What a reader may read, by the methods of ActionScript's `IDataInput`. Each throws a DecodeError where the bytes
 * are not there or are none of the kind, and a UsageError after the reader has returned.
 */
export interface ExternalInput {
  readBoolean(): boolean;
  readByte(): number;
  readUnsignedByte(): number;
  readShort(): number;
  readUnsignedShort(): number;
  readInt(): number;
  readUnsignedInt(): number;
  readFloat(): number;
  readDouble(): number;
  /** Text after a count of its bytes in 16 bits. */
  readUTF(): string;
  /** Text of so many bytes. */
  readUTFBytes(length: number): string;
  readBytes(length: number): Uint8Array;
  /** A value of AMF3. */
  readObject(): unknown;
}

/**
 * The counterpart of {@link ExternalInput}, by the methods of `IDataOutput`. Integers are taken modulo their width.
 * Each throws a UsageError after `write` has returned.
 */
export interface ExternalOutput {
  writeBoolean(value: boolean): void;
  /** A byte, signed or not. */
  writeByte(value: number): void;
  /** 16 bits, signed or not. */
  writeShort(value: number): void;
  writeInt(value: number): void;
  writeUnsignedInt(value: number): void;
  writeFloat(value: number): void;
  writeDouble(value: number): void;
  writeUTF(text: string): void;
  writeUTFBytes(text: string): void;
  writeBytes(bytes: Uint8Array): void;
  writeObject(value: unknown): void;
}

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

/**
 * Lends the output to what writes an object. Whoever keeps it cannot write with it later, when it belongs to another
 * message.
 * @param writeObject writes a value of AMF3
 */
export function lendOutput(
  output: AmfOutput,
  writeObject: (value: unknown) => void,
  write: (lent: ExternalOutput) => void,
): void {
  let isLent = true;
  const live = (): AmfOutput => {
    if (isLent) return output;
    throw new UsageError("ExternalOutput: used after the object that it was for was written");
  };
  try {
    write(externalOutput(live, writeObject));
  } finally {
    isLent = false;
  }
}

/** What the writers of others may do with the output. @param live the output; throws when it is given back */
function externalOutput(live: () => AmfOutput, writeObject: (value: unknown) => void): ExternalOutput {
  const writeShort = (value: number): void => live().room(2).setInt16(0, value);
  return {
    writeBoolean: (value) => live().byte(value ? 1 : 0),
    writeByte: (value) => live().byte(value),
    writeShort,
    writeInt: (value) => live().room(4).setInt32(0, value),
    writeUnsignedInt: (value) => live().room(4).setUint32(0, value),
    writeFloat: (value) => live().room(4).setFloat32(0, value),
    writeDouble: (value) => live().double(value),
    writeUTF: (text) => {
      const output = live();
      const bytes = utf8(text);
      if (bytes.length > 0xffff)
        throw new Refusal(`text of ${inBytes(bytes.length)}, expected at most 65535`);
      writeShort(bytes.length);
      output.bytes(bytes);
    },
    writeUTFBytes: (text) => live().bytes(utf8(text)),
    writeBytes: (bytes) => {
      const output = live();
      if (!types.isUint8Array(bytes)) throw new Refusal(`expected bytes, got ${show(bytes)}`);
      expectAttached(bytes);
      output.bytes(bytes);
    },
    writeObject: (value) => {
      live();
      writeObject(value);
    },
  };
}

function utf8(text: string): Buffer {
  expectText(text);
  if (!text.isWellFormed()) throw new Refusal("text has a lone surrogate, which UTF-8 cannot hold");
  return Buffer.from(text, "utf8");
}

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

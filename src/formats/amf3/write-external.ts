import type { ExternalOutput } from "./external.ts";
import type { AmfOutput } from "./output.ts";
import { Refusal } from "./refusal.ts";

/** What the writers of others may do with the output. @param writeObject writes a value of AMF3 */
export function externalOutput(output: AmfOutput, writeObject: (value: unknown) => void): ExternalOutput {
  const utf8 = (text: string): Buffer => {
    if (!text.isWellFormed()) throw new Refusal("text has a lone surrogate, which UTF-8 cannot hold");
    return Buffer.from(text, "utf8");
  };
  const writeShort = (value: number): void => output.room(2).setInt16(0, value);
  return {
    writeBoolean: (value) => output.byte(value ? 1 : 0),
    writeByte: (value) => output.byte(value),
    writeShort,
    writeInt: (value) => output.room(4).setInt32(0, value),
    writeUnsignedInt: (value) => output.room(4).setUint32(0, value),
    writeFloat: (value) => output.room(4).setFloat32(0, value),
    writeDouble: (value) => output.double(value),
    writeUTF: (text) => {
      const bytes = utf8(text);
      if (bytes.length > 0xffff) throw new Refusal(`text of ${bytes.length} bytes, expected at most 65535`);
      writeShort(bytes.length);
      output.bytes(bytes);
    },
    writeUTFBytes: (text) => output.bytes(utf8(text)),
    writeBytes: (bytes) => output.bytes(bytes),
    writeObject,
  };
}

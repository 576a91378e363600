import { types } from "node:util";
import { UsageError } from "../../model/errors.ts";
import { show } from "../../model/value.ts";
import { expectAttached } from "./attached.ts";
import type { ExternalOutput } from "./external.ts";
import { type AmfOutput, expectText } from "./output.ts";
import { Refusal } from "./refusal.ts";

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
      if (bytes.length > 0xffff) throw new Refusal(`text of ${bytes.length} bytes, expected at most 65535`);
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

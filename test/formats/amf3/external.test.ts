import { describe, expect, it } from "vitest";
import {
  decode,
  type ExternalInput,
  Externalizable,
  type ExternalOutput,
  encode,
} from "../../../src/formats/amf3/index.ts";
import { DecodeError, UsageError, ValueError } from "../../../src/model/errors.ts";

const written = (write: (output: ExternalOutput) => void): Uint8Array =>
  encode(new Externalizable("X", write));
const readWith = (bytes: Uint8Array, read: (input: ExternalInput) => unknown): unknown =>
  decode(bytes, { external: new Map([["X", read]]) });

/** Calls of every method. */
const outputsOf = (output: ExternalOutput): (() => void)[] => [
  () => output.writeBoolean(true),
  () => output.writeByte(1),
  () => output.writeShort(1),
  () => output.writeInt(1),
  () => output.writeUnsignedInt(1),
  () => output.writeFloat(1),
  () => output.writeDouble(1),
  () => output.writeUTF("a"),
  () => output.writeUTFBytes("a"),
  () => output.writeBytes(new Uint8Array(1)),
  () => output.writeObject(1),
];
const inputsOf = (input: ExternalInput): (() => unknown)[] => [
  () => input.readBoolean(),
  () => input.readByte(),
  () => input.readUnsignedByte(),
  () => input.readShort(),
  () => input.readUnsignedShort(),
  () => input.readInt(),
  () => input.readUnsignedInt(),
  () => input.readFloat(),
  () => input.readDouble(),
  () => input.readUTF(),
  () => input.readUTFBytes(0),
  () => input.readBytes(0),
  () => input.readObject(),
];

describe("objects that write themselves", () => {
  it("have the methods of IDataOutput and IDataInput", () => {
    const bytes = written((output) => {
      output.writeBoolean(true);
      output.writeByte(-1);
      output.writeByte(255);
      output.writeShort(-2);
      output.writeShort(65534);
      output.writeInt(-3);
      output.writeUnsignedInt(4294967293);
      output.writeFloat(0.5);
      output.writeDouble(-0);
      output.writeUTF("小明");
      output.writeUTFBytes("ab");
      output.writeBytes(new Uint8Array([7, 8]));
      output.writeObject({ a: 1n });
    });
    const read = readWith(bytes, (input) => [
      input.readBoolean(),
      input.readByte(),
      input.readUnsignedByte(),
      input.readShort(),
      input.readUnsignedShort(),
      input.readInt(),
      input.readUnsignedInt(),
      input.readFloat(),
      input.readDouble(),
      input.readUTF(),
      input.readUTFBytes(2),
      input.readBytes(2),
      input.readObject(),
    ]);
    const expected = [
      true,
      -1,
      255,
      -2,
      65534,
      -3,
      4294967293,
      0.5,
      -0,
      "小明",
      "ab",
      new Uint8Array([7, 8]),
      { a: 1 },
    ];
    expect(read).toEqual(expected);
  });

  it.each<[string, (input: ExternalInput) => unknown, string]>([
    [
      "reads beyond the end",
      (input) => input.readInt(),
      "truncated: amf3 at byte 4: expected 4 more bytes, got 1",
    ],
    [
      "reads text beyond the end",
      (input) => input.readUTFBytes(9),
      "truncated: amf3 at byte 4: expected 9 more bytes, got 1",
    ],
    [
      "reads a boolean that is none",
      (input) => input.readBoolean(),
      "corrupt: amf3 at byte 4: a boolean is 10, expected 0 or 1",
    ],
    [
      "reads -1 byte",
      (input) => input.readBytes(-1),
      'corrupt: amf3 at byte 0: the reader of class "X" failed',
    ],
    ["throws", () => null!["x"], 'corrupt: amf3 at byte 0: the reader of class "X" failed'],
    ["leaves bytes", () => 1, "corrupt: amf3 at byte 4: 1 byte after the end of the message"],
  ])("are refused where their reader %s", (_, read, says) => {
    const bytes = Buffer.concat([written(() => {}), Buffer.from([0x0a])]);
    const verdict = (): unknown => readWith(bytes, read);
    expect(verdict).toThrow(DecodeError);
    expect(verdict).toThrow(
      expect.objectContaining({ code: says.split(":")[0], message: says.slice(says.indexOf(":") + 2) }),
    );
  });

  it("cannot hold themselves before they are there", () => {
    const bytes = Buffer.from("0a0703580a00", "hex");
    expect(() => readWith(bytes, (input) => input.readObject())).toThrow(
      "amf3 at byte 4: reference to object 0, which is not finished",
    );
  });

  it("count as a level each", () => {
    let value: unknown = 1;
    for (let i = 0; i < 100; i++) {
      const inner = value;
      value = new Externalizable("X", (output) => output.writeObject(inner));
    }
    const read = (input: ExternalInput): unknown => input.readObject();
    expect(readWith(encode(value), read)).toBe(1);
    expect(() => encode([value])).toThrow(/deeper than 100 levels/);
    expect(() => readWith(encode([value], { depth: 101 }), read)).toThrow(/deeper than 100 levels/);
  });

  it("write nothing into a later message, and read nothing from the bytes, once they are done", () => {
    const outputs: ExternalOutput[] = [];
    const bytes = written((output) => {
      outputs.push(output);
      output.writeInt(5);
    });
    const inputs: ExternalInput[] = [];
    readWith(bytes, (input) => {
      inputs.push(input);
      return input.readInt();
    });
    const late = [...outputsOf(outputs[0]!), ...inputsOf(inputs[0]!)];
    for (const call of late) expect(call).toThrow(UsageError);
    const plain = Buffer.from(encode({ a: 1, b: 2 })).toString("hex");
    const caught = {
      get a() {
        for (const call of late) expect(call).toThrow(UsageError);
        return 1;
      },
      b: 2,
    };
    expect(Buffer.from(encode(caught)).toString("hex")).toBe(plain);
    expect(() => written(() => outputs[0]!.writeInt(1))).toThrow(ValueError);
    expect(() => readWith(bytes, () => inputs[0]!.readInt())).toThrow(DecodeError);
  });

  it("are done when they have thrown, too", () => {
    const kept: (ExternalOutput | ExternalInput)[] = [];
    const keep = (lent: ExternalOutput | ExternalInput): never => {
      kept.push(lent);
      throw new Error("no");
    };
    expect(() => written(keep)).toThrow(ValueError);
    expect(() =>
      readWith(
        written(() => {}),
        keep,
      ),
    ).toThrow(DecodeError);
    expect(() => (kept[0] as ExternalOutput).writeByte(1)).toThrow(UsageError);
    expect(() => (kept[1] as ExternalInput).readByte()).toThrow(UsageError);
  });

  it("are read as the example in the library's documentation says", () => {
    const bytes = encode(
      new Externalizable("flex.messaging.io.ArrayCollection", (output) => output.writeObject([1])),
    );
    const collection = (input: ExternalInput) => input.readObject();
    expect(decode(bytes, { external: new Map([["flex.messaging.io.ArrayCollection", collection]]) })).toEqual(
      [1],
    );
  });

  it("are refused where they write what cannot be written", () => {
    const failure = (write: (output: ExternalOutput) => void) => (): unknown =>
      encode({ a: new Externalizable("X", write) });
    expect(failure((output) => output.writeUTF("x".repeat(65536)))).toThrow(
      "a: text of 65536 bytes, expected at most 65535",
    );
    expect(failure((output) => output.writeUTFBytes("\ud800"))).toThrow("a: text has a lone surrogate");
    expect(failure((output) => output.writeObject([2n ** 60n]))).toThrow(
      "a[0]: expected a safe integer, got a bigint beyond 2^53",
    );
    expect(failure(() => null!["x"])).toThrow(ValueError);
  });
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  type DecodeOptions,
  decode,
  type ExternalInput,
  Externalizable,
  encode,
} from "../../../src/formats/amf3/index.ts";
import { DecodeError, UsageError } from "../../../src/model/errors.ts";
import { expectSafe } from "../../hostile.ts";
import { mutants, SEED } from "../../seed.ts";
import { bombs } from "./bombs.ts";
import { notationOf } from "./notation.ts";

const folder = path.join(import.meta.dirname, "../../vectors/amf3");
const load = (name: string): unknown => JSON.parse(readFileSync(path.join(folder, name), "utf8"));

/** Every type, small enough that each byte of it is met. */
const vectors: readonly Uint8Array[] = [
  ...Object.values((load("py3amf.json") as { vectors: Record<string, string> }).vectors),
  ...(load("specification.json") as { hex: string }[]).map(({ hex }) => hex),
]
  .map((hex) => Buffer.from(hex, "hex"))
  .filter(({ length }) => length < 300);

const equal = (a: unknown, b: unknown): boolean =>
  JSON.stringify(notationOf(a)) === JSON.stringify(notationOf(b));

function verdict(bytes: Uint8Array, options?: DecodeOptions): string {
  try {
    decode(bytes, options);
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return `${(error as DecodeError).code}`;
  }
  return "accepted";
}

describe("amf3 on damaged and hostile bytes", () => {
  it("gives a value that can be written and read again, or a DecodeError", () => {
    const verdicts = expectSafe(
      { decode, encode, equal, vectors },
      { mutants: mutants(100_000), seed: SEED },
    );
    expect(verdicts.accepted).toBeGreaterThan(1000);
    expect(verdicts.refused).toBeGreaterThan(1000);
  });

  it("holds the readers of others to the bytes", () => {
    const external = new Map([
      ["X", (input: ExternalInput) => [input.readUTF(), input.readShort(), input.readObject()]],
    ]);
    const object = new Externalizable("X", (output) => {
      output.writeUTF("小明");
      output.writeShort(5);
      output.writeObject({ a: [object] });
    });
    const bytes = encode(object);
    const verdicts = expectSafe(
      { decode: (mutant) => decode(mutant, { external }), vectors: [bytes] },
      { mutants: mutants(5000), seed: SEED },
    );
    expect(verdicts.refused).toBeGreaterThan(100);
  });

  it.each(bombs)("$name", ({ bytes, expected }) => {
    expect(verdict(bytes)).toBe(expected);
  });

  it("takes as many bytes as it is told and not one more", () => {
    const bytes = encode("x".repeat(97));
    expect(bytes.length).toBe(100);
    expect(verdict(bytes, { bytes: 100 })).toBe("accepted");
    expect(verdict(bytes, { bytes: 99 })).toBe("limit");
    const text = Buffer.alloc(64 * 2 ** 20 + 1, "x");
    text.set([0x06, 0x83, 0xff, 0xff, 0xf5]);
    expect(verdict(text.subarray(0, -1))).toBe("corrupt");
    expect(verdict(text)).toBe("limit");
  });

  it("takes as many values as it is told and not one more", () => {
    const list = encode(Array.from({ length: 9 }, (_, i) => i));
    expect(verdict(list, { items: 10 })).toBe("accepted");
    expect(verdict(list, { items: 9 })).toBe("limit");
    expect(verdict(encode(new Array(999_999).fill(null)))).toBe("accepted");
    expect(verdict(encode(new Array(1_000_000).fill(null)))).toBe("limit");
  });

  it.each(["bytes", "items"] as const)("refuses a limit of %s that is no whole number", (name) => {
    for (const limit of [Number.NaN, -1, 1.5, "7", null]) {
      const call = (): unknown => decode(Buffer.from([1]), { [name]: limit });
      expect(call).toThrow(UsageError);
      expect(call).toThrow(`${name}: out of range, expected a whole number up to Infinity, got `);
    }
    expect(verdict(Buffer.from([1]), { [name]: Number.POSITIVE_INFINITY })).toBe("accepted");
  });

  it("keeps __proto__ as a member of its own, and changes no prototype", () => {
    for (const hex of [
      "0a0b01135f5f70726f746f5f5f0a010361040101" + "01",
      "0a1301135f5f70726f746f5f5f0a0b010361040101",
    ]) {
      const value = decode(Buffer.from(hex, "hex")) as Record<string, unknown>;
      expect(Object.keys(value)).toEqual(["__proto__"]);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(value["a"]).toBeUndefined();
      expect(decode(encode(value))).toEqual(value);
    }
  });

  it("has names that are indexes before others, and keys of a dictionary in their order", () => {
    const object = decode(
      Buffer.from("0a0b01" + "0362" + "0401" + "0539" + "30" + "0402" + "0337" + "0403" + "01", "hex"),
    );
    expect(object).toEqual({ b: 1, 90: 2, 7: 3 });
    expect(Object.keys(object as object)).toEqual(["7", "90", "b"]);
    const map = new Map<unknown, unknown>([
      ["b", 1],
      ["90", 2],
      ["7", 3],
      [-0, 4],
    ]);
    expect([...(decode(encode(map)) as Map<unknown, unknown>).keys()]).toEqual(["b", "90", "7", 0]);
    const negative = decode(Buffer.from("110300" + "058000000000000000" + "01", "hex")) as Map<
      unknown,
      unknown
    >;
    expect([...negative.keys()]).toEqual([0]);
  });

  it("does not keep the input alive in what it decodes", () => {
    const bytes = encode({ bytes: new Uint8Array([1, 2, 3]) });
    const { bytes: read } = decode(bytes) as { bytes: Uint8Array };
    bytes.fill(0);
    expect(read).toEqual(new Uint8Array([1, 2, 3]));
    expect(read.buffer.byteLength).toBe(3);
  });

  it("reads from the middle of a larger buffer, and of shared memory", () => {
    const value = { 日: [0.5, new Uint8Array([1])] };
    const bytes = Buffer.concat([Buffer.alloc(3, 9), encode(value), Buffer.alloc(3, 9)]);
    expect(decode(bytes.subarray(3, -3))).toEqual(value);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    expect(decode(shared.subarray(3, -3))).toEqual(value);
  });
});

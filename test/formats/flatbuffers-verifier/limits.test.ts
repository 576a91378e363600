/** Messages that are small and stand for a lot. */
import { describe, expect, it } from "vitest";
import {
  type FieldShape,
  flatbufferVerifier,
  type TableShape,
  type VerifyOptions,
} from "../../../src/formats/flatbuffers-verifier/index.ts";
import { planOf } from "../../../src/formats/flatbuffers-verifier/plan.ts";
import { Verification } from "../../../src/formats/flatbuffers-verifier/verify.ts";
import { DecodeError } from "../../../src/model/errors.ts";

function failureOf(bytes: Uint8Array, shape: TableShape, options?: VerifyOptions): DecodeError | undefined {
  return failure(() => flatbufferVerifier(shape, options)(bytes));
}

function failure(verify: () => void): DecodeError | undefined {
  try {
    verify();
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return error;
    throw error;
  }
}

/** What is wrong with a message, and how many of its bytes were read until that was known, each as often as it was. */
function failureAndReads(
  message: Buffer,
  shape: TableShape,
): { error: DecodeError | undefined; read: number } {
  let read = 0;
  class CountedBytes extends Uint8Array {
    override subarray(start: number, end: number): Uint8Array<ArrayBuffer> {
      read += end - start;
      return new Uint8Array(this.buffer as ArrayBuffer, this.byteOffset + start, end - start);
    }
  }
  const bytes = new CountedBytes(message);
  const view = new DataView(bytes.buffer);
  for (const [get, size] of Object.entries({
    getUint8: 1,
    getUint16: 2,
    getInt32: 4,
    getUint32: 4,
  } as const)) {
    const name = get as "getUint32";
    const uncounted = view[name];
    view[name] = (at, littleEndian) => {
      read += size;
      return uncounted.call(view, at, littleEndian);
    };
  }
  const plan = planOf(shape);
  const verification = new Verification(bytes, view, {}, plan);
  return { error: failure(() => verification.run(plan.root)), read };
}

/** A table with one field, a vector of its own kind. */
function tree(): TableShape {
  const fields: FieldShape[] = [];
  const shape = { fields };
  fields.push({ name: "inner", type: { kind: "vector", element: { kind: "table", table: shape } } });
  return shape;
}

/**
 * Tables of which each has a vector that refers `fanout` times to the next: `fanout ** (levels - 1)` leaves.
 * The root is at 16, and the leaf has no field.
 */
function shared(levels: number, fanout: number): Buffer {
  const step = 8 + 4 + 4 * fanout;
  const last = 16 + step * (levels - 1);
  const bytes = Buffer.alloc(last + 4);
  bytes.writeUInt32LE(16, 0);
  bytes.set([6, 0, 8, 0, 4, 0, 4, 0, 4, 0], 4);
  for (let table = 16; table < last; table += step) {
    bytes.writeInt32LE(table - 4, table);
    bytes.writeUInt32LE(4, table + 4);
    bytes.writeUInt32LE(fanout, table + 8);
    for (let i = 0; i < fanout; i++) {
      const place = table + 12 + 4 * i;
      bytes.writeUInt32LE(table + step - place, place);
    }
  }
  bytes.writeInt32LE(last - 10, last);
  return bytes;
}

/** A root whose only field is a vector of so many tables without a field. */
function sideBySide(count: number): Buffer {
  const first = 28 + 4 * count;
  const bytes = Buffer.alloc(first + 4 * count);
  bytes.writeUInt32LE(16, 0);
  bytes.set([6, 0, 8, 0, 4, 0, 4, 0, 4, 0], 4);
  bytes.set([12, 0, 0, 0, 4, 0, 0, 0], 16);
  bytes.writeUInt32LE(count, 24);
  for (let i = 0; i < count; i++) {
    const [place, table] = [28 + 4 * i, first + 4 * i];
    bytes.writeUInt32LE(table - place, place);
    bytes.writeInt32LE(table - 10, table);
  }
  return bytes;
}

/** A root whose only field is a vector of `count` offsets to one string. */
function repeated(count: number, text: Uint8Array): Buffer {
  const vector = 20;
  const string = vector + 4 + 4 * count;
  const bytes = Buffer.alloc(4 * Math.ceil((string + 4 + text.length + 1) / 4));
  bytes.writeUInt32LE(12, 0);
  bytes.set([6, 0, 8, 0, 4, 0], 4);
  bytes.set([8, 0, 0, 0, 4, 0, 0, 0], 12);
  bytes.writeUInt32LE(count, vector);
  for (let i = 0; i < count; i++) bytes.writeUInt32LE(string - (vector + 4 + 4 * i), vector + 4 + 4 * i);
  bytes.writeUInt32LE(text.length, string);
  bytes.set(text, string + 4);
  return bytes;
}
const texts: TableShape = {
  fields: [{ name: "texts", type: { kind: "vector", element: { kind: "string" } } }],
};

describe("limits of the verifier", () => {
  it("allow what is shared within reason", () => {
    expect(failureOf(shared(3, 10), tree())).toBeUndefined();
    expect(failureOf(repeated(100, Buffer.from("shared")), texts)).toBeUndefined();
  });

  it("stop at 64 nested tables, or where they are told to", () => {
    expect(failureOf(shared(64, 1), tree())).toBeUndefined();
    expect(failureOf(shared(65, 1), tree())).toMatchObject({
      code: "limit",
      message: /deeper than 64 tables/,
    });
    expect(failureOf(shared(65, 1), tree(), { maxDepth: 65 })).toBeUndefined();
    expect(failureOf(shared(3, 1), tree(), { maxDepth: 2 })).toMatchObject({
      code: "limit",
      path: "inner[0].inner[0]",
    });
  });

  it("stop at a number of tables, counting one that is shared as often as it is met", () => {
    // 1 + 1,000 + 1,000,000 tables in 8 KB.
    const bytes = shared(3, 1000);
    const plenty = { maxMemory: Number.POSITIVE_INFINITY };
    expect(failureOf(bytes, tree(), plenty)).toMatchObject({
      code: "limit",
      message: /more than 1000000 tables/,
    });
    expect(failureOf(bytes, tree(), { ...plenty, maxTables: 1_001_001 })).toBeUndefined();
    expect(failureOf(bytes, tree(), { ...plenty, maxTables: 1_001_000 })).toMatchObject({ code: "limit" });
  });

  it("allow more than a million tables that stand side by side", () => {
    expect(failureOf(sideBySide(1_000_001), tree())).toBeUndefined();
    expect(failureOf(sideBySide(1000), tree(), { maxTables: 1000 })).toMatchObject({ code: "limit" });
  });

  it.each<[string, Buffer, TableShape]>([
    ["tables, exponentially", shared(60, 3), tree()],
    ["tables, by a wide vector", shared(4, 1000), tree()],
    ["one string, of 64 KB", repeated(10_000, Buffer.alloc(2 ** 16, "a")), texts],
    ["one string that is not ASCII", repeated(10_000, Buffer.from("é".repeat(2 ** 15))), texts],
  ])("stop before 16 MiB and 64 times its length are read, where a message shares %s", (_, bytes, shape) => {
    const { error, read } = failureAndReads(bytes, shape);
    expect(error).toMatchObject({ code: "limit", message: /bytes of memory once decoded/ });
    expect(read).toBeGreaterThan(bytes.length);
    expect(read).toBeLessThan(16 * 2 ** 20 + 64 * bytes.length);
  });

  it("are in proportion to the length of a message", () => {
    const bytes = repeated(1000, Buffer.alloc(2000, "a"));
    expect(failureOf(bytes, texts, { maxMemory: 4_000_000 })).toMatchObject({ code: "limit" });
    expect(failureOf(bytes, texts)).toBeUndefined();
  });
});

/** Messages come out of a stream as they went in, wherever its chunks end. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DecodeError } from "../../src/model/errors.ts";
import { chunksOf, type Framing, framingOf, unframer } from "../../src/schema/framing/stream.ts";

function messagesIn(chunks: readonly Uint8Array[], framing: Framing): Uint8Array[] {
  const next = unframer(framing);
  return chunks.flatMap((chunk) => {
    const found: Uint8Array[] = [];
    for (let one = next(chunk); one !== undefined; one = next()) found.push(one.slice());
    return found;
  });
}

const text = (value: unknown): Uint8Array => Uint8Array.from(Buffer.from(JSON.stringify(value)));

describe("a stream", () => {
  it("gives messages back in chunks of any size", () => {
    const bytes = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 400 }), (messages, size) => {
        const chunks = chunksOf(messages, "delimited", size);
        expect(chunks.slice(0, -1).every(({ length }) => length === size)).toBe(true);
        expect(messagesIn(chunks, "delimited")).toEqual(messages.map((one) => Uint8Array.from(one)));
      }),
    );
  });

  it("gives lines back in chunks of any size", () => {
    const values = fc.array(fc.dictionary(fc.string(), fc.string()), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 200 }), (objects, size) => {
        const messages = objects.map(text);
        expect(framingOf(messages)).toBe("lines");
        expect(messagesIn(chunksOf(messages, "lines", size), "lines")).toEqual(messages);
      }),
    );
  });

  it("has lengths as protobuf writes them", () => {
    const [chunk] = chunksOf([new Uint8Array(300).fill(7), Uint8Array.of(1)], "delimited");
    expect([...chunk!.subarray(0, 3)]).toEqual([0xac, 0x02, 7]);
    expect([...chunk!.subarray(-2)]).toEqual([1, 1]);
  });

  it.each([
    ["JSON with line feeds", [Uint8Array.from(Buffer.from('{\n"a":1}'))]],
    ["what only begins like JSON", [Uint8Array.of(0x7b, 0x01)]],
    ["one message that is none", [text({}), Uint8Array.of(0x5b, 0xff)]],
    ["nothing", []],
  ])("has no lines for %s", (_, messages) => {
    expect(framingOf(messages)).toBe("delimited");
  });

  it.each([[[0xff, 0xff, 0xff, 0xff, 0x08]], [[0x80, 0x80, 0x80, 0x80, 0x80, 0x00]]])(
    "refuses the length %j",
    (bytes) => {
      expect(() => unframer("delimited")(Uint8Array.from(bytes))).toThrow(DecodeError);
    },
  );

  it("waits for a length that is cut", () => {
    const next = unframer("delimited");
    expect(next(Uint8Array.of(0x82))).toBeUndefined();
    expect(next(Uint8Array.of(0x00, 5))).toBeUndefined();
    expect([...next(Uint8Array.of(6))!]).toEqual([5, 6]);
  });
});

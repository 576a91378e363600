import { describe, expect, it } from "vitest";
import { ByteOutput } from "../../../src/formats/bytes/output.ts";

function written(text: string): Uint8Array {
  const output = ByteOutput.borrow();
  output.reserve(text.length);
  for (const character of text) output.bytes[output.at++] = character.charCodeAt(0);
  return output.finish();
}

describe("an output", () => {
  it("gives bytes that no later message overwrites", () => {
    const first = written("first");
    written("other");
    expect(Buffer.from(first).toString()).toBe("first");
  });

  it("keeps what was written as it grows", () => {
    const text = "0123456789".repeat(5000);
    const output = ByteOutput.borrow();
    for (const character of text) {
      output.reserve(1);
      output.view.setUint8(output.at++, character.charCodeAt(0));
    }
    expect(Buffer.from(output.finish()).toString()).toBe(text);
  });

  it("is not shared by two messages that are written at the same time", () => {
    const outer = ByteOutput.borrow();
    outer.bytes[outer.at++] = 1;
    expect([...written("inner")]).toHaveLength(5);
    expect([...outer.finish()]).toEqual([1]);
  });
});

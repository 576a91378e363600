import { describe, expect, it } from "vitest";
import { readShortText, SHORT_TEXT } from "../../../src/formats/bytes/short-text.ts";

describe("readShortText", () => {
  it("makes ASCII of every length, from any place", () => {
    const bytes = Buffer.from("\0!0123456789abcdefghijklmnop~\x7f");
    for (let start = 0; start < 4; start++) {
      for (let length = 0; length <= SHORT_TEXT; length++) {
        expect(readShortText(bytes, start, length)).toBe(bytes.toString("latin1", start, start + length));
      }
    }
  });

  it("makes nothing of other bytes, wherever they are", () => {
    for (let length = 1; length <= SHORT_TEXT; length++) {
      for (let at = 0; at < length; at++) {
        const bytes = Buffer.alloc(length, 97);
        bytes[at] = 0x80;
        expect(readShortText(bytes, 0, length)).toBeUndefined();
      }
    }
  });

  it("makes nothing of longer text", () => {
    expect(readShortText(Buffer.alloc(40, 97), 0, SHORT_TEXT + 1)).toBeUndefined();
  });
});

import { expect, it } from "vitest";
import { LOOKED_AT, looksLike } from "../../src/catalog/looks-like.ts";

it("goes through blank lines once", () => {
  expect(looksLike(Buffer.alloc(LOOKED_AT, "\n"))).toBeUndefined();
  expect(looksLike(Buffer.from("\r\n\n \tmessage M {\r\n}\n"))).toBe("a .proto schema");
});

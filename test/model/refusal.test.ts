import { describe, expect, it } from "vitest";
import {
  DecodeError,
  refusal,
  UnsupportedError,
  ValueError,
  VerificationError,
} from "../../src/model/errors.ts";

function thrownBy(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

describe("what became of a codec", () => {
  it.each<[string, unknown, string, RegExp]>([
    ["what says that it is unsupported", new UnsupportedError("no maps"), "unsupported", /^no maps$/],
    [
      "the same of another copy of wirebench",
      Object.assign(new Error("no maps"), { name: "UnsupportedError" }),
      "unsupported",
      /^no maps$/,
    ],
    ["lost data", new VerificationError("n: expected 1"), "failed", /^n: expected 1$/],
    [
      "a string that is too long",
      thrownBy(() => "x".repeat(2 ** 30)),
      "unsupported",
      /too large for Node: .*string length/,
    ],
    [
      "a buffer that is too large",
      Object.assign(new RangeError("too big"), { code: "ERR_BUFFER_TOO_LARGE" }),
      "unsupported",
      /too large for Node: too big/,
    ],
    [
      "a value that has no place in the format",
      new ValueError("a.b", "too deep"),
      "unsupported",
      /^a\.b: too deep$/,
    ],
    [
      "a limit of the reader",
      new DecodeError("x", "too deep", { code: "limit" }),
      "unsupported",
      /^x: too deep$/,
    ],
    ["bytes that it cannot read", new DecodeError("x", "no tag"), "failed", /^x: no tag$/],
    [
      "a path that is long, of which the reason stays",
      new ValueError("a.".repeat(400), "too deep"),
      "unsupported",
      /^(a\.){30}…(a\.){30}: too deep$/,
    ],
    ["an error of its own", new RangeError("offset is outside the bounds"), "failed", /outside/],
    ["what is no error", "no such luck", "failed", /^no such luck$/],
  ])("is made of %s", (_, thrown, status, reason) => {
    expect(refusal(thrown)).toEqual({ status, reason: expect.stringMatching(reason) });
  });
});

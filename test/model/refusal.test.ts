import { describe, expect, it } from "vitest";
import { refusal, UnsupportedError, VerificationError } from "../../src/model/errors.ts";

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
    ["an error of its own", new RangeError("offset is outside the bounds"), "failed", /outside/],
    ["what is no error", "no such luck", "failed", /^no such luck$/],
  ])("is made of %s", (_, thrown, status, reason) => {
    expect(refusal(thrown)).toEqual({ status, reason: expect.stringMatching(reason) });
  });
});

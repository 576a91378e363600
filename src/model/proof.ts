import { type Encoded, sameEncoded } from "./codec.ts";
import { VerificationError } from "./errors.ts";
import type { OperationContext, Task } from "./operation.ts";
import { firstDifference, type Value } from "./value.ts";

/** What the timed loop adds up for an encoded message: its length and two of its units. */
export function foldEncoded(encoded: Encoded): number {
  // Two functions, so that the one that runs sees only its own type.
  return typeof encoded === "string" ? foldText(encoded) : foldBytes(encoded);
}

function foldBytes(bytes: Uint8Array): number {
  const { length } = bytes;
  return length === 0 ? 0 : length + bytes[length - 1]! + bytes[length >>> 1]!;
}

function foldText(text: string): number {
  const { length } = text;
  return length === 0 ? 0 : length + text.charCodeAt(length - 1) + text.charCodeAt(length >>> 1);
}

/** How the encoded messages that a timed loop makes are proved: by their bytes, or where those vary by decoding. */
export function encodedProof(context: OperationContext): Pick<Task<unknown, Encoded>, "fold" | "check"> {
  const { binding, values } = context;
  if (binding.varies !== true) {
    return {
      fold: foldEncoded,
      check: (result, index) => expectEncoded(context.encoded[index], result),
    };
  }
  return {
    fold: (result) => (result.length > 0 ? 1 : 0),
    check: (result, index) => expectValue(values[index], binding.plain(binding.read(result))),
  };
}

/** Throws VerificationError unless the result is byte for byte the message that was verified before. */
export function expectEncoded(expected: Encoded | undefined, result: Encoded): void {
  if (expected === undefined || !sameEncoded(expected, result))
    throw new VerificationError("the timed calls made other bytes than the verified one");
}

/** Throws VerificationError unless the result equals the value that was encoded. */
export function expectValue(expected: Value | undefined, result: Value): void {
  const difference = firstDifference(expected, result);
  if (difference !== undefined) {
    throw new VerificationError(`the timed calls decoded another value: ${difference}`);
  }
}

/** Throws VerificationError unless what an operation summed up is the sum over the value. */
export function expectChecksum(operation: string, expected: number | undefined, sum: number): void {
  if (sum !== expected) {
    throw new VerificationError(`${operation}: expected the checksum ${expected}, got ${sum}`);
  }
}

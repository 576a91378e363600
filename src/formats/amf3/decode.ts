import { AmfInput } from "./input.ts";
import { type DecodeOptions, readRules } from "./options.ts";
import { Reader } from "./reader.ts";

/**
 * The value in bytes of AMF3. What is there twice by reference is one object twice, and an object may contain itself:
 * a program that follows every path through the value should know that.
 *
 * | AMF3 | JavaScript |
 * | --- | --- |
 * | undefined, null, booleans, string | the same |
 * | integer, double | number |
 * | array | array; with named entries EcmaArray |
 * | object without a class, dynamic or sealed | plain object; `__proto__` is a member like others |
 * | object of a class | TypedObject |
 * | object that writes itself | what the reader of its class returns |
 * | date | Date, to the nearest millisecond |
 * | byte array | Uint8Array, a copy |
 * | vector | Vector |
 * | dictionary | Map; with weak keys WeakDictionary |
 * | XML | Xml |
 *
 * Throws DecodeError with the offset, and nothing else, for bytes that are not one such value and its end, and
 * UsageError for a limit that makes no sense.
 */
export function decode(bytes: Uint8Array, options: DecodeOptions = {}): unknown {
  const rules = readRules(options);
  const input = new AmfInput(bytes, rules.bytes);
  const value = new Reader(input, rules).value(1);
  input.expectEnd();
  return value;
}

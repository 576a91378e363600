/**
 * A 64-bit integer as a bigint, where a library reads a small one as a number. What is none stays as it is: whether it
 * fits is for the schema to say.
 */
export function long(value: unknown): unknown {
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value as number) : value;
}

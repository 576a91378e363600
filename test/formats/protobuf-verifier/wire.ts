/** Pieces of protobuf's wire format, put together by hand so that one rule at a time can be broken. */

/** A varint, padded with zero bits to at least `length` bytes. */
export function varint(value: number | bigint, length = 1): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    bytes.push(Number(rest & 0x7fn));
    rest >>= 7n;
  } while (rest > 0n || bytes.length < length);
  return bytes.map((byte, i) => (i < bytes.length - 1 ? byte | 0x80 : byte));
}

export function tag(number: number, wire: number): number[] {
  return varint(BigInt(number) * 8n + BigInt(wire));
}

/** A field whose value is a varint. */
export function number(field: number, value: number | bigint): number[] {
  return [...tag(field, 0), ...varint(value)];
}

/** A field of bytes, text, a message or packed numbers. */
export function delimited(field: number, ...parts: readonly (readonly number[])[]): number[] {
  const content = parts.flat();
  return [...tag(field, 2), ...varint(content.length), ...content];
}

export function text(field: number, value: string): number[] {
  return delimited(field, [...Buffer.from(value)]);
}

/** A field between a start tag and an end tag. */
export function group(field: number, ...parts: readonly (readonly number[])[]): number[] {
  return [...tag(field, 3), ...parts.flat(), ...tag(field, 4)];
}

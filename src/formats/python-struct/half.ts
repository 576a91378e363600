/** Numbers of 16 bits: IEEE 754 binary16. */

const scratch = new DataView(new ArrayBuffer(8));

/** Half of the way from the largest of them to the next power of two: from here on, rounding leads to infinity. */
const OVERFLOW = 65_520;

/**
 * The bits of the nearest number of 16 bits, the even one of two; -1 where that would be infinity and the number is
 * not. Rounds once, from all 64 bits.
 */
export function halfBits(value: number): number {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (Number.isNaN(size)) return 0x7e00;
  if (size >= OVERFLOW) return size === Number.POSITIVE_INFINITY ? sign | 0x7c00 : -1;
  if (size < 2 ** -14) return sign | roundEven(size * 2 ** 24);
  scratch.setFloat64(0, size);
  const exponent = (scratch.getUint16(0) >> 4) - 1023;
  // A fraction that rounds up to 1024 carries into the exponent, as it should.
  return sign | (((exponent + 15) << 10) + (roundEven(size * 2 ** (10 - exponent)) - 1024));
}

function roundEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest > 0.5 || (rest === 0.5 && (below & 1) === 1) ? below + 1 : below;
}

/** The number that 16 bits stand for. */
export function halfValue(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

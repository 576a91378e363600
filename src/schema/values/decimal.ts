/** An integer as the text of a number has it, such as `-5`, `5.0` or `1.8446744073709551615e19`. */
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,6}))?$/;

/** Whether the text of a number is not zero, and the double for it is. */
export function vanishes(text: string): boolean {
  return Number(text) === 0 && /^-?[\d.]*[1-9]/.test(text);
}

/** Digits of the largest integer of 64 bits. */
const MOST_DIGITS = 20;

/**
 * The integer that the text of a number in JSON is, without rounding; undefined for other text, for a number with a
 * fraction, and for one of more than 20 digits, which no type holds.
 */
export function exactInteger(text: string): bigint | undefined {
  // The usual case first.
  if (/^-?\d{1,20}$/.test(text)) return BigInt(text);
  const [, sign, whole = "", fraction = "", exponent = "0"] = DECIMAL.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const digits = (whole + fraction).replace(/0+$/, "");
  const significant = digits.replace(/^0+/, "");
  if (significant === "") return 0n;
  const zeros = whole.length + Number(exponent) - digits.length;
  if (zeros < 0 || significant.length + zeros > MOST_DIGITS) return undefined;
  return BigInt(`${sign}${significant}${"0".repeat(zeros)}`);
}

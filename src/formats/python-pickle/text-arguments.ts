/** Arguments that are text to the end of the line: what protocol 0 is made of (`Lib/pickletools.py`). */

/** The integer of a decimal number, or undefined for what is none. A number does not begin with a needless 0. */
export function parseInteger(text: string): bigint | undefined {
  return /^[+-]?(0|[1-9][0-9]*)$/.test(text) ? BigInt(text.replace("+", "")) : undefined;
}

/** The number of a `float`, or undefined for what is none or too large. */
export function parseFloat64(text: string): number | undefined {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special !== null) {
    const size = special[2]?.toLowerCase() === "nan" ? Number.NaN : Number.POSITIVE_INFINITY;
    return special[1] === "-" ? -size : size;
  }
  if (!/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\",
  "'": "'",
  '"': '"',
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** The `str` of Python 2 that `repr` shows so, one character for each byte, or undefined for what it does not. */
export function parseByteString(text: string): string | undefined {
  const quote = text[0];
  if (text.length < 2 || (quote !== "'" && quote !== '"') || text.at(-1) !== quote) return undefined;
  let good = true;
  const content = text
    .slice(1, -1)
    .replace(/\\(?:x([0-9a-fA-F]{2})|([0-3]?[0-7]{1,2})|([\s\S])|$)/g, (_, hex, octal, other) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
      const meant = other === undefined ? undefined : ESCAPES[other];
      good &&= meant !== undefined;
      return meant ?? "";
    });
  return good ? content : undefined;
}

/**
 * The text of the raw-unicode-escape encoding, given one character for each byte, or undefined for what is none. Two
 * surrogates are the character they stand for, as a Python 2 of two-byte units writes it.
 */
export function parseRawUnicode(text: string): string | undefined {
  let good = true;
  const content = text.replace(/\\(?:u([\s\S]{0,4})|U([\s\S]{0,8})|[\s\S]|$)/g, (whole, short, long) => {
    const digits: string | undefined = short ?? long;
    if (digits === undefined) return whole;
    const code = Number.parseInt(digits, 16);
    const isHex = digits.length === (short === undefined ? 8 : 4) && /^[0-9a-fA-F]+$/.test(digits);
    good &&= isHex && code <= 0x10ffff;
    return good ? String.fromCodePoint(code) : "";
  });
  return good && content.isWellFormed() ? content : undefined;
}

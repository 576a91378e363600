import { UsageError } from "../model/errors.ts";

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
};

/** Bytes of a size such as `6.5MB`, which is 6,500,000: MB is decimal, MiB is not. Throws UsageError. */
export function byteSize(text: string): number {
  const [, number = "", unit = ""] = /^([0-9]+(?:\.[0-9]+)?) *([A-Za-z]*)$/.exec(text.trim()) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  const bytes = number === "" || factor === undefined ? Number.NaN : Number(number) * factor;
  // 6.5 MB is a whole number of bytes, but 6.5 is a size whose unit was forgotten.
  if (Number.isSafeInteger(Math.round(bytes)) && bytes > 0 && isWhole(bytes)) return Math.round(bytes);
  throw new UsageError(`payload "${text}": expected a size as 650kB, 6.5MB or 26000000`);
}

/** Whether a product of a decimal number is whole, but for what binary numbers cannot hold. */
function isWhole(bytes: number): boolean {
  return Math.abs(bytes - Math.round(bytes)) <= bytes * Number.EPSILON;
}

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
  const bytes = number === "" || factor === undefined ? Number.NaN : Math.round(Number(number) * factor);
  if (Number.isSafeInteger(bytes) && bytes > 0) return bytes;
  throw new UsageError(`payload "${text}": expected a size as 650kB, 6.5MB or 26000000`);
}

import { UsageError } from "../../model/errors.ts";
import { show } from "../../model/value.ts";

/** Throws UsageError unless a limit is a whole number from 0 to `most`, or no limit where that is Infinity. */
export function expectLimit(name: string, value: unknown, most = Number.POSITIVE_INFINITY): void {
  const isWhole = Number.isInteger(value) || value === Number.POSITIVE_INFINITY;
  if (isWhole && (value as number) >= 0 && (value as number) <= most) return;
  throw new UsageError(`${name}: out of range, expected a whole number up to ${most}, got ${show(value)}`);
}

/** Throws UsageError unless an option is one of those that are known. */
export function expectOneOf(name: string, value: unknown, known: readonly string[]): void {
  if (known.includes(value as string)) return;
  const names = known.map((one) => JSON.stringify(one)).join(" or ");
  throw new UsageError(`${name}: unknown, expected ${names}, got ${show(value)}`);
}

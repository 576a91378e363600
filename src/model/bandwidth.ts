import { UsageError } from "./errors.ts";
import { expectNumber } from "./expect-option.ts";

/** Links that a report looks at where none are asked for, in bit/s: 10 and 100 Mbit/s, 1 and 10 Gbit/s. */
export const DEFAULT_BANDWIDTHS: readonly number[] = [10e6, 100e6, 1e9, 10e9];

/** A petabit per second: more than any link has. */
const MOST = 1e15;

const FACTORS: Readonly<Record<string, number>> = { "": 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/**
 * Bits per second of a bandwidth such as `10M`, `10Mbit/s`, `2.5 Gbps` or `9600`. Prefixes are decimal. Throws
 * UsageError, also for bytes (`10MB/s`), which would be misread by a factor of 8.
 * @param place what it was given for, for the error
 */
export function parseBandwidth(text: string, place = "bandwidth"): number {
  const [, number = "", prefix = ""] =
    /^([0-9]+(?:\.[0-9]+)?) *([kMGT]?)(?:bits?\/s|bps|b\/s)?$/i.exec(isBytes(text) ? "" : text.trim()) ?? [];
  const factor = FACTORS[prefix.toLowerCase()];
  if (number === "" || factor === undefined) {
    throw new UsageError(
      `${place}: expected bits per second as 10M, 100Mbit/s or 2.5G, got ${JSON.stringify(text)}`,
    );
  }
  // 2.3G is 2.3e9 and not 2299999999.9999995, which its product is.
  const bits = Number((Number(number) * factor).toPrecision(15));
  return expectBandwidth(place, bits);
}

/** A bandwidth in bit/s that can be reckoned with. Throws UsageError. */
export function expectBandwidth(place: string, bitsPerSecond: number): number {
  return expectNumber(place, bitsPerSecond, { integer: false, least: 1, most: MOST });
}

function isBytes(text: string): boolean {
  return /B(\/s|ps)?\s*$/.test(text);
}

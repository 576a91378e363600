/** Numbers as people read them. Records hold plain nanoseconds and bytes. */

/** `45.0 ns`, `3.41 µs`, `12.1 ms`, `1.20 s`: three digits. */
export function formatNanos(nanos: number): string {
  // 999.5 would be rounded to 1000 of the smaller unit.
  if (nanos < 999.5) return `${digits(nanos)} ns`;
  if (nanos < 999_500) return `${digits(nanos / 1e3)} µs`;
  if (nanos < 999_500_000) return `${digits(nanos / 1e6)} ms`;
  return `${digits(nanos / 1e9)} s`;
}

/** `1,784`: sizes are exact. */
export function formatBytes(bytes: number): string {
  return bytes.toLocaleString("en-US", { maximumFractionDigits: 1 });
}

/** `0.35`: a time as a multiple of another. */
export function formatRatio(ratio: number): string {
  if (ratio >= 100) return ratio.toFixed(0);
  return ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2);
}

/** Encoded bytes per second in MB (10^6 bytes); nothing where they took no time. */
export function formatRate(bytes: number, nanos: number): string {
  if (nanos === 0) return "";
  return digits((bytes * 1_000) / nanos);
}

/** `±2.1 %`: half of an interval as a share of the middle. */
export function formatSpread(middle: number, interval: readonly [number, number] | null): string {
  if (interval === null) return "";
  const share = ((interval[1] - interval[0]) / 2 / middle) * 100;
  if (share >= 100) return ">±100 %";
  return `±${share < 10 ? share.toFixed(1) : share.toFixed(0)} %`;
}

/** `10 Mbit/s`, `2.13 Gbit/s`: up to three digits. */
export function formatBandwidth(bitsPerSecond: number): string {
  if (bitsPerSecond < 1) return "under 1 bit/s";
  if (bitsPerSecond >= 999.5e12) return "over 999 Tbit/s";
  const { factor, prefix } = bandwidthUnit(bitsPerSecond);
  return `${threeDigits(bitsPerSecond / factor)} ${prefix}bit/s`;
}

/** `1.9–2.4 Gbit/s`, `950 Mbit/s–1.1 Gbit/s`: an interval of bandwidths; one of them where they read the same. */
export function formatBandwidths([from, to]: readonly [number, number]): string {
  const [first, last] = [formatBandwidth(from), formatBandwidth(to)];
  if (first === last) return first;
  const [number = "", unit] = first.split(" ");
  return last.split(" ")[1] === unit ? `${number}–${last}` : `${first}–${last}`;
}

/** `2 min 5 s`, `45 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function digits(value: number): string {
  if (value >= 99.95) return Math.round(value).toLocaleString("en-US");
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

const PREFIXES = ["", "k", "M", "G", "T"];

function bandwidthUnit(bitsPerSecond: number): { factor: number; prefix: string } {
  // 999.5 would be rounded to 1000 of the smaller unit.
  const steps = Math.floor(Math.log10(bitsPerSecond / 0.9995) / 3);
  const index = Math.min(Math.max(steps, 0), PREFIXES.length - 1);
  return { factor: 1000 ** index, prefix: PREFIXES[index] ?? "" };
}

/** Without zeroes at the end: what is asked for comes back as it was written. */
function threeDigits(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** Numbers as people read them. Records hold plain nanoseconds, bytes and shares. */
import type { Reads } from "../model/records/run.ts";
import { formatShare } from "../model/share.ts";

/** `45.0 ns`, `3.41 µs`, `12.1 ms`, `1.20 s`: three digits. */
export function formatNanos(nanos: number): string {
  // 999.5 would be rounded to 1000 of the smaller unit.
  if (nanos < 999.5) return `${digits(nanos)} ns`;
  if (nanos < 999_500) return `${digits(nanos / 1e3)} µs`;
  if (nanos < 999_500_000) return `${digits(nanos / 1e6)} ms`;
  return `${digits(nanos / 1e9)} s`;
}

/** {@link formatNanos} of a time that records keep in milliseconds. */
export function formatMillis(milliseconds: number): string {
  return milliseconds === 0 ? "0" : formatNanos(milliseconds * 1e6);
}

/** `+12.3 µs`, `-4.00 ns`: a difference of times. */
export function formatDifference(nanos: number): string {
  return `${nanos < 0 ? "-" : "+"}${formatNanos(Math.abs(nanos))}`;
}

/** `3 h 12 min`, `2 min 5 s`, `45 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `1 core`, `2 cores`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `1,784`: counts are exact, and have a decimal where they are means. */
export function formatCount(count: number): string {
  // What the engine knows of languages takes 40 ms to be loaded.
  if (Number.isSafeInteger(count)) return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
  return count.toLocaleString("en-US", { maximumFractionDigits: 1 });
}

/** `1,784`: sizes are exact. */
export function formatBytes(bytes: number): string {
  return formatCount(bytes);
}

/** `92.4`, `1,235`: bytes that were measured, or divided, and are not exact. */
export function formatMeanBytes(bytes: number): string {
  return formatBytes(bytes < 100 ? Math.round(bytes * 10) / 10 : Math.round(bytes));
}

/** {@link formatMeanBytes} with its unit: `1 byte`, `92.4 bytes`. */
export function countedMeanBytes(bytes: number): string {
  const text = formatMeanBytes(bytes);
  return `${text} ${text === "1" ? "byte" : "bytes"}`;
}

/** `6.5 MB`, `0.65 MB`, of 10^6 bytes. */
export function formatMegabytes(bytes: number): string {
  const megabytes = bytes / 1e6;
  const maximumFractionDigits = megabytes < 10 ? 2 : megabytes < 100 ? 1 : 0;
  return `${megabytes.toLocaleString("en-US", { maximumFractionDigits })} MB`;
}

/** `+12.3 kB`, of 10^3 bytes: a growth. */
export function formatGrowth(bytes: number): string {
  const kilobytes = Math.abs(bytes / 1000).toLocaleString("en-US", { maximumFractionDigits: 1 });
  return `${bytes < 0 ? "-" : "+"}${kilobytes} kB`;
}

/** `85`: whole MiB, of 2^20 bytes, without the unit. */
export function formatMebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}

/** `7.8 GiB`, of 2^30 bytes. */
export function formatGibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/** Bytes per second in MB (10^6 bytes) without the unit; nothing where they took no time. */
export function formatRate(bytes: number, nanos: number): string {
  if (nanos === 0) return "";
  return digits((bytes * 1_000) / nanos);
}

/** {@link formatRate} of what is a rate already. */
export function formatSpeed(bytesPerSecond: number): string {
  return formatRate(bytesPerSecond, 1e9);
}

/** `0.35`, `0.0032`: a time as a multiple of another. */
export function formatRatio(ratio: number): string {
  if (ratio >= 100) return ratio.toFixed(0);
  if (ratio > 0 && ratio < 0.00995) return ratio.toPrecision(2);
  return ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2);
}

/** `0.39 to 0.42`. */
export function formatRatios(interval: readonly number[]): string {
  return interval.map(formatRatio).join(" to ");
}

/** `±2.1 %`: half of an interval as a share of the middle; nothing where that is 0. */
export function formatSpread(middle: number, interval: readonly [number, number] | null): string {
  if (interval === null || middle === 0) return "";
  const share = (interval[1] - interval[0]) / 2 / middle;
  return share >= 1 ? ">±100 %" : `±${formatShare(share)}`;
}

/** `0 %`, `1.3 %`, `25 %`: a share that somebody chose, without a zero at its end. */
export function formatChosenShare(share: number): string {
  return formatShare(share).replace(".0 %", " %");
}

/** Which records of a message are read, as `1 in 8`. */
export function formatRecords({ records, fields }: Pick<Reads, "records" | "fields">): string {
  if (records === 0) return "the first";
  if (fields === 0) return "none";
  return records === 1 ? "all" : `1 in ${Math.round(1 / records)}`;
}

/** `+5.2 %`, `-31 %`, `×12` where it is many times: what a ratio changes; nothing where it is not known. */
export function formatChange(ratio: number | null): string {
  if (ratio === null) return "";
  if (ratio >= 10) return `×${ratio >= 100 ? Math.round(ratio).toLocaleString("en-US") : ratio.toFixed(1)}`;
  const text = formatShare(ratio - 1).replace(/^-0\.0 /, "0.0 ");
  return ratio > 1 && !text.startsWith("0.0") ? `+${text}` : text;
}

/** `+3.1 % … +7.4 %`: an interval of changes; nothing where it is not known. */
export function formatChanges(interval: readonly [number, number] | null): string {
  return interval === null ? "" : `${formatChange(interval[0])} … ${formatChange(interval[1])}`;
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

/** Times, durations and paths as protobuf's JSON writes them, to their parts and back. Throws ValueError without a path. */
import { ValueError } from "../../model/errors.ts";
import { show } from "../../model/value.ts";

/** What a Timestamp and a Duration hold. */
export interface Seconds {
  readonly seconds: bigint;
  readonly nanos: number;
}

/** From 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z, in seconds from 1970 (timestamp.proto). */
const TIMES = { low: -62_135_596_800, high: 253_402_300_799 };

/** About 10,000 years (duration.proto). */
const LONGEST = 315_576_000_000;

const TIMESTAMP =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** The parts of a time of RFC 3339, with `Z` or an offset. */
export function timestampOf(text: string): Seconds {
  const [, day = "", hours, minutes, seconds, fraction = "", sign, zoneHours, zoneMinutes] =
    TIMESTAMP.exec(text) ?? [];
  // Date takes the 31st of a short month for the first of the next.
  const midnight = Date.parse(`${day}T00:00:00Z`) / 1000;
  const isDay = Number.isInteger(midnight) && new Date(midnight * 1000).toISOString().startsWith(`${day}T`);
  if (!isDay) throw new ValueError("", `expected a time, as 1970-01-01T00:00:00.5Z, got ${show(text)}`);
  const zone = zoneHours === undefined ? 0 : Number(zoneHours) * 3600 + Number(zoneMinutes) * 60;
  const clock = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  const total = midnight + clock - (sign === "-" ? -zone : zone);
  if (total < TIMES.low || total > TIMES.high) {
    throw new ValueError("", `${text} is outside the years 0001 to 9999`);
  }
  return { seconds: BigInt(total), nanos: nanosOf(fraction) };
}

/** {@link timestampOf} back; undefined where no text stands for it. */
export function timestampText({ seconds, nanos }: Seconds): string | undefined {
  if (seconds < TIMES.low || seconds > TIMES.high || nanos < 0 || nanos >= 1e9) return undefined;
  const time = new Date(Number(seconds) * 1000).toISOString().slice(0, -".000Z".length);
  return `${time}${fractionOf(nanos)}Z`;
}

/** The parts of a duration, as `-1.5s`. */
export function durationOf(text: string): Seconds {
  const [, sign, whole = "", fraction = ""] = /^(-?)(\d{1,12})(?:\.(\d{1,9}))?s$/.exec(text) ?? [];
  if (sign === undefined) throw new ValueError("", `expected a duration, as 1.5s, got ${show(text)}`);
  if (Number(whole) > LONGEST) throw new ValueError("", `${text} is longer than ${LONGEST}s`);
  const nanos = nanosOf(fraction);
  // Not -0, which an integer does not have.
  return { seconds: sign === "-" ? -BigInt(whole) : BigInt(whole), nanos: sign === "-" ? 0 - nanos : nanos };
}

/** {@link durationOf} back; undefined where no text stands for it. */
export function durationText({ seconds, nanos }: Seconds): string | undefined {
  const isMixed = (seconds < 0n && nanos > 0) || (seconds > 0n && nanos < 0);
  const isBeyond = seconds > LONGEST || seconds < -LONGEST || Math.abs(nanos) >= 1e9;
  if (isMixed || isBeyond) return undefined;
  const isNegative = seconds < 0n || nanos < 0;
  const whole = seconds < 0n ? -seconds : seconds;
  return `${isNegative ? "-" : ""}${whole}${fractionOf(Math.abs(nanos))}s`;
}

function nanosOf(fraction: string): number {
  return Number(fraction.padEnd(9, "0"));
}

/** Three, six or nine digits after a point, or none. */
function fractionOf(nanos: number): string {
  if (nanos === 0) return "";
  return `.${String(nanos)
    .padStart(9, "0")
    .replace(/(000){1,2}$/, "")}`;
}

/** The paths of a field mask, as `a,fooBar.b` for `a` and `foo_bar.b`. */
export function pathsOf(text: string): string[] {
  if (text === "") return [];
  if (text.includes("_")) {
    throw new ValueError("", `expected names in lowerCamelCase, as fooBar, got ${show(text)}`);
  }
  return text.split(",").map((path) => path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
}

/** {@link pathsOf} back; undefined where no text stands for them. */
export function pathsText(paths: readonly string[]): string | undefined {
  const text = paths
    .map((path) => path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
    .join(",");
  if (text.includes("_")) return undefined;
  const back = pathsOf(text);
  return back.length === paths.length && back.every((path, index) => path === paths[index])
    ? text
    : undefined;
}

/** Figures of records between processes, as people read them. */
import type { IpcPercentiles, IpcProcess } from "../../../model/records/ipc.ts";
import { formatNanos, formatRate } from "../../units.ts";

/** A time; nothing where there is none. */
export function timeOrNothing(nanos: number | undefined): string {
  return nanos === undefined ? "" : formatNanos(nanos);
}

/** A time that records keep in milliseconds. */
export function formatMillis(milliseconds: number): string {
  return milliseconds === 0 ? "0" : formatNanos(milliseconds * 1e6);
}

/** `+12.3 µs`, `-4.00 ns`: a difference. */
export function formatDifference(nanos: number): string {
  return `${nanos < 0 ? "-" : "+"}${formatNanos(Math.abs(nanos))}`;
}

/** The median, or where too few messages tell one the greatest, which says so. */
export function middleOrMost(times: IpcPercentiles | undefined): string {
  if (times?.p50 !== undefined) return formatNanos(times.p50);
  return times?.max === undefined ? "" : `max ${formatNanos(times.max)}`;
}

/** MB/s, of 10^6 bytes. */
export function formatSpeed(bytesPerSecond: number): string {
  return formatRate(bytesPerSecond, 1e9);
}

/** `6.5 MB`, `0.65 MB`, of 10^6 bytes. */
export function formatMegabytes(bytes: number): string {
  const megabytes = bytes / 1e6;
  const maximumFractionDigits = megabytes < 10 ? 2 : megabytes < 100 ? 1 : 0;
  return `${megabytes.toLocaleString("en-US", { maximumFractionDigits })} MB`;
}

/** `talker 0`. */
export function processName({ role, id }: Pick<IpcProcess, "role" | "id">): string {
  return `${role} ${id}`;
}

import { median } from "../../analysis/statistics/location.ts";

/**
 * Buffers that are copied in turn: from the first to the second, from there to the third, and so on. As many as
 * messages of the transports alone go through, four that are sent and four that they are compared with, so that the
 * processor's caches help as much here as there.
 */
const BUFFERS = 8;

/** Copies that are timed, at least. */
const COPIES = 24;

/** Bytes that are copied between two looks at the clock, at least: a look takes as long as some kilobytes. */
const STRETCH_BYTES = 1e6;

/**
 * How fast one thread copies buffers of some size whose pages are mapped, in bytes per second: the measure of all
 * transports.
 */
export function memcpyBytesPerSecond(bytes: number): number {
  const buffers = Array.from({ length: BUFFERS }, () => Buffer.allocUnsafeSlow(bytes).fill(1));
  const stretch = Math.max(1, Math.ceil(STRETCH_BYTES / bytes));
  const seconds = Array.from({ length: COPIES }, (_, round) => {
    const from = process.hrtime.bigint();
    for (let copy = 0; copy < stretch; copy++) {
      const at = round * stretch + copy;
      buffers[(at + 1) % BUFFERS]!.set(buffers[at % BUFFERS]!);
    }
    return Number(process.hrtime.bigint() - from) / 1e9;
  });
  return Math.round((bytes * stretch) / median(seconds));
}

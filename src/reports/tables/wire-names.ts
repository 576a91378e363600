import type { Compression, Way } from "../../analysis/link/ways.ts";

/** `json`, `json + gzip 6`. */
export function wayName({ codec, compression }: Way): string {
  return compression === null ? codec : `${codec} + ${compressionName(compression)}`;
}

/** `brotli 11`: the level is the algorithm's own. */
export function compressionName({ algorithm, level }: Compression): string {
  return `${algorithm} ${level}`;
}

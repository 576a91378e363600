/** The hand-made vectors in test/vectors/msgpack. */
import { readFileSync } from "node:fs";
import path from "node:path";

export interface Vector {
  readonly name: string;
  readonly hex: string;
  readonly value: unknown;
  readonly shortest?: true | "float" | "double";
  /** Code and text of the error of a vector that is refused. */
  readonly says: string;
}

/** Vectors of one file, `values` or `refused`. */
export function vectorsOf(file: string): readonly Vector[] {
  const folder = path.join(import.meta.dirname, "../../vectors/msgpack");
  return JSON.parse(readFileSync(path.join(folder, `${file}.json`), "utf8")) as Vector[];
}

/** The plain value that a vector writes in JSON. */
export function plainOf(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(plainOf);
  if (typeof written !== "object" || written === null) return written;
  const { bigint, float, bytes, map } = written as Record<string, string>;
  if (bigint !== undefined) return BigInt(bigint);
  if (float !== undefined) return Number(float);
  if (bytes !== undefined) return Buffer.from(bytes, "hex");
  return Object.fromEntries(Object.entries(map ?? {}).map(([key, value]) => [key, plainOf(value)]));
}

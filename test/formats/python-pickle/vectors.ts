import { readFileSync } from "node:fs";
import path from "node:path";
import { inflateSync } from "node:zlib";

/** A pickle that CPython made: see test/vectors/python-pickle/make.py. */
export interface Vector {
  /** Version of CPython. */
  readonly python: string;
  readonly name: string;
  readonly protocol: number;
  readonly bytes: Uint8Array;
  /** Canonical text of the value, or its SHA-256. */
  readonly value: string;
}

const FILE = path.join(import.meta.dirname, "../../vectors/python-pickle/vectors.jsonl");

/** Every golden vector. */
export const vectors: readonly Vector[] = readFileSync(FILE, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => {
    const { pickle, ...others } = JSON.parse(line) as Omit<Vector, "bytes"> & { pickle: string };
    const [, deflated] = pickle.split("deflated:");
    const bytes =
      deflated === undefined ? Buffer.from(pickle, "hex") : inflateSync(Buffer.from(deflated, "base64"));
    return { ...others, bytes };
  });

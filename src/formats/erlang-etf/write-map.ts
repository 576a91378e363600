import { show } from "../../model/value.ts";
import type { ByteOutput } from "../bytes/output.ts";
import { MAP } from "./tags.ts";
import { TermOrder } from "./term-order.ts";
import type { TermWriter } from "./writer.ts";

/** Writes a map of any keys, in the order of the keys. */
export function writeMap(writer: TermWriter, map: ReadonlyMap<unknown, unknown>, depth: number): void {
  writer.enter(depth);
  const { out } = writer;
  const keys = [...map.keys()];
  writer.head(MAP, keys.length);
  const starts: number[] = [];
  let i = 0;
  try {
    for (; i < keys.length; i++) {
      starts.push(out.at);
      writer.term(keys[i], depth);
      writer.term(map.get(keys[i]), depth);
    }
  } catch (error) {
    writer.below(stepOf(keys[i]));
    throw error;
  }
  const twice = sortEntries(out, starts);
  if (twice === undefined) return;
  writer.below(stepOf(keys[twice]));
  writer.refuse("another key of the map is the same term");
}

function stepOf(key: unknown): string | number {
  return typeof key === "string" || typeof key === "number" ? key : show(key);
}

/** Puts entries that were written last into the order of their keys. Gives back which of them has the key of another. */
function sortEntries(out: ByteOutput, starts: readonly number[]): number | undefined {
  if (starts.length < 2) return undefined;
  const order = new TermOrder(out.bytes.subarray(0, out.at));
  const sorted = starts.map((_, i) => i).sort((a, b) => order.compare(starts[a]!, starts[b]!));
  const twice = sorted.find((one, i) => i > 0 && order.compare(starts[sorted[i - 1]!]!, starts[one]!) === 0);
  if (twice !== undefined) return twice;
  if (sorted.every((one, i) => one === i)) return undefined;
  const [from = 0] = starts;
  const entries = out.bytes.slice(from, out.at);
  let at = from;
  for (const one of sorted) {
    const entry = entries.subarray(starts[one]! - from, (starts[one + 1] ?? out.at) - from);
    out.bytes.set(entry, at);
    at += entry.length;
  }
  return undefined;
}

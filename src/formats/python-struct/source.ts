/** What the generators of the packer and of the unpacker share. */
import type { Format } from "./format.ts";

/** Values up to this many are parameters and array elements of their own; more go through loops over a list. */
const MOST_NAMED = 128;

/** Statements to a function. V8 leaves functions unoptimised that are much larger than what this makes. */
const CHUNK = 64;

/** Whether values go through a list, rather than each by a name. */
export function isListed({ count }: Format): boolean {
  return count > MOST_NAMED;
}

/** Statements as the body of one function, or as calls of several, whose source comes with them. */
export function inChunks(
  statements: readonly string[],
  parameters: string,
): { readonly functions: string; readonly body: string } {
  if (statements.length <= 4 * CHUNK) return { functions: "", body: statements.join("\n") };
  const functions: string[] = [];
  const calls: string[] = [];
  for (let i = 0; i < statements.length; i += CHUNK) {
    const name = `part${functions.length}`;
    functions.push(`function ${name}(${parameters}) {\n${statements.slice(i, i + CHUNK).join("\n")}\n}`);
    calls.push(`${name}(${parameters});`);
  }
  return { functions: functions.join("\n"), body: calls.join("\n") };
}

/** `b[o + 4]`, without the sum where there is nothing to add. */
export function byteAt(start: string, offset: number): string {
  return offset === 0 ? `b[${start}]` : `b[${start} + ${offset}]`;
}

/** The order in which an integer's bytes stand: how far each is shifted, from the first byte on. */
export function shifts(bits: number, bigEndian: boolean): number[] {
  const rising = Array.from({ length: bits / 8 }, (_, i) => 8 * i);
  return bigEndian ? rising.reverse() : rising;
}

/** Which values of a struct are text, by their index. */
export type TextRule = (index: number) => boolean;

/**
 * Reads terms in a small heap of its own, and prints a line of JSON for each: what came of it, and how far the process
 * has grown since before the first. It is given the terms as files, for what makes them takes memory, too: pairs of a
 * file and the options as JSON.
 */
import { readFileSync } from "node:fs";
import { binaryToTerm, type DecodeOptions } from "../../../src/formats/erlang-etf/index.ts";
import { DecodeError } from "../../../src/model/errors.ts";

function outcomeOf(bytes: Buffer, options: DecodeOptions): string {
  try {
    binaryToTerm(bytes, options);
    return "read";
  } catch (error) {
    return error instanceof DecodeError ? "refused" : String(error);
  }
}

const given = process.argv.slice(2);
const inputs = given
  .filter((_, i) => i % 2 === 0)
  .map((file, i) => ({ bytes: readFileSync(file), options: JSON.parse(given[2 * i + 1]!) as DecodeOptions }));
// What Node and this program take for themselves, however small a term is.
outcomeOf(Buffer.of(131, 80, 0, 0, 0, 1, 0), {});
const before = process.resourceUsage().maxRSS;
for (const { bytes, options } of inputs) {
  const outcome = outcomeOf(bytes, options);
  // What the term before took is not this one's.
  (globalThis as { gc?: () => void }).gc?.();
  const grownKb = process.resourceUsage().maxRSS - before;
  process.stdout.write(`${JSON.stringify({ outcome, grownKb })}\n`);
}

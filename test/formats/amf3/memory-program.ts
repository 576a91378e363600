/**
 * Decodes each bomb in a small heap and prints a line of JSON for each: what came of it, and how far the process has
 * grown since before the first.
 */
import { decode } from "../../../src/formats/amf3/index.ts";
import { DecodeError } from "../../../src/model/errors.ts";
import { bombs } from "./bombs.ts";

function outcomeOf(bytes: Uint8Array): string {
  try {
    decode(bytes);
    return "accepted";
  } catch (error) {
    return error instanceof DecodeError ? error.code : String(error);
  }
}

const before = process.resourceUsage().maxRSS;
for (const { name, bytes, expected } of bombs) {
  const outcome = outcomeOf(bytes);
  const grownKb = process.resourceUsage().maxRSS - before;
  process.stdout.write(`${JSON.stringify({ name, expected, outcome, grownKb })}\n`);
}

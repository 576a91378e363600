/** What a process that tries cases leaves in a file, so that it is known after its end: the case that it began last, and what became of those before. */
import { readFileSync, truncateSync, writeSync } from "node:fs";
import { getHeapStatistics } from "node:v8";
import { hexOf, WHOLE_BYTES } from "../cell.ts";
import { HOSTILE_OUTCOMES, MOST_BYTES, type Tried } from "./trial.ts";

/** What was left. */
export interface LastWord {
  /** Of the case that was begun last. */
  readonly index: number;
  readonly length: number;
  readonly hex: string;
  /** Kilobytes of the heap that were in use when it began, garbage among them. */
  readonly usedKilobytes: number;
  /** What became of the cases before. */
  readonly before: Tried;
}

/** Index and length of a case, kilobytes in use, and how many before it had each outcome, in 32 bits each. */
const HEAD = 4 * (3 + HOSTILE_OUTCOMES.length);

/** Behind the head and the beginning of the case: the worst of those before, as JSON behind its length. */
const WORST = HEAD + WHOLE_BYTES;

/** What leaves word in an open file, before each case. */
export function leaveWord(file: number): (index: number, bytes: Uint8Array, before: Tried) => void {
  const text = Buffer.alloc(WORST);
  let left: Tried["worst"];
  return (index, bytes, { counts, worst }) => {
    const used = Math.ceil(getHeapStatistics().used_heap_size / 1024);
    const head = [index, bytes.length, used, ...HOSTILE_OUTCOMES.map((outcome) => counts[outcome] ?? 0)];
    for (const [at, number] of head.entries()) text.writeUInt32LE(number, 4 * at);
    const shown = bytes.subarray(0, WHOLE_BYTES);
    text.set(shown, HEAD);
    // First, so that what is counted is never without it.
    if (worst !== left) {
      const json = Buffer.from(JSON.stringify(worst));
      const size = Buffer.alloc(4);
      size.writeUInt32LE(json.length);
      writeSync(file, Buffer.concat([size, json]), 0, undefined, WORST);
      left = worst;
    }
    writeSync(file, text, 0, HEAD + shown.length, 0);
  };
}

/**
 * What was left in a file since it was emptied; undefined for nothing.
 * @param most bytes of the case in hex
 */
export function lastWord(path: string, most = MOST_BYTES): LastWord | undefined {
  const left = readFileSync(path);
  if (left.length < HEAD) return undefined;
  const [index = 0, length = 0, usedKilobytes = 0, ...numbers] = Array.from({ length: HEAD / 4 }, (_, at) =>
    left.readUInt32LE(4 * at),
  );
  const counts: Record<string, number> = {};
  for (const [at, outcome] of HOSTILE_OUTCOMES.entries()) {
    if (numbers[at]! > 0) counts[outcome] = numbers[at]!;
  }
  const hex = hexOf(left.subarray(HEAD, HEAD + length), length, most);
  const size = left.length > WORST ? left.readUInt32LE(WORST) : 0;
  const worst = size === 0 ? {} : { worst: JSON.parse(left.toString("utf8", WORST + 4, WORST + 4 + size)) };
  return { index, length, hex, usedKilobytes, before: { counts, ...worst } };
}

/** Before something is asked, so that what was left before is not taken for an answer. */
export function emptyWord(path: string): void {
  truncateSync(path);
}

import { setOwn } from "../../model/generated-code.ts";
import { exactInteger, vanishes } from "./decimal.ts";
import { endOfString } from "./json-scan.ts";

/** What an integer needs in a text to be beyond 2^53: 16 digits, or an exponent. */
const MAY_BE_UNSAFE = /\d{16}|\d[eE]/;
const NUMBER_OR_STRING = /"|-?\d[\d.eE+-]*/g;

/**
 * What JSON.parse gives of a text, with bigints for the integers of at most 64 bits that a number may not hold: those
 * beyond 2^53. @param text JSON that JSON.parse has taken, of which `parsed` is the value
 */
export function readUnsafeIntegers(
  text: string,
  parsed: { readonly value: unknown },
): { readonly value: unknown } {
  if (!MAY_BE_UNSAFE.test(text)) return parsed;
  const found = unsafeIntegers(text);
  if (found.length === 0) return parsed;
  const mark = freeMark(text);
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to, integer } of found) {
    pieces.push(text.slice(done, from), `"${mark}${integer}"`);
    done = to;
  }
  const value: unknown = JSON.parse(pieces.join("") + text.slice(done));
  return { value: replaced(value, mark) };
}

function unsafeIntegers(text: string): { from: number; to: number; integer: bigint }[] {
  const found: { from: number; to: number; integer: bigint }[] = [];
  eachNumber(text, (literal, from) => {
    if (Math.abs(Number(literal)) <= Number.MAX_SAFE_INTEGER) return;
    const integer = exactInteger(literal);
    if (integer !== undefined) found.push({ from, to: from + literal.length, integer });
  });
  return found;
}

/** What a number that no double is near to needs: an exponent of three digits, or as many zeros as two digits leave. */
const MAY_VANISH = /[eE]-\d{3}|0{200}/;

/** Where the first number of a text is that is not zero, and that JSON.parse makes zero. */
export function vanishedNumber(text: string): number | undefined {
  if (!MAY_VANISH.test(text)) return undefined;
  let found: number | undefined;
  eachNumber(text, (literal, from) => {
    if (found === undefined && vanishes(literal)) found = from;
  });
  return found;
}

/** The numbers of a JSON text, and where each begins. */
function eachNumber(text: string, meet: (literal: string, from: number) => void): void {
  NUMBER_OR_STRING.lastIndex = 0;
  for (let met = NUMBER_OR_STRING.exec(text); met !== null; met = NUMBER_OR_STRING.exec(text)) {
    const [literal] = met;
    if (literal === '"') NUMBER_OR_STRING.lastIndex = endOfString(text, met.index);
    else meet(literal, met.index);
  }
}

/** Text that stands nowhere in a text, with which no other string begins. */
function freeMark(text: string): string {
  for (let number = 0; ; number++) {
    const mark = `integer ${number}: `;
    if (!text.includes(mark)) return mark;
  }
}

/** A value in which every string that begins with the mark is the bigint after it. */
function replaced(value: unknown, mark: string): unknown {
  const holder: Record<string, unknown> = { value };
  const open: (Record<string, unknown> | unknown[])[] = [holder];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    for (const key of Object.keys(place)) {
      const item = (place as Record<string, unknown>)[key];
      if (typeof item === "object" && item !== null) open.push(item as Record<string, unknown>);
      else if (typeof item === "string" && item.startsWith(mark))
        setOwn(place as Record<string, unknown>, key, BigInt(item.slice(mark.length)));
    }
  }
  return holder["value"];
}

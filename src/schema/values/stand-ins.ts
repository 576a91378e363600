/** What superjson, devalue and seroval write as JSON in place of values that JSON lacks. */
import { DecodeError } from "../../model/errors.ts";
import type { Value } from "../../model/value.ts";

/** The bigint that some digits are; undefined for more than one of 64 bits has, and for anything else. */
export function bigintOf(text: unknown): bigint | undefined {
  return typeof text === "string" && /^-?\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}

/** Numbers by the text that superjson notes to be one (`transformer.ts` of superjson). */
const SUPERJSON_NUMBERS: ReadonlyMap<unknown, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
  ["-0", -0],
]);

/** What superjson notes a value to be that JSON lacks. */
export type SuperjsonType = "bigint" | "number" | "bytes";

/** The type that a note names; undefined for those that no value of a schema has. */
export function superjsonType(noted: unknown): SuperjsonType | undefined {
  if (noted === "bigint" || noted === "number") return noted;
  const [kind, name, ...others] = Array.isArray(noted) ? (noted as readonly unknown[]) : [];
  return kind === "typed-array" && name === "Uint8Array" && others.length === 0 ? "bytes" : undefined;
}

/** What a value of JSON stands for that is noted to be of a type; undefined where it stands for nothing. */
export function superjsonValue(json: unknown, type: SuperjsonType): bigint | number | Uint8Array | undefined {
  if (type === "bigint") return bigintOf(json);
  if (type === "number") return SUPERJSON_NUMBERS.get(json);
  return Array.isArray(json) && json.every(isByte) ? Uint8Array.from(json) : undefined;
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}

/** Most characters of a path of superjson. */
export const LONGEST_PATH = 2 ** 16;

/**
 * The steps of a path of superjson, in which a dot of a key is `\.` and a backslash two. Throws DecodeError for one that is longer than
 * {@link LONGEST_PATH}.
 */
export function superjsonSteps(path: string): string[] {
  if (path.length > LONGEST_PATH)
    throw new DecodeError("superjson", `a path of more than ${LONGEST_PATH} characters`);
  const steps = [""];
  for (const [part] of path.matchAll(/\\[\\.]|./gsu)) {
    if (part === ".") steps.push("");
    else steps[steps.length - 1] += part.length === 2 && part.startsWith("\\") ? part.slice(1) : part;
  }
  return steps;
}

/** Numbers by what devalue writes in place of their index (`constants.js` of devalue). */
export const DEVALUE_NUMBERS: ReadonlyMap<unknown, number> = new Map([
  [-3, Number.NaN],
  [-4, Number.POSITIVE_INFINITY],
  [-5, Number.NEGATIVE_INFINITY],
  [-6, -0],
]);

/** Types of nodes that seroval writes values as (`SerovalNodeType` of seroval). */
export const SEROVAL_NODE = {
  number: 0,
  text: 1,
  constant: 2,
  bigint: 3,
  known: 4,
  list: 9,
  object: 10,
  view: 15,
  buffer: 19,
} as const;

/** Values by what seroval writes in a constant's node (`SerovalConstant` of seroval). */
export const SEROVAL_CONSTANTS: ReadonlyMap<unknown, Value> = new Map<unknown, Value>([
  [0, null],
  [2, true],
  [3, false],
  [4, -0],
  [5, Number.POSITIVE_INFINITY],
  [6, Number.NEGATIVE_INFINITY],
  [7, Number.NaN],
]);

const SEROVAL_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["b", "\b"],
  ["t", "\t"],
  ["f", "\f"],
  ["x3C", "<"],
  ["u2028", "\u2028"],
  ["u2029", "\u2029"],
]);

/** Text that seroval has escaped for a script, below the escapes of JSON (`string.ts` of seroval). */
export function serovalText(text: string): string {
  return text.replace(
    /\\(["\\nrbtf]|x3C|u2028|u2029)/g,
    (_, escaped: string) => SEROVAL_ESCAPES.get(escaped) ?? escaped,
  );
}

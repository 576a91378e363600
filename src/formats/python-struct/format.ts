import { SchemaError } from "../../model/errors.ts";

/** What one character of a format stands for, beside its size. */
export type Kind =
  | { readonly kind: "pad" }
  | { readonly kind: "char" }
  | { readonly kind: "bool" }
  | { readonly kind: "integer"; readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean }
  /** An address: of 64 bits, written from negative numbers too. */
  | { readonly kind: "pointer" }
  /** `checked`: whether a number that rounds to infinity is refused rather than written as that. */
  | { readonly kind: "float"; readonly bits: 16 | 32 | 64; readonly checked: boolean }
  | { readonly kind: "bytes" }
  /** A byte with the length, and bytes. */
  | { readonly kind: "pascal" };

/** One format character in one of the two modes. */
interface Character {
  readonly type: Kind;
  /** Bytes of one; in native mode also its alignment. */
  readonly size: number;
}

function integer(bits: 8 | 16 | 32 | 64, signed: boolean): Character {
  return { type: { kind: "integer", bits, signed }, size: bits / 8 };
}

function float(bits: 16 | 32 | 64, checked = true): Character {
  return { type: { kind: "float", bits, checked }, size: bits / 8 };
}

/** Sizes of the prefixes `<`, `>`, `=` and `!` (docs.python.org/3/library/struct.html, "Format Characters"). */
const STANDARD: ReadonlyMap<string, Character> = new Map([
  ["x", { type: { kind: "pad" }, size: 1 }],
  ["c", { type: { kind: "char" }, size: 1 }],
  ["?", { type: { kind: "bool" }, size: 1 }],
  ["b", integer(8, true)],
  ["B", integer(8, false)],
  ["h", integer(16, true)],
  ["H", integer(16, false)],
  ["i", integer(32, true)],
  ["I", integer(32, false)],
  ["l", integer(32, true)],
  ["L", integer(32, false)],
  ["q", integer(64, true)],
  ["Q", integer(64, false)],
  ["e", float(16)],
  ["f", float(32)],
  ["d", float(64)],
  ["s", { type: { kind: "bytes" }, size: 1 }],
  ["p", { type: { kind: "pascal" }, size: 1 }],
]);

/** Sizes of the prefix `@` and of none: those of gcc on x86-64 Linux, where every alignment is the size. */
const NATIVE: ReadonlyMap<string, Character> = new Map([
  ...STANDARD,
  ["l", integer(64, true)],
  ["L", integer(64, false)],
  ["n", integer(64, true)],
  ["N", integer(64, false)],
  ["P", { type: { kind: "pointer" }, size: 8 }],
  // A C cast from double: Modules/_struct.c, np_float.
  ["f", float(32, false)],
]);

/** Every kind, each once. */
export const KINDS: readonly Kind[] = [
  ...new Set([...STANDARD.values(), ...NATIVE.values()].map(({ type }) => type)),
];

/** Values of one kind that stand side by side. */
export interface Item {
  readonly type: Exclude<Kind, { kind: "pad" }>;
  /** Bytes from the start of the struct. */
  readonly offset: number;
  /** Bytes of one value. */
  readonly size: number;
  /** How many values. */
  readonly repeat: number;
  /** Which value of the struct the first one is. */
  readonly index: number;
}

/** What a format says. */
export interface Format {
  /** As it was given. */
  readonly text: string;
  readonly bigEndian: boolean;
  /** Bytes of the struct, its padding included. */
  readonly size: number;
  /** Values that are packed and unpacked. */
  readonly count: number;
  /** Runs of values of one kind. */
  readonly runs: number;
  /** The runs, in their order: no more of them than were asked for. */
  readonly items: readonly Item[];
}

/** The first character of a format, where it is one of these. Native sizes go with native alignment. */
const PREFIXES: Readonly<Record<string, { readonly bigEndian: boolean; readonly native: boolean }>> = {
  "@": { bigEndian: false, native: true },
  "=": { bigEndian: false, native: false },
  "<": { bigEndian: false, native: false },
  ">": { bigEndian: true, native: false },
  "!": { bigEndian: true, native: false },
};

const SPACE = /[ \t\n\v\f\r]/;
const DIGIT = /[0-9]/;

/**
 * Reads a format as CPython 3 does (Modules/_struct.c, prepare_s). Throws SchemaError, with the column, where
 * CPython raises struct.error, and for a size that is no safe integer; CPython goes on to 2^63.
 * @param mostRuns how many runs are kept: a long text of short ones costs no memory beyond them
 */
export function parseFormat(text: string, mostRuns: number): Format {
  if (typeof text !== "string") throw new SchemaError("format", `expected text, got ${typeof text}`);
  const prefix = Object.hasOwn(PREFIXES, text.charAt(0)) ? PREFIXES[text.charAt(0)] : undefined;
  const { bigEndian, native } = prefix ?? { bigEndian: false, native: true };
  const characters = native ? NATIVE : STANDARD;
  const items: Item[] = [];
  let [offset, count, runs] = [0, 0, 0];
  let last: Mutable<Item> | undefined;
  const refuse = (problem: string, at: number): never => {
    throw new SchemaError(shown(text), problem, { column: at + 1 });
  };

  for (let at = prefix === undefined ? 0 : 1; at < text.length; at++) {
    if (SPACE.test(text.charAt(at))) continue;
    const start = at;
    while (at < text.length && DIGIT.test(text.charAt(at))) at++;
    if (at === text.length) refuse("a count without a format character", start);
    const repeat = at === start ? 1 : Number(text.slice(start, at));
    const found = characters.get(text.charAt(at));
    if (found === undefined) return refuse(unknown(text.charAt(at)), at);
    const { type, size } = found;
    if (native) offset = Math.ceil(offset / size) * size;
    if (offset + repeat * size > Number.MAX_SAFE_INTEGER) refuse("the struct is too large", start);

    const isText = type.kind === "bytes" || type.kind === "pascal";
    if (type.kind !== "pad" && (isText || repeat > 0)) {
      const item: Mutable<Item> = isText
        ? { type, offset, size: repeat, repeat: 1, index: count }
        : { type, offset, size, repeat, index: count };
      if (last !== undefined && !isText && continues(last, item)) last.repeat += repeat;
      else {
        last = item;
        runs += 1;
        if (items.length < mostRuns) items.push(item);
      }
      count += item.repeat;
    }
    offset += repeat * size;
  }
  return { text, bigEndian, size: offset, count, runs, items };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Whether values are more of the ones before them. */
function continues(last: Item, { type, offset }: Item): boolean {
  return last.type === type && last.offset + last.size * last.repeat === offset;
}

function unknown(character: string): string {
  const known = NATIVE.has(character) ? ", which only native mode has" : "";
  return `expected a format character, got ${JSON.stringify(character)}${known}`;
}

/** A format for an error message. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

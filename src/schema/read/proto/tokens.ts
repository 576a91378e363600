import { SchemaError } from "../../../model/errors.ts";
import type { Name, Spot } from "./declarations.ts";

/** A word of a .proto file (language specification, "Lexical Elements"). Text is as it is written, in its quotes. */
export interface Token {
  readonly kind: "name" | "integer" | "float" | "string" | "sign" | "end";
  readonly text: string;
  /** Both count from 1, the second in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** The comments of lines of their own that stand right above it, without their slashes. */
  readonly above?: string;
}

const BLANK = /[ \n\r\t\v\f]+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
/** Each kind and how it is spelled, the first that matches. */
const SPELLINGS: readonly (readonly [Token["kind"], RegExp])[] = [
  ["name", /[A-Za-z_]\w*/],
  ["float", /(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+/],
  ["integer", /0[xX][\da-fA-F]+|\d+/],
  ["string", /"(?:[^"\\\n]|\\[^\n])*"|'(?:[^'\\\n]|\\[^\n])*'/],
  ["sign", /[!-/:-@[-`{-~]/],
];
const TOKEN = new RegExp(SPELLINGS.map(([, { source }]) => `(${source})`).join("|"), "y");

function tokenize(file: string, text: string): Token[] {
  const tokens: Token[] = [];
  let offset = text.startsWith("\uFEFF") ? 1 : 0;
  let line = 1;
  let lineStart = offset;
  let blank = "\n";
  const matched = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = offset;
    return pattern.exec(text);
  };
  while (offset < text.length) {
    const skipped = matched(BLANK)?.[0];
    if (skipped !== undefined) {
      blank += skipped;
      for (let at = skipped.indexOf("\n"); at >= 0; at = skipped.indexOf("\n", at + 1)) {
        line += 1;
        lineStart = offset + at + 1;
      }
      offset += skipped.length;
      continue;
    }
    const place = { line, column: offset - lineStart + 1 };
    const fail = (problem: string): SchemaError => new SchemaError(file, problem, place);
    if (text.startsWith("/*", offset)) throw fail("comment without an end");
    const found = matched(TOKEN);
    const [word = ""] = found ?? [];
    if (found === null) throw fail(`the character ${JSON.stringify(text[offset])} has no meaning here`);
    const [kind] = SPELLINGS[found.indexOf(word, 1) - 1]!;
    offset += word.length;
    if (word === '"' || word === "'") throw fail("text without an end");
    if ((kind === "integer" || kind === "float") && /\w/.test(text[offset] ?? "")) {
      throw fail(`${word}${text[offset]} is no number`);
    }
    const above = commentsIn(blank);
    blank = "";
    tokens.push({ kind, text: word, ...place, ...(above === "" ? {} : { above }) });
  }
  tokens.push({ kind: "end", text: "", line, column: offset - lineStart + 1 });
  return tokens;
}

/** The comments in blank text, without that which ends the line that it begins in. */
function commentsIn(blank: string): string {
  if (!blank.includes("//")) return "";
  const own = blank.slice(blank.indexOf("\n") + 1);
  return [...own.matchAll(/\/\/([^\n]*)/g)].map(([, text = ""]) => text.trim()).join("\n");
}

/** A place in the tokens of a .proto file, moving forward. Every error is a SchemaError at a token. */
export class Cursor {
  readonly #file: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#tokens = tokenize(file, text);
  }

  /** The token at hand. */
  get token(): Token {
    return this.#tokens[this.#at]!;
  }

  /** The token after it. */
  get following(): Token {
    return this.#tokens[this.#at + 1] ?? this.token;
  }

  /** Moves on and returns the token that was at hand. */
  next(): Token {
    const { token } = this;
    if (token.kind !== "end") this.#at += 1;
    return token;
  }

  /** Whether the token at hand is this word or sign. */
  is(text: string): boolean {
    return this.token.text === text && this.token.kind !== "string";
  }

  /** Moves on if the token at hand is this word or sign. */
  skip(text: string): boolean {
    const found = this.is(text);
    if (found) this.next();
    return found;
  }

  /** Moves past this word or sign. */
  expect(text: string): void {
    if (!this.skip(text)) throw this.unexpected(`"${text}"`);
  }

  /** Moves past a name. @param what it is of, for an error */
  name(what: string): Name {
    if (this.token.kind !== "name") throw this.unexpected(`the name of ${what}`);
    return this.#named(this.next());
  }

  /** Moves past names with dots between them, and one in front where `full` allows that. */
  path(what: string, full: "with a dot" | "without a dot"): Name {
    const spot = spotOf(this.token);
    const dot = full === "with a dot" && this.skip(".") ? "." : "";
    const parts: string[] = [];
    do parts.push(this.name(what).name);
    while (this.skip("."));
    return { name: dot + parts.join("."), spot };
  }

  /** Moves past text in quotes, of several pieces where they follow each other: a character for each byte. */
  string(what: string): Name {
    const spot = spotOf(this.token);
    if (this.token.kind !== "string") throw this.unexpected(what);
    let name = "";
    while (this.token.kind === "string") name += this.#unquoted(this.next());
    return { name, spot };
  }

  /** Moves past an integer, which may have a sign where `signed` is set. */
  integer(what: string, signed = false): { readonly value: number; readonly spot: Spot } {
    const spot = spotOf(this.token);
    const sign = signed && this.skip("-") ? -1 : 1;
    if (this.token.kind !== "integer") throw this.unexpected(what);
    // Zero has no sign.
    return { value: sign * Number(this.#exact(this.next())) + 0, spot };
  }

  /** Moves past an integer of any size. */
  exactInteger(): bigint {
    return this.#exact(this.next());
  }

  /** The error of a token that does not belong where it stands. */
  unexpected(wanted: string): SchemaError {
    const { token } = this;
    const got = token.kind === "end" ? "the end of the file" : JSON.stringify(token.text);
    return this.error(`syntax error, expected ${wanted}, got ${got}`, token);
  }

  /** An error at a place. */
  error(problem: string, spot: Spot = this.token): SchemaError {
    return new SchemaError(this.#file, problem, spot);
  }

  #exact(token: Token): bigint {
    const { text } = token;
    if (!/^0\d/.test(text)) return BigInt(text);
    if (/[89]/.test(text)) throw this.error(`${text} begins with 0 and is not octal`, token);
    return BigInt(`0o${text}`);
  }

  #named(token: Token): Name {
    if (token.text === "__proto__") throw this.error('the name "__proto__" cannot be used', token);
    return { name: token.text, spot: spotOf(token) };
  }

  #unquoted(token: Token): string {
    const bytes = Buffer.from(token.text.slice(1, -1)).toString("latin1");
    const text = unescaped(bytes);
    if (text === undefined) throw this.error("text with an escape that is none", token);
    return text;
  }
}

function spotOf({ line, column }: Token): Spot {
  return { line, column };
}

const ESCAPE =
  /\\(?:([0-7]{1,3})|[xX]([\da-fA-F]{1,2})|u([\da-fA-F]{4})|U(00(?:0[\da-fA-F]|10)[\da-fA-F]{4})|([abfnrtv\\?'"])|(?<none>[\s\S]?))/g;
const LETTERS: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Text in the escapes of C, with a character for each byte before and after; undefined where an escape is none. */
export function unescaped(text: string): string | undefined {
  let isValid = true;
  const result = text.replace(ESCAPE, (_, octal, hex, short, long, letter?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    if (letter !== undefined) return LETTERS[letter] ?? letter;
    const point = short ?? long;
    if (point === undefined) isValid = false;
    return Buffer.from(String.fromCodePoint(Number.parseInt(point ?? "0", 16))).toString("latin1");
  });
  return isValid ? result : undefined;
}

import { ValueError } from "../../model/errors.ts";

/** A piece of protobuf text, and where it begins. */
export type TextToken =
  | { readonly kind: "name" | "number" | "mark"; readonly text: string; readonly at: number }
  | { readonly kind: "string"; readonly bytes: Uint8Array; readonly at: number }
  | { readonly kind: "end"; readonly at: number };

const SPACE = /[ \t\n\v\f\r]+|#[^\n]*/y;
const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fF]?/y;
const MARKS = "{}<>[]:,;-./";

/** The pieces of protobuf text, one after the other (protobuf.dev, "Text Format Language Specification"). */
export class TextTokens {
  readonly #text: string;
  #at = 0;
  #next: TextToken | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next piece, which stays the next. Throws ValueError with line and column. */
  peek(): TextToken {
    this.#next ??= this.#read();
    return this.#next;
  }

  /** The next piece, which is taken. */
  take(): TextToken {
    const token = this.peek();
    if (token.kind !== "end") this.#next = undefined;
    return token;
  }

  /** Takes the next piece if it is a mark. */
  skip(mark: string): boolean {
    const token = this.peek();
    const isMark = token.kind === "mark" && token.text === mark;
    if (isMark) this.take();
    return isMark;
  }

  /** Throws ValueError with the line and the column of a piece. */
  fail(at: number, problem: string): never {
    throw this.problem(at, problem);
  }

  /** What {@link fail} throws. */
  problem(at: number, problem: string): ValueError {
    const lines = this.#text.slice(0, at).split("\n");
    return new ValueError("", `line ${lines.length}, column ${lines.at(-1)!.length + 1}: ${problem}`);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #read(): TextToken {
    while (this.#match(SPACE) !== undefined);
    const at = this.#at;
    const character = this.#text[at];
    if (character === undefined) return { kind: "end", at };
    if (character === '"' || character === "'") return this.#string(character);
    const name = this.#match(NAME);
    if (name !== undefined) return { kind: "name", text: name, at };
    const number = this.#match(NUMBER);
    if (number !== undefined) {
      if (/^0\d/.test(number) && !/^0[0-7]+$/.test(number)) this.fail(at, `no octal number: ${number}`);
      if (/[\w.]/.test(this.#text[this.#at] ?? "")) this.fail(this.#at, `a space is missing after ${number}`);
      return { kind: "number", text: number, at };
    }
    if (!MARKS.includes(character)) this.fail(at, `unexpected ${JSON.stringify(character)}`);
    this.#at += 1;
    return { kind: "mark", text: character, at };
  }

  #string(quote: string): TextToken {
    const at = this.#at;
    const parts: Uint8Array[] = [];
    const end = quote === '"' ? /["\\\n]/g : /['\\\n]/g;
    this.#at += 1;
    for (;;) {
      end.lastIndex = this.#at;
      const stop = end.exec(this.#text)?.index ?? this.#text.length;
      parts.push(Buffer.from(this.#text.slice(this.#at, stop)));
      this.#at = stop + 1;
      const character = this.#text[stop];
      if (character === quote) return { kind: "string", bytes: Buffer.concat(parts), at };
      if (character !== "\\") this.fail(at, "the string does not end in its line");
      parts.push(this.#escape(stop));
    }
  }

  /** The bytes of what follows a backslash. */
  #escape(at: number): Uint8Array {
    const digits = this.#match(/[0-7]{1,3}/y) ?? this.#match(/[xX][0-9a-fA-F]{1,2}/y);
    if (digits !== undefined) {
      const byte = /^[xX]/.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number.parseInt(digits, 8);
      if (byte > 255) this.fail(at, `\\${digits} is no byte`);
      return Buffer.of(byte);
    }
    const unicode = this.#match(
      /u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}/y,
    );
    if (unicode !== undefined) {
      const units = unicode.split("\\").map((unit) => Number.parseInt(unit.slice(1), 16));
      const text = units.length === 2 ? String.fromCharCode(...units) : pointText(units[0]!);
      if (text === undefined || !text.isWellFormed()) this.fail(at, `\\${unicode} is no character`);
      return Buffer.from(text);
    }
    const byte = ESCAPES[this.#text[this.#at] ?? ""];
    if (byte === undefined) this.fail(at, "no escape that text format has");
    this.#at += 1;
    return Buffer.of(byte);
  }
}

function pointText(point: number): string | undefined {
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined;
}

const ESCAPES: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 0x22,
  "'": 0x27,
  "?": 0x3f,
  "\\": 0x5c,
};

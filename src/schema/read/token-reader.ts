import { readFileSync } from "node:fs";
import { type Comments, type Token, tokenize } from "../../formats/c-struct/tokens.ts";
import { fileProblem, SchemaError } from "../../model/errors.ts";
import { placeOfNoText, textOf } from "./text-of.ts";

/** The tokens of a schema file, taken one by one. What is not as expected ends in a SchemaError with its place. */
export class TokenReader {
  readonly file: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  /** Reads the file. Throws SchemaError where that cannot be. */
  constructor(file: string, comments?: Comments) {
    this.file = file;
    this.#tokens = tokenize(file, textOfFile(file), comments);
  }

  /** The next token, which stays; or one some tokens ahead. */
  peek(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  next(): Token {
    const token = this.peek();
    if (token.kind === "end") throw this.error(token, "unexpected end of file");
    this.#at += 1;
    return token;
  }

  /** Takes the next token if it is spelled so. */
  accept(text: string): boolean {
    const { kind, text: found } = this.peek();
    if (found !== text || kind === "string" || kind === "end") return false;
    this.#at += 1;
    return true;
  }

  expect(text: string): Token {
    const token = this.peek();
    if (!this.accept(text)) throw this.unexpected(token, JSON.stringify(text));
    return token;
  }

  name(what: string): Token {
    const token = this.peek();
    if (token.kind !== "name") throw this.unexpected(token, what);
    if (token.text === "__proto__") throw this.error(token, 'the name "__proto__" cannot be used');
    return this.next();
  }

  /** Names with dots between them. */
  path(what: string): string {
    let path = this.name(what).text;
    while (this.accept(".")) path += `.${this.name(what).text}`;
    return path;
  }

  /** Text in quotes, without them. */
  string(what: string): string {
    const token = this.peek();
    if (!/^(?:".*"|'.*')$/s.test(token.text) || token.text.length < 2) {
      throw this.unexpected(token, what);
    }
    return this.unquoted(this.next());
  }

  /** A token in quotes as the text that it stands for. */
  unquoted(token: Token): string {
    return unescaped(token.text.slice(1, -1), (problem) => this.error(token, problem));
  }

  /** Passes over everything up to the bracket that closes the one at hand. */
  skipBrackets(): void {
    const open: Token[] = [];
    do {
      const token = this.peek();
      if (token.kind === "end") throw this.error(open.at(-1)!, `"${open.at(-1)!.text}" is never closed`);
      this.#at += 1;
      if (token.kind === "string") continue;
      if ("([{".includes(token.text)) open.push(token);
      else if (")]}".includes(token.text)) {
        if (CLOSING[open.at(-1)!.text] !== token.text)
          throw this.unexpected(token, `"${CLOSING[open.at(-1)!.text]}"`);
        open.pop();
      }
    } while (open.length > 0);
  }

  unexpected(token: Token, expected: string): SchemaError {
    if (token.kind === "end") return this.error(token, `unexpected end of file, expected ${expected}`);
    return this.error(token, `expected ${expected}, got ${JSON.stringify(token.text)}`);
  }

  error({ line, column }: Token, problem: string): SchemaError {
    return new SchemaError(this.file, problem, { line, column });
  }
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

function textOfFile(file: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new SchemaError(file, fileProblem(error));
  }
  const text = textOf(bytes);
  if (text === undefined) throw new SchemaError(file, "not valid UTF-8", placeOfNoText(bytes));
  return text;
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" },
  ...{ "0": "\0", "'": "'", '"': '"', "\\": "\\", "/": "/", "?": "?" },
};

function unescaped(text: string, error: (problem: string) => SchemaError): string {
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (whole, unit: string | undefined, byte: string | undefined, letter: string) => {
      const code = unit ?? byte;
      const character = code === undefined ? ESCAPES[letter] : String.fromCharCode(Number.parseInt(code, 16));
      if (character === undefined) throw error(`unknown escape ${JSON.stringify(whole)}`);
      return character;
    },
  );
}

import { SchemaError } from "../../model/errors.ts";
import type { Token } from "./tokens.ts";

/** What C has and a layout here does not, by the word that gives it away. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ...["__attribute__", "__attribute", "__declspec", "__packed", "__aligned"].map(
    (word) => [word, "attributes are not supported: they may change the layout"] as const,
  ),
  ...["_Alignas", "alignas"].map((word) => [word, "explicit alignment is not supported"] as const),
  ["union", "unions are not supported: nothing says which member holds the value"],
  ["_Pragma", "pragmas are not supported: they may change the layout"],
  ["_BitInt", "integers of any width are not supported"],
]);

/** Keywords of C11, and `bool`: none of them is a name. */
const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "auto break case char const continue default do double else enum extern float for goto if inline int long " +
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while " +
    "_Alignas _Alignof _Atomic _Bool _Complex _Generic _Imaginary _Noreturn _Static_assert _Thread_local bool"
  ).split(" "),
);

/** A place in a list of tokens, moving forward. */
export class Cursor {
  readonly #file: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  /** @param tokens with an `end` token last */
  constructor(file: string, tokens: readonly Token[]) {
    this.#file = file;
    this.#tokens = tokens;
  }

  /** The token at hand. Throws SchemaError where it is one that is refused wherever it stands. */
  get token(): Token {
    const token = this.#tokens[this.#at]!;
    const reason = token.kind === "name" ? REFUSED.get(token.text) : undefined;
    if (reason !== undefined) throw this.error(reason, token);
    return token;
  }

  /** Moves on and returns the token that was at hand. */
  next(): Token {
    const { token } = this;
    if (token.kind !== "end") this.#at += 1;
    return token;
  }

  /** Moves on if the token at hand is this word or sign. */
  skip(text: string): boolean {
    if (!this.is(text)) return false;
    this.next();
    return true;
  }

  /** Whether the token at hand is this word or sign. */
  is(text: string): boolean {
    const { token } = this;
    return token.text === text && (token.kind === "name" || token.kind === "punctuator");
  }

  /** Moves past this sign. */
  expect(text: string): void {
    if (!this.skip(text)) throw this.unexpected(`"${text}"`);
  }

  /** Moves past a name and returns it; stays where it is and returns undefined where there is none. */
  name(): Token | undefined {
    const { token } = this;
    return token.kind === "name" && !KEYWORDS.has(token.text) ? this.next() : undefined;
  }

  /** Moves past a name, which must be there, and returns it. */
  expectName(what: string): Token {
    const name = this.name();
    if (name === undefined) throw this.unexpected(what);
    return name;
  }

  /** The error of a token that does not belong where it stands. */
  unexpected(wanted: string): SchemaError {
    const { token } = this;
    const got = token.kind === "end" ? "the end of the file" : JSON.stringify(token.text);
    return this.error(`syntax error, expected ${wanted}, got ${got}`, token);
  }

  /** An error at a token. */
  error(problem: string, { line, column }: Token = this.token): SchemaError {
    return new SchemaError(this.#file, problem, { line, column });
  }
}

import { SchemaError } from "../../model/errors.ts";

/** One word of a C file, or of a language that is spelled alike. `other` is a character that C has no use for, refused only where it is met. */
export interface Token {
  readonly kind: "name" | "number" | "character" | "string" | "punctuator" | "other" | "end";
  readonly text: string;
  /** Counts from 1. */
  readonly line: number;
  /** Counts from 1, in UTF-16 units. */
  readonly column: number;
  /** In UTF-16 units from 0. */
  readonly offset: number;
  /** Whether it is the first of its line, where `#` starts a directive. */
  readonly first: boolean;
}

/** C's comments, of which those within a line end with it. */
const C_COMMENTS: Comments = { line: /\/\/(?:\\\r?\n|[^\n])*/y, block: true };

/** What a language takes for comments: a sticky expression for those that end with the line, and whether C's others are. */
export interface Comments {
  readonly line: RegExp;
  readonly block: boolean;
}

const BLANK = /[ \t\v\f\r\uFEFF]+|\\\r?\n/y;
/**
 * Each kind and how it is spelled, the first that matches. Text in quotes that is not closed takes the rest of its line:
 * it may stand in a directive that is passed over.
 */
const SPELLINGS: readonly (readonly [Token["kind"], RegExp])[] = [
  ["name", /[A-Za-z_]\w*/],
  ["number", /\.?\d(?:[eEpP][+-]|[\w.])*/],
  ["character", /'(?:[^'\\\n]|\\.)*'?/],
  ["string", /"(?:[^"\\\n]|\\.)*"?/],
  ["punctuator", /<<|>>|<=|>=|==|!=|&&|\|\||##|[-+*/%~!<>=&|^?:;,.(){}[\]#]/],
  ["other", /./],
];
const TOKEN = new RegExp(SPELLINGS.map(([, { source }]) => `(${source})`).join("|"), "sy");

/** Splits a file into tokens, without comments and with an `end` token last. Throws SchemaError. */
export function tokenize(file: string, text: string, comments: Comments = C_COMMENTS): Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  let line = 1;
  let lineStart = 0;
  let first = true;
  const matched = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = offset;
    return pattern.exec(text);
  };
  const pass = (skipped: string): void => {
    for (let at = skipped.indexOf("\n"); at >= 0; at = skipped.indexOf("\n", at + 1)) {
      line += 1;
      lineStart = offset + at + 1;
    }
    offset += skipped.length;
  };
  while (offset < text.length) {
    if (text[offset] === "\n") {
      pass("\n");
      first = true;
      continue;
    }
    const skipped = matched(BLANK) ?? matched(comments.line);
    if (skipped !== null) {
      pass(skipped[0]);
      continue;
    }
    const place = { line, column: offset - lineStart + 1 };
    if (comments.block && text.startsWith("/*", offset)) {
      const end = text.indexOf("*/", offset + 2);
      if (end < 0) throw new SchemaError(file, "comment without an end", place);
      pass(text.slice(offset, end + 2));
      continue;
    }
    const found = matched(TOKEN);
    if (found === null) break;
    const [word] = found;
    const [kind] = SPELLINGS[found.indexOf(word, 1) - 1]!;
    tokens.push({ kind, text: word, line: place.line, column: place.column, offset, first });
    first = false;
    offset += word.length;
  }
  tokens.push({ kind: "end", text: "", line, column: offset - lineStart + 1, offset, first: true });
  return tokens;
}

/** Most tokens, macros and what they expand to included. */
const MAX_TOKENS = 1_000_000;
/** Most of them for each token of the file, and beyond these: a few macros that double could ask for any number. */
const [TOKENS_PER_TOKEN, MORE_TOKENS] = [8, 10_000];
/** Deepest chain of macros that stand for macros. */
const MAX_EXPANSION = 100;
/** Macros that are known not to be defined: the header is read as C. */
const NOT_DEFINED: ReadonlySet<string> = new Set(["__cplusplus"]);

/** One `#if` that is open. */
interface Group {
  readonly opened: Token;
  /** Whether the lines around it count. */
  readonly outer: boolean;
  /** Whether the lines at hand count. */
  active: boolean;
  /** Whether one of its branches has counted. */
  taken: boolean;
}

/**
 * The tokens of a header after its directives: macros without arguments are expanded, `#include` is passed
 * over, and of conditions only those with a certain outcome are taken: include guards, `__cplusplus`, names
 * that the header itself defines, 0 and 1. Throws SchemaError for any other, since it could change a layout.
 */
export function preprocess(file: string, tokens: readonly Token[]): Token[] {
  return new Preprocessor(file, tokens).run();
}

class Preprocessor {
  readonly #file: string;
  readonly #tokens: readonly Token[];
  readonly #output: Token[] = [];
  readonly #macros = new Map<string, readonly Token[] | "with arguments">();
  readonly #groups: Group[] = [];
  readonly #maxSteps: number;
  #at = 0;
  #steps = 0;

  constructor(file: string, tokens: readonly Token[]) {
    this.#file = file;
    this.#tokens = tokens;
    this.#maxSteps = Math.min(MAX_TOKENS, TOKENS_PER_TOKEN * tokens.length + MORE_TOKENS);
  }

  run(): Token[] {
    for (let token = this.#token(); token.kind !== "end"; token = this.#token()) {
      this.#at += 1;
      if (token.first && token.text === "#") this.#directive(this.#line());
      else if (this.#active) this.#expand(token, token, []);
    }
    const open = this.#groups.at(-1);
    if (open !== undefined) throw this.#error(open.opened, "condition without an #endif");
    return [...this.#output, this.#token()];
  }

  get #active(): boolean {
    return this.#groups.at(-1)?.active ?? true;
  }

  #token(ahead = 0): Token {
    return this.#tokens[Math.min(this.#at + ahead, this.#tokens.length - 1)]!;
  }

  /** The rest of the line. */
  #line(): Token[] {
    const line: Token[] = [];
    for (; !this.#token().first; this.#at++) line.push(this.#token());
    return line;
  }

  #directive(line: readonly Token[]): void {
    const [word, ...rest] = line;
    if (word === undefined) return;
    if (this.#condition(word, rest) || !this.#active) return;
    if (word.text === "define") this.#define(rest);
    else if (word.text === "undef") this.#macros.delete(rest[0]?.text ?? "");
    else if (word.text === "pragma") this.#pragma(word, rest);
    else if (word.text !== "include") throw this.#error(word, `#${word.text} is not supported`);
  }

  #define([name, ...body]: readonly Token[]): void {
    if (name?.kind !== "name")
      throw this.#error(name ?? this.#token(), "syntax error, expected a macro's name");
    const [open] = body;
    const withArguments = open?.text === "(" && open.offset === name.offset + name.text.length;
    const macro = withArguments ? "with arguments" : body;
    const known = this.#macros.get(name.text);
    if (known !== undefined && spelled(known) !== spelled(macro)) {
      throw this.#error(name, `macro ${name.text} is defined twice, with different values`);
    }
    this.#macros.set(name.text, macro);
  }

  #pragma(word: Token, [first, second]: readonly Token[]): void {
    const harmless =
      first === undefined ||
      first.text === "once" ||
      ((first.text === "GCC" || first.text === "clang") && second?.text === "diagnostic");
    if (!harmless)
      throw this.#error(word, `#pragma ${first.text} is not supported: it may change the layout`);
  }

  /** Follows a conditional directive. Returns false for any other. */
  #condition(word: Token, rest: readonly Token[]): boolean {
    const group = this.#groups.at(-1);
    switch (word.text) {
      case "if":
      case "ifdef":
      case "ifndef": {
        const outer = this.#active;
        const active = outer && this.#holds(word, rest);
        this.#groups.push({ opened: word, outer, active, taken: active });
        return true;
      }
      case "elif":
      case "else":
        if (group === undefined) throw this.#error(word, `#${word.text} without an #if`);
        group.active =
          group.outer && !group.taken && (word.text === "else" || this.#holds({ ...word, text: "if" }, rest));
        group.taken ||= group.active;
        return true;
      case "endif":
        if (this.#groups.pop() === undefined) throw this.#error(word, "#endif without an #if");
        return true;
      default:
        return false;
    }
  }

  #holds(word: Token, rest: readonly Token[]): boolean {
    const words = rest.map((token) => token.text).join(" ");
    if (word.text === "if" && (words === "0" || words === "1")) return words === "1";
    const test = /^(?<not>! ?)?defined (?:\( (?<inner>\w+) \)|(?<plain>\w+))$/.exec(words)?.groups;
    const name = word.text === "if" ? (test?.["inner"] ?? test?.["plain"]) : rest[0]?.text;
    const negated = word.text === "if" ? test?.["not"] !== undefined : word.text === "ifndef";
    const defined = name === undefined ? undefined : this.#isDefined(name, negated);
    if (defined === undefined) {
      throw this.#error(
        word,
        "the outcome of this condition is not known, expected an include guard or __cplusplus",
      );
    }
    return defined !== negated;
  }

  /** Whether a macro is defined; undefined where that is up to the compiler or its command line. */
  #isDefined(name: string, negated: boolean): boolean | undefined {
    if (this.#macros.has(name)) return true;
    if (NOT_DEFINED.has(name)) return false;
    const [hash, define, guard] = [this.#token(), this.#token(1), this.#token(2)];
    const isGuard = negated && hash.text === "#" && define.text === "define" && guard.text === name;
    return isGuard ? false : undefined;
  }

  /** Puts out a token, or what it stands for, at the place where it was used. */
  #expand(token: Token, use: Token, busy: readonly string[]): void {
    this.#steps += 1;
    if (this.#steps > this.#maxSteps) throw this.#error(use, `more than ${this.#maxSteps} tokens`);
    const macro =
      token.kind === "name" && !busy.includes(token.text) ? this.#macros.get(token.text) : undefined;
    if (macro === "with arguments" && this.#token().text === "(") {
      throw this.#error(use, `macro ${token.text} takes arguments, which is not supported`);
    }
    if (macro === undefined || macro === "with arguments") {
      this.#output.push({ ...token, line: use.line, column: use.column });
      return;
    }
    if (busy.length >= MAX_EXPANSION) throw this.#error(use, `macros nested deeper than ${MAX_EXPANSION}`);
    for (const part of macro) this.#expand(part, use, [...busy, token.text]);
  }

  #error({ line, column }: Token, problem: string): SchemaError {
    return new SchemaError(this.#file, problem, { line, column });
  }
}

function spelled(macro: readonly Token[] | "with arguments"): string {
  return typeof macro === "string" ? macro : macro.map((token) => token.text).join(" ");
}

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

import { SchemaError } from "../../model/errors.ts";
import { type Token, tokenize } from "./tokens.ts";

/** Most tokens, macros and what they expand to included: a few doublings could ask for any number of them. */
const MAX_TOKENS = 1_000_000;
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
export function preprocess(file: string, text: string): Token[] {
  return new Preprocessor(file, tokenize(file, text)).run();
}

class Preprocessor {
  readonly #file: string;
  readonly #tokens: readonly Token[];
  readonly #output: Token[] = [];
  readonly #macros = new Map<string, readonly Token[] | "with arguments">();
  readonly #groups: Group[] = [];
  #at = 0;
  #steps = 0;

  constructor(file: string, tokens: readonly Token[]) {
    this.#file = file;
    this.#tokens = tokens;
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
    if (this.#steps > MAX_TOKENS) throw this.#error(use, `more than ${MAX_TOKENS} tokens`);
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

/** Reads the expressions of JavaScript as generated code has them. What it does not know is a SyntaxError, never something else. */
import type { ClassCode, Code, Expression, Member, Pattern, Property, Statement, Target } from "./syntax.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Binary operators by how tightly they bind. */
const TIGHTNESS = new Map<string, number>(
  [
    ["??"],
    ["||"],
    ["&&"],
    ["|"],
    ["^"],
    ["&"],
    ["==", "!=", "===", "!=="],
    ["<", ">", "<=", ">=", "in", "instanceof"],
    ["<<", ">>", ">>>"],
    ["+", "-"],
    ["*", "/", "%"],
    ["**"],
  ].flatMap((operators, tightness) => operators.map((operator) => [operator, tightness + 1] as const)),
);

const ASSIGNMENTS = new Set([
  "=",
  "+=",
  "-=",
  "*=",
  "/=",
  "%=",
  "**=",
  "<<=",
  ">>=",
  ">>>=",
  "&=",
  "|=",
  "^=",
  "&&=",
  "||=",
  "??=",
]);
const UNARY = new Set(["!", "-", "+", "~", "typeof", "void", "delete"]);

/** Reads expressions, with patterns, functions and classes. */
export abstract class ExpressionParser {
  private readonly tokens: readonly Token[];
  protected next = 0;

  constructor(source: string) {
    this.tokens = tokensOf(source);
  }

  isAtEnd(): boolean {
    return this.token.kind === "end";
  }

  protected get token(): Token {
    return this.tokens[this.next]!;
  }

  protected is(text: string, ahead = 0): boolean {
    const token = this.tokens[this.next + ahead];
    return token !== undefined && token.text === text && (token.kind === "operator" || token.kind === "name");
  }

  protected take(text: string): boolean {
    if (!this.is(text)) return false;
    this.next += 1;
    return true;
  }

  protected expect(text: string): void {
    if (!this.take(text)) this.fail(`expected ${text}`);
  }

  protected fail(problem: string): never {
    throw new SyntaxError(`cannot interpret: ${problem} at ${this.token.at}, got "${this.token.text}"`);
  }

  protected name(): string {
    const { kind, text } = this.token;
    if (kind !== "name") this.fail("expected a name");
    this.next += 1;
    return text;
  }

  protected inBrackets(): Expression {
    this.expect("(");
    const of = this.expression();
    this.expect(")");
    return of;
  }

  protected pattern(): Pattern {
    if (this.take("[")) {
      const items: (Target | undefined)[] = [];
      while (!this.take("]")) {
        items.push(this.is(",") ? undefined : this.target());
        if (!this.is("]")) this.expect(",");
      }
      return { type: "list", items };
    }
    if (this.take("{")) {
      const items = [];
      while (!this.take("}")) {
        const key = this.token.text;
        this.next += 1;
        const target: Target = this.take(":")
          ? this.target()
          : {
              pattern: { type: "name", name: key },
              ...(this.take("=") && { otherwise: this.assignment() }),
            };
        items.push({ key, target });
        if (!this.is("}")) this.expect(",");
      }
      return { type: "fields", items };
    }
    return { type: "name", name: this.name() };
  }

  protected target(): Target {
    const isRest = this.take("...");
    const pattern = this.pattern();
    const otherwise = this.take("=") ? this.assignment() : undefined;
    return { pattern, ...(otherwise && { otherwise }), ...(isRest && { isRest }) };
  }

  protected parameters(): Target[] {
    this.expect("(");
    const parameters: Target[] = [];
    while (!this.take(")")) {
      parameters.push(this.target());
      if (!this.is(")")) this.expect(",");
    }
    return parameters;
  }

  protected function(): Code {
    this.expect("function");
    if (this.is("*")) this.fail("expected no generator");
    const name = this.is("(") ? undefined : this.name();
    return { type: "function", name, parameters: this.parameters(), body: this.block(), isArrow: false };
  }

  protected class(): ClassCode {
    this.expect("class");
    const name = this.is("{") || this.is("extends") ? undefined : this.name();
    const parent = this.take("extends") ? this.postfix() : undefined;
    const members: Member[] = [];
    this.expect("{");
    while (!this.take("}")) if (!this.take(";")) members.push(this.member());
    return { type: "class", name, parent, members };
  }

  protected member(): Member {
    const isWord = (): boolean => !["(", "=", ";", "}"].some((text) => this.is(text, 1));
    const isStatic = this.is("static") && isWord() && this.take("static");
    const kind = (this.is("get") || this.is("set")) && isWord() ? (this.name() as "get" | "set") : "method";
    const key = this.key();
    if (this.is("(")) {
      const isConstructor = !isStatic && key.type === "value" && key.value === "constructor";
      const value = this.method(isConstructor ? "constructor" : "method");
      return { kind: isConstructor ? "constructor" : kind, key, isStatic, value };
    }
    const value = this.take("=") ? this.assignment() : undefined;
    this.semicolon();
    return { kind: "field", key, isStatic, value };
  }

  protected method(kind: NonNullable<Code["kind"]>): Code {
    return {
      type: "function",
      name: undefined,
      parameters: this.parameters(),
      body: this.block(),
      isArrow: false,
      kind,
    };
  }

  /** The name of a property. */
  protected key(): Expression {
    const { kind, text, value } = this.token;
    if (this.take("[")) {
      const key = this.assignment();
      this.expect("]");
      return key;
    }
    this.next += 1;
    if (kind === "name" || kind === "string") return { type: "value", value: text };
    if (kind === "number") return { type: "value", value: String(value) };
    return this.fail("expected a key");
  }

  expression(): Expression {
    const first = this.assignment();
    if (!this.is(",")) return first;
    const of = [first];
    while (this.take(",")) of.push(this.assignment());
    return { type: "sequence", of };
  }

  assignment(): Expression {
    if (this.isArrow()) return this.arrow();
    const left = this.conditional();
    const operator = this.token.text;
    if (this.token.kind !== "operator" || !ASSIGNMENTS.has(operator)) return left;
    if (left.type !== "name" && left.type !== "member") this.fail("expected something to assign to");
    this.next += 1;
    return { type: "assign", operator, to: left, value: this.assignment() };
  }

  /** Whether an arrow function begins here: a name and an arrow, or brackets and an arrow behind them. */
  protected isArrow(): boolean {
    if (this.token.kind === "name") return this.is("=>", 1);
    if (!this.is("(")) return false;
    let depth = 0;
    for (let ahead = 0; ; ahead++) {
      const token = this.tokens[this.next + ahead]!;
      if (token.kind === "end") return false;
      if (token.kind !== "operator") continue;
      if ("([{".includes(token.text)) depth += 1;
      else if (")]}".includes(token.text)) depth -= 1;
      if (depth === 0) return this.is("=>", ahead + 1);
    }
  }

  protected arrow(): Code {
    const parameters: Target[] = this.is("(")
      ? this.parameters()
      : [{ pattern: { type: "name", name: this.name() } }];
    this.expect("=>");
    const body: Statement[] = this.is("{") ? this.block() : [{ type: "return", of: this.assignment() }];
    return { type: "function", name: undefined, parameters, body, isArrow: true };
  }

  protected conditional(): Expression {
    const test = this.binary(0);
    if (!this.take("?")) return test;
    const yes = this.assignment();
    this.expect(":");
    return { type: "either", test, yes, no: this.assignment() };
  }

  protected binary(least: number): Expression {
    let left = this.unary();
    for (;;) {
      const { kind, text: operator } = this.token;
      const tightness = kind === "operator" || kind === "name" ? (TIGHTNESS.get(operator) ?? 0) : 0;
      if (tightness <= least) return left;
      this.next += 1;
      // Powers bind to the right.
      const right = this.binary(operator === "**" ? tightness - 1 : tightness);
      left = { type: "binary", operator, left, right };
    }
  }

  protected unary(): Expression {
    const { kind, text } = this.token;
    if ((kind === "operator" || kind === "name") && UNARY.has(text)) {
      this.next += 1;
      return { type: "unary", operator: text, of: this.unary() };
    }
    if (kind === "operator" && (text === "++" || text === "--")) {
      this.next += 1;
      return { type: "update", operator: text, of: this.unary(), isPrefix: true };
    }
    const of = this.postfix();
    const { text: operator, isOnNewLine } = this.token;
    if (isOnNewLine || (operator !== "++" && operator !== "--") || this.token.kind !== "operator") return of;
    this.next += 1;
    return { type: "update", operator, of, isPrefix: false };
  }

  /** What is called and what is read of it. */
  protected postfix(): Expression {
    let of = this.is("new") ? this.new() : this.primary();
    let isChain = false;
    for (;;) {
      const isOptional = this.take("?.");
      isChain ||= isOptional;
      if (this.is("(")) of = { type: "call", callee: of, args: this.arguments(), isOptional };
      else if (this.take("[")) {
        of = { type: "member", object: of, key: this.expression(), isOptional };
        this.expect("]");
      } else if (isOptional || this.take(".")) {
        of = { type: "member", object: of, key: { type: "value", value: this.name() }, isOptional };
      } else return isChain ? { type: "chain", of } : of;
    }
  }

  protected new(): Expression {
    this.expect("new");
    if (this.take(".")) {
      this.expect("target");
      return { type: "new.target" };
    }
    let callee = this.is("new") ? this.new() : this.primary();
    for (;;) {
      if (this.take("."))
        callee = {
          type: "member",
          object: callee,
          key: { type: "value", value: this.name() },
          isOptional: false,
        };
      else if (this.take("[")) {
        callee = { type: "member", object: callee, key: this.expression(), isOptional: false };
        this.expect("]");
      } else break;
    }
    return { type: "new", callee, args: this.is("(") ? this.arguments() : [] };
  }

  protected arguments(): Expression[] {
    this.expect("(");
    return this.items(")") as Expression[];
  }

  /** Expressions up to a closing bracket, with holes where none stands between two commas. */
  protected items(end: string): (Expression | undefined)[] {
    const items: (Expression | undefined)[] = [];
    while (!this.take(end)) {
      if (this.is(",")) items.push(undefined);
      else items.push(this.take("...") ? { type: "spread", of: this.assignment() } : this.assignment());
      if (!this.is(end)) this.expect(",");
    }
    return items;
  }

  protected primary(): Expression {
    const { kind, text, value } = this.token;
    if (kind === "number" || kind === "string") {
      this.next += 1;
      return { type: "value", value: kind === "number" ? value : text };
    }
    if (this.is("(")) return this.inBrackets();
    if (this.take("[")) return { type: "array", items: this.items("]") };
    if (this.is("{")) return this.object();
    if (kind !== "name") this.fail("expected a value");
    switch (text) {
      case "function":
        return this.function();
      case "class":
        return this.class();
      case "this":
        this.next += 1;
        return { type: text };
      case "null":
      case "true":
      case "false":
        this.next += 1;
        return { type: "value", value: JSON.parse(text) };
      case "super":
      case "async":
      case "await":
      case "yield":
        return this.fail("expected what generated code has");
      default:
        return { type: "name", name: this.name() };
    }
  }

  protected object(): Expression {
    this.expect("{");
    const properties: Property[] = [];
    while (!this.take("}")) {
      properties.push(this.property());
      if (!this.is("}")) this.expect(",");
    }
    return { type: "object", properties };
  }

  protected property(): Property {
    if (this.take("...")) return { kind: "spread", value: this.assignment() };
    const isAccessor =
      (this.is("get") || this.is("set")) && ![",", ":", "(", "}"].some((text) => this.is(text, 1));
    const kind = isAccessor ? (this.name() as "get" | "set") : "value";
    const isLiteral = !this.is("[");
    const isName = this.token.kind === "name";
    const key = this.key();
    if (this.is("(")) return { kind, key, value: this.method("method"), isLiteral: false };
    if (this.take(":")) return { kind, key, value: this.assignment(), isLiteral };
    if (!isName || key.type !== "value") return this.fail("expected :");
    return { kind, key, value: { type: "name", name: key.value as string }, isLiteral: false };
  }

  /** The end of a statement, which a line may be too. */
  protected semicolon(): void {
    if (this.take(";") || this.is("}") || this.isAtEnd() || this.token.isOnNewLine) return;
    this.fail("expected ;");
  }

  /** The statements between curly brackets. */
  protected abstract block(): Statement[];
}

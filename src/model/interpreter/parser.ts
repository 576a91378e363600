/** Reads the statements of JavaScript as generated code has them. */
import { ExpressionParser } from "./expression-parser.ts";
import type { Statement, Target } from "./syntax.ts";

/** The statements of a function's body. Throws SyntaxError. */
export function parseBody(source: string): readonly Statement[] {
  const parser = new Parser(source);
  const body: Statement[] = [];
  while (!parser.isAtEnd()) body.push(parser.statement());
  return body;
}

class Parser extends ExpressionParser {
  statement(): Statement {
    const { text, kind } = this.token;
    if (kind === "operator") {
      if (text === "{") return { type: "block", body: this.block() };
      if (this.take(";")) return { type: "block", body: [] };
      return this.expressionStatement();
    }
    if (kind !== "name") return this.expressionStatement();
    switch (text) {
      case "const":
      case "let":
      case "var": {
        const declared = this.declaration();
        this.semicolon();
        return declared;
      }
      case "function":
        return { type: "declare function", code: this.function() };
      case "class":
        return { type: "declare class", code: this.class() };
      case "if":
        return this.if();
      case "for":
        return this.for();
      case "while": {
        this.next += 1;
        const test = this.inBrackets();
        return { type: "while", test, body: this.statement(), isFirst: true };
      }
      case "do": {
        this.next += 1;
        const body = this.statement();
        this.expect("while");
        const test = this.inBrackets();
        this.take(";");
        return { type: "while", test, body, isFirst: false };
      }
      case "switch":
        return this.switch();
      case "try":
        return this.try();
      case "return":
      case "throw": {
        this.next += 1;
        const isBare = this.is(";") || this.is("}") || this.isAtEnd() || this.token.isOnNewLine;
        const of = isBare ? undefined : this.expression();
        this.semicolon();
        return { type: text, of };
      }
      case "break":
      case "continue":
        this.next += 1;
        this.semicolon();
        return { type: text };
      default:
        return this.expressionStatement();
    }
  }

  protected expressionStatement(): Statement {
    const of = this.expression();
    this.semicolon();
    return { type: "expression", of };
  }

  protected override block(): Statement[] {
    this.expect("{");
    const body: Statement[] = [];
    while (!this.take("}")) body.push(this.statement());
    return body;
  }

  protected declaration(): Statement & { readonly type: "declare" } {
    if (this.is("var")) this.fail("expected let or const");
    this.next += 1;
    const targets = [];
    do {
      const pattern = this.pattern();
      const value = this.take("=") ? this.assignment() : undefined;
      targets.push({ target: { pattern }, value });
    } while (this.take(","));
    return { type: "declare", targets };
  }

  protected if(): Statement {
    this.next += 1;
    const test = this.inBrackets();
    const yes = this.statement();
    return { type: "if", test, yes, no: this.take("else") ? this.statement() : undefined };
  }

  protected for(): Statement {
    this.next += 1;
    this.expect("(");
    let start: Statement | undefined;
    if (this.is("const") || this.is("let") || this.is("var")) {
      const declared = this.forDeclaration();
      if ("pattern" in declared) {
        const of = this.take("of") ? "of" : "in";
        if (of === "in") this.expect("in");
        const over = this.expression();
        this.expect(")");
        return { type: "each", of, target: declared, over, body: this.statement() };
      }
      start = declared;
    } else if (!this.is(";")) start = { type: "expression", of: this.expression() };
    this.expect(";");
    const test = this.is(";") ? undefined : this.expression();
    this.expect(";");
    const step = this.is(")") ? undefined : this.expression();
    this.expect(")");
    return { type: "for", start, test, step, body: this.statement() };
  }

  /** What stands first in the brackets of a loop: one target, where `of` or `in` follows it. */
  protected forDeclaration(): Target | Statement {
    const from = this.next;
    this.next += 1;
    const pattern = this.pattern();
    if (this.is("of") || this.is("in")) return { pattern };
    this.next = from;
    return this.declaration();
  }

  protected switch(): Statement {
    this.next += 1;
    const on = this.inBrackets();
    this.expect("{");
    const cases = [];
    while (!this.take("}")) {
      const isDefault = this.take("default");
      if (!isDefault) this.expect("case");
      const test = isDefault ? undefined : this.expression();
      this.expect(":");
      const body: Statement[] = [];
      while (!this.is("case") && !this.is("default") && !this.is("}")) body.push(this.statement());
      cases.push({ test, body });
    }
    return { type: "switch", on, cases };
  }

  protected try(): Statement {
    this.next += 1;
    const body = this.block();
    let error: Target | undefined;
    let handler: Statement[] | undefined;
    if (this.take("catch")) {
      if (this.take("(")) {
        error = { pattern: this.pattern() };
        this.expect(")");
      }
      handler = this.block();
    }
    return { type: "try", body, error, handler, last: this.take("finally") ? this.block() : undefined };
  }
}

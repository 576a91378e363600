import { existsSync } from "node:fs";
import path from "node:path";
import type { Comments, Token } from "../../formats/c-struct/tokens.ts";
import { TokenReader } from "./token-reader.ts";

/** A type or the name of a constant as it is spelled: `Foo.Bar`, `.Foo`, `import "file".Foo`, `List(Foo)`. */
export interface CapnpExpression {
  readonly token: Token;
  /** Where the names begin: in the scope at hand, in its file, or in another file. */
  readonly from: "scope" | "file" | { readonly file: string };
  readonly names: readonly string[];
  /** What is in parentheses behind the names. */
  readonly parameters?: readonly CapnpExpression[];
}

export interface CapnpFieldNode {
  readonly kind: "field";
  readonly name: string;
  readonly token: Token;
  readonly ordinal: number;
  readonly type: CapnpExpression;
  /** The words of the default. */
  readonly default?: readonly Token[];
}

/** A group; or a union, whose name is empty where its members are those of the struct. */
export interface CapnpGroupNode {
  readonly kind: "group" | "union";
  readonly name: string;
  readonly token: Token;
  readonly members: readonly CapnpMemberNode[];
}

export type CapnpMemberNode = CapnpFieldNode | CapnpGroupNode;

/** A scope with names: a file, a struct or an interface; and what else a name may stand for. */
export interface CapnpDeclaration {
  readonly kind: "file" | "struct" | "enum" | "interface" | "const" | "using" | "annotation";
  /** With the names of the scopes around it. */
  readonly name: string;
  readonly token: Token;
  readonly reader: TokenReader;
  readonly scope: CapnpDeclaration | undefined;
  readonly nested: Map<string, CapnpDeclaration>;
  /** Whether it has parameters. */
  readonly generic: boolean;
  members: readonly CapnpMemberNode[];
  /** Of an enum, in the order of their ordinals. */
  enumerants: readonly string[];
  /** What `using` stands for, or the type of a constant. */
  target?: CapnpExpression;
  /** Of a constant. */
  value?: readonly Token[];
}

const COMMENTS: Comments = { line: /#[^\n]*/y, block: false };

/**
 * Reads .capnp files: their structs, enums, aliases and constants. Annotations, ids, methods of interfaces and
 * comments are passed over. Imports are read when a name needs them.
 */
export class CapnpSource {
  readonly #files = new Map<string, CapnpDeclaration>();
  readonly #include: readonly string[];

  constructor(include: readonly string[]) {
    this.#include = include;
  }

  file(file: string): CapnpDeclaration {
    const known = this.#files.get(path.resolve(file));
    if (known !== undefined) return known;
    const found = new CapnpParser(new TokenReader(file, COMMENTS)).file();
    this.#files.set(path.resolve(file), found);
    return found;
  }

  /** The file that an import names: beside the importer, or with a `/` at its start below one of the include folders. */
  import(name: string, { reader }: CapnpDeclaration, token: Token): CapnpDeclaration {
    const places = name.startsWith("/") ? [...this.#include, ...STANDARD] : [path.dirname(reader.file)];
    const found = places.map((place) => path.join(place, name)).find((place) => existsSync(place));
    if (found === undefined)
      throw reader.error(token, `import ${JSON.stringify(name)} not found in ${places.join(", ")}`);
    return this.file(found);
  }

  /** Every declaration of a file, outer before inner. */
  declarations(declaration: CapnpDeclaration): CapnpDeclaration[] {
    return [...declaration.nested.values()].flatMap((one) => [one, ...this.declarations(one)]);
  }
}

/** Where the compiler looks by itself. */
const STANDARD = ["/usr/local/include", "/usr/include"];

class CapnpParser {
  readonly #reader: TokenReader;

  constructor(reader: TokenReader) {
    this.#reader = reader;
  }

  file(): CapnpDeclaration {
    const reader = this.#reader;
    const file = this.#declaration("file", "", reader.peek(), undefined, false);
    while (reader.peek().kind !== "end") this.#member(file, []);
    return file;
  }

  #declaration(
    kind: CapnpDeclaration["kind"],
    name: string,
    token: Token,
    scope: CapnpDeclaration | undefined,
    generic: boolean,
  ): CapnpDeclaration {
    const full = scope === undefined || scope.name === "" ? name : `${scope.name}.${name}`;
    const reader = this.#reader;
    const declaration: CapnpDeclaration = {
      ...{ kind, name: full, token, reader, scope, nested: new Map(), generic, members: [], enumerants: [] },
    };
    if (scope?.nested.has(name)) throw reader.error(token, `${full} is declared twice`);
    scope?.nested.set(name, declaration);
    return declaration;
  }

  /** One declaration, or one field of a struct, which is added to `members`. */
  #member(scope: CapnpDeclaration, members: CapnpMemberNode[]): void {
    const reader = this.#reader;
    const token = reader.peek();
    if (reader.accept(";")) return;
    if (token.text === "@" || token.text === "$") {
      this.#annotations();
      reader.expect(";");
      return;
    }
    const after = reader.peek(1);
    const isField = after.text === ":" || after.text === "@";
    if (token.text === "union" && (after.text === "{" || after.text === "@" || after.text === "$")) {
      reader.next();
      members.push(this.#group("union", "", token, scope));
    } else if (isField && /^[a-z]/.test(token.text)) this.#fieldOrMethod(scope, members);
    else this.#declared(scope);
  }

  #declared(scope: CapnpDeclaration): void {
    const reader = this.#reader;
    const word = reader.name("a declaration");
    switch (word.text) {
      case "struct":
      case "interface":
        this.#scope(word.text, scope);
        return;
      case "enum":
        this.#enum(scope);
        return;
      case "using":
        this.#using(scope);
        return;
      case "const": {
        const token = reader.name("the name of a constant");
        const constant = this.#declaration("const", token.text, token, scope, false);
        if (reader.accept("@")) reader.next();
        reader.expect(":");
        constant.target = this.#expression();
        reader.expect("=");
        constant.value = this.#value();
        break;
      }
      case "annotation": {
        const token = reader.name("the name of an annotation");
        this.#declaration("annotation", token.text, token, scope, false);
        if (reader.accept("@")) reader.next();
        reader.skipBrackets();
        reader.expect(":");
        this.#expression();
        break;
      }
      default:
        throw reader.unexpected(word, "a declaration");
    }
    this.#annotations();
    reader.expect(";");
  }

  #scope(kind: "struct" | "interface", scope: CapnpDeclaration): void {
    const reader = this.#reader;
    const token = reader.name(`the name of ${kind === "struct" ? "a struct" : "an interface"}`);
    if (reader.accept("@")) reader.next();
    const generic = reader.peek().text === "(";
    if (generic) reader.skipBrackets();
    const declaration = this.#declaration(kind, token.text, token, scope, generic || scope.generic);
    this.#annotations();
    if (kind === "interface" && reader.accept("extends")) reader.skipBrackets();
    this.#annotations();
    const members: CapnpMemberNode[] = [];
    reader.expect("{");
    while (!reader.accept("}")) this.#member(declaration, members);
    declaration.members = members;
  }

  #enum(scope: CapnpDeclaration): void {
    const reader = this.#reader;
    const token = reader.name("the name of an enum");
    const declaration = this.#declaration("enum", token.text, token, scope, false);
    this.#annotations();
    const byOrdinal: string[] = [];
    reader.expect("{");
    while (!reader.accept("}")) {
      const name = reader.name("an enumerant");
      const ordinal = this.#ordinal();
      if (byOrdinal[ordinal] !== undefined) throw reader.error(name, `@${ordinal} stands twice`);
      byOrdinal[ordinal] = name.text;
      this.#annotations();
      reader.expect(";");
    }
    for (let i = 0; i < byOrdinal.length; i++) {
      if (byOrdinal[i] === undefined) throw reader.error(token, `${declaration.name}: @${i} is missing`);
    }
    declaration.enumerants = byOrdinal;
  }

  #using(scope: CapnpDeclaration): void {
    const reader = this.#reader;
    const token = reader.peek();
    const named = reader.peek(1).text === "=" ? reader.name("a name") : undefined;
    if (named !== undefined) reader.expect("=");
    const target = this.#expression();
    const name = named?.text ?? target.names.at(-1);
    if (name === undefined) throw reader.error(token, "expected a name for what is imported");
    this.#declaration("using", name, named ?? token, scope, false).target = target;
    this.#annotations();
    reader.expect(";");
  }

  #fieldOrMethod(scope: CapnpDeclaration, members: CapnpMemberNode[]): void {
    const reader = this.#reader;
    const token = reader.name("a field");
    const ordinal = reader.peek().text === "@" ? this.#ordinal() : undefined;
    if (scope.kind === "interface") {
      // A method: its parameters and results are no part of any message that is read here.
      while (reader.peek().text !== ";") {
        if ("([{".includes(reader.peek().text)) reader.skipBrackets();
        else reader.next();
      }
      reader.expect(";");
      return;
    }
    if (scope.kind !== "struct") throw reader.error(token, "a field outside a struct");
    reader.expect(":");
    const { text } = reader.peek();
    if (text === "group" || text === "union") {
      reader.next();
      if (ordinal !== undefined)
        throw reader.error(token, `${token.text}: a ${text} with an ordinal is not supported`);
      members.push(this.#group(text, token.text, token, scope));
      return;
    }
    if (ordinal === undefined) throw reader.error(token, `${token.text}: expected an ordinal, as in "@0"`);
    const type = this.#expression();
    const words = reader.accept("=") ? this.#value() : undefined;
    this.#annotations();
    reader.expect(";");
    members.push({ kind: "field", name: token.text, token, ordinal, type, ...(words && { default: words }) });
  }

  #group(kind: "group" | "union", name: string, token: Token, scope: CapnpDeclaration): CapnpGroupNode {
    const reader = this.#reader;
    if (reader.peek().text === "@") throw reader.error(token, "a union with an ordinal is not supported");
    this.#annotations();
    const members: CapnpMemberNode[] = [];
    reader.expect("{");
    while (!reader.accept("}")) this.#member(scope, members);
    return { kind, name, token, members };
  }

  #ordinal(): number {
    const reader = this.#reader;
    reader.expect("@");
    const token = reader.next();
    const ordinal = /^(\d+|0[xX][\da-fA-F]+)$/.test(token.text) ? Number(token.text) : -1;
    if (ordinal < 0 || ordinal > MAX_ORDINAL)
      throw reader.unexpected(token, `an ordinal up to ${MAX_ORDINAL}`);
    return ordinal;
  }

  /** Ids and annotations, which no layout depends on. */
  #annotations(): void {
    const reader = this.#reader;
    for (;;) {
      if (reader.accept("@")) reader.next();
      else if (reader.accept("$")) this.#expression();
      else return;
    }
  }

  /** The words of a value, to where its declaration ends. */
  #value(): readonly Token[] {
    const reader = this.#reader;
    const words: Token[] = [];
    let depth = 0;
    for (;;) {
      const token = reader.peek();
      if (depth === 0 && (token.text === ";" || token.text === "$")) return words;
      words.push(reader.next());
      if (token.kind === "string") continue;
      if ("([".includes(token.text)) depth += 1;
      else if (")]".includes(token.text)) depth -= 1;
    }
  }

  #expression(): CapnpExpression {
    const reader = this.#reader;
    const token = reader.peek();
    let from: CapnpExpression["from"] = "scope";
    const names: string[] = [];
    // An annotation may have that name too.
    if (token.text === "import" && reader.peek(1).text !== "(" && reader.accept("import"))
      from = { file: reader.string("a file in quotes") };
    else {
      if (reader.accept(".")) from = "file";
      names.push(reader.name("a name").text);
    }
    let parameters: CapnpExpression[] | undefined;
    for (;;) {
      if (reader.accept(".")) names.push(reader.name("a name").text);
      else if (reader.peek().text === "(") parameters = this.#parameters();
      else return { token, from, names, ...(parameters && { parameters }) };
    }
  }

  /** Types in parentheses; the values of an annotation give none. */
  #parameters(): CapnpExpression[] {
    const reader = this.#reader;
    const parameters: CapnpExpression[] = [];
    const isType = (token: Token): boolean => token.kind === "name" || token.text === ".";
    if (!isType(reader.peek(1)) || reader.peek(2).text === "=") {
      reader.skipBrackets();
      return [];
    }
    reader.expect("(");
    do parameters.push(this.#expression());
    while (reader.accept(","));
    reader.expect(")");
    return parameters;
  }
}

/** Ordinals are 16 bits wide, and 65535 stands for none. */
const MAX_ORDINAL = 65_534;

import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import type { Token } from "../../formats/c-struct/tokens.ts";
import { SchemaError } from "../../model/errors.ts";
import { TokenReader } from "./token-reader.ts";

/** A type as it is spelled: a name, or `[T]`, or in a struct `[T:n]`. */
export interface FbsType {
  readonly name: string;
  readonly vector: boolean;
  readonly length?: number;
  readonly token: Token;
}

/** The attributes in parentheses, by name; undefined for one without a value. */
export type FbsAttributes = ReadonlyMap<string, string | undefined>;

export interface FbsField {
  readonly name: string;
  readonly token: Token;
  readonly type: FbsType;
  /** The words after `=`, with a sign as a word of its own. */
  readonly default?: readonly Token[];
  readonly attributes: FbsAttributes;
}

/** A member of an enum, whose `type` is its name, or of a union. */
export interface FbsMember {
  readonly name: string;
  readonly number: bigint;
  readonly type: string;
  readonly token: Token;
}

interface Declared {
  /** With the namespace. */
  readonly name: string;
  readonly namespace: string;
  readonly reader: TokenReader;
  readonly token: Token;
}

export interface FbsTable extends Declared {
  readonly kind: "table" | "struct";
  readonly fields: readonly FbsField[];
  readonly attributes: FbsAttributes;
}

export interface FbsEnum extends Declared {
  readonly kind: "enum" | "union";
  /** The integer type; that of a union where it is not said is `ubyte`. */
  readonly integer: FbsType;
  readonly members: readonly FbsMember[];
  /** Whether each member is a bit, and a value may have several. */
  readonly flags: boolean;
}

/** A .fbs file and all that it includes. */
export interface FbsSource {
  readonly file: string;
  readonly types: ReadonlyMap<string, FbsTable | FbsEnum>;
  /** Full names of the tables and structs of the file itself. */
  readonly own: readonly string[];
  readonly root?: { readonly name: string; readonly token: Token; readonly namespace: string };
  readonly reader: TokenReader;
  readonly identifier?: string;
}

/**
 * Reads a .fbs file and its includes, which are found beside the includer, or from one of the folders above it or of
 * `include`. Services, the names of attributes and file endings are passed over. Throws SchemaError with the place.
 */
export function readFbsSource(file: string, include: readonly string[] = []): FbsSource {
  const types = new Map<string, FbsTable | FbsEnum>();
  const seen = new Set<string>();
  const visit = (name: string): FbsParser => {
    const parser = new FbsParser(new TokenReader(name), types);
    seen.add(realpathSync(name));
    for (const { path: wanted, token } of parser.run()) {
      const found = findInclude(wanted, name, include);
      if (found === undefined)
        throw parser.reader.error(token, `include ${JSON.stringify(wanted)} not found`);
      if (!seen.has(realpathSync(found))) visit(found);
    }
    return parser;
  };
  const { reader, own, root, identifier } = visit(file);
  return {
    ...{ file, types, own, reader },
    ...(root && { root }),
    ...(identifier !== undefined && { identifier }),
  };
}

function findInclude(name: string, includer: string, include: readonly string[]): string | undefined {
  const folder = path.dirname(path.resolve(includer));
  const above = folder
    .split(path.sep)
    .map((_, count, parts) => parts.slice(0, parts.length - count).join(path.sep) || "/");
  return [...above, ...include].map((one) => path.join(one, name)).find((candidate) => existsSync(candidate));
}

/** Declarations that hold nothing a layout depends on, up to their end. */
const PASSED_OVER: ReadonlySet<string> = new Set(["attribute", "file_extension", "native_include"]);

class FbsParser {
  readonly reader: TokenReader;
  readonly own: string[] = [];
  root: FbsSource["root"];
  identifier: string | undefined;
  readonly #types: Map<string, FbsTable | FbsEnum>;
  #namespace = "";

  constructor(reader: TokenReader, types: Map<string, FbsTable | FbsEnum>) {
    this.reader = reader;
    this.#types = types;
  }

  /** Reads all declarations. Returns the includes. */
  run(): { readonly path: string; readonly token: Token }[] {
    const { reader } = this;
    const includes: { path: string; token: Token }[] = [];
    while (reader.peek().kind !== "end") {
      const token = reader.peek();
      if (reader.accept(";")) continue;
      if (token.text === "{") throw reader.error(token, "a value among declarations is not supported");
      const word = reader.name("a declaration").text;
      if (word === "include") {
        const at = reader.peek();
        includes.push({ path: reader.string("the file's name in quotes"), token: at });
      } else if (word === "namespace")
        this.#namespace = reader.peek().text === ";" ? "" : reader.path("a namespace");
      else if (word === "table" || word === "struct") this.#table(word);
      else if (word === "enum" || word === "union") this.#enum(word);
      else if (word === "root_type") {
        const at = reader.peek();
        this.root = { name: reader.path("the name of a table"), token: at, namespace: this.#namespace };
      } else if (word === "file_identifier") this.#fileIdentifier();
      else if (word === "rpc_service") {
        reader.name("the name of a service");
        reader.skipBrackets();
      } else if (PASSED_OVER.has(word)) reader.next();
      else throw reader.unexpected(token, "a declaration");
      if (!BRACED.has(word)) reader.expect(";");
    }
    return includes;
  }

  #fileIdentifier(): void {
    const token = this.reader.peek();
    const text = this.reader.string("four characters in quotes");
    if (!/^[!-~ ]{4}$/.test(text))
      throw this.reader.error(token, "file_identifier must have four characters");
    this.identifier = text;
  }

  #declare(token: Token): Declared {
    const name = this.#namespace === "" ? token.text : `${this.#namespace}.${token.text}`;
    if (this.#types.has(name)) throw this.reader.error(token, `${name} is declared twice`);
    return { name, token, namespace: this.#namespace, reader: this.reader };
  }

  #table(kind: "table" | "struct"): void {
    const { reader } = this;
    const declared = this.#declare(reader.name(`the name of a ${kind}`));
    const attributes = this.#attributes();
    const fields = new Map<string, FbsField>();
    reader.expect("{");
    while (!reader.accept("}")) {
      const field = this.#field();
      if (fields.has(field.name)) throw reader.error(field.token, `field ${field.name} is declared twice`);
      fields.set(field.name, field);
    }
    if (kind === "struct" && fields.size === 0) throw reader.error(declared.token, "a struct needs a field");
    this.#types.set(declared.name, { ...declared, kind, attributes, fields: [...fields.values()] });
    this.own.push(declared.name);
  }

  #field(): FbsField {
    const { reader } = this;
    const token = reader.name("a field");
    reader.expect(":");
    const type = this.#type();
    const words: Token[] = [];
    if (reader.accept("="))
      while (!/^[;(]$/.test(reader.peek().text) && reader.peek().kind !== "end") words.push(reader.next());
    const attributes = this.#attributes();
    reader.expect(";");
    return { name: token.text, token, type, attributes, ...(words.length > 0 && { default: words }) };
  }

  #type(): FbsType {
    const { reader } = this;
    const token = reader.peek();
    if (!reader.accept("[")) return { name: reader.path("a type"), vector: false, token };
    if (reader.peek().text === "[")
      throw reader.error(reader.peek(), "a vector of vectors is not supported by FlatBuffers");
    const name = reader.path("a type");
    const length = reader.accept(":") ? this.#integer("the length of an array") : undefined;
    if (length !== undefined && (length < 1n || length > 0xffffn)) {
      throw reader.error(token, `an array of ${length} elements, expected 1 to 65535`);
    }
    reader.expect("]");
    return { name, vector: true, token, ...(length !== undefined && { length: Number(length) }) };
  }

  #enum(kind: "enum" | "union"): void {
    const { reader } = this;
    const declared = this.#declare(reader.name(`the name of ${kind === "enum" ? "an enum" : "a union"}`));
    const plain: FbsType = { name: "ubyte", vector: false, token: declared.token };
    if (kind === "enum" && reader.peek().text !== ":")
      throw reader.unexpected(reader.peek(), 'the type of the enum, as in ": byte"');
    const integer = reader.accept(":") ? this.#type() : plain;
    const flags = this.#attributes().has("bit_flags");
    const members = new Map<string, FbsMember>();
    // A union's number 0 stands for none of its members.
    let next = kind === "union" ? 1n : 0n;
    reader.expect("{");
    while (!reader.accept("}")) {
      const token = reader.name(`a member of the ${kind}`);
      let type = token.text;
      while (kind === "union" && reader.accept(".")) type += `.${reader.name("a type").text}`;
      const name = type.replaceAll(".", "_");
      if (kind === "union" && reader.accept(":")) type = reader.path("a type");
      if (reader.accept("=")) next = this.#integer("an integer");
      this.#attributes();
      if (flags && (next < 0n || next > 63n)) throw reader.error(token, `bit ${next}, expected 0 to 63`);
      if (members.has(name)) throw reader.error(token, `${name} is declared twice`);
      members.set(name, { name, type, token, number: flags ? 1n << next : next });
      next += 1n;
      if (!reader.accept(",") && reader.peek().text !== "}")
        throw reader.unexpected(reader.peek(), '"," or "}"');
    }
    this.#types.set(declared.name, { ...declared, kind, integer, members: [...members.values()], flags });
  }

  #attributes(): FbsAttributes {
    const { reader } = this;
    const attributes = new Map<string, string | undefined>();
    if (!reader.accept("(")) return attributes;
    while (!reader.accept(")")) {
      const token = reader.peek();
      const name = token.kind === "string" ? reader.string("an attribute") : reader.name("an attribute").text;
      let value: string | undefined;
      if (reader.accept(":")) {
        const sign = reader.accept("-") ? "-" : "";
        value = reader.peek().kind === "string" ? reader.string("a value") : sign + reader.next().text;
      }
      attributes.set(name, value);
      if (!reader.accept(",") && reader.peek().text !== ")")
        throw reader.unexpected(reader.peek(), '"," or ")"');
    }
    return attributes;
  }

  #integer(what: string): bigint {
    const sign = this.reader.accept("-") ? -1n : 1n;
    if (sign > 0n) this.reader.accept("+");
    const token = this.reader.peek();
    if (!INTEGER.test(token.text)) throw this.reader.unexpected(token, what);
    const value = BigInt(this.reader.next().text);
    if (value >= 1n << 64n) throw this.reader.error(token, `${token.text} has more than 64 bits`);
    return sign * value;
  }
}

/** Declarations that end with a brace. */
const BRACED: ReadonlySet<string> = new Set(["table", "struct", "enum", "union", "rpc_service"]);

/** An integer as a token: FlatBuffers has no octal ones. */
export const INTEGER = /^(?:\d+|0[xX][0-9a-fA-F]+)$/;

/**
 * What a name means in a namespace: of that namespace, of one around it, or a full name. Throws SchemaError where
 * it means nothing.
 */
export function lookUp(
  { types }: FbsSource,
  name: string,
  { namespace, reader }: Pick<Declared, "namespace" | "reader">,
  token: Token,
): FbsTable | FbsEnum {
  for (let scope = namespace; ; scope = scope.slice(0, Math.max(0, scope.lastIndexOf(".")))) {
    const found = types.get(scope === "" ? name : `${scope}.${name}`);
    if (found !== undefined) return found;
    if (scope === "") throw new SchemaError(reader.file, `unknown type ${name}`, token);
  }
}

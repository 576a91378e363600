import { inBytes } from "../../model/in-bytes.ts";
import { readConstant } from "./constant.ts";
import {
  type CEnum,
  type CHeader,
  type CMember,
  type CStruct,
  type CType,
  isTypeWord,
  layoutOf,
  MAX_STRUCT_BYTES,
  scalarOfName,
  scalarOfWords,
} from "./declarations.ts";
import { arrayProblem, rolesOf } from "./shape.ts";
import { Cursor, preprocess, type Token, tokenize } from "./tokens.ts";

/** Deepest nesting of structs in structs, 100 as for messages in a value. */
const MAX_DEPTH = 100;
/** Most dimensions of an array; C compilers need to take 12 (C11, 5.2.4.1). Each member of a typedef's type has a copy. */
const MAX_DIMENSIONS = 32;
const QUALIFIERS: ReadonlySet<string> = new Set(["const", "volatile", "__extension__"]);

interface Declarator extends Pick<CMember, "dimensions" | "flexible"> {
  readonly name: Token;
}

/**
 * Reads the declarations of a C header, without the files that it includes. Throws SchemaError with line and
 * column for what is not C, and for C that has no fixed layout or no plain value: pointers, unions,
 * bit-fields, packed and aligned structs, functions.
 * @param file name that errors give
 */
export function parseHeader(text: string, file = "header"): CHeader {
  return parseTokens(file, preprocess(file, tokenize(file, text)));
}

/** {@link parseHeader} of tokens without directives and macros. */
export function parseTokens(file: string, tokens: readonly Token[]): CHeader {
  return new Parser(new Cursor(file, tokens)).header();
}

class Parser {
  readonly #cursor: Cursor;
  readonly #scope: Scope;
  /** How deep structs are nested in each complete one, itself included. */
  readonly #depths = new Map<CStruct, number>();
  #openBodies = 0;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
    this.#scope = new Scope(cursor);
  }

  header(): CHeader {
    while (this.#cursor.token.kind !== "end") this.#declaration();
    return this.#scope.header();
  }

  #declaration(): void {
    const cursor = this.#cursor;
    if (cursor.skip(";") || this.#skipStaticAssert()) return;
    const isTypedef = cursor.skip("typedef");
    for (const word of ["extern", "static", "inline"]) {
      if (cursor.is(word)) throw cursor.error(`"${word}": variables and functions are not supported`);
    }
    const { type, dimensions } = this.#specifier();
    if (cursor.skip(";")) return;
    do {
      const { name, ...bounds } = this.#declarator(dimensions);
      if (!isTypedef) throw cursor.error("variables are not supported, expected a typedef or a type", name);
      if (bounds.flexible) throw cursor.error("array without a bound, expected one", name);
      this.#scope.addTypedef(name, type, bounds.dimensions);
    } while (cursor.skip(","));
    cursor.expect(";");
  }

  #skipStaticAssert(): boolean {
    const cursor = this.#cursor;
    if (!cursor.skip("_Static_assert") && !cursor.skip("static_assert")) return false;
    cursor.expect("(");
    for (let open = 1; open > 0; cursor.next()) {
      if (cursor.token.kind === "end") throw cursor.unexpected('")"');
      if (cursor.is("(")) open += 1;
      if (cursor.is(")")) open -= 1;
    }
    cursor.expect(";");
    return true;
  }

  #specifier(): TypeWithBounds {
    const cursor = this.#cursor;
    const start = cursor.token;
    const words: string[] = [];
    let named: TypeWithBounds | undefined;
    for (let { token } = cursor; token.kind === "name"; { token } = cursor) {
      if (QUALIFIERS.has(token.text)) cursor.next();
      else if (named === undefined && isTypeWord(token.text)) words.push(cursor.next().text);
      else if (named === undefined && words.length === 0) named = this.#namedType();
      else break;
    }
    if (named !== undefined) return named;
    if (words.length === 0) throw cursor.unexpected("a type");
    const scalar = scalarOfWords(words);
    if (scalar === undefined) throw cursor.error(`"${words.join(" ")}" is not supported as a type`, start);
    return { type: { kind: "scalar", scalar }, dimensions: [] };
  }

  #namedType(): TypeWithBounds {
    const cursor = this.#cursor;
    if (cursor.is("struct")) return { type: this.#structType(), dimensions: [] };
    if (cursor.is("enum")) return { type: this.#enumType(), dimensions: [] };
    const name = cursor.expectName("a type");
    const known = this.#scope.typedef(name.text);
    if (known !== undefined) return known;
    const scalar = scalarOfName(name.text);
    if (scalar !== undefined) return { type: { kind: "scalar", scalar }, dimensions: [] };
    const tag = this.#scope.tag(name.text);
    const hint =
      tag === undefined ? " (included files are not read)" : `, did you mean "${tag.kind} ${name.text}"?`;
    throw cursor.error(`unknown type "${name.text}"${hint}`, name);
  }

  #structType(): TaggedType {
    const cursor = this.#cursor;
    const start = cursor.next();
    const tag = cursor.name();
    const known = tag === undefined ? undefined : this.#scope.tag(tag.text);
    if (known?.kind === "enum") throw cursor.error(`"${tag?.text}" is an enum`, tag);
    const type = known ?? { kind: "struct", struct: { name: tag?.text ?? "", members: [] } };
    if (tag !== undefined) this.#scope.addTag(tag, type);
    if (cursor.is("{")) {
      const at = tag ?? start;
      if (this.#scope.isComplete(type.struct)) throw cursor.error(`"${at.text}" is declared twice`, at);
      this.#complete(type.struct, at);
    } else if (tag === undefined) {
      throw cursor.unexpected('a tag or "{"');
    }
    return type;
  }

  #complete(struct: Draft<CStruct>, at: Token): void {
    const cursor = this.#cursor;
    const tooDeep = (): Error => cursor.error(`structs nested deeper than ${MAX_DEPTH}`, at);
    this.#openBodies += 1;
    if (this.#openBodies > MAX_DEPTH) throw tooDeep();
    const members = this.#members(struct);
    this.#openBodies -= 1;
    if (members.size === 0) throw cursor.error("a struct without members, expected at least one", at);
    struct.members = [...members.keys()];
    this.#checkArrays(members);
    const inner = struct.members.map(({ type }) =>
      type.kind === "struct" ? this.#depths.get(type.struct)! : 0,
    );
    const depth = 1 + Math.max(...inner);
    if (depth > MAX_DEPTH) throw tooDeep();
    const { size } = layoutOf(struct);
    if (size > MAX_STRUCT_BYTES) {
      throw cursor.error(`a struct of ${inBytes(size)}, expected at most ${MAX_STRUCT_BYTES}`, at);
    }
    this.#depths.set(struct, depth);
    this.#scope.addStruct(struct, at);
  }

  /** The members between braces, and where each is declared. */
  #members(struct: CStruct): Map<CMember, Token> {
    const cursor = this.#cursor;
    const members = new Map<CMember, Token>();
    const names = new Set<string>();
    cursor.expect("{");
    while (!cursor.skip("}")) {
      if (cursor.skip(";") || this.#skipStaticAssert()) continue;
      const { type, dimensions } = this.#specifier();
      if (cursor.is(";")) throw cursor.error("a member without a name, expected one");
      do {
        const { name, ...bounds } = this.#declarator(dimensions);
        const member: CMember = { name: name.text, type, ...bounds };
        if (names.has(member.name)) throw cursor.error(`"${member.name}" is declared twice`, name);
        this.#refuseAsMember(type, name);
        this.#scope.nameAfter(struct, member);
        names.add(member.name);
        members.set(member, name);
      } while (cursor.skip(","));
      cursor.expect(";");
    }
    return members;
  }

  #refuseAsMember(type: CType, at: Token): void {
    if (type.kind !== "struct") return;
    if (!this.#scope.isComplete(type.struct)) {
      throw this.#cursor.error(`struct ${type.struct.name} is not complete here`, at);
    }
    if (type.struct.members.at(-1)?.flexible === true) {
      throw this.#cursor.error("a struct with a flexible array cannot be in another", at);
    }
  }

  #checkArrays(places: ReadonlyMap<CMember, Token>): void {
    const members = [...places.keys()];
    const roles = rolesOf(members);
    for (const [member, at] of places) {
      if (member.flexible && member !== members.at(-1)) {
        throw this.#cursor.error("flexible array before the end of the struct, expected a bound", at);
      }
      const problem = arrayProblem(member, roles);
      if (problem !== undefined) throw this.#cursor.error(problem, at);
    }
  }

  #enumType(): TaggedType {
    const cursor = this.#cursor;
    const start = cursor.next();
    const tag = cursor.name();
    const known = tag === undefined ? undefined : this.#scope.tag(tag.text);
    if (known?.kind === "struct") throw cursor.error(`"${tag?.text}" is a struct`, tag);
    if (cursor.is(":")) throw cursor.error("an enum with a type of its own is not supported");
    if (!cursor.is("{")) {
      if (known === undefined) throw cursor.error(`enum ${tag?.text ?? ""} is not declared`, tag ?? start);
      return known;
    }
    if (known !== undefined) throw cursor.error(`"${tag?.text}" is declared twice`, tag);
    const type: TaggedType = {
      kind: "enum",
      enum: { name: tag?.text ?? "", values: this.#enumerators() },
      bits: 32,
    };
    if (tag !== undefined) this.#scope.addTag(tag, type);
    this.#scope.addEnum(type.enum);
    return type;
  }

  #enumerators(): CEnum["values"] {
    const cursor = this.#cursor;
    const values: { name: string; number: number }[] = [];
    let value = 0n;
    cursor.expect("{");
    do {
      if (cursor.is("}") && values.length > 0) break;
      const name = cursor.expectName("an enumerator");
      if (cursor.skip("=")) value = readConstant(cursor, this.#scope.enumerators);
      if (BigInt.asIntN(32, value) !== value) throw cursor.error(`${value} is outside int`, name);
      this.#scope.addEnumerator(name, Number(value));
      values.push({ name: name.text, number: Number(value) });
      value += 1n;
    } while (cursor.skip(","));
    cursor.expect("}");
    return values;
  }

  #declarator(inner: readonly number[]): Declarator {
    const cursor = this.#cursor;
    if (cursor.is("*"))
      throw cursor.error("pointers are not supported: they mean nothing outside the program");
    if (cursor.is("(")) throw cursor.error("pointers to functions or arrays are not supported");
    if (cursor.is(":")) throw cursor.error("bit-fields are not supported");
    const name = cursor.expectName("a name");
    if (cursor.is("(")) throw cursor.error("functions are not supported", name);
    const bounds: number[] = [];
    while (cursor.skip("[")) {
      if (bounds.length + inner.length === MAX_DIMENSIONS) {
        throw cursor.error(`array of more than ${MAX_DIMENSIONS} dimensions`, name);
      }
      bounds.push(this.#bound());
    }
    if (cursor.is(":")) throw cursor.error("bit-fields are not supported", name);
    const dimensions = [...bounds, ...inner];
    const flexible = dimensions[0] === 0;
    const fixed = flexible ? dimensions.slice(1) : dimensions;
    if (fixed.includes(0)) throw cursor.error("array of no elements, expected a bound above 0", name);
    return { name, dimensions: fixed, flexible };
  }

  /** The rest of an array bound; 0 when there is none. */
  #bound(): number {
    const cursor = this.#cursor;
    if (cursor.skip("]")) return 0;
    const { token } = cursor;
    const bound = readConstant(cursor, this.#scope.enumerators);
    if (bound < 0n || bound > MAX_STRUCT_BYTES) {
      throw cursor.error(`array bound ${bound}, expected 0 to ${MAX_STRUCT_BYTES}`, token);
    }
    cursor.expect("]");
    return Number(bound);
  }
}

/** A struct or enum whose name may come later in the file. */
type Draft<T> = { -readonly [K in keyof T]: T[K] };

/** A type and the array bounds that a typedef adds to it. */
interface TypeWithBounds {
  readonly type: CType;
  readonly dimensions: readonly number[];
}

/** A struct or an enum as a type. */
type TaggedType = Extract<CType, { kind: "struct" | "enum" }>;

/**
 * The names that a header has declared so far. Tags have a space of their own; typedef names and enumerators
 * share one (C11, 6.2.3). A type is known by its first typedef name, else by its tag, else as `outer.member`.
 */
class Scope {
  readonly enumerators = new Map<string, number>();
  readonly #cursor: Cursor;
  readonly #structs = new Map<CStruct, Token>();
  readonly #enums: CEnum[] = [];
  readonly #tags = new Map<string, TaggedType>();
  readonly #typedefs = new Map<string, TypeWithBounds>();
  readonly #named = new Set<CStruct | CEnum>();
  readonly #structNames = new Map<string, CStruct>();
  readonly #unnamed = new Map<Draft<CStruct | CEnum>, () => string>();

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  typedef(name: string): TypeWithBounds | undefined {
    return this.#typedefs.get(name);
  }

  tag(name: string): TaggedType | undefined {
    return this.#tags.get(name);
  }

  /** Enters a typedef name. */
  addTypedef(name: Token, type: CType, dimensions: readonly number[]): void {
    this.#refuseDuplicate(name);
    this.#typedefs.set(name.text, { type, dimensions });
    if (dimensions.length > 0 || type.kind === "scalar") return;
    if (type.kind === "struct") this.#addStructName(name, type.struct);
    const target: Draft<CStruct | CEnum> = type.kind === "struct" ? type.struct : type.enum;
    if (!this.#named.has(target)) target.name = name.text;
    this.#named.add(target);
  }

  /** Enters a tag, whether its members are known yet or not. */
  addTag(tag: Token, type: TaggedType): void {
    this.#tags.set(tag.text, type);
    if (type.kind === "struct") this.#addStructName(tag, type.struct);
  }

  /** Enters a struct whose members are complete. */
  addStruct(struct: CStruct, at: Token): void {
    this.#structs.set(struct, at);
  }

  isComplete(struct: CStruct): boolean {
    return this.#structs.has(struct);
  }

  addEnum(type: CEnum): void {
    this.#enums.push(type);
  }

  addEnumerator(name: Token, number: number): void {
    this.#refuseDuplicate(name);
    this.enumerators.set(name.text, number);
  }

  /** A struct or enum without a name is named after the first member that has it. */
  nameAfter(outer: CStruct, { name, type }: CMember): void {
    if (type.kind === "scalar") return;
    const inner: Draft<CStruct | CEnum> = type.kind === "struct" ? type.struct : type.enum;
    if (inner.name !== "" || this.#unnamed.has(inner)) return;
    this.#unnamed.set(inner, () => `${outer.name}.${name}`);
  }

  /** All that was declared, each type with its final name. */
  header(): CHeader {
    // An outer struct is met after the unnamed ones in it, and its name is part of theirs.
    for (const [type, name] of [...this.#unnamed].reverse()) if (type.name === "") type.name = name();
    for (const [struct, at] of this.#structs) this.#addStructName({ ...at, text: struct.name }, struct);
    const structs = [...this.#structs.keys()];
    return { structs, enums: this.#enums.filter((type) => type.name !== ""), names: this.#structNames };
  }

  #addStructName(name: Token, struct: CStruct): void {
    const known = this.#structNames.get(name.text);
    if (known !== undefined && known !== struct) {
      throw this.#cursor.error(`"${name.text}" names two structs`, name);
    }
    this.#structNames.set(name.text, struct);
  }

  #refuseDuplicate(name: Token): void {
    if (!this.#typedefs.has(name.text) && !this.enumerators.has(name.text)) return;
    throw this.#cursor.error(`"${name.text}" is declared twice`, name);
  }
}

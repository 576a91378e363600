import type { Token } from "../../formats/c-struct/tokens.ts";
import { defined } from "../../model/defined.ts";
import type { SchemaError } from "../../model/errors.ts";
import {
  type EnumType,
  type Field,
  type FieldType,
  integerOf,
  type MessageType,
  type Scalar,
  type Schema,
  VOID,
} from "../../model/schema.ts";
import {
  type CapnpDeclaration,
  type CapnpExpression,
  type CapnpFieldNode,
  type CapnpGroupNode,
  type CapnpMemberNode,
  CapnpSource,
} from "./capnp-source.ts";
import { chooseRoot } from "./root.ts";

/**
 * Reads a struct of a .capnp file as a schema whose Cap'n Proto layout is that of the file. A field's number is its
 * ordinal and one; a group's that of its first field.
 *
 * - a union is a oneof that is called `which`; with a name of its own it is a group of nothing else
 * - a list in a list or in a union is a message with a field `values`
 * - Void is the enum of one value that JSON writes as null
 * - text, data and structs are optional, since a null pointer can be told from an empty target; their defaults, which
 *   a null pointer stands for, are no part of a value
 *
 * Refused by name where the root reaches them: generics, interfaces, AnyPointer, lists with a default.
 * @param message name of the struct with those around it, or the end of it; may be left out where only one struct is in no other
 */
export function readCapnp(file: string, message?: string, include: readonly string[] = []): Schema {
  const source = new CapnpSource(include);
  const declarations = source.declarations(source.file(file));
  const own = declarations.filter(({ kind }) => kind === "struct");
  const converter = new Converter(source);
  const root = chooseRoot(
    file,
    message,
    own.map(({ name }) => name),
    converter.contained(own),
    "struct",
  );
  const name = converter.struct(own.find((one) => one.name === root)!);
  const enums = new Map(converter.enums);
  const unused = converter.unused(declarations);
  return {
    ...{ package: "", root: name, messages: converter.messages, enums, language: "capnp" },
    ...(unused.length === 0 ? {} : { unused }),
  };
}

/** Built-in types; undefined for those that are no part of a value here. */
const BUILT_IN: ReadonlyMap<string, Scalar | "void" | undefined> = new Map<
  string,
  Scalar | "void" | undefined
>([
  ["Void", "void"],
  ["Bool", "bool"],
  ...([8, 16, 32, 64] as const).map((bits): [string, Scalar] => [`Int${bits}`, `int${bits}`]),
  ...([8, 16, 32, 64] as const).map((bits): [string, Scalar] => [`UInt${bits}`, `uint${bits}`]),
  ["Float32", "float"],
  ["Float64", "double"],
  ["Text", "string"],
  ["Data", "bytes"],
  ...["AnyPointer", "AnyStruct", "AnyList", "Capability"].map((name): [string, undefined] => [
    name,
    undefined,
  ]),
]);

type CapnpType =
  | { readonly kind: "plain"; readonly type: FieldType }
  | { readonly kind: "list"; readonly element: CapnpType };

/** Most aliases and constants that stand for each other. */
const MAX_ALIASES = 100;

class Converter {
  readonly messages = new Map<string, MessageType>();
  readonly enums = new Map<string, EnumType>();
  readonly #source: CapnpSource;
  readonly #names = new Map<CapnpDeclaration, string>();

  constructor(source: CapnpSource) {
    this.#source = source;
  }

  /** Names of the structs that others hold. What cannot be resolved is reported when it is reached. */
  contained(structs: readonly CapnpDeclaration[]): ReadonlySet<string> {
    const found = new Set<string>();
    const add = (expression: CapnpExpression, scope: CapnpDeclaration): void => {
      for (const one of expression.parameters ?? []) add(one, scope);
      if (expression.names.join() === "List") return;
      try {
        const target = this.#resolve(expression, scope);
        if (typeof target === "object" && target !== scope) found.add(target.name);
      } catch {
        return;
      }
    };
    for (const struct of structs) for (const { type } of fieldsIn(struct.members)) add(type, struct);
    return found;
  }

  /** Enums that no field refers to, of the file itself and of the structs that are met. */
  unused(declarations: readonly CapnpDeclaration[]): EnumType[] {
    const used = new Set(this.enums.keys());
    for (const one of declarations) {
      const isMet = one.scope === undefined || one.scope.kind === "file" || this.#names.has(one.scope);
      if (one.kind === "enum" && isMet) this.#enum(one);
    }
    return [...this.enums.values()].filter(({ name }) => !used.has(name));
  }

  struct(declaration: CapnpDeclaration): string {
    const known = this.#names.get(declaration);
    if (known !== undefined) return known;
    const name = this.#nameFor(declaration);
    this.#message(name, declaration.members, declaration, undefined);
    return name;
  }

  /** Two files may declare one name. */
  #nameFor(declaration: CapnpDeclaration): string {
    let { name } = declaration;
    while (this.messages.has(name) || this.enums.has(name)) name += "_";
    this.#names.set(declaration, name);
    return name;
  }

  #message(
    name: string,
    members: readonly CapnpMemberNode[],
    scope: CapnpDeclaration,
    form: MessageType["form"],
  ): void {
    const fields: Field[] = [];
    // Entered before its fields are, so that a recursive struct ends here.
    this.messages.set(name, defined({ name, fields, form }));
    for (const member of members) {
      if (member.kind === "union" && member.name === "") {
        if (fields.some(({ oneof }) => oneof !== undefined))
          throw scope.reader.error(member.token, "a second union without a name");
        for (const one of member.members) fields.push(this.#member(one, name, scope, "which"));
      } else fields.push(this.#member(member, name, scope, undefined));
    }
    const twice = fields.find((field, i) => fields.findIndex((other) => other.name === field.name) < i);
    if (twice !== undefined) throw scope.reader.error(scope.token, `${name}.${twice.name} is declared twice`);
    fields.sort((a, b) => a.number - b.number);
    if (form === undefined) checkOrdinals(name, members, scope);
  }

  #member(member: CapnpMemberNode, owner: string, scope: CapnpDeclaration, oneof: string | undefined): Field {
    if (member.kind === "field") return this.#field(member, owner, scope, oneof);
    const { name, token, members } = member;
    if (name === "") throw scope.reader.error(token, "a union without a name in a union");
    const least = Math.min(...fieldsIn(members).map(({ ordinal }) => ordinal));
    if (least === Number.POSITIVE_INFINITY)
      throw scope.reader.error(token, `${name}: a ${member.kind} without a field`);
    const group = `${owner}.${name}`;
    const inner: readonly CapnpMemberNode[] =
      member.kind === "group" ? members : [{ ...member, name: "" } satisfies CapnpGroupNode];
    this.#message(group, inner, scope, "group");
    const presence = oneof === undefined ? "always" : "optional";
    return defined({
      name,
      number: least + 1,
      type: { kind: "message" as const, name: group },
      repetition: { kind: "one" as const, presence } as const,
      oneof,
    });
  }

  #field(field: CapnpFieldNode, owner: string, scope: CapnpDeclaration, oneof: string | undefined): Field {
    const { name } = field;
    const number = field.ordinal + 1;
    const type = this.#type(field.type, scope);
    if (type.kind === "list") {
      if (field.default !== undefined && field.default.map(({ text }) => text).join("") !== "[]") {
        throw scope.reader.error(field.default[0]!, `${name}: a list with a default is not supported`);
      }
      if (oneof === undefined) return { name, number, ...this.#list(type.element, `${owner}.${name}`) };
      const wrapper = this.#wrapper(type.element, `${owner}.${name}`);
      return { name, number, type: wrapper, repetition: { kind: "one", presence: "optional" }, oneof };
    }
    const isPointer =
      type.type.kind === "message" ||
      (type.type.kind === "scalar" && /^(string|bytes)$/.test(type.type.scalar));
    const declared = field.default && this.#default(field.default, type.type, scope, MAX_ALIASES);
    const isZero = declared === undefined || declared === false || declared === 0n || Object.is(declared, 0);
    const presence = isPointer || oneof !== undefined ? "optional" : isZero ? "implicit" : "always";
    const repetition = { kind: "one", presence } as const;
    return defined({
      name,
      number,
      type: type.type,
      repetition,
      oneof,
      default: isZero ? undefined : declared,
    });
  }

  #list(element: CapnpType, owner: string): Pick<Field, "type" | "repetition"> {
    const type = element.kind === "list" ? this.#wrapper(element.element, owner) : element.type;
    const packed = type.kind === "enum" || (type.kind === "scalar" && !/^(string|bytes)$/.test(type.scalar));
    return { type, repetition: { kind: "list", packed } };
  }

  /** A message that stands for a list. */
  #wrapper(element: CapnpType, name: string): FieldType {
    const fields: Field[] = [];
    this.messages.set(name, { name, fields, form: "list", inPlace: true });
    fields.push({ name: "values", number: 1, ...this.#list(element, `${name}.values`) });
    return { kind: "message", name };
  }

  #type(expression: CapnpExpression, scope: CapnpDeclaration): CapnpType {
    const { token, names, parameters } = expression;
    const fail = (problem: string): SchemaError => scope.reader.error(token, problem);
    const target = this.#resolve(expression, scope);
    const shown = names.join(".");
    if (target === "List") {
      const [element] = parameters ?? [];
      if (element === undefined || parameters?.length !== 1)
        throw fail("expected the type of the elements, as in List(Text)");
      const type = this.#type(element, scope);
      if (type.kind === "plain" && type.type.kind === "enum" && type.type.name === VOID.name)
        throw fail("List(Void) is not supported");
      return { kind: "list", element: type };
    }
    if (typeof target === "string") {
      const scalar = BUILT_IN.get(target);
      if (scalar === undefined) throw fail(`${target} is not supported`);
      if (scalar !== "void") return { kind: "plain", type: { kind: "scalar", scalar } };
      this.enums.set(VOID.name, VOID);
      return { kind: "plain", type: { kind: "enum", name: VOID.name } };
    }
    if (parameters !== undefined || target.generic) throw fail(`${shown}: generics are not supported`);
    if (target.kind === "enum") return { kind: "plain", type: this.#enum(target) };
    if (target.kind !== "struct")
      throw fail(
        `${shown}: ${target.kind === "interface" ? "an interface is not supported" : `${target.kind}, expected a type`}`,
      );
    return { kind: "plain", type: { kind: "message", name: this.struct(target) } };
  }

  #enum(declaration: CapnpDeclaration): FieldType {
    const values = declaration.enumerants.map((name, number) => ({ name, number }));
    if (values.length === 0) return { kind: "scalar", scalar: "uint16" };
    const name = this.#names.get(declaration) ?? this.#nameFor(declaration);
    this.enums.set(name, { name, values, bits: 16, unsigned: true, closed: false });
    return { kind: "enum", name };
  }

  /** What names mean: a declaration, or the name of a built-in type. */
  #resolve(
    { from, names, token }: CapnpExpression,
    scope: CapnpDeclaration,
    left = MAX_ALIASES,
  ): CapnpDeclaration | string {
    const { reader } = scope;
    if (left === 0) throw reader.error(token, `more than ${MAX_ALIASES} aliases of each other`);
    const aliased = (found: CapnpDeclaration): CapnpDeclaration | string =>
      found.kind === "using" ? this.#resolve(found.target!, found.scope!, left - 1) : found;
    const [first = "", ...rest] = typeof from === "object" ? ["", ...names] : names;
    let found: CapnpDeclaration | string;
    if (typeof from === "object") found = this.#source.import(from.file, scope, token);
    else {
      let place: CapnpDeclaration | undefined = scope;
      while (place?.scope !== undefined && (from === "file" || !place.nested.has(first))) place = place.scope;
      const declared = place?.nested.get(first);
      if (declared === undefined && !(from === "scope" && (first === "List" || BUILT_IN.has(first)))) {
        throw reader.error(
          token,
          scope.generic ? `${first}: generics are not supported` : `unknown name ${first}`,
        );
      }
      found = declared === undefined ? first : aliased(declared);
    }
    for (const name of rest) {
      const nested: CapnpDeclaration | undefined =
        typeof found === "object" ? found.nested.get(name) : undefined;
      if (nested === undefined) throw reader.error(token, `unknown name ${name} in ${names.join(".")}`);
      found = aliased(nested);
    }
    return found;
  }

  /** A default; undefined for that of a pointer, but for text. */
  #default(
    words: readonly Token[],
    type: FieldType,
    scope: CapnpDeclaration,
    left: number,
  ): Field["default"] {
    const [first, ...others] = words;
    if (first === undefined || type.kind === "message") return undefined;
    const text = words.map((word) => word.text).join("");
    const fail = (expected: string): never => {
      throw scope.reader.error(first, `expected a default of type ${expected}, got ${JSON.stringify(text)}`);
    };
    if (type.kind === "enum") {
      const values = this.enums.get(type.name)?.values ?? [];
      const named = values.find(({ name }) => name === text)?.number;
      return named ?? this.#constant(words, type, scope, left, () => fail(type.name));
    }
    const { scalar } = type;
    if (scalar === "bytes") return undefined;
    if (scalar === "string") {
      if (first.kind === "string") return others.length === 0 ? scope.reader.unquoted(first) : fail("Text");
      return this.#constant(words, type, scope, left, () => fail("Text"));
    }
    if (scalar === "bool" && (text === "true" || text === "false")) return text === "true";
    const [, sign, digits = ""] = /^(-?)(.*)$/s.exec(text)!;
    if (scalar === "float" || scalar === "double") {
      const isNumber = /^(inf|nan|0[xX][\da-fA-F]+|\d+(\.\d*)?(e[-+]?\d+)?)$/i.test(digits);
      if (!isNumber) return this.#constant(words, type, scope, left, () => fail(scalar));
      const number = digits === "inf" ? Number.POSITIVE_INFINITY : Number(digits);
      const value = sign === "-" ? -number : number;
      return scalar === "float" ? Math.fround(value) : value;
    }
    if (scalar === "bool" || !/^(\d+|0[xX][\da-fA-F]+)$/.test(digits)) {
      return this.#constant(words, type, scope, left, () => fail(scalar));
    }
    const magnitude = BigInt(digits.replace(/^0(?=[0-7]+$)/, "0o"));
    const value = sign === "-" ? -magnitude : magnitude;
    const { bits, signed } = integerOf(scalar)!;
    if ((signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value)) !== value) return fail(scalar);
    return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  }

  /** The value of a constant, in the scope that it stands in. */
  #constant(
    words: readonly Token[],
    type: FieldType,
    scope: CapnpDeclaration,
    left: number,
    fail: () => never,
  ): Field["default"] {
    const text = words.map((word) => word.text).join("");
    const [token] = words;
    if (token === undefined || left === 0 || !/^\.?[A-Za-z]\w*(\.[A-Za-z]\w*)*$/.test(text)) return fail();
    const from = text.startsWith(".") ? ("file" as const) : ("scope" as const);
    const constant = this.#resolve({ token, from, names: text.replace(/^\./, "").split(".") }, scope);
    if (typeof constant === "string" || constant.kind !== "const") return fail();
    return this.#default(constant.value!, type, constant.scope!, left - 1);
  }
}

/** The fields of a struct, those of its groups and unions too. */
function fieldsIn(members: readonly CapnpMemberNode[]): CapnpFieldNode[] {
  return members.flatMap((member) => (member.kind === "field" ? [member] : fieldsIn(member.members)));
}

/** Each ordinal up to the last stands once. */
function checkOrdinals(
  name: string,
  members: readonly CapnpMemberNode[],
  { reader }: CapnpDeclaration,
): void {
  const fields = fieldsIn(members).sort((a, b) => a.ordinal - b.ordinal);
  for (const [expected, { ordinal, token }] of fields.entries()) {
    if (ordinal < expected) throw reader.error(token, `${name}: @${ordinal} stands twice`);
    if (ordinal > expected) throw reader.error(token, `${name}: @${expected} is missing`);
  }
}

import { writeBytes } from "../../formats/bytes/copy.ts";
import { Atom, termToBinary } from "../../formats/erlang-etf/index.ts";
import { writeFloat, writeNumber } from "../../formats/erlang-etf/leaf.ts";
import type { WriteRules } from "../../formats/erlang-etf/options.ts";
import * as tags from "../../formats/erlang-etf/tags.ts";
import type { TermWriter } from "../../formats/erlang-etf/writer.ts";
import { compile, fieldOf, literal, numbered } from "../../model/generated-code.ts";
import {
  enumOf,
  type Field,
  type FieldType,
  type MessageType,
  reachableEnums,
  reachableMessages,
  type Scalar,
  type Schema,
  simpleName,
} from "../../model/schema.ts";
import { atomName, elementsOf, refuseUndefined } from "../../schema/layout/erlang-records.ts";

/** Generates the function that writes a value of the schema's root as a record. */
export function compileWriteRecord(
  schema: Schema,
  rules: WriteRules,
): (writer: TermWriter, value: unknown) => void {
  const { minorVersion } = rules;
  const atoms: Uint8Array[] = [];
  const known = new Map<string, string>();
  const atom = (name: string): string => {
    const at = known.get(name) ?? `atoms[${atoms.length}]`;
    if (!known.has(name)) {
      known.set(name, at);
      atoms.push(termToBinary(new Atom(atomName(name)), { minorVersion }).subarray(1));
    }
    return at;
  };
  const messages = reachableMessages(schema);
  for (const message of messages) refuseUndefined(schema, message);
  const context: Context = {
    schema,
    atom,
    names: numbered(
      messages.map(({ name }) => name),
      "write",
    ),
    enums: numbered(
      reachableEnums(schema).map(({ name }) => name),
      "enum",
    ),
  };
  const functions = [
    ...[...context.enums].map(([name, id]) => writeEnum(id, name, context)),
    ...messages.map((message) => writeMessage(message, context)),
  ];
  const float = (writer: TermWriter, value: number): void => {
    if (Number.isFinite(value)) writeFloat(writer, value);
    else raw(writer, notFinite.get(value)!);
  };
  const notFinite = new Map(
    [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((value, i) => [
      value,
      termToBinary(new Atom(NOT_FINITE[i]!), { minorVersion }).subarray(1),
    ]),
  );
  return compile(`${functions.join("\n")}\nreturn ${context.names.get(schema.root)};`, {
    atoms,
    raw,
    float,
    codePoints,
    binary,
    Atom,
  });
}

/** What gpb makes of floats that Erlang does not have: of NaN and the two infinities. */
const NOT_FINITE = ["nan", "infinity", "-infinity"] as const;

interface Context {
  readonly schema: Schema;
  /** An expression of the term of an atom. */
  readonly atom: (name: string) => string;
  readonly names: ReadonlyMap<string, string>;
  readonly enums: ReadonlyMap<string, string>;
}

function writeMessage(message: MessageType, context: Context): string {
  const { atom, names } = context;
  const elements = elementsOf(message);
  const lines = elements.map((element) => {
    if (element.kind === "field") return writeField(element.field, context);
    const members = element.fields.map(
      (field) =>
        `if ((x = ${fieldOf("m", field.name)}) !== undefined) { ${tuple(2)} raw(w, ${atom(field.name)}); ${writeOne(field.type, "x", context)} }`,
    );
    return `${members.join("\n  else ")}\n  else raw(w, ${atom("undefined")});`;
  });
  return `function ${names.get(message.name)}(w, m) {
  let x;
  ${tuple(elements.length + 1)} raw(w, ${atom(simpleName(message.name))});
  ${lines.join("\n  ")}
}`;
}

function tuple(arity: number): string {
  return arity <= 255
    ? `w.byte(${tags.SMALL_TUPLE}); w.byte(${arity});`
    : `w.head(${tags.LARGE_TUPLE}, ${arity});`;
}

function writeField(field: Field, context: Context): string {
  const { type, repetition } = field;
  const read = `x = ${fieldOf("m", field.name)};`;
  const list = (count: string, items: string): string =>
    `${read} if (${count} > 0) { w.head(${tags.LIST}, ${count}); ${items} } w.byte(${tags.NIL});`;
  if (repetition.kind === "list") {
    if (type.kind === "enum") {
      return `${read} w.term(x.map((e) => ${context.enums.get(type.name)}.terms.get(e) ?? e), 0);`;
    }
    // A list of integers may be one of bytes, which is written in another way.
    if (type.kind === "scalar" && isInteger(type.scalar)) return `${read} w.term(x, 0);`;
    return list("x.length", `for (const e of x) { ${writeOne(type, "e", context)} }`);
  }
  if (repetition.kind === "map") {
    const entry = `${tuple(2)} ${writeKey(repetition.key, context)} ${writeOne(type, "x[k]", context)}`;
    return list("Object.keys(x).length", `for (const k of Object.keys(x)) { ${entry} }`);
  }
  const one = writeOne(type, "x", context);
  if (repetition.presence !== "optional") return `${read} ${one}`;
  return `${read} if (x === undefined) raw(w, ${context.atom("undefined")}); else { ${one} }`;
}

/** Statements that write one value. */
function writeOne(type: FieldType, value: string, context: Context): string {
  const { atom, enums, names } = context;
  if (type.kind === "message") return `${names.get(type.name)}(w, ${value});`;
  if (type.kind === "enum") return `${enums.get(type.name)}(w, ${value});`;
  switch (type.scalar) {
    case "bool":
      return `raw(w, ${value} ? ${atom("true")} : ${atom("false")});`;
    case "float":
    case "double":
      return `float(w, ${value});`;
    case "string":
      return `codePoints(w, ${value});`;
    case "bytes":
      return `binary(w, ${value});`;
    default:
      return `w.term(${value}, 0);`;
  }
}

/** A map's key is text in a plain value, whatever it stands for. */
function writeKey(scalar: Scalar, { atom }: Context): string {
  if (scalar === "string") return "codePoints(w, k);";
  if (scalar === "bool") return `raw(w, k === "true" ? ${atom("true")} : ${atom("false")});`;
  return "w.term(BigInt(k), 0);";
}

function writeEnum(id: string, name: string, { schema, atom }: Context): string {
  const { values } = enumOf(schema, name);
  const first = values.filter((value, i) => values.findIndex(({ number }) => number === value.number) === i);
  return `function ${id}(w, n) {
  switch (n) {
${first.map((value) => `    case ${value.number}: raw(w, ${atom(value.name)}); break;`).join("\n")}
    default: w.term(n, 0);
  }
}
${id}.terms = new Map([${first.map((value) => `[${value.number}, new Atom(${literal(value.name)})]`).join(", ")}]);`;
}

function isInteger(scalar: Scalar): boolean {
  return !["bool", "float", "double", "string", "bytes"].includes(scalar);
}

/** Writes a term that is at hand as bytes. */
export function raw({ out }: TermWriter, term: Uint8Array): void {
  out.reserve(term.length);
  writeBytes(out.bytes, out.at, term);
  out.at += term.length;
}

/** Writes bytes as a binary. */
export function binary(writer: TermWriter, bytes: Uint8Array): void {
  writer.head(tags.BINARY, bytes.length);
  raw(writer, bytes);
}

/** Writes text as a list of its code points, which is a list of bytes where all are below 256. */
function codePoints(writer: TermWriter, text: string): void {
  const { length } = text;
  if (length === 0) writer.byte(tags.NIL);
  else if (length > tags.MAX_STRING || !latin1(writer, text)) integers(writer, text);
}

function latin1({ out }: TermWriter, text: string): boolean {
  const { length } = text;
  out.reserve(3 + length);
  const { at, bytes, view } = out;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0xff) return false;
    bytes[at + 3 + i] = code;
  }
  bytes[at] = tags.STRING;
  view.setUint16(at + 1, length);
  out.at = at + 3 + length;
  return true;
}

function integers(writer: TermWriter, text: string): void {
  const { out } = writer;
  const start = out.at + 1;
  writer.head(tags.LIST, 0);
  let count = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    if (point >= 0xd800 && point < 0xe000) writer.refuse("a lone surrogate is no character");
    writeNumber(writer, point);
    count += 1;
  }
  out.view.setUint32(start, count);
  writer.byte(tags.NIL);
}

import { utf8Bytes, utf8Size } from "../../formats/bytes/portable.ts";
import type { Binding, Encoded } from "../../model/codec.ts";
import { compile, fieldOf, literal, numbered } from "../../model/generated-code.ts";
import {
  type Field,
  type FieldType,
  hasPresence,
  is64Bit,
  type MessageType,
  messageOf,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import type { MessageSelection, PartialReader } from "../../model/selection.ts";
import { isRecord, type Value } from "../../model/value.ts";
import { heldTest } from "../values/in-place.ts";
import { wellKnownOf } from "../values/well-known.ts";
import { elementLoop, NARROWED_ROOT, type NarrowedVisit, narrowedVisits } from "./narrowed.ts";

/** How a library hands out what JavaScript has no single type for. */
export interface VisitStyle {
  /**
   * `Long`: 64-bit integers are `{ low, high }` pairs, and as a map's key a string of eight characters, one for
   * each byte from the lowest. `plain`: numbers or bigints, and decimal keys.
   */
  readonly long: "plain" | "Long";
  /** Whether a string counts in UTF-16 units, or in bytes of its UTF-8. */
  readonly text: "utf16" | "utf8";
  /** Whether a message's prototype has every field, as undefined or a default, so that reading one needs no check. */
  readonly inherited?: boolean;
}

const PLAIN: VisitStyle = { long: "plain", text: "utf16" };

/**
 * Makes the function that visits every field of a value and folds them into an int32: the sum of
 *
 * - an integer, enum or bool: its value; a 64-bit one: its low 32 bits
 * - a float or double: 256 times its value without the fraction, 0 when it is not finite
 * - a string: its length and its first unit, in the units of {@link VisitStyle.text}; bytes likewise
 * - a list or map: its size and its elements; a map's keys too
 * - an absent field: nothing
 *
 * Of documents ({@link Schema.documents}) it visits what they hold: numbers count as the field's type says, texts as
 * strings whatever they stand for, a map's keys too, and null as nothing.
 *
 * A codec's `access` computes the same sum straight from bytes. The sum does not depend on the order of
 * fields, and it costs little beside reading them: it is there so that no read can be optimised away.
 */
export function compileVisitor(schema: Schema, style: VisitStyle = PLAIN): (value: Value) => number {
  return compilePlain(schema, style);
}

/**
 * Makes the function that visits the part of a value that a selection names. Its sum is the number of records, where
 * they are in a list, and the selected fields of the selected records, each as {@link compileVisitor} counts it. A
 * codec's `reader` computes the same from bytes. Throws UnsupportedError for a selection that is not of the schema.
 */
export function compileSelectionVisitor(
  schema: Schema,
  selection: MessageSelection,
  style: VisitStyle = PLAIN,
): (value: Value) => number {
  return compilePlain(schema, style, narrowedVisits(schema, selection));
}

/** Which part of a message a generated function visits: see {@link NarrowedVisit}. */
export type VisitedPart = Pick<NarrowedVisit, "nested" | "records">;

/** What a generated visitor needs of a format: its structs, and code that adds up a field. */
export interface VisitFormat<Struct, Field> {
  /** The name of the function of each struct, the root first. */
  readonly functions: ReadonlyMap<Struct, string>;
  readonly parameters: string;
  /** The first statements of a function; they declare the sum `h`. */
  readonly start: string;
  fieldsOf(struct: Struct): readonly Field[];
  /** The schema's name of a field. */
  nameOf(field: Field): string;
  /** The struct that a field holds, or a list of them. */
  structOf(field: Field): Struct | undefined;
  /** The statements that add a field to `h` as {@link compileVisitor} says. */
  add(field: Field, part: VisitedPart): string;
}

/**
 * The source of a function for each struct of a format that visits all of it, and of those that visit a part. The first
 * of them is called {@link NARROWED_ROOT}.
 */
export function visitFunctions<Struct, Field>(
  format: VisitFormat<Struct, Field>,
  narrowed: readonly NarrowedVisit[] = [],
): string {
  const source = (name: string, fields: readonly Field[], part: VisitedPart): string => {
    const lines = fields.map((field) => `  ${format.add(field, part)}\n`);
    return `function ${name}(${format.parameters}) {\n  ${format.start}\n${lines.join("")}  return h;\n}\n`;
  };
  const whole = [...format.functions].map(([struct, name]) =>
    source(name, format.fieldsOf(struct), EVERYTHING),
  );
  let [struct] = format.functions.keys();
  const parts = narrowed.map(({ name, fields, ...part }) => {
    const all = struct === undefined ? [] : format.fieldsOf(struct);
    const visited = all.filter((field) => fields.has(format.nameOf(field)));
    struct = visited[0] && format.structOf(visited[0]);
    return source(name, visited, part);
  });
  return [...whole, ...parts].join("");
}

const EVERYTHING: VisitedPart = { nested: undefined, records: undefined };

/** The statement that adds an expression to the sum of a visitor. */
export function addToSum(expression: string): string {
  return `h = (h + ${expression}) | 0;`;
}

/** What leaves add to the sum, by the expression of a value as a JavaScript program holds it. */
export const sumOf = {
  bool: (value: string): string => `(${value} ? 1 : 0)`,
  integer: (value: string): string => `(${value} | 0)`,
  bigint: (value: string): string => `Number(BigInt.asIntN(32, ${value}))`,
  float: (value: string): string => `((${value} * 256) | 0)`,
  text: (value: string): string => `(${value}.length === 0 ? 0 : ${value}.length + ${value}.charCodeAt(0))`,
  bytes: (value: string): string => `(${value}.length === 0 ? 0 : ${value}.length + ${value}[0])`,
} as const;

/** Compiles a visitor of plain values, or of what a library makes of them. */
function compilePlain(
  schema: Schema,
  style: VisitStyle,
  narrowed: readonly NarrowedVisit[] = [],
): (value: Value) => number {
  const messages = reachableMessages(schema);
  const names = new Map(
    numbered(
      messages.map(({ name }) => name),
      "visit",
    ),
  );
  const holders = messages.filter((message) => message.inPlace === true);
  const inPlace = new Map(holders.flatMap((holder) => holder.fields.map((field) => [field, holder])));
  const functions = new Map(messages.map((message) => [message, names.get(message.name)!]));
  // In a document some messages have a form of their own.
  const formed = schema.documents === undefined ? [] : messages.filter((message) => wellKnownOf(message));
  for (const { name } of formed) names.set(name, "sumOfJson");
  const source = visitFunctions<MessageType, Field>(
    {
      functions,
      parameters: "m",
      start: "let h = 0, x;",
      fieldsOf: ({ fields }) => fields,
      nameOf: ({ name }) => name,
      structOf: ({ type }) => (type.kind === "message" ? messageOf(schema, type.name) : undefined),
      add: (field, part) => {
        if (schema.documents === undefined) return addField(field, part, style, names);
        const holder = inPlace.get(field);
        return holder === undefined
          ? addHeld(field, schema.documents.get(field) ?? [], part, style, names)
          : addInPlace(field, heldTest(schema, holder, field, "m"), part, style, names);
      },
    },
    narrowed,
  );
  const visit = narrowed.length > 0 ? NARROWED_ROOT : names.get(schema.root);
  return compile(`${source}\nreturn ${visit};`, { utf8Size, utf8First, lowOfKey, sumOfJson });
}

function addField(
  field: Field,
  part: VisitedPart,
  style: VisitStyle,
  names: ReadonlyMap<string, string>,
): string {
  const { name, type, repetition } = field;
  const read = `x = ${style.inherited === true ? `m[${literal(name)}]` : fieldOf("m", name)};`;
  const called = calledFor(field, part, names);
  const key = repetition.kind === "map" ? foldKey(repetition.key, style, names) : "";
  const add = addContent(field, part, key, (value) => fold(type, value, style, called));
  // Bytes from outside may lack what every value has once it is filled in.
  const isThere =
    style.inherited === true || (repetition.kind === "one" && repetition.presence !== "implicit");
  return isThere && !hasPresence(field) ? `${read} ${add}` : `${read} if (x !== undefined) { ${add} }`;
}

/** {@link addField} for documents, which hold a field under any of some keys. */
function addHeld(
  field: Field,
  keys: readonly string[],
  part: VisitedPart,
  style: VisitStyle,
  names: ReadonlyMap<string, string>,
): string {
  const add = addHeldContent(field, part, style, names);
  return keys.map((name) => `x = ${fieldOf("m", name)}; if (x != null) { ${add} }`).join(" ");
}

/** {@link addHeld} for what a document has in place of the message of the field. */
function addInPlace(
  field: Field,
  test: string,
  part: VisitedPart,
  style: VisitStyle,
  names: ReadonlyMap<string, string>,
): string {
  return `x = m; if (x != null && (${test})) { ${addHeldContent(field, part, style, names)} }`;
}

function addHeldContent(
  field: Field,
  part: VisitedPart,
  style: VisitStyle,
  names: ReadonlyMap<string, string>,
): string {
  const called = calledFor(field, part, names);
  const key = fold(TEXT, "k", style, names);
  return addContent(field, part, key, (value) => foldHeld(field, value, style, called));
}

/** What JSON without a type of its own adds: texts and numbers as those of a schema, lists and objects as theirs. */
function sumOfJson(value: Value): number {
  if (typeof value === "string") return value.length === 0 ? 0 : value.length + value.charCodeAt(0);
  if (typeof value === "number") return (value * 256) | 0;
  if (typeof value === "boolean") return value ? 1 : 0;
  let h = 0;
  if (Array.isArray(value)) {
    h = value.length;
    for (const item of value) h = (h + sumOfJson(item)) | 0;
  } else if (isRecord(value)) {
    for (const key of Object.keys(value)) h = (h + 1 + sumOfJson(key) + sumOfJson(value[key]!)) | 0;
  }
  return h;
}

/** The functions that visit messages: where a part is visited, another one for those of the field. */
function calledFor(
  { type }: Field,
  { nested }: VisitedPart,
  names: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return type.kind === "message" && nested !== undefined ? new Map([[type.name, nested]]) : names;
}

/** The statements that add what a field holds, which is `x`. @param key the expression of what a map's key `k` adds */
function addContent(
  { repetition }: Field,
  { records }: VisitedPart,
  key: string,
  foldOne: (value: string) => string,
): string {
  const add = (value: string): string => addToSum(foldOne(value));
  switch (repetition.kind) {
    case "list": {
      const each =
        records === undefined
          ? `for (const e of x) { ${add("e")} }`
          : `${elementLoop("x.length", records)} { ${add("x[i]")} }`;
      return `${addToSum("x.length")} ${each}`;
    }
    case "map":
      return `for (const k of Object.keys(x)) { h = (h + 1 + ${key}) | 0; ${add("x[k]")} }`;
    case "one":
      return add("x");
  }
}

/** The low 32 bits of a 64-bit key in {@link VisitStyle.long} style; a key that was not set is the text `0`. */
function lowOfKey(key: string): number {
  if (key.length !== 8) return 0;
  return key.charCodeAt(0) | (key.charCodeAt(1) << 8) | (key.charCodeAt(2) << 16) | (key.charCodeAt(3) << 24);
}

/** The first byte of a string's UTF-8, which is all of it when the string is ASCII. */
function utf8First(text: string): number {
  const unit = text.charCodeAt(0);
  return unit < 0x80 ? unit : (utf8Bytes(text.slice(0, 2))[0] ?? 0);
}

/** A map's key is a string in a plain value; what counts is what it stands for. */
function foldKey(scalar: Scalar, style: VisitStyle, names: ReadonlyMap<string, string>): string {
  const add = (value: string): string => fold({ kind: "scalar", scalar }, value, style, names);
  if (scalar === "string") return add("k");
  if (scalar === "bool") return add('(k === "true")');
  if (!is64Bit(scalar)) return add("Number(k)");
  return style.long === "Long" ? "lowOfKey(k)" : add("BigInt(k)");
}

/** The expression of what a value adds to the sum of {@link compileVisitor}. */
function fold(type: FieldType, value: string, style: VisitStyle, names: ReadonlyMap<string, string>): string {
  if (type.kind === "message") return `${names.get(type.name)}(${value})`;
  if (type.kind === "enum") return value;
  const { scalar } = type;
  switch (scalar) {
    case "string":
      return style.text === "utf16"
        ? sumOf.text(value)
        : `(${value}.length === 0 ? 0 : utf8Size(${value}) + utf8First(${value}))`;
    case "bytes":
      return sumOf.bytes(value);
    case "float":
    case "double":
      return sumOf.float(value);
    case "bool":
      return sumOf.bool(value);
    default:
      if (!is64Bit(scalar)) return sumOf.integer(value);
      if (style.long === "Long") return `${value}.low`;
      return `(typeof ${value} === "bigint" ? ${sumOf.bigint(value)} : ${value} | 0)`;
  }
}

const TEXT: FieldType = { kind: "scalar", scalar: "string" };

/** {@link fold} for what a document holds: a number or the text of one, and text where JSON has no type of its own. */
function foldHeld(
  { type, jsonText }: Pick<Field, "type" | "jsonText">,
  value: string,
  style: VisitStyle,
  names: ReadonlyMap<string, string>,
): string {
  if (jsonText === true) return `sumOfJson(${value})`;
  if (type.kind === "message") return fold(type, value, style, names);
  const scalar = type.kind === "enum" ? "int32" : type.scalar;
  if (scalar === "bool") return sumOf.bool(value);
  const text = fold(TEXT, value, style, names);
  if (scalar === "string" || scalar === "bytes") return text;
  const number = scalar === "float" || scalar === "double" ? sumOf.float(value) : sumOf.integer(value);
  return `(typeof ${value} === "string" ? ${text} : ${number})`;
}

/** How a codec reads a part of a message, and what that must return. */
export interface SelectedRead {
  readonly read: PartialReader<Encoded>;
  readonly checksum: (value: Value) => number;
}

/**
 * Reads a selection by the binding's own reader, or where it has none by decoding everything and visiting the
 * plain value. Throws UnsupportedError for a selection that is not of the schema.
 */
export function selectedRead(schema: Schema, binding: Binding, selection: MessageSelection): SelectedRead {
  const checksum = compileSelectionVisitor(schema, selection, { long: "plain", text: binding.text });
  if (binding.reader !== undefined) return { read: binding.reader(selection), checksum };
  // A function of its own, so that it is not the one that checks.
  const visit = compileSelectionVisitor(schema, selection, { long: "plain", text: binding.text });
  const { direct } = binding;
  return {
    read: direct.plain
      ? (bytes) => visit(binding.read(bytes) as Value)
      : (bytes) => visit(binding.plain(binding.read(bytes))),
    checksum,
  };
}

/**
 * Makes the function that folds a few leaves of a value: sizes of the root's lists, its scalars, and the first
 * scalar of each list's last element. A few nanoseconds, so that it can stand in a timed loop.
 */
export function compileProbe(schema: Schema): (value: Value) => number {
  const root = messageOf(schema, schema.root);
  const isInPlace = root.inPlace === true && schema.documents !== undefined;
  const fields = root.fields.filter((field) => isInPlace || keyOf(field, schema) !== undefined);
  const body = fields.slice(0, MAX_PROBED).map((field) => {
    const test = isInPlace ? heldTest(schema, root, field, "m") : undefined;
    return probeField(field, schema, test);
  });
  return compile(`return function probe(m) {\n  let h = 0, x;\n${body.join("\n")}\n  return h;\n};`, {
    sumOfJson,
  });
}

/** Fields of the root that a probe looks at. */
const MAX_PROBED = 4;

/** The key of a field: in documents the first that it was seen under, if any. */
function keyOf(field: Field, { documents }: Schema): string | undefined {
  return documents === undefined ? field.name : documents.get(field)?.[0];
}

/** @param test whether the root is what the field holds, where documents have that in its place */
function probeField(field: Field, schema: Schema, test?: string): string {
  // To count a map's keys takes as long as to read them all.
  if (field.repetition.kind === "map") return "";
  const add = (one: Field): string => {
    const areDocuments = schema.documents !== undefined;
    return addToSum(
      areDocuments ? foldHeld(one, "x", PLAIN, new Map()) : fold(one.type, "x", PLAIN, new Map()),
    );
  };
  const read = (object: string, one: Field): string => `x = ${fieldOf(object, keyOf(one, schema) ?? "")};`;
  const isList = field.repetition.kind === "list";
  const leaf = isList && field.type.kind === "message" ? firstScalar(field.type.name, schema) : undefined;
  const last = leaf && `if (x.length > 0) { ${read("x[x.length - 1]", leaf)} if (x != null) ${add(leaf)} }`;
  const own = isList || field.type.kind === "message" ? addToSum(isList ? "x.length" : "1") : add(field);
  const root = test === undefined ? read("m", field) : `x = (${test}) ? m : undefined;`;
  return `  ${root} if (x != null) { ${own} ${last ?? ""} }`;
}

function firstScalar(message: string, schema: Schema): Field | undefined {
  return messageOf(schema, message).fields.find(
    (field) =>
      field.repetition.kind === "one" && field.type.kind !== "message" && keyOf(field, schema) !== undefined,
  );
}

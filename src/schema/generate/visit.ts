import { compile, fieldOf, literal, numbered } from "../../model/generated-code.ts";
import {
  type Field,
  type FieldType,
  integerOf,
  is64Bit,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import type { Selection } from "../../model/selection.ts";
import type { Value } from "../../model/value.ts";
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

/**
 * Makes the function that visits every field of a value and folds them into an int32: the sum of
 *
 * - an integer, enum or bool: its value; a 64-bit one: its low 32 bits
 * - a float or double: 256 times its value without the fraction, 0 when it is not finite
 * - a string: its length and its first unit, in the units of {@link VisitStyle.text}; bytes likewise
 * - a list or map: its size and its elements; a map's keys too
 * - an absent field: nothing
 *
 * A codec's `access` computes the same sum straight from bytes. The sum does not depend on the order of
 * fields, and it costs little beside reading them: it is there so that no read can be optimised away.
 */
export function compileVisitor(
  schema: Schema,
  style: VisitStyle = { long: "plain", text: "utf16" },
): (value: Value) => number {
  return new VisitCode(schema, style).compile(schema.root);
}

/**
 * Makes the function that visits of a value what a selection names: the sum of the number of records, where they
 * are in a list, and of the selected fields of the selected records, each as {@link compileVisitor} counts it. A
 * codec's `reader` computes the same from bytes. Throws UnsupportedError for a selection that is not of the schema.
 */
export function compileSelectionVisitor(
  schema: Schema,
  selection: Selection,
  style: VisitStyle = { long: "plain", text: "utf16" },
): (value: Value) => number {
  return new VisitCode(schema, style).compileNarrowed(narrowedVisits(schema, selection));
}

/** What a function visits: see {@link NarrowedVisit}. */
type Part = Pick<NarrowedVisit, "nested" | "records">;

const EVERYTHING: Part = { nested: undefined, records: undefined };

class VisitCode {
  readonly #style: VisitStyle;
  readonly #names: ReadonlyMap<string, string>;
  readonly #functions: string;

  constructor(schema: Schema, style: VisitStyle) {
    const messages = reachableMessages(schema);
    this.#style = style;
    this.#names = numbered(
      messages.map((message) => message.name),
      "visit",
    );
    this.#functions = messages
      .map(({ name, fields }) => this.#function(this.#names.get(name)!, fields, EVERYTHING))
      .join("\n");
  }

  compile(message: string): (value: Value) => number {
    return this.#compile("", this.#names.get(message)!);
  }

  compileNarrowed(visits: readonly NarrowedVisit[]): (value: Value) => number {
    const functions = visits.map(({ name, message, fields, ...part }) =>
      this.#function(
        name,
        message.fields.filter((field) => fields.has(field.name)),
        part,
      ),
    );
    return this.#compile(functions.join("\n"), NARROWED_ROOT);
  }

  #compile(more: string, visit: string): (value: Value) => number {
    return compile(`${this.#functions}\n${more}\nreturn ${visit};`, { utf8First, lowOfKey });
  }

  #function(name: string, fields: readonly Field[], part: Part): string {
    return `function ${name}(m) {
  let h = 0, x;
${fields.map((field) => this.#field(field, part)).join("\n")}
  return h;
}`;
  }

  #field(field: Field, { nested, records }: Part): string {
    const style = this.#style;
    const member = style.inherited === true ? `m[${literal(field.name)}]` : fieldOf("m", field.name);
    const read = `x = ${member};`;
    const names =
      field.type.kind === "message" && nested !== undefined
        ? new Map([[field.type.name, nested]])
        : this.#names;
    const add = (expression: string): string =>
      `h = (h + ${fold(field.type, expression, style, names)}) | 0;`;
    switch (field.repetition.kind) {
      case "list": {
        const each =
          records === undefined
            ? `for (const e of x) { ${add("e")} }`
            : `${elementLoop("x.length", records)} { ${add("x[i]")} }`;
        return `  ${read} h = (h + x.length) | 0; ${each}`;
      }
      case "map": {
        const key = foldKey(field.repetition.key, style, names);
        return `  ${read} for (const k of Object.keys(x)) { h = (h + 1 + ${key}) | 0; ${add("x[k]")} }`;
      }
      case "one":
        return field.repetition.presence === "optional"
          ? `  ${read} if (x !== undefined) { ${add("x")} }`
          : `  ${read} ${add("x")}`;
    }
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
  return unit < 0x80 ? unit : (Buffer.from(text.slice(0, 2), "utf8")[0] ?? 0);
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
export function fold(
  type: FieldType,
  value: string,
  style: VisitStyle,
  names: ReadonlyMap<string, string>,
): string {
  if (type.kind === "message") return `${names.get(type.name)}(${value})`;
  if (type.kind === "enum") return value;
  const { scalar } = type;
  switch (scalar) {
    case "string":
      return style.text === "utf16"
        ? `(${value}.length === 0 ? 0 : ${value}.length + ${value}.charCodeAt(0))`
        : `(${value}.length === 0 ? 0 : Buffer.byteLength(${value}) + utf8First(${value}))`;
    case "bytes":
      return `(${value}.length === 0 ? 0 : ${value}.length + ${value}[0])`;
    case "float":
    case "double":
      return `((${value} * 256) | 0)`;
    case "bool":
      return `(${value} ? 1 : 0)`;
    default:
      return integerOf(scalar)?.bits === 64 ? lowBits(value, style) : `(${value} | 0)`;
  }
}

function lowBits(value: string, style: VisitStyle): string {
  if (style.long === "Long") return `${value}.low`;
  return `(typeof ${value} === "bigint" ? Number(BigInt.asIntN(32, ${value})) : ${value} | 0)`;
}

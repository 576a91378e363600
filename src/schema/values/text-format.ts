import { setOwn } from "../../model/generated-code.ts";
import { nearNames } from "../../model/near-names.ts";
import {
  enumOf,
  type Field,
  type FieldType,
  type MessageType,
  messageOf,
  type Scalar,
  type Schema,
  simpleName,
} from "../../model/schema.ts";
import type { RecordValue } from "../../model/value.ts";
import { encodeMessage } from "./any-bytes.ts";
import { conform } from "./conform.ts";
import { MAX_DEPTH } from "./depth.ts";
import { TextTokens } from "./text-tokens.ts";
import { anyFields, typeOfUrl, wellKnownOf } from "./well-known.ts";

/**
 * Reads a message of the schema's root in protobuf's text format, as `protoc --decode` prints it (protobuf.dev, "Text Format
 * Language Specification"): a plain value that is still to conform. Throws ValueError with line and column.
 */
export function readTextFormat(schema: Schema, text: string): Readonly<Record<string, unknown>> {
  return new TextReader(schema, text).root();
}

type Fields = Record<string, unknown>;

class TextReader {
  readonly #schema: Schema;
  readonly #tokens: TextTokens;

  constructor(schema: Schema, text: string) {
    this.#schema = schema;
    this.#tokens = new TextTokens(text);
  }

  root(): Fields {
    return this.#fields(messageOf(this.#schema, this.#schema.root), undefined, 1);
  }

  /** @param end the mark after the fields; undefined for the end of the text */
  #fields(type: MessageType, end: string | undefined, depth: number): Fields {
    const tokens = this.#tokens;
    if (depth > MAX_DEPTH) tokens.fail(tokens.peek().at, `nested deeper than ${MAX_DEPTH} messages`);
    const result: Fields = {};
    for (;;) {
      const { kind, at } = tokens.peek();
      if (end !== undefined && tokens.skip(end)) return result;
      if (kind === "end") {
        if (end !== undefined) tokens.fail(at, `expected ${end}`);
        return result;
      }
      this.#field(type, result, depth);
      if (!tokens.skip(",")) tokens.skip(";");
    }
  }

  #field(type: MessageType, result: Fields, depth: number): void {
    const tokens = this.#tokens;
    const { at } = tokens.peek();
    const name = this.#name();
    if (name.includes("/")) {
      if (wellKnownOf(type) !== "any") tokens.fail(at, `${type.name} is no google.protobuf.Any`);
      Object.assign(result, this.#any(type, name, at, depth));
      return;
    }
    const field = type.fields.find((one) => isNamed(one, name));
    if (field === undefined)
      throw tokens.problem(at, `${type.name} has no field ${name}${near(name, type.fields)}`);
    if (!tokens.skip(":") && field.type.kind !== "message" && field.repetition.kind !== "map") {
      tokens.fail(tokens.peek().at, `expected : after ${name}`);
    }
    if (field.repetition.kind === "one") {
      if (Object.hasOwn(result, field.name)) tokens.fail(at, `${name} is given twice`);
      setOwn(result, field.name, this.#one(field.type, depth));
      return;
    }
    const isMap = field.repetition.kind === "map";
    const held = (Object.hasOwn(result, field.name) ? result[field.name] : undefined) ?? (isMap ? {} : []);
    setOwn<unknown>(result, field.name, held);
    this.#items(() => this.#add(field, held as Fields | unknown[], depth));
  }

  /** One item, or those of a list in brackets. */
  #items(add: () => void): void {
    const tokens = this.#tokens;
    if (!tokens.skip("[")) {
      add();
      return;
    }
    if (tokens.skip("]")) return;
    do add();
    while (tokens.skip(","));
    if (!tokens.skip("]")) tokens.fail(tokens.peek().at, "expected , or ] in a list");
  }

  #add({ type, repetition }: Field, held: Fields | unknown[], depth: number): void {
    if (Array.isArray(held) || repetition.kind !== "map") {
      if (Array.isArray(held)) held.push(this.#one(type, depth));
      return;
    }
    const single = { kind: "one", presence: "optional" } as const;
    const keyType: FieldType = { kind: "scalar", scalar: repetition.key };
    const fields: Field[] = [
      { name: "key", number: 1, type: keyType, repetition: single },
      { name: "value", number: 2, type, repetition: single },
    ];
    const { key = zeroOf(keyType), value = zeroOf(type) } = this.#braced(
      { name: "map entry", fields },
      depth,
    );
    setOwn<unknown>(held, String(key), value);
  }

  #braced(type: MessageType, depth: number): Fields {
    const tokens = this.#tokens;
    if (tokens.skip("{")) return this.#fields(type, "}", depth);
    if (tokens.skip("<")) return this.#fields(type, ">", depth);
    return tokens.fail(tokens.peek().at, `expected { (${type.name})`);
  }

  /** A field's name: an extension's, and the type URL of an Any, stand in brackets. */
  #name(): string {
    const tokens = this.#tokens;
    const isBracketed = tokens.skip("[");
    let name = "";
    for (;;) {
      const token = tokens.take();
      const isPart =
        token.kind === "name" || (isBracketed && (token.kind === "mark" || token.kind === "number"));
      if (isBracketed && token.kind === "mark" && token.text === "]") return name;
      if (!isPart) return tokens.fail(token.at, "expected the name of a field");
      name += token.text;
      if (!isBracketed) return name;
    }
  }

  #any(type: MessageType, url: string, at: number, depth: number): Fields {
    this.#tokens.skip(":");
    try {
      const held = typeOfUrl(this.#schema, url);
      const given = this.#braced(held, depth + 1);
      const schema = { ...this.#schema, root: held.name };
      const { value } = conform(schema, given, { form: "plain", int64: "bigint" });
      return anyFields(type, url, encodeMessage(schema, held, value as RecordValue));
    } catch (error) {
      const { message } = error as Error;
      return message.startsWith("line ") ? throwAgain(error) : this.#tokens.fail(at, message);
    }
  }

  #one(type: FieldType, depth: number): unknown {
    switch (type.kind) {
      case "message":
        return this.#braced(messageOf(this.#schema, type.name), depth + 1);
      case "enum":
        return this.#enum(type.name);
      case "scalar":
        return this.#scalar(type.scalar);
    }
  }

  #enum(name: string): unknown {
    const { kind, at } = this.#tokens.peek();
    if (kind !== "name") return this.#integer();
    const label = this.#word();
    const { values } = enumOf(this.#schema, name);
    const found = values.find((value) => value.name === label);
    if (found !== undefined) return found.number;
    return this.#tokens.fail(at, `${name} has no value ${label}${near(label, values)}`);
  }

  #scalar(scalar: Scalar): unknown {
    switch (scalar) {
      case "bool":
        return this.#bool();
      case "string":
      case "bytes":
        return this.#string(scalar);
      case "float":
        return Math.fround(this.#float());
      case "double":
        return this.#float();
      default:
        return this.#integer();
    }
  }

  #word(): string {
    const token = this.#tokens.take();
    return token.kind === "name" ? token.text : this.#tokens.fail(token.at, "expected a name");
  }

  #bool(): boolean {
    const { kind, at } = this.#tokens.peek();
    const text = kind === "name" ? this.#word() : String(this.#integer());
    if (["true", "True", "t", "1"].includes(text)) return true;
    if (["false", "False", "f", "0"].includes(text)) return false;
    return this.#tokens.fail(at, `expected true or false, got ${text}`);
  }

  /** Strings that follow each other are one. */
  #string(scalar: "string" | "bytes"): string | Uint8Array {
    const tokens = this.#tokens;
    const { at } = tokens.peek();
    const parts: Uint8Array[] = [];
    for (let token = tokens.peek(); token.kind === "string"; token = tokens.peek()) {
      parts.push(token.bytes);
      tokens.take();
    }
    if (parts.length === 0) tokens.fail(at, "expected a string");
    const bytes = Buffer.concat(parts);
    if (scalar === "bytes") return new Uint8Array(bytes);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return tokens.fail(at, "not valid UTF-8, and a string is");
    }
  }

  #integer(): bigint {
    const { at } = this.#tokens.peek();
    const isNegative = this.#tokens.skip("-");
    const token = this.#tokens.take();
    const text = token.kind === "number" ? token.text : "";
    if (!/^(?:0[xX][0-9a-fA-F]{1,40}|\d{1,40})$/.test(text))
      return this.#tokens.fail(at, "expected an integer");
    const magnitude = BigInt(/^0\d/.test(text) ? `0o${text.slice(1)}` : text);
    return isNegative ? -magnitude : magnitude;
  }

  #float(): number {
    const { at } = this.#tokens.peek();
    const sign = this.#tokens.skip("-") ? -1 : 1;
    const token = this.#tokens.take();
    const text = token.kind === "number" || token.kind === "name" ? token.text.toLowerCase() : "";
    if (text === "nan") return Number.NaN;
    if (text === "inf" || text === "infinity") return sign * Number.POSITIVE_INFINITY;
    const isDecimal = token.kind === "number" && !/^0[x\d]/.test(text);
    return isDecimal ? sign * Number(text.replace(/f$/, "")) : this.#tokens.fail(at, "expected a number");
  }
}

function near(wanted: string, names: readonly { readonly name: string }[]): string {
  return nearNames(
    wanted,
    names.map(({ name }) => name),
  );
}

/** A field has its name in text. A group has that of its type too, which is how it is printed. */
function isNamed({ name, type, group }: Field, wanted: string): boolean {
  if (wanted === name) return true;
  // In an edition a field of any name may be written between tags.
  return (
    group === true &&
    type.kind === "message" &&
    wanted === simpleName(type.name) &&
    wanted.toLowerCase() === name
  );
}

/** What the key or the value of a map's entry is without one. */
function zeroOf(type: FieldType): unknown {
  if (type.kind === "message") return {};
  if (type.kind === "enum") return 0;
  if (type.scalar === "string") return "";
  if (type.scalar === "bytes") return new Uint8Array(0);
  return type.scalar === "bool" ? false : 0;
}

function throwAgain(error: unknown): never {
  throw error;
}

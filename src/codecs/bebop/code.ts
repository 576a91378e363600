import { assignField, compile, fieldOf, numbered, setOwn } from "../../model/generated-code.ts";
import {
  type Field,
  type FieldType,
  hasPresence,
  type Int64Mode,
  is64Bit,
  type MessageType,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { bebopFields, bebopScalar } from "../../schema/layout/bebop.ts";

/** What is generated of a schema: what bebopc prints for a `message`, but for maps, which stay objects. */
export interface BebopCode {
  /** Writes a value into the library's only view. */
  write(value: Value): void;
  /** Reads one from it. */
  read(): Value;
}

/** Compiles {@link bebopSource}. @param view the library's */
export function bebopCode(schema: Schema, int64: Int64Mode, view: object): BebopCode {
  const { functions, root } = bebopSource(schema, int64);
  return compile(`${functions}\nreturn { write: write${root}, read: read${root} };`, { view, setOwn });
}

/**
 * The functions that make the calls to BebopView that the output of bebopc makes (bebop-tools 3.2.3, `encodeInto` and `readFrom` of
 * a message). They need the names `view` and `setOwn`.
 */
export function bebopSource(
  schema: Schema,
  int64: Int64Mode,
): { readonly functions: string; readonly root: string } {
  const messages = reachableMessages(schema);
  const names = numbered(
    messages.map(({ name }) => name),
    "M",
  );
  const printer = new Printer(names, int64);
  return {
    functions: messages.map((message) => printer.message(message)).join("\n"),
    root: names.get(schema.root)!,
  };
}

class Printer {
  readonly #names: ReadonlyMap<string, string>;
  readonly #int64: Int64Mode;

  constructor(names: ReadonlyMap<string, string>, int64: Int64Mode) {
    this.#names = names;
    this.#int64 = int64;
  }

  message(message: MessageType): string {
    const M = this.#names.get(message.name);
    const fields = bebopFields(message);
    const writes = fields.map(
      ({ field, index }) =>
        `  x = ${fieldOf("v", field.name)}; if (x !== undefined) { view.writeByte(${index}); ${this.#write(field)} }`,
    );
    const reads = fields.map(({ field, index }) => `      case ${index}: { ${this.#read(field)} break; }`);
    return `function write${M}(v) {
  const at = view.reserveMessageLength(), start = view.length;
  let x;
${writes.join("\n")}
  view.writeByte(0);
  view.fillMessageLength(at, view.length - start);
}
function read${M}() {
  const o = {}, length = view.readMessageLength(), end = view.index + length;
  while (true) {
    switch (view.readByte()) {
      case 0: ${fields.map(({ field }) => this.#fill(field)).join(" ")} return o;
${reads.join("\n")}
      default: view.index = end; ${fields.map(({ field }) => this.#fill(field)).join(" ")} return o;
    }
  }
}`;
  }

  /** Gives the value `o` a field that the bytes lack, where absence is no value of it. */
  #fill(field: Field): string {
    const { name, repetition, type } = field;
    if (hasPresence(field)) return "";
    if (repetition.kind === "one" && repetition.presence !== "implicit") return "";
    const zero = repetition.kind === "list" ? "[]" : repetition.kind === "map" ? "{}" : this.#zero(type);
    return `if (${fieldOf("o", name)} === undefined) { ${assignField("o", name, zero)} }`;
  }

  #zero(type: FieldType): string {
    if (type.kind !== "scalar") return "0";
    if (type.scalar === "string") return '""';
    if (type.scalar === "bytes") return "new Uint8Array(0)";
    if (type.scalar === "bool") return "false";
    return is64Bit(type.scalar) && this.#int64 === "bigint" ? "0n" : "0";
  }

  /** Statements that write the field `x`. */
  #write({ type, repetition }: Field): string {
    if (repetition.kind === "one") return this.#writeOne(type, "x");
    if (repetition.kind === "list") {
      return `view.writeUint32(x.length); for (let i = 0; i < x.length; i++) { ${this.#writeOne(type, "x[i]")} }`;
    }
    return `const keys = Object.keys(x); view.writeUint32(keys.length);
    for (const k of keys) { ${this.#writeOne({ kind: "scalar", scalar: repetition.key }, keyOf(repetition.key), true)} ${this.#writeOne(type, "x[k]")} }`;
  }

  #writeOne(type: FieldType, value: string, isKey = false): string {
    const scalar = bebopScalar(type);
    if (scalar === undefined) return `write${this.#names.get((type as { name: string }).name)}(${value});`;
    return `view.write${scalar.method}(${this.#toLibrary(type, value, isKey)});`;
  }

  /** @param isKey a key is text, whatever values have */
  #toLibrary(type: FieldType, value: string, isKey: boolean): string {
    if (type.kind !== "scalar") return value;
    if (type.scalar === "bool") return `Number(${value})`;
    return is64Bit(type.scalar) && (isKey || this.#int64 === "number") ? `BigInt(${value})` : value;
  }

  /** Statements that read the field of `o`. */
  #read({ name, type, repetition }: Field): string {
    if (repetition.kind === "one") return assignField("o", name, this.#readOne(type));
    const assign = assignField("o", name, "x");
    if (repetition.kind === "list")
      return `const x = []; for (let n = view.readUint32(); n > 0; n--) x.push(${this.#readOne(type)}); ${assign}`;
    const key = bebopScalar({ kind: "scalar", scalar: repetition.key })?.method;
    const text = repetition.key === "bool" ? `String(view.read${key}() !== 0)` : `String(view.read${key}())`;
    return `const x = {}; for (let n = view.readUint32(); n > 0; n--) { const k = ${text}; setOwn(x, k, ${this.#readOne(type)}); } ${assign}`;
  }

  #readOne(type: FieldType): string {
    const scalar = bebopScalar(type);
    if (scalar === undefined) return `read${this.#names.get((type as { name: string }).name)}()`;
    const read = `view.read${scalar.method}()`;
    if (type.kind !== "scalar") return read;
    if (type.scalar === "bool") return `${read} !== 0`;
    return is64Bit(type.scalar) && this.#int64 === "number" ? `Number(${read})` : read;
  }
}

/** The expression of a map's key, which is the text `k` in a plain value. */
function keyOf(scalar: Scalar): string {
  if (scalar === "bool") return 'k === "true"';
  return scalar === "string" || is64Bit(scalar) ? "k" : "Number(k)";
}

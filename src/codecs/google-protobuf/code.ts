import { compile, fieldOf, literal, literalKey, numbered } from "../../model/generated-code.ts";
import {
  type Field,
  type FieldType,
  type Int64Mode,
  is64Bit,
  type MessageType,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import {
  isGroup,
  isImplicit,
  isPackable,
  isPacked,
  oneofOf,
  protobufScalar,
  protobufSyntax,
} from "../../schema/layout/protobuf.ts";

/** What is generated of a schema: a class of jspb.Message for each message, and what protoc-gen-js prints for it. */
export interface Generated {
  build(value: Value): unknown;
  serialize(message: unknown): Uint8Array;
  deserialize(bytes: Uint8Array): unknown;
  plain(message: unknown): Value;
}

/**
 * Makes the calls to jspb.Message, BinaryReader and BinaryWriter that the output of protoc-gen-js makes (google-protobuf 4.0.3,
 * `google/protobuf/*_pb.js`). 64-bit integers are numbers, or by `jstype = JS_STRING` decimal text where values have bigints.
 * @param jspb the library
 */
export function generate(schema: Schema, int64: Int64Mode, jspb: object): Generated {
  const { source, root } = generatedSource(schema, int64);
  return compile(
    `${source}\nreturn { build: ${root}.build, plain: ${root}.plain, serialize, deserialize };`,
    { jspb },
  );
}

/** The code of {@link generate}, with `jspb` in scope, and the name of the root's class. */
export function generatedSource(schema: Schema, int64: Int64Mode): { source: string; root: string } {
  const messages = reachableMessages(schema);
  const names = numbered(
    messages.map(({ name }) => name),
    "M",
  );
  const printer = new Printer(names, int64, protobufSyntax(schema) === "proto3");
  const root = names.get(schema.root)!;
  const source = `${messages.map((message) => printer.message(message)).join("\n")}
function serialize(message) { const w = new jspb.BinaryWriter(); ${root}.serialize(message, w); return w.getResultBuffer(); }
function deserialize(bytes) { return ${root}.deserialize(new ${root}(), new jspb.BinaryReader(bytes)); }`;
  return { source, root };
}

/** The highest field number that a message keeps in its array, where it has any beyond (`kDefaultPivot`). */
const PIVOT = 500;

class Printer {
  readonly #names: ReadonlyMap<string, string>;
  readonly #int64: Int64Mode;
  readonly #isProto3: boolean;
  /** The expression of the numbers of a oneof's members, for each of them. */
  readonly #groups = new Map<Field, string>();

  constructor(names: ReadonlyMap<string, string>, int64: Int64Mode, isProto3: boolean) {
    this.#names = names;
    this.#int64 = int64;
    this.#isProto3 = isProto3;
  }

  message({ name, fields }: MessageType): string {
    const M = this.#names.get(name);
    const sorted = fields.toSorted((a, b) => a.number - b.number);
    const repeated = sorted
      .filter(({ repetition }) => repetition.kind === "list")
      .map(({ number }) => number);
    const pivot = sorted.some(({ number }) => number > PIVOT) ? PIVOT : -1;
    const lists = repeated.length === 0 ? "null" : `[${repeated.join(",")}]`;
    const oneofs = [...new Set(fields.map(oneofOf))].filter((oneof) => oneof !== undefined);
    const members = oneofs.map((oneof) => sorted.filter((field) => oneofOf(field) === oneof));
    members.forEach((group, i) => {
      for (const field of group) this.#groups.set(field, `${M}.oneofs[${i}]`);
    });
    const groups = members.map((group) => `[${group.map(({ number }) => number).join(",")}]`);
    return `function ${M}(data) { jspb.Message.initialize(this, data, 0, ${pivot}, ${M}.lists, ${M}.oneofs); }
jspb.inherits(${M}, jspb.Message);
${M}.lists = ${lists};
${M}.oneofs = ${groups.length === 0 ? "null" : `[${groups.join(",")}]`};
${M}.serialize = function (m, w) { let f;
${sorted.map((field) => this.#write(field)).join("\n")} };
${M}.deserialize = function (m, r) {
  while (r.nextField()) {
    if (r.isEndGroup()) break;
    switch (r.getFieldNumber()) {
${sorted.map((field) => `      case ${field.number}: { ${this.#read(field)} break; }`).join("\n")}
      default: r.skipField();
    }
  }
  return m;
};
${M}.build = function (v) { const m = new ${M}(); let x;
${fields.map((field) => `  x = ${fieldOf("v", field.name)}; ${this.#set(field)}`).join("\n")}
  return m; };
${M}.plain = function (m) { const o = {}; let f;
${fields.map((field) => this.#get(field)).join("\n")}
  return o; };`;
  }

  #write(field: Field): string {
    const { number: no, type, repetition } = field;
    const name = this.#method(type);
    if (repetition.kind === "map") {
      const [key, T] = [
        this.#method({ kind: "scalar", scalar: repetition.key }, true),
        this.#names.get(nameOf(type)),
      ];
      const value = type.kind === "message" ? `${writer("Message")}, ${T}.serialize` : writer(name);
      return `f = ${this.#map(field, true)}; if (f && f.getLength() > 0) {
  jspb.internal.public_for_gencode.serializeMapToBinary(f, ${no}, w, ${writer(key)}, ${value}); }`;
    }
    if (type.kind === "message") {
      const T = this.#names.get(type.name);
      const kind = isGroup(field) ? "Group" : "Message";
      return repetition.kind === "list"
        ? `f = jspb.Message.getRepeatedWrapperField(m, ${T}, ${no}); if (f.length > 0) w.writeRepeated${kind}(${no}, f, ${T}.serialize);`
        : `f = jspb.Message.getWrapperField(m, ${T}, ${no}); if (f != null) w.write${kind}(${no}, f, ${T}.serialize);`;
    }
    if (repetition.kind === "list") {
      return `f = ${this.#list(field)}; if (f.length > 0) w.write${isPacked(field) ? "Packed" : "Repeated"}${name}(${no}, f);`;
    }
    if (!isImplicit(field))
      return `f = jspb.Message.getField(m, ${no}); if (f != null) w.write${name}(${no}, f);`;
    return `f = ${this.#implicit(field)}; if (${this.#isThere(type)}) w.write${name}(${no}, f);`;
  }

  #read(field: Field): string {
    const { number: no, type, repetition } = field;
    const name = this.#method(type);
    if (repetition.kind === "map") {
      const key: FieldType = { kind: "scalar", scalar: repetition.key };
      const T = this.#names.get(nameOf(type));
      const value =
        type.kind === "message"
          ? `${reader("Message")}, ${T}.deserialize, ${this.#zero(key, true)}, new ${T}()`
          : `${reader(name)}, null, ${this.#zero(key, true)}, ${this.#zero(type)}`;
      return `r.readMessage(${this.#map(field, false)}, (map, r) => {
  jspb.Map.deserializeBinary(map, r, ${reader(this.#method(key, true))}, ${value}); });`;
    }
    if (type.kind === "message") {
      const T = this.#names.get(type.name);
      const read = isGroup(field)
        ? `r.readGroup(${no}, x, ${T}.deserialize)`
        : `r.readMessage(x, ${T}.deserialize)`;
      const set =
        repetition.kind === "list"
          ? `jspb.Message.addToRepeatedWrapperField(m, ${no}, x, ${T})`
          : this.#setOne(field, "x");
      return `const x = new ${T}(); ${read}; ${set};`;
    }
    const text =
      type.kind === "scalar" && type.scalar === "string" && this.#isProto3 ? "StringRequireUtf8" : name;
    if (repetition.kind !== "list") return `${this.#setOne(field, `r.read${text}()`)};`;
    return isPackable(type)
      ? `r.readPackable${name}Into(${this.#list(field)});`
      : `jspb.Message.addToRepeatedField(m, ${no}, r.read${text}());`;
  }

  /** A statement that sets a field of `m` to the plain value `x`. */
  #set(field: Field): string {
    const { number: no, type, repetition } = field;
    const one = (x: string): string => {
      if (type.kind === "message") return `${this.#names.get(type.name)}.build(${x})`;
      return this.#isText(type) ? `String(${x})` : x;
    };
    const isSame = one("x") === "x";
    if (repetition.kind === "map") {
      return `{ const map = ${this.#map(field, false)}; for (const k of Object.keys(x)) map.set(${this.#keyOf(repetition.key)}, ${one("x[k]")}); }`;
    }
    if (repetition.kind === "list") {
      const list = isSame ? "x" : `x.map((e) => ${one("e")})`;
      return `jspb.Message.set${type.kind === "message" ? "RepeatedWrapper" : ""}Field(m, ${no}, ${list});`;
    }
    return `if (x !== undefined) ${this.#setOne(field, one("x"))};`;
  }

  /** An expression that sets a field of `m` that is no list and no map; of the members of a oneof it leaves the last. */
  #setOne(field: Field, value: string): string {
    const kind = field.type.kind === "message" ? "Wrapper" : "";
    const group = this.#groups.get(field);
    return group === undefined
      ? `jspb.Message.set${kind}Field(m, ${field.number}, ${value})`
      : `jspb.Message.setOneof${kind}Field(m, ${field.number}, ${group}, ${value})`;
  }

  /** Statements that give the plain value `o` what a field of `m` holds. */
  #get(field: Field): string {
    const { name, number: no, type, repetition } = field;
    const T = this.#names.get(nameOf(type));
    const one = (x: string): string => {
      if (type.kind === "message") return `${T}.plain(${x})`;
      return this.#isText(type) ? `BigInt(${x})` : x;
    };
    const assign = (value: string): string =>
      `Object.defineProperty(o, ${literal(name)}, { value: ${value}, writable: true, enumerable: true, configurable: true });`;
    const put = (value: string): string =>
      literalKey(name) === literal(name) ? `o[${literal(name)}] = ${value};` : assign(value);
    if (repetition.kind === "map") {
      return `f = {}; { const map = ${this.#map(field, true)}; if (map) map.forEach((v, k) => { f[k] = ${one("v")}; }); } ${put("f")}`;
    }
    if (repetition.kind === "list") {
      const list =
        type.kind === "message" ? `jspb.Message.getRepeatedWrapperField(m, ${T}, ${no})` : this.#list(field);
      return put(one("e") === "e" ? list : `${list}.map((e) => ${one("e")})`);
    }
    if (type.kind !== "message" && isImplicit(field)) return put(one(this.#implicit(field)));
    const get =
      type.kind === "message" ? `jspb.Message.getWrapperField(m, ${T}, ${no})` : this.#presentField(type, no);
    return `f = ${get}; if (f != null) { ${put(one("f"))} }`;
  }

  /** A field with presence: what is read is a number, a bool or a text already. */
  #presentField(type: FieldType, no: number): string {
    return type.kind === "scalar" && type.scalar === "bool"
      ? `jspb.Message.getBooleanField(m, ${no})`
      : `jspb.Message.getField(m, ${no})`;
  }

  #implicit({ type, number }: Field): string {
    return `jspb.Message.getFieldWithDefault(m, ${number}, ${this.#zero(type)})`;
  }

  #list({ number }: Field): string {
    return `jspb.Message.getRepeatedField(m, ${number})`;
  }

  /** @param isLazy whether no map is made where there is none */
  #map({ number, type }: Field, isLazy: boolean): string {
    return `jspb.Message.getMapField(m, ${number}, ${isLazy}, ${type.kind === "message" ? this.#names.get(type.name) : "null"})`;
  }

  #isThere(type: FieldType): string {
    if (type.kind === "scalar" && (type.scalar === "string" || type.scalar === "bytes"))
      return "f.length > 0";
    if (type.kind === "scalar" && type.scalar === "bool") return "f";
    return this.#isText(type) ? "parseInt(f, 10) !== 0" : "f !== 0";
  }

  /** Whether it is held as decimal text. */
  #isText(type: FieldType): boolean {
    return type.kind === "scalar" && is64Bit(type.scalar) && this.#int64 === "bigint";
  }

  #zero(type: FieldType, isKey = false): string {
    if (type.kind !== "scalar") return "0";
    if (type.scalar === "bool") return "false";
    if (type.scalar === "string") return '""';
    if (type.scalar === "bytes") return "new Uint8Array(0)";
    return this.#isText(type) || (isKey && is64Bit(type.scalar)) ? '"0"' : "0";
  }

  /** The end of the names of the methods for a type. @param isKey a key of 64 bits is text whatever values have */
  #method(type: FieldType, isKey = false): string {
    if (type.kind !== "scalar") return type.kind === "enum" ? "Enum" : "Message";
    const scalar = protobufScalar(type.scalar);
    const name = `${scalar.charAt(0).toUpperCase()}${scalar.slice(1)}`;
    return this.#isText(type) || (isKey && is64Bit(type.scalar)) ? `${name}String` : name;
  }

  /** The expression of a map's key, which is the text `k` in a plain value. */
  #keyOf(scalar: Scalar): string {
    if (scalar === "bool") return '(k === "true")';
    return scalar === "string" || is64Bit(scalar) ? "k" : "Number(k)";
  }
}

function nameOf(type: FieldType): string {
  return type.kind === "message" ? type.name : "";
}

function writer(method: string): string {
  return `jspb.BinaryWriter.prototype.write${method}`;
}

function reader(method: string): string {
  return `jspb.BinaryReader.prototype.read${method}`;
}

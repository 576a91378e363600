import { readShortText, readUtf8 } from "../../formats/bytes/utf8.ts";
import { ProtobufInput, WIRE } from "../../formats/protobuf-verifier/input.ts";
import { WIRE_TYPES } from "../../formats/protobuf-verifier/numbers.ts";
import { assignField, compile, fieldOf, numbered, setOwn } from "../../model/generated-code.ts";
import {
  enumOf,
  type Field,
  type FieldType,
  type Int64Mode,
  is64Bit,
  type MessageType,
  reachableEnums,
  reachableMessages,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import { isGroup, isPackable, oneofOf } from "../layout/protobuf.ts";

/**
 * Makes a function that reads protobuf bytes as a canonical value of the schema's root, without any other copy of it. The bytes
 * are what `verifyProtobuf` lets pass, and what the schema lacks is skipped. Fields of bytes are copies.
 *
 * A message is made once all its fields are read, by a constructor that knows them: each then takes its fields and no
 * more, while an object that grows has room to spare (measured on nested messages of two fields: 40 against 72 bytes).
 */
export function compileProtobufReader(schema: Schema, int64: Int64Mode): (bytes: Uint8Array) => Value {
  const messages = reachableMessages(schema);
  const code = new ReaderCode(schema, int64);
  const functions = messages.map((message) => code.message(message));
  const numbers = reachableEnums(schema).map(
    ({ name, values }) => [code.enums.get(name)!, new Set(values.map(({ number }) => number))] as const,
  );
  const scope = {
    setOwn,
    skip,
    text,
    bytes,
    float,
    double,
    signed,
    unsigned,
    ...Object.fromEntries(numbers),
  };
  const read = compile<(input: ProtobufInput, end: number, group: number) => Value>(
    `${functions.join("\n")}\nreturn ${code.readers.get(schema.root)};`,
    scope,
  );
  return (encoded) => read(new ProtobufInput(encoded), encoded.length, 0);
}

/** Code in which `input` is what is read, `end` where the message ends, and `f0`, `f1`, … are its fields. */
class ReaderCode {
  /** Names of the functions that read a message, and of the sets of an enum's numbers. */
  readonly readers: ReadonlyMap<string, string>;
  readonly enums: ReadonlyMap<string, string>;
  readonly #schema: Schema;
  readonly #int64: Int64Mode;

  constructor(schema: Schema, int64: Int64Mode) {
    this.#schema = schema;
    this.#int64 = int64;
    this.readers = numbered(reachableMessages(schema).map(nameOf), "read");
    this.enums = numbered(reachableEnums(schema).map(nameOf), "numbers");
  }

  /** The constructor of a message, and the function that reads one. `held`: that to which it is added. */
  message({ name, fields }: MessageType): string {
    const reader = this.readers.get(name)!;
    const parts = fields.map((_, i) => `f${i}`);
    const assigned = fields.map((field, i) => {
      const assign = assignField("this", field.name, `f${i}`);
      return hasPresence(field) ? `if (f${i} !== undefined) { ${assign} }` : assign;
    });
    const made = fields.map((field, i) => this.#orDefault(field, `f${i}`));
    const started = fields.map((field, i) => `f${i} = ${startOf(field)}`);
    const kept = fields.map((field, i) => `f${i} = ${fieldOf("held", field.name)};`);
    return `
function ${reader}Made(${parts.join(", ")}) { ${assigned.join("\n")} }
${reader}Made.prototype = Object.prototype;
function ${reader}(input, end, group, held) {
  let ${["n", ...started].join(", ")};
  if (held !== undefined) { ${kept.join(" ")} }
  while (group !== 0 || input.at < end) {
    const tag = input.tag(end);
    switch (tag >>> 3) {
${fields.map((field, i) => `      case ${field.number}: ${this.#case(field, i, fields)} break;`).join("\n")}
    }
    if ((tag & 7) === ${WIRE.endGroup}) break;
    skip(input, tag, end);
  }
  return new ${reader}Made(${made.join(", ")});
}`;
  }

  /** Reads a field of any wire type that it may have, and goes on with the next. */
  #case(field: Field, index: number, fields: readonly Field[]): string {
    const { type, repetition } = field;
    const held = `f${index}`;
    if (repetition.kind === "map") return this.#entry(field, repetition.key, held);
    const wire = isGroup(field) ? WIRE.startGroup : wireOf(type);
    const on = (expected: number, code: string): string =>
      `if ((tag & 7) === ${expected}) { ${code} continue; }`;
    if (repetition.kind === "list") {
      const push = (end: string): string => this.#known(field, end, (value) => `${held}.push(${value});`);
      const packed = `const stop = input.delimited(end); while (input.at < stop) { ${push("stop")} }`;
      return `${on(wire, push("end"))} ${isPackable(type) ? on(WIRE.delimited, packed) : ""}`;
    }
    const oneof = oneofOf(field);
    const others = fields.flatMap((other, i) =>
      i !== index && oneof !== undefined && oneofOf(other) === oneof ? [`f${i} = undefined;`] : [],
    );
    return on(
      wire,
      this.#known(field, "end", (value) => `${held} = ${value}; ${others.join(" ")}`, held),
    );
  }

  /** Does something with the value that is next, unless it is a number that its closed enum lacks. */
  #known(field: Field, end: string, use: (value: string) => string, held?: string): string {
    const { type } = field;
    const value = this.#value(field, end, held);
    if (type.kind !== "enum" || !enumOf(this.#schema, type.name).closed) return use(value);
    return `n = ${value}; if (${this.enums.get(type.name)}.has(n)) { ${use("n")} }`;
  }

  /** An entry of a map; without its key or value it has the default, and with an enum's unknown number it is left out. */
  #entry({ type }: Field, key: Scalar, held: string): string {
    const keyTag = 8 + WIRE_TYPES[key];
    const valueTag = 16 + wireOf(type);
    const of: Field = { name: "value", number: 2, type, repetition: { kind: "one", presence: "implicit" } };
    const use = (value: string): string => `v = ${value};`;
    const isClosed = type.kind === "enum" && enumOf(this.#schema, type.name).closed;
    const none =
      type.kind === "message" ? `${this.readers.get(type.name)}(input, stop, 0)` : zero(type, this.#int64);
    return `if ((tag & 7) === ${WIRE.delimited}) {
        const stop = input.delimited(end);
        let k = ${key === "string" ? '""' : `"${zero({ kind: "scalar", scalar: key }, "number")}"`}, v, known = true;
        while (input.at < stop) {
          const tag = input.tag(stop);
          if (tag === ${keyTag}) k = ${key === "string" ? "text(input, stop)" : `String(${this.#scalar(key, "stop", "bigint")})`};
          else if (tag === ${valueTag}) { ${this.#known(of, "stop", use, "v")} ${isClosed ? `known = ${this.enums.get(type.name)}.has(n);` : ""} }
          else skip(input, tag, stop);
        }
        if (known) setOwn(${held}, k, v === undefined ? ${none} : v);
        continue;
      }`;
  }

  /** An expression that reads a value. @param held the message that stood there before, to which it is added */
  #value(field: Field, end: string, held = "undefined"): string {
    const { type, number } = field;
    if (type.kind === "scalar") return this.#scalar(type.scalar, end, this.#int64);
    if (type.kind === "enum") return this.#scalar("int32", end, this.#int64);
    const reader = this.readers.get(type.name);
    return isGroup(field)
      ? `${reader}(input, ${end}, ${number}, ${held})`
      : `${reader}(input, input.delimited(${end}), 0, ${held})`;
  }

  #scalar(scalar: Scalar, end: string, int64: Int64Mode): string {
    const after = (value: string): string => `(input.${STEPS[WIRE_TYPES[scalar]]}(${end}), ${value})`;
    if (is64Bit(scalar) && int64 === "bigint") return after(BIGINTS[scalar] ?? "signed(input)");
    switch (scalar) {
      case "string":
        return `text(input, ${end})`;
      case "bytes":
        return `bytes(input, ${end})`;
      default:
        return after(NUMBERS[scalar] ?? "input.low | 0");
    }
  }

  #orDefault({ type, repetition }: Field, held: string): string {
    const isImplicit = repetition.kind === "one" && repetition.presence === "implicit";
    return isImplicit ? `${held} === undefined ? ${zero(type, this.#int64)} : ${held}` : held;
  }
}

/** What reads each wire type that is no length. */
const STEPS: Readonly<Record<number, string>> = {
  [WIRE.varint]: "varint",
  [WIRE.fixed32]: "fixed32",
  [WIRE.fixed64]: "fixed64",
};

/** The value of what was read; of other types it is a signed integer of 32 bits. */
const NUMBERS: Partial<Record<Scalar, string>> = {
  bool: "(input.low | input.high) !== 0",
  uint8: "input.low",
  uint16: "input.low",
  uint32: "input.low",
  fixed32: "input.low",
  sint32: "(input.low >>> 1) ^ -(input.low & 1)",
  float: "float(input)",
  double: "double(input)",
  int64: "(input.high | 0) * 4294967296 + input.low",
  sfixed64: "(input.high | 0) * 4294967296 + input.low",
  uint64: "input.high * 4294967296 + input.low",
  fixed64: "input.high * 4294967296 + input.low",
  sint64: "(n = input.high * 2147483648 + (input.low >>> 1), (input.low & 1) === 0 ? n : -n - 1)",
};

/** The same of 64-bit integers that are bigints; of other types it is a signed one. */
const BIGINTS: Partial<Record<Scalar, string>> = {
  uint64: "unsigned(input)",
  fixed64: "unsigned(input)",
  sint64: "(n = unsigned(input), (n >> 1n) ^ -(n & 1n))",
};

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

/** Whether an object may be without the field. */
function hasPresence({ repetition }: Field): boolean {
  return repetition.kind === "one" && repetition.presence === "optional";
}

function startOf({ repetition }: Field): string {
  if (repetition.kind === "one") return "undefined";
  return repetition.kind === "list" ? "[]" : "{}";
}

function wireOf(type: FieldType): number {
  if (type.kind === "message") return WIRE.delimited;
  return type.kind === "enum" ? WIRE.varint : WIRE_TYPES[type.scalar];
}

/** What a field is that is not written. */
function zero(type: FieldType, int64: Int64Mode): string {
  if (type.kind !== "scalar") return "0";
  const { scalar } = type;
  if (scalar === "bool") return "false";
  if (scalar === "string") return '""';
  if (scalar === "bytes") return "new Uint8Array(0)";
  return is64Bit(scalar) && int64 === "bigint" ? "0n" : "0";
}

/** Steps over a field, and over what is nested in it. */
function skip(input: ProtobufInput, tag: number, end: number): void {
  if ((tag & 7) !== WIRE.startGroup) {
    input.step(tag & 7, end);
    return;
  }
  for (let inner = input.tag(end); (inner & 7) !== WIRE.endGroup; inner = input.tag(end))
    skip(input, inner, end);
}

/** Text of more bytes than these Node makes in one piece; each part would keep its own. */
const ONE_PIECE = 8;

function text(input: ProtobufInput, end: number): string {
  const stop = input.delimited(end);
  const { bytes, at } = input;
  input.at = stop;
  const short = stop - at <= ONE_PIECE ? readShortText(bytes, at, stop - at) : undefined;
  return short ?? (readUtf8(bytes, at, stop) as string);
}

function bytes(input: ProtobufInput, end: number): Uint8Array {
  const stop = input.delimited(end);
  const read = new Uint8Array(input.bytes.subarray(input.at, stop));
  input.at = stop;
  return read;
}

/** The 64 bits that were read last, through which they become other types. */
const word = new DataView(new ArrayBuffer(8));

function float({ low }: ProtobufInput): number {
  word.setUint32(0, low);
  return word.getFloat32(0);
}

function double({ low, high }: ProtobufInput): number {
  word.setUint32(0, high);
  word.setUint32(4, low);
  return word.getFloat64(0);
}

function signed({ low, high }: ProtobufInput): bigint {
  word.setUint32(0, high);
  word.setUint32(4, low);
  return word.getBigInt64(0);
}

function unsigned({ low, high }: ProtobufInput): bigint {
  word.setUint32(0, high);
  word.setUint32(4, low);
  return word.getBigUint64(0);
}

/** Messages of a schema as protobuf bytes and back, for `google.protobuf.Any`, which holds its message encoded. */
import { ProtobufInput, WIRE } from "../../formats/protobuf-verifier/input.ts";
import { WIRE_TYPES } from "../../formats/protobuf-verifier/numbers.ts";
import { DecodeError, ValueError } from "../../model/errors.ts";
import { setOwn } from "../../model/generated-code.ts";
import {
  type Field,
  type FieldType,
  type MessageType,
  messageOf,
  type Scalar,
  type Schema,
} from "../../model/schema.ts";
import type { RecordValue, Value } from "../../model/value.ts";
import { isGroup, isImplicit, isPackable, isPacked, oneofOf } from "../layout/protobuf.ts";
import { MAX_DEPTH } from "./depth.ts";
import { numberIn } from "./protobuf-number.ts";

/** A canonical value as bytes, fields in the order of their numbers, and map entries in that of the value. */
export function encodeMessage(schema: Schema, type: MessageType, value: RecordValue): Uint8Array {
  const fields = [...type.fields].sort((a, b) => a.number - b.number);
  return Buffer.concat(
    fields.flatMap((field) => {
      const held = Object.hasOwn(value, field.name) ? value[field.name] : undefined;
      return held === undefined ? [] : fieldParts(schema, field, held);
    }),
  );
}

type Parts = readonly Uint8Array[];

function fieldParts(schema: Schema, field: Field, held: Value): Parts {
  const { number, type, repetition } = field;
  if (repetition.kind === "map") {
    const key: Field = { ...ENTRY_KEY, type: { kind: "scalar", scalar: repetition.key } };
    const value: Field = { ...ENTRY_VALUE, type };
    return Object.entries(held as RecordValue).flatMap(([name, item]) => [
      tagBytes(number, WIRE.delimited),
      ...delimited([...oneParts(schema, key, keyOf(repetition.key, name)), ...oneParts(schema, value, item)]),
    ]);
  }
  if (repetition.kind === "one")
    return isImplicit(field) && isZero(held) ? [] : oneParts(schema, field, held);
  const items = held as readonly Value[];
  if (!isPacked(field)) return items.flatMap((item) => oneParts(schema, field, item));
  if (items.length === 0) return [];
  const scalar = scalarOf(type);
  return [tagBytes(number, WIRE.delimited), ...delimited(items.flatMap((item) => scalarParts(scalar, item)))];
}

function oneParts(schema: Schema, field: Field, value: Value): Parts {
  const { number, type } = field;
  if (type.kind !== "message") {
    const scalar = scalarOf(type);
    return [tagBytes(number, WIRE_TYPES[scalar]), ...scalarParts(scalar, value)];
  }
  const bytes = encodeMessage(schema, messageOf(schema, type.name), value as RecordValue);
  return isGroup(field)
    ? [tagBytes(number, WIRE.startGroup), bytes, tagBytes(number, WIRE.endGroup)]
    : [tagBytes(number, WIRE.delimited), ...delimited([bytes])];
}

function delimited(parts: Parts): Parts {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return [varint(BigInt(length)), ...parts];
}

function scalarParts(scalar: Scalar, value: Value): Parts {
  switch (scalar) {
    case "string":
      return delimited([Buffer.from(value as string)]);
    case "bytes":
      return delimited([value as Uint8Array]);
    case "bool":
      return [varint(value === true ? 1n : 0n)];
    case "float":
    case "double": {
      const view = new DataView(new ArrayBuffer(scalar === "float" ? 4 : 8));
      if (scalar === "float") view.setFloat32(0, value as number, true);
      else view.setFloat64(0, value as number, true);
      return [new Uint8Array(view.buffer)];
    }
    default:
      return [integerBytes(scalar, BigInt(value as number | bigint))];
  }
}

function integerBytes(scalar: Scalar, value: bigint): Uint8Array {
  const wire = WIRE_TYPES[scalar];
  if (wire === WIRE.varint) {
    const isZigzag = scalar === "sint32" || scalar === "sint64";
    return varint(BigInt.asUintN(64, isZigzag ? (value << 1n) ^ (value >> 63n) : value));
  }
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value));
  return bytes.subarray(0, wire === WIRE.fixed32 ? 4 : 8);
}

function tagBytes(number: number, wire: number): Uint8Array {
  return varint((BigInt(number) << 3n) | BigInt(wire));
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

function isZero(held: Value): boolean {
  if (held instanceof Uint8Array) return held.length === 0;
  return Object.is(held, 0) || held === 0n || held === false || held === "";
}

/** The key of a map as a value of its type. */
function keyOf(scalar: Scalar, key: string): Value {
  if (scalar === "string") return key;
  return scalar === "bool" ? key === "true" : BigInt(key);
}

/** An enum is an int32 on the wire. */
function scalarOf(type: FieldType): Scalar {
  return type.kind === "scalar" ? type.scalar : "int32";
}

const OPTIONAL = { kind: "one", presence: "optional" } as const;
const ENTRY_KEY = { name: "key", number: 1, repetition: OPTIONAL };
const ENTRY_VALUE = { name: "value", number: 2, repetition: OPTIONAL };

/**
 * The fields that are in some bytes, with bigints for 64-bit integers. Throws ValueError without a path where they are not
 * of the schema: it does for a field that the schema lacks too.
 */
export function decodeMessage(schema: Schema, type: MessageType, bytes: Uint8Array): RecordValue {
  try {
    return new MessageReader(schema, bytes).fields(type, bytes.length, 1);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw new ValueError("", `no ${type.name}: ${error.message}`);
  }
}

class MessageReader {
  readonly #schema: Schema;
  readonly #input: ProtobufInput;

  constructor(schema: Schema, bytes: Uint8Array) {
    this.#schema = schema;
    this.#input = new ProtobufInput(bytes);
  }

  /** @param group number of the field whose group these are the fields of */
  fields(type: MessageType, end: number, depth: number, group?: number): RecordValue {
    const input = this.#input;
    if (depth > MAX_DEPTH) throw new ValueError("", `nested deeper than ${MAX_DEPTH} messages`);
    const fields = new Map(type.fields.map((field) => [field.number, field]));
    const result: Record<string, Value> = {};
    while (group !== undefined || input.at < end) {
      const tag = input.tag(end);
      const [number, wire, at] = [tag >>> 3, tag & 7, input.tagAt];
      if (group === number && wire === WIRE.endGroup) break;
      const field = fields.get(number);
      if (field === undefined) throw new ValueError("", `${type.name} has no field ${number}`);
      this.#field(field, wire, at, result, end, depth);
      const others = type.fields.filter((other) => other !== field && oneofOf(other) !== undefined);
      for (const other of others) if (oneofOf(other) === oneofOf(field)) delete result[other.name];
    }
    return result;
  }

  #field(
    field: Field,
    wire: number,
    at: number,
    result: Record<string, Value>,
    end: number,
    depth: number,
  ): void {
    const { name, type, repetition } = field;
    const input = this.#input;
    const held = Object.hasOwn(result, name) ? result[name] : undefined;
    if (repetition.kind === "one") {
      setOwn(result, name, this.#one(field, wire, at, end, depth, held));
    } else if (repetition.kind === "map") {
      const key: Field = { ...ENTRY_KEY, type: { kind: "scalar", scalar: repetition.key } };
      const entryType = { name: "map entry", fields: [key, { ...ENTRY_VALUE, type }] };
      if (wire !== WIRE.delimited) input.fail(`${name}: wire type ${wire}`, at);
      const entry = this.fields(entryType, input.delimited(end), depth + 1);
      const entries = (held ?? {}) as Record<string, Value>;
      const item = entry["value"] ?? zeroOf(type);
      setOwn(entries, String(entry["key"] ?? zeroOf(key.type)), item);
      setOwn(result, name, entries);
    } else {
      const items = (held ?? []) as Value[];
      setOwn(result, name, items);
      if (wire === WIRE.delimited && isPackable(type)) {
        const last = input.delimited(end);
        while (input.at < last) items.push(this.#scalar(scalarOf(type), last));
      } else items.push(this.#one(field, wire, at, end, depth));
    }
  }

  /** @param held the message that stood there before: what follows is added to it */
  #one(field: Field, wire: number, at: number, end: number, depth: number, held?: Value): Value {
    const { name, number, type } = field;
    const input = this.#input;
    if (type.kind === "message") {
      const message = messageOf(this.#schema, type.name);
      const isStart = wire === WIRE.startGroup;
      if (!isStart && wire !== WIRE.delimited) input.fail(`${name}: wire type ${wire}`, at);
      const read = isStart
        ? this.fields(message, end, depth + 1, number)
        : this.fields(message, input.delimited(end), depth + 1);
      return held === undefined ? read : merged(held as RecordValue, read);
    }
    const scalar = scalarOf(type);
    if (wire !== WIRE_TYPES[scalar]) input.fail(`${name}: wire type ${wire}`, at);
    return this.#scalar(scalar, end);
  }

  #scalar(scalar: Scalar, end: number): Value {
    const input = this.#input;
    const wire = WIRE_TYPES[scalar];
    if (wire === WIRE.delimited) {
      const last = input.delimited(end);
      const bytes = new Uint8Array(input.bytes.subarray(input.at, last));
      input.at = last;
      return scalar === "bytes" ? bytes : textOf(bytes);
    }
    if (wire === WIRE.varint) input.varint(end);
    else if (wire === WIRE.fixed32) input.fixed32(end);
    else input.fixed64(end);
    return numberIn(input, scalar);
  }
}

/** One message of two that stand for one field. */
function merged(first: RecordValue, second: RecordValue): RecordValue {
  const result: Record<string, Value> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    const before = Object.hasOwn(result, name) ? result[name] : undefined;
    const areLists = Array.isArray(before) && Array.isArray(value);
    setOwn(result, name, areLists ? [...before, ...value] : value);
  }
  return result;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ValueError("", "not valid UTF-8, and a string is");
  }
}

/** What the key or the value of a map's entry is without one. */
function zeroOf(type: FieldType): Value {
  if (type.kind === "message") return {};
  const scalar = scalarOf(type);
  if (scalar === "string") return "";
  if (scalar === "bytes") return new Uint8Array(0);
  return scalar === "bool" ? false : 0;
}

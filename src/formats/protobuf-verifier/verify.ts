import { isUtf8 } from "node:buffer";
import { checkEnum, checkNumber, ProtobufInput, type Tag, WIRE, WIRE_TYPES } from "./input.ts";
import type { FieldShape, MessageShape, TypeShape } from "./shape.ts";

/** What to allow. */
export interface ProtobufOptions {
  /** Deepest nesting of messages; 100 by default, as in protobuf's own libraries (protobuf.dev, "Proto Limits"). */
  readonly depth?: number;
  /** `refuse`, the default: they would be lost to a program that reads by this shape. */
  readonly unknownFields?: "refuse" | "skip";
  /** `safe` refuses 64-bit integers that a JavaScript number would round; `any` is the default. */
  readonly integers?: "any" | "safe";
  /**
   * Most values that a reader makes, which counts every field of a message, there or not, and every element;
   * unbounded by default. A message without fields is two bytes.
   */
  readonly values?: number;
}

/** A field of the bytes that the shape does not have. */
export interface UnknownField {
  /** Name of the message that it stands in. */
  readonly message: string;
  readonly number: number;
  /** Byte offset of its tag. */
  readonly offset: number;
}

/**
 * Checks that bytes are a protobuf message of a shape, whole and with nothing in them that a reader would drop,
 * cut off or take for something else. Throws DecodeError with the offset and the field.
 *
 * Accepted as every protobuf reader must (encoding guide): fields in any order, padded varints, repeated
 * numbers packed or not, and a field or oneof given again: the last one counts, and messages of several are
 * merged. Refused although readers take them: numbers outside their type, which would be truncated; strings
 * that are not UTF-8, also of proto2; unknown numbers of a closed enum; known fields of another wire type; and
 * a required field that is missing from one of several messages that would be merged.
 *
 * @returns the unknown fields that were skipped, in the order of the bytes
 */
export function verifyProtobuf(
  bytes: Uint8Array,
  shape: MessageShape,
  options: ProtobufOptions = {},
): readonly UnknownField[] {
  const walk = new ProtobufWalk(new ProtobufInput(bytes), options);
  walk.message(shape, bytes.length, 1);
  return walk.unknown;
}

/** One pass over the bytes of a message. It makes no value, and recurses no deeper than its limit. */
export class ProtobufWalk {
  /** Fields skipped so far. */
  readonly unknown: UnknownField[] = [];
  readonly #input: ProtobufInput;
  readonly #depth: number;
  readonly #skip: boolean;
  readonly #safe: boolean;
  #values: number;
  readonly #required = new Map<MessageShape, readonly FieldShape[]>();

  constructor(input: ProtobufInput, options: ProtobufOptions = {}) {
    const {
      depth = 100,
      unknownFields = "refuse",
      integers = "any",
      values = Number.POSITIVE_INFINITY,
    } = options;
    this.#input = input;
    this.#depth = depth;
    this.#skip = unknownFields === "skip";
    this.#safe = integers === "safe";
    this.#values = values;
  }

  /**
   * Walks the fields of a message up to `end`, or up to its end tag where it is a group.
   * @param group its field number as a group, else 0
   */
  message(shape: MessageShape, end: number, depth: number, group = 0): void {
    const input = this.#input;
    const start = input.at;
    this.#checkDepth(depth);
    this.#spend(1 + shape.fields.size, start);
    const required = this.#requiredOf(shape);
    const seen = new Set<FieldShape>();
    const counts = new Map<FieldShape, number>();
    while (group !== 0 || input.at < end) {
      const tag = input.tag(end);
      if (tag.wire === WIRE.endGroup && group !== 0 && tag.number === group) break;
      const field = shape.fields.get(tag.number);
      if (field === undefined) {
        this.#unknownField(shape, tag, end, depth);
        continue;
      }
      input.path.push(field.name);
      if (field.repeated) {
        counts.set(field, this.#list(field.type, tag, end, depth, counts.get(field) ?? 0));
      } else {
        this.#checkWire(field.type, tag);
        this.#value(field.type, tag.number, end, depth);
      }
      input.path.pop();
      if (required.length > 0) seen.add(field);
    }
    const missing = required.find((field) => !seen.has(field));
    if (missing !== undefined) {
      input.fail(`${shape.name} lacks its required field ${missing.name}`, start);
    }
  }

  #spend(values: number, at: number): void {
    this.#values -= values;
    if (this.#values < 0) this.#input.fail("more values than are allowed", at, "limit");
  }

  /** One more element of a list, or several packed ones; returns how many there are now. */
  #list(type: TypeShape, tag: Tag, end: number, depth: number, count: number): number {
    const input = this.#input;
    if (tag.wire !== WIRE.delimited || !isPackable(type)) {
      input.path.push(count);
      this.#checkWire(type, tag);
      this.#value(type, tag.number, end, depth);
      input.path.pop();
      return count + 1;
    }
    const stop = input.delimited(end);
    let total = count;
    for (; input.at < stop; total++) {
      this.#spend(1, input.at);
      input.path.push(total);
      this.#value(type, tag.number, stop, depth);
      input.path.pop();
    }
    return total;
  }

  #value(type: TypeShape, number: number, end: number, depth: number): void {
    const input = this.#input;
    const start = input.at;
    if (type.kind === "message") {
      const inner = type.shape.entry === true ? depth : depth + 1;
      if (type.group) this.message(type.shape, end, inner, number);
      else this.message(type.shape, input.delimited(end), inner);
    } else if (type.kind === "enum") {
      input.varint(end);
      checkEnum(input, type.numbers, start);
    } else if (type.scalar === "string") {
      const stop = input.delimited(end);
      if (!isUtf8(input.bytes.subarray(input.at, stop))) input.fail("text is not valid UTF-8", start);
      input.at = stop;
    } else {
      this.#step(WIRE_TYPES[type.scalar], end);
      if (type.scalar !== "bytes") {
        checkNumber(input, type.scalar, start, this.#safe && type.key !== true);
      }
    }
  }

  /** Steps over a value by its wire type alone. */
  #step(wire: number, end: number): void {
    const input = this.#input;
    if (wire === WIRE.varint) input.varint(end);
    else if (wire === WIRE.fixed32) input.fixed32(end);
    else if (wire === WIRE.fixed64) input.fixed64(end);
    else input.at = input.delimited(end);
  }

  /** Steps over a field that the shape does not have, and over what is nested in it. */
  #unknownField(shape: MessageShape, tag: Tag, end: number, depth: number): void {
    const { number, at } = tag;
    this.#checkUnknown(tag);
    if (!this.#skip) {
      this.#input.fail(`${shape.name} has no field ${number}, its data would be lost`, at, "unsupported");
    }
    this.unknown.push({ message: shape.name, number, offset: at });
    this.#skipField(tag, end, depth);
  }

  #skipField({ number: group, wire }: Tag, end: number, depth: number): void {
    if (wire !== WIRE.startGroup) {
      this.#step(wire, end);
      return;
    }
    this.#checkDepth(depth + 1);
    for (;;) {
      const tag = this.#input.tag(end);
      if (tag.wire === WIRE.endGroup && tag.number === group) return;
      this.#checkUnknown(tag);
      this.#skipField(tag, end, depth + 1);
    }
  }

  /** Refuses what cannot be a field of any message. */
  #checkUnknown({ number, wire, at }: Tag): void {
    if (number === 0) this.#input.fail("field number 0 is not allowed", at);
    if (wire === WIRE.endGroup) this.#input.fail(`end of group ${number} without its start`, at);
    if (wire > WIRE.fixed32) this.#input.fail(`there is no wire type ${wire}`, at);
  }

  #checkDepth(depth: number): void {
    if (depth <= this.#depth) return;
    this.#input.fail(`nested deeper than ${this.#depth} messages`, this.#input.at, "limit");
  }

  #checkWire(type: TypeShape, { wire, at }: Tag): void {
    const expected = wireTypeOf(type);
    if (wire !== expected) this.#input.fail(`wire type is wrong, expected ${expected}, got ${wire}`, at);
  }

  #requiredOf(shape: MessageShape): readonly FieldShape[] {
    const known = this.#required.get(shape);
    if (known !== undefined) return known;
    const required = [...shape.fields.values()].filter(
      (field) => field.required || (shape.entry === true && cannotBeEmpty(field.type)),
    );
    this.#required.set(shape, required);
    return required;
  }
}

/** Whether the empty message that a reader puts in the place of a missing one would be malformed. */
function cannotBeEmpty(type: TypeShape): boolean {
  return type.kind === "message" && [...type.shape.fields.values()].some((field) => field.required);
}

function isPackable(type: TypeShape): boolean {
  return type.kind !== "message" && wireTypeOf(type) !== WIRE.delimited;
}

function wireTypeOf(type: TypeShape): number {
  if (type.kind === "message") return type.group ? WIRE.startGroup : WIRE.delimited;
  return type.kind === "enum" ? WIRE.varint : WIRE_TYPES[type.scalar];
}

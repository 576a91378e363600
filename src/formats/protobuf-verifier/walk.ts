import { isUtf8 } from "node:buffer";
import { Cursor, type Tag, WIRE } from "./cursor.ts";
import type { ProtobufOptions, UnknownField } from "./options.ts";
import { checkEnum, checkNumber, WIRE_TYPES } from "./scalar.ts";
import type { FieldShape, MessageShape, TypeShape } from "./shape.ts";

/** One pass over the bytes of a message. It makes no value, and recurses no deeper than its limit. */
export class Walk {
  /** Fields skipped so far. */
  readonly unknown: UnknownField[] = [];
  readonly #cursor: Cursor;
  readonly #depth: number;
  readonly #skip: boolean;
  readonly #safe: boolean;
  #values: number;
  readonly #required = new Map<MessageShape, readonly FieldShape[]>();

  constructor(bytes: Uint8Array, options: ProtobufOptions) {
    const {
      depth = 100,
      unknownFields = "refuse",
      integers = "any",
      values = Number.POSITIVE_INFINITY,
    } = options;
    this.#cursor = new Cursor(bytes);
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
    const cursor = this.#cursor;
    const start = cursor.at;
    this.#checkDepth(depth);
    this.#spend(1 + shape.fields.size, start);
    const required = this.#requiredOf(shape);
    const seen = new Set<FieldShape>();
    const counts = new Map<FieldShape, number>();
    while (group !== 0 || cursor.at < end) {
      const tag = cursor.tag(end);
      if (tag.wire === WIRE.endGroup && group !== 0 && tag.number === group) break;
      const field = shape.fields.get(tag.number);
      if (field === undefined) {
        this.#unknownField(shape, tag, end, depth);
        continue;
      }
      cursor.path.push(field.name);
      if (field.repeated) {
        counts.set(field, this.#list(field.type, tag, end, depth, counts.get(field) ?? 0));
      } else {
        this.#checkWire(field.type, tag);
        this.#value(field.type, tag.number, end, depth);
      }
      cursor.path.pop();
      if (required.length > 0) seen.add(field);
    }
    const missing = required.find((field) => !seen.has(field));
    if (missing !== undefined) {
      cursor.fail(`${shape.name} lacks its required field ${missing.name}`, start);
    }
  }

  #spend(values: number, at: number): void {
    this.#values -= values;
    if (this.#values < 0) this.#cursor.fail("more values than are allowed", at, "limit");
  }

  /** One more element of a list, or several packed ones; returns how many there are now. */
  #list(type: TypeShape, tag: Tag, end: number, depth: number, count: number): number {
    const cursor = this.#cursor;
    if (tag.wire !== WIRE.delimited || !isPackable(type)) {
      cursor.path.push(count);
      this.#checkWire(type, tag);
      this.#value(type, tag.number, end, depth);
      cursor.path.pop();
      return count + 1;
    }
    const stop = cursor.delimited(end);
    let total = count;
    for (; cursor.at < stop; total++) {
      this.#spend(1, cursor.at);
      cursor.path.push(total);
      this.#value(type, tag.number, stop, depth);
      cursor.path.pop();
    }
    return total;
  }

  #value(type: TypeShape, number: number, end: number, depth: number): void {
    const cursor = this.#cursor;
    const start = cursor.at;
    if (type.kind === "message") {
      const inner = type.shape.entry === true ? depth : depth + 1;
      if (type.group) this.message(type.shape, end, inner, number);
      else this.message(type.shape, cursor.delimited(end), inner);
    } else if (type.kind === "enum") {
      cursor.varint(end);
      checkEnum(cursor, type.numbers, start);
    } else if (type.scalar === "string") {
      const stop = cursor.delimited(end);
      if (!isUtf8(cursor.bytes.subarray(cursor.at, stop))) cursor.fail("text is not valid UTF-8", start);
      cursor.at = stop;
    } else {
      this.#step(WIRE_TYPES[type.scalar], end);
      if (type.scalar !== "bytes") {
        checkNumber(cursor, type.scalar, start, this.#safe && type.key !== true);
      }
    }
  }

  /** Steps over a value by its wire type alone. */
  #step(wire: number, end: number): void {
    const cursor = this.#cursor;
    if (wire === WIRE.varint) cursor.varint(end);
    else if (wire === WIRE.fixed32) cursor.fixed32(end);
    else if (wire === WIRE.fixed64) cursor.fixed64(end);
    else cursor.at = cursor.delimited(end);
  }

  /** Steps over a field that the shape does not have, and over what is nested in it. */
  #unknownField(shape: MessageShape, tag: Tag, end: number, depth: number): void {
    const { number, at } = tag;
    this.#checkUnknown(tag);
    if (!this.#skip) {
      this.#cursor.fail(`${shape.name} has no field ${number}, its data would be lost`, at, "unsupported");
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
      const tag = this.#cursor.tag(end);
      if (tag.wire === WIRE.endGroup && tag.number === group) return;
      this.#checkUnknown(tag);
      this.#skipField(tag, end, depth + 1);
    }
  }

  /** Refuses what cannot be a field of any message. */
  #checkUnknown({ number, wire, at }: Tag): void {
    if (number === 0) this.#cursor.fail("field number 0 is not allowed", at);
    if (wire === WIRE.endGroup) this.#cursor.fail(`end of group ${number} without its start`, at);
    if (wire > WIRE.fixed32) this.#cursor.fail(`there is no wire type ${wire}`, at);
  }

  #checkDepth(depth: number): void {
    if (depth <= this.#depth) return;
    this.#cursor.fail(`nested deeper than ${this.#depth} messages`, this.#cursor.at, "limit");
  }

  #checkWire(type: TypeShape, { wire, at }: Tag): void {
    const expected = wireTypeOf(type);
    if (wire !== expected) this.#cursor.fail(`wire type is wrong, expected ${expected}, got ${wire}`, at);
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

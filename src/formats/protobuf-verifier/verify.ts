import { isUtf8 } from "node:buffer";
import { defined } from "../../model/defined.ts";
import { DecodeError } from "../../model/errors.ts";
import type { Scalar } from "../../model/schema.ts";
import { MOST_KINDS, type UnknownField, UnknownFields } from "../../model/unknown-field.ts";
import { ProtobufInput, WIRE } from "./input.ts";
import { checkWidth, decimal, isSafe } from "./numbers.ts";
import { type FieldPlan, type MessagePlan, planOf } from "./plan.ts";
import type { MessageShape } from "./shape.ts";

/** What to allow. */
export interface ProtobufOptions {
  /** Deepest nesting of messages; 100 by default, as in protobuf's own libraries (protobuf.dev, "Proto Limits"). */
  readonly depth?: number;
  /**
   * What a reader leaves out that knows this shape only: fields that the shape lacks, known ones of another wire type,
   * and numbers that a closed enum lacks. `refuse`, the default: they would be lost to it.
   */
  readonly unknownFields?: "refuse" | "skip";
  /** `safe` refuses 64-bit integers that a JavaScript number would round; `any` is the default. */
  readonly integers?: "any" | "safe";
  /**
   * Refuses what a reader without rules of its own takes for something else: a message that is given twice where there
   * is one, which protobuf merges; a map's key `__proto__`, or one beyond 2^53; text of 12 bytes and more that starts with a
   * byte order mark, which a TextDecoder drops. False by default.
   */
  readonly plainReader?: boolean;
  /** Refuses a varint that is wider than its type. By default it is one, whose bits beyond the type readers cut off. */
  readonly strict?: boolean;
  /**
   * Most values that a reader makes, which counts every field of a message, there or not, and every element;
   * unbounded by default. A message without fields is two bytes.
   */
  readonly values?: number;
}

/** What is known of bytes that are a message. */
export interface ProtobufReport {
  /** What was skipped, each kind once, in the order of the bytes. */
  readonly unknown: readonly UnknownField[];
  /** Whether JavaScript numbers hold all 64-bit integers, keys of maps aside. */
  readonly safe: boolean;
  /** Fields that the shape has, as often as they were met. */
  readonly known: number;
}

/**
 * Checks that bytes are a protobuf message of a shape, whole and with nothing in them that a reader would drop or take
 * for something else. Throws DecodeError with the offset and the field.
 *
 * Accepted as every protobuf reader must (encoding guide): fields in any order, padded varints, those that are wider
 * than their type, repeated numbers packed or not, and a field or oneof given again: the last one counts, and messages
 * of several are merged. Refused although readers take them: strings that are not UTF-8, also of proto2; a required
 * field that is missing from one of several messages that would be merged; an entry of a map without its value, where
 * that can be neither 0 nor empty; and by default all that `unknownFields` may skip.
 */
export function verifyProtobuf(
  bytes: Uint8Array,
  shape: MessageShape,
  options: ProtobufOptions = {},
): ProtobufReport {
  const walk = new ProtobufWalk(new ProtobufInput(bytes), options);
  try {
    walk.message(shape, bytes.length, 1);
    return { unknown: walk.unknown.all(), safe: walk.safe, known: walk.known };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    // Once more, to say where. To keep track of the place takes as long as all else.
    new ProtobufWalk(new ProtobufInput(bytes), options, true).message(shape, bytes.length, 1);
    throw error;
  }
}

/** One pass over the bytes of a message. It makes no value, and recurses no deeper than its limit. */
export class ProtobufWalk {
  readonly unknown = new UnknownFields();
  /** Whether JavaScript numbers hold all 64-bit integers so far. */
  safe = true;
  /** Fields that the shape has, as often as they were met. */
  known = 0;
  readonly #input: ProtobufInput;
  readonly #depth: number;
  readonly #skip: boolean;
  readonly #refuseUnsafe: boolean;
  readonly #strict: boolean;
  readonly #plainReader: boolean;
  readonly #most: number;
  readonly #traces: boolean;
  #values = 0;
  /** What the key was of the entry of a map that was walked last. */
  #key: number = KEY.other;

  /** @param traces whether errors have the path of the field */
  constructor(input: ProtobufInput, options: ProtobufOptions = {}, traces = false) {
    const { depth = 100, unknownFields, integers, strict = false, values } = options;
    this.#input = input;
    this.#depth = depth;
    this.#skip = unknownFields === "skip";
    this.#refuseUnsafe = integers === "safe";
    this.#strict = strict;
    this.#plainReader = options.plainReader === true;
    input.strict = strict;
    this.#most = values ?? Number.POSITIVE_INFINITY;
    this.#traces = traces;
  }

  /**
   * Walks the fields of a message up to `end`, or up to its end tag where it is a group.
   * @param group its field number as a group, else 0
   */
  message(shape: MessageShape, end: number, depth: number, group = 0): void {
    this.#message(planOf(shape), end, depth, group);
  }

  #message(plan: MessagePlan, end: number, depth: number, group: number): void {
    const input = this.#input;
    const start = input.at;
    this.#checkDepth(depth);
    this.#spend(1 + plan.fields.size, start);
    const { required } = plan;
    const counts = this.#traces ? new Map<FieldPlan, number>() : undefined;
    // Made where they are of use: messages may be many, and empty.
    let seen: Set<FieldPlan> | undefined;
    let met: Set<FieldPlan> | undefined;
    let zeros: Map<FieldPlan, number> | undefined;
    let key: number = KEY.none;
    while (group !== 0 || input.at < end) {
      const tag = input.tag(end);
      const { tagAt } = input;
      if (group !== 0 && tag === groupEnd(group)) break;
      const field = plan.fields.get(tag >>> 3);
      if (field === undefined) this.#unknownField(plan.shape, tag, end, depth);
      else {
        if (counts !== undefined) this.#enter(field, counts);
        if (this.#plainReader && field.message !== undefined && !field.repeated) {
          if (met?.has(field) === true)
            input.fail("a message that is there twice would be merged", tagAt, "unsupported");
          met ??= new Set();
          met.add(field);
        }
        if (this.#field(plan, field, tag, end, depth)) {
          this.known += 1;
          if (required.length > 0) {
            seen ??= new Set();
            seen.add(field);
          }
          if (plan.entry && tag >>> 3 === 1) key = (input.low | input.high) === 0 ? KEY.zero : KEY.other;
          if (field.tellsZero && this.#key !== KEY.other) {
            zeros ??= new Map();
            zeros.set(field, (zeros.get(field) ?? 0) | this.#key);
            if (zeros.get(field) === (KEY.zero | KEY.none))
              input.fail("the key 0 is there twice, once left out", tagAt);
          }
        }
        if (counts !== undefined) this.#leave(field, counts);
      }
    }
    this.#key = key;
    const missing = required.find((field) => seen?.has(field) !== true);
    if (missing !== undefined) {
      input.fail(`${plan.shape.name} lacks its required field ${missing.shape.name}`, start);
    }
  }

  #enter(field: FieldPlan, counts: ReadonlyMap<FieldPlan, number>): void {
    this.#input.path.push(field.shape.name);
    if (field.repeated) this.#input.path.push(counts.get(field) ?? 0);
  }

  #leave(field: FieldPlan, counts: Map<FieldPlan, number>): void {
    if (field.repeated) counts.set(field, (this.#input.path.pop() as number) + 1);
    this.#input.path.pop();
  }

  /** In a list, steps from one packed element to the next. */
  #next(by: 1 | -1): void {
    if (this.#traces) this.#input.path.push((this.#input.path.pop() as number) + by);
  }

  #spend(values: number, at: number): void {
    this.#values += values;
    if (this.#values <= this.#most) return;
    this.#input.fail(`more than ${this.#most} values, which --max-values raises`, at, "limit");
  }

  /** One field; of a list one element, or several packed ones. Whether a reader has it then. */
  #field(plan: MessagePlan, field: FieldPlan, tag: number, end: number, depth: number): boolean {
    const wire = tag & 7;
    if (wire === field.wire) {
      if (field.repeated) this.#spend(1, this.#input.tagAt);
      return this.#value(plan, field, tag, end, depth);
    }
    if (wire === WIRE.delimited && field.packable) {
      this.#packed(plan, field, tag, end, depth);
      return true;
    }
    const { tagAt } = this.#input;
    if (!this.#skip) this.#input.fail(`wire type is wrong, expected ${field.wire}, got ${wire}`, tagAt);
    this.#leaveOut(plan.shape, tag, end, depth, field.shape.name);
    return false;
  }

  #packed(plan: MessagePlan, field: FieldPlan, tag: number, end: number, depth: number): void {
    const input = this.#input;
    const stop = input.delimited(end);
    let count = 0;
    for (; input.at < stop; count++) {
      this.#value(plan, field, tag, stop, depth);
      this.#next(1);
    }
    // Within a list the limit is only met by its bytes, which are there.
    this.#spend(count, stop);
    this.#next(-1);
  }

  /** A value of the field's type, after its tag. Whether a reader has it then. */
  #value(plan: MessagePlan, field: FieldPlan, tag: number, end: number, depth: number): boolean {
    const input = this.#input;
    const { message, scalar } = field;
    if (message !== undefined) {
      const inner = message.entry ? depth : depth + 1;
      if (field.wire === WIRE.startGroup) this.#message(message, end, inner, tag >>> 3);
      else this.#message(message, input.delimited(end), inner, 0);
      return true;
    }
    const start = input.at;
    if (scalar !== undefined) {
      this.#scalar(field, scalar, start, end);
      return true;
    }
    input.varint(end);
    checkWidth(input, "int32", start, this.#strict);
    if (field.numbers === undefined || field.numbers.has(input.low | 0)) return true;
    if (!this.#skip) input.fail(`the enum has no value ${input.low | 0}`, start);
    this.#note({
      message: plan.shape.name,
      number: tag >>> 3,
      wire: tag & 7,
      what: "enum number",
      field: field.shape.name,
      value: input.low | 0,
      offset: start,
    });
    // Of a map's entry a reader leaves out the whole.
    return plan.entry;
  }

  #scalar(field: FieldPlan, scalar: Scalar, start: number, end: number): void {
    const input = this.#input;
    if (scalar === "string") {
      const stop = input.delimited(end);
      if (this.#plainReader) checkPlainText(input.bytes.subarray(input.at, stop), field.isKey, input, start);
      if (!isText(input.bytes, input.at, stop)) input.fail("text is not valid UTF-8", start);
      input.at = stop;
      return;
    }
    input.step(field.wire, end);
    if (field.wire === WIRE.delimited) return;
    if (field.wire === WIRE.varint && (this.#strict || field.narrow))
      checkWidth(input, scalar, start, this.#strict);
    if (input.high === 0 || (field.isKey && !this.#plainReader) || isSafe(input, scalar)) return;
    this.safe = false;
    if (!this.#refuseUnsafe) return;
    input.fail(`${decimal(input, scalar)} is beyond 2^53, expected a safe integer`, start, "unsupported");
  }

  /** Steps over a field that the shape does not have, and over what is nested in it. */
  #unknownField(shape: MessageShape, tag: number, end: number, depth: number): void {
    const { tagAt } = this.#input;
    this.#checkUnknown(tag);
    if (!this.#skip) {
      const problem = `${shape.name} has no field ${tag >>> 3}, its data would be lost`;
      this.#input.fail(problem, tagAt, "unsupported");
    }
    this.#leaveOut(shape, tag, end, depth);
  }

  /** @param field name of the field that has another wire type, if the shape has one */
  #leaveOut({ name: message }: MessageShape, tag: number, end: number, depth: number, field?: string): void {
    const { tagAt: offset } = this.#input;
    this.#checkUnknown(tag);
    const what = field === undefined ? "field" : "wire type";
    this.#note({ message, number: tag >>> 3, wire: tag & 7, what, ...defined({ field }), offset });
    this.#skipField(tag, end, depth);
  }

  #note(met: Omit<UnknownField, "count">): void {
    if (this.unknown.add(met)) return;
    this.#input.fail(`more than ${MOST_KINDS} kinds of unknown fields`, met.offset, "limit");
  }

  #skipField(tag: number, end: number, depth: number): void {
    if ((tag & 7) !== WIRE.startGroup) {
      this.#input.step(tag & 7, end);
      return;
    }
    this.#checkDepth(depth + 1);
    for (;;) {
      const inner = this.#input.tag(end);
      if (inner === groupEnd(tag >>> 3)) return;
      this.#checkUnknown(inner);
      this.#skipField(inner, end, depth + 1);
    }
  }

  /** Refuses what cannot be a field of any message. */
  #checkUnknown(tag: number): void {
    const { tagAt } = this.#input;
    const [number, wire] = [tag >>> 3, tag & 7];
    if (number === 0) this.#input.fail("field number 0 is not allowed", tagAt);
    if (wire === WIRE.endGroup) this.#input.fail(`end of group ${number} without its start`, tagAt);
    if (wire > WIRE.fixed32) this.#input.fail(`there is no wire type ${wire}`, tagAt);
  }

  #checkDepth(depth: number): void {
    if (depth <= this.#depth) return;
    this.#input.fail(`nested deeper than ${this.#depth} messages`, this.#input.at, "limit");
  }
}

/** The key of a map's entry. */
const KEY = { other: 0, zero: 1, none: 2 } as const;

/** Bytes of the shortest text that plain readers hand to a TextDecoder (pbf 5.1.2). */
const DECODED_TEXT = 12;

/** Refuses text that a plain reader changes, or takes for a prototype. @param key whether it is a map's key */
function checkPlainText(text: Uint8Array, key: boolean, input: ProtobufInput, at: number): void {
  if (text.length >= DECODED_TEXT && text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf)
    input.fail("text starts with a byte order mark, which would be lost", at, "unsupported");
  if (key && text.length === 9 && String.fromCharCode(...text) === "__proto__")
    input.fail('"__proto__" cannot be read as a key', at, "unsupported");
}

/** Bytes of text up to which to look at each takes less time than to make the view that isUtf8 needs. */
const SHORT_TEXT = 64;

/** Whether bytes are UTF-8. Most text is short, and ASCII. */
function isText(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from < SHORT_TEXT) {
    let all = 0;
    for (let at = from; at < to; at++) all |= bytes[at]!;
    if (all < 0x80) return true;
  }
  return isUtf8(bytes.subarray(from, to));
}

/** The tag at the end of a group. */
function groupEnd(number: number): number {
  return ((number << 3) | WIRE.endGroup) >>> 0;
}

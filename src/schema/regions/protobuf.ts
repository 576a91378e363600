import { ProtobufInput, WIRE } from "../../formats/protobuf-verifier/input.ts";
import { WIRE_TYPES } from "../../formats/protobuf-verifier/numbers.ts";
import type { Dataset } from "../../model/dataset.ts";
import { Place } from "../../model/region.ts";
import type { Anatomy } from "../../model/region-table.ts";
import {
  type Field,
  type FieldType,
  type Int64Mode,
  type MessageType,
  messageOf,
  type Schema,
} from "../../model/schema.ts";
import { isGroup, isImplicit, isPackable, oneofOf } from "../layout/protobuf.ts";
import { numberIn } from "../values/protobuf-number.ts";
import { heldAs, zeroOf } from "./leaf-values.ts";
import { type RegionId, RegionList } from "./region-list.ts";

/** Deepest nesting of messages (protobuf.dev, "Proto Limits"). */
const MAX_DEPTH = 100;

const WIRE_NAMES = ["varint", "fixed64", "length-delimited", "start group", "end group", "fixed32"];

/** Takes a protobuf message apart. What is in it twice is merged or replaced, as readers do. */
export function protobufRegions(bytes: Uint8Array, { schema, int64 }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const reader = new Reader(list, schema, int64);
  const root = new Node(messageOf(schema, schema.root), new Place());
  list.attempt(() => reader.message(root, bytes.length, 1));
  list.attempt(() => reader.defaults(root));
  return list.finish(root.place);
}

/** One message of the value, however often it stands in the bytes. */
class Node {
  readonly type: MessageType;
  readonly place: Place;
  readonly byNumber: ReadonlyMap<number, Field>;
  /** Whether it is an entry of a map, whose two fields are at one place. */
  readonly isEntry: boolean;
  /** The fields that are there: single values, single messages, and what holds several. */
  #leaves: Map<Field, RegionId> | undefined;
  #messages: Map<Field, Node> | undefined;
  #several: Map<Field, Several> | undefined;

  constructor(type: MessageType, place: Place, isEntry = false) {
    this.type = type;
    this.place = place;
    this.isEntry = isEntry;
    this.byNumber = fieldsOf(type);
  }

  get leaves(): Map<Field, RegionId> {
    this.#leaves ??= new Map();
    return this.#leaves;
  }

  get messages(): Map<Field, Node> {
    this.#messages ??= new Map();
    return this.#messages;
  }

  get several(): Map<Field, Several> {
    this.#several ??= new Map();
    return this.#several;
  }

  /** The messages in it, in lists and maps too. */
  *inner(): Generator<Node, void> {
    if (this.#messages !== undefined) yield* this.#messages.values();
    for (const { messages } of this.#several?.values() ?? []) yield* messages.values();
  }
}

/** A list or a map. */
interface Several {
  readonly place: Place;
  count: number;
  /** Messages of a list, entries of a map by key. */
  readonly messages: Map<string | number, Node>;
}

const byNumber = new WeakMap<MessageType, ReadonlyMap<number, Field>>();

function fieldsOf(type: MessageType): ReadonlyMap<number, Field> {
  const known = byNumber.get(type);
  if (known !== undefined) return known;
  const fields = new Map(type.fields.map((field) => [field.number, field]));
  byNumber.set(type, fields);
  return fields;
}

class Reader {
  readonly #list: RegionList;
  readonly #schema: Schema;
  readonly #int64: Int64Mode;
  readonly #input: ProtobufInput;
  readonly #entryTypes = new Map<Field, MessageType>();

  constructor(list: RegionList, schema: Schema, int64: Int64Mode) {
    this.#list = list;
    this.#schema = schema;
    this.#int64 = int64;
    this.#input = new ProtobufInput(list.bytes);
  }

  /** Reads fields up to `end`, or up to the end tag of the group of that number. */
  message(node: Node, end: number, depth: number, group = 0): void {
    const input = this.#input;
    if (depth > MAX_DEPTH) input.fail(`nested deeper than ${MAX_DEPTH} messages`, input.at, "limit");
    while (group !== 0 || input.at < end) {
      const start = input.at;
      const tag = input.tag(end);
      const number = tag >>> 3;
      const wire = tag & 7;
      const field = node.byNumber.get(number);
      const ends = wire === WIRE.endGroup && number === group && group !== 0;
      const expected = field === undefined ? undefined : wireOf(field);
      const packed =
        field !== undefined && wire === WIRE.delimited && isList(field) && isPackable(field.type);
      const isKnown = !ends && (wire === expected || packed);
      const place = isKnown ? this.#enter(node, field!, wire !== expected) : node.place;
      const text = tagText(tag);
      const isRead = isKnown || (ends && node.type !== UNKNOWN_GROUP);
      this.#list.add(isRead ? "tag" : "unknown", start, input.at, place, "tag", text);
      if (ends) return;
      if (!isKnown) this.#skip(node.place, tag, end, depth);
      else if (wire !== expected) this.#packed(node, field!, place, end);
      else this.#value(node, field!, place, tag, end, depth);
    }
  }

  /** The place of the field's value that comes next, of which what was there before counts no more. */
  #enter(node: Node, field: Field, packed: boolean): Place {
    const { repetition, name } = field;
    if (repetition.kind !== "one") {
      let several = node.several.get(field);
      if (several === undefined) {
        several = { place: new Place(node.place, "field", name), count: 0, messages: new Map() };
        node.several.set(field, several);
      }
      if (packed) return several.place;
      const index = several.count++;
      return repetition.kind === "map"
        ? new Place(several.place, "entry", "", index)
        : new Place(several.place, "element", index);
    }
    const oneof = oneofOf(field);
    if (oneof !== undefined) this.#dropOthers(node, field, oneof);
    this.#drop(node.leaves.get(field));
    return node.isEntry
      ? node.place
      : (node.messages.get(field)?.place ?? new Place(node.place, "field", name));
  }

  /** Of the members of a oneof the last counts. */
  #dropOthers(node: Node, field: Field, oneof: string): void {
    for (const other of node.type.fields) {
      if (other === field || oneofOf(other) !== oneof) continue;
      this.#drop(node.leaves.get(other));
      node.leaves.delete(other);
      const message = node.messages.get(other);
      if (message !== undefined) this.#list.replace(message.place);
      node.messages.delete(other);
    }
  }

  #drop(region: RegionId | undefined): void {
    if (region !== undefined) this.#list.unmark(region);
  }

  #value(node: Node, field: Field, place: Place, tag: number, end: number, depth: number): void {
    const { type, repetition } = field;
    if (repetition.kind === "map") this.#entry(node, field, place, end, depth);
    else if (type.kind !== "message") {
      // The key of a map is text, which holds any integer.
      const int64 = node.isEntry && field.number === 1 ? "bigint" : this.#int64;
      const region = this.#leaf(place, type, end, int64);
      if (repetition.kind === "one") node.leaves.set(field, region);
    } else {
      const known = repetition.kind === "one" ? node.messages.get(field) : undefined;
      const inner = known ?? new Node(messageOf(this.#schema, type.name), place);
      if (repetition.kind === "one") node.messages.set(field, inner);
      else node.several.get(field)!.messages.set(place.step, inner);
      if (isGroup(field)) this.message(inner, end, depth + 1, tag >>> 3);
      else this.#delimited(inner, end, depth + 1);
    }
  }

  /** A message after its length. Where it is broken, what follows it is read nevertheless. */
  #delimited(node: Node, end: number, depth: number): void {
    const input = this.#input;
    const start = input.at;
    const stop = input.delimited(end);
    this.#list.add("length", start, input.at, node.place, "varint", stop - input.at);
    this.#list.attempt(() => this.message(node, stop, depth));
    input.at = stop;
  }

  #entry(node: Node, field: Field, place: Place, end: number, depth: number): void {
    const entry = new Node(this.#entryType(field), place, true);
    this.#delimited(entry, end, depth);
    const [keyField, valueField] = entry.type.fields as [Field, Field];
    const key = entry.leaves.get(keyField);
    if (key !== undefined) this.#list.unmark(key, "key");
    place.step = String(key === undefined ? zeroOf(keyField.type, this.#int64) : this.#list.value(key));
    const { messages: entries } = node.several.get(field)!;
    const earlier = entries.get(place.step);
    if (earlier !== undefined) this.#list.replace(earlier.place);
    entries.set(place.step, entry);
    if (valueField.type.kind !== "message" || entry.messages.has(valueField)) return;
    entry.messages.set(valueField, new Node(messageOf(this.#schema, valueField.type.name), place));
  }

  /** On the wire an entry is a message of its key and value, which are at one place. */
  #entryType(field: Field): MessageType {
    const known = this.#entryTypes.get(field);
    if (known !== undefined) return known;
    const { repetition, type } = field;
    const key: FieldType = { kind: "scalar", scalar: repetition.kind === "map" ? repetition.key : "string" };
    const one = { kind: "one", presence: "implicit" } as const;
    const fields = [
      { name: "key", number: 1, type: key, repetition: one },
      { name: "value", number: 2, type, repetition: one },
    ];
    const made = { name: `${field.name} entry`, fields };
    this.#entryTypes.set(field, made);
    return made;
  }

  #packed(node: Node, field: Field, holder: Place, end: number): void {
    const input = this.#input;
    const start = input.at;
    const stop = input.delimited(end);
    this.#list.add("length", start, input.at, holder, "varint", stop - input.at);
    const several = node.several.get(field)!;
    while (input.at < stop) this.#leaf(new Place(holder, "element", several.count++), field.type, stop);
  }

  #leaf(place: Place, type: FieldType, end: number, int64 = this.#int64): RegionId {
    const input = this.#input;
    const start = input.at;
    const scalar = type.kind === "scalar" ? type.scalar : "int32";
    const name = type.kind === "scalar" ? type.scalar : "enum";
    if (scalar !== "string" && scalar !== "bytes") {
      step(input, WIRE_TYPES[scalar], end);
      const exact = numberIn(input, scalar);
      const number = typeof exact === "bigint" && int64 === "number" ? Number(exact) : exact;
      return this.#list.leaf("payload", start, input.at, place, name, number);
    }
    const stop = input.delimited(end);
    const from = input.at;
    input.at = stop;
    if (stop === from) return this.#list.leaf("length", start, stop, place, name, zeroOf(type, this.#int64));
    this.#list.add("length", start, from, place, "varint", stop - from);
    return this.#list.leaf("payload", from, stop, place, name, heldAs(scalar));
  }

  /** What the schema does not have. */
  #skip(place: Place, tag: number, end: number, depth: number): void {
    const input = this.#input;
    const { tagAt } = input;
    const [number, wire] = [tag >>> 3, tag & 7];
    if (number === 0) input.fail("field number 0 is not allowed", tagAt);
    if (wire === WIRE.endGroup) input.fail(`end of group ${number} without its start`, tagAt);
    if (wire > WIRE.fixed32) input.fail(`there is no wire type ${wire}`, tagAt);
    if (wire === WIRE.startGroup) {
      this.message(new Node(UNKNOWN_GROUP, place), end, depth + 1, number);
      return;
    }
    const start = input.at;
    step(input, wire, end);
    this.#list.add(
      "unknown",
      start,
      input.at,
      place,
      WIRE_NAMES[wire]!,
      `field ${number}, which the schema lacks`,
    );
  }

  /** Names what a message does not hold and its reader has. */
  defaults(node: Node): void {
    for (const field of node.type.fields) {
      if (!isImplicit(field) || node.leaves.has(field)) continue;
      if (node.isEntry && field.number === 1) continue;
      const place = node.isEntry ? node.place : new Place(node.place, "field", field.name);
      this.#list.default(place, zeroOf(field.type, this.#int64));
    }
    for (const inner of node.inner()) this.defaults(inner);
  }
}

const tagTexts = new Map<number, string>();

/** `2 length-delimited`, the same string for each of thousands of tags. */
function tagText(tag: number): string {
  const known = tagTexts.get(tag);
  if (known !== undefined) return known;
  const text = `${tag >>> 3} ${WIRE_NAMES[tag & 7] ?? `wire type ${tag & 7}`}`;
  if (tagTexts.size < 1024) tagTexts.set(tag, text);
  return text;
}

const UNKNOWN_GROUP: MessageType = { name: "unknown group", fields: [] };

function isList({ repetition }: Field): boolean {
  return repetition.kind === "list";
}

function wireOf(field: Field): number {
  const { type, repetition } = field;
  if (type.kind === "message" || repetition.kind === "map")
    return isGroup(field) ? WIRE.startGroup : WIRE.delimited;
  return type.kind === "enum" ? WIRE.varint : WIRE_TYPES[type.scalar];
}

/** Steps over a value by its wire type. */
function step(input: ProtobufInput, wire: number, end: number): void {
  if (wire === WIRE.varint) input.varint(end);
  else if (wire === WIRE.fixed32) input.fixed32(end);
  else if (wire === WIRE.fixed64) input.fixed64(end);
  else input.at = input.delimited(end);
}

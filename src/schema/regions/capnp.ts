import { Trail } from "../../formats/capnp-verifier/limits.ts";
import { Pointers, type Segment, type Target } from "../../formats/capnp-verifier/segments.ts";
import type { Dataset } from "../../model/dataset.ts";
import { DecodeError } from "../../model/errors.ts";
import { Place } from "../../model/region.ts";
import type { Anatomy } from "../../model/region-table.ts";
import { hasPresence, type Int64Mode } from "../../model/schema.ts";
import type { Value } from "../../model/value.ts";
import {
  type CapnpElement,
  type CapnpLayout,
  type CapnpList,
  type CapnpMember,
  type CapnpSlot,
  type CapnpStruct,
  capnpLayout,
} from "../layout/capnp.ts";
import { Bits, type DataType, rawOf, storedValue } from "./capnp-values.ts";
import { heldAs, textAt } from "./leaf-values.ts";
import { type RegionId, RegionList } from "./region-list.ts";

/** Pointers nested in each other, as `ReaderOptions` of capnp/message.h has it. */
const MAX_DEPTH = 64;

const SIZES = ["no bits", "bits", "bytes", "2 bytes", "4 bytes", "8 bytes", "pointers", "structs"];
const ELEMENT_BITS = [0, 1, 8, 16, 32, 64, 64, 64];
const POINTERS = 6;
const STRUCTS = 7;

/** Takes a Cap'n Proto message in the standard stream framing apart. */
export function capnpRegions(bytes: Uint8Array, { schema, int64 }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = new Place();
  list.attempt(() => new Reader(list, capnpLayout(schema), int64, root).root());
  return list.finish(root);
}

/** The two sections of a struct. That of data is less than a word only where an element of a list is read as a struct. */
interface Content {
  readonly segment: Segment;
  readonly start: number;
  readonly dataBits: number;
  readonly pointers: number;
}

/** A list as it is written: its first element as the struct that it is or may be read as, and the bits from each to the next. */
interface Written {
  readonly first: Content;
  readonly step: number;
  readonly count: number;
}

class Reader {
  readonly #list: RegionList;
  readonly #view: DataView;
  readonly #layout: CapnpLayout;
  readonly #int64: Int64Mode;
  readonly #root: Place;
  readonly #segments: readonly Segment[];
  readonly #pointers: Pointers;
  /** What was met, and for whom. */
  readonly #met = new Map<number, Place>();

  constructor(list: RegionList, layout: CapnpLayout, int64: Int64Mode, root: Place) {
    const { buffer, byteOffset, length } = list.bytes;
    this.#list = list;
    this.#view = new DataView(buffer, byteOffset, length);
    this.#layout = layout;
    this.#int64 = int64;
    this.#root = root;
    this.#segments = this.#frame();
    this.#pointers = new Pointers(this.#view, this.#segments, new Trail());
  }

  /** The segment table. A segment that is cut off ends with the bytes. */
  #frame(): Segment[] {
    this.#need(0, 4);
    const count = this.#view.getUint32(0, true) + 1;
    this.#list.add("header", 0, 4, this.#root, "uint32", `${count} ${count === 1 ? "segment" : "segments"}`);
    this.#need(4, 4 * count);
    const segments: Segment[] = [];
    let start = 8 * Math.ceil((4 + 4 * count) / 8);
    for (let i = 0; i < count; i++) {
      const at = 4 + 4 * i;
      const words = this.#view.getUint32(at, true);
      this.#list.add("header", at, at + 4, this.#root, "uint32", `segment ${i}: ${words} words`);
      const end = Math.min(start + 8 * words, this.#view.byteLength);
      segments.push({ start, end });
      start += 8 * words;
    }
    return segments;
  }

  root(): void {
    const segment = this.#segments[0]!;
    this.#need(segment.start, 8);
    this.#structAt(segment, segment.start, 0, this.#root, 1);
  }

  /** A pointer's own word, and what it leads to; undefined where it is null or was met before. */
  #pointer(
    segment: Segment,
    at: number,
    place: Place,
  ): { region: RegionId; target: Target | undefined; shared: boolean } {
    this.#need(at, 8);
    const region = this.#list.add("offset", at, at + 8, place, "pointer", "null");
    const target = this.#pointers.follow(segment, at);
    if (target === undefined) return { region, target, shared: false };
    const low = this.#view.getUint32(at, true);
    if ((low & 3) === 2) {
      const far = this.#segments[this.#view.getUint32(at + 4, true)]!;
      const pad = far.start + 8 * (low >>> 3);
      const size = (low & 4) === 0 ? 8 : 16;
      const landing = this.#list.add("offset", pad, pad + size, place, "landing pad", "far pointer");
      this.#list.point(landing, target.start);
    }
    const { kind, size, start } = target;
    const count = size >>> 3;
    const text =
      kind === "struct" ? `${size & 0xffff} + ${size >>> 16} words` : `${count} ${SIZES[size & 7]}`;
    this.#list.point(region, start, text, `${kind} pointer`);
    const words = kind === "struct" ? (size & 0xffff) + (size >>> 16) : wordsOf(size);
    if (start < target.segment.start || start + 8 * words > target.segment.end)
      this.#fail(at, "points outside its segment");
    const known = words === 0 ? undefined : this.#met.get(start);
    if (known !== undefined)
      this.#list.point(region, start, `${text}, shared with ${known.path || "the root"}`);
    else if (words > 0) this.#met.set(start, place);
    return { region, target, shared: known !== undefined };
  }

  /** A struct behind a pointer; one of defaults where the pointer is null. */
  #structAt(segment: Segment, at: number, index: number, place: Place, depth: number): void {
    const { target, shared } = this.#pointer(segment, at, place);
    if (shared) return;
    if (target?.kind === "list") this.#fail(at, "list, expected a struct");
    const content =
      target === undefined
        ? { segment, start: at, dataBits: 0, pointers: 0 }
        : contentAt(target.segment, target.start, target.size);
    if (target !== undefined) this.#list.section(content.start, pointerAt(content, content.pointers));
    this.#content(this.#layout.structs[index]!, content, place, depth);
  }

  #content(struct: CapnpStruct, content: Content, place: Place, depth: number): void {
    if (depth > MAX_DEPTH) this.#fail(content.start, `nested deeper than ${MAX_DEPTH} pointers`, "limit");
    const bits = new Bits(this.#list, place);
    this.#members(struct, content, place, depth, bits);
    bits.add();
  }

  /** The members of a struct, or of a group in it. */
  #members(struct: CapnpStruct, content: Content, place: Place, depth: number, bits: Bits): void {
    const tag = this.#discriminant(struct, content, place);
    for (const member of struct.members) {
      if (member.tag !== undefined && member.tag !== tag) continue;
      const isEntry = struct.form === "entry";
      const inner = isEntry ? place : new Place(place, "field", member.field.name);
      const isKey = isEntry && member === struct.members[0];
      this.#list.attempt(() => this.#member(member, content, inner, depth, bits, isKey));
    }
  }

  #discriminant(
    { discriminant }: CapnpStruct,
    { start, dataBits }: Content,
    place: Place,
  ): number | undefined {
    if (discriminant === undefined) return undefined;
    if (discriminant + 16 > dataBits) return 0;
    const at = start + discriminant / 8;
    const tag = this.#view.getUint16(at, true);
    this.#list.add("tag", at, at + 2, place, "discriminant", tag);
    return tag;
  }

  #member(
    member: CapnpMember,
    content: Content,
    place: Place,
    depth: number,
    bits: Bits,
    isKey: boolean,
  ): void {
    const { slot, flag, field, tag } = member;
    const { type } = slot;
    if (type.kind === "void") this.#list.default(place, 0);
    else if (type.kind === "group")
      this.#members(this.#layout.structs[type.struct]!, content, place, depth, bits);
    else if ("bits" in type) {
      const isThere = flag === undefined || this.#bit(flag.offset, content, place, bits, false);
      this.#data(slot, type, content, place, bits, isKey, isThere);
    } else {
      const at = pointerAt(content, slot.offset);
      const isOptional = hasPresence(field) && tag === undefined;
      if (slot.offset < content.pointers)
        this.#target(type, content.segment, at, place, depth, isKey, isOptional);
      else this.#nothing(type, content, place, depth, isKey, isOptional);
    }
  }

  /** A field of the pointer section that a shorter struct lacks. */
  #nothing(
    type: CapnpElement | CapnpList,
    content: Content,
    place: Place,
    depth: number,
    isKey: boolean,
    isOptional: boolean,
  ): void {
    if (isKey) place.step = "";
    if (isKey || isOptional) return;
    if (type.kind === "text") this.#list.default(place, "");
    else if (type.kind === "data") this.#list.default(place, new Uint8Array(0));
    else if (type.kind === "struct")
      this.#content(
        this.#layout.structs[type.struct]!,
        { ...content, dataBits: 0, pointers: 0 },
        place,
        depth + 1,
      );
  }

  #bit(
    offset: number,
    { start, dataBits }: Content,
    place: Place,
    bits: Bits,
    leaf: boolean,
    zero = false,
  ): boolean {
    if (offset >= dataBits) return zero;
    const at = start + (offset >>> 3);
    this.#need(at, 1);
    const value = ((this.#view.getUint8(at) >>> (offset & 7)) & 1) === 1;
    bits.note(at, { bit: offset & 7, place, value: value !== zero, leaf });
    return value !== zero;
  }

  #data(
    { offset, zero }: CapnpSlot,
    type: DataType,
    content: Content,
    place: Place,
    bits: Bits,
    isKey: boolean,
    isThere: boolean,
  ): void {
    const isInside = offset + type.bits <= content.dataBits;
    const isLeaf = isThere && !isKey;
    if (type.bits === 1) {
      const value = this.#bit(offset, content, place, bits, isLeaf && isInside, zero === true);
      if (isKey) place.step = String(value);
      else if (isLeaf && !isInside) this.#list.default(place, value);
      return;
    }
    const at = content.start + offset / 8;
    if (isInside) this.#need(at, type.bits / 8);
    const value = this.#plain(storedValue(this.#view, isInside ? at : undefined, zero, type), isKey);
    if (isKey) place.step = String(value);
    if (!isInside) {
      if (isLeaf) this.#list.default(place, value);
      return;
    }
    const end = at + type.bits / 8;
    if (isLeaf) this.#list.leaf("payload", at, end, place, nameOf(type), value);
    else
      this.#list.add(
        isKey ? "key" : "padding",
        at,
        end,
        place,
        isKey ? nameOf(type) : "absent",
        isKey ? place.step : undefined,
      );
  }

  #plain(value: number | bigint, isKey: boolean): Value {
    return typeof value === "bigint" && this.#int64 === "number" && !isKey ? Number(value) : value;
  }

  #target(
    type: CapnpElement | CapnpList,
    segment: Segment,
    at: number,
    place: Place,
    depth: number,
    isKey: boolean,
    isOptional: boolean,
  ): void {
    const isNull = this.#isNull(at);
    if (isOptional && isNull) {
      this.#pointer(segment, at, place);
      return;
    }
    if (type.kind === "struct") this.#structAt(segment, at, type.struct, place, depth + 1);
    else if (type.kind === "list") this.#listAt(type, segment, at, place, depth + 1);
    else if (type.kind === "text" || type.kind === "data") this.#blob(type.kind, segment, at, place, isKey);
  }

  #isNull(at: number): boolean {
    this.#need(at, 8);
    return this.#view.getUint32(at, true) === 0 && this.#view.getUint32(at + 4, true) === 0;
  }

  #blob(kind: "text" | "data", segment: Segment, at: number, place: Place, isKey: boolean): void {
    const { region, target, shared } = this.#pointer(segment, at, place);
    const { start = 0, size = 0 } = target ?? {};
    if (target !== undefined && (target.kind !== "list" || (size & 7) !== 2))
      this.#fail(at, "expected a list of bytes");
    const count = size >>> 3;
    const length = kind === "text" ? Math.max(0, count - 1) : count;
    const end = start + length;
    const { bytes } = this.#list;
    if (isKey) place.step = textAt(bytes, start, end);
    if (!isKey && (shared || count === 0))
      this.#list.mark(region, kind === "text" ? textAt(bytes, start, end) : bytes.subarray(start, end));
    if (shared) return;
    this.#list.add(isKey ? "key" : "payload", start, end, place, kind, heldAs(kind), !isKey);
    if (kind === "data" || count === 0) return;
    const terminator = this.#list.add("terminator", end, end + 1, place, "NUL");
    if (length === 0 && !isKey) this.#list.mark(terminator, "");
  }

  #listAt({ element, wrapper }: CapnpList, segment: Segment, at: number, around: Place, depth: number): void {
    if (depth > MAX_DEPTH) this.#fail(at, `nested deeper than ${MAX_DEPTH} pointers`, "limit");
    const place = wrapper === undefined ? around : new Place(around, "field", wrapper);
    const { target, shared } = this.#pointer(segment, at, place);
    if (target === undefined || shared) return;
    if (target.kind !== "list") this.#fail(at, "struct, expected a list");
    const { first, step, count } = this.#written(target, place);
    const isBits = step === 1;
    const isFit =
      element.kind === "struct"
        ? !isBits
        : "bits" in element
          ? element.bits <= first.dataBits && (element.bits === 1) === isBits
          : first.pointers > 0;
    if (!isFit) this.#fail(at, `list of ${SIZES[target.size & 7]}, expected other elements`);
    if (count > 8 * this.#list.bytes.length + 65_536) this.#fail(at, `${count} elements without content`);
    const packed = new Bits(this.#list, place);
    for (let i = 0; i < count; i++) {
      const isEntry = element.kind === "struct" && this.#layout.structs[element.struct]!.form === "entry";
      const inner = isEntry ? new Place(place, "entry", "", i) : new Place(place, "element", i);
      const content = { ...first, start: first.start + Math.floor((i * step) / 8) };
      this.#list.attempt(() => this.#element(element, content, i, inner, depth, packed));
    }
    packed.add();
  }

  /**
   * A list by what its pointer says. Lists of structs have a tag with their number and size. Where a schema's list of values
   * became one of structs, or is one no more, the first field is what both know (encoding specification, "Lists"): all but
   * bits.
   */
  #written({ segment, start, size }: Target, place: Place): Written {
    const kind = size & 7;
    if (kind !== STRUCTS) {
      const step = ELEMENT_BITS[kind]!;
      const sections = kind === POINTERS ? { dataBits: 0, pointers: 1 } : { dataBits: step, pointers: 0 };
      return { first: { segment, start, ...sections }, step, count: size >>> 3 };
    }
    this.#need(start, 8);
    const count = this.#view.getUint32(start, true) >>> 2;
    const first = contentAt(segment, start + 8, this.#view.getUint32(start + 4, true));
    const dataWords = first.dataBits / 64;
    const words = dataWords + first.pointers;
    const value = `${count} structs of ${dataWords} + ${first.pointers} words`;
    this.#list.add("length", start, start + 8, place, "tag", value);
    if (count * words !== size >>> 3) this.#fail(start, `${value}, expected ${size >>> 3} words in all`);
    this.#list.section(first.start, first.start + 8 * count * words);
    return { first, step: 64 * words, count };
  }

  #element(
    element: CapnpElement | CapnpList,
    content: Content,
    index: number,
    place: Place,
    depth: number,
    packed: Bits,
  ): void {
    const { segment, start } = content;
    if (element.kind === "struct")
      this.#content(this.#layout.structs[element.struct]!, content, place, depth + 1);
    else if (!("bits" in element))
      this.#target(element, segment, pointerAt(content, 0), place, depth, false, false);
    else if (element.bits === 1) {
      const value = ((this.#view.getUint8(start) >>> (index & 7)) & 1) === 1;
      packed.note(start, { bit: index & 7, place, value, leaf: true });
    } else {
      const value = this.#plain(rawOf(this.#view, start, element), false);
      this.#list.leaf("payload", start, start + element.bits / 8, place, nameOf(element), value);
    }
  }

  #need(at: number, size: number): void {
    const { byteLength } = this.#view;
    if (at < 0 || at + size > byteLength)
      this.#fail(Math.min(at, byteLength), `bytes ${at} to ${at + size} of ${byteLength}`);
  }

  #fail(offset: number, problem: string, code: "corrupt" | "limit" = "corrupt"): never {
    throw new DecodeError("capnp", problem, { offset, code });
  }
}

/** @param size upper half of a struct pointer */
function contentAt(segment: Segment, start: number, size: number): Content {
  return { segment, start, dataBits: 64 * (size & 0xffff), pointers: size >>> 16 };
}

/** The byte of a pointer of a struct. */
function pointerAt({ start, dataBits }: Content, index: number): number {
  return start + dataBits / 8 + 8 * index;
}

function wordsOf(size: number): number {
  const count = size >>> 3;
  return (size & 7) === STRUCTS ? count + 1 : Math.ceil((count * ELEMENT_BITS[size & 7]!) / 64);
}

function nameOf(type: DataType): string {
  return type.kind === "enum" ? "enum" : type.name;
}

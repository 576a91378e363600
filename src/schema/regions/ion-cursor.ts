import { inBytes } from "../../model/in-bytes.ts";
import type { Place } from "../../model/region.ts";
import { Cursor } from "./cursor.ts";
import type { RegionId, RegionList } from "./region-list.ts";

/** Types by the upper four bits of the first byte (Amazon Ion 1.0, "Typed Value Formats"). */
const TYPES = [
  ...(["null", "bool", "int", "negative int", "float", "decimal", "timestamp", "symbol"] as const),
  ...(["string", "clob", "blob", "list", "sexp", "struct", "annotation", "reserved"] as const),
];

/** The lower four bits: the length, or one of these. */
const LENGTH = { ordered: 1, follows: 14, null: 15 } as const;

const VERSION_MARKER = [0xe0, 0x01, 0x00, 0xea];

/** Most bytes of an integer: to make text of one takes time by their square. */
const MAX_INTEGER_BYTES = 1024;

/** Most damaged containers after which the next value is read. */
const MAX_DAMAGED = 1000;

/** The type descriptor of a value, and the length behind it. */
export interface IonHead {
  readonly type: (typeof TYPES)[number];
  /** The type, and of a struct whether its fields have an order. */
  readonly name: string;
  /** The lower four bits. */
  readonly low: number;
  /** Bytes of the descriptor and of the length. */
  readonly size: number;
  /** Bytes behind them. */
  readonly length: number;
  readonly isNull: boolean;
}

/** Goes through binary Ion, in which every value has a length and ends within what it is in. */
export class IonCursor extends Cursor {
  readonly #bytes: Uint8Array;
  #isNoted = false;
  #damaged = 0;

  constructor(list: RegionList) {
    super("ion", list);
    this.#bytes = list.bytes;
  }

  /** Passes a version marker, if it is next. */
  marker(place: Place): boolean {
    if (!VERSION_MARKER.every((byte, i) => this.#bytes[this.at + i] === byte)) return false;
    this.take("header", VERSION_MARKER.length, place, "version marker", "1.0");
    return true;
  }

  /** Passes padding, if it is next: a null with a length ("NOP Padding"). */
  padding(place: Place, end: number): boolean {
    if (!this.#isPadding(this.at, end)) return false;
    const { size, length } = this.head(end);
    this.expect(size + length, end);
    this.take("padding", size + length, place, "padding");
    return true;
  }

  #isPadding(at: number, end: number): boolean {
    return at < end && this.#bytes[at]! < LENGTH.null;
  }

  /** The head of the next value, which is not passed. */
  head(end: number): IonHead {
    if (this.at >= end) this.fail("expected a value", this.at, "truncated");
    const first = this.peek();
    const type = TYPES[first >> 4]!;
    const low = first & 15;
    if (type === "reserved") this.fail("a type that is reserved");
    const isNull = low === LENGTH.null;
    const isOrdered = type === "struct" && low === LENGTH.ordered;
    const name = isOrdered ? "struct, ordered" : type;
    if (!isOrdered && low !== LENGTH.follows)
      return { type, name, low, size: 1, length: isNull || type === "bool" ? 0 : low, isNull };
    const [length, size] = this.varUInt(end, 1);
    return { type, name, low, size: 1 + size, length, isNull };
  }

  /** Passes a head, whose two parts have a role each, or all of it one. */
  takeHead({ name, size, length }: IonHead, place: Place, role?: "header"): RegionId {
    if (size === 1) return this.take(role ?? "length", 1, place, name, length);
    this.take(role ?? "tag", 1, place, name);
    return this.take(role ?? "length", size - 1, place, "VarUInt", length);
  }

  /** Throws where bytes from some byte on go beyond the end of what they are in. */
  expect(length: number, end: number, start = this.at): void {
    if (length <= end - start) return;
    this.fail(`${inBytes(length)}, of which ${end - start} are there`, start, "truncated");
  }

  /** Names a problem, of which the first counts, and goes on. */
  note(problem: string, offset: number): void {
    if (this.#isNoted) return;
    this.#isNoted = true;
    this.list.attempt(() => this.fail(problem, offset, "unsupported"));
  }

  /** Reads the elements of a list. */
  elements(head: IonHead, place: Place, end: number, one: (end: number) => void, role?: "header"): void {
    this.#contents(head, place, end, role, (stop) => {
      if (!this.padding(place, stop)) one(stop);
    });
  }

  /**
   * Reads the fields of a struct. Padding has the id of a symbol too.
   * @param one is given the symbol id, which is not passed, and its bytes
   */
  fields(
    head: IonHead,
    place: Place,
    end: number,
    one: (id: number, size: number, end: number) => void,
    role?: "header",
  ): void {
    this.#contents(head, place, end, role, (stop) => {
      const [id, size] = this.varUInt(stop);
      if (this.#isPadding(this.at + size, stop)) {
        this.take("padding", size, place, "symbol id", id);
        this.padding(place, stop);
      } else one(id, size, stop);
    });
  }

  /** Reads what is in a container. Where that fails, what stands behind the container is read all the same. */
  #contents(
    head: IonHead,
    place: Place,
    end: number,
    role: "header" | undefined,
    one: (end: number) => void,
  ): void {
    this.takeHead(head, place, role);
    const start = this.at;
    const stop = Math.min(end, start + head.length);
    const isWhole = this.list.attempt(() => {
      while (this.at < stop) one(stop);
      this.expect(head.length, end, start);
    });
    this.at = stop;
    if (!isWhole && ++this.#damaged > MAX_DAMAGED)
      this.fail(`more than ${MAX_DAMAGED} damaged containers`, start, "limit");
  }

  /** A VarUInt some bytes ahead, which is not passed, and its bytes: each has seven bits, the last a mark. */
  varUInt(end: number, ahead = 0): [value: number, size: number] {
    const start = this.at + ahead;
    let value = 0;
    for (let at = start; at < end; at++) {
      const byte = this.#bytes[at]!;
      value = value * 128 + (byte & 127);
      if (value > Number.MAX_SAFE_INTEGER) this.fail("a VarUInt of more than 53 bits", start);
      if (byte >= 128) return [value, at + 1 - start];
    }
    return this.fail("a VarUInt that does not end", start, "truncated");
  }

  /** The next bytes as a UInt, which is not passed: a bigint where no number is it. */
  uint(size: number): number | bigint {
    if (size > MAX_INTEGER_BYTES)
      this.fail(`an integer of ${inBytes(size)}, expected at most ${MAX_INTEGER_BYTES}`, this.at, "limit");
    let value = 0n;
    for (let i = 0; i < size; i++) value = (value << 8n) | BigInt(this.view.getUint8(this.at + i));
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }

  /** The next bytes as a float, which is not passed. */
  float(size: number): number {
    if (size === 0) return 0;
    if (size === 4) return this.view.getFloat32(this.at);
    return size === 8 ? this.view.getFloat64(this.at) : this.fail(`a float of ${inBytes(size)}`);
  }
}

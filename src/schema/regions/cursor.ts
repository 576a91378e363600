import { DecodeError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { Place, RegionRole } from "../../model/region.ts";
import { BYTES, type Held, TEXT } from "../../model/region-table.ts";
import type { Inhabited } from "./guided.ts";
import { textAt } from "./leaf-values.ts";
import type { RegionId, RegionList } from "./region-list.ts";

/** Most levels of values in each other: one for each message, and one for the list or map that it is in. */
export const MAX_DEPTH = 1000;

/** Goes through bytes from front to back, and says what they are. */
export class Cursor {
  at = 0;
  /** Where what is read ends: the end of the bytes, or that of a part of them. */
  end: number;
  readonly list: RegionList;
  readonly view: DataView;
  readonly #format: string;

  constructor(format: string, list: RegionList) {
    const { buffer, byteOffset, length } = list.bytes;
    this.end = length;
    this.list = list;
    this.view = new DataView(buffer, byteOffset, length);
    this.#format = format;
  }

  /** Passes so many bytes that are one thing. */
  take(role: RegionRole, size: number, place: Place, type: string, value?: Held): RegionId {
    this.need(size);
    this.at += size;
    return this.list.add(role, this.at - size, this.at, place, type, value);
  }

  /** {@link take} for the value of a place, which is in these bytes alone. */
  leaf(size: number, place: Place, type: string, value: Held): RegionId {
    this.need(size);
    this.at += size;
    return this.list.leaf("payload", this.at - size, this.at, place, type, value);
  }

  /**
   * Passes text or bytes, whose value is in them, or, where there are none, in what says so.
   * @param counter the region that says how many there are
   */
  blob(kind: "text" | "bytes", size: number, place: Place, counter: RegionId, isKey = false): void {
    if (isKey) this.take("key", size, place, "key", TEXT);
    else if (size > 0) this.leaf(size, place, kind, kind === "text" ? TEXT : BYTES);
    else this.list.mark(counter, kind === "text" ? "" : new Uint8Array(0));
  }

  /** Text from a byte on, which is not passed. */
  textAt(start: number, size: number): string {
    this.need(start + size - this.at);
    return textAt(this.list.bytes, start, start + size);
  }

  /** The next byte, which is not passed. */
  peek(): number {
    this.need(1);
    return this.list.bytes[this.at]!;
  }

  need(size: number): void {
    const left = this.end - this.at;
    if (size <= left) return;
    const isCutOff = this.end === this.list.bytes.length;
    this.fail(`expected ${size} more bytes, got ${left}`, this.at, isCutOff ? "truncated" : "corrupt");
  }

  /** Throws where values are nested too deeply to go on. @param most levels, by what each takes of the stack */
  enter(depth: number, most = MAX_DEPTH): void {
    if (depth > most) this.fail(`nested deeper than ${most} levels`, this.at, "limit");
  }

  expectEnd(): void {
    const left = this.list.bytes.length - this.at;
    if (left > 0) this.fail(`${inBytes(left)} after the end of the message`);
  }

  fail(
    problem: string,
    offset = this.at,
    code: "corrupt" | "truncated" | "limit" | "unsupported" = "corrupt",
  ): never {
    throw new DecodeError(this.#format, problem, { offset, code });
  }
}

/** The properties of an object, of which the last of a name counts. */
export class Properties<Here extends Inhabited<Here>> {
  readonly #list: RegionList;
  readonly #here: Here;
  readonly #known = new Map<string, Place>();
  #count = 0;

  constructor(list: RegionList, here: Here) {
    this.#list = list;
    this.#here = here;
  }

  has(key: string): boolean {
    return this.#known.has(key);
  }

  next(key: string): Here {
    const inner = this.#here.property(key, this.#count++);
    const earlier = this.#known.get(key);
    if (earlier !== undefined) this.#list.replace(earlier);
    this.#known.set(key, inner.place);
    return inner;
  }
}

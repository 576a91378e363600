import { RECORD_TOKEN, RECORD_TYPE } from "../../formats/msgpack-verifier/input.ts";
import type { Dataset } from "../../model/dataset.ts";
import { DecodeError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import type { Place } from "../../model/region.ts";
import { type Anatomy, BYTES, TEXT } from "../../model/region-table.ts";
import type { Value } from "../../model/value.ts";
import { Guided } from "./guided.ts";
import { textAt } from "./leaf-values.ts";
import { RegionList } from "./region-list.ts";

const MAX_DEPTH = 1000;

/** Takes MessagePack apart (github.com/msgpack/msgpack, spec.md). */
export function msgpackRegions(bytes: Uint8Array, dataset: Dataset): Anatomy {
  return regions(bytes, dataset, false);
}

/** The same with msgpackr's records, whose keys stand where they are first used. */
export function msgpackRecordRegions(bytes: Uint8Array, dataset: Dataset): Anatomy {
  return regions(bytes, dataset, true);
}

function regions(bytes: Uint8Array, { schema }: Dataset, records: boolean): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  list.attempt(() => new Reader(list, records).value(root, 1));
  return list.finish(root.place);
}

/** What holds a length or a number of so many bytes, by its token. */
const BLOBS: Readonly<Record<number, readonly ["bin" | "str", number]>> = {
  196: ["bin", 1],
  197: ["bin", 2],
  198: ["bin", 4],
  217: ["str", 1],
  218: ["str", 2],
  219: ["str", 4],
};
const CONTAINERS: Readonly<Record<number, readonly ["array" | "map", number]>> = {
  220: ["array", 2],
  221: ["array", 4],
  222: ["map", 2],
  223: ["map", 4],
};
const NUMBERS: Readonly<Record<number, readonly [string, number, (view: DataView, at: number) => Value]>> = {
  202: ["float 32", 4, (view, at) => view.getFloat32(at)],
  203: ["float 64", 8, (view, at) => view.getFloat64(at)],
  204: ["uint 8", 1, (view, at) => view.getUint8(at)],
  205: ["uint 16", 2, (view, at) => view.getUint16(at)],
  206: ["uint 32", 4, (view, at) => view.getUint32(at)],
  207: ["uint 64", 8, (view, at) => view.getBigUint64(at)],
  208: ["int 8", 1, (view, at) => view.getInt8(at)],
  209: ["int 16", 2, (view, at) => view.getInt16(at)],
  210: ["int 32", 4, (view, at) => view.getInt32(at)],
  211: ["int 64", 8, (view, at) => view.getBigInt64(at)],
};
const CONSTANTS: ReadonlyMap<number, Value> = new Map<number, Value>([
  [0xc0, null],
  [0xc2, false],
  [0xc3, true],
]);

class Reader {
  readonly #list: RegionList;
  readonly #view: DataView;
  readonly #records: Map<number, readonly string[]> | undefined;
  #at = 0;

  constructor(list: RegionList, records: boolean) {
    const { buffer, byteOffset, length } = list.bytes;
    this.#list = list;
    this.#view = new DataView(buffer, byteOffset, length);
    this.#records = records ? new Map() : undefined;
  }

  value(here: Guided, depth: number): void {
    const { place } = here;
    if (depth > MAX_DEPTH) this.#fail(`nested deeper than ${MAX_DEPTH} levels`, "limit");
    const start = this.#at;
    this.#need(1);
    const token = this.#view.getUint8(start);
    const number = NUMBERS[token];
    const record = this.#records?.get(token);
    if (record !== undefined) {
      this.#list.add("tag", start, this.#step(1), place, "record", `0x${token.toString(16)}`);
      this.#fields(here, record, depth);
    } else if (token < 0x80 || token >= 0xe0 || CONSTANTS.has(token)) {
      const constant = CONSTANTS.get(token);
      const value = constant === undefined ? (token << 24) >> 24 : constant;
      this.#list.leaf(
        "payload",
        start,
        this.#step(1),
        place,
        constant === undefined ? "fixint" : String(value),
        value,
      );
    } else if (number !== undefined) {
      const [type, size, read] = number;
      this.#list.add("tag", start, this.#step(1), place, type);
      this.#need(size);
      this.#list.leaf("payload", this.#at, this.#step(size), place, type, read(this.#view, start + 1));
    } else if (!this.#container(here, token, depth) && !this.#blob(place, token, false))
      this.#extension(here, token, depth);
  }

  #container(here: Guided, token: number, depth: number): boolean {
    const start = this.#at;
    const fixed = token < 0x90 ? "map" : token < 0xa0 ? "array" : undefined;
    const [kind, size] = fixed === undefined ? (CONTAINERS[token] ?? []) : [fixed, 0];
    if (kind === undefined || size === undefined) return false;
    const count = size === 0 ? token & 15 : this.#length(size, here.place, kind);
    if (size === 0) this.#list.add("length", start, this.#step(1), here.place, `fix${kind}`, count);
    const known = new Map<string, Place>();
    for (let i = 0; i < count; i++) {
      if (kind === "array") {
        this.value(here.element(i), depth + 1);
        continue;
      }
      const inner = this.#key(here, i);
      const key = String(inner.place.step);
      const earlier = known.get(key);
      if (earlier !== undefined) this.#list.replace(earlier);
      known.set(key, inner.place);
      this.value(inner, depth + 1);
    }
    return true;
  }

  /** A key is text; a number is shown as one, though no codec here writes it. */
  #key(here: Guided, ordinal: number): Guided {
    const start = this.#at;
    this.#need(1);
    const token = this.#view.getUint8(start);
    if (token < 0x80 || token >= 0xe0) {
      const inner = here.property(String((token << 24) >> 24), ordinal);
      this.#list.add("key", start, this.#step(1), inner.place, "fixint", inner.place.step);
      return inner;
    }
    const end = this.#blobEnd(token);
    if (end === undefined) this.#fail("expected text as a key", token === 0xc1 ? "corrupt" : "unsupported");
    const inner = here.property(textAt(this.#list.bytes, end.start, end.stop), ordinal);
    this.#blob(inner.place, token, true);
    return inner;
  }

  /** The bytes of a text or of bytes, of which only the first was looked at. */
  #blobEnd(token: number): { readonly start: number; readonly stop: number } | undefined {
    const [, size = 0] = BLOBS[token] ?? [];
    const isFixed = token >= 0xa0 && token < 0xc0;
    if (!isFixed && size === 0) return undefined;
    this.#need(1 + size);
    const start = this.#at + 1 + size;
    const length = isFixed ? token & 31 : this.#uint(this.#at + 1, size);
    if (length > this.#view.byteLength - start)
      this.#fail(`${inBytes(length)}, of which ${this.#view.byteLength - start} are there`);
    return { start, stop: start + length };
  }

  #blob(place: Place, token: number, isKey: boolean): boolean {
    const range = this.#blobEnd(token);
    if (range === undefined) return false;
    const at = this.#at;
    const { start, stop } = range;
    const [kind, size] = BLOBS[token] ?? (["str", 0] as const);
    const name = size === 0 ? "fixstr" : `${kind} ${8 * size}`;
    if (size > 0) this.#list.add("tag", at, at + 1, place, name);
    const counter = this.#list.add(
      "length",
      size === 0 ? at : at + 1,
      start,
      place,
      size === 0 ? name : "uint",
      stop - start,
    );
    const held = kind === "str" ? TEXT : BYTES;
    this.#list.add(isKey ? "key" : "payload", start, stop, place, kind, held, !isKey);
    if (!isKey && start === stop) this.#list.mark(counter, kind === "str" ? "" : new Uint8Array(0));
    this.#at = stop;
    return true;
  }

  #extension(here: Guided, token: number, depth: number): void {
    const { place } = here;
    const start = this.#at;
    const fixed = token >= 0xd4 && token <= 0xd8 ? 2 ** (token - 0xd4) : undefined;
    if (fixed === undefined && (token < 0xc7 || token > 0xc9))
      this.#fail(`the byte 0x${token.toString(16)} is never used`);
    const length = fixed ?? this.#length(2 ** (token - 0xc7), place, "ext");
    if (fixed !== undefined) this.#list.add("tag", start, this.#step(1), place, `fixext ${fixed}`);
    this.#need(1 + length);
    const type = this.#view.getInt8(this.#at);
    const id = this.#list.add("tag", this.#at, this.#step(1), place, "ext type", type);
    if (this.#records !== undefined && token === RECORD_TOKEN && type === RECORD_TYPE)
      this.#definition(here, depth);
    else {
      this.#list.leaf("payload", this.#at, this.#step(length), place, "ext", BYTES);
      if (length === 0) this.#list.mark(id, new Uint8Array(0));
    }
  }

  /** An id, the keys of a record, and its values. */
  #definition(here: Guided, depth: number): void {
    const { place } = here;
    const id = this.#view.getUint8(this.#at);
    this.#list.add("header", this.#at, this.#step(1), place, "record id", `0x${id.toString(16)}`);
    this.#need(1);
    const token = this.#view.getUint8(this.#at);
    const isFixed = token >= 0x90 && token < 0xa0;
    if (!isFixed && token !== 0xdc && token !== 0xdd) this.#fail("expected an array of keys");
    const start = this.#at;
    const count = isFixed ? token & 15 : this.#length(token === 0xdc ? 2 : 4, place, "array");
    if (isFixed) this.#list.add("length", start, this.#step(1), place, "fixarray", count);
    const keys: string[] = [];
    for (let i = 0; i < count; i++) keys.push(String(this.#key(here, i).place.step));
    this.#records!.set(id, keys);
    this.#fields(here, keys, depth);
  }

  #fields(here: Guided, keys: readonly string[], depth: number): void {
    for (const [i, key] of keys.entries()) this.value(here.property(key, i), depth + 1);
  }

  /** A token, and a length of so many bytes behind it. */
  #length(size: number, place: Place, kind: string): number {
    this.#need(1 + size);
    const start = this.#at;
    const length = this.#uint(start + 1, size);
    this.#list.add("tag", start, this.#step(1), place, `${kind} ${8 * size}`);
    this.#list.add("length", start + 1, this.#step(size), place, "uint", length);
    return length;
  }

  #uint(at: number, size: number): number {
    if (size === 1) return this.#view.getUint8(at);
    return size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  /** Goes on, and returns where. */
  #step(size: number): number {
    this.#at += size;
    return this.#at;
  }

  #need(size: number): void {
    if (size <= this.#view.byteLength - this.#at) return;
    throw new DecodeError("msgpack", "value goes beyond the end", { offset: this.#at, code: "truncated" });
  }

  #fail(problem: string, code: "corrupt" | "unsupported" | "limit" = "corrupt"): never {
    throw new DecodeError("msgpack", problem, { offset: this.#at, code });
  }
}

import type { Dataset } from "../../model/dataset.ts";
import type { Place, RegionRole } from "../../model/region.ts";
import { type Anatomy, TEXT } from "../../model/region-table.ts";
import { show } from "../../model/value.ts";
import { MAX_DEPTH } from "../values/depth.ts";
import { Properties } from "./cursor.ts";
import { Guided } from "./guided.ts";
import { IonCursor, type IonHead } from "./ion-cursor.ts";
import { type RegionId, RegionList } from "./region-list.ts";

/** Takes binary Ion apart (Amazon Ion 1.0, "Binary Encoding" and "Symbols"). */
export function ionRegions(bytes: Uint8Array, { schema }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  const reader = new Reader(list);
  list.attempt(() => reader.whole(root));
  return list.finish(root.place);
}

/** Types that JSON has no use for. */
const NOT_PLAIN: ReadonlySet<string> = new Set(["decimal", "timestamp", "symbol", "clob", "sexp"]);

/** A level for each message, and one for the list or map that it is in. */
const LEVELS = 2 * MAX_DEPTH;

const SYMBOL_TABLE = "$ion_symbol_table";

/** What a symbol id stands for. */
interface SymbolText {
  readonly text: string | undefined;
  /** The byte with which it begins in a symbol table. */
  readonly at?: number;
}

/** The symbols that need no table, by their ids; the first has no text. */
const SYSTEM_SYMBOLS: readonly SymbolText[] = [
  ...[undefined, "$ion", "$ion_1_0", SYMBOL_TABLE, "name", "version", "imports", "symbols", "max_id"],
  "$ion_shared_symbol_table",
].map((text) => ({ text }));

class Reader {
  readonly #cursor: IonCursor;
  readonly #list: RegionList;
  #symbols = [...SYSTEM_SYMBOLS];
  #hasValue = false;

  constructor(list: RegionList) {
    this.#list = list;
    this.#cursor = new IonCursor(list);
  }

  whole(root: Guided): void {
    const cursor = this.#cursor;
    const { place } = root;
    const end = this.#list.bytes.length;
    if (!cursor.marker(place)) cursor.fail("expected the version marker of binary Ion 1.0");
    while (cursor.at < end) {
      if (cursor.marker(place)) this.#symbols = [...SYSTEM_SYMBOLS];
      else if (!cursor.padding(place, end)) this.#value(root, end, 1);
    }
    if (!this.#hasValue) cursor.fail("no value", end, "truncated");
  }

  #value(here: Guided, end: number, depth: number): void {
    const cursor = this.#cursor;
    const { place } = here;
    const { at } = cursor;
    cursor.enter(depth, LEVELS);
    const head = cursor.head(end);
    if (head.type !== "annotation") {
      this.#bare(here, head, end, depth);
      return;
    }
    cursor.takeHead(head, place, "header");
    const stop = Math.min(end, cursor.at + head.length);
    const first = this.#annotations(place, stop);
    const inner = cursor.head(stop);
    if (depth === 1 && first === SYMBOL_TABLE && inner.type === "struct") this.#table(inner, place, stop);
    else this.#bare(here, inner, stop, depth);
    cursor.expect(head.length, end, at + head.size);
    if (cursor.at !== stop) cursor.fail("an annotated value that ends too early", at);
  }

  /** Passes the annotations of a value, and returns the first. */
  #annotations(place: Place, end: number): string {
    const cursor = this.#cursor;
    const [length, size] = cursor.varUInt(end);
    cursor.take("header", size, place, "VarUInt", length);
    cursor.expect(length, end);
    const stop = cursor.at + length;
    let first: string | undefined;
    while (cursor.at < stop) {
      const [id, idSize] = cursor.varUInt(stop);
      this.#refer("header", idSize, place, "annotation", id);
      first ??= this.#text(id);
    }
    return first ?? cursor.fail("an annotation of nothing");
  }

  /** A value without annotations, or behind them. */
  #bare(here: Guided, head: IonHead, end: number, depth: number): void {
    const cursor = this.#cursor;
    const { place } = here;
    const { at } = cursor;
    const { type, low, length } = head;
    if (depth === 1 && this.#hasValue) cursor.fail("more than one value", at, "unsupported");
    this.#hasValue = true;
    if (type === "annotation") cursor.fail("an annotation of an annotation");
    if (head.isNull) {
      if (type !== "null") cursor.note(`null of the type ${type}`, at);
      cursor.leaf(1, place, type === "null" ? type : `null.${type}`, null);
      return;
    }
    if (type === "null") cursor.fail("an annotation of padding");
    if (NOT_PLAIN.has(type)) cursor.note(`a value of the type ${type}`, at);
    if (type === "bool") {
      if (low > 1) cursor.fail("expected a boolean of 0 or 1");
      cursor.leaf(1, place, type, low === 1);
    } else if (type === "struct") {
      const properties = new Properties(this.#list, here);
      cursor.fields(head, place, end, (id, size, stop) => {
        const key = this.#text(id);
        if (properties.has(key)) cursor.note(`the field ${show(key)} stands twice`, cursor.at);
        const inner = properties.next(key);
        this.#refer("key", size, inner.place, "symbol id", id);
        this.#value(inner, stop, depth + 1);
      });
    } else if (type === "list" || type === "sexp") {
      let index = 0;
      cursor.elements(head, place, end, (stop) => this.#value(here.element(index++), stop, depth + 1));
    } else if (type === "int" || type === "negative int" || type === "float") this.#number(head, place, end);
    else {
      const counter = cursor.takeHead(head, place);
      cursor.expect(length, end);
      if (type === "symbol") {
        const id = Number(cursor.uint(length));
        this.#list.mark(this.#refer("payload", length, place, type, id), this.#text(id));
      } else cursor.blob(type === "string" ? "text" : "bytes", length, place, counter);
    }
  }

  /** A number; a zero has no bytes behind its head. */
  #number(head: IonHead, place: Place, end: number): void {
    const cursor = this.#cursor;
    const { type, size, length } = head;
    const isNegative = type === "negative int";
    if (length > 0 && size === 1) cursor.take("tag", 1, place, `${type} ${8 * length}`);
    else if (length > 0) cursor.takeHead(head, place);
    cursor.expect(length, end);
    const magnitude = type === "float" ? cursor.float(length) : cursor.uint(length);
    cursor.leaf(length > 0 ? length : size, place, type, isNegative ? -magnitude : magnitude);
  }

  /** A local symbol table, in place of the one before, or to add to it. */
  #table(head: IonHead, place: Place, end: number): void {
    const cursor = this.#cursor;
    const symbols: SymbolText[] = [];
    let isAppended = false;
    const field = (id: number, size: number, stop: number): void => {
      const name = this.#text(id);
      this.#refer("header", size, place, "symbol id", id);
      const inner = cursor.head(stop);
      if (name === "symbols" && inner.type === "list")
        cursor.elements(inner, place, stop, (last) => symbols.push(this.#entry(place, last)), "header");
      else if (name === "imports") isAppended = this.#imports(inner, place, stop);
      else this.#skip(inner, place, stop);
    };
    cursor.fields(head, place, end, field, "header");
    if (!isAppended) this.#symbols = [...SYSTEM_SYMBOLS];
    for (const symbol of symbols) this.#symbols.push(symbol);
  }

  /** An entry of a symbol table, which has no text unless it is a string. */
  #entry(place: Place, end: number): SymbolText {
    const cursor = this.#cursor;
    const { at } = cursor;
    const head = cursor.head(end);
    const { type, length, isNull } = head;
    if (type !== "string" || isNull) {
      this.#skip(head, place, end);
      return { text: undefined };
    }
    cursor.takeHead(head, place);
    cursor.expect(length, end);
    const text = cursor.textAt(cursor.at, length);
    cursor.take("key", length, place, "symbol", TEXT);
    return { text, at };
  }

  /** What a symbol table takes from others. Returns whether that is all of the table before it. */
  #imports(head: IonHead, place: Place, end: number): boolean {
    const cursor = this.#cursor;
    const { type, length } = head;
    if (type === "list" && length > 0)
      cursor.fail("an import of a shared symbol table", cursor.at, "unsupported");
    if (type !== "symbol") {
      this.#skip(head, place, end);
      return false;
    }
    cursor.takeHead(head, place, "header");
    cursor.expect(length, end);
    const id = Number(cursor.uint(length));
    this.#refer("header", length, place, type, id);
    return this.#text(id) === SYMBOL_TABLE;
  }

  /** Passes a part of a symbol table that counts for nothing. */
  #skip({ name, size, length }: IonHead, place: Place, end: number): void {
    this.#cursor.expect(size + length, end);
    this.#cursor.take("header", size + length, place, name);
  }

  /** The text of a symbol; what Ion's text form has in place of one that is not known. */
  #text(id: number): string {
    return this.#symbols[id]?.text ?? `$${id}`;
  }

  /** Passes a reference to a symbol. */
  #refer(role: RegionRole, size: number, place: Place, type: string, id: number): RegionId {
    const cursor = this.#cursor;
    const region = cursor.take(role, size, place, type, this.#text(id));
    const { text, at } = this.#symbols[id] ?? {};
    if (at !== undefined) this.#list.point(region, at);
    if (text === undefined) cursor.note(`the symbol ${id} has no text`, cursor.at - size);
    return region;
  }
}

import { fromBase64 } from "../../formats/bytes/portable.ts";
import type { Dataset } from "../../model/dataset.ts";
import type { Place } from "../../model/region.ts";
import type { Anatomy } from "../../model/region-table.ts";
import type { Value } from "../../model/value.ts";
import { bigintOf, DEVALUE_NUMBERS } from "../values/stand-ins.ts";
import { Properties } from "./cursor.ts";
import { Guided } from "./guided.ts";
import { JsonText, OPEN, OPEN_LIST, QUOTE } from "./json-text.ts";
import { type RegionId, RegionList } from "./region-list.ts";
import { SharedValues } from "./shared-values.ts";

/** Takes what devalue writes apart: a list of entries, each of which names others by their index (`stringify.js`). */
export function devalueRegions(bytes: Uint8Array, { schema }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  const reader = new Reader(list);
  list.attempt(() => reader.whole(root));
  return list.finish(root.place);
}

/** What an index names, and where that is in the value. */
interface Named {
  readonly index: number;
  readonly here: Guided;
  readonly depth: number;
  /** The region of the index. */
  readonly id: RegionId;
}

class Reader extends JsonText {
  /** Bytes that entries begin with. */
  readonly #starts: number[] = [];
  /** The first region of each entry, before which those of its comma are. */
  readonly #firsts: RegionId[] = [];
  readonly #shared: SharedValues;
  /** What the entry that is read has named so far. */
  readonly #named: Named[] = [];

  constructor(list: RegionList) {
    super("devalue", list);
    this.#shared = new SharedValues(list);
  }

  /** An entry may name any other: where each begins is found first. */
  whole(root: Guided): void {
    const { place } = root;
    try {
      this.space(place);
      this.begin("array", place);
      for (let i = 0; this.goesOn("array", i, place); i++) {
        this.#starts.push(this.at);
        this.#firsts.push(this.list.next);
        this.skip();
      }
      this.expectEnd(place);
    } finally {
      // Where the text is damaged, the first problem is in an entry if there is one in it.
      if (this.#starts.length > 0) this.#entries(root);
    }
    if (this.#starts.length === 0) this.fail("expected a list of values", 0);
  }

  /** Reads entries in the order in which places are in the value. */
  #entries(root: Guided): void {
    const open: Named[] = [{ index: 0, here: root, depth: 1, id: -1 }];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { index, here, depth, id } = next;
      if (this.#shared.refer(id, index)) continue;
      this.#enter(index, here.place);
      this.list.attempt(() => this.#entry(index, here, depth));
      for (let named = this.#named.pop(); named !== undefined; named = this.#named.pop()) open.push(named);
    }
  }

  /** Goes to an entry, whose comma belongs to it. */
  #enter(index: number, place: Place): void {
    const end = this.#firsts[index]!;
    for (let id = this.#firsts[index - 1] ?? end; id < end; id++) this.list.move(id, place);
    this.at = this.#starts[index]!;
    this.#shared.meet(index, place, this.at);
  }

  #entry(index: number, here: Guided, depth: number): void {
    const { place } = here;
    this.enter(depth);
    const byte = this.bytes[this.at];
    if (byte === OPEN) this.#object(here, depth);
    else if (byte === OPEN_LIST) this.#array(index, here, depth);
    else this.#shared.hold(index, byte === QUOTE ? this.string(place) : this.word(place));
  }

  #object(here: Guided, depth: number): void {
    const properties = new Properties(this.list, here);
    this.begin("object", here.place);
    for (let i = 0; this.goesOn("object", i, here.place); i++) {
      const key = this.textAhead("expected a key");
      const inner = properties.next(key);
      this.name("key", inner.place, "key", key);
      this.space(inner.place);
      this.#value(inner, depth);
    }
  }

  /** A list of indexes, or a type and what is of it. */
  #array(entry: number, here: Guided, depth: number): void {
    const { place } = here;
    let type: string | undefined;
    let index = 0;
    let inner = here.element(0);
    this.begin("array", place);
    while (this.goesOn("array", index, place, "terminator", type === undefined ? inner.place : place)) {
      if (index === 0 && this.bytes[this.at] === QUOTE) type = this.#type(place);
      else if (type === undefined) this.#value(inner, depth);
      else if (index > 1) this.fail(`more than a ${type} has`);
      else this.#shared.hold(entry, type === "BigInt" ? this.#bigint(place) : this.#bytes(place));
      inner = here.element(++index);
    }
    if (type !== undefined && index < 2) this.fail(`a ${type} of nothing`, this.at - 1);
  }

  #type(place: Place): string {
    const { at } = this;
    const type = this.textAhead("expected a type");
    if (type !== "BigInt" && type !== "Uint8Array")
      this.fail("no plain data is of this type", at, "unsupported");
    this.take("tag", place, "type", type);
    return type;
  }

  #bigint(place: Place): RegionId {
    const value = bigintOf(this.textAhead("expected digits"));
    return value === undefined ? this.fail("expected digits of 64 bits") : this.leaf(place, "bigint", value);
  }

  /** The index of the memory that bytes are in, and that no others are in. */
  #bytes(place: Place): RegionId {
    const { at } = this;
    const index = this.#index(this.ahead(), place).index;
    if (this.#shared.has(index)) this.fail("memory that is two values", at, "unsupported");
    const back = this.at;
    this.#enter(index, place);
    let id: RegionId | undefined;
    this.begin("array", place);
    for (let item = 0; this.goesOn("array", item, place); item++) {
      const text = this.textAhead("expected memory");
      if (item === 0 && text === "ArrayBuffer") this.take("tag", place, "type", text);
      else if (item === 1) id = this.leaf(place, "base64", fromBase64(text));
      else this.fail("expected memory");
    }
    if (id === undefined) this.fail("memory of nothing", this.at - 1);
    this.at = back;
    return id;
  }

  /** Passes the index of an entry. */
  #index(index: Value, place: Place): { readonly index: number; readonly id: RegionId } {
    const target = typeof index === "number" ? this.#starts[index] : undefined;
    if (typeof index !== "number" || target === undefined) this.fail("no entry has this index");
    const id = this.take("offset", place, "index", index);
    this.list.point(id, target);
    return { index, id };
  }

  /** The index of a value, or a number that has none. */
  #value(here: Guided, depth: number): void {
    const { place } = here;
    const index = this.ahead();
    const number = DEVALUE_NUMBERS.get(index);
    if (number !== undefined) this.leaf(place, "number", number);
    else this.#named.push({ ...this.#index(index, place), here, depth: depth + 1 });
  }
}

import type { Dataset } from "../../model/dataset.ts";
import type { Place } from "../../model/region.ts";
import type { Anatomy } from "../../model/region-table.ts";
import { type SuperjsonType, superjsonValue } from "../values/stand-ins.ts";
import { Guided } from "./guided.ts";
import { JsonReader } from "./json.ts";
import { RegionList } from "./region-list.ts";
import { type Note, Notes } from "./superjson-notes.ts";

/** Takes what superjson writes apart: JSON, and notes on which values stand for what JSON lacks. */
export function superjsonRegions(bytes: Uint8Array, { schema }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  const reader = new Reader(list, root);
  list.attempt(() => reader.whole());
  return list.finish(root.place);
}

/** A place, and what is noted of it. */
class Noted {
  readonly note: Note | undefined;
  readonly #guided: Guided;

  constructor(guided: Guided, note: Note | undefined) {
    this.#guided = guided;
    this.note = note;
  }

  get place(): Place {
    return this.#guided.place;
  }

  element(index: number): Noted {
    return new Noted(this.#guided.element(index), this.note?.inner.get(String(index)));
  }

  property(key: string, ordinal: number): Noted {
    return new Noted(this.#guided.property(key, ordinal), this.note?.inner.get(key));
  }
}

class Reader extends JsonReader<Noted> {
  readonly #root: Guided;
  readonly #notes: Notes;

  constructor(list: RegionList, root: Guided) {
    super("superjson", list);
    this.#root = root;
    this.#notes = new Notes(this, root.place);
  }

  /** Notes stand behind the value, and are read before it. */
  whole(): void {
    const { place } = this.#root;
    let start: number | undefined;
    try {
      this.space(place);
      this.begin("object", place, "header");
      for (let i = 0; this.goesOn("object", i, place, "header"); i++) {
        const { at } = this;
        const name = this.textAhead("expected a name");
        this.name("header", place, "member", name);
        this.space(place);
        if (name === "meta") this.#notes.read();
        else if (name === "json" && start === undefined) {
          start = this.at;
          this.skip();
        } else if (name === "json") this.fail("a second value", at, "unsupported");
        else {
          const from = this.at;
          this.skip();
          this.list.add("header", from, this.at, place, "of no meaning");
        }
      }
      this.expectEnd(place);
    } finally {
      // Where the text is damaged, the first problem is in the value if there is one in it.
      if (start !== undefined) this.#valueFrom(start);
    }
    if (start === undefined) this.fail("expected a value", 0);
    this.#notes.check();
  }

  #valueFrom(start: number): void {
    this.at = start;
    this.list.attempt(() => this.value(new Noted(this.#root, this.#notes.root), 1));
  }

  override value(here: Noted, depth: number): void {
    const { note, place } = here;
    if (note === undefined) {
      super.value(here, depth);
      return;
    }
    this.space(place);
    const start = this.at;
    for (let id = note.first; id < note.end; id++) this.list.move(id, place);
    if (note.type === undefined) super.value(here, depth);
    else this.#standIn(note, note.type, place);
    note.met = { place, start, end: this.at };
  }

  /** What stands for a value that JSON lacks. */
  #standIn(note: Note, type: SuperjsonType, place: Place): void {
    const start = this.at;
    this.skip();
    const value = superjsonValue(this.parsed(start, this.at), type);
    if (value === undefined) this.fail(`not what it is noted to be: ${type}`, start);
    this.list.leaf("payload", start, this.at, place, type, value);
    this.#notes.unmet.delete(note);
  }
}

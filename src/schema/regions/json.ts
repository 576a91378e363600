import type { Dataset } from "../../model/dataset.ts";
import type { Place } from "../../model/region.ts";
import type { Anatomy } from "../../model/region-table.ts";
import { Guided } from "./guided.ts";
import { CLOSE, CLOSE_LIST, COMMA, JsonText, OPEN, OPEN_LIST, QUOTE } from "./json-text.ts";
import { RegionList } from "./region-list.ts";

/** Takes JSON in UTF-8 apart (RFC 8259). A key has its quotes and its colon. */
export function jsonRegions(bytes: Uint8Array, { schema }: Dataset): Anatomy {
  const list = new RegionList(bytes);
  const root = Guided.root(schema);
  const reader = new JsonReader<Guided>("json", list);
  list.attempt(() => {
    reader.value(root, 1);
    reader.expectEnd(root.place);
  });
  return list.finish(root.place);
}

/** A place, and what is in it. */
interface Inhabited<Self> {
  readonly place: Place;
  element(index: number): Self;
  property(key: string, ordinal: number): Self;
}

/** Reads JSON whose values are those of the message. */
export class JsonReader<Here extends Inhabited<Here>> extends JsonText {
  value(here: Here, depth: number): void {
    const { place } = here;
    this.space(place);
    this.enter(depth);
    const byte = this.bytes[this.at];
    if (byte === OPEN) this.#object(here, depth);
    else if (byte === OPEN_LIST) this.#array(here, depth);
    else if (byte === QUOTE) this.string(place);
    else this.word(place);
  }

  #array(here: Here, depth: number): void {
    const { place } = here;
    this.mark("tag", place, "array");
    this.space(place);
    for (let i = 0; this.bytes[this.at] !== CLOSE_LIST; i++) {
      const inner = here.element(i);
      if (i > 0) this.expect(COMMA!, "terminator", inner.place, "comma");
      this.value(inner, depth + 1);
      this.space(place);
    }
    this.mark("terminator", place, "end of array");
  }

  #object(here: Here, depth: number): void {
    const { place } = here;
    const known = new Map<string, Place>();
    this.mark("tag", place, "object");
    this.space(place);
    for (let i = 0; this.bytes[this.at] !== CLOSE; i++) {
      const inner = this.#key(here, i);
      const key = String(inner.place.step);
      const earlier = known.get(key);
      if (earlier !== undefined) this.list.replace(earlier);
      known.set(key, inner.place);
      this.value(inner, depth + 1);
      this.space(place);
    }
    this.mark("terminator", place, "end of object");
  }

  /** A key, and the comma before it if it is not the first. */
  #key(here: Here, ordinal: number): Here {
    const comma = this.at;
    if (ordinal > 0) {
      if (this.bytes[comma] !== COMMA) this.fail("expected a comma");
      this.at += 1;
    }
    const space = this.at;
    this.passSpace();
    const key = this.textAhead("expected a key");
    const inner = here.property(key, ordinal);
    this.list.add("terminator", comma, space, inner.place, "comma");
    this.list.add("padding", space, this.at, inner.place, "space");
    this.name("key", inner.place, "key", key);
    return inner;
  }
}

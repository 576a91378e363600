import type { Dataset } from "../../model/dataset.ts";
import type { Anatomy } from "../../model/region-table.ts";
import { Properties } from "./cursor.ts";
import { Guided, type Inhabited } from "./guided.ts";
import { CLOSE, COMMA, JsonText, OPEN, OPEN_LIST, QUOTE } from "./json-text.ts";
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
    let inner = here.element(0);
    this.begin("array", place);
    for (let i = 0; this.goesOn("array", i, place, "terminator", inner.place); inner = here.element(++i))
      this.value(inner, depth + 1);
  }

  #object(here: Here, depth: number): void {
    const { place } = here;
    const properties = new Properties(this.list, here);
    this.begin("object", place);
    this.space(place);
    for (let isFirst = true; this.bytes[this.at] !== CLOSE; isFirst = false) {
      this.value(this.#key(properties, isFirst), depth + 1);
      this.space(place);
    }
    this.mark("terminator", place, "end of object");
  }

  /** A key, and the comma before it if it is not the first. */
  #key(properties: Properties<Here>, isFirst: boolean): Here {
    const comma = this.at;
    if (!isFirst) {
      if (this.bytes[comma] !== COMMA) this.fail("expected a comma");
      this.at += 1;
    }
    const space = this.at;
    this.passSpace();
    const key = this.textAhead("expected a key");
    const inner = properties.next(key);
    this.list.add("terminator", comma, space, inner.place, "comma");
    this.list.add("padding", space, this.at, inner.place, "space");
    this.name("key", inner.place, "key", key);
    return inner;
  }
}

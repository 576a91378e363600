import { Place } from "../../model/region.ts";
import { type Field, type FieldType, messageOf, type Schema } from "../../model/schema.ts";

/** A place, and what is in it. */
export interface Inhabited<Self> {
  readonly place: Place;
  element(index: number): Self;
  property(key: string, ordinal: number): Self;
}

/**
 * A place in bytes that name their own fields. The schema tells the fields of an object from the entries of a map, where it
 * has them.
 */
export class Guided implements Inhabited<Guided> {
  readonly place: Place;
  readonly #guide: Guide;

  private constructor(place: Place, guide: Guide) {
    this.place = place;
    this.#guide = guide;
  }

  /** The root of a schema. */
  static root(schema: Schema): Guided {
    return new Guided(new Place(), new Guide(schema, { kind: "message", name: schema.root }));
  }

  /** The element of a list. */
  element(index: number): Guided {
    return new Guided(new Place(this.place, "element", index), this.#guide.item);
  }

  /** What an object holds under a key. @param ordinal how many keys stand before it */
  property(key: string, ordinal: number): Guided {
    const guide = this.#guide;
    return guide.isMap
      ? new Guided(new Place(this.place, "entry", key, ordinal), guide.item)
      : new Guided(new Place(this.place, "field", key), guide.field(key));
  }
}

/** What the schema says of places of one kind, such as a field of all elements of a list. */
class Guide {
  readonly isMap: boolean;
  readonly #schema: Schema;
  readonly #type: FieldType | undefined;
  /** The list or map that is here. */
  readonly #several: Field | undefined;
  #item: Guide | undefined;
  #unknown: Guide | undefined;
  /** By the keys of the fields, of which a schema has some. */
  #fields: ReadonlyMap<string, Guide> | undefined;

  constructor(schema: Schema, type: FieldType | undefined, several?: Field) {
    this.#schema = schema;
    this.#type = type;
    this.#several = several;
    this.isMap = several?.repetition.kind === "map";
  }

  /** Of what a list or map holds. */
  get item(): Guide {
    this.#item ??= new Guide(this.#schema, this.#several?.type);
    return this.#item;
  }

  /** Of the field of a message under a key. */
  field(key: string): Guide {
    this.#fields ??= this.#byKey();
    const known = this.#fields.get(key);
    if (known !== undefined) return known;
    this.#unknown ??= new Guide(this.#schema, undefined);
    return this.#unknown;
  }

  #byKey(): ReadonlyMap<string, Guide> {
    const found = new Map<string, Guide>();
    const schema = this.#schema;
    const fields = this.#type?.kind === "message" ? messageOf(schema, this.#type.name).fields : [];
    for (const field of fields) {
      const { name, jsonName, type, repetition } = field;
      const guide = repetition.kind === "one" ? new Guide(schema, type) : new Guide(schema, undefined, field);
      // The first of those with a key.
      for (const key of [name, jsonName]) if (key !== undefined && !found.has(key)) found.set(key, guide);
    }
    return found;
  }
}

import { Place } from "../../model/region.ts";
import { type Field, type FieldType, messageOf, type Schema } from "../../model/schema.ts";

/**
 * A place in bytes that name their own fields. The schema tells the fields of an object from the entries of a map, where it
 * has them.
 */
export class Guided {
  readonly place: Place;
  readonly #schema: Schema;
  readonly #type: FieldType | undefined;
  /** The list or map that is here. */
  readonly #several: Field | undefined;

  private constructor(place: Place, schema: Schema, type: FieldType | undefined, several?: Field) {
    this.place = place;
    this.#schema = schema;
    this.#type = type;
    this.#several = several;
  }

  /** The root of a schema. */
  static root(schema: Schema): Guided {
    return new Guided(new Place(), schema, { kind: "message", name: schema.root });
  }

  /** The element of a list. */
  element(index: number): Guided {
    return new Guided(new Place(this.place, "element", index), this.#schema, this.#several?.type);
  }

  /** What an object holds under a key. @param ordinal how many keys stand before it */
  property(key: string, ordinal: number): Guided {
    if (this.#several?.repetition.kind === "map")
      return new Guided(new Place(this.place, "entry", key, ordinal), this.#schema, this.#several.type);
    const message = this.#type?.kind === "message" ? messageOf(this.#schema, this.#type.name) : undefined;
    const field = message?.fields.find(({ name, jsonName }) => name === key || jsonName === key);
    const several = field !== undefined && field.repetition.kind !== "one" ? field : undefined;
    const type = several === undefined ? field?.type : undefined;
    return new Guided(new Place(this.place, "field", key), this.#schema, type, several);
  }
}

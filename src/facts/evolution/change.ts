/** What a change of a schema is, and where in a schema there is a place for one. */
import { type Field, type Int64Mode, type MessageType, simpleName } from "../../model/schema.ts";
import { type Place, placeIn } from "../places.ts";
import type { Absence, Version } from "./edit.ts";

/**
 * Stands for a value that the reader's type has not. A reader that gives it all the same is right, as formats without types do;
 * the best that another one can do is to say so.
 */
export class Unfit {
  readonly written: unknown;

  constructor(written: unknown) {
    this.written = written;
  }
}

/** Who reads whose messages. As a relay the old program decodes what the new one wrote, and encodes it again for it. */
export const DIRECTIONS = ["old reads new", "new reads old", "relay"] as const;

/** See {@link DIRECTIONS}. */
export type Direction = (typeof DIRECTIONS)[number];

/** What became of a schema between two versions of a program. */
export interface Change {
  readonly name: string;
  /** The field or message that was changed, by its full name. */
  readonly path: string;
  /** What was done, in a line. */
  readonly done: string;
  readonly old: Version;
  readonly new: Version;
  /** The value of the other version as it should be seen, in which {@link Unfit} may stand. */
  readonly seenByOld: unknown;
  readonly seenByNew: unknown;
  /** The message type whose fields were changed, and the names of these in either version. */
  readonly message: string;
  readonly fields: readonly string[];
  /** Those that are asked; all where it is absent. */
  readonly directions?: readonly Direction[];
  /** Set for what Cap'n Proto's language has no way to say: a gap in the ordinals, and a required field. */
  readonly isBeyondCapnp?: boolean;
}

/** What changes start from. */
export interface Subject extends Version {
  readonly int64: Int64Mode;
  /** What is added is this. */
  readonly absence: Absence;
}

/** Message types that a program may add fields to and take fields from. */
export function isOpen({ form, inPlace }: MessageType): boolean {
  return form !== "struct" && inPlace !== true;
}

/** The first place of a scalar field of one value which belongs to no oneof. */
export function scalarPlace(
  { schema, value }: Version,
  wanted: (field: Field, type: MessageType) => boolean,
): Place | undefined {
  return placeIn(
    schema,
    value,
    (field, type) =>
      isOpen(type) &&
      field.repetition.kind === "one" &&
      field.type.kind === "scalar" &&
      field.oneof === undefined &&
      field.jsonText !== true &&
      wanted(field, type),
  );
}

/** `person.age`, as people call a field. */
export function fieldPath(message: string, { name }: Pick<Field, "name">): string {
  return `${simpleName(message)}.${name}`;
}

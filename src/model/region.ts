import { childPath, type Value } from "./value.ts";

/** What bytes of a message are for, in any format. Reports list them in this order. */
export const REGION_ROLES = [
  "payload",
  "key",
  "tag",
  "length",
  "offset",
  "vtable",
  "presence",
  "header",
  "terminator",
  "checksum",
  "padding",
  "unknown",
] as const;

/** One of {@link REGION_ROLES}. */
export type RegionRole = (typeof REGION_ROLES)[number];

/** A path in the schema, which all elements of a list share: `info[].name`, and `{}` for the entries of a map. */
export class SchemaPath {
  readonly parent: SchemaPath | undefined;
  readonly kind: "root" | "field" | "element" | "entry";
  /** Of a field; empty else. */
  readonly name: string;
  /** What the numbers at it are called, where they are those of an enum. */
  symbols: ReadonlyMap<number, string> | undefined;
  readonly #fields = new Map<string, SchemaPath>();
  #element: SchemaPath | undefined;
  #entry: SchemaPath | undefined;
  #text: string | undefined;

  constructor(parent?: SchemaPath, kind: SchemaPath["kind"] = "root", name = "") {
    this.parent = parent;
    this.kind = kind;
    this.name = name;
  }

  /** Whether fields were met in it, as in a message. */
  get hasFields(): boolean {
    return this.#fields.size > 0;
  }

  /** The paths that were met in it. */
  get children(): readonly SchemaPath[] {
    return [...this.#fields.values(), this.#element, this.#entry].filter((child) => child !== undefined);
  }

  get text(): string {
    const above = this.parent?.text ?? "";
    if (this.kind === "root") return "";
    this.#text ??= this.kind === "field" ? childPath(above, this.name) : above + MARKS[this.kind];
    return this.#text;
  }

  /** The path of what is in it, the same object each time. */
  child(kind: Place["kind"], name: string): SchemaPath {
    if (kind === "element") {
      this.#element ??= new SchemaPath(this, kind);
      return this.#element;
    }
    if (kind === "entry") {
      this.#entry ??= new SchemaPath(this, kind);
      return this.#entry;
    }
    const known = this.#fields.get(name);
    if (known !== undefined) return known;
    const made = new SchemaPath(this, kind, name);
    this.#fields.set(name, made);
    return made;
  }
}

const MARKS = { element: "[]", entry: "{}" } as const;

/** A place in the decoded value: a field, an element of a list or an entry of a map in what holds it. */
export class Place {
  readonly parent: Place | undefined;
  readonly schemaPath: SchemaPath;
  /** Name, index or key. The key of an entry may become known after its bytes were met. */
  step: string | number;
  /** Which element or entry it is, from 0; -1 for a field. */
  readonly ordinal: number;

  constructor(
    parent?: Place,
    kind: SchemaPath["kind"] = "root",
    step: string | number = "",
    ordinal = typeof step === "number" ? step : -1,
  ) {
    this.parent = parent;
    this.schemaPath = parent === undefined ? new SchemaPath() : parent.schemaPath.child(kind, step as string);
    this.step = step;
    this.ordinal = ordinal;
  }

  get kind(): SchemaPath["kind"] {
    return this.schemaPath.kind;
  }

  /** As in `info[3].name`; empty for the message itself. */
  get path(): string {
    return this.parent === undefined ? "" : childPath(this.parent.path, this.step);
  }

  /** {@link schemaPath} as text. */
  get field(): string {
    return this.schemaPath.text;
  }
}

/** Some bytes of a message that are one thing. The regions of a message tile it. */
export interface Region {
  /** Byte of the message. */
  readonly offset: number;
  /** Bytes; at least one. */
  readonly length: number;
  readonly role: RegionRole;
  /** The part of the value that it belongs to. */
  readonly place: Place;
  /** The format's own name of what it is: `varint`, `uoffset`, `fixstr`. */
  readonly type: string;
  /** What it holds; of a {@link leaf} the value itself, of others a text or number for people. */
  readonly value?: Value;
  /** Set where the value at {@link place} is {@link value}, and stands here only. */
  readonly leaf?: boolean;
  /** What its bits hold, where several values share a byte. */
  readonly bits?: readonly RegionBit[];
  /** The byte that an offset leads to. */
  readonly target?: number;
  /** What is wrong here. */
  readonly problem?: string;
}

/** A bit of a region that is one value, or says whether one is there. */
export interface RegionBit {
  /** From 0, the lowest of its byte. */
  readonly bit: number;
  readonly place: Place;
  readonly value: boolean;
  /** As {@link Region.leaf}. */
  readonly leaf: boolean;
}

/** A value that a reader has although no bytes hold it. */
export interface DefaultValue {
  readonly place: Place;
  readonly value: Value;
}

/** The types of AMF3: the marker of each, and classes for those that JavaScript has none for. */

/** The byte before each value, which says what it is (AMF 3 specification, January 2013, section 3.1). */
export const MARKER = {
  undefined: 0x00,
  null: 0x01,
  false: 0x02,
  true: 0x03,
  integer: 0x04,
  double: 0x05,
  string: 0x06,
  xmlDocument: 0x07,
  date: 0x08,
  array: 0x09,
  object: 0x0a,
  xml: 0x0b,
  byteArray: 0x0c,
  vectorInt: 0x0d,
  vectorUint: 0x0e,
  vectorDouble: 0x0f,
  vectorObject: 0x10,
  dictionary: 0x11,
} as const;

/** Least and greatest integer of 29 bits (section 3.6); what lies beyond is written as a double. */
export const MIN_INTEGER = -(2 ** 28);
export const MAX_INTEGER = 2 ** 28 - 1;

/** Greatest length of anything: 29 bits hold it and the flag that tells it from a reference. */
export const MAX_LENGTH = 2 ** 28 - 1;

/** Deepest nesting that options may allow: for so many levels, and for the caller's own, the stack has room. */
export const MOST_DEPTH = 1000;

/** What the objects of one class have in common: its name and its sealed members (section 3.12). */
export class Traits {
  /** The alias under which both sides know the class, as in `org.acme.User`; not empty. */
  readonly className: string;
  /** Names of the members that every object has, in the order in which their values are written. */
  readonly sealed: readonly string[];
  /** Whether an object may have more members than the sealed ones. */
  readonly dynamic: boolean;

  constructor(
    className: string,
    sealed: readonly string[] = [],
    options: { readonly dynamic?: boolean } = {},
  ) {
    this.className = className;
    this.sealed = [...sealed];
    this.dynamic = options.dynamic ?? false;
  }
}

/**
 * An object of a class. Objects that share one {@link Traits}, and not only an equal one, share its description in
 * the bytes too.
 */
export class TypedObject {
  readonly traits: Traits;
  /** Sealed members first, dynamic ones after them. */
  readonly members: Record<string, unknown>;

  constructor(traits: Traits, members: Record<string, unknown> = {}) {
    this.traits = traits;
    this.members = members;
  }
}

/**
 * An array that has named entries beside its elements (section 3.11, "ECMA Array"). One without such entries is
 * written as, and therefore read as, a JavaScript array.
 */
export class EcmaArray {
  /** What is at 0, 1, 2, … */
  readonly items: unknown[];
  /** What is under names. The empty name cannot be written. */
  readonly entries: Record<string, unknown>;

  constructor(items: unknown[] = [], entries: Record<string, unknown> = {}) {
    this.items = items;
    this.entries = entries;
  }
}

/**
 * A dictionary whose keys are held weakly by the program that it is for (section 3.16). Here it holds them as any
 * Map does; a plain Map is written as a dictionary with strong keys.
 */
export class WeakDictionary extends Map<unknown, unknown> {}

/** What a vector holds: 32-bit integers, doubles, or any values. */
export type VectorItems = Int32Array | Uint32Array | Float64Array | unknown[];

/** A list of elements of one type (section 3.15): `Vector.<int>`, `<uint>`, `<Number>`, or of objects. */
export class Vector<Items extends VectorItems = VectorItems> {
  readonly items: Items;
  /** Whether its length is fixed, in the program that it is for. */
  readonly fixed: boolean;
  /** Class of a vector of objects; `""` where it is none in particular, and for vectors of numbers. */
  readonly className: string;

  constructor(items: Items, options: { readonly fixed?: boolean; readonly className?: string } = {}) {
    this.items = items;
    this.fixed = options.fixed ?? false;
    this.className = options.className ?? "";
  }
}

/** XML as text. It is never parsed here: what it refers to is not fetched, and what it defines not expanded. */
export class Xml {
  readonly text: string;
  /** Whether it is of the older class `flash.xml.XMLDocument` (section 3.9) and not of E4X's `XML` (3.13). */
  readonly legacy: boolean;

  constructor(text: string, options: { readonly legacy?: boolean } = {}) {
    this.text = text;
    this.legacy = options.legacy ?? false;
  }
}

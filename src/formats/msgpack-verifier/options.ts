/** What to allow. */
export interface MessagePackOptions {
  /** Deepest nesting of arrays, maps and records; 100 by default. */
  readonly depth?: number;
  /** Most values in all, keys not counted; 1,000,000 by default. */
  readonly items?: number;
  /** `safe` refuses integers that a JavaScript number would round; `any` is the default. */
  readonly integers?: "any" | "safe";
  /** The only keys that objects may have: maps, or records where there are records. Any by default. */
  readonly keys?: ReadonlySet<string>;
  /**
   * Whether a map's key `__proto__` is refused, which readers rename, drop or take for a prototype; true by
   * default. A reader that puts maps into `Map`s needs no such care. Records never have it.
   */
  readonly refuseProto?: boolean;
  /** Whether text of more than 64 bytes that starts with a byte order mark is refused; false by default. */
  readonly refuseMark?: boolean;
  /**
   * Whether objects are the records of msgpackr, and maps are maps. A record is its definition, an extension of
   * type 0x72 with an id from 0x40 to 0x7f and an array of keys, and its values; a later one of the same keys is
   * the id as a byte, and its values. False by default.
   */
  readonly records?: boolean;
}

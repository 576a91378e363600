/** What to allow. */
export interface V8Options {
  /** Deepest nesting of objects and lists; 100 by default. */
  readonly depth?: number;
  /** Most values in all, keys not counted and what is referred to counted again; 1,000,000 by default. */
  readonly items?: number;
  /** The only keys that objects may have; any by default. */
  readonly keys?: ReadonlySet<string>;
}

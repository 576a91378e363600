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

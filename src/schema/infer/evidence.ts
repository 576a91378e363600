/** What is known of all values at one path of JSON documents, and of the paths below it. */

/** Distinct texts that are kept of a path, each of at most so many bytes: more are no enum. */
export const MOST_DISTINCT = 64;
export const LONGEST_DISTINCT = 64;

/** Keys of an object beyond which it is a map (as DuckDB's `map_inference_threshold`). */
export const MOST_KEYS = 200;

/** What all texts of a path have in common, as bits. */
export const TEXT = {
  /** A length that is a multiple of four, and nothing but digits of base64. */
  base64: 1,
  /** Nothing but what a date and time in RFC 3339 has. */
  time: 2,
  /** Letters, digits and underscores. */
  word: 4,
} as const;
export const ALL_TEXT = TEXT.base64 | TEXT.time | TEXT.word;

/** What a user says of a path. */
export type Hint = (typeof HINTS)[number];
export const HINTS = [
  "enum",
  "bytes",
  "timestamp",
  "uint32",
  "uint64",
  "int64",
  "float",
  "double",
  "string",
  "map",
  "message",
  "json",
] as const;

/** Integers that a double may not hold: their range, and whether one of them is changed by it. */
export interface WideIntegers {
  low: bigint;
  high: bigint;
  isRounded: boolean;
}

let created = 0;

/** The evidence of one path. Counts are of values in the documents. */
export class Evidence {
  /** Key of the object's member; undefined for the root, an element of a list and an entry of a map. */
  readonly key: string | undefined;
  /** The key's bytes in the file where it needs no escape; undefined else. */
  readonly keyBytes: Uint8Array | undefined;
  /** Its place among the members of its object, in the order in which they were first seen. */
  readonly index: number;
  /** Number of the object that had it last: a second time in the same one is a duplicate. */
  lastObject = -1;

  nulls = 0;
  bools = 0;

  /** Integers as text has them, so that 1.0 is none; and numbers with a fraction or an exponent, and -0. */
  integers = 0;
  fractions = 0;
  low = Number.POSITIVE_INFINITY;
  high = Number.NEGATIVE_INFINITY;
  wide: WideIntegers | undefined;
  /** Most significant digits of a number with a fraction. */
  digits = 0;

  texts = 0;
  shortest = Number.POSITIVE_INFINITY;
  longest = 0;
  /** Bits of {@link TEXT} that hold of all texts. */
  common: number = ALL_TEXT;
  /** Whether a text has a sign that only base64 has: +, / or =. */
  hasSigns = false;
  /** How often each text was seen; undefined once there are too many. */
  distinct: Map<string, number> | undefined = new Map();

  lists = 0;
  emptyLists = 0;
  leastItems = Number.POSITIVE_INFINITY;
  mostItems = 0;
  item: Evidence | undefined;

  objects = 0;
  emptyObjects = 0;
  leastKeys = Number.POSITIVE_INFINITY;
  mostKeys = 0;
  members: Evidence[] = [];
  #byKey: Map<string, Evidence> | undefined;
  /** The values of all members together, once their keys are not told apart any more. */
  entry: Evidence | undefined;

  /** Its members under their keys, where they are an {@link entry} by choice and not for their number. */
  named: readonly Evidence[] | undefined;

  /** The path that its values were added to, by {@link unite}. */
  same: Evidence | undefined;
  /** The evidence of all objects that are of one message with these, wherever they are, by {@link unite}. */
  alike: Evidence | undefined;
  /** Whether a key that leads to such objects is in them again. */
  repeats = false;
  /** What the user says that it is. */
  hint: Hint | undefined;

  /** Levels of messages that it takes at most, its own included. */
  height = 0;
  /** Evidence that was there earlier has a lower number. */
  order = created++;

  constructor(key?: string, index = 0) {
    this.key = key;
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON escapes.
    this.keyBytes = key === undefined || /["\\\0-\x1f]/.test(key) ? undefined : Buffer.from(key);
    this.index = index;
  }

  /** How many values were seen, nulls too. */
  get count(): number {
    const { nulls, bools, integers, fractions, texts, lists, objects } = this;
    return nulls + bools + integers + fractions + texts + lists + objects;
  }

  /** This path, or the one that its values were added to. */
  get path(): Evidence {
    return this.same?.path ?? this;
  }

  /** What is known of its objects, with all that are of one message with them. */
  get shape(): Evidence {
    return this.alike?.shape ?? this;
  }

  /** The member of that key, a new one where there is none yet. */
  member(key: string): Evidence {
    this.#byKey ??= new Map();
    let found = this.#byKey.get(key);
    if (found === undefined) {
      found = new Evidence(key, this.members.length);
      this.members.push(found);
      this.#byKey.set(key, found);
    }
    return found;
  }

  memberIfAny(key: string): Evidence | undefined {
    return this.#byKey?.get(key);
  }

  /** Takes a member of other objects for its own. */
  adopt(member: Evidence): void {
    this.members.push(member);
    this.#byKey ??= new Map();
    this.#byKey.set(member.key!, member);
  }

  /** Takes the values of all members together, and those of members to come. */
  asMap(): Evidence {
    if (this.entry !== undefined) return this.entry;
    const entry = new Evidence();
    for (const member of this.members) entry.add(member);
    this.mapTo(entry);
    return entry;
  }

  /** Has that entry in place of members; undefined for members to come. @param named the members */
  mapTo(entry: Evidence | undefined, named?: readonly Evidence[]): void {
    this.entry = entry;
    this.named = named;
    this.members = [];
    this.#byKey = undefined;
  }

  /** Adds what is known of another path, as if its values had been seen here. */
  add(other: Evidence): void {
    this.addOwn(other);
    if (other.item !== undefined) {
      this.item ??= new Evidence();
      this.item.add(other.item);
    }
    if (other.entry !== undefined) this.asMap().add(other.entry);
    for (const member of other.members) {
      if (this.entry !== undefined) this.entry.add(member);
      else this.member(member.key!).add(member);
    }
    if (this.entry !== undefined) this.named = undefined;
  }

  /** The same, without what is in its lists and objects. */
  addOwn(other: Evidence): void {
    this.hint ??= other.hint;
    this.order = Math.min(this.order, other.order);
    this.nulls += other.nulls;
    this.bools += other.bools;
    this.#addNumbers(other);
    this.#addTexts(other);
    this.lists += other.lists;
    this.emptyLists += other.emptyLists;
    this.leastItems = Math.min(this.leastItems, other.leastItems);
    this.mostItems = Math.max(this.mostItems, other.mostItems);
    this.addObjects(other);
    this.height = Math.max(this.height, other.height);
  }

  #addNumbers(other: Evidence): void {
    this.integers += other.integers;
    this.fractions += other.fractions;
    this.low = Math.min(this.low, other.low);
    this.high = Math.max(this.high, other.high);
    this.digits = Math.max(this.digits, other.digits);
    const { wide } = other;
    if (wide === undefined) return;
    this.addWide(wide.low, wide.isRounded);
    this.addWide(wide.high, wide.isRounded);
  }

  /** @param isRounded whether a double changes it */
  addWide(integer: bigint, isRounded: boolean): void {
    this.wide ??= { low: integer, high: integer, isRounded };
    if (integer < this.wide.low) this.wide.low = integer;
    if (integer > this.wide.high) this.wide.high = integer;
    this.wide.isRounded ||= isRounded;
  }

  #addTexts(other: Evidence): void {
    this.texts += other.texts;
    this.shortest = Math.min(this.shortest, other.shortest);
    this.longest = Math.max(this.longest, other.longest);
    this.common &= other.common;
    this.hasSigns ||= other.hasSigns;
    if (other.distinct === undefined) this.distinct = undefined;
    else for (const [text, count] of other.distinct) this.addDistinct(text, count);
  }

  addDistinct(text: string, count: number): void {
    if (this.distinct === undefined) return;
    this.distinct.set(text, (this.distinct.get(text) ?? 0) + count);
    if (this.distinct.size > MOST_DISTINCT) this.distinct = undefined;
  }

  /** Adds how many objects there are, and how large they are. */
  addObjects(other: Evidence): void {
    this.objects += other.objects;
    this.emptyObjects += other.emptyObjects;
    this.leastKeys = Math.min(this.leastKeys, other.leastKeys);
    this.mostKeys = Math.max(this.mostKeys, other.mostKeys);
  }
}

import { setOwn } from "../../model/generated-code.ts";
import { show } from "../../model/value.ts";
import { KeyChains, TOO_ALIKE } from "../bytes/key-chains.ts";
import { TextCache } from "../bytes/text-cache.ts";
import { DictBuilder } from "./dict-builder.ts";
import { Hashables } from "./hashables.ts";
import type { PickleInput } from "./input.ts";
import { depthOf, type UnpickleOptions } from "./options.ts";
import { FrozenSet, PyFloat, Tuple } from "./types.ts";

/** What a container on the stack is. A tag is this and {@link LEVEL} times its levels; that of a leaf is 0. */
export const KIND = { list: 1, dict: 2, map: 3, set: 4, immutable: 5, newDict: 6 } as const;
export const LEVEL = 8;

/** Label of a new dict that is not in the memo; in the memo, of one that is. */
export const UNFILLED = -2;
/** Label of a new dict that may be at more than one place of the stack and the memo. */
export const KNOWN = -1;

/** What is longer than this is not kept for the next pickle. */
const KEPT = 4096;

/** What a pickle has put into its memo. Indexes that leave gaps are kept in a Map: none makes anything large. */
export class PickleMemo {
  #values: unknown[] = [];
  /** For each text, its label of the cache; for each dict that was put here before it was filled, UNFILLED. */
  #labels: number[] = [];
  #size = 0;
  #hasGaps = false;
  readonly #sparse = new Map<number, unknown>();

  /** The next index, as MEMOIZE takes it. */
  get next(): number {
    return this.#size + this.#sparse.size;
  }

  /** Puts a value at the next index, and returns that; or -1 where labels are not kept. */
  add(value: unknown, label: number): number {
    if (this.#hasGaps) {
      this.set(this.next, value, label);
      return -1;
    }
    const index = this.#size++;
    this.#values[index] = value;
    this.#labels[index] = label;
    return index;
  }

  /** Puts a value in the place of another. Returns false where that is not at the index. */
  replace(index: number, old: unknown, value: unknown): boolean {
    if (this.get(index) !== old) return false;
    this.set(index, value, -1);
    return true;
  }

  /** Puts a value at an index. */
  set(index: number, value: unknown, label: number): void {
    if (index <= this.#size) {
      this.#values[index] = value;
      this.#labels[index] = label;
      if (index === this.#size) this.#size += 1;
    } else {
      this.#sparse.set(index, value);
      this.#hasGaps = true;
    }
  }

  /** The value at an index, or undefined where there is none. */
  get(index: number): unknown {
    return index < this.#size ? this.#values[index] : this.#sparse.get(index);
  }

  /** The label that was noted with the value at an index; -1 after a gap. */
  labelOf(index: number): number {
    return index < this.#size ? this.#labels[index]! : -1;
  }

  /** Forgets every value. */
  clear(): void {
    this.#values = [];
    if (this.#size > KEPT) this.#labels = [];
    this.#size = 0;
    if (!this.#hasGaps) return;
    this.#sparse.clear();
    this.#hasGaps = false;
  }
}

/**
 * The stack of the pickle machine, and the containers on it. Methods that take the stack's height return the new one.
 * Values above the height are of no meaning, and their tags are 0.
 */
export class PickleStack {
  /** What is read, which knows where errors are. */
  readonly #input: PickleInput;
  /** New for each pickle: what V8 allocated long ago costs more to write to. */
  values: unknown[] = [];
  /** How many values there are, for opcodes that are not in the loop of the machine. */
  height = 0;
  /** For each value, what container it is: {@link KIND} and {@link LEVEL}. */
  tags = new Uint32Array(64);
  /**
   * For each text on the stack, its label of the cache of texts; for each new dict, its index in the memo,
   * {@link UNFILLED} or {@link KNOWN}; of no meaning for other values.
   */
  labels: number[] = [];
  readonly memo = new PickleMemo();
  readonly texts = new TextCache();
  readonly #builder = new DictBuilder(this.texts);
  /** Height at each mark. */
  marks: number[] = [];
  /** Height of the topmost mark; what is below it is out of reach. */
  floor = 0;
  /** Whether a container was met twice, so that nesting is not known from the stack. */
  shared = false;
  /** Whether a new dict was met again before it got its keys. */
  isEmptyShared = false;
  /** Deepest nesting that is allowed. */
  depth = 0;
  /** Levels beyond that which a container may have until it is part of a call. */
  extra = 0;
  /** Whether every dict is a Map. */
  dictsAreMaps = false;
  #last = false;
  /** No value above this place has a tag. */
  #topTag = -1;
  #hashables: Hashables | undefined;
  #chains: KeyChains | undefined;
  /** Of each Map and Set with keys that are not all text, those keys by their numbers. */
  readonly #seen = new Map<object, Map<number, unknown>>();
  /** Objects that had to become Maps. */
  readonly replaced = new Map<object, Map<unknown, unknown>>();

  constructor(input: PickleInput) {
    this.#input = input;
  }

  /** Begins with a pickle. */
  start(options: UnpickleOptions): void {
    this.depth = depthOf(options);
    this.extra = 0;
    this.dictsAreMaps = options.dicts === "Map";
    this.#last = options.duplicates === "last";
    this.shared = false;
    this.isEmptyShared = false;
    this.floor = 0;
    this.#topTag = -1;
  }

  /** Forgets every value. */
  clear(failed: boolean): void {
    this.values = [];
    this.memo.clear();
    if (this.labels.length > KEPT) this.labels = [];
    if (failed) {
      this.tags.fill(0);
      this.marks.length = 0;
    }
    if (this.tags.length > KEPT) this.tags = new Uint32Array(64);
    this.#hashables = undefined;
    this.#chains = undefined;
    if (this.#seen.size > 0) this.#seen.clear();
    if (this.replaced.size > 0) this.replaced.clear();
  }

  /** Throws unless there are `count` values above the mark. */
  need(sp: number, count: number): void {
    if (sp - count < this.floor)
      this.#input.refuse(`expected ${count} values on the stack, got ${sp - this.floor}`);
  }

  /** Puts a container where the next value goes. */
  tag(sp: number, tag: number): void {
    if (sp >= this.tags.length) {
      const more = new Uint32Array(2 * sp);
      more.set(this.tags);
      this.tags = more;
    }
    if (tag >= LEVEL * (this.depth + this.extra + 1))
      this.#input.refuse(`nested deeper than ${this.depth} levels`, "limit");
    this.tags[sp] = tag;
    if (sp > this.#topTag) this.#topTag = sp;
  }

  /** Tag of a value that was met before. */
  tagAgain(sp: number, value: unknown): void {
    if (typeof value !== "object" || value === null || value instanceof Uint8Array) return;
    const kind = this.#kindOf(value);
    if (kind === 0) return;
    this.shared = true;
    this.tag(sp, kind + LEVEL);
  }

  /** What is in the memo, and no text, to go onto the stack at its height. */
  again(sp: number, index: number): unknown {
    const value = this.memo.get(index);
    if (value === undefined) this.#input.refuse(`expected an index of the memo, got ${index}`);
    if (this.memo.labelOf(index) === UNFILLED) this.isEmptyShared = true;
    const current = (this.replaced.size > 0 && this.replaced.get(value as object)) || value;
    this.tagAgain(sp, current);
    return current;
  }

  #kindOf(value: object): number {
    if (value instanceof Tuple || value instanceof FrozenSet) return KIND.immutable;
    if (Array.isArray(value)) return KIND.list;
    if (value instanceof Map) return KIND.map;
    if (value instanceof Set) return KIND.set;
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype ? KIND.dict : 0;
  }

  /** Takes the topmost mark, and returns the height there. */
  popMark(): number {
    if (this.marks.length === 0) this.#input.refuse("expected a mark on the stack, got none");
    const mark = this.marks.pop()!;
    this.floor = this.marks.length === 0 ? 0 : this.marks.at(-1)!;
    return mark;
  }

  /** Drops values from the top down to a height, and returns the most levels that one has. */
  drop(from: number, to: number): number {
    const { tags } = this;
    if (this.#topTag < from) return 0;
    let levels = 0;
    for (let i = from; i <= this.#topTag && i < to; i++) {
      const tag = tags[i]!;
      if (tag >= LEVEL * levels) levels = tag >> 3;
      tags[i] = 0;
    }
    this.#topTag = from - 1;
    return levels;
  }

  /** Raises the levels of a container, for what was put into it. */
  #raise(place: number, levels: number): void {
    const tag = this.tags[place]!;
    if (levels * LEVEL >= tag - (tag % LEVEL)) this.tag(place, (tag % LEVEL) + LEVEL * (levels + 1));
  }

  #expect(place: number, ...kinds: number[]): void {
    if (place < this.floor) this.#input.refuse("expected a container on the stack, got none");
    const kind = place < this.tags.length ? this.tags[place]! % LEVEL : 0;
    if (!kinds.includes(kind))
      this.#input.refuse(`expected another container, got ${show(this.values[place])}`);
  }

  /** Appends what is above `from` to the list below it. */
  append(from: number, sp: number): number {
    const { values } = this;
    const place = from - 1;
    if ((this.tags[place]! & (LEVEL - 1)) !== KIND.list || place < this.floor) this.#expect(place, KIND.list);
    const list = values[place] as unknown[];
    for (let i = from; i < sp; i++) list.push(values[i]);
    const levels = this.drop(from, sp);
    if (levels > 0) this.#raise(place, levels);
    return from;
  }

  /** Sets the keys and values that are above `from` in the dict below it. */
  setItems(from: number, sp: number): number {
    const { values } = this;
    const place = from - 1;
    if ((sp - from) % 2 !== 0) this.#input.refuse(`expected keys and values, got ${sp - from} values`);
    if (this.replaced.size > 0 && place >= this.floor) this.#follow(place);
    const kind = place < this.floor ? 0 : this.tags[place]! & (LEVEL - 1);
    if (kind === KIND.newDict) this.tags[place] = this.tags[place]! - KIND.newDict + KIND.dict;
    const isDone =
      (kind === KIND.newDict && this.#build(place, from, sp)) ||
      ((kind === KIND.newDict || kind === KIND.dict) && this.#setNamed(values[place] as Dict, from, sp));
    if (!isDone) this.#setAny(place, from, sp);
    const levels = this.drop(from, sp);
    if (levels > 0) this.#raise(place, levels);
    return from;
  }

  /** Puts the Map that an object became, by another reference to it, in its place. */
  #follow(place: number): void {
    const map = this.replaced.get(this.values[place] as object);
    if (map === undefined) return;
    this.values[place] = map;
    this.tags[place] = this.tags[place]! - (this.tags[place]! % LEVEL) + KIND.map;
  }

  /** Puts an object with its entries in the place of a new dict that only the stack and the memo know, or returns false. */
  #build(place: number, from: number, sp: number): boolean {
    const { labels, memo, values } = this;
    const label = labels[place]!;
    if (this.isEmptyShared || label === KNOWN) return false;
    const built = this.#builder.build(values, labels, from, sp);
    if (built === undefined) return false;
    if (label !== UNFILLED && !memo.replace(label, values[place], built)) return false;
    values[place] = built;
    return true;
  }

  /** Puts the value at a place of the stack into the memo. */
  memoize(place: number, index: number): void {
    const { labels, memo } = this;
    const label = labels[place]!;
    memo.set(index, this.values[place], label);
    if ((this.tags[place]! & (LEVEL - 1)) !== KIND.newDict) return;
    labels[place] = label === UNFILLED && memo.labelOf(index) === UNFILLED ? index : KNOWN;
  }

  /** Sets entries with names for keys. Returns false, and sets none, where some are not. */
  #setNamed(dict: Dict, from: number, sp: number): boolean {
    const { values } = this;
    for (let i = from; i < sp; i += 2) if (typeof values[i] !== "string") return false;
    for (let i = from; i < sp; i += 2) {
      const key = values[i] as string;
      if (dict[key] !== undefined && Object.hasOwn(dict, key)) this.#repeated(key);
      setOwn(dict, key, values[i + 1]);
    }
    return true;
  }

  #repeated(key: unknown): void {
    if (!this.#last) this.#input.refuse(`the key ${show(key)} stands twice`);
  }

  #setAny(place: number, from: number, sp: number): void {
    this.#expect(place, KIND.dict, KIND.map);
    const { tags, values } = this;
    if (tags[place]! % LEVEL === KIND.dict) {
      const dict = values[place] as Dict;
      const map = new Map<unknown, unknown>(Object.entries(dict));
      this.replaced.set(dict, map);
      values[place] = map;
      tags[place] = tags[place]! - KIND.dict + KIND.map;
    }
    const map = values[place] as Map<unknown, unknown>;
    for (let i = from; i < sp; i += 2) this.#setInMap(map, values[i], values[i + 1]);
  }

  #setInMap(map: Map<unknown, unknown>, key: unknown, value: unknown): void {
    if (typeof key !== "string") map.set(this.#firstOf(map, key), value);
    else {
      if (map.has(key)) this.#repeated(key);
      map.set(key, value);
    }
  }

  /**
   * The key that a Map or Set has already and that Python takes for this one, or this one. JavaScript's have no -0: it
   * becomes a PyFloat.
   */
  #firstOf(container: ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>, key: unknown): unknown {
    this.#hashables ??= new Hashables();
    const id = this.#hashables.idOf(key, this.depth);
    if (id === undefined) this.#input.refuse(`expected a key that Python can hash, got ${show(key)}`);
    let seen = this.#seen.get(container);
    if (seen === undefined) {
      seen = new Map();
      this.#seen.set(container, seen);
    }
    if (seen.has(id)) {
      this.#repeated(key);
      return seen.get(id);
    }
    this.#chains ??= new KeyChains();
    this.#chains.count(container, key);
    if (this.#chains.exceed(this.#input.taken)) this.#input.refuse(TOO_ALIKE, "limit");
    const kept = Object.is(key, -0) ? new PyFloat(-0) : key;
    seen.set(id, kept);
    return kept;
  }

  /** Adds what is above `from` to the set below it. */
  addItems(from: number, sp: number): number {
    this.#expect(from - 1, KIND.set);
    const set = this.values[from - 1] as Set<unknown>;
    for (let i = from; i < sp; i++) this.addTo(set, this.values[i]);
    const levels = this.drop(from, sp);
    if (levels > 0) this.#raise(from - 1, levels);
    return from;
  }

  /** Adds an element to a set. Throws for one that Python would not take, or takes for another that is there. */
  addTo(set: Set<unknown>, item: unknown): void {
    set.add(this.#firstOf(set, item));
  }

  /** Makes a tuple of what is above `from`, and tags it there. */
  tuple(from: number, sp: number): Tuple {
    const tuple = new Tuple();
    for (let i = from; i < sp; i++) tuple.push(this.values[i]);
    this.tag(from, KIND.immutable + LEVEL * (this.drop(from, sp) + 1));
    return tuple;
  }
}

type Dict = Record<string, unknown>;

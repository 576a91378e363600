import type { Place } from "../../model/region.ts";
import type { Value } from "../../model/value.ts";
import { LONGEST_PATH, type SuperjsonType, superjsonSteps, superjsonType } from "../values/stand-ins.ts";
import { type JsonText, OPEN, OPEN_LIST } from "./json-text.ts";
import type { RegionId } from "./region-list.ts";

/** What superjson notes of a value, and of what is in it. */
export class Note {
  /** What the value stands for. */
  type: SuperjsonType | undefined;
  /** The byte that it begins with, and its regions, which stand in a row. */
  at = 0;
  first: RegionId = 0;
  end: RegionId = 0;
  /** Where the value is and stands, once it was read. */
  met: { readonly place: Place; readonly start: number; readonly end: number } | undefined;
  /** Steps to it from the root. */
  readonly depth: number;
  readonly inner = new Map<string, Note>();
  /** One of which the same is noted. */
  #alike: Note | undefined;

  constructor(depth: number) {
    this.depth = depth;
  }

  /** What is noted of what some steps lead to. */
  reach(steps: readonly string[]): Note {
    let note: Note = this;
    for (const step of steps) {
      const inner = note.inner.get(step) ?? new Note(note.depth + 1);
      note.inner.set(step, inner);
      note = inner;
    }
    return note;
  }

  /** Whether of another the same is noted: of values in others each is asked for once. */
  isLike(other: Note): boolean {
    if (this.#alike === other) return true;
    if (this.type !== other.type) return false;
    for (const [step, inner] of this.inner) if (!inner.isLike(other.inner.get(step) ?? NOTHING)) return false;
    for (const [step, inner] of other.inner)
      if (!this.inner.has(step) && !inner.isLike(NOTHING)) return false;
    this.#alike = other;
    return true;
  }
}

/** Of which nothing is noted. */
const NOTHING = new Note(0);

/** Most steps to a value: no more levels of the message are read. */
const MAX_STEPS = 1000;

/** Reads the notes of superjson: types by the paths of values, and which values are the same object. */
export class Notes {
  readonly root = new Note(0);
  /** Those with a type whose value was not met. */
  readonly unmet = new Set<Note>();
  /** Objects that are noted to be one, and the region that says so of the other. */
  readonly #equal = new Map<Note, { readonly one: Note; readonly at: number; readonly id: RegionId }>();
  readonly #text: JsonText;
  readonly #place: Place;

  /** @param place of notes whose value is not known */
  constructor(text: JsonText, place: Place) {
    this.#text = text;
    this.#place = place;
  }

  read(): void {
    const text: JsonText = this.#text;
    const start = text.at;
    let version: Value = null;
    text.begin("object", this.#place, "header");
    for (let i = 0; this.#goesOn("object", i); i++) {
      const name = this.#name("member");
      if (name === "values") this.#values(this.root);
      else if (name === "referentialEqualities") this.#equalities();
      else if (name === "v") {
        version = text.ahead();
        text.take("header", this.#place, "version", version);
      } else {
        const from = text.at;
        text.skip();
        text.list.add("header", from, text.at, this.#place, "of no meaning");
      }
    }
    if (version !== 1) text.fail("expected notes of version 1", start, "unsupported");
  }

  #goesOn(kind: "array" | "object", index: number): boolean {
    return this.#text.goesOn(kind, index, this.#place, "header");
  }

  /** Passes the name of a member. */
  #name(type: string): string {
    const text: JsonText = this.#text;
    const name = text.textAhead("expected a name");
    text.name("header", this.#place, type, name);
    text.space(this.#place);
    return name;
  }

  /** Notes of what is in a value, behind the type of the value itself where that is noted too. */
  #values(note: Note): void {
    const text: JsonText = this.#text;
    if (text.bytes[text.at] !== OPEN_LIST) {
      this.#inner(note);
      return;
    }
    text.begin("array", this.#place, "header");
    for (let i = 0; this.#goesOn("array", i); i++) {
      if (i === 0) this.#type(note);
      else if (i === 1) this.#inner(note);
      else text.fail("expected a type, and notes");
    }
  }

  #type(note: Note): void {
    const text: JsonText = this.#text;
    const start = text.at;
    text.skip();
    note.type = superjsonType(text.parsed(start, text.at));
    if (note.type === undefined) text.fail("no plain data is of this type", start, "unsupported");
    text.list.add("tag", start, text.at, this.#place, "type", note.type);
    this.unmet.add(note);
  }

  /** Notes by the paths of what is in a value. */
  #inner(note: Note): void {
    const text: JsonText = this.#text;
    text.begin("object", this.#place, "header");
    for (let i = 0; this.#goesOn("object", i); i++) {
      const { at } = text;
      const first = text.list.next;
      const inner = this.#noteAt(this.#name("path"), at, note);
      this.#values(inner);
      inner.at = at;
      inner.first = first;
      inner.end = text.list.next;
    }
  }

  #noteAt(path: string, at: number, from = this.root): Note {
    if (path.length > LONGEST_PATH)
      this.#text.fail(`a path of more than ${LONGEST_PATH} characters`, at, "limit");
    const steps = superjsonSteps(path);
    if (from.depth + steps.length > MAX_STEPS)
      this.#text.fail(`a path of more than ${MAX_STEPS} steps`, at, "limit");
    return from.reach(steps);
  }

  /** Paths of values that are the same object as that at another path. The text has each of them. */
  #equalities(): void {
    const text: JsonText = this.#text;
    const place = this.#place;
    if (text.bytes[text.at] !== OPEN) text.fail("a value that contains itself", text.at, "unsupported");
    text.begin("object", place, "header");
    for (let i = 0; this.#goesOn("object", i); i++) {
      const start = text.at;
      const one = this.#noteAt(this.#name("path"), start);
      text.begin("array", place, "header");
      for (let j = 0; this.#goesOn("array", j); j++) {
        const { at } = text;
        const path = text.textAhead("expected a path");
        const other = this.#noteAt(path, at);
        if (this.#equal.has(other)) text.fail("a value that is the same as two", at, "unsupported");
        this.#equal.set(other, { one, at, id: text.take("offset", place, "path of the same", path) });
      }
    }
  }

  /** Throws unless all that is noted was met, and the text says the same twice of what is one object. */
  check(): void {
    const text: JsonText = this.#text;
    const { list, bytes } = text;
    for (const { at } of this.unmet) text.fail("a note on what is not there", at);
    for (const [other, { one, at, id }] of this.#equal) {
      const { met } = other;
      if (met === undefined || one.met === undefined) text.fail("a note on what is not there", at);
      list.move(id, met.place);
      list.point(id, one.met.start);
      const written = bytes.subarray(met.start, met.end);
      const first = bytes.subarray(one.met.start, one.met.end);
      if (Buffer.compare(written, first) !== 0 || !other.isLike(one))
        text.fail("the same as what is written otherwise", at, "unsupported");
    }
  }
}

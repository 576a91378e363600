/** What a reader of another version sees, held against what it should see. */
import { type Field, hasPresence, type MessageType, messageOf, type Schema } from "../../model/schema.ts";
import { childPath, firstDifference, isRecord, type RecordValue } from "../../model/value.ts";
import type { FactCell } from "../cell.ts";
import { shown } from "../judge.ts";
import { ABSENT } from "../places.ts";
import { Unfit } from "./change.ts";

/** Most differences that are looked at: more say nothing new. */
const MOST = 100;

interface Difference {
  readonly path: string;
  /** Whether nothing, or what a reader takes for nothing, is in place of a value. */
  readonly kind: "absent" | "default" | "other";
  readonly got: unknown;
  readonly expected: unknown;
  /** Whether it is in a field that was changed. */
  readonly isChanged: boolean;
}

/** What a reader knows, and which of its fields were changed. */
export interface Reader {
  readonly schema: Schema;
  readonly message: string;
  readonly fields: readonly string[];
}

/**
 * The cell of what was read. Fields that the reader's schema lacks do not count; a field that the writer lacks may be
 * absent, or hold its default.
 * @param expected what the reader should see, in which {@link Unfit} may stand
 */
export function evolved(reader: Reader, expected: unknown, got: unknown): FactCell {
  const found = new Differences(reader).of(expected, got);
  if (found.length === 0) return { outcome: "same" };
  const wrong = found.find(({ kind, isChanged }) => kind === "other" || !isChanged);
  if (wrong === undefined) {
    const { kind, got, path } = found[0]!;
    return { outcome: "default", at: path, got: kind === "absent" ? "absent" : shown(got) };
  }
  const { path, isChanged } = wrong;
  const there = wrong.expected instanceof Unfit ? "" : ` in place of ${shown(wrong.expected)}`;
  return { outcome: "other", at: path, got: `${isChanged ? "" : "elsewhere: "}${shown(wrong.got)}${there}` };
}

class Differences {
  readonly #reader: Reader;
  readonly #found: Difference[] = [];

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  of(expected: unknown, got: unknown): readonly Difference[] {
    const { schema } = this.#reader;
    this.#message(messageOf(schema, schema.root), expected as RecordValue, got, "", false);
    return this.#found;
  }

  #add(
    path: string,
    expected: unknown,
    got: unknown,
    isChanged: boolean,
    kind: Difference["kind"] = "other",
  ): void {
    if (this.#found.length < MOST) this.#found.push({ path, expected, got, isChanged, kind });
  }

  #message(type: MessageType, expected: RecordValue, got: unknown, path: string, isWithin: boolean): void {
    if (!isRecord(got)) {
      this.#add(path, expected, got, isWithin);
      return;
    }
    for (const field of type.fields) {
      const held = (one: RecordValue): unknown => {
        // What libraries give for nothing.
        const value = Object.hasOwn(one, field.name) ? one[field.name] : ABSENT;
        return value === undefined || value === null ? ABSENT : value;
      };
      const isChanged =
        isWithin || (type.name === this.#reader.message && this.#reader.fields.includes(field.name));
      this.#field(field, held(expected), held(got), childPath(path, field.name), isChanged);
    }
  }

  #field(field: Field, expected: unknown, got: unknown, path: string, isChanged: boolean): void {
    const { schema } = this.#reader;
    const isNothing = got === ABSENT || isDefault(schema, field, got);
    if (expected === ABSENT) {
      if (!isNothing) this.#add(path, expected, got, isChanged);
      return;
    }
    const kind = got === ABSENT ? "absent" : isNothing ? "default" : "other";
    if (expected instanceof Unfit) {
      if (!isSameNumber(got, expected.written)) this.#add(path, expected, got, isChanged, kind);
    } else if (got === ABSENT) {
      if (!isImplied(schema, field, expected)) this.#add(path, expected, got, isChanged, kind);
    } else if (field.repetition.kind === "one") this.#value(field, expected, got, path, isChanged, kind);
    else if (!isSameSize(expected, got)) this.#add(path, expected, got, isChanged, kind);
    else {
      for (const [key, item] of Object.entries(expected as object)) {
        const inside = Object.hasOwn(got as object, key) ? (got as RecordValue)[key] : ABSENT;
        const below = childPath(path, Array.isArray(expected) ? Number(key) : key);
        this.#value(field, item, inside, below, isChanged, "other");
      }
    }
  }

  #value(
    field: Field,
    expected: unknown,
    got: unknown,
    path: string,
    isChanged: boolean,
    kind: Difference["kind"],
  ): void {
    const { type } = field;
    if (type.kind === "message") {
      this.#message(messageOf(this.#reader.schema, type.name), expected as RecordValue, got, path, isChanged);
    } else if (firstDifference(expected, got) !== undefined) this.#add(path, expected, got, isChanged, kind);
  }
}

/** Whether a field that is absent says a value: its declared default, or zero or nothing where it has no presence. */
function isImplied(schema: Schema, field: Field, value: unknown): boolean {
  if (field.default !== undefined) return isSameAs(value, field.default);
  return !hasPresence(field) && isDefault(schema, field, value);
}

/** Whether a value is a declared default, which a number may hold rounded. */
function isSameAs(value: unknown, declared: Field["default"]): boolean {
  return value === declared || (typeof declared === "bigint" && value === Number(declared));
}

/** Whether a reader takes a value of a field for none: zero, empty, or its declared default. */
function isDefault(schema: Schema, field: Field, got: unknown): boolean {
  if (field.default !== undefined && isSameAs(got, field.default)) return true;
  if (got === 0 || got === 0n || got === "" || got === false) return true;
  if (got instanceof Uint8Array || Array.isArray(got)) return got.length === 0;
  if (!isRecord(got)) return false;
  if (field.repetition.kind === "map" || field.type.kind !== "message") return Object.keys(got).length === 0;
  const { fields } = messageOf(schema, field.type.name);
  return fields.every((one) => !Object.hasOwn(got, one.name) || isDefault(schema, one, got[one.name]));
}

/** Whether something holds as many elements of a list, or entries of a map, as there should be. */
function isSameSize(expected: unknown, got: unknown): boolean {
  if (Array.isArray(expected)) return Array.isArray(got) && got.length === expected.length;
  return isRecord(got) && Object.keys(got).length === Object.keys(expected as object).length;
}

/** Whether two values are one number, be they of different types. */
function isSameNumber(a: unknown, b: unknown): boolean {
  const isNumber = (value: unknown) => typeof value === "number" || typeof value === "bigint";
  return isNumber(a) && isNumber(b) && (Object.is(a, b) || String(a) === String(b));
}

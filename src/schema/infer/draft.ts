import { UsageError } from "../../model/errors.ts";
import type { Presence, Repetition, Scalar } from "../../model/schema.ts";
import { type Evidence, type Hint, MOST_DISTINCT, TEXT } from "./evidence.ts";
import { evidenceText, type Kind, kindsOf, pointer, pointerToEach } from "./kinds.ts";

/** A schema whose messages have no names yet. */
export interface DraftMessage {
  /** Key that it is called after: that of its objects, or of what they are in. */
  readonly key: string;
  /** What it is in place of an object: see {@link MessageType.inPlace}. */
  readonly inPlace: boolean;
  /** Of those that were seen earlier it is lower. */
  readonly order: number;
  readonly comment: string;
  readonly fields: DraftField[];
  /** Keys whose value is always null. */
  readonly nullKeys: string[];
}

export interface DraftField {
  readonly key: string;
  readonly number: number;
  readonly type: DraftType;
  readonly repetition: Repetition;
  readonly comment: string;
  readonly isOneof: boolean;
}

export type DraftType =
  | { readonly kind: "scalar"; readonly scalar: Scalar; readonly jsonText?: true }
  | { readonly kind: "enum"; readonly texts: readonly string[] }
  | { readonly kind: "timestamp" }
  | { readonly kind: "message"; readonly message: DraftMessage };

/** Kinds in a oneof at most: of more it is JSON text. */
const MOST_KINDS = 3;

/** Levels of messages in a value, beyond which some libraries read none (protobuf's limit is 100). */
const MOST_LEVELS = 90;

/** The fields of a message that holds a value in place, by the value's kind: they stay when kinds are added. */
const HELD: Readonly<Record<Kind, { readonly key: string; readonly number: number }>> = {
  text: { key: "text", number: 1 },
  number: { key: "number", number: 2 },
  bool: { key: "bool_value", number: 3 },
  list: { key: "list", number: 4 },
  object: { key: "object", number: 5 },
};

const OPTIONAL: Repetition = { kind: "one", presence: "optional" };
const MAP: Repetition = { kind: "map", key: "string" };

/** Where a value is: its pointer, the key that names what it is, and the levels of messages above it. */
interface Place {
  readonly at: string;
  readonly key: string;
  readonly level: number;
}

/**
 * Gives each path a type, by the safest rule that all its values conform to. @param tell takes a sentence about each choice
 * that the values leave open, with the path's pointer
 */
export class Drafting {
  readonly #tell: (at: string, choice: string) => void;
  readonly #messages = new Map<Evidence, DraftMessage>();
  /** Those that hold the values of a path in place. */
  readonly #holders = new Map<Evidence, DraftMessage>();

  constructor(tell: (at: string, choice: string) => void) {
    this.#tell = tell;
  }

  /** The message that a value of the root is. */
  root(path: Evidence, key: string, at: string): DraftMessage {
    const place = { at, key, level: 1 };
    const isMessage = kindsOf(path).join() === "object" && path.nulls === 0 && path.shape.entry === undefined;
    return isMessage ? this.#message(path, place) : this.#holder(path, place, path.nulls > 0);
  }

  #message(path: Evidence, place: Place): DraftMessage {
    const { shape } = path;
    const known = this.#messages.get(shape);
    if (known !== undefined) return known;
    const fields: DraftField[] = [];
    const { key, at, level } = place;
    const { objects, order } = shape;
    const comment = `${objects.toLocaleString("en-US")} ${objects === 1 ? "object" : "objects"}`;
    const nullKeys: string[] = [];
    const message = { key, inPlace: false, order, comment, fields, nullKeys };
    this.#messages.set(shape, message);
    if (shape.repeats) this.#tell(at, "one message wherever its key repeats below itself");
    for (const [index, member] of shape.members.entries()) {
      const below = { at: pointer(at, member.key!), key: member.key!, level: level + 1 };
      const field = this.#field(member.path, below, objects, index + 1);
      if (field === undefined) nullKeys.push(member.key!);
      else fields.push(field);
    }
    return message;
  }

  #field(path: Evidence, place: Place, objects: number, number: number): DraftField | undefined {
    const { at, key } = place;
    const absent = objects - path.count;
    const lacks = absent + path.nulls > 0;
    if (path.nulls > 0 && absent > 0) {
      this.#tell(at, `null in ${path.nulls} and absent in ${absent} of ${objects}: both are absent`);
    }
    const kinds = kindsOf(path);
    const [kind] = kinds;
    if (kind === undefined) {
      this.#tell(at, "always null: left out");
      return undefined;
    }
    const comment = evidenceText(path, objects);
    const field = { key, number, comment, isOneof: false };
    const presence: Presence = lacks ? "optional" : "implicit";
    if (this.#isJsonText(path, kinds, place)) {
      return { ...field, type: JSON_TEXT, repetition: { kind: "one", presence } };
    }
    const isEmptyToo = path.emptyLists + path.emptyObjects > 0;
    if (kinds.length > 1 || (isPlural(path, kind) && lacks && isEmptyToo)) {
      return { ...field, type: held(this.#holder(path, place, false)), repetition: OPTIONAL };
    }
    const content = this.#content(path, kind, place);
    const { type, repetition } = content;
    const isPlain = type.kind === "scalar" || type.kind === "enum";
    if (repetition.kind !== "one") return { ...field, type, repetition };
    return { ...field, type, repetition: isPlain ? { kind: "one", presence } : OPTIONAL };
  }

  /** What values of one kind are, without nulls: one value, a list or a map. */
  #content(path: Evidence, kind: Kind, place: Place): Pick<DraftField, "type" | "repetition"> {
    const below = { ...place, at: pointerToEach(place.at), level: place.level + 1 };
    if (kind === "list") {
      const type = this.#element(path.item!.path, { ...below, key: elementKey(place.key) });
      return { type, repetition: { kind: "list", packed: true } };
    }
    if (kind !== "object") return { type: this.#leaf(path, kind, place), repetition: OPTIONAL };
    const { entry } = path.shape;
    if (entry === undefined) return { type: held(this.#message(path, place)), repetition: OPTIONAL };
    this.#tell(place.at, "a map: its keys are data");
    return { type: this.#element(entry.path, { ...below, key: elementKey(place.key) }), repetition: MAP };
  }

  /** What an element of a list is, or a value of a map. */
  #element(path: Evidence, place: Place): DraftType {
    const kinds = kindsOf(path);
    const [kind] = kinds;
    if (kind === undefined && path.nulls === 0) {
      this.#tell(place.at, "no value shows a kind: text");
      return { kind: "scalar", scalar: "string" };
    }
    if (this.#isJsonText(path, kinds, place)) return JSON_TEXT;
    if (kinds.length === 1 && path.nulls === 0 && !isPlural(path, kind!)) {
      return this.#content(path, kind!, place).type;
    }
    return held(this.#holder(path, place, path.nulls > 0));
  }

  /** A message that holds a value of any of the kinds in place, and none for null. @param hasNulls whether null is told from none */
  #holder(path: Evidence, place: Place, hasNulls: boolean): DraftMessage {
    const known = this.#holders.get(path);
    if (known !== undefined) return known;
    const { key } = place;
    const kinds = kindsOf(path);
    const fields: DraftField[] = [];
    const comment = evidenceText(path, path.count);
    const message = { key, inPlace: true, order: path.order, comment, fields, nullKeys: [] };
    this.#holders.set(path, message);
    const isOneof = kinds.length > 1;
    if (isOneof) this.#tell(place.at, `${kinds.join(" or ")}: a oneof`);
    if (hasNulls) this.#tell(place.at, "null is a message in which nothing is set");
    if (kinds.length === 0)
      fields.push({ ...HELD.text, type: TEXT_TYPE, repetition: OPTIONAL, comment, isOneof });
    for (const kind of kinds) {
      const { type, repetition } = this.#content(path, kind, place);
      // A list or a map cannot be in a oneof, and an empty one is not null.
      const isWrapped = (isOneof || hasNulls) && repetition.kind !== "one";
      const inner = { key: `${key} ${kind}`, inPlace: true, order: path.order, comment: "", nullKeys: [] };
      const wrapped = held({
        ...inner,
        fields: [{ ...HELD[kind], type, repetition, comment: "", isOneof: false }],
      });
      const field = isWrapped ? { type: wrapped, repetition: OPTIONAL } : { type, repetition };
      fields.push({ ...HELD[kind], ...field, comment: "", isOneof });
    }
    return message;
  }

  #isJsonText(path: Evidence, kinds: readonly Kind[], { at, level }: Place): boolean {
    if (path.hint === "json") return true;
    const isMixed = kinds.length > MOST_KINDS;
    const isDeep = level + path.height > MOST_LEVELS && level > 1;
    if (isMixed) this.#tell(at, `${kinds.join(", ")}: text that is JSON`);
    else if (isDeep) this.#tell(at, `nested deeper than ${MOST_LEVELS} messages: text that is JSON`);
    return isMixed || isDeep;
  }

  #leaf(path: Evidence, kind: Kind, { at }: Place): DraftType {
    const { hint } = path;
    if (kind === "bool") return { kind: "scalar", scalar: "bool" };
    if (kind === "text") return this.#text(path, at);
    const scalar = numberType(path);
    if (hint !== undefined && NUMBER_HINTS.has(hint)) return { kind: "scalar", scalar: hint as Scalar };
    if (scalar === undefined) this.#tell(at, "integers that no number type holds: text of their digits");
    if (scalar === "uint64") this.#tell(at, "beyond int64: uint64");
    if (path.wide !== undefined && scalar !== undefined) {
      this.#tell(
        at,
        "integers beyond 2^53: their decimal text in codecs without a schema, as JSON.parse rounds them",
      );
    }
    return scalar === undefined ? JSON_TEXT : { kind: "scalar", scalar };
  }

  #text({ hint, distinct, common, hasSigns, shortest, texts }: Evidence, at: string): DraftType {
    if (hint === "enum") {
      if (distinct === undefined)
        throw new UsageError(`hint ${at}: more than ${MOST_DISTINCT} texts, or long ones`);
      return { kind: "enum", texts: [...distinct.keys()] };
    }
    if (hint === "bytes") return { kind: "scalar", scalar: "bytes" };
    if (hint === "timestamp") return { kind: "timestamp" };
    const isFew = distinct !== undefined && distinct.size * FEW_TEXTS <= texts && distinct.size > 1;
    if (isFew && (common & TEXT.word) !== 0) {
      this.#suggest(at, "enum", `${distinct.size} texts in ${texts}`);
    } else if ((common & TEXT.base64) !== 0 && hasSigns && shortest >= LONG_BASE64) {
      this.#suggest(at, "bytes", "base64");
    } else if ((common & TEXT.time) !== 0 && shortest >= "2026-01-01T00:00:00Z".length) {
      this.#suggest(at, "timestamp", "dates with a time");
    }
    return TEXT_TYPE;
  }

  #suggest(at: string, hint: Hint, why: string): void {
    this.#tell(at, `${why}: --hint ${at}=${hint} would make it smaller`);
  }
}

/** How often each text of an enum is there, in the mean. */
const FEW_TEXTS = 10;

/** Bytes of text that is unlikely to be base64 by chance. */
const LONG_BASE64 = 16;

const TEXT_TYPE: DraftType = { kind: "scalar", scalar: "string" };
const JSON_TEXT: DraftType = { kind: "scalar", scalar: "string", jsonText: true };
const NUMBER_HINTS: ReadonlySet<Hint> = new Set(["uint32", "uint64", "int64", "float", "double"]);

/** Whether values of a kind are several, in a list or a map, which no list or map can hold without a message between. */
function isPlural(path: Evidence, kind: Kind): boolean {
  return kind === "list" || (kind === "object" && path.shape.entry !== undefined);
}

function held(message: DraftMessage): DraftType {
  return { kind: "message", message };
}

/** The safe type of all numbers of a path; undefined where it would change an integer. */
function numberType({ fractions, low, high, wide }: Evidence): Scalar | undefined {
  if (fractions > 0) return wide?.isRounded === true ? undefined : "double";
  if (wide === undefined) return low >= -(2 ** 31) && high < 2 ** 31 ? "int32" : "int64";
  if (wide.low >= -(2n ** 63n) && wide.high < 2n ** 63n) return "int64";
  return low >= 0 && wide.high < 2n ** 64n ? "uint64" : undefined;
}

/** What an element of a list is called: `item` for `items`. */
function elementKey(key: string): string {
  if (/ies$/i.test(key) && key.length > 4) return `${key.slice(0, -3)}y`;
  return /[^su]s$/i.test(key) && key.length > 3 ? key.slice(0, -1) : key;
}

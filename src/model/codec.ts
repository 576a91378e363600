import type { Dataset } from "./dataset.ts";
import { DecodeError } from "./errors.ts";
import type { MessageSelection, NumberPlace, NumberWriter, PartialReader } from "./selection.ts";
import type { Value } from "./value.ts";

/** What goes over the wire. Text only for a codec whose output is a string, such as `json:string`. */
export type Encoded = Uint8Array | string;

/** The bytes of an encoded message. Throws DecodeError for text, which only codecs such as `json:string` read. */
export function bytesOf(encoded: Encoded, format: string): Uint8Array {
  if (typeof encoded === "string") throw new DecodeError(format, "expected bytes, got a string");
  return encoded;
}

/**
 * One codec bound to one dataset: the four steps that every format is made of. `Built` and `Parsed` are the
 * library's own message types on the two sides.
 *
 *     Value ──build──▶ Built ──write──▶ bytes ──read──▶ Parsed ──plain──▶ Value
 *
 * Encoding is write ∘ build and decoding is plain ∘ read. No result may be overwritten by a later call, or given out again.
 */
export interface Binding<Built = unknown, Parsed = unknown> {
  build(value: Value): Built;
  write(message: Built): Encoded;
  read(bytes: Encoded): Parsed;
  plain(message: Parsed): Value;
  /** Reads every field from bytes without making the value, and folds them as `compileVisitor` says. */
  access(bytes: Encoded): number;
  /**
   * Makes a function that reads a part of a message: nothing else of it, or the whole and then visits that part, as
   * {@link readsWhole} says. Absent where a part takes decoding to a plain value.
   */
  reader?(selection: MessageSelection): PartialReader<Encoded>;
  /** Set where {@link reader} makes the library decode the whole message, and only goes through less of it. */
  readonly readsWhole?: boolean;
  /**
   * Makes a function that overwrites a number in the bytes of a message, which must have that field. Absent where
   * a change takes decoding and encoding. Throws UnsupportedError for a place that cannot be overwritten.
   */
  writer?(place: NumberPlace): NumberWriter;
  /** Whether {@link access} meets strings as JavaScript strings or as the bytes of their UTF-8. */
  readonly text: "utf16" | "utf8";
  /** Set where a built message can be written once only, because the next one is built in its place. */
  readonly writesOnce?: boolean;
  /** Which of build and plain are empty because the library takes and gives plain values. */
  readonly direct: { readonly build: boolean; readonly plain: boolean };
  /** Set where one value may have several encodings, so that only decoding can prove that one is right. */
  readonly varies?: boolean;
  /**
   * Throws a DecodeError unless the bytes are a well-formed message that `read` handles safely. Called for
   * bytes from outside; bytes that we made are read without it.
   */
  verify(bytes: Encoded): void;
}

/** One way to use a codec's library. */
export interface CodecVariant {
  /** One line: what is called, and how. */
  readonly summary: string;
  /**
   * Set where its bytes carry their own names and types. Of a user's data it then gets the objects as they are in the
   * file: see {@link Dataset.documents}. Mappings and visitors that are compiled of its dataset's schema know that.
   */
  readonly schemaless?: true;
  /**
   * The untimed work: schema construction and code generation. Throws UnsupportedError, with the reason,
   * for a dataset that it cannot carry.
   */
  bind(dataset: Dataset): Binding | Promise<Binding>;
}

/** One library's implementation of a wire format, found by its file's name. */
export interface CodecDefinition extends CodecVariant {
  /** Wire format, so that two libraries of one format can be put side by side. */
  readonly format: string;
  /** npm package whose version every result records; `node` for what is built in. Absent for codecs that live here. */
  readonly library?: string;
  /** What the library's version does not tell of how it was built, such as a native part that may be missing. */
  readonly build?: string;
  /** Named `codec:variant`. */
  readonly variants?: Readonly<Record<string, CodecVariant>>;
}

/** Gives a codec file its types. */
export function defineCodec(definition: CodecDefinition): CodecDefinition {
  return definition;
}

/** Conversions between plain values and what a library takes and gives. One that is not there changes nothing. */
export interface Mapping {
  to?(value: Value): unknown;
  from?(value: unknown): Value;
}

/**
 * The binding of a library that takes and gives plain values, or values that a mapping makes of them.
 * @param steps `visit` folds a value as `compileVisitor` says; without `verify`, bytes from outside are taken
 *   only if what they decode to encodes to the same bytes
 */
export function direct(steps: {
  write(value: unknown): Encoded;
  read(bytes: Encoded): unknown;
  visit(value: Value): number;
  readonly mapping?: Mapping | undefined;
  readonly verify?: ((bytes: Encoded) => void) | undefined;
  readonly varies?: boolean | undefined;
}): Binding {
  const { write, read, visit, mapping: { to, from } = {}, varies = false } = steps;
  const verify = steps.verify ?? ((bytes: Encoded) => expectSame(bytes, () => write(read(bytes))));
  return {
    build: to ?? ((value) => value),
    write,
    read,
    plain: from ?? ((value) => value as Value),
    access: from === undefined ? (bytes) => visit(read(bytes) as Value) : (bytes) => visit(from(read(bytes))),
    text: "utf16",
    direct: { build: to === undefined, plain: from === undefined },
    varies,
    verify,
  };
}

/** Whether two encoded messages are the same, unit for unit. */
export function sameEncoded(a: Encoded, b: Encoded): boolean {
  return typeof a === "string" || typeof b === "string" ? a === b : Buffer.compare(a, b) === 0;
}

function expectSame(bytes: Encoded, again: () => Encoded): void {
  try {
    if (sameEncoded(bytes, again())) return;
  } catch (cause) {
    // A library's own complaint: it knows what is wrong, if not where.
    throw new DecodeError("codec", cause instanceof Error ? cause.message : String(cause), { cause });
  }
  throw new DecodeError("codec", "not a message that it writes itself, and it has no check of its own");
}

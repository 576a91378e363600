import type { Dataset } from "./dataset.ts";
import { DecodeError } from "./errors.ts";
import type { Int64Mode } from "./schema.ts";
import type { MessageSelection, NumberPlace, NumberWriter, PartialReader } from "./selection.ts";
import type { Trait, World } from "./traits.ts";
import type { UnknownField } from "./unknown-field.ts";
import type { Value } from "./value.ts";

/** What goes over the wire. Text only for a codec whose output is a string, such as `json:string`. */
export type Encoded = Uint8Array | string;

/** What bytes from outside may have, and hold. A format takes no notice of what cannot be in it. */
export interface ByteRules {
  /** Refuses varints that are wider than their type; by default they are cut to it, as protobuf has it. */
  readonly strict?: boolean;
  /** Whether what the schema lacks is left out: see {@link UnknownField}. By default it is refused. */
  readonly unknown?: "refuse" | "skip";
  /** Is told what was left out. */
  onLeftOut?(unknown: readonly UnknownField[]): void;
  /** Most values that bytes may become, messages and filled in ones counted; 16,777,216 by default. */
  readonly maxValues?: number;
}

/** A message of a user's, in the canonical form of values. */
export interface LoadedMessage {
  readonly value: Value;
  readonly int64: Int64Mode;
  /** Whether it has a field of the schema, or none at all. */
  readonly isKnown: boolean;
}

/** The bytes of an encoded message. Throws DecodeError for text, which only codecs such as `json:string` read. */
export function bytesOf(encoded: Encoded, format: string): Uint8Array {
  if (typeof encoded === "string") throw new DecodeError(format, "expected bytes, got a string");
  return encoded;
}

/** How messages of a format stand in a stream, each telling itself where it ends, or together in a block. */
export type OwnFraming = "avro-blocks" | "capnp-stream" | "cbor-sequence" | "msgpack";

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
  /**
   * Encodes into memory of the caller's, where a program would have that rather than bytes of its own: gives the part of it that
   * the message is, or undefined where it has no room. The caller overwrites it when it likes. Where it is there, it is what
   * encode times; {@link write} gives the same bytes in memory of their own.
   */
  into?(value: Value, memory: Uint8Array): Uint8Array | undefined;
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
  /** Absent where something beside the message must say where it ends. */
  readonly framing?: OwnFraming;
  /** Reads a message that others follow, and tells where it ends; for messages in a block. */
  readNext?(bytes: Uint8Array, at: number): { readonly message: Parsed; readonly end: number };
  /** Whether {@link access} meets strings as JavaScript strings or as the bytes of their UTF-8. */
  readonly text: "utf16" | "utf8";
  /** Set where a built message can be written once only, because the next one is built in its place. */
  readonly writesOnce?: boolean;
  /** Which of build and plain are empty because the library takes and gives plain values. */
  readonly direct: { readonly build: boolean; readonly plain: boolean };
  /** The bytes of values that it was bound to and gave back then, where it was tried: nobody need try again. */
  readonly proven?: WeakMap<object, Encoded>;
  /** Set where one value may have several encodings, so that only decoding can prove that one is right. */
  readonly varies?: boolean;
  /**
   * Throws a DecodeError unless the bytes are a well-formed message that `read` handles safely. Called for
   * bytes from outside; bytes that we made are read without it.
   */
  verify(bytes: Encoded, rules?: ByteRules): void;
  /**
   * Reads a message of a user's own once, whatever is in it. Throws DecodeError. Absent where that takes verifying it,
   * decoding it and checking its value.
   * @param int64 by default numbers where all are safe integers, else bigints
   */
  load?(bytes: Uint8Array, int64: Int64Mode | "auto", rules: ByteRules): LoadedMessage;
}

/** A package's name, and a folder from which importing that name gives a copy of it. */
export interface LibraryCopy {
  readonly name: string;
  readonly folder: string;
  /** Its version, and the one that the codec was tried with, where that is another. */
  readonly untried?: { readonly version: string; readonly tried: string };
}

/** Why a copy of a library does not work, with the version that its codec was tried with where that is another. */
export function untriedReason({ name, untried }: LibraryCopy, reason: string): string {
  if (untried === undefined) return reason;
  const { version, tried } = untried;
  return `${name} ${version} may have another API than ${tried}, which was tried: ${reason}`;
}

/**
 * What a page has to ship so that it can do what a codec does: parts of an ES module. `decode` exports a function `decode` from
 * bytes to what the library gives, `encode` a function `encode` from that to bytes.
 */
export interface PageCode {
  /** Imports, and what both parts need, such as the schema. */
  readonly shared: string;
  readonly decode: string;
  readonly encode: string;
}

/** One way to use a codec's library. */
export interface CodecVariant<Library = void> {
  /** One line: what is called, and how. */
  readonly summary: string;
  /**
   * Set where its bytes carry their own names and types. Of a user's data it then gets the objects as they are in the
   * file: see {@link Dataset.documents}. Mappings and visitors that are compiled of its dataset's schema know that.
   */
  readonly schemaless?: true;
  /** What else it is for, and what it lacks; of a variant in place of its codec's. Where it is absent, nothing is known. */
  readonly traits?: readonly Exclude<Trait, "schemaless">[];
  /**
   * The untimed work: schema construction and code generation. Throws UnsupportedError, with the reason,
   * for a dataset that it cannot carry.
   * @param library what {@link CodecDefinition.load} gives
   */
  bind(dataset: Dataset, library: Library): Binding | Promise<Binding>;
  /** The code of a page that reads and writes messages of a dataset. Absent for what needs Node. */
  page?(dataset: Dataset, library: Library): PageCode;
  /**
   * A binding of a reader's schema that reads messages of a writer's other one, by the means that the format has for that. Absent
   * where it has none but what {@link bind} gives.
   */
  resolve?(reader: Dataset, writer: Dataset, library: Library): Binding | Promise<Binding>;
}

/** One library's implementation of a wire format, found by its file's name. */
export interface CodecDefinition<Library = void> extends CodecVariant<Library> {
  /** Wire format, so that two libraries of one format can be put side by side. */
  readonly format: string;
  /** npm package whose version every result records; `node` for what is built in. Absent for codecs that live here. */
  readonly library?: string;
  /** Of a library that does not come with wirebench: the version that the codec was tried with, which `--install` fetches. */
  readonly tried?: string;
  /** Imports a library that may not be there: a file's own imports would keep even its summary from being read. */
  load?(): Promise<Library>;
  /** What the library's version does not tell of how it was built, such as a native part that may be missing. */
  readonly build?: string;
  /** The language whose programs read and write it, where that is another's. */
  readonly world?: World;
  /** Named `codec:variant`. */
  readonly variants?: Readonly<Record<string, CodecVariant<Library>>>;
}

/** Gives a codec file its types. */
export function defineCodec<Library = void>(definition: CodecDefinition<Library>): CodecDefinition {
  // Whoever binds gives it what it loaded itself.
  return definition as unknown as CodecDefinition;
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
  if (typeof a === "string" || typeof b === "string") return a === b;
  if (typeof Buffer !== "undefined") return Buffer.compare(a, b) === 0;
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
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

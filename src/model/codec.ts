import type { Dataset } from "./dataset.ts";
import type { Value } from "./value.ts";

/** What goes over the wire. Text only for a codec whose output is a string, such as `json:string`. */
export type Encoded = Uint8Array | string;

/**
 * One codec bound to one dataset: the four steps that every format is made of. `Built` and `Parsed` are the
 * library's own message types on the two sides.
 *
 *     Value ──build──▶ Built ──write──▶ bytes ──read──▶ Parsed ──plain──▶ Value
 *
 * Encoding is write ∘ build and decoding is plain ∘ read. No result may be overwritten by a later call.
 */
export interface Binding<Built = unknown, Parsed = unknown> {
  build(value: Value): Built;
  write(message: Built): Encoded;
  read(bytes: Encoded): Parsed;
  plain(message: Parsed): Value;
  /** Reads every field from bytes without making the value, and folds them as `compileVisitor` says. */
  access(bytes: Encoded): number;
  /** Whether {@link access} meets strings as JavaScript strings or as the bytes of their UTF-8. */
  readonly text: "utf16" | "utf8";
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
  /** Named `codec:variant`. */
  readonly variants?: Readonly<Record<string, CodecVariant>>;
}

/** Gives a codec file its types. */
export function defineCodec(definition: CodecDefinition): CodecDefinition {
  return definition;
}

/**
 * The binding of a library that takes and gives plain values.
 * @param steps `visit` folds a value as `compileVisitor` says; `verify` may be left out where bytes come from
 *   nowhere but here
 */
export function direct(steps: {
  write(value: Value): Encoded;
  read(bytes: Encoded): Value;
  visit(value: Value): number;
  verify?(bytes: Encoded): void;
  readonly varies?: boolean;
}): Binding<Value, Value> {
  const { write, read, visit, verify = () => {}, varies = false } = steps;
  return {
    build: (value) => value,
    write,
    read,
    plain: (value) => value,
    access: (bytes) => visit(read(bytes)),
    text: "utf16",
    direct: { build: true, plain: true },
    varies,
    verify,
  };
}

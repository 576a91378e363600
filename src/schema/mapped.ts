import { type Binding, bytesOf, direct, type Encoded, type Mapping } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { compileVisitor } from "./generate/visit.ts";

/** A library that takes and gives plain values, or nearly. */
export interface PlainLibrary {
  /** Wire format, for errors. */
  readonly format: string;
  write(value: unknown): Encoded;
  read(bytes: Uint8Array): unknown;
  /** What plain values become before they are written, and back; undefined where they stay as they are. */
  readonly mapping?: Mapping | undefined;
  /**
   * Throws a DecodeError unless `read` and the mapping handle the bytes safely. Without it, bytes from outside are
   * taken only if what they decode to encodes to the same bytes.
   */
  verify?(bytes: Uint8Array): void;
  /** Set where one value may have several encodings. */
  readonly varies?: boolean;
}

/** Binds a dataset to a library of plain values. */
export function mapped({ schema }: Dataset, library: PlainLibrary): Binding {
  const { format, write, read, mapping, verify, varies } = library;
  return direct({
    write,
    read: (encoded) => read(bytesOf(encoded, format)),
    visit: compileVisitor(schema),
    mapping,
    varies,
    verify: verify && ((encoded) => verify(bytesOf(encoded, format))),
  });
}

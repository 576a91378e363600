import {
  type Binding,
  bytesOf,
  direct,
  type Encoded,
  type Mapping,
  type OwnFraming,
} from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { compileVisitor } from "./generate/visit.ts";
import { checkShape, type ShapeRules } from "./values/shape.ts";
import { conformDecoded, readOutside } from "./values/transcode.ts";

/** A library that takes and gives plain values, or nearly. */
export interface PlainLibrary {
  /** Wire format, for errors. */
  readonly format: string;
  write(value: unknown): Encoded;
  read(bytes: Uint8Array): unknown;
  /** What plain values become before they are written, and back; undefined where they stay as they are. */
  readonly mapping?: Mapping | undefined;
  /**
   * Throws a DecodeError unless `read` handles the bytes safely; what it then gives is checked against the schema.
   * Without it, bytes from outside are taken only if what they decode to encodes to the same bytes.
   */
  verify?(bytes: Uint8Array): void;
  /** What holds of a value that was read, and that the mapping relies on. */
  readonly shape?: Omit<ShapeRules, "format" | "items">;
  /** Set where references let a short message stand for many values, which `verify` does not count. */
  readonly shares?: boolean;
  /** Set where one value may have several encodings. */
  readonly varies?: boolean;
  /** How messages stand in a stream. */
  readonly framing?: OwnFraming;
}

/** Values that references may stand for beyond one for each byte; each takes about 64 bytes once it is copied. */
export const SHARED_ITEMS = 200_000;

/** Binds a dataset to a library of plain values. */
export function mapped(dataset: Dataset, library: PlainLibrary): Binding {
  const { schema } = dataset;
  const { format, write, mapping, verify, shares, varies } = library;
  const shape = { format, ...library.shape };
  const read = (encoded: Encoded): unknown => library.read(bytesOf(encoded, format));
  const binding = direct({
    write,
    read,
    visit: compileVisitor(schema),
    mapping,
    varies,
    verify: verify && ((encoded) => verify(bytesOf(encoded, format))),
  });
  return {
    ...binding,
    ...defined({ framing: library.framing }),
    verify(encoded, rules) {
      binding.verify(encoded);
      const value = readOutside(format, () => read(encoded));
      checkShape(schema, value, shares === true ? { ...shape, items: encoded.length + SHARED_ITEMS } : shape);
      const plain = readOutside(format, () => binding.plain(value));
      conformDecoded(format, dataset, plain, rules);
      // A kind of number that conforms may still be another than what fields are added up as.
      readOutside(format, () => binding.access(encoded));
    },
  };
}

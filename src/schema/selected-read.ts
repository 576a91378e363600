import type { Binding, Encoded } from "../model/codec.ts";
import type { Schema } from "../model/schema.ts";
import type { PartialReader, Selection } from "../model/selection.ts";
import type { Value } from "../model/value.ts";
import { compileSelectionVisitor } from "./generate/visit.ts";

/** How a codec reads a part of a message, and what that must return. */
export interface SelectedRead {
  readonly read: PartialReader<Encoded>;
  readonly checksum: (value: Value) => number;
}

/**
 * Reads a selection by the binding's own reader, or where it has none by decoding everything and visiting the
 * plain value. Throws UnsupportedError for a selection that is not of the schema.
 */
export function selectedRead(schema: Schema, binding: Binding, selection: Selection): SelectedRead {
  const checksum = compileSelectionVisitor(schema, selection, { long: "plain", text: binding.text });
  if (binding.reader !== undefined) return { read: binding.reader(selection), checksum };
  // A function of its own, so that it is not the one that checks.
  const visit = compileSelectionVisitor(schema, selection, { long: "plain", text: binding.text });
  const { direct } = binding;
  return {
    read: direct.plain
      ? (bytes) => visit(binding.read(bytes) as Value)
      : (bytes) => visit(binding.plain(binding.read(bytes))),
    checksum,
  };
}

import type { Int64Mode, Schema } from "./schema.ts";
import type { Value } from "./value.ts";

/** What a codec binds to: a schema, and values of it. */
export interface Dataset {
  /** Name in every command and result: `tellist`, `tellist:3700`. */
  readonly name: string;
  /** One sentence about it, for reports. */
  readonly story?: string;
  readonly schema: Schema;
  /**
   * Distinct values of the schema's root, each checked against it. The first is the one whose size is
   * reported. Empty where only bytes are at hand, as in `wirebench decode`.
   */
  readonly values: readonly Value[];
  /** The values of which a layout with bounds takes these, as the lengths of texts; {@link values} where it is absent. */
  readonly bounds?: readonly Value[];
  /** `number` when every 64-bit integer of the values is a safe integer, else `bigint`. */
  readonly int64: Int64Mode;
  /**
   * The user's own objects, each the same as the value of its index: with the names of the file, without fields that it
   * lacks, enums and 64-bit integers as text where they are. A schemaless codec gets them for values. Absent in a
   * built-in dataset, and where defaults are to be filled in.
   */
  readonly documents?: readonly Value[];
  /** Mean bytes of a value in the user's file: of its JSON text as it stands there, or of the encoded message. */
  readonly fileBytes?: number;
  /** Set where the schema was inferred from the data. */
  readonly inferred?: Inferred;
}

/** How a schema was inferred. */
export interface Inferred {
  /** Values that it was inferred from, all of which conform. */
  readonly values: number;
  /** A sentence for each choice that the values left open. */
  readonly choices: readonly string[];
}

/** A built-in or plugged-in dataset, found by its file's name. */
export interface DatasetDefinition {
  /** One sentence that is printed above its tables. */
  readonly story: string;
  readonly schema: Schema;
  /** What `NAME:N` counts, and N when it is not given. Absent where the dataset has one size only. */
  readonly size?: { readonly unit: string; readonly standard: number; readonly max: number };
  /**
   * The `index`-th distinct value of that size, the same in every process. Index 0 is the published one;
   * the others have the same content in another arrangement, so that all encode to the same size.
   */
  make(size: number, index: number): Value;
}

/** Gives a dataset file its types. */
export function defineDataset(definition: DatasetDefinition): DatasetDefinition {
  return definition;
}

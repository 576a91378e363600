/** What the tables of facts are made of in the process of a codec: see `model/records/facts.ts` for what becomes of it. */
import type { Binding, CodecVariant } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import type { FactCell, FactRow } from "../model/records/facts.ts";

export type { FactCell, FactRow };

/** What a table needs of a codec. */
export type AskedCodec = Pick<CodecVariant, "schemaless"> & {
  readonly format: string;
  readonly library?: string;
  load?(): Promise<void>;
  bind(dataset: Dataset): Binding | Promise<Binding>;
  /** See {@link CodecVariant.resolve}. */
  resolve?(reader: Dataset, writer: Dataset): Binding | Promise<Binding>;
};

/** What carries out the question of a row; undefined where it has no sense for the codec. */
export type Answering = (row: number) => Promise<FactCell | undefined>;

/** Most characters of what a cell shows. */
const MOST_SHOWN = 200;

/** Text of an error or of a value, for a cell. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line;
}

/** Bytes up to which a message is shown whole where one row is asked for: to have the case again takes all of them. */
export const WHOLE_BYTES = 1 << 16;

/** The first bytes of a message in hex, and its length where that is not all. */
export function hexOf(bytes: Uint8Array, length: number, most: number): string {
  const text = Buffer.from(bytes.subarray(0, most)).toString("hex");
  return length > most ? `${text}… (${length} bytes)` : text;
}

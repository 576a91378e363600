import type { Bytes } from "./quantities.ts";

/** The bytes of a message by what they are for; together they are all of it. Not known where they cannot be taken apart, and above a megabyte. */
export interface ByteUses {
  readonly text: Bytes;
  /** Booleans and nulls count with them. */
  readonly numbers: Bytes;
  /** Values that are bytes. */
  readonly blobs: Bytes;
  /** Names of fields, and keys of maps. */
  readonly keys: Bytes;
  /** Tags, lengths, offsets and what else tells where values are. */
  readonly structure: Bytes;
  readonly padding: Bytes;
}

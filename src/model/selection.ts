import type { Value } from "./value.ts";

/**
 * A part of a message: some fields of some of its records. The records are the elements of the first list of
 * messages that is reached from the root through fields that hold one message; where there is none, the root is
 * the only record.
 */
export interface MessageSelection {
  /** Fields from the root to the list of records, the list's own name last; empty where the root is the record. */
  readonly path: readonly string[];
  /** Index of the first record that is read, and how far it is to the next; a step of 0 reads the first alone. */
  readonly first: number;
  readonly step: number;
  /** Names of the record's fields that are read, each with everything in it; none to reach the records only. */
  readonly fields: readonly string[];
}

/** A number of fixed width in a message, which can be overwritten where it stands. */
export interface NumberPlace {
  readonly path: MessageSelection["path"];
  /** Index of its record; 0 where the root is the record. */
  readonly record: number;
  readonly field: string;
}

/** Reads part of a message, as a fold of what it read: see `compileVisitor`. */
export type PartialReader<Bytes> = (bytes: Bytes) => number;

/** Overwrites a number in a message. */
export type NumberWriter = (bytes: Uint8Array, value: Extract<Value, number | bigint>) => void;

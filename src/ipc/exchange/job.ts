import type { Dataset } from "../../model/dataset.ts";
import type { Reliability } from "../../model/records/ipc.ts";
import type { Int64Mode } from "../../model/schema.ts";

/** A talker's or a listener's part in an exchange. */
export interface Part {
  readonly role: "talker" | "listener";
  /** From 0 in each role. */
  readonly id: number;
}

/** `talker 0`. */
export function partName({ role, id }: Part): string {
  return `${role} ${id}`;
}

/** What a talker or a listener is told. Codecs and datasets cross as names, a user's own data as itself. */
export interface IpcJob extends Part {
  readonly codec: string;
  readonly dataset: string | Dataset;
  readonly int64: Int64Mode | undefined;
  readonly plugins: readonly string[];
  /** Whether to prove every value's round trip before anything is sent. */
  readonly prove: boolean;
  /** Whether to say what the dataset is, too: its hash takes seconds where there are millions of values. */
  readonly describe: boolean;
  readonly talkers: number;
  readonly listeners: number;
  /** Name of the transport, and what follows it. */
  readonly transport: string;
  readonly address: string;
  readonly reliability: Reliability;
  readonly depth: number;
  /** By how much a listener is to be slower with each message, in milliseconds. */
  readonly delayMs: number;
  /** A folder of this exchange alone. */
  readonly folder: string;
  /** What its clock counts from. */
  readonly clockBase: bigint;
}

/** Processor time that one may take, in seconds: a day, so that none outlives its coordinator for ever. */
export const CPU_SECONDS = 24 * 3600;

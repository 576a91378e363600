/** What the published methods repeat. */
import { PUBLISHED_ADDRESS_BOOK, PUBLISHED_ERLANG, type System } from "../../analysis/claims/published.ts";
import type { Benchmark } from "../../model/records/claims.ts";
import type { LoopOperation } from "./loop-job.ts";

/** The loops of one codec on one dataset. */
export interface Part {
  readonly system: System;
  readonly dataset: string;
  readonly operations: readonly LoopOperation[];
}

const TERMS = Object.values(PUBLISHED_ERLANG.terms);

/** What each method repeats. What was published as decoding of the address book reads the fields, in place where that can be. */
export const PARTS: Readonly<Record<Exclude<Benchmark, "interprocess">, readonly Part[]>> = {
  "address-book": PUBLISHED_ADDRESS_BOOK.rows.map(({ system }) => ({
    system,
    dataset: PUBLISHED_ADDRESS_BOOK.dataset,
    operations: ["encode", "access"],
  })),
  "erlang-term": (["etf", "etf-z6", "etf-z9"] as const).flatMap((system) =>
    TERMS.map((dataset) => ({ system, dataset, operations: ["encode", "decode"] as const })),
  ),
  python: [
    { system: "pickle", dataset: "garden", operations: ["empty", "encode", "decode"] },
    { system: "amf3", dataset: "garden", operations: ["empty", "encode", "decode"] },
    { system: "struct", dataset: "packet-small", operations: ["empty", "encode", "decode"] },
    { system: "struct", dataset: "packet", operations: ["encode", "decode"] },
  ],
};

/** What the plugin beside this file measures, and how it compares in truth. */
import type { Dataset } from "../../model/dataset.ts";
import { always, field, schemaOf } from "../../schema/declare.ts";

/** Name of the plugin, and of its codec of known cost: that of its file. */
export const KNOWN_COST = "known-cost";

/**
 * Turns of a call of the codec of known cost: 1 to 1.5 µs on current processors. What a call costs besides (some ns) is
 * less than half a per cent of it.
 */
export const TURNS = 1000;

/** A message for a codec that does not look at it. */
export const NOTHING: Dataset = {
  name: "nothing",
  story: "One number, which is zero.",
  schema: schemaOf("wirebench", [{ name: "wirebench.Nothing", fields: [field(1, "n", "int32", always)] }]),
  values: [{ n: 0 }],
  int64: "number",
};

/** Codecs that are slowed, by turns: they allocate, and V8 compiles them in each process anew. */
export const SLOWED: readonly string[] = ["json", "protobufjs"];

/** What they encode and decode: an address book of one record. */
export const MESSAGE = "tellist:1";

/**
 * How often a call encodes or decodes the message: 20 to 70 µs, the cost of a small list. Work is added by whole messages
 * in each call, and not by whole calls now and then: a batch has too few calls for a share of them, and a median of
 * batches would not see those that come seldom.
 */
export const MESSAGES = 100;

/** Variants that are slower than the codec, and by which share: whole numbers of messages. */
export const SLOWDOWNS: Readonly<Record<string, number>> = {
  plus2: 0.02,
  plus5: 0.05,
  plus10: 0.1,
  plus20: 0.2,
};

/** The variant that is the codec itself: judged as any other codec, unlike the run's own twins. */
const LIKENESS = "same";

/** By which share each variant is slower. */
export const INJECTED: ReadonlyMap<string, number> = new Map([[LIKENESS, 0], ...Object.entries(SLOWDOWNS)]);

/** The plugin's variant of a codec, by which all others of it are measured: `known-cost:json`. */
export function unslowed(codec: string): string {
  return `${KNOWN_COST}:${codec}`;
}

/** Another variant of a codec: `known-cost:json-plus5`. */
export function slowedBy(codec: string, variant: string): string {
  return `${unslowed(codec)}-${variant}`;
}

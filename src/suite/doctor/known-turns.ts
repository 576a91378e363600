import type { Dataset } from "../../model/dataset.ts";
import { always, field, schemaOf } from "../../schema/declare.ts";

/**
 * Turns of a call: 1 to 1.5 µs on current processors, as long as a codec takes for a message of some hundred bytes. A
 * per cent of it is ten turns, so that no slowdown is rounded; what a call costs besides (some ns) is less than half a
 * per cent of it.
 */
export const TURNS = 1000;

/** Variants that are slower than the codec, and by which share. */
export const SLOWDOWNS: Readonly<Record<string, number>> = {
  plus1: 0.01,
  plus2: 0.02,
  plus3: 0.03,
  plus5: 0.05,
};

/**
 * Variants that are the codec itself. The run's own twin cannot be judged: its spread is the gate, and it would be held
 * against itself. These two are judged as any other codec, against a gate in which they have no part.
 */
export const LIKENESSES: readonly string[] = ["same", "again"];

/** Name of the codec: that of its file. */
export const KNOWN_COST = "known-cost";

/** The names of all that is compared with the codec, and by which share it is slower. */
export const INJECTED: ReadonlyMap<string, number> = new Map([
  ...LIKENESSES.map((name) => [`${KNOWN_COST}:${name}`, 0] as const),
  ...Object.entries(SLOWDOWNS).map(([name, share]) => [`${KNOWN_COST}:${name}`, share] as const),
]);

/** A message for a codec that does not look at it. */
export const NOTHING: Dataset = {
  name: "nothing",
  story: "One number, which is zero.",
  schema: schemaOf("wirebench", [{ name: "wirebench.Nothing", fields: [field(1, "n", "int32", always)] }]),
  values: [{ n: 0 }],
  int64: "number",
};

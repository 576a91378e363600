/** What a phase is to begin without: garbage of what came before it, which it would pay for. */
export type Garbage = "all" | "young";

/** Collects all garbage, or that of the youngest objects alone. */
export type Collector = (garbage: Garbage) => void;

/**
 * The collector that `--expose-gc` gives a program; undefined without it. Of V8 alone it is known that it can collect what is young:
 * another engine collects all.
 * @param gc V8 13 takes any argument for a wish to collect what is young
 */
export function collectorOf(gc: ((young?: true) => void) | undefined): Collector | undefined {
  return gc && ((garbage) => (garbage === "all" ? gc() : gc(true)));
}

/**
 * Megabytes of a half of V8's young generation, as large as it gets on 64 bits. It begins with 1 and grows, and a page of memory costs
 * time when it is first written to: calls of v8.deserialize take 20.3 µs there and 14.8 µs from then on, and went from one to
 * the other and back for 120 ms, as long as it grew. A program that has run for a while pays nothing of that.
 */
const HALF_MB = 16;

/** Flag of V8 with which it begins so. */
export const WHOLE_YOUNG_GENERATION = `--min-semi-space-size=${HALF_MB}`;

/** Elements of an array of garbage, 16 KiB. */
const ELEMENTS = 2048;

/** Bytes of an element at least. */
const ELEMENT_BYTES = 8;

const sink: { value: unknown } = { value: undefined };

/** Writes to all of a young generation that began with {@link WHOLE_YOUNG_GENERATION}: both halves, and somewhat more. */
export function touchYoungGeneration(): void {
  const arrays = (2.2 * HALF_MB * 2 ** 20) / (ELEMENTS * ELEMENT_BYTES);
  for (let i = 0; i < arrays; i++) sink.value = new Array(ELEMENTS).fill(i);
  sink.value = undefined;
}

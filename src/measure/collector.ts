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

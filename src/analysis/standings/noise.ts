import type { Noise } from "../../model/records/run.ts";
import { quantile } from "../statistics/location.ts";
import type { RatioEstimate } from "../statistics/ratio.ts";

/** Share of the cells that may be quieter than the spread. */
const QUIETER = 0.25;

/**
 * What a run can tell from noise, from the ratios of the baseline's second measurement to its first: see `Noise` for the
 * definition. Undefined where none of them has an interval. By its lower quartile and not its largest, because every cell
 * has an interval of its own against chance: the gate is there for the quiet ones, whose intervals are so narrow that
 * what differs between any two processes of the same code could pass for a difference of codecs.
 */
export function noiseOf(
  twin: string,
  ratios: readonly RatioEstimate[],
  threshold: number,
): Noise | undefined {
  const differences = ratios.flatMap(({ ratio, ci95 }) => {
    if (ci95 === null) return [];
    return Math.expm1(Math.max(Math.abs(Math.log(ratio)), Math.log(ci95[1] / ci95[0]) / 2));
  });
  if (differences.length === 0) return undefined;
  const spread = quantile(Float64Array.from(differences).sort(), QUIETER);
  return { twin, spread, gate: Math.max(spread, threshold) };
}

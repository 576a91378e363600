/** Where values are in a plot area, and which of them stand beside it. */
import { format } from "d3-format";
import { scaleLinear, scaleLog } from "d3-scale";

/** Where values are along an axis. */
export interface Scale {
  readonly kind: "linear" | "log";
  readonly domain: Interval;
  /** Pixels of a value. */
  at(value: number): number;
  /** Values that are worth a label or a line, at most about so many with a label. */
  ticks(most: number): Tick[];
}

/** From and to. */
export type Interval = readonly [number, number];

/** A value of an axis. */
export interface Tick {
  readonly value: number;
  /** Whether there is a label beside the line. */
  readonly labelled: boolean;
}

/** A scale on which equal differences are equally long. */
export function linearScale(domain: Interval, range: Interval): Scale {
  const scale = scaleLinear(domain, range);
  const ticks = (most: number): Tick[] => labelled(scale.ticks(most));
  return { kind: "linear", domain, at: (value) => scale(value), ticks };
}

/** A scale on which equal ratios are equally long. */
export function logScale(domain: Interval, range: Interval): Scale {
  const scale = scaleLog(domain, range);
  const ticks = (most: number): Tick[] => logTicks(domain, most);
  return { kind: "log", domain, at: (value) => scale(value), ticks };
}

/** How many times the usual value the highest one may be before a linear axis would flatten the usual ones. */
const SPREAD = 8;

/**
 * A scale on which both the usual values and the highest can be told: logarithmic where the highest is far above the
 * usual one, otherwise from zero. Without values it reaches from 0 to 1.
 */
export function valueScale(
  { lowest, usual, highest }: { lowest: number; usual: number; highest: number },
  range: Interval,
): Scale {
  if (lowest > 0 && highest > SPREAD * usual) return logScale([lowest / 1.15, highest * 1.15], range);
  return linearScale([Math.min(0, lowest), highest > 0 ? highest * 1.05 : 1], range);
}

/** Digits before the zeroes of a logarithmic axis's labels, from many to few. */
const DIGITS = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 2, 5], [1, 3], [1]];

/** Decades above which lines between those with labels are too dense, and labels below which the axis is too short for them. */
const MOST_DECADES = 5;
const FEW_LABELS = 5;

function logTicks(domain: Interval, most: number): Tick[] {
  const [low, high] = domain;
  const chosen =
    DIGITS.map((digits) => multiples(digits, domain)).find((ticks) => ticks.length <= most) ??
    everySecond(multiples([1], domain), most);
  // Less than two labels do not tell how long a decade is.
  if (chosen.length < 2) return labelled(scaleLinear([low, high], [0, 1]).ticks(Math.min(most, 4)));
  if (most < FEW_LABELS || Math.log10(high / low) > MOST_DECADES) return labelled(chosen);
  return multiples(DIGITS[0]!, domain).map((value) => ({ value, labelled: chosen.includes(value) }));
}

function multiples(digits: readonly number[], [low, high]: Interval): number[] {
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++)
    for (const digit of digits) {
      // Not digit * 10 ** power, which is 0.30000000000000004 at times.
      const value = Number(`${digit}e${power}`);
      if (value >= low && value <= high) found.push(value);
    }
  return found;
}

function everySecond(values: readonly number[], most: number): readonly number[] {
  return values.length <= most
    ? values
    : everySecond(
        values.filter((_, n) => n % 2 === 0),
        most,
      );
}

function labelled(values: readonly number[]): Tick[] {
  return values.map((value) => ({ value, labelled: true }));
}

/** `0.5`, `20,000`: a number as an axis shows it. */
export const plainLabel: (value: number) => string = format(",~r");

const SI = format("~s");

/** `500 ns`, `2 µs`, `1.5 ms`: nanoseconds as an axis shows them. */
export function timeLabel(nanos: number): string {
  if (nanos === 0) return "0";
  return SI(nanos / 1e9).replace(/[a-zµ]?$/, (prefix) => ` ${prefix}s`);
}

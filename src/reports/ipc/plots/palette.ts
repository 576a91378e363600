/** Colours that stay apart for the colour-blind: Okabe and Ito 2008, without their yellow, which fades on white. */
const COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#7F7F7F"];

/** How the series of a chart are told apart. */
export interface Look {
  readonly colour: string;
  /** Of points. */
  readonly shape: "circle" | "square";
  /** Of lines, as SVG has it; null for a solid one. */
  readonly dash: number[] | null;
}

/** Look of the n-th series: a colour each, and once those are used up another shape. */
export function lookOf(n: number): Look {
  const colour = COLOURS[n % COLOURS.length]!;
  return n % (2 * COLOURS.length) < COLOURS.length
    ? { colour, shape: "circle", dash: null }
    : { colour, shape: "square", dash: [6, 3] };
}

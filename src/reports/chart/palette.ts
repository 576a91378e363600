/**
 * The colours of pictures, on light and on dark. A browser takes them from CSS variables; whatever knows no variables
 * takes the attribute beside the class, which is the light one.
 */

/** A colour, by the name that it has in the style sheet. */
export interface Colour {
  readonly name: string;
  readonly light: string;
  readonly dark: string;
}

const colour = (name: string, light: string, dark: string): Colour => ({ name, light, dark });

/** The background. */
export const PAPER = colour("paper", "#FFFFFF", "#0D1117");
/** Text. */
export const INK = colour("ink", "#222222", "#E6EDF3");
/** Text that matters less. */
export const FAINT_INK = colour("faint-ink", "#5F5F5F", "#9DA7B1");
/** The lines of axes. */
export const AXIS = colour("axis", "#888888", "#7D8590");
/** The lines of the grid. */
export const GRID = colour("grid", "#E6E6E6", "#262D36");
/** A background that sets rows apart. */
export const BAND = colour("band", "#F3F5F7", "#171D25");

// Colours that stay apart for the colour-blind: Okabe and Ito 2008, without their yellow, which fades on white.
export const BLUE = colour("blue", "#0072B2", "#3C9BDC");
export const VERMILION = colour("vermilion", "#D55E00", "#F2813A");
const GREEN = colour("green", "#009E73", "#22B88C");
export const PURPLE = colour("purple", "#CC79A7", "#DB95BC");
export const ORANGE = colour("orange", "#E69F00", "#E8AE2C");
export const SKY = colour("sky", "#56B4E9", "#8FD0F7");
const BLACK = colour("black", "#000000", "#FFFFFF");
const GREY = colour("grey", "#7F7F7F", "#9A9A9A");

/** Text on blue, and on the lighter colours. */
export const ON_BLUE = colour("on-blue", "#FFFFFF", "#000000");
export const ON_COLOUR = colour("on-colour", "#000000", "#000000");

const SERIES = [BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK, GREY];
const ALL = [PAPER, INK, FAINT_INK, AXIS, GRID, BAND, ...SERIES, ON_BLUE, ON_COLOUR];

/** The style sheet of every picture. */
export const STYLE = [
  `:root{color-scheme:light dark;${variables("light")}}`,
  `@media (prefers-color-scheme:dark){:root{${variables("dark")}}}`,
  ...ALL.map(({ name }) => `.f-${name}{fill:var(--${name})}.s-${name}{stroke:var(--${name})}`),
].join("");

function variables(mode: "light" | "dark"): string {
  return ALL.map((one) => `--${one.name}:${one[mode]}`).join(";");
}

/** Attributes that fill a shape. */
export function fill({ name, light }: Colour): { readonly class: string; readonly fill: string } {
  return { class: `f-${name}`, fill: light };
}

/** Attributes that draw a line and fill nothing. */
export function stroke(
  { name, light }: Colour,
  width = 1,
): {
  readonly class: string;
  readonly fill: string;
  readonly stroke: string;
  readonly "stroke-width": number;
} {
  return { class: `s-${name}`, fill: "none", stroke: light, "stroke-width": width };
}

/** How the series of a chart are told apart. */
export interface Look {
  readonly colour: Colour;
  /** Of points. */
  readonly shape: "circle" | "square";
  /** Of lines, as SVG has it; absent for a solid one. */
  readonly dash?: string;
}

/** Look of the n-th series: a colour each, and once those are used up another shape. */
export function lookOf(n: number): Look {
  const own = SERIES[n % SERIES.length]!;
  return n % (2 * SERIES.length) < SERIES.length
    ? { colour: own, shape: "circle" }
    : { colour: own, shape: "square", dash: "6,3" };
}

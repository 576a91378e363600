/** The size of a message against the time of both ends, and the codecs that no other beats on both. */
import { choicesOf, gateOf, type LinkChoice } from "../../analysis/link/choices.ts";
import { paretoFront } from "../../analysis/link/crossovers.ts";
import type { Drawing } from "../chart/figure.ts";
import { bottomAxis, drawFigure, leftAxis, type PlotArea, plotArea } from "../chart/figure.ts";
import { type Line, type Named, nearestOf, placeNames } from "../chart/label-places.ts";
import { curve, disc, type Point, uprights } from "../chart/marks.ts";
import { BLUE, FAINT_INK, INK, ORANGE } from "../chart/palette.ts";
import { linearScale, plainLabel, type Scale, timeLabel, valueScale } from "../chart/scale.ts";
import { drawable, element, type Svg, text, widthOf } from "../chart/svg.ts";
import { counted, formatNanos } from "../units.ts";
import type { DatasetView } from "../view.ts";

/** What a codec is to the Pareto front. */
const FRONT = { label: "on the Pareto front", colour: BLUE };
const NEAR = { label: "perhaps on it (noise)", colour: ORANGE };
const BEATEN = { label: "beaten on both", colour: FAINT_INK };

/** Pixels that the plot area is higher for every codec, so that there is room for the names of many. */
const PER_CODEC = 15;
/** How much wider bold letters are at most. */
const BOLD = 1.1;

/** What is drawn of a codec. */
interface Spot extends Named {
  readonly choice: LinkChoice;
  readonly name: string;
  readonly kind: typeof FRONT;
  /** The 95 % interval of its time, as far as it is in the plot area. */
  readonly interval: Line;
}

/** Size against time of a dataset's messages, without compression; undefined for fewer than two codecs. */
export function sizeTimePlot({ name: dataset, run: { record } }: DatasetView): Drawing | undefined {
  const choices = choicesOf(record, dataset).filter(({ compression }) => compression === null);
  if (choices.length < 2) return undefined;
  const area = plotArea({ left: 84, right: 186, content: choices.length * PER_CODEC });
  const x = scaleOf(
    choices.map(({ bytes }) => bytes),
    [0, area.width],
  );
  const y = scaleOf(
    choices.map(({ nanos }) => nanos),
    [area.height, 0],
  );
  const spots = spotsOf(choices, gateOf(record), { x, y, area });
  const best = spots.filter(({ kind }) => kind === FRONT);
  const front = staircase(best, area);
  const kinds = [FRONT, NEAR, BEATEN].filter((kind) => spots.some((spot) => spot.kind === kind));
  const log = ({ kind }: Scale): string => (kind === "log" ? " (log scale)" : "");
  const timeAxis = { label: timeLabel, title: `encode + decode${log(y)}` };
  const sizeAxis = { label: plainLabel, title: `bytes per message${log(x)}` };
  return {
    title: `Size against time on ${dataset}: no codec beats ${best.map(wordsOf).join(", ")}`,
    svg: drawFigure({
      title: "Size against time",
      subject: `dataset ${drawable(dataset, 60)} · encode and decode of one message · towards the lower left is better`,
      reading: "No other codec beats those on the line in both; upright lines are 95 % intervals",
      description: spots.map((spot) => `${wordsOf(spot)}: ${spot.kind.label}`).join("; "),
      legend: kinds.map((kind) => ({ ...kind, shape: "circle" })),
      area,
      marks: [
        leftAxis({ ...timeAxis, scale: y, ticks: y.ticks(Math.floor(area.height / 40)) }, area),
        bottomAxis({ ...sizeAxis, scale: x, ticks: x.ticks(9) }, area),
        curve(front, { colour: BLUE, dash: "5,4", width: 1 }),
        ...spots.map(({ kind, interval: [from, to] }) =>
          uprights([{ x: from.x, from: from.y, to: to.y }], kind.colour, 0.45),
        ),
        ...spots.map((spot) =>
          element("g", { "data-codec": drawable(spot.choice.codec, 400) }, disc(spot, spot.kind.colour)),
        ),
        ...drawNames(spots, area, front),
      ],
    }),
  };
}

/** Logarithmic where the highest is many times the lowest; else from zero, unless that would squeeze all to one side. */
function scaleOf(values: readonly number[], range: readonly [number, number]): Scale {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  if (lowest === highest || lowest < highest / 2)
    return valueScale({ lowest, usual: lowest, highest }, range);
  const aside = (highest - lowest) * 0.25;
  return linearScale([lowest - aside, highest + aside], range);
}

/** Those of the front first: their names get the best places. */
function spotsOf(
  choices: readonly LinkChoice[],
  gate: number,
  { x, y, area }: { x: Scale; y: Scale; area: PlotArea },
): Spot[] {
  const front = paretoFront(choices, gate);
  const onFront = front.choices.map(({ choice }) => choice);
  const spots = choices.map((choice): Spot => {
    const kind = onFront.includes(choice) ? FRONT : front.near.includes(choice) ? NEAR : BEATEN;
    const name = drawable(choice.codec, 28);
    const at = x.at(choice.bytes);
    const [low, high] = choice.codecCi95 ?? [choice.nanos, choice.nanos];
    const from = low > 0 || y.kind === "linear" ? Math.min(area.height, y.at(low)) : area.height;
    return {
      x: at,
      y: y.at(choice.nanos),
      width: widthOf(name) * (kind === FRONT ? BOLD : 1),
      choice,
      name,
      kind,
      interval: [
        { x: at, y: from },
        { x: at, y: Math.max(0, y.at(high)) },
      ],
    };
  });
  return spots.sort((a, b) => Number(b.kind === FRONT) - Number(a.kind === FRONT));
}

/** The line above and to the right of which every codec is beaten by one of the front. */
function staircase(front: readonly Spot[], { width }: PlotArea): Point[] {
  const sorted = front.toSorted((a, b) => a.x - b.x);
  return sorted.flatMap(({ x, y }, n) => [
    { x, y: sorted[n - 1]?.y ?? 0 },
    { x, y },
    ...(n === sorted.length - 1 ? [{ x: width, y }] : []),
  ]);
}

function drawNames(spots: readonly Spot[], { width, height }: PlotArea, front: readonly Point[]): Svg[] {
  const lines = [
    ...spots.map(({ interval }) => interval),
    ...front.slice(1).map((to, n): Line => [front[n]!, to]),
  ];
  const bounds = { left: 2, right: width, top: 2, bottom: height - 2 };
  return placeNames(spots, bounds, lines).flatMap((place, n) => {
    if (place === undefined) return [];
    const { name, kind, ...point } = spots[n]!;
    const { box, far } = place;
    // The end of the text that is nearer to the point is where it is meant to be, however wide the font is.
    const [at, anchor] =
      box.left >= point.x
        ? ([box.left, "start"] as const)
        : box.right <= point.x
          ? ([box.right, "end"] as const)
          : ([(box.left + box.right) / 2, "middle"] as const);
    const style = { anchor, colour: kind === BEATEN ? FAINT_INK : INK, bold: kind === FRONT, rim: true };
    const words = text(name, at, (box.top + box.bottom) / 2, style);
    return far ? [curve([point, nearestOf(box, point)], { colour: FAINT_INK, width: 0.6 }), words] : [words];
  });
}

function wordsOf({ choice: { codec, bytes, nanos } }: Spot): string {
  return `${codec} (${counted(bytes, "byte")}, ${formatNanos(nanos)})`;
}

/** What a study swept, as lines: time by how many records there are, and by how many of them are read. */
import type { GrowthStudy } from "../../analysis/growth-study.ts";
import type { Amount, ReadsStudy, Time } from "../../analysis/reads-study.ts";
import { bottomAxis, type Drawing, drawFigure, leftAxis, plotArea } from "../chart/figure.ts";
import { curve, dots, uprights } from "../chart/marks.ts";
import { type Look, lookOf } from "../chart/palette.ts";
import { linearScale, logScale, plainLabel, type Scale, type Tick, timeLabel } from "../chart/scale.ts";
import { drawable, element, type Svg } from "../chart/svg.ts";
import { formatChosenShare, formatCount, formatNanos, formatRecords } from "../units.ts";

/** A codec's line, from left to right. */
interface Line {
  readonly codec: string;
  /** Stands beside the codec's name. */
  readonly mark: string;
  readonly dash?: string;
  readonly points: readonly LinePoint[];
}

/** A time, at a place of the lower axis. */
interface LinePoint extends Time {
  readonly at: number;
}

/** The axis below the lines. */
interface Below {
  readonly scale: (range: readonly [number, number]) => Scale;
  readonly ticks?: readonly Tick[];
  readonly label: (value: number) => string;
  readonly title: string;
}

/** The words around the lines. */
interface Words {
  readonly title: string;
  readonly subject: string;
  readonly reading: string;
  /** Of the axis beside the lines. */
  readonly time: string;
}

/** Time per record of one operation, by the number of records; undefined where no line has two points. */
export function growthPlot(
  { dataset, unit, rows, sizes }: GrowthStudy,
  operation: string,
): Drawing | undefined {
  const lines = rows
    .filter((row) => row.operation === operation)
    .map(({ codec, points }) => ({
      codec,
      mark: "",
      points: points.map(({ size, nanos, ci95 }) => ({
        at: size,
        nanos: nanos / size,
        ci95: ci95 && ([ci95[0] / size, ci95[1] / size] as const),
      })),
    }));
  const ends = [sizes[0] ?? 1, sizes.at(-1) ?? 1] as const;
  return linesPlot(
    lines,
    { scale: (range) => logScale(ends, range), label: plainLabel, title: `${unit} (log scale)` },
    {
      title: `${operation} of ${drawable(dataset, 60)} by size`,
      subject: `time divided by the number of ${drawable(unit, 40)}, and its 95 % interval · less is better`,
      reading:
        "A level line is linear growth; one that rises is worse than linear, one that falls has a fixed cost",
      time: "time of each (log scale)",
    },
    (at) => `${formatCount(at)}: `,
  );
}

/** Time by how much of a message is read, of each record all fields; undefined where no line has two points. */
export function readsPlot({ dataset, amounts, codecs }: ReadsStudy): Drawing | undefined {
  // Of a single record, it is the fields that are swept.
  const byRecords = amounts.some(({ records }) => records > 0 && records < 1);
  const most = Math.max(...amounts.map(({ fields }) => fields));
  const swept: readonly Amount[] = byRecords
    ? amounts.filter(({ records, fields }) => records === 0 || fields === most)
    : amounts;
  const lines = codecs.map(({ codec, inPlace, times }) => ({
    codec,
    mark: inPlace ? " *" : "",
    ...(!inPlace && { dash: "4,3" }),
    points: swept.flatMap(({ operation }, at) => {
      const time = times.get(operation);
      return time === undefined ? [] : [{ ...time, at }];
    }),
  }));
  const words = swept.map((amount) => (byRecords ? formatRecords(amount) : formatChosenShare(amount.fields)));
  return linesPlot(
    lines,
    {
      scale: (range) => linearScale([0, Math.max(1, swept.length - 1)], range),
      ticks: swept.map((_, value) => ({ value, labelled: true })),
      label: (at) => words[at] ?? "",
      title: byRecords ? "records that are read" : "fields that are read",
    },
    {
      title: `Parts of ${drawable(dataset, 60)}`,
      subject: "time to read a part of the message from its bytes, and its 95 % interval · less is better",
      reading: "Solid lines and *: what is asked for is taken from the bytes; dashed: everything is decoded",
      time: "time (log scale)",
    },
    (at) => `${words[at]} `,
  );
}

/** @param said what stands before a time in the description */
function linesPlot(
  given: readonly Line[],
  below: Below,
  words: Words,
  said: (at: number) => string,
): Drawing | undefined {
  // A time of 0 has no place on a logarithmic axis.
  const lines = given
    .map((line) => ({ ...line, points: line.points.filter(({ nanos }) => nanos > 0) }))
    .filter(({ points }) => points.length > 0);
  const all = lines.flatMap(({ points }) => points);
  if (!lines.some(({ points }) => points.length > 1)) return undefined;
  const area = plotArea({ left: 84, entries: lines.length });
  const times = all.map(({ nanos }) => nanos);
  const y = logScale([Math.min(...times) / 1.2, Math.max(...times) * 1.2], [area.height, 0]);
  const x = below.scale([0, area.width]);
  const { time, ...text } = words;
  return {
    title: words.title,
    svg: drawFigure({
      ...text,
      description: lines.map((line) => described(line, said)).join("; "),
      legend: lines.map(({ codec, mark }, n) => ({ ...lookOf(n), label: `${codec}${mark}` })),
      area,
      marks: [
        leftAxis({ scale: y, ticks: y.ticks(8), label: timeLabel, title: time }, area),
        bottomAxis({ ...below, scale: x, ticks: below.ticks ?? x.ticks(9) }, area),
        ...lines.map((line, n) => drawLine(line, lookOf(n), x, y)),
      ],
    }),
  };
}

function described({ codec, mark, points }: Line, said: (at: number) => string): string {
  return `${codec}${mark}: ${points.map(({ at, nanos }) => `${said(at)}${formatNanos(nanos)}`).join(", ")}`;
}

function drawLine({ codec, dash, points }: Line, look: Look, x: Scale, y: Scale): Svg {
  const [low, high] = y.domain;
  const within = (nanos: number): number => y.at(Math.min(high, Math.max(low, nanos)));
  const placed = points.map((point) => ({ ...point, x: x.at(point.at), y: y.at(point.nanos) }));
  return element(
    "g",
    { "data-codec": drawable(codec, 400) },
    uprights(
      placed.flatMap(({ x: at, ci95 }) =>
        ci95 === null ? [] : [{ x: at, from: within(ci95[0]), to: within(ci95[1]) }],
      ),
      look.colour,
      0.6,
    ),
    curve(placed, { colour: look.colour, dash, width: 1.5 }),
    dots(placed, look, 7),
  );
}

/** Published ratios beside measured ones, on a logarithmic axis: a row for each comparison of each claim. */
import type { ClaimPart, ClaimResult, ClaimsRecord, Side } from "../../model/records/claims.ts";
import { bottomAxis, type Drawing, drawFigure, type PlotArea, WIDTH } from "../chart/figure.ts";
import { bar, curve, diamond, disc } from "../chart/marks.ts";
import { AXIS, BAND, BLUE, type Colour, FAINT_INK, INK, VERMILION } from "../chart/palette.ts";
import { logScale, plainLabel, type Scale } from "../chart/scale.ts";
import { drawable, type Svg, text } from "../chart/svg.ts";
import { formatRatio } from "../units.ts";

/** Pixels of a row, and of a side's place in it, from its middle. */
const ROW = 26;
const APART: Readonly<Record<Side, number>> = { native: -5, typescript: 5 };
const COLOURS: Readonly<Record<Side, Colour>> = { native: VERMILION, typescript: BLUE };

/** Characters of a row's name. */
const NAME = 58;

interface Row {
  readonly id: string;
  readonly what: string;
  readonly published: readonly number[];
  readonly measured: readonly { readonly side: Side; readonly part: ClaimPart }[];
}

/** The chart of a record; undefined where no ratio was measured. */
export function claimsPlot(record: ClaimsRecord): Drawing | undefined {
  const rows = rowsOf(record);
  if (rows.length === 0) return undefined;
  const ends = rows.flatMap(({ published, measured }) => [
    ...published,
    ...measured.flatMap(({ part }) => [part.ratio!, ...(part.ci95 ?? [])]),
  ]);
  const drawn = ends.filter((end) => end > 0 && Number.isFinite(end));
  const area: PlotArea = {
    left: 420,
    top: 92,
    right: 24,
    bottom: 50,
    width: WIDTH - 444,
    height: rows.length * ROW,
  };
  const x = logScale([Math.min(1, ...drawn) / 1.2, Math.max(1, ...drawn) * 1.2], [0, area.width]);
  const one = x.at(1);
  return {
    title: "Published and measured ratios of each claim, on a logarithmic axis",
    svg: drawFigure({
      title: "Published claims on this machine",
      subject: `${record.claims.length} claims, profile ${record.options.profile}`,
      reading:
        "diamond: published; point and line: measured here with the 95 % interval, red the originals, blue TypeScript; 1: no difference",
      description: rows.map(describe).join("; "),
      legend: [],
      area,
      marks: [
        ...bands(rows, area),
        bottomAxis(
          {
            scale: x,
            ticks: x.ticks(Math.floor(area.width / 60)),
            label: plainLabel,
            title: "ratio (log scale)",
          },
          area,
        ),
        curve(
          [
            { x: one, y: 0 },
            { x: one, y: area.height },
          ],
          { colour: AXIS, width: 1.5 },
        ),
        ...rows.flatMap((row, n) => drawRow(row, (n + 0.5) * ROW, x)),
      ],
    }),
  };
}

function rowsOf({ claims }: ClaimsRecord): Row[] {
  return claims.flatMap(({ id, results }) => {
    const rows = new Map<string, Row>();
    for (const { result, part } of results.flatMap((one) =>
      one.parts.map((part) => ({ result: one, part })),
    )) {
      if (!isDrawable(part)) continue;
      const what = result.dataset === undefined ? part.what : `${part.what}, ${result.dataset}`;
      const known = rows.get(what) ?? { id, what, published: part.published, measured: [] };
      rows.set(what, { ...known, measured: [...known.measured, sided(result, part)] });
    }
    return [...rows.values()];
  });
}

function sided({ side }: ClaimResult, part: ClaimPart): Row["measured"][number] {
  return { side, part };
}

function isDrawable({ ratio }: ClaimPart): boolean {
  return ratio !== undefined && ratio > 0 && Number.isFinite(ratio);
}

/** A background behind every other claim. */
function bands(rows: readonly Row[], { left, width }: PlotArea): Svg[] {
  const ids = [...new Set(rows.map(({ id }) => id))];
  return rows.flatMap(({ id }, n) =>
    ids.indexOf(id) % 2 === 0
      ? [bar({ left: 8 - left, right: width + 16, top: n * ROW, bottom: (n + 1) * ROW }, BAND)]
      : [],
  );
}

function drawRow({ id, what, published, measured }: Row, y: number, x: Scale): Svg[] {
  return [
    text(drawable(id, NAME), -12, y - 6, { anchor: "end" }),
    text(drawable(what, NAME), -12, y + 6, { anchor: "end", size: 10, colour: FAINT_INK }),
    ...published.map((ratio) => diamond({ x: x.at(ratio), y }, INK, 5)),
    ...measured.flatMap(({ side, part: { ratio, ci95 } }) => {
      const at = y + APART[side];
      const line = (ci95 ?? []).map((end) => ({ x: x.at(Math.max(end, x.domain[0])), y: at }));
      return [
        ...(line.length === 0 ? [] : [curve(line, { colour: COLOURS[side], width: 2 })]),
        disc({ x: x.at(ratio!), y: at }, COLOURS[side], 4),
      ];
    }),
  ];
}

function describe({ id, what, published, measured }: Row): string {
  const here = measured.map(({ side, part }) => `${side} ${formatRatio(part.ratio!)}`).join(", ");
  const before = published.length === 0 ? "no figure" : published.map(formatRatio).join(" and ");
  return `${id}, ${what}: published ${before}, measured ${here}`;
}

import {
  type GrowthRow,
  type GrowthStudy,
  growthStudies,
  LEAST_SIZES,
  type SizePoint,
} from "../../../analysis/growth-study.ts";
import type { RunRecord } from "../../../model/records/run.ts";
import { bulletList, oneLine } from "../../escape.ts";
import type { Pictured, StudySection } from "../../picture.ts";
import { type Column, left, markdownTable, right, type Table, tableOf, textTable } from "../../table.ts";
import { formatCount, formatMeanBytes, formatMebibytes, formatNanos } from "../../units.ts";

/** What a study of sizes found, as blocks of Markdown with their headings; empty for a record of anything else. */
export function sizeStudySections(record: RunRecord, pictured: Pictured = () => []): string[] {
  return growthStudies(record).flatMap((study) => [
    `## ${oneLine(study.dataset)} in several sizes`,
    `Time, bytes and memory are for one ${one(study)} of a message; exponent is the power of the number of ${study.unit} as
which time grows over all sizes, with its 95 % interval: 1 is linear, and less means that something does not grow at all.
The last column has the power between the two largest sizes.`,
    ...pictured(study.dataset, "growth"),
    ...operationsOf(study).flatMap((operation) => [
      `### ${operation}`,
      markdownTable(timeTable(study, operation)),
      ...figure(study, operation, `Heap bytes per ${one(study)}:`, heapOf),
      ...figure(study, operation, "First call in a process, of a whole message:", firstOf),
    ]),
    `### Bytes per ${one(study)}`,
    markdownTable(figureTable(study, rowsByCodec(study), bytesOf)),
    ...withAny(study, rowsByCodec(study), `### Most memory of a process, MiB`, peakOf),
    `### Growth`,
    ...bulletList(growthLines(study)),
  ]);
}

/** The studies of sizes of a record: what is worse than linear, and tables. */
export function sizeStudies(record: RunRecord): StudySection[] {
  return growthStudies(record).map((study) => ({
    dataset: study.dataset,
    section: "growth",
    title: `${oneLine(study.dataset)} in several sizes`,
    lines: growthLines(study).map(oneLine),
    tables: [
      ...operationsOf(study).map((operation) => ({
        title: `${operation}, time per ${one(study)} by number of ${study.unit}`,
        table: timeTable(study, operation),
      })),
      { title: `Bytes per ${one(study)}`, table: figureTable(study, rowsByCodec(study), bytesOf) },
    ],
  }));
}

/** The same in short, as text: times, bytes and what is worse than linear. */
export function sizeStudyText(record: RunRecord, columns?: number): string[] {
  return growthStudies(record).flatMap((study) => [
    ...operationsOf(study).map(
      (operation) =>
        `${oneLine(study.dataset)}: ${operation}, time per ${one(study)} by number of ${study.unit}\n\n${textTable(timeTable(study, operation), columns)}`,
    ),
    `${oneLine(study.dataset)}: bytes per ${one(study)}\n\n${textTable(figureTable(study, rowsByCodec(study), bytesOf), columns)}`,
    growthLines(study).map(oneLine).join("\n"),
    "The Markdown report has first calls, heap bytes and the most memory of a process by size too.",
  ]);
}

/** Sentences that name what is worse than linear, and what cannot be said. */
export function growthLines(study: GrowthStudy): string[] {
  const worse = study.rows.flatMap(({ operation, codec, worse: found }) =>
    found.map(
      ({ from, to, exponent, ci95 }) =>
        `${operation} of ${codec} grows as n^${power(exponent)} between ${formatCount(from)} and ${formatCount(to)} ${study.unit} (95 % interval ${ci95.map(power).join(" to ")})`,
    ),
  );
  if (study.sizes.length < LEAST_SIZES) {
    return [
      `No exponents: they take ${LEAST_SIZES} sizes or more, got ${study.sizes.map(formatCount).join(" and ")}`,
      ...worse,
    ];
  }
  const unfit = study.rows
    .filter(({ growth }) => growth === null)
    .map(
      ({ operation, codec, points }) =>
        `${operation} of ${codec}: no exponent: ${points.length < LEAST_SIZES ? `measured at ${points.length} of ${study.sizes.length} sizes` : "it took no time that can be measured"}`,
    );
  const none = worse.length === 0 && study.rows.some(({ growth }) => growth !== null);
  return [...(none ? ["Nothing grows faster than linear beyond doubt"] : worse), ...unfit];
}

function timeTable(study: GrowthStudy, operation: string): Table {
  const [before, last] = study.sizes.slice(-2);
  const step = study.sizes.length < 2 ? "–" : `${formatCount(before ?? 0)} to ${formatCount(last ?? 0)}`;
  return tableOf(rowsOf(study, operation), [
    left("codec", ({ codec }) => codec),
    ...sizeColumns(study, timeOf),
    right("exponent", ({ growth }) => (growth === null ? "–" : power(growth.exponent))),
    right("95 % interval", ({ growth }) => growth?.ci95?.map(power).join(" to ")),
    right(step, (row) => lastStep(row, before, last)),
  ]);
}

function lastStep({ points }: GrowthRow, before: number | undefined, last: number | undefined): string {
  const [from, to] = [before, last].map((size) => points.find((point) => point.size === size));
  if (from === undefined || to === undefined || !(from.nanos > 0) || !(to.nanos > 0)) return "–";
  return power(Math.log(to.nanos / from.nanos) / Math.log(to.size / from.size));
}

/** What a table of figures shows of a point; undefined where it was not measured. */
type Figure = (point: SizePoint) => string | undefined;

const timeOf: Figure = ({ nanos, size }) => formatNanos(nanos / size);
const bytesOf: Figure = ({ bytes, size }) => formatMeanBytes(bytes / size);
const heapOf: Figure = ({ heapBytes, size }) =>
  heapBytes === undefined ? undefined : formatMeanBytes(heapBytes / size);
const firstOf: Figure = ({ firstCallNanos }) =>
  firstCallNanos === undefined ? undefined : formatNanos(firstCallNanos);
const peakOf: Figure = ({ peakBytes }) => (peakBytes === undefined ? undefined : formatMebibytes(peakBytes));

function figure(study: GrowthStudy, operation: string, title: string, of: Figure): string[] {
  return withAny(study, rowsOf(study, operation), title, of);
}

/** A titled table, unless there is nothing in it. */
function withAny(study: GrowthStudy, rows: readonly GrowthRow[], title: string, of: Figure): string[] {
  const any = rows.some(({ points }) => points.some((point) => of(point) !== undefined));
  return any ? [title, markdownTable(figureTable(study, rows, of))] : [];
}

function figureTable(study: GrowthStudy, rows: readonly GrowthRow[], of: Figure): Table {
  return tableOf(rows, [left("codec", ({ codec }) => codec), ...sizeColumns(study, of)]);
}

/** A column for each size. */
function sizeColumns({ sizes }: GrowthStudy, of: Figure): Column<GrowthRow>[] {
  return sizes.map((size) =>
    right(formatCount(size), ({ points }) => {
      const point = points.find((one) => one.size === size);
      return (point === undefined ? undefined : of(point)) ?? "–";
    }),
  );
}

function rowsOf({ rows }: GrowthStudy, operation: string): GrowthRow[] {
  return rows.filter((row) => row.operation === operation);
}

/** A row for each codec, with the points of all of its operations: what a point says of the codec, each says. */
function rowsByCodec({ rows }: GrowthStudy): GrowthRow[] {
  const codecs = [...new Set(rows.map(({ codec }) => codec))];
  return codecs.flatMap((codec) => {
    const own = rows.filter((row) => row.codec === codec);
    return own.slice(0, 1).map((row) => ({ ...row, points: own.flatMap(({ points }) => points) }));
  });
}

function operationsOf({ rows }: GrowthStudy): string[] {
  return [...new Set(rows.map(({ operation }) => operation))];
}

/** "record" for "records", "byte of text" for "bytes of text". */
function one({ unit }: GrowthStudy): string {
  return oneLine(unit).replace(/^(\w+)s\b/, "$1");
}

function power(exponent: number): string {
  return exponent.toFixed(2);
}

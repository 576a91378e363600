import {
  type Amount,
  type ReadsCrossover,
  type ReadsStudy,
  readsStudies,
} from "../../../analysis/reads-study.ts";
import type { RunRecord } from "../../../model/records/run.ts";
import { oneLine } from "../../escape.ts";
import type { Pictured, StudySection } from "../../picture.ts";
import { left, markdownTable, right, type Table, tableOf, textTable } from "../../table.ts";
import { formatChosenShare, formatNanos, formatRatio, formatRecords } from "../../units.ts";

/** What a study of partial reads found, as blocks of Markdown; empty for a record of anything else. */
export function readsStudySections(record: RunRecord, pictured: Pictured = () => []): string[] {
  return readsStudies(record).flatMap((study) => [
    `## Parts of ${oneLine(study.dataset)}`,
    `Time to read a share of the message from its bytes: some of the records, and of each some of the fields. Codecs with an
asterisk take it from the bytes; the others decode everything and visit what is asked for.`,
    ...pictured(study.dataset, "reads"),
    markdownTable(shareTable(study)),
    ...(study.crossovers.length === 0
      ? ["No codec reads this message in place."]
      : [
          `Up to which share of the message reading in place takes less time than decoding it, as more of the records are
read, or of the fields where there is one record. Between the shares that were measured it is a straight line; in brackets are those beyond which the 95 % intervals of the
two do not overlap.`,
          markdownTable(crossoverTable(study)),
        ]),
  ]);
}

/** The studies of partial reads of a record, as tables. */
export function partialReads(record: RunRecord): StudySection[] {
  return readsStudies(record).map((study) => ({
    dataset: study.dataset,
    section: "reads",
    title: `Parts of ${oneLine(study.dataset)}`,
    lines: [],
    tables: [
      { title: "Time by share of the message that is read; * in place", table: shareTable(study) },
      ...(study.crossovers.length === 0
        ? []
        : [{ title: "In place takes less time up to this share", table: crossoverTable(study) }]),
    ],
  }));
}

/** The same as sections of text. */
export function readsStudyText(record: RunRecord, columns?: number): string[] {
  return readsStudies(record).flatMap((study) => [
    `${oneLine(study.dataset)}: time by share of the message that is read; * in place\n\n${textTable(shareTable(study), columns)}`,
    ...(study.crossovers.length === 0
      ? []
      : [`in place takes less time up to this share\n\n${textTable(crossoverTable(study), columns)}`]),
  ]);
}

/** A row of a study: an amount that was read, or, without one, everything decoded. */
type SharedRow = Amount | undefined;

function shareTable({ amounts, codecs }: ReadsStudy): Table {
  return tableOf<SharedRow>(
    [...amounts, undefined],
    [
      right("share", (amount) => (amount === undefined ? "decode" : formatChosenShare(amount.share))),
      right("records", (amount) => (amount === undefined ? "" : formatRecords(amount))),
      right("fields", (amount) => (amount === undefined ? "" : formatChosenShare(amount.fields))),
      ...codecs.map(({ codec, inPlace, times, decode }) =>
        right<SharedRow>(inPlace ? `${codec} *` : codec, (amount) =>
          timeText((amount === undefined ? decode : times.get(amount.operation))?.nanos),
        ),
      ),
    ],
  );
}

function crossoverTable({ crossovers }: ReadsStudy): Table {
  return tableOf(crossovers, [
    left("codec", ({ codec }) => codec),
    right("fields of each record", ({ fields }) => formatChosenShare(fields)),
    left("compared with", ({ codec, against }) =>
      against === codec ? "its own decode" : `${against}, the fastest that decodes all`,
    ),
    left("in place takes less time", outcomeText),
  ]);
}

/** "up to about 38 % of the message (between 25 % and 50 %)". */
export function outcomeText({ outcome }: ReadsCrossover): string {
  switch (outcome.kind) {
    case "always":
      return `always: still ${formatRatio(outcome.factor)} x faster at ${formatChosenShare(outcome.share)}`;
    case "never":
      return `never: ${formatRatio(outcome.factor)} x slower already where the least is read`;
    case "crossover":
      return `up to about ${formatChosenShare(outcome.share)} of the message (${betweenText(outcome.between)})`;
    case "undecided": {
      const known = [
        ...(outcome.wins === null ? [] : [`up to ${formatChosenShare(outcome.wins)}`]),
        ...(outcome.loses === null ? [] : [`not from ${formatChosenShare(outcome.loses)} on`]),
      ];
      return [...known, known.length === 0 ? "cannot be told" : "otherwise it cannot be told"].join("; ");
    }
  }
}

function betweenText([from, to]: readonly [number | null, number | null]): string {
  if (from !== null && to !== null) return `between ${formatChosenShare(from)} and ${formatChosenShare(to)}`;
  if (from !== null) return `above ${formatChosenShare(from)}`;
  return to === null ? "within the noise" : `below ${formatChosenShare(to)}`;
}

function timeText(nanos: number | undefined): string {
  return nanos === undefined ? "–" : formatNanos(nanos);
}

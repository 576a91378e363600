import {
  type Amount,
  type ReadsCrossover,
  type ReadsStudy,
  readsStudies,
} from "../../analysis/reads-study.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { oneLine } from "../escape.ts";
import { markdownTable, type Table, textTable } from "../table.ts";
import { formatNanos, formatRatio } from "../units.ts";

/** What a study of partial reads found, as blocks of Markdown; empty for a record of anything else. */
export function readsStudySections(record: RunRecord): string[] {
  return readsStudies(record).flatMap((study) => [
    `## Parts of ${oneLine(study.dataset)}`,
    `Time to read a share of the message from its bytes: some of the records, and of each some of the fields. Codecs with an
asterisk take it from the bytes; the others decode everything and visit what is asked for.`,
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

/** The same as sections of text. */
export function readsStudyText(record: RunRecord): string[] {
  return readsStudies(record).flatMap((study) => [
    `${oneLine(study.dataset)}: time by share of the message that is read; * in place\n\n${textTable(shareTable(study))}`,
    ...(study.crossovers.length === 0
      ? []
      : [`in place takes less time up to this share\n\n${textTable(crossoverTable(study))}`]),
  ]);
}

function shareTable({ amounts, codecs }: ReadsStudy): Table {
  return {
    columns: [
      ...["share", "records", "fields"].map(right),
      ...codecs.map(({ codec, inPlace }) => right(inPlace ? `${codec} *` : codec)),
    ],
    rows: [
      ...amounts.map((amount) => [
        formatPercent(amount.share),
        recordsText(amount),
        formatPercent(amount.fields),
        ...codecs.map(({ times }) => timeText(times.get(amount.operation)?.nanos)),
      ]),
      ["decode", "", "", ...codecs.map(({ decode }) => timeText(decode?.nanos))],
    ],
  };
}

function crossoverTable({ crossovers }: ReadsStudy): Table {
  return {
    columns: [
      { heading: "codec", align: "left" },
      right("fields of each record"),
      { heading: "compared with", align: "left" },
      { heading: "in place takes less time", align: "left" },
    ],
    rows: crossovers.map((crossover) => [
      crossover.codec,
      formatPercent(crossover.fields),
      crossover.against === crossover.codec
        ? "its own decode"
        : `${crossover.against}, the fastest that decodes all`,
      outcomeText(crossover),
    ]),
  };
}

/** "up to about 38 % of the message (between 25 % and 50 %)". */
export function outcomeText({ outcome }: ReadsCrossover): string {
  switch (outcome.kind) {
    case "always":
      return `always: still ${formatRatio(outcome.factor)} x faster at ${formatPercent(outcome.share)}`;
    case "never":
      return `never: ${formatRatio(outcome.factor)} x slower already where the least is read`;
    case "crossover":
      return `up to about ${formatPercent(outcome.share)} of the message (${betweenText(outcome.between)})`;
    case "undecided": {
      const known = [
        ...(outcome.wins === null ? [] : [`up to ${formatPercent(outcome.wins)}`]),
        ...(outcome.loses === null ? [] : [`not from ${formatPercent(outcome.loses)} on`]),
      ];
      return [...known, known.length === 0 ? "cannot be told" : "otherwise it cannot be told"].join("; ");
    }
  }
}

function betweenText([from, to]: readonly [number | null, number | null]): string {
  if (from !== null && to !== null) return `between ${formatPercent(from)} and ${formatPercent(to)}`;
  if (from !== null) return `above ${formatPercent(from)}`;
  return to === null ? "within the noise" : `below ${formatPercent(to)}`;
}

function recordsText({ records, fields }: Amount): string {
  if (records === 0) return "the first";
  if (fields === 0) return "none";
  return records === 1 ? "all" : `1 in ${Math.round(1 / records)}`;
}

/** `0 %`, `1.3 %`, `25 %`. */
function formatPercent(share: number): string {
  const percent = share * 100;
  return `${percent < 9.95 ? Number(percent.toFixed(1)) : percent.toFixed(0)} %`;
}

function timeText(nanos: number | undefined): string {
  return nanos === undefined ? "–" : formatNanos(nanos);
}

function right(heading: string): { heading: string; align: "right" } {
  return { heading, align: "right" };
}

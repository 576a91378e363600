/** The history of cells as Markdown, and as a page. */
import {
  type CellLine,
  type Change,
  type History,
  type HistoryPoint,
  latestChange,
} from "../analysis/history.ts";
import { bulletList, oneLine } from "./escape.ts";
import { figure, fold, htmlPage, list, scrolled, tableElement } from "./page/document.ts";
import { h } from "./page/html.ts";
import { historyPlot } from "./pictures/history-plot.ts";
import { left, markdownTable, right, type Table, tableOf } from "./table.ts";
import { formatChange, formatNanos, formatSpread } from "./units.ts";

/** Stands before a time that is not to be compared with the one before it. */
const BROKEN = "‖";

/** The history of cells as Markdown: a table for each dataset and operation, a row for each codec, a column for each run. */
export function renderHistoryMarkdown(history: History): string {
  const breaks = breakLines(history);
  const sections = Array.from(linesByTable(history), ([title, lines]) => [
    `## ${oneLine(title)}`,
    markdownTable(timesTable(lines, history)),
  ]);
  const blocks = [
    "# wirebench history",
    markdownTable(runsTable(history)),
    ...(sections.length === 0 ? ["No run has a time."] : sections.flat()),
    ...(breaks.length === 0 ? [] : ["## Where lines are broken", ...bulletList(breaks)]),
    ...(sections.length === 0 ? [] : ["## How to read this", READING]),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** The history of cells as a page of its own: it holds its pictures, runs no script and asks for nothing from outside. */
export function renderHistoryHtml(history: History): string {
  const breaks = breakLines(history);
  const sections = Array.from(linesByTable(history), ([title, lines]) => [
    h("h2", {}, title),
    [historyPlot(lines, history.runs.length)].flatMap((drawing) =>
      drawing === undefined ? [] : figure(drawing),
    ),
    fold("As a table", scrolled(title, tableElement(timesTable(lines, history)))),
  ]);
  return htmlPage({ title: "wirebench history" }, [
    h("h1", {}, "wirebench history"),
    scrolled("runs", tableElement(runsTable(history))),
    sections.length === 0 ? h("p", {}, "No run has a time.") : sections,
    breaks.length === 0 ? [] : [h("h2", {}, "Where lines are broken"), list(breaks)],
    sections.length === 0 ? [] : [h("h2", {}, "How to read this"), h("p", {}, READING)],
  ]);
}

/** How to read a history. */
const READING = [
  "A time is the median over the processes of a run, and ± half of its 95 % interval.",
  `${BROKEN} stands where a line is broken: the CPU, the runtime, the library, the data or how it was timed is another than in the run before, and the two are not to be compared.`,
  "The change is that of the last run to the first one since then. What the machine did between the runs is in it: wirebench compare says whether there is a difference.",
].join(" ");

/** The runs, a row each. */
function runsTable({ runs }: History): Table {
  return tableOf(
    [...runs.entries()],
    [
      right("run", ([at]) => String(at + 1)),
      left(
        "began",
        ([, { startedAt, complete }]) =>
          `${startedAt.slice(0, 16).replace("T", " ")}${complete ? "" : " (interrupted)"}`,
      ),
      left("CPU", ([, { cpu }]) => cpu),
      left("runtime", ([, { runtime }]) => runtime),
      left("profile", ([, { profile }]) => profile),
      left("wirebench", ([, { wirebench }]) => wirebench),
      left("record", ([, { source }]) => source),
    ],
  );
}

/** The lines of each operation and dataset, by its title. */
function linesByTable({ lines }: History): Map<string, CellLine[]> {
  const tables = new Map<string, CellLine[]>();
  for (const line of lines) {
    const title = `${line.operation} of ${line.dataset}`;
    tables.set(title, [...(tables.get(title) ?? []), line]);
  }
  return tables;
}

/** The times of those lines, a row each and a column for each run. */
function timesTable(lines: readonly CellLine[], { runs }: History): Table {
  const columns = runs.map((_, at) => ({
    ...right<CellLine>(`run ${at + 1}`, ({ points }) => {
      const point = points.find(({ run }) => run === at);
      return point === undefined ? "–" : pointText(point);
    }),
    starts: true,
  }));
  const change = { ...right<CellLine>("change", changeText), starts: true };
  return tableOf(lines, [left("codec", ({ codec }) => codec), ...columns, change]);
}

function pointText({ median, ci95, breaks }: HistoryPoint): string {
  const time = [formatNanos(median), formatSpread(median, ci95)].filter(Boolean).join(" ");
  return breaks === undefined ? time : `${BROKEN} ${time}`;
}

/** `+3.1 % since 2`. */
function changeText(line: CellLine): string {
  const change = latestChange(line);
  return change === undefined ? "" : `${formatChange(change.ratio)} since ${change.since.run + 1}`;
}

/** Why lines are broken: for each run and reason, whose. */
function breakLines({ lines }: History): string[] {
  const reasons = new Map<string, { run: number; change: Change; codecs: Set<string>; broken: number }>();
  for (const { codec, points } of lines) {
    for (const { run, breaks = [] } of points) {
      for (const change of breaks) {
        const key = JSON.stringify([run, change]);
        const reason = reasons.get(key) ?? { run, change, codecs: new Set<string>(), broken: 0 };
        reasons.set(key, reason);
        reason.codecs.add(codec);
        reason.broken += 1;
      }
    }
  }
  return [...reasons.values()]
    .toSorted((a, b) => a.run - b.run)
    .map(({ run, change: { what, before, after }, codecs, broken }) => {
      const all = lines.filter(({ points }) => points.some((point) => point.run === run)).length;
      const whose = broken === all && codecs.size > 1 ? "every line" : [...codecs].join(", ");
      return `run ${run + 1}: ${what} ${before} before, ${after} then: ${whose}`;
    });
}

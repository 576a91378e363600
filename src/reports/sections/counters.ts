/** What calls take by the processor's own counters: in a run, and on both sides of a comparison. */
import type { ComparedInstructions } from "../../model/records/comparison.ts";
import type { Counters, RunRecord } from "../../model/records/run.ts";
import { left, right, type Table, tableOf, tableOfAny } from "../table.ts";
import { formatChange, formatChanges, formatCount, formatRatio } from "../units.ts";
import type { DatasetView } from "../view.ts";
import { type CellColumn, cellColumns } from "./run/cell-columns.ts";

/** Instructions do not see memory: what a reader of any table of them has to know. */
const INSTRUCTIONS_SEE_NO_MEMORY =
  "Instructions say how much work there is, and not how long memory takes: the two states of flatbuffers' encode, of 23 and 52 µs, have the same 345,000.";

const COLUMNS: readonly CellColumn<Counters>[] = [
  { heading: ({ operation }) => operation, of: ({ instructions }) => formatCalls(instructions) },
  { heading: () => "per cycle", of: perCycle },
];

/** Instructions of each operation, a row per codec; undefined where nothing was counted. */
export function countersTable(data: DatasetView): Table | undefined {
  if (!data.cells.some(({ counters }) => counters !== undefined)) return undefined;
  return tableOf(data.codecs, [
    left("codec", (codec) => codec),
    ...cellColumns(data, data.run.operations, (cell) => cell?.counters, COLUMNS),
  ]);
}

/** What was counted and what that does not see, or why nothing was; no line where nobody asked. */
export function counterLines({ options, runtimes, cells }: RunRecord): string[] {
  if (options.counters !== true) return [];
  const some = cells.some(({ counters }) => counters !== undefined);
  const several = runtimes.length > 1;
  const missing = runtimes.flatMap(({ label, countersReason }) =>
    countersReason === undefined
      ? []
      : [
          `${some && !several ? "Hardware counters were not had in every process" : "No hardware counters"}${several ? ` in ${label}` : ""}: ${countersReason}.`,
        ],
  );
  const programs = new Set(cells.flatMap(({ codec, program }) => (program === undefined ? [] : [codec])));
  if (!some) return missing;
  return [
    `Instructions are those in user space of the thread that calls, counted after the timing; threads that compile or collect are not in them. ${INSTRUCTIONS_SEE_NO_MEMORY}`,
    ...missing,
    ...(programs.size === 0
      ? []
      : [`Nothing was counted of ${[...programs].join(", ")}: reference programs do not tell it.`]),
  ];
}

/** Of a comparison: a title, the table and what it means, or why there is none; nothing where nobody asked. */
export function instructionBlocks(
  compared: ComparedInstructions | undefined,
  show: (table: Table) => string,
): string[] {
  if (compared === undefined) return [];
  const { cells, reason } = compared;
  const table = tableOfAny(cells, [
    left("dataset", ({ dataset }) => dataset),
    left("operation", ({ operation }) => operation),
    left("codec", ({ codec }) => codec),
    right("instructions", ({ base, head }) => `${formatCalls(base)} -> ${formatCalls(head)}`),
    right("change", ({ ratio }) => formatChange(ratio)),
    right("95 %", ({ ci95 }) => formatChanges(ci95)),
    left("verdict", ({ verdict }) => verdict),
  ]);
  if (table === undefined)
    return [`instructions: none on both sides${reason === undefined ? "" : `: ${reason}`}`];
  return [
    "instructions, per call: a verdict of their own, beside that of the times and not in its place",
    show(table),
    `${INSTRUCTIONS_SEE_NO_MEMORY}${reason === undefined ? "" : ` Not counted in every process: ${reason}.`}`,
  ];
}

/** `1,784`, `12.4`: counts of a call are means. */
function formatCalls(count: number): string {
  return formatCount(count < 100 ? count : Math.round(count));
}

function perCycle({ instructions, cycles }: Counters): string {
  return cycles === undefined || cycles === 0 ? "" : formatRatio(instructions / cycles);
}

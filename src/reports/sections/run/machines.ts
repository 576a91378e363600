/** What a merged record is made of, and what each of its machines found. */
import type { CellOnMachine, RunRecord } from "../../../model/records/run.ts";
import { oneLine } from "../../escape.ts";
import { left, right, type Table, tableOf } from "../../table.ts";
import { counted, formatNanos, formatRatio, formatRatios, formatSpread } from "../../units.ts";
import type { DatasetView } from "../../view.ts";

/** Of which runs on which machines a merged record is, a line each; nothing of a run's own. */
export function mergedLines({ merged }: RunRecord): string[] {
  if (merged === undefined) return [];
  const { runs, machines } = merged;
  const runsText = runs.map(({ source, shard, blocks }) => {
    const of = shard === undefined ? "" : `shard ${shard}, `;
    return `${source} (${of}${counted(blocks.length, "block")})`;
  });
  return [
    `Merged: ${counted(runs.length, "run")} on ${machines.length === 1 ? "one kind of machine" : `${machines.length} kinds of machines`}: ${runsText.join(", ")}`,
    ...(machines.length === 1
      ? []
      : machines.map(
          ({ label, blocks }, i) => `Machine ${letter(i)}: ${label}; ${counted(blocks.length, "block")}`,
        )),
  ].map(oneLine);
}

/** What a machine is called where there is no room for its name. */
function letter(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1);
}

/** What tables of several machines need to be read; nothing where there is one. */
export function machinesKey({ merged, options }: RunRecord): string[] {
  if (merged === undefined || merged.machines.length < 2) return [];
  const names = merged.machines.map(({ label }, i) => `${letter(i)} is ${label}`).join("; ");
  return [
    oneLine(`Machines: ${names}.`),
    `× ${options.baseline} of all machines is the geometric mean of theirs, in an interval that spans them. ≠: the machines disagree beyond chance.`,
  ];
}

/** One operation on each machine: its time, its ratio, and what is said of all; undefined where there is one machine. */
export function machinesTable(data: DatasetView, operation: string): Table | undefined {
  const { merged } = data.run.record;
  if (merged === undefined || merged.machines.length < 2) return undefined;
  const cells = data.codecs.flatMap((codec) => data.measured(operation, codec) ?? []);
  if (cells.length === 0) return undefined;
  const on = (label: string, of: (own: CellOnMachine) => string) => (cell: (typeof cells)[number]) => {
    const own = cell.machines?.find(({ machine }) => machine === label);
    return own === undefined ? "–" : of(own);
  };
  return tableOf(cells, [
    left("codec", ({ codec }) => codec),
    ...merged.machines.flatMap(({ label }, i) => [
      right(
        letter(i),
        on(label, ({ median }) => formatNanos(median)),
      ),
      right(
        "±",
        on(label, ({ median, ci95 }) => formatSpread(median, ci95)),
      ),
      right(
        `× ${data.run.baseline}`,
        on(label, ({ standing }) =>
          standing === undefined || standing.ratio === null
            ? ""
            : `${formatRatio(standing.ratio)}${told(standing.verdict)}`,
        ),
      ),
    ]),
    right("all", ({ standing }) => (typeof standing?.ratio === "number" ? formatRatio(standing.ratio) : "")),
    right("from, to", ({ standing }) => (standing?.ci95 ? formatRatios(standing.ci95) : "")),
    left("verdict", ({ standing }) => (standing === undefined ? "" : standing.verdict)),
  ]);
}

function told(verdict: string): string {
  return verdict === "faster" || verdict === "slower" ? "" : " ~";
}

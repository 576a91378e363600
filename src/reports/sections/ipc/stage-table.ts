import type { IpcStages, IpcTestRecord } from "../../../model/records/ipc.ts";
import { formatShare } from "../../../model/share.ts";
import type { Table } from "../../table.ts";
import { left, right } from "./columns.ts";
import { middleOrMost, timeOrNothing } from "./figures.ts";
import { measured } from "./sections.ts";

/** The stages that a message goes through, one after the other. */
export const STAGES = ["encode", "transport", "queue", "decode"] as const;

/**
 * Where the time of each codec's messages went: the median of each stage, or where there is none its maximum, which
 * says so, and its share of the four. Undefined where nothing was measured.
 */
export function stageTable(rows: readonly IpcTestRecord[]): Table | undefined {
  const told = measured(rows);
  if (told.length === 0) return undefined;
  return {
    columns: [
      ...left("codec"),
      ...STAGES.flatMap((stage) => right(stage, "%")),
      ...right("response", "response p99", "response max"),
    ],
    rows: told.map(({ codec, stages }) => {
      const total = STAGES.reduce((sum, stage) => sum + (figureOf(stages, stage) ?? 0), 0);
      return [
        codec,
        ...STAGES.flatMap((stage) => {
          const figure = figureOf(stages, stage);
          const share = figure === undefined || total === 0 ? "" : formatShare(figure / total);
          return [middleOrMost(stages[stage]), share];
        }),
        middleOrMost(stages.response),
        timeOrNothing(stages.response?.p99),
        timeOrNothing(stages.response?.max),
      ];
    }),
  };
}

function figureOf(stages: IpcStages, stage: (typeof STAGES)[number]): number | undefined {
  const times = stages[stage];
  return times?.p50 ?? times?.max;
}

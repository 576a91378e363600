/** The pictures of a run, and the names of their files. */
import type { RunRecord } from "../../model/records/run.ts";
import type { Illustration } from "../chart/figure.ts";
import { fileNamePart } from "../escape.ts";
import { operationsOf } from "../tables/cells.ts";
import { isProof } from "../tables/proof-table.ts";
import { intervalPlot } from "./interval-plot.ts";
import { sizeTimePlot } from "./size-time-plot.ts";

/** A picture of a dataset, with the name of its file beside the report. */
export interface RunPicture extends Illustration {
  readonly dataset: string;
  readonly file: string;
}

/** The pictures of a run: for each dataset one of every operation, and one of sizes and times. None of a proof, which has no times. */
export function picturesOf(record: RunRecord): RunPicture[] {
  if (isProof(record)) return [];
  const operations = operationsOf(record, "whole");
  return record.datasets.flatMap(({ name }, number) => {
    const drawn: readonly (readonly [string, Illustration | undefined])[] = [
      ...operations.map((operation) => [operation, intervalPlot(record, name, operation)] as const),
      ["size and time", sizeTimePlot(record, name)],
    ];
    return drawn.flatMap(([kind, picture], place) =>
      // Names may be alike once they are fit for a file: the numbers are not.
      picture === undefined
        ? []
        : [
            {
              ...picture,
              dataset: name,
              file: `plots/${[number + 1, place + 1, name, kind].map(fileNamePart).join("-")}.svg`,
            },
          ],
    );
  });
}

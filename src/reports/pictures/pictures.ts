/** The pictures of a run, and the names of their files. */
import type { RunRecord } from "../../model/records/run.ts";
import { fileNamePart } from "../escape.ts";
import { type Drawing, PLOTS, type RunPicture } from "../picture.ts";
import { viewOf } from "../view.ts";
import { intervalPlot } from "./interval-plot.ts";
import { sizeTimePlot } from "./size-time-plot.ts";

/** For each dataset a picture of every operation, and one of sizes and times. None of a proof, which has no times. */
export function picturesOf(record: RunRecord): (RunPicture & Drawing)[] {
  const { datasets, operations, isProof } = viewOf(record);
  if (isProof) return [];
  return datasets.flatMap((data, number) => {
    const drawn = [
      ...operations.map((kind) => ({ kind, section: "time" as const, drawing: intervalPlot(data, kind) })),
      { kind: "size and time", section: "size" as const, drawing: sizeTimePlot(data) },
    ];
    return drawn.flatMap(({ kind, section, drawing }, place) => {
      if (drawing === undefined) return [];
      // Names may be alike once they are fit for a file: the numbers are not.
      const name = [number + 1, place + 1, data.name, kind].map(fileNamePart).join("-");
      return [{ ...drawing, section, dataset: data.name, file: `${PLOTS}/${name}.svg` }];
    });
  });
}

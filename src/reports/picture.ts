/** The pictures of a report: their names, their files and the links to them. */
import type { ClaimsRecord } from "../model/records/claims.ts";
import type { RunRecord } from "../model/records/run.ts";
import type { Drawing } from "./chart/figure.ts";
import { fileNamePart, oneLine } from "./escape.ts";
import { claimsPlot } from "./pictures/claims-plot.ts";
import { intervalPlot } from "./pictures/interval-plot.ts";
import { sizeTimePlot } from "./pictures/size-time-plot.ts";
import { viewOf } from "./view.ts";

/** The folder of a report's pictures, beside it. */
export const PLOTS = "plots";

/** A picture beside a report. */
export interface Picture {
  /** Its path from the report's folder. */
  readonly file: string;
  readonly title: string;
}

/** A picture, and what its file holds. */
export type DrawnPicture = Picture & Drawing;

/** A picture of a dataset of a run, which stands below the table of a section. */
export interface RunPicture extends Picture {
  readonly dataset: string;
  readonly section: "time" | "size";
}

/** A link that shows a picture, as Markdown. Names of files and titles hold names of data: neither may break out. */
export function pictureLink({ file, title }: Picture): string {
  const text = oneLine(title).replace(/[[\]\\]/g, "\\$&");
  const target = encodeURI(file.toWellFormed()).replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"));
  return `![${text}](${target})`;
}

/**
 * For each dataset a picture of every operation, and one of sizes and times. None of a proof, which has no times, and
 * none of several machines, whose times have no common axis.
 */
export function picturesOf(record: RunRecord): (RunPicture & Drawing)[] {
  const { datasets, operations, isProof, hasSeveralMachines } = viewOf(record);
  if (isProof || hasSeveralMachines) return [];
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

/** The chart of published claims; none where no ratio was measured. */
export function claimsPicture(record: ClaimsRecord): DrawnPicture[] {
  const drawing = claimsPlot(record);
  return drawing === undefined ? [] : [{ ...drawing, file: `${PLOTS}/claims.svg` }];
}

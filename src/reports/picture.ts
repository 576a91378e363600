/** The pictures of a report: their names, their files and the links to them. */
import { growthStudies } from "../analysis/growth-study.ts";
import { readsStudies } from "../analysis/reads-study.ts";
import type { ClaimsRecord } from "../model/records/claims.ts";
import type { RunRecord } from "../model/records/run.ts";
import type { Drawing } from "./chart/figure.ts";
import { fileNamePart, oneLine } from "./escape.ts";
import { claimsPlot } from "./pictures/claims-plot.ts";
import { intervalPlot } from "./pictures/interval-plot.ts";
import { sizeTimePlot } from "./pictures/size-time-plot.ts";
import { growthPlot, readsPlot } from "./pictures/study-plots.ts";
import type { TitledTable } from "./table.ts";
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

/** A picture of a dataset of a run, which stands below the table of a section, or beside that of a study. */
export interface RunPicture extends Picture {
  /** Of a study of sizes without a size. */
  readonly dataset: string;
  readonly section: "time" | "size" | "growth" | "reads";
}

/** What a page shows of a study on a dataset, beside the pictures of the section. */
export interface StudySection extends Pick<RunPicture, "dataset" | "section"> {
  readonly title: string;
  /** Sentences. */
  readonly lines: readonly string[];
  readonly tables: readonly TitledTable[];
}

/** Links to the pictures of a section. */
export type Pictured = (dataset: string, section: RunPicture["section"]) => readonly string[];

/** A link that shows a picture, as Markdown. Names of files and titles hold names of data: neither may break out. */
export function pictureLink({ file, title }: Picture): string {
  const text = oneLine(title).replace(/[[\]\\]/g, "\\$&");
  const target = encodeURI(file.toWellFormed()).replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"));
  return `![${text}](${target})`;
}

/**
 * Those of a study, then for each dataset a picture of every operation, and one of sizes and times. None of a proof, which has no times, and
 * none of several machines, whose times have no common axis.
 */
export function picturesOf(record: RunRecord): (RunPicture & Drawing)[] {
  const { datasets, operations, isProof, hasSeveralMachines } = viewOf(record);
  if (isProof || hasSeveralMachines) return [];
  const perDataset = datasets.flatMap((data, number) => {
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
  return [...studyPictures(record), ...perDataset];
}

function studyPictures(record: RunRecord): (RunPicture & Drawing)[] {
  const growth = growthStudies(record).flatMap((study) =>
    [...new Set(study.rows.map(({ operation }) => operation))].map((operation) => ({
      section: "growth" as const,
      dataset: study.dataset,
      kind: `${operation} by size`,
      drawing: growthPlot(study, operation),
    })),
  );
  const reads = readsStudies(record).map((study) => ({
    section: "reads" as const,
    dataset: study.dataset,
    kind: "parts",
    drawing: readsPlot(study),
  }));
  return [...growth, ...reads].flatMap(({ section, dataset, kind, drawing }, place) => {
    const name = ["study", place + 1, dataset, kind].map(fileNamePart).join("-");
    return drawing === undefined ? [] : [{ ...drawing, section, dataset, file: `${PLOTS}/${name}.svg` }];
  });
}

/** The chart of published claims; none where no ratio was measured. */
export function claimsPicture(record: ClaimsRecord): DrawnPicture[] {
  const drawing = claimsPlot(record);
  return drawing === undefined ? [] : [{ ...drawing, file: `${PLOTS}/claims.svg` }];
}

import { oneLine } from "./escape.ts";

/** The folder of a report's pictures, beside it. */
export const PLOTS = "plots";

/** A picture beside a report. */
export interface Picture {
  /** Its path from the report's folder. */
  readonly file: string;
  readonly title: string;
}

/** What was drawn, before it has a file. */
export interface Drawing {
  /** What it shows, for those who do not see it. */
  readonly title: string;
  /** The text of an SVG file. */
  readonly svg: string;
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

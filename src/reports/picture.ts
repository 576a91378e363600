import { oneLine } from "./escape.ts";

/** A picture beside a report. */
export interface Picture {
  /** Its path from the report's folder. */
  readonly file: string;
  readonly title: string;
}

/** A link that shows a picture, as Markdown. Names of files and titles hold names of data: neither may break out. */
export function pictureLink({ file, title }: Picture): string {
  const text = oneLine(title).replace(/[[\]\\]/g, "\\$&");
  const target = encodeURI(file.toWellFormed()).replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"));
  return `![${text}](${target})`;
}

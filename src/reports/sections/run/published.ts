import {
  type PublishedRow,
  type PublishedTimes,
  publishedTimes,
} from "../../../analysis/claims/published.ts";
import { type Column, left, markdownTable, right, type Table, tableOf } from "../../table.ts";
import { formatBytes, formatNanos } from "../../units.ts";
import type { DatasetView } from "../../view.ts";

/** What has to be known of published figures before they are compared, by dataset. */
const REMARKS: Readonly<Record<string, string>> = {
  tellist: `The published figures are of C++ programs on machines of their time; ours are of JavaScript on the machine above.
What can be compared is the order and the ratios, not the times. The published decode of FlatBuffers and of the
raw struct reads the fields in place, which is \`access\` here; \`decode\` here makes the whole value.

Two of the published figures are wrong:

- The raw struct's size of 304 bytes is 8 + 37 × 8: a header and 37 *pointers*. The struct is 48 bytes long
  (x86-64 System V ABI), so the list takes 8 + 37 × 48 = 1,784 bytes, more than FlatBuffers' 1,712.
- The average of FlatBuffers' encoding on the Core i5-3210M is given as 9,345.0 ms; its three runs of 9,640, 9,595
  and 9,570 ms average 9,601.7 ms, which is what stands above.`,
};

/**
 * The published figures of a dataset beside those of a run, as blocks of Markdown with their heading. Empty where nothing
 * was published of it, and where the run has none of the codecs.
 */
export function publishedSection(data: DatasetView): string[] {
  const published = publishedTimes(data.name);
  if (published?.rows.some(({ codec }) => data.measured("encode", codec)) !== true) return [];
  const remarks = REMARKS[data.name];
  return [
    "### Beside the published figures",
    markdownTable(besideTable(data, published)),
    ...(remarks === undefined ? [] : [remarks]),
  ];
}

function besideTable(data: DatasetView, { environments, rows }: PublishedTimes): Table {
  const published = (operation: "encode" | "decode"): Column<PublishedRow>[] =>
    environments.map((environment, at) =>
      right(`${operation}, ${environment}`, (row) => formatNanos(row[operation][at]!)),
    );
  const here = (operation: string): Column<PublishedRow> =>
    right(`${operation} here`, ({ codec }) => {
      const cell = data.measured(operation, codec);
      return cell === undefined ? "–" : formatNanos(cell.nanos.median);
    });
  return tableOf(rows, [
    left("format", ({ format }) => format),
    right("bytes published", ({ bytes }) => formatBytes(bytes)),
    right("bytes here", ({ codec }) => {
      const cell = data.measured("encode", codec);
      return cell === undefined ? "–" : formatBytes(cell.bytes);
    }),
    ...published("encode"),
    here("encode"),
    ...published("decode"),
    here("decode"),
    here("access"),
  ]);
}

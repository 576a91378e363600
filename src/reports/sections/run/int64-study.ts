import {
  type Int64Point,
  type Int64Row,
  type Int64Study,
  int64Studies,
} from "../../../analysis/int64-study.ts";
import type { RunRecord } from "../../../model/records/run.ts";
import { oneLine } from "../../escape.ts";
import { type Column, left, right, type TitledTable, tableOf } from "../../table.ts";
import { formatMeanBytes, formatNanos, formatRatio } from "../../units.ts";

/** A study of 64-bit integers in a report. */
export const int64Study = {
  title: "64-bit integers",
  reading: `The same data with its 64-bit integers as numbers, as bigints and as decimal text in fields of type string. A ratio with ~ is of
times whose 95 % intervals overlap. Without numbers, some integer is beyond 2^53.`,
  tables: tablesOf,
};

function tablesOf(record: RunRecord): TitledTable[] {
  return int64Studies(record).flatMap((study) => {
    const { rows } = study;
    const operations = [...new Set(rows.map(({ operation }) => operation))];
    const codecs = rows.filter(({ operation }) => operation === operations[0]);
    const name = oneLine(study.dataset);
    return [
      ...operations.map((operation) => ({
        title: `${name}: ${operation} by how 64-bit integers are held`,
        table: tableOf(
          rows.filter((row) => row.operation === operation),
          [
            left("codec", ({ codec }) => codec),
            ...columnsOf(study, "", ({ nanos }) => formatNanos(nanos)),
            ...columnsOf(study, `x ${study.forms[0]}`, ratioText).slice(1),
          ],
        ),
      })),
      {
        title: `${name}: bytes by how 64-bit integers are held`,
        table: tableOf(codecs, [
          left("codec", ({ codec }) => codec),
          ...columnsOf(study, "", ({ bytes }) => formatMeanBytes(bytes)),
        ]),
      },
    ];
  });
}

function columnsOf(
  { forms }: Int64Study,
  prefix: string,
  of: (point: Int64Point) => string,
): Column<Int64Row>[] {
  return forms.map((form) =>
    right(`${form}${prefix === "" ? "" : ` ${prefix}`}`, ({ points }) => {
      const point = points.get(form);
      return point === undefined ? "–" : of(point);
    }),
  );
}

function ratioText({ ratio, isClose }: Int64Point): string {
  return ratio === null ? "–" : `${isClose ? "~" : ""}${formatRatio(ratio)}`;
}

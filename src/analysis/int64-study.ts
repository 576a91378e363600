/** What it costs to hold 64-bit integers as numbers, as bigints or as text. */
import type { Cell, RunRecord } from "../model/records/run.ts";

/** Forms in which a dataset was measured, the first of them what the others are compared with. */
const FORMS = ["number", "bigint", "text"] as const;
export type Int64Form = (typeof FORMS)[number];

/** One dataset in several forms. */
export interface Int64Study {
  /** Name without a form. */
  readonly dataset: string;
  readonly forms: readonly Int64Form[];
  /** By operation, then in the order of the codecs. */
  readonly rows: readonly Int64Row[];
}

/** One operation of one codec. */
export interface Int64Row {
  readonly operation: string;
  readonly codec: string;
  /** Without the forms that the codec does not carry. */
  readonly points: ReadonlyMap<Int64Form, Int64Point>;
}

/** What was found of one form. */
export interface Int64Point {
  readonly nanos: number;
  readonly bytes: number;
  /** Time as a multiple of that of the first form; null for that itself, and where it was not measured. */
  readonly ratio: number | null;
  /** Whether the two 95 % intervals overlap, or one is not known, so that they may be the same. */
  readonly isClose: boolean;
}

/** The studies of a record, one per dataset; empty unless it is of that study. */
export function int64Studies(record: RunRecord): Int64Study[] {
  if (record.options.study !== "int64") return [];
  const bases = new Set(record.datasets.map(({ name }) => name.slice(0, name.lastIndexOf(" as "))));
  return [...bases].map((dataset) => {
    const forms = FORMS.filter((form) =>
      record.datasets.some(({ name }) => name === `${dataset} as ${form}`),
    );
    return { dataset, forms, rows: rowsOf(record, dataset, forms) };
  });
}

function rowsOf({ cells, options }: RunRecord, dataset: string, forms: readonly Int64Form[]): Int64Row[] {
  const own = cells.filter(({ twinOf, part }) => twinOf === undefined && part !== true);
  return options.operations.flatMap((operation) =>
    options.codecs.flatMap((codec) => {
      const found = forms.flatMap((form) => {
        const cell = own.find(
          (one) =>
            one.operation === operation && one.codec === codec && one.dataset === `${dataset} as ${form}`,
        );
        return cell === undefined ? [] : [{ form, cell }];
      });
      const first = found.find(({ form }) => form === forms[0])?.cell;
      const points = found.flatMap(({ form, cell }) => pointOf(form, cell, first));
      return points.length === 0 ? [] : [{ operation, codec, points: new Map(points) }];
    }),
  );
}

function pointOf(form: Int64Form, cell: Cell, first: Cell | undefined): [Int64Form, Int64Point][] {
  const { nanos, bytes } = cell;
  if (nanos === undefined || bytes === undefined) return [];
  const against = cell === first ? undefined : first?.nanos;
  const ratio = against === undefined || !(against.median > 0) ? null : nanos.median / against.median;
  const [own, other] = [nanos.ci95, against?.ci95];
  const isClose = !own || !other || (own[0] <= other[1] && other[0] <= own[1]);
  return [[form, { nanos: nanos.median, bytes, ratio, isClose: ratio !== null && isClose }]];
}

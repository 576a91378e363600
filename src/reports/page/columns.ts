/** The columns of a page's table: a row per codec. */
import { DEFAULT_BANDWIDTH, linkCosts } from "../../analysis/link/costs.ts";
import type { PayloadRecord } from "../../model/records/run.ts";
import { TRAITS } from "../../model/traits.ts";
import { libraryName } from "../provenance.ts";
import { statusOf } from "../sections/run/cell-columns.ts";
import { timeText } from "../sections/run/clocks.ts";
import { rankOf, ratioText } from "../sections/run/timing.ts";
import { formatBytes, formatMeanBytes, formatMebibytes, formatNanos, formatSpread } from "../units.ts";
import type { DatasetView } from "../view.ts";

/** What a column says of a codec. */
export interface Said {
  readonly text: string;
  /** By which rows are sorted; its text where it is absent. */
  readonly value?: number | undefined;
  /** Set where the run tells it from the baseline. */
  readonly verdict?: "faster" | "slower" | undefined;
}

/** A column. What has nothing to say says nothing. */
export interface PageColumn {
  readonly heading: string;
  /** What it is, for those who do not know the heading. */
  readonly title: string;
  readonly isText?: true;
  /** Set for what follows the link that is chosen. */
  readonly isLink?: true;
  of(codec: string): Said | undefined;
}

/** Columns that belong together. All but the first can be put away. */
export interface ColumnGroup {
  readonly name: string;
  /** Whether only its first column is shown at first. */
  readonly isFolded: boolean;
  readonly columns: readonly PageColumn[];
}

/** The groups of a dataset that have something to say. */
export function columnGroups(data: DatasetView): ColumnGroup[] {
  const groups = [
    sizes(data),
    ...data.run.operations.map((operation) => times(data, operation)),
    wire(data),
    memory(data),
    coldStart(data),
    facts(data),
  ];
  return groups
    .map((group) => ({
      ...group,
      columns: group.columns.filter((column) => data.codecs.some((codec) => column.of(codec) !== undefined)),
    }))
    .filter(({ columns }) => columns.length > 0);
}

function sizes(data: DatasetView): ColumnGroup {
  const own = (measure: "gzip" | "brotli" | "zstd"): PageColumn =>
    figure(measure, `bytes of a message by ${measure}`, formatBytes, (codec) => {
      const payload: PayloadRecord | undefined = data.payloads.find((one) => one.codec === codec);
      return payload?.[measure];
    });
  const bytes = figure(
    "bytes",
    "bytes of a message",
    formatMeanBytes,
    (codec) => data.cells.find((cell) => cell.codec === codec && cell.bytes !== undefined)?.bytes,
  );
  return { name: "size", isFolded: false, columns: [bytes, own("gzip"), own("brotli"), own("zstd")] };
}

function times(data: DatasetView, operation: string): ColumnGroup {
  const { baseline, hasSeveralMachines } = data.run;
  const at = (codec: string) => data.measured(operation, codec);
  const ratio: PageColumn = {
    heading: `× ${baseline}`,
    title: `${operation}: time as a multiple of ${baseline}'s; ~ cannot be told from it`,
    of: (codec) => {
      const cell = at(codec);
      if (cell === undefined) return undefined;
      const verdict = cell.standing?.verdict;
      return {
        text: ratioText(cell, data),
        value: data.ratioToBaseline(cell),
        verdict: verdict === "faster" || verdict === "slower" ? verdict : undefined,
      };
    },
  };
  const rank: PageColumn = {
    heading: "rank",
    title: `${operation}: codecs of one rank cannot be told apart (~)`,
    of: (codec) => {
      const cell = at(codec);
      if (cell?.standing === undefined) return undefined;
      return { text: rankOf(cell, data), value: cell.standing.tier };
    },
  };
  if (hasSeveralMachines) return { name: operation, isFolded: false, columns: [ratio, rank] };
  const time: PageColumn = {
    heading: "time",
    title: `${operation}: median time of a call`,
    of: (codec) => {
      const cell = data.cell(operation, codec);
      const measured = at(codec);
      if (measured !== undefined) return { text: timeText(measured.nanos), value: measured.nanos.median };
      return cell === undefined ? undefined : { text: statusOf(cell), value: Number.POSITIVE_INFINITY };
    },
  };
  const spread: PageColumn = {
    heading: "±",
    title: `${operation}: half of the 95 % interval over processes`,
    of: (codec) => {
      const nanos = at(codec)?.nanos;
      if (nanos === undefined || nanos.ci95 === null) return undefined;
      const [low, high] = nanos.ci95;
      return { text: formatSpread(nanos.median, nanos.ci95), value: (high - low) / nanos.median };
    },
  };
  return { name: operation, isFolded: false, columns: [time, spread, ratio, rank] };
}

function wire({ name, run }: DatasetView): ColumnGroup {
  const [costs] = run.hasSeveralMachines ? [] : linkCosts(run.record, name, [DEFAULT_BANDWIDTH]);
  const of = (codec: string): Said | undefined => {
    const cost = costs?.best.find(({ choice }) => choice.codec === codec);
    return cost && { text: formatNanos(cost.nanos), value: cost.nanos };
  };
  const title = "both ends and transfer on the link that is chosen below";
  return { name: "wire", isFolded: false, columns: [{ heading: "on the link", title, isLink: true, of }] };
}

function memory(data: DatasetView): ColumnGroup {
  const columns = data.run.operations.flatMap((operation) => {
    const of = (codec: string) => data.cell(operation, codec)?.memory;
    return [
      figure(operation, `${operation}: bytes that a call allocates`, formatMeanBytes, (codec) => {
        const found = of(codec);
        return found && found.heapBytes + found.externalBytes;
      }),
      figure(
        "kept",
        `${operation}: bytes that one kept result keeps alive`,
        formatMeanBytes,
        (codec) => of(codec)?.retainedBytes,
      ),
    ];
  });
  const peak = figure("peak MiB", "most that a measuring process held", formatMebibytes, (codec) =>
    data.peakBytes(codec),
  );
  return { name: "memory", isFolded: true, columns: [...columns, peak] };
}

function coldStart(data: DatasetView): ColumnGroup {
  const start = (codec: string) =>
    data.run.operations.flatMap((operation) => data.cell(operation, codec)?.start ?? [])[0];
  const first = data.run.operations.map((operation) =>
    figure(
      `first ${operation}`,
      `the first ${operation} of a process`,
      formatNanos,
      (codec) => data.cell(operation, codec)?.start?.firstCallNanos,
    ),
  );
  return {
    name: "cold start",
    isFolded: true,
    columns: [
      figure("import", "loading the library", formatNanos, (codec) => start(codec)?.importNanos),
      figure("bind", "binding to the schema", formatNanos, (codec) => start(codec)?.bindNanos),
      ...first,
    ],
  };
}

function facts(data: DatasetView): ColumnGroup {
  const cellOf = (codec: string) => data.cells.find((cell) => cell.codec === codec)!;
  return {
    name: "facts",
    isFolded: true,
    columns: [
      {
        heading: "format",
        title: "wire format",
        isText: true,
        of: (codec) => ({ text: cellOf(codec).format }),
      },
      {
        heading: "library",
        title: "what was measured",
        isText: true,
        of: (codec) => ({ text: libraryName(cellOf(codec)) }),
      },
      {
        heading: "what it is for",
        title: "facts of the format and the library",
        isText: true,
        of: (codec) => {
          const { traits = [], world } = cellOf(codec);
          const said = [
            ...(world === undefined ? [] : [`${world}'s format`]),
            ...traits.map((trait) => TRAITS[trait]),
          ];
          return said.length === 0 ? undefined : { text: said.join("; ") };
        },
      },
    ],
  };
}

function figure(
  heading: string,
  title: string,
  format: (value: number) => string,
  of: (codec: string) => number | undefined,
): PageColumn {
  return {
    heading,
    title,
    of: (codec) => {
      const value = of(codec);
      return value === undefined ? undefined : { text: format(value), value };
    },
  };
}

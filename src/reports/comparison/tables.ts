import type { ComparedCell, Comparison, MemoryFigure } from "../../model/records/comparison.ts";
import { formatChange, formatChanges } from "../change.ts";
import type { Table } from "../table.ts";
import { formatBytes, formatNanos } from "../units.ts";

/** What is new comes first. */
const ORDER = ["slower", "faster", "undecided", "same"] as const;

/** The cells of a dataset, those that changed first, the most changed of them at the top; undefined for none. */
export function changeTable({ cells }: Comparison, dataset: string): Table | undefined {
  const own = cells.filter((cell) => cell.dataset === dataset);
  if (own.length === 0) return undefined;
  const rank = ({ verdict }: ComparedCell): number => ORDER.indexOf(verdict);
  const far = ({ verdict, ratio }: ComparedCell): number =>
    verdict === "slower" || verdict === "faster" ? -Math.abs(Math.log(ratio ?? 1)) : 0;
  const rows = own.toSorted((a, b) => rank(a) - rank(b) || far(a) - far(b));
  return {
    columns: [
      { heading: "", align: "left" },
      { heading: "operation", align: "left" },
      { heading: "codec", align: "left" },
      { heading: "base", align: "right" },
      { heading: "head", align: "right" },
      { heading: "change", align: "right" },
      { heading: "95 %", align: "right" },
      { heading: "p", align: "right" },
    ],
    rows: rows.map((cell) => [
      cell.verdict,
      cell.operation,
      cell.codec,
      formatNanos(cell.base.median),
      formatNanos(cell.head.median),
      formatChange(cell.ratio),
      formatChanges(cell.ci95),
      cell.p === null ? "" : formatProbability(cell.p),
    ]),
  };
}

/** The sizes that changed; undefined where none did. */
export function sizeChangeTable({ sizes }: Comparison): Table | undefined {
  const changed = sizes.filter(({ change }) => change !== 0);
  if (changed.length === 0) return undefined;
  return {
    columns: [
      { heading: "dataset", align: "left" },
      { heading: "codec", align: "left" },
      { heading: "size", align: "left" },
      { heading: "bytes", align: "right" },
      { heading: "change", align: "right" },
    ],
    rows: changed.map(({ dataset, codec, measure, base, head, change }) => [
      dataset,
      codec,
      measure === "bytes" ? "as it is" : measure,
      `${formatBytes(base)} -> ${formatBytes(head)} bytes`,
      `${change > 0 ? "+" : ""}${formatBytes(change)}`,
    ]),
  };
}

const FIGURES: Readonly<Record<MemoryFigure, string>> = {
  heapBytes: "heap per call",
  externalBytes: "outside of the heap per call",
  retainedBytes: "kept alive by a result",
};

/**
 * From which share and how many bytes on a change of memory is shown. It is measured once in a run and has no interval:
 * between runs of the same code allocated bytes moved by up to a sixth, as code was optimised in another way, and kept ones
 * by up to 3.6 KiB.
 */
const MEMORY_NOISE: Readonly<Record<MemoryFigure, { readonly share: number; readonly bytes: number }>> = {
  heapBytes: { share: 0.2, bytes: 16 },
  externalBytes: { share: 0.2, bytes: 16 },
  retainedBytes: { share: 0.2, bytes: 4096 },
};

/** What calls allocate and keep, where it changed; undefined where none did. */
export function memoryChangeTable({ cells }: Comparison): Table | undefined {
  const rows = cells.flatMap(({ dataset, codec, operation, memory }) => {
    if (memory === undefined) return [];
    return (Object.keys(FIGURES) as MemoryFigure[]).flatMap((figure) => {
      const { base, head, ratio } = memory[figure];
      const difference = Math.abs(head - base);
      const noise = MEMORY_NOISE[figure];
      if (difference < noise.bytes || difference < noise.share * base) return [];
      const bytes = `${formatBytes(base)} -> ${formatBytes(head)} bytes`;
      return [[dataset, operation, codec, FIGURES[figure], bytes, formatChange(ratio)]];
    });
  });
  if (rows.length === 0) return undefined;
  return {
    columns: [
      { heading: "dataset", align: "left" },
      { heading: "operation", align: "left" },
      { heading: "codec", align: "left" },
      { heading: "memory", align: "left" },
      { heading: "bytes", align: "right" },
      { heading: "change", align: "right" },
    ],
    rows,
  };
}

function formatProbability(p: number): string {
  if (p < 0.001) return "<0.001";
  return p > 0.999 ? "1" : p.toFixed(3);
}

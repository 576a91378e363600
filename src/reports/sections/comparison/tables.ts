import type { ComparedCell, Comparison, MemoryFigure } from "../../../model/records/comparison.ts";
import { left, right, type Table, tableOf, tableOfAny } from "../../table.ts";
import { formatBytes, formatChange, formatChanges, formatNanos } from "../../units.ts";

/** What is new comes first. */
const ORDER = ["slower", "faster", "undecided", "same"] as const;

/** The cells of a dataset, those that changed first, the most changed of them at the top. */
export function changeTable({ cells }: Comparison, dataset: string): Table {
  const own = cells.filter((cell) => cell.dataset === dataset);
  const rank = ({ verdict }: ComparedCell): number => ORDER.indexOf(verdict);
  const far = ({ verdict, ratio }: ComparedCell): number =>
    verdict === "slower" || verdict === "faster" ? -Math.abs(Math.log(ratio ?? 1)) : 0;
  return tableOf(
    own.toSorted((a, b) => rank(a) - rank(b) || far(a) - far(b)),
    [
      left("", ({ verdict }) => verdict),
      left("operation", ({ operation }) => operation),
      left("codec", ({ codec }) => codec),
      right("base", ({ base }) => formatNanos(base.median)),
      right("head", ({ head }) => formatNanos(head.median)),
      right("change", ({ ratio }) => formatChange(ratio)),
      right("95 %", ({ ci95 }) => formatChanges(ci95)),
      right("p", ({ p }) => (p === null ? "" : formatProbability(p))),
    ],
  );
}

/** The sizes that changed; undefined where none did. */
export function sizeChangeTable({ sizes }: Comparison): Table | undefined {
  return tableOfAny(
    sizes.filter(({ change }) => change !== 0),
    [
      left("dataset", ({ dataset }) => dataset),
      left("codec", ({ codec }) => codec),
      left("size", ({ measure }) => (measure === "bytes" ? "as it is" : measure)),
      right("bytes", ({ base, head }) => bytesText(base, head)),
      right("change", ({ change }) => `${change > 0 ? "+" : ""}${formatBytes(change)}`),
    ],
  );
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
  const changes = cells.flatMap((cell) =>
    (Object.keys(FIGURES) as MemoryFigure[]).flatMap((figure) => {
      const change = cell.memory?.[figure];
      if (change === undefined) return [];
      const difference = Math.abs(change.head - change.base);
      const noise = MEMORY_NOISE[figure];
      if (difference < noise.bytes || difference < noise.share * change.base) return [];
      return [{ cell, figure, ...change }];
    }),
  );
  return tableOfAny(changes, [
    left("dataset", ({ cell }) => cell.dataset),
    left("operation", ({ cell }) => cell.operation),
    left("codec", ({ cell }) => cell.codec),
    left("memory", ({ figure }) => FIGURES[figure]),
    right("bytes", ({ base, head }) => bytesText(base, head)),
    right("change", ({ ratio }) => formatChange(ratio)),
  ]);
}

function bytesText(base: number, head: number): string {
  return `${formatBytes(base)} -> ${formatBytes(head)} bytes`;
}

function formatProbability(p: number): string {
  if (p < 0.001) return "<0.001";
  return p > 0.999 ? "1" : p.toFixed(3);
}

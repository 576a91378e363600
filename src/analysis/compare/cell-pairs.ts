import type { LoneCell } from "../../model/records/comparison.ts";
import type { Cell, RunRecord } from "../../model/records/run.ts";
import { type CellPair, isTimed } from "./cell-verdicts.ts";
import type { NamePair } from "./sizes.ts";

/** Cells that both sides measured, and those that one did. */
export interface MatchedCells {
  readonly pairs: readonly CellPair[];
  readonly alone: readonly LoneCell[];
}

/** Puts the cells of two records beside each other, by operation, dataset and codec. Second measurements stay out. */
export function matchedCells(base: RunRecord, head: RunRecord, names: readonly NamePair[]): MatchedCells {
  const pairs: CellPair[] = [];
  const alone: LoneCell[] = [];
  const [before, after] = [byName(base), byName(head)];
  const codecs = {
    base: new Map(names.map((name) => [name.base, name])),
    head: new Map(names.map((name) => [name.head, name])),
  };
  for (const cell of before.values()) {
    const name = codecs.base.get(cell.codec);
    if (name === undefined) continue;
    const other = after.get(keyOf(cell, name.head));
    if (isTimed(cell) && isTimed(other)) pairs.push({ codec: name.codec, base: cell, head: other });
    else if (isTimed(cell)) alone.push(lone(cell, name, "base", other));
  }
  for (const cell of after.values()) {
    const name = codecs.head.get(cell.codec);
    if (name === undefined || !isTimed(cell)) continue;
    const other = before.get(keyOf(cell, name.base));
    if (!isTimed(other)) alone.push(lone(cell, name, "head", other));
  }
  return { pairs, alone };
}

function byName(record: RunRecord): Map<string, Cell> {
  const own = record.cells.filter(({ twinOf }) => twinOf === undefined);
  return new Map(own.map((cell) => [keyOf(cell, cell.codec), cell]));
}

function keyOf({ operation, dataset }: Cell, codec: string): string {
  return JSON.stringify([operation, dataset, codec]);
}

function lone(cell: Cell, { codec }: NamePair, side: LoneCell["side"], other: Cell | undefined): LoneCell {
  const { operation, dataset } = cell;
  const status = other?.status === "unsupported" || other?.status === "failed" ? other.status : "absent";
  const reason = other?.reason === undefined ? {} : { reason: other.reason };
  return { operation, dataset, codec, side, other: status, ...reason };
}

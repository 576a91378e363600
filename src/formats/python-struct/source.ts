/** What the generators of the packer and of the unpacker share. */
import { type Format, type Item, KINDS, type Kind } from "./format.ts";

/** Values up to this many are parameters and array elements of their own; more go through a table of runs. */
const MOST_NAMED = 128;

/** Whether values go through a list, rather than each by a name. */
export function isListed({ count }: Format): boolean {
  return count > MOST_NAMED;
}

/**
 * The runs of a format, {@link RUN} numbers each: its case, its place, the bytes of one value, and the indexes of the
 * first value and of the one after the last. Code that goes through such a table is the same for all formats, so that
 * a long one costs no more than its table.
 */
export type Runs = readonly number[];

/** Numbers of a run. */
export const RUN = 5;

/** The table of a format; bytes between its values are runs of padding. */
export function runsOf({ items, size }: Format, isText: TextRule): Runs {
  const runs: number[] = [];
  const pad = (start: number, end: number): void => {
    if (end > start) runs.push(PAD, start, end - start, 0, 1);
  };
  let end = 0;
  for (const { type, offset, size: bytes, repeat, index } of items) {
    pad(end, offset);
    runs.push(caseOf(type, isText(index)), offset, bytes, index, index + repeat);
    end = offset + bytes * repeat;
  }
  pad(end, size);
  return runs;
}

const NUMBERS: ReadonlyMap<Kind, number> = new Map(KINDS.map((kind, i) => [kind, 2 * i]));

function caseOf(kind: Kind, text: boolean): number {
  return NUMBERS.get(kind)! + (text && (kind.kind === "bytes" || kind.kind === "pascal") ? 1 : 0);
}

const PAD = caseOf(KINDS.find(({ kind }) => kind === "pad")!, false);

/**
 * Statements that go through a table: for each run with `p`, the place of the value at hand, `n`, its bytes, `i`, its
 * index, and `end`. `each` gives the statement of one value, and `pad` that of padding.
 */
export function throughRuns(each: (type: Item["type"], text: boolean) => string, pad: string): string {
  const cases = KINDS.flatMap((kind) => {
    if (kind.kind === "pad") return [`case ${PAD}: ${pad} break;`];
    const texts = kind.kind === "bytes" || kind.kind === "pascal" ? [false, true] : [false];
    return texts.map(
      (text) => `case ${caseOf(kind, text)}: for (; i < end; i++, p += n) { ${each(kind, text)} } break;`,
    );
  });
  return `for (let at = 0; at < runs.length; at += ${RUN}) {
    let p = o + runs[at + 1], i = runs[at + 3];
    const n = runs[at + 2], end = runs[at + 4];
    switch (runs[at]) {
      ${cases.join("\n      ")}
    }
  }`;
}

/** `b[o + 4]`, without the sum where there is nothing to add. */
export function byteAt(start: string, offset: number): string {
  return offset === 0 ? `b[${start}]` : `b[${start} + ${offset}]`;
}

/** The order in which an integer's bytes stand: how far each is shifted, from the first byte on. */
export function shifts(bits: number, bigEndian: boolean): number[] {
  const rising = Array.from({ length: bits / 8 }, (_, i) => 8 * i);
  return bigEndian ? rising.reverse() : rising;
}

/** Which values of a struct are text, by their index. */
export type TextRule = (index: number) => boolean;

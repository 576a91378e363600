import type { ComparedSize } from "../../model/records/comparison.ts";
import type { RunRecord } from "../../model/records/run.ts";

/** A codec's name on each side, and the one that both have in a comparison. */
export interface NamePair {
  readonly codec: string;
  readonly base: string;
  readonly head: string;
}

const MEASURES = ["bytes", "gzip", "brotli", "zstd"] as const;

/**
 * The sizes that both records have, in the order of the base: of its first message as it is and compressed, or, where
 * no message was compressed, as its cells have it.
 */
export function comparedSizes(base: RunRecord, head: RunRecord, names: readonly NamePair[]): ComparedSize[] {
  const [before, after] = [sizesOf(base), sizesOf(head)];
  return base.datasets.flatMap(({ name: dataset }) =>
    names.flatMap((name) => {
      const from = before.get(key(dataset, name.base));
      const to = after.get(key(dataset, name.head));
      if (from === undefined || to === undefined) return [];
      return MEASURES.flatMap((measure): ComparedSize[] => {
        const [one, other] = [from[measure], to[measure]];
        if (one === undefined || other === undefined) return [];
        return [{ dataset, codec: name.codec, measure, base: one, head: other, change: other - one }];
      });
    }),
  );
}

type Sizes = Partial<Record<(typeof MEASURES)[number], number>>;

function sizesOf({ payloads, cells }: RunRecord): Map<string, Sizes> {
  const sizes = new Map<string, Sizes>();
  for (const { dataset, codec, bytes, status } of cells) {
    const sized = status === "measured" || status === "ok";
    if (sized && bytes !== undefined) sizes.set(key(dataset, codec), { bytes });
  }
  for (const { dataset, codec, ...payload } of payloads) sizes.set(key(dataset, codec), payload);
  return sizes;
}

function key(dataset: string, codec: string): string {
  return JSON.stringify([dataset, codec]);
}

/** The tables: their rows, and what asks a codec for the cells of one. */
import type { Dataset } from "../model/dataset.ts";
import type { FactTableName } from "../model/records/facts.ts";
import { pathText } from "../model/value.ts";
import type { Answering, AskedCodec, FactRow } from "./cell.ts";
import { evolutionOf, evolutionRows } from "./evolution/asked.ts";
import { fidelityProbes } from "./fidelity.ts";
import { baseOf, encodeCarried, fidelityOf, shown } from "./judge.ts";

/** A table by what it asks. */
interface Asked {
  /** The rows of a dataset. */
  rows(dataset: Dataset): FactRow[];
  /** What asks a codec that carries the data. @param shownBytes of a message, at most */
  of(codec: AskedCodec, dataset: Dataset, shownBytes?: number): Answering;
}

/** The tables whose cells are asked for one at a time. */
export const ASKED: Readonly<Record<Exclude<FactTableName, "hostile">, Asked>> = {
  fidelity: {
    rows: (dataset) =>
      fidelityProbes(dataset).map(({ name, place, given }) => ({
        name,
        path: pathText(place.steps),
        given: shown(given()),
      })),
    of: (codec, dataset, shownBytes) => {
      const probes = fidelityProbes(dataset);
      return async (row) => {
        const probe = probes[row]!;
        if (probe.isForeign === true && codec.schemaless !== true) return undefined;
        return await fidelityOf(codec, dataset, probe, shownBytes);
      };
    },
  },
  evolution: { rows: evolutionRows, of: evolutionOf },
};

/** Throws where a codec does not carry the data. */
export async function expectCarried(codec: AskedCodec, dataset: Dataset): Promise<void> {
  await codec.load?.();
  const base = baseOf(dataset, {});
  encodeCarried(await codec.bind(base), base.values[0] ?? null);
}

/** Which records can be merged, and which of them are of one kind of machine. */
import {
  CIRCUMSTANCES,
  ENGINE,
  expectSameData,
  libraryDifferences,
} from "../../analysis/compare/circumstances.ts";
import { UsageError } from "../../model/errors.ts";
import type { RunRecord } from "../../model/records/run.ts";

/** A record, and what it is called. */
export interface Named {
  readonly source: string;
  readonly record: RunRecord;
}

/** Options in which runs of one comparison may differ: what they measured is the same. */
const FREE = new Set(["seed", "shard", "blocks", "processes", "timeoutSeconds", "bandwidths"]);

/** Circumstances that are part of a machine, besides what tells engines apart. */
const OF_MACHINE = [
  "cores",
  "CPU governor",
  "runtime version",
  "engine version",
  "flags of measuring processes",
  "browser opened by hand",
];

/**
 * Throws UsageError, which names two records and the first difference between them, unless all have the same data, options,
 * libraries and version of wirebench, and none holds what another one holds.
 */
export function expectMergeable(records: readonly Named[]): void {
  const [first, ...others] = records;
  if (first === undefined || others.length === 0) {
    throw new UsageError(`merge: expected two records or more, got ${records.length === 0 ? "none" : "one"}`);
  }
  const page = records.find(({ record }) => record.shortened);
  if (page !== undefined) {
    throw new UsageError(
      `${page.source}: expected a run.json, got a page: it has not every batch, of which runs are merged`,
    );
  }
  for (const other of others) {
    const difference = differenceBetween(first.record, other.record);
    if (difference !== undefined)
      throw new UsageError(`${first.source} and ${other.source} cannot be merged: ${difference}`);
  }
  expectDistinct(records);
}

/** What keeps two records from being merged; undefined where nothing does. */
function differenceBetween(one: RunRecord, other: RunRecord): string | undefined {
  const differ = (what: string, of: (record: RunRecord) => unknown): string | undefined => {
    const [a, b] = [textOf(of(one)), textOf(of(other))];
    return a === b ? undefined : `${what}: expected the same in both, got ${a} and ${b}`;
  };
  const options = new Set(
    [...Object.keys(one.options), ...Object.keys(other.options)].filter((key) => !FREE.has(key)),
  );
  const found = [
    () => differ("version of wirebench", ({ tool }) => tool.version),
    ...[...options].map((key) => () => differ(`option ${key}`, (record) => optionOf(record, key))),
    () => problemOf(() => expectSameData([one, other])),
    () => {
      const [library] = libraryDifferences([one], [other]);
      return library && `${library.what}: expected the same in both, got ${library.base} and ${library.head}`;
    },
  ];
  for (const difference of found) {
    const text = difference();
    if (text !== undefined) return text;
  }
  return undefined;
}

function optionOf({ options }: RunRecord, key: string): unknown {
  return (options as unknown as Readonly<Record<string, unknown>>)[key];
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return String(value ?? "nothing");
}

function problemOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** Throws UsageError where two records hold the same process: it would count twice. */
function expectDistinct(records: readonly Named[]): void {
  const seen = new Map<string, string>();
  for (const { source, record } of records) {
    const own = new Set(measurementsOf(record));
    for (const measurement of own) {
      const before = seen.get(measurement);
      if (before !== undefined) {
        throw new UsageError(
          `${before} and ${source} cannot be merged: both hold the same measurement, which would count twice`,
        );
      }
      seen.set(measurement, source);
    }
  }
}

/** Batches of a process that tell it from any other: two that were measured apart never agree in so many. */
const TELLING = 12;

/**
 * What each process is known by, whatever its block is called: what it measured of a codec on a dataset, in all operations together. By a
 * clock of coarse steps two that were measured apart may agree in the few batches of one.
 */
function measurementsOf({ cells }: RunRecord): string[] {
  const ofProcess = new Map<string, string[]>();
  for (const { operation, dataset, codec, nanos } of cells) {
    nanos?.batches.forEach((batches, i) => {
      const key = JSON.stringify([dataset, codec, nanos.blocks[i]]);
      const known = ofProcess.get(key) ?? [dataset, codec];
      ofProcess.set(key, known);
      const counts = [nanos.loops[i], nanos.batchCalls[i], batches.length];
      known.push(JSON.stringify([operation, counts, batches.slice(0, TELLING)]));
    });
  }
  return [...ofProcess.values()].map((known) => JSON.stringify(known.sort()));
}

/** What machines of one kind have in common: their times can be pooled. By the name of each circumstance. */
export function fingerprintOf({ merged: _, ...record }: RunRecord): ReadonlyMap<string, string> {
  const circumstances = Object.entries(CIRCUMSTANCES).filter(([what]) => OF_MACHINE.includes(what));
  const facts = [...Object.entries(ENGINE), ...circumstances];
  return new Map(facts.map(([what, of]) => [what, of(record)]));
}

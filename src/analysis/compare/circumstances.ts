/** Under which circumstances two runs were made: what forbids to compare them, and what should make a reader careful. */
import { UsageError } from "../../model/errors.ts";
import type { ComparedCell, Comparison, Difference } from "../../model/records/comparison.ts";
import type { Cell, RunRecord } from "../../model/records/run.ts";
import { formatShare } from "../../model/share.ts";

/**
 * What circumstances of two runs differ. Throws UsageError for what forbids to compare them: other data under the same
 * name always, another processor, platform or engine unless it is forced.
 */
export function fingerprintDifferences(
  base: RunRecord,
  head: RunRecord,
  { force }: { readonly force: boolean },
): Difference[] {
  expectSameData(base, head);
  const forbidding = differences(ENGINE, base, head);
  const [first] = forbidding;
  if (first !== undefined && !force) {
    const all = forbidding.map((one) => `${one.what} ${one.base} and ${one.head}`).join("; ");
    throw new UsageError(
      `the records are of different machines or engines: ${all}: their times cannot be compared, expected the same in both, or --force`,
    );
  }
  return [
    ...forbidding.map((one) => ({ ...one, weight: "forced" as const })),
    ...differences(CIRCUMSTANCES, base, head).map((one) => ({ ...one, weight: "warning" as const })),
    ...libraryDifferences(base, head),
  ];
}

/** A circumstance by its name, as text. */
type Facts = Readonly<Record<string, (record: RunRecord) => string>>;

/** With another of these, every time is another: engines by their first numbers, which their compilers follow. */
export const ENGINE: Facts = {
  "CPU model": ({ environment }) => environment.cpu.model,
  platform: ({ environment }) => `${environment.os.platform} ${environment.os.arch}`,
  runtime: ({ runtimes }) =>
    runtimes.map(({ name, version }) => `${name} ${firstNumbers(version, 1)}`).join(", "),
  engine: ({ runtimes }) =>
    runtimes.map(({ engine }) => `${engine.name} ${firstNumbers(engine.version, 2)}`).join(", "),
};

/** With another of these, times may be others. */
export const CIRCUMSTANCES: Facts = {
  cores: ({ environment }) => String(environment.cpu.cores),
  "CPU governor": ({ environment }) => environment.cpu.governor ?? "unknown",
  "operating system": ({ environment }) => environment.os.release,
  clocksource: ({ environment }) => environment.clocksource ?? "unknown",
  "runtime version": ({ runtimes }) => runtimes.map(({ name, version }) => `${name} ${version}`).join(", "),
  "engine version": ({ runtimes }) =>
    runtimes.map(({ engine }) => `${engine.name} ${engine.version}`).join(", "),
  "flags of measuring processes": ({ runtimes }) =>
    runtimes.map(({ execArgv }) => execArgv.join(" ") || "none").join(", "),
  wirebench: ({ tool }) => tool.version,
  profile: ({ options }) => options.profile,
  processes: ({ options }) => String(options.processes),
  isolate: ({ options }) => options.isolate,
  jit: ({ options }) => options.jit,
  threshold: ({ options }) => String(options.threshold),
};

function firstNumbers(version: string, count: number): string {
  return version.replace(/^v/, "").split(".").slice(0, count).join(".");
}

function differences(facts: Facts, base: RunRecord, head: RunRecord): Omit<Difference, "weight">[] {
  return Object.entries(facts)
    .map(([what, of]) => ({ what, base: of(base), head: of(head) }))
    .filter((one) => one.base !== one.head);
}

/** Equal data has equal hashes; a dataset that no process described has none. */
export function expectSameData(base: RunRecord, head: RunRecord): void {
  for (const { name, sha256 } of base.datasets) {
    const other = head.datasets.find((dataset) => dataset.name === name)?.sha256;
    if (sha256 === undefined || other === undefined || sha256 === other) continue;
    throw new UsageError(
      `dataset "${name}": the two records have different data under this name: expected SHA-256 ${short(sha256)}, got ${short(other)}`,
    );
  }
}

/** Codecs whose library is another, of another version, or built in another way. */
export function libraryDifferences(base: RunRecord, head: RunRecord): Difference[] {
  const others = new Map(head.cells.map((cell) => [cell.codec, cell]));
  const found = new Map<string, Difference>();
  const builtIn = new Set(["wirebench", ...base.runtimes.map(({ name }) => name)]);
  for (const cell of base.cells) {
    const other = others.get(cell.codec);
    if (other === undefined) continue;
    if (other.library !== cell.library) {
      const what = `library of ${cell.codec}`;
      found.set(what, { what, base: cell.library, head: other.library, weight: "warning" });
      continue;
    }
    // What is built into a runtime or wirebench has their versions, which are compared above.
    if (builtIn.has(cell.library)) continue;
    const [from, to] = [versionOf(cell), versionOf(other)];
    if (from !== to) found.set(cell.library, { what: cell.library, base: from, head: to, weight: "note" });
  }
  return [...found.values()];
}

/** Libraries that were built in another way on one of two sides that were measured together. */
export function buildDifferences(cells: readonly ComparedCell[]): Difference[] {
  const found = cells.flatMap(({ base, head }): Difference[] =>
    base.build === head.build
      ? []
      : [
          {
            what: `how ${base.library} was built`,
            base: base.build ?? "unknown",
            head: head.build ?? "unknown",
            weight: "warning",
          },
        ],
  );
  return [...new Map(found.map((one) => [one.what, one])).values()];
}

function versionOf({ version, build }: Cell): string {
  return build === undefined ? version : `${version} (${build})`;
}

function short(hash: string): string {
  return `${hash.slice(0, 16)}…`;
}

/** What should make a reader of a comparison careful, in sentences without a full stop. */
export function warningsOf(comparison: Omit<Comparison, "warnings">): string[] {
  const { method, base, head, differences, noiseMeasured, cells, shift, gate, threshold } = comparison;
  const { detectable, failIfSlower } = comparison;
  // Null where a single process says nothing of chance: then nothing at all is found.
  const found = Math.max(gate, detectable ?? Number.POSITIVE_INFINITY);
  const interrupted = [base, head].filter(({ complete }) => !complete).map(({ source }) => source);
  return [
    ...differences.map((one) => {
      const forced = one.weight === "forced" ? ": times of the two cannot be compared" : "";
      return `${one.what}: ${one.base} in the base, ${one.head} in the head${forced}`;
    }),
    ...[...new Set(interrupted)].map((source) => `${source}: the run was interrupted`),
    ...(noiseMeasured || cells.length === 0
      ? []
      : [
          "no run measured its own noise, as the profiles standard and thorough do: the gate is the threshold alone",
        ]),
    ...(failIfSlower === undefined || cells.length === 0 || found <= failIfSlower.limit
      ? []
      : [
          `the limit of ${formatShare(failIfSlower.limit)} is below what is found four times in five, ${Number.isFinite(found) ? formatShare(found) : "which is nothing"}: cells that are slower by more may pass`,
        ]),
    ...(method === "records" && shift?.machine === true
      ? [
          `the whole machine was ${formatShare(Math.abs(shift.median - 1))} ${shift.median > 1 ? "slower" : "faster"} in the head: ${shift.together} of ${shift.cells} cells moved that way, by more than the threshold of ${formatShare(threshold)} in the middle; what they share changed, not the codecs, and no ratio is corrected for it`,
        ]
      : []),
  ];
}

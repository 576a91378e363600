/** Under which circumstances two runs were made: what forbids to compare them, and what should make a reader careful. */
import { UsageError } from "../../model/errors.ts";
import type { ComparedCell, Comparison, Difference } from "../../model/records/comparison.ts";
import type { Cell, MachineRecord, RunRecord } from "../../model/records/run.ts";
import { formatShare } from "../../model/share.ts";
import { movedTogether } from "./cells.ts";
import { blindWarning } from "./gates.ts";

type Records = readonly RunRecord[];

/**
 * What circumstances of the runs of two sides differ. Throws UsageError for what forbids to compare them: other data under
 * the same name always, another processor, platform or engine unless it is forced.
 */
export function fingerprintDifferences(
  bases: Records,
  heads: Records,
  { force }: { readonly force: boolean },
): Difference[] {
  expectSameData([...bases, ...heads]);
  const forbidding = differences(ENGINE, bases, heads);
  const [first] = forbidding;
  if (first !== undefined && !force) {
    const all = forbidding.map((one) => `${one.what} ${one.base} and ${one.head}`).join("; ");
    throw new UsageError(
      `the records are of different machines or engines: ${all}: their times cannot be compared, expected the same in both, or --force`,
    );
  }
  return [
    ...forbidding.map((one) => ({ ...one, weight: "forced" as const })),
    ...differences(CIRCUMSTANCES, bases, heads).map((one) => ({ ...one, weight: "warning" as const })),
    ...libraryDifferences(bases, heads),
  ];
}

/** A circumstance by its name, as text. */
type Facts = Readonly<Record<string, (record: RunRecord) => string>>;

/** With another of these, every time is another: engines by their first numbers, which their compilers follow. */
export const ENGINE: Facts = {
  "CPU model": ({ environment, merged: { machines = [] } = {} }) =>
    machines.length > 1 ? sharesOf(machines) : environment.cpu.model,
  platform: ({ environment }) => `${environment.os.platform} ${environment.os.arch}`,
  runtime: ({ runtimes }) =>
    runtimes.map(({ name, version }) => `${name} ${firstNumbers(version, 1)}`).join(", "),
  engine: ({ runtimes }) =>
    runtimes.map(({ engine }) => `${engine.name} ${firstNumbers(engine.version, 2)}`).join(", "),
};

/** The machines of a merged record, and how much of it is of each: another mixture has another time. */
function sharesOf(machines: readonly MachineRecord[]): string {
  const all = machines.reduce((sum, { blocks }) => sum + blocks.length, 0);
  const parts = machines.map(
    ({ label, blocks }) => `${label} in ${formatShare(blocks.length / all)} of the blocks`,
  );
  return parts.sort().join(" and ");
}

/** With another of these, times may be others. */
export const CIRCUMSTANCES: Facts = {
  cores: ({ environment }) => String(environment.cpu.cores),
  "CPU governor": ({ environment }) => environment.cpu.governor ?? "unknown",
  "operating system": ({ environment }) => environment.os.release,
  clocksource: ({ environment }) => environment.clocksource ?? "unknown",
  "timed by": ({ runtimes }) => runtimes.map(({ timeSource }) => timeSource ?? "wall").join(", "),
  "runtime version": ({ runtimes }) => runtimes.map(({ name, version }) => `${name} ${version}`).join(", "),
  "engine version": ({ runtimes }) =>
    runtimes.map(({ engine }) => `${engine.name} ${engine.version}`).join(", "),
  "flags of measuring processes": ({ runtimes }) =>
    runtimes.map(({ execArgv }) => execArgv.join(" ") || "none").join(", "),
  "browser opened by hand": ({ runtimes }) =>
    runtimes.flatMap(({ userAgent }) => userAgent ?? []).join(", ") || "none",
  wirebench: ({ tool }) => tool.version,
  profile: ({ options }) => options.profile,
  processes: ({ options }) => String(options.processes),
  isolate: ({ options }) => options.isolate,
  "cores of a measuring process": ({ options }) => String(options.cores ?? "all"),
  jit: ({ options }) => options.jit,
  "code of strings": ({ options }) => (options.noEval === true ? "forbidden" : "allowed"),
  threshold: ({ options }) => String(options.threshold),
};

function firstNumbers(version: string, count: number): string {
  return version.replace(/^v/, "").split(".").slice(0, count).join(".");
}

function differences(facts: Facts, bases: Records, heads: Records): Omit<Difference, "weight">[] {
  return Object.entries(facts).flatMap(([what, of]) => differing(what, bases.map(of), heads.map(of)));
}

/** A circumstance, where it is not one and the same in all runs. */
function differing(
  what: string,
  bases: readonly string[],
  heads: readonly string[],
): Omit<Difference, "weight">[] {
  if (new Set([...bases, ...heads]).size <= 1) return [];
  const shown = (values: readonly string[]): string => [...new Set(values)].join(" and ");
  return [{ what, base: shown(bases), head: shown(heads) }];
}

/** Equal data has equal hashes; a dataset that no process described has none. */
export function expectSameData(records: Records): void {
  const known = new Map<string, string>();
  for (const { name, sha256 } of records.flatMap(({ datasets }) => datasets)) {
    if (sha256 === undefined) continue;
    const first = known.get(name) ?? sha256;
    known.set(name, first);
    if (first === sha256) continue;
    throw new UsageError(
      `dataset "${name}": the two records have different data under this name: expected SHA-256 ${short(first)}, got ${short(sha256)}`,
    );
  }
}

/** Codecs whose library is another, of another version, or built in another way. */
export function libraryDifferences(bases: Records, heads: Records): Difference[] {
  const [before, after] = [bases, heads].map((records) => records.map(byCodec)) as [
    CodecCells[],
    CodecCells[],
  ];
  const found = new Map<string, Difference>();
  const builtIn = new Set([
    "wirebench",
    ...bases.flatMap(({ runtimes }) => runtimes.map(({ name }) => name)),
  ]);
  for (const codec of new Set(before.flatMap((cells) => [...cells.keys()]))) {
    const from = before.flatMap((cells) => cells.get(codec) ?? []);
    const to = after.flatMap((cells) => cells.get(codec) ?? []);
    if (to.length === 0) continue;
    const names = differing(`library of ${codec}`, from.map(libraryOf), to.map(libraryOf));
    for (const one of names) found.set(one.what, { ...one, weight: "warning" });
    // What is built into a runtime or wirebench has their versions, which are compared above.
    const library = libraryOf(from[0]!);
    if (names.length > 0 || builtIn.has(library)) continue;
    for (const one of differing(library, from.map(versionOf), to.map(versionOf))) {
      // Runs of one side are to be of the same code.
      const mixed = one.base.includes(" and ") || one.head.includes(" and ");
      found.set(library, { ...one, weight: mixed ? "warning" : "note" });
    }
  }
  return [...found.values()];
}

type CodecCells = ReadonlyMap<string, Cell>;

function byCodec({ cells }: RunRecord): CodecCells {
  return new Map(cells.map((cell) => [cell.codec, cell]));
}

function libraryOf({ library }: Cell): string {
  return library;
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

/**
 * What should make a reader of a comparison careful, in sentences without a full stop. What a gate could not see is last.
 * @param uncertain see `Estimates`
 */
export function warningsOf(comparison: Omit<Comparison, "warnings">, uncertain: boolean): string[] {
  const { base, head, bases = [base], heads = [head], differences, noiseMeasured, cells } = comparison;
  const blind = blindWarning(comparison);
  const partial = [...bases, ...heads].filter(({ complete }) => !complete);
  return [
    ...differences.map((one) => {
      const forced = one.weight === "forced" ? ": times of the two cannot be compared" : "";
      return `${one.what}: ${one.base} in the base, ${one.head} in the head${forced}`;
    }),
    ...new Set(partial.map(({ source, reason }) => `${source}: ${reason ?? "the run was interrupted"}`)),
    ...(noiseMeasured || comparison.betweenRuns !== undefined || cells.length === 0
      ? []
      : [
          "no run measured its own noise, as the profiles standard and thorough do: the gate is the threshold alone",
        ]),
    ...sharedWarnings(comparison, uncertain),
    ...(blind === undefined ? [] : [blind]),
  ];
}

/** What all cells did together, and what that does to their ratios. */
function sharedWarnings(
  { method, shift, threshold, calibration, absolute }: Omit<Comparison, "warnings">,
  uncertain: boolean,
): string[] {
  if (method === "paired" || shift === null) return [];
  if (calibration?.by === "baseline") {
    return [
      `fewer than six cells of three codecs are in all records: ratios to ${calibration.baseline} are compared, and what ${calibration.baseline} itself did is not judged`,
    ];
  }
  if (!movedTogether(shift, threshold)) return [];
  const { median, together, cells } = shift;
  const moved = `${together} of ${cells} ${cells === 1 ? "cell" : "cells"} moved alike, in the middle by ${formatShare(Math.abs(median - 1))}, ${median > 1 ? "slower" : "faster"} in the head`;
  if (calibration !== undefined) {
    return [
      `${moved}: that is taken off every ratio, and with it what a change of the code does to most of them; --fail-if-shifted fails by it`,
    ];
  }
  if (absolute === true)
    return [`${moved}: with --absolute, what the machine did between the runs counts as a difference`];
  if (!uncertain) return [];
  return [
    `${moved}: nothing tells a machine that changed from codecs that did, and none is called different; expected the baseline or six cells of three codecs in all records, several base records before --, or --base and --head, which measure both at once; --absolute takes times as they are`,
  ];
}

/** The rows of reference programs in a run: which there are, and what each of their systems is measured on. */

import { namedDataset } from "../catalog/dataset.ts";
import { type Registry, splitName } from "../catalog/registry.ts";
import { defined } from "../model/defined.ts";
import { type Refusal, UsageError } from "../model/errors.ts";
import type { NativeRecord } from "../model/records/run.ts";
import type { Int64Mode } from "../model/schema.ts";
import type { FoundRuntime } from "../runtimes/launch/find.ts";
import {
  type BuiltNative,
  builtNative,
  type FoundNative,
  foundNative,
  type NativeOutcome,
} from "../runtimes/native/build.ts";
import { launchNative } from "../runtimes/native/launch.ts";
import { type NativeProgram, type NativeSystem, nativePrograms } from "../runtimes/native/manifest.ts";
import type { Pair } from "./pair.ts";
import type { PlannedDataset } from "./planned-dataset.ts";
import type { NativeSelection } from "./selection.ts";

/** What a run has of reference programs. */
export interface PlannedNatives {
  readonly pairs: readonly Pair[];
  readonly records: readonly NativeRecord[];
  /** What has to be installed for those that are left out, a line each. */
  readonly missing: readonly string[];
}

/** The programs that are asked for, built one after the other. */
export async function builtNatives(selection: NativeSelection): Promise<NativeOutcome[]> {
  const { folder, only = () => true } = selection;
  const outcomes: NativeOutcome[] = [];
  for (const program of nativePrograms(folder).filter(only)) outcomes.push(await built(program, selection));
  return outcomes;
}

/** The programs of a selection, as far as they are built. */
export async function foundNatives({ folder, ...options }: NativeSelection): Promise<FoundNative[]> {
  const found: FoundNative[] = [];
  for (const program of nativePrograms(folder)) found.push(await foundNative(program, options));
  return found;
}

function built(program: NativeProgram, { onBuild, ...options }: NativeSelection): Promise<NativeOutcome> {
  return builtNative(program, options, () => onBuild?.(program.name));
}

/**
 * The rows of all programs on those of the datasets that they have, beside some codecs.
 * @param codecs names of codecs with or without a variant: systems of others are left out
 */
export async function planNatives(
  registry: Registry,
  selection: NativeSelection,
  codecs: readonly string[],
  datasets: readonly PlannedDataset[],
  int64: Int64Mode | undefined,
): Promise<PlannedNatives> {
  const bases = new Set(codecs.map((codec) => splitName(codec)[0]));
  const pairs: Pair[] = [];
  const records: NativeRecord[] = [];
  const missing: string[] = [];
  const names = new RowNames();
  const withValues = new Map<string, PlannedDataset>();
  for (const dataset of datasets) {
    const { source } = dataset;
    const own = typeof source === "string" ? await namedDataset(registry, source, int64) : source;
    withValues.set(dataset.name, { ...dataset, source: own });
  }
  for (const program of nativePrograms(selection.folder)) {
    const rows = program.systems
      .filter(({ codec }) => bases.has(splitName(codec)[0]))
      .flatMap((system) =>
        [...withValues.values()]
          .filter(({ name }) => ["*", splitName(name)[0]].some((one) => system.datasets.includes(one)))
          .map((dataset) => ({ system, dataset })),
      );
    if (rows.length === 0) continue;
    const outcome = await built(program, selection);
    if ("missing" in outcome) {
      missing.push(`${program.name}: ${outcome.missing}`);
      continue;
    }
    if (!("failed" in outcome)) records.push(nativeRecord(outcome));
    for (const { system, dataset } of rows) {
      const install = "failed" in outcome ? undefined : missingLibrary(outcome, system);
      if (install === undefined) pairs.push(pairOf(outcome, system, dataset, names));
      else if (!missing.includes(install)) missing.push(install);
    }
  }
  return { pairs, records, missing };
}

/**
 * Names of codecs that patterns select. Throws UsageError, which says of an original beside which codec it is measured.
 * @param folder of other programs than those of wirebench
 */
export async function selectCodecs(
  registry: Registry,
  patterns: readonly string[],
  folder?: string,
): Promise<string[]> {
  const selected: string[] = [];
  for (const pattern of patterns) {
    try {
      selected.push(...(await registry.selectCodecs([pattern])));
    } catch (error) {
      const codec = originalsCodec(pattern, folder);
      if (!(error instanceof UsageError) || codec === undefined) throw error;
      throw new UsageError(
        `${error.message} (an original is measured beside ${codec}: -c ${codec} --native)`,
      );
    }
  }
  return [...new Set(selected)];
}

/** The codec beside which a program has a row of that name, with or without a language; undefined where none has. */
function originalsCodec(row: string, folder: string | undefined): string | undefined {
  const [name] = row.split(" (");
  const rows = nativePrograms(folder).flatMap(({ systems, exchanges = [] }) => [...systems, ...exchanges]);
  return rows.find((one) => one.name === name)?.codec;
}

/** What to install for a system whose program does without its library; undefined where it is there. */
export function missingLibrary(
  { program, hello }: BuiltNative,
  { library, install }: Pick<NativeSystem, "library" | "install">,
): string | undefined {
  if (hello.libraries[library] !== undefined) return undefined;
  return `${program.name}: ${library} not found${install === undefined ? "" : `: ${install}`}`;
}

/** What rows are called: `protobuf (C++ 3.21)`. Where another program has that name already, it stands with the program's own. */
export class RowNames {
  readonly #owners = new Map<string, string>();

  of(
    { language, name: program }: Pick<NativeProgram, "language" | "name">,
    { name }: Pick<NativeSystem, "name">,
    version: string | undefined,
  ): string {
    const short = /^\d+(\.\d+)?/.exec(version ?? "")?.[0];
    const about = [language, short].filter(Boolean).join(" ");
    const row = `${name} (${about})`;
    const owner = this.#owners.get(row) ?? program;
    this.#owners.set(row, owner);
    return owner === program ? row : `${name} (${about}, ${program})`;
  }
}

function pairOf(
  outcome: Exclude<NativeOutcome, { missing: string }>,
  system: NativeSystem,
  dataset: PlannedDataset,
  names: RowNames,
): Pair {
  const { program } = outcome;
  const failed = "failed" in outcome;
  const version = failed ? undefined : outcome.hello.libraries[system.library];
  const refused: Refusal | undefined = failed ? { status: "failed", reason: outcome.failed } : undefined;
  return {
    codec: names.of(program, system, version),
    source: { codec: system.name, plugins: [] },
    runtime: runtimeOf(failed ? { program, command: [] } : outcome, system),
    identity: {
      runtime: program.language,
      format: system.format,
      library: system.library,
      version: version ?? "unknown",
      program: program.name,
      ...defined({ originalOf: system.original === true ? system.codec : undefined }),
    },
    dataset,
    ...defined({ refused }),
  };
}

function runtimeOf(
  { program, command }: Pick<BuiltNative, "program" | "command">,
  system: NativeSystem,
): FoundRuntime {
  const { language } = program;
  return {
    label: language,
    identity: { name: language, version: "", engine: { name: language, version: "" } },
    isCurrent: false,
    leadsImports: false,
    execArgv: [],
    steadyArgv: [],
    launch: (job, cpuSeconds) => launchNative({ command, system }, job, cpuSeconds),
  };
}

/** What a record says of a program. */
export function nativeRecord({ program, hello, flags }: BuiltNative): NativeRecord {
  const { language, compiler, libraries } = hello;
  const named = Object.entries(libraries).map(([name, version]) => `${name} ${version}`);
  return { program: program.name, language, compiler, libraries: named, flags };
}

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { copyOf, otherMajor } from "../../catalog/library-version.ts";
import { type NamedCodec, Registry } from "../../catalog/registry.ts";
import { defined } from "../../model/defined.ts";
import { PluginError, UsageError } from "../../model/errors.ts";
import { ownRuntime } from "../../model/runtime.ts";
import { steadied } from "../../runtimes/launch/find.ts";
import type { Pair } from "../pair.ts";
import { makePlan, type Plan } from "../plan.ts";
import type { Selection } from "../selection.ts";
import { type ComparedSource, comparedSource } from "./compared-side.ts";
import { type ProvidedLibrary, providedLibrary } from "./provided-library.ts";

/** A plan in which each codec is measured on two sides, and what the sides are called in its record. */
export interface PairedPlan {
  readonly plan: Plan;
  readonly names: readonly { readonly codec: string; readonly base: string; readonly head: string }[];
}

/** The two sides as they are asked for: see `comparedSource`. */
export interface PairedSides {
  readonly base: string;
  readonly head: string;
}

/** What is measured of both; the codecs are by default those of the package or file, without variants. */
export type PairedSelection = Omit<Selection, "baseline" | "jit">;

/**
 * Plans to measure two versions of a library, or two files with a codec, in the same blocks, and does some work with the
 * plan. Whatever was installed for it is removed afterwards. Throws UsageError, and the signal's reason when it is aborted
 * while something is installed.
 */
export async function withPairedPlan<T>(
  sides: PairedSides,
  selection: PairedSelection,
  signal: AbortSignal | undefined,
  work: (paired: PairedPlan) => Promise<T>,
): Promise<T> {
  const [base, head] = [comparedSource(sides.base), comparedSource(sides.head)];
  if (base.kind === "plugin" && head.kind === "plugin")
    return work(await planOfFiles(base.file, head.file, selection));
  if (base.kind === "plugin" || head.kind === "plugin") {
    throw new UsageError(
      `${sides.base} and ${sides.head}: expected two versions of one package, or two files with a codec, got one of each`,
    );
  }
  const { name, version } = ownRuntime();
  if (name !== "node") {
    throw new UsageError(
      `${sides.base} and ${sides.head}: expected Node, whose module hooks lead a codec to another copy of its library, got ${name} ${version}`,
    );
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-"));
  try {
    return await work(await planOfLibrary(base, head, selection, folder, signal));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function planOfFiles(base: string, head: string, selection: PairedSelection): Promise<PairedPlan> {
  const plugins = selection.plugins ?? [];
  const planOf = async (file: string): Promise<Plan> => {
    const name = path.basename(file, path.extname(file));
    const registry = await Registry.open([...plugins, file]);
    if (!registry.isOwn("codecs", name))
      throw new UsageError(`${file}: expected a codec, got another plugin`);
    const codecs = selection.codecs ?? [name];
    return makePlan({ ...selection, codecs, plugins: [...plugins, file] });
  };
  return paired(await planOf(base), await planOf(head));
}

type LibrarySource = Exclude<ComparedSource, { kind: "plugin" }>;

async function planOfLibrary(
  base: LibrarySource,
  head: LibrarySource,
  selection: PairedSelection,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<PairedPlan> {
  const known = await codecsByLibrary(selection.plugins ?? []);
  const codecOf = (name: string): NamedCodec => {
    const found = known.get(name)?.[0];
    if (found !== undefined) return found;
    throw new UsageError(
      `no codec uses the package ${name}, expected one of ${[...known.keys()].join(", ")}`,
    );
  };
  if ("name" in base && "name" in head) expectSame(base.name, head.name);
  const before = await providedLibrary(base, path.join(folder, "base"), codecOf, signal);
  const after = await providedLibrary(head, path.join(folder, "head"), codecOf, signal);
  expectSame(before.copy.name, after.copy.name);
  const codecs = selection.codecs ?? (known.get(before.copy.name) ?? []).map(({ name }) => name);
  const plan = await makePlan({ ...selection, codecs });
  const other = plan.pairs.find(({ identity }) => identity.library !== before.copy.name);
  if (other !== undefined) {
    throw new UsageError(
      `codec "${other.codec}" uses ${other.identity.library}: expected one that uses ${before.copy.name}`,
    );
  }
  return paired(withLibrary(plan, before), withLibrary(plan, after));
}

function expectSame(base: string, head: string): void {
  if (base !== head) throw new UsageError(`expected two versions of one package, got ${base} and ${head}`);
}

/** The codecs, without variants, by the package that they use. One that cannot be loaded uses none. */
async function codecsByLibrary(plugins: readonly string[]): Promise<Map<string, NamedCodec[]>> {
  const registry = await Registry.open(plugins);
  const found = new Map<string, NamedCodec[]>();
  for (const name of registry.names("codecs")) {
    try {
      const codec = await registry.codec(name);
      const { library } = codec;
      if (library === undefined || library === "node") continue;
      found.set(library, [...(found.get(library) ?? []), codec]);
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
    }
  }
  return found;
}

/** Only the process that loads a copy knows how it was built. */
function withLibrary(plan: Plan, { copy, version }: ProvidedLibrary): Plan {
  const pairs = plan.pairs.map((pair): Pair => {
    const { build: _, tried: __, libraryFolder: ___, ...identity } = pair.identity;
    return {
      ...pair,
      source: { ...pair.source, library: copyOf(copy, version, pair.tried) },
      identity: { ...identity, version, ...defined({ tried: otherMajor(version, pair.tried) }) },
    };
  });
  return { ...plan, pairs };
}

/** Both plans as one, in whose blocks each codec runs once on each side. */
function paired(base: Plan, head: Plan): PairedPlan {
  const codecsIn = ({ pairs }: Plan): string[] => [
    ...new Set(pairs.filter(({ twinOf }) => twinOf === undefined).map(({ codec }) => codec)),
  ];
  const [before, after] = [codecsIn(base), codecsIn(head)];
  const pairs = base.pairs.flatMap((pair, index) => {
    const other = head.pairs[index];
    if (pair.twinOf !== undefined) {
      const twinOf = baseName(pair.twinOf);
      return [{ ...pair, codec: pair.codec.replace(pair.twinOf, () => twinOf), twinOf }];
    }
    const here = { ...pair, codec: baseName(pair.codec) };
    return other === undefined ? [here] : [here, { ...other, codec: headName(other.codec) }];
  });
  if (before.length !== after.length) {
    throw new UsageError(
      `expected as many codecs on both sides, got ${before.join(", ")} and ${after.join(", ")}`,
    );
  }
  const names = before.map((codec, index) => {
    const other = after[index] ?? codec;
    return {
      codec: codec === other ? codec : `${codec} -> ${other}`,
      base: baseName(codec),
      head: headName(other),
    };
  });
  // Both sides have as many processes wherever they are compared.
  const profile = { ...base.profile, busyProcessMs: 0 };
  const plan: Plan = {
    ...base,
    profile,
    pairs,
    baseline: baseName(base.baseline),
    jit: "isolated",
    others: [],
  };
  return { plan: steadyPlan(plan), names };
}

/**
 * The warm-up in ms without which the steady flags do harm: what is compiled by the thread that calls is not done in less,
 * and is then in the measured time (docs/compare.md).
 */
const STEADY_WARM_UP_MS = 250;

/** A plan whose processes all make the same code, where there are flags for that. Published times never have them. */
function steadyPlan(plan: Plan): Plan {
  if (plan.runtimes.some(({ steadyArgv }) => steadyArgv.length === 0)) return plan;
  const runtimes = new Map(plan.runtimes.map((runtime) => [runtime.label, steadied(runtime)]));
  // A longer warm-up is no reason for fewer processes.
  const { meanProcessMs: _, ...profile } = plan.profile;
  const warmupMs = Math.max(profile.warmupMs, STEADY_WARM_UP_MS);
  return {
    ...plan,
    profile: { ...profile, warmupMs },
    runtimes: [...runtimes.values()],
    pairs: plan.pairs.map((pair) => ({ ...pair, runtime: runtimes.get(pair.runtime.label) ?? pair.runtime })),
    steady: true,
  };
}

/** Names that no codec can have. */
function baseName(codec: string): string {
  return `${codec} (base)`;
}

function headName(codec: string): string {
  return `${codec} (head)`;
}

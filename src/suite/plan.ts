import { isAtHand, projectDependencies } from "../catalog/library-version.ts";
import { type NamedCodec, Registry, splitName } from "../catalog/registry.ts";
import type { CounterEvents } from "../measure/counting.ts";
import { PROFILES, type Profile, type ProfileName } from "../measure/profiles.ts";
import { expectBandwidth } from "../model/bandwidth.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { PluginError, type Unavailable, UsageError } from "../model/errors.ts";
import { expectList, expectName, expectNumber } from "../model/expect-option.ts";
import { parseGoal } from "../model/goal.ts";
import { nearNames } from "../model/near-names.ts";
import type { Int64Mode } from "../model/schema.ts";
import {
  type FoundRuntime,
  findRuntimes,
  type UnnamedRuntime,
  withoutEval,
} from "../runtimes/launch/find.ts";
import { coresToPin } from "../runtimes/launch/pinning.ts";
import { counterFault } from "../runtimes/node/perf.ts";
import { installMissing, type UsedVersion, usedVersion } from "./libraries.ts";
import { type PlannedNatives, planNatives, selectCodecs } from "./natives.ts";
import type { PlannedOperation } from "./operations.ts";
import { inRuntime, nameIn, type Pair, resolve, twinsOf, withVersions } from "./pair.ts";
import { planDatasets } from "./planned-dataset.ts";
import { chosenBlocks, type Isolation, type Jit, type Selection, type Study } from "./selection.ts";
import { studiedDatasets, studiedOperations, studyOf } from "./study.ts";

/** A selection with every name known and every default filled in. */
export interface Plan {
  readonly pairs: readonly Pair[];
  /** What codecs are measured in, the baseline's first. */
  readonly runtimes: readonly FoundRuntime[];
  /** Reference programs, whose pairs are among the others; absent where none were asked for. */
  readonly natives?: PlannedNatives;
  /** Codecs that there are beside those that were chosen where none was named. */
  readonly leftOut?: number;
  readonly operations: readonly PlannedOperation[];
  readonly isolate: Isolation;
  /** Numbers of the cores that measuring processes are pinned to. */
  readonly cores?: readonly number[];
  readonly int64: Int64Mode | undefined;
  readonly profileName: ProfileName;
  readonly profile: Profile;
  /** Numbers of the blocks that are carried out, in order; all of the profile's where it is absent. */
  readonly blocks?: readonly number[];
  /** Which share of the profile's blocks those are, as `2/5`. */
  readonly shard?: string;
  /** What is counted in the processor, or why it cannot be; absent where that is not asked for. */
  readonly counters?: CounterEvents | Unavailable;
  readonly seed: number;
  readonly baseline: string;
  readonly timeoutSeconds: number;
  readonly threshold: number;
  readonly jit: Jit;
  /** Whether memory and compression are measured too, in the last block. */
  readonly survey: boolean;
  /** Set where measuring processes have their runtimes' steady flags. */
  readonly steady?: true;
  /** Set where no code may be made of strings. */
  readonly noEval?: true;
  /** Names of datasets whose shapes processes of all codecs meet too. */
  readonly others: readonly string[];
  readonly study?: Study;
  readonly goal?: string;
  readonly bandwidths?: readonly number[];
}

const TIMEOUT_SECONDS = 120;

/** A per cent: process-level effects such as the layout of memory make differences of that size between equal programs. */
const THRESHOLD = 0.01;

/** In user space: the kernel's own are seldom allowed, and depend on what else it does. */
const COUNTER_EVENTS: CounterEvents = { instructions: "instructions:u", cycles: "cycles:u" };

/** Units of a scalable dataset that is met and not measured. */
const OTHERS_SIZE = 64;

/** Options that are lists. */
const LISTS = [
  "plugins",
  "codecs",
  "use",
  "datasets",
  "operations",
  "bandwidths",
  "runtimes",
  "blocks",
] as const;

const MAX_SEED = 2 ** 31 - 1;

/**
 * Fills in a selection. Throws UsageError for what makes no sense, and for names not known with the near ones.
 * @param signal ends what fetches a library
 * @param opened browsers that are measured in too
 */
export async function makePlan(
  selection: Selection,
  signal?: AbortSignal,
  opened: readonly UnnamedRuntime[] = [],
): Promise<Plan> {
  for (const option of LISTS) expectList(option, selection[option]);
  const plugins = selection.plugins ?? [];
  const registry = await Registry.open(plugins);
  const used: UsedVersion[] = [];
  // One after the other: npm itself fetches at once.
  for (const spec of selection.use ?? []) used.push(await usedVersion(spec, signal));
  const codecs = await selectedCodecs(registry, selection, used);
  if (codecs.length === 0) throw new UsageError("no codec: expected at least one");
  if (selection.install === true) await installMissing(await knownCodecs(registry, codecs), signal);
  const leftOut = selection.codecs === undefined ? registry.names("codecs").length - codecs.length : 0;
  const int64 = selection.int64 && expectName("int64", selection.int64, { number: true, bigint: true });
  const found = await findRuntimes(selection.runtimes, opened);
  const runtimes = selection.noEval === true ? found.map(withoutEval) : found;
  const [first] = runtimes;
  if (first === undefined) throw new UsageError("no runtime: expected at least one");
  const pairs = await Promise.all(
    codecs.flatMap((codec) => runtimes.map((runtime) => resolve(registry, codec, runtime, plugins))),
  );
  const resolved = withVersions(pairs, used);
  const baseline = chooseBaseline(
    selection.baseline,
    [...new Set(resolved.map(({ codec }) => codec))],
    runtimes,
  );
  const study = studyOf(selection);
  const named = selection.datasets ?? ["tellist"];
  const studied = await studiedDatasets(registry, study, named, int64);
  const datasets = await planDatasets(registry, studied, int64);
  const profileName = expectName("profile", selection.profile ?? "standard", PROFILES);
  const profile = PROFILES[profileName];
  const jit = expectName("jit", selection.jit ?? "isolated", { isolated: true, shared: true });
  const members = runtimes.length === 1 ? resolved : resolved.map(inRuntime);
  const twins = members.flatMap((pair) => (pair.codec === baseline ? twinsOf(pair) : []));
  const operations = await studiedOperations(registry, study, selection, datasets, int64);
  const natives =
    selection.native && (await planNatives(registry, selection.native, codecs, datasets, int64));
  const isolate = expectName("isolate", selection.isolate ?? "codec", { codec: true, cell: true });
  return {
    pairs: [
      ...datasets.flatMap((dataset) => [...members, ...twins].map((codec) => ({ ...codec, dataset }))),
      ...(natives?.pairs ?? []),
    ],
    runtimes,
    ...(leftOut > 0 ? { leftOut } : {}),
    ...defined({ natives, noEval: selection.noEval === true ? (true as const) : undefined }),
    operations,
    isolate,
    int64,
    profileName,
    profile,
    ...defined({ blocks: chosenBlocks(selection, profileName, profile), shard: selection.shard }),
    seed: expectNumber("seed", selection.seed ?? Math.floor(Math.random() * (MAX_SEED + 1)), {
      integer: true,
      least: 0,
      most: MAX_SEED,
    }),
    baseline,
    threshold: expectNumber("threshold", selection.threshold ?? THRESHOLD, {
      integer: false,
      least: 0,
      most: 1,
    }),
    jit,
    // Of a worker's memory the main thread knows nothing.
    survey: selection.survey ?? study !== "stall",
    others: jit === "shared" ? await othersOf(registry) : [],
    ...defined({ goal: expectGoal(selection.goal, operations) }),
    ...defined({ cores: selection.cores === undefined ? undefined : expectCores(selection.cores) }),
    ...defined({ counters: selection.counters === true ? countersHere() : undefined, study }),
    ...(selection.bandwidths === undefined
      ? {}
      : { bandwidths: expectBandwidths(selection.bandwidths, operations) }),
    timeoutSeconds: expectNumber("timeout", selection.timeoutSeconds ?? TIMEOUT_SECONDS, {
      integer: false,
      least: 0.001,
      // Beyond, a timer would fire at once.
      most: MAX_SEED / 1000,
    }),
  };
}

/** Names of the codecs that are measured: by default those whose libraries are at hand, and any that use a library of `use`. */
async function selectedCodecs(
  registry: Registry,
  { codecs, datasets, native }: Selection,
  used: readonly UsedVersion[],
): Promise<string[]> {
  if (codecs !== undefined) return selectCodecs(registry, codecs, native?.folder);
  const names = await registry.selectCodecs([
    defaultGroup(registry, datasets),
    ...(used.length > 0 ? ["@node"] : []),
  ]);
  const known = await knownCodecs(registry, names);
  const dependencies = projectDependencies();
  // One codec a library: of another with one that comes with wirebench anyway, only who names it is measured.
  const taken = new Set(known.filter(({ tried }) => tried === undefined).map(({ library }) => library));
  const left = known.filter(
    (codec) =>
      (codec.tried !== undefined && taken.has(codec.library)) ||
      (!isAtHand(codec, dependencies) && !used.some(({ library }) => library === codec.library)),
  );
  return names.filter((name) => left.every((codec) => codec.name !== name));
}

/** The codecs of these names but for those that cannot be loaded. */
async function knownCodecs(registry: Registry, names: readonly string[]): Promise<NamedCodec[]> {
  const known = await Promise.all(
    names.map(async (name) => {
      try {
        return [await registry.codec(name)];
      } catch (error) {
        if (error instanceof PluginError) return [];
        throw error;
      }
    }),
  );
  return known.flat();
}

/**
 * The codecs where none are named: of one's own data what a Node program would choose from, and of what is built in
 * everything that it was published for.
 */
function defaultGroup(registry: Registry, datasets: Selection["datasets"] = []): string {
  const isBuiltIn = (dataset: string | Dataset): boolean =>
    typeof dataset === "string" && !registry.isOwn("datasets", splitName(dataset)[0]);
  return datasets.every(isBuiltIn) ? "@published" : "@node";
}

/** What can be counted here, which is tried first. */
function countersHere(): CounterEvents | Unavailable {
  const fault = counterFault(COUNTER_EVENTS);
  return fault === undefined ? COUNTER_EVENTS : { unavailable: fault };
}

function expectCores(count: number): number[] {
  return coresToPin(expectNumber("cores", count, { integer: true, least: 1, most: MAX_SEED }));
}

/** What an answer begins with must be measured. */
function expectGoal(goal: string | undefined, operations: readonly PlannedOperation[]): string | undefined {
  if (goal !== undefined && parseGoal(goal).goal !== "size") expectBothEnds(`goal ${goal}`, operations);
  return goal;
}

function expectBothEnds(what: string, operations: readonly PlannedOperation[]): void {
  for (const needed of ["encode", "decode"]) {
    if (operations.every(({ name }) => name !== needed))
      throw new UsageError(`${what}: it needs encode and decode, and ${needed} is not measured`);
  }
}

/** What a message costs on a wire is made of encode and decode. */
function expectBandwidths(bandwidths: readonly number[], operations: readonly PlannedOperation[]): number[] {
  if (bandwidths.length > 0) expectBothEnds("bandwidth", operations);
  return bandwidths.map((one) => expectBandwidth("bandwidths", one));
}

/** The built-in datasets, the scalable ones in a small size: the other messages of a server. */
async function othersOf(registry: Registry): Promise<string[]> {
  const names = registry.names("datasets").filter((name) => !registry.isOwn("datasets", name));
  return Promise.all(
    names.map(async (name) => {
      const { size } = await registry.definition("datasets", name);
      return size === undefined ? name : `${name}:${Math.min(size.standard, OTHERS_SIZE)}`;
    }),
  );
}

/** The name of the baseline: a codec's, which is taken in the first runtime, or that of a codec in a runtime. */
function chooseBaseline(
  wanted: string | undefined,
  codecs: readonly string[],
  runtimes: readonly FoundRuntime[],
): string {
  const several = runtimes.length > 1;
  const members = several
    ? codecs.flatMap((codec) => runtimes.map((runtime) => nameIn(codec, runtime)))
    : codecs;
  if (wanted !== undefined && members.includes(wanted)) return wanted;
  if (wanted !== undefined && !codecs.includes(wanted)) {
    throw new UsageError(
      `baseline "${wanted}" is not among the codecs measured${nearNames(wanted, members)}`,
    );
  }
  const codec = wanted ?? (codecs.includes("json") ? "json" : (codecs[0] ?? ""));
  return several ? nameIn(codec, runtimes[0]!) : codec;
}

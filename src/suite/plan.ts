import { libraryOf } from "../catalog/library-version.ts";
import { Registry, splitName } from "../catalog/registry.ts";
import type { CounterEvents } from "../measure/counting.ts";
import type { CodecSource, Unavailable } from "../measure/host.ts";
import { PROFILES, type Profile, type ProfileName } from "../measure/profiles.ts";
import { expectBandwidth } from "../model/bandwidth.ts";
import { defined } from "../model/defined.ts";
import { PluginError, type Refusal, UsageError } from "../model/errors.ts";
import { expectList, expectName, expectNumber } from "../model/expect-option.ts";
import { nearNames } from "../model/near-names.ts";
import type { Int64Mode } from "../model/schema.ts";
import { currentRuntime, type FoundRuntime, findRuntimes } from "../runtimes/launch/find.ts";
import { coresToPin } from "../runtimes/launch/pinning.ts";
import { counterFault } from "../runtimes/node/perf.ts";
import { chosenBlocks } from "./block.ts";
import type { Identity } from "./cell-builder.ts";
import { type PlannedNatives, planNatives } from "./natives.ts";
import { type PlannedOperation, selectOperations } from "./operations.ts";
import { type PlannedDataset, planDatasets } from "./planned-dataset.ts";
import type { Isolation, Jit, Selection, Study } from "./selection.ts";
import { readsOperations, studyOf, sweptDatasets } from "./study.ts";

/** A selection with every name known and every default filled in. */
export interface Plan {
  readonly pairs: readonly Pair[];
  /** What codecs are measured in, the baseline's first. */
  readonly runtimes: readonly FoundRuntime[];
  /** Reference programs, whose pairs are among the others; absent where none were asked for. */
  readonly natives?: PlannedNatives;
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
  /** Names of datasets whose shapes processes of all codecs meet too. */
  readonly others: readonly string[];
  readonly study?: Study;
  readonly bandwidths?: readonly number[];
}

/** One codec on one dataset, in one runtime. */
export interface Pair {
  /** Its name in the record: `msgpackr`, or `msgpackr (bun)` where there are several runtimes. */
  readonly codec: string;
  /** What is loaded. */
  readonly source: CodecSource;
  readonly runtime: FoundRuntime;
  /** Set where this is another codec once more, under another name: any difference between them is noise. */
  readonly twinOf?: string;
  readonly identity: Omit<Identity, "operation" | "dataset" | "codec">;
  readonly dataset: PlannedDataset;
  /** Why it cannot even be tried: its module or its library is broken. */
  readonly refused?: Refusal;
}

const TIMEOUT_SECONDS = 120;

/** A per cent: process-level effects such as the layout of memory make differences of that size between equal programs. */
const THRESHOLD = 0.01;

/** In user space: the kernel's own are seldom allowed, and depend on what else it does. */
const COUNTER_EVENTS: CounterEvents = { instructions: "instructions:u", cycles: "cycles:u" };

/** Units of a scalable dataset that is met and not measured. */
const OTHERS_SIZE = 64;

/** Options that are lists. */
const LISTS = ["plugins", "codecs", "datasets", "operations", "bandwidths", "runtimes", "blocks"] as const;

const MAX_SEED = 2 ** 31 - 1;

/** Fills in a selection. Throws UsageError for what makes no sense, and for names not known with the near ones. */
export async function makePlan(selection: Selection): Promise<Plan> {
  for (const option of LISTS) expectList(option, selection[option]);
  const plugins = selection.plugins ?? [];
  const registry = await Registry.open(plugins);
  const codecs = await registry.selectCodecs(selection.codecs ?? registry.names("codecs"));
  if (codecs.length === 0) throw new UsageError("no codec: expected at least one");
  const int64 = selection.int64 && expectName("int64", selection.int64, { number: true, bigint: true });
  const runtimes =
    selection.runtimes === undefined ? [await currentRuntime()] : await findRuntimes(selection.runtimes);
  const [first] = runtimes;
  if (first === undefined) throw new UsageError("no runtime: expected at least one");
  const resolved = await Promise.all(
    codecs.flatMap((codec) => runtimes.map((runtime) => resolve(registry, codec, runtime, plugins))),
  );
  const baseline = chooseBaseline(selection.baseline, codecs, runtimes);
  const study = studyOf(selection);
  const named = selection.datasets ?? ["tellist"];
  const swept = study === "size" ? await sweptDatasets(registry, named) : named;
  const datasets = await planDatasets(registry, swept, int64);
  const profileName = expectName("profile", selection.profile ?? "standard", PROFILES);
  const profile = PROFILES[profileName];
  const jit = expectName("jit", selection.jit ?? "isolated", { isolated: true, shared: true });
  const members = runtimes.length === 1 ? resolved : resolved.map(inRuntime);
  const twins = members.flatMap((pair) => (pair.codec === baseline ? twinsOf(pair) : []));
  const operations =
    study === "reads"
      ? await readsOperations(registry, datasets, int64)
      : await selectOperations(registry, selection.operations, selection.parts === true);
  const natives =
    selection.native && (await planNatives(registry, selection.native, codecs, datasets, int64));
  const isolate = expectName("isolate", selection.isolate ?? "codec", { codec: true, cell: true });
  return {
    pairs: [
      ...datasets.flatMap((dataset) => [...members, ...twins].map((codec) => ({ ...codec, dataset }))),
      ...(natives?.pairs ?? []),
    ],
    runtimes,
    ...defined({ natives }),
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
    survey: selection.survey ?? true,
    others: jit === "shared" ? await othersOf(registry) : [],
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

/** What can be counted here, which is tried first. */
function countersHere(): CounterEvents | Unavailable {
  const fault = counterFault(COUNTER_EVENTS);
  return fault === undefined ? COUNTER_EVENTS : { unavailable: fault };
}

function expectCores(count: number): number[] {
  return coresToPin(expectNumber("cores", count, { integer: true, least: 1, most: MAX_SEED }));
}

/** What a message costs on a wire is made of encode and decode. */
function expectBandwidths(bandwidths: readonly number[], operations: readonly PlannedOperation[]): number[] {
  for (const needed of ["encode", "decode"]) {
    if (bandwidths.length > 0 && operations.every(({ name }) => name !== needed))
      throw new UsageError(`bandwidth: it needs encode and decode, and ${needed} is not measured`);
  }
  return bandwidths.map((one) => expectBandwidth("bandwidth", one));
}

/** Under the name that a codec has where there are several runtimes. */
function inRuntime(pair: Omit<Pair, "dataset">): Omit<Pair, "dataset"> {
  const { label } = pair.runtime;
  return { ...pair, codec: nameIn(pair.codec, pair.runtime), identity: { ...pair.identity, runtime: label } };
}

function nameIn(codec: string, { label }: FoundRuntime): string {
  return `${codec} (${label})`;
}

/**
 * How the baseline is called when it is measured again. It is in every ratio: measured three times a block its noise
 * weighs a third, and a run tells differences a fifth smaller (`benchmarks/power.js`).
 */
const TWINS = ["A/A", "A/A 2"];

/** The same codec under names that no codec can have. */
function twinsOf(pair: Omit<Pair, "dataset">): Omit<Pair, "dataset">[] {
  return TWINS.map((name) => ({ ...pair, codec: `${pair.codec} (${name})`, twinOf: pair.codec }));
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

async function resolve(
  registry: Registry,
  name: string,
  runtime: FoundRuntime,
  plugins: readonly string[],
): Promise<Omit<Pair, "dataset">> {
  const pair = { codec: name, source: { codec: name, plugins }, runtime };
  try {
    const { format, ...codec } = await registry.codec(name);
    // What is built in is the runtime's own, and how a library was built is another matter in another runtime.
    const { name: library, version } = runtime.identity;
    const own = codec.library === "node" ? { library, version } : libraryOf(codec);
    const build = runtime.isCurrent ? codec.build : undefined;
    return { ...pair, identity: { format, ...own, ...defined({ build }) } };
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    const unknown = { format: "unknown", library: splitName(name)[0], version: "unknown" };
    return { ...pair, identity: unknown, refused: { status: "failed", reason: error.message } };
  }
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

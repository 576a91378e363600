import { libraryOf } from "../catalog/library-version.ts";
import { Registry, splitName } from "../catalog/registry.ts";
import type { CodecSource } from "../measure/host.ts";
import { type NamedProfile, PROFILES, type ProfileName } from "../measure/profiles.ts";
import { expectBandwidth } from "../model/bandwidth.ts";
import { PluginError, type Refusal, UsageError } from "../model/errors.ts";
import { expectList, expectName, expectNumber } from "../model/expect-option.ts";
import { nearNames } from "../model/near-names.ts";
import type { Int64Mode } from "../model/schema.ts";
import type { Identity } from "./cell-builder.ts";
import { type PlannedOperation, selectOperations } from "./operations.ts";
import { type PlannedDataset, planDatasets } from "./planned-dataset.ts";
import type { Isolation, Jit, Selection, Study } from "./selection.ts";
import { readsOperations, studyOf, sweptDatasets } from "./study.ts";

/** A selection with every name known and every default filled in. */
export interface Plan {
  readonly pairs: readonly Pair[];
  readonly operations: readonly PlannedOperation[];
  readonly isolate: Isolation;
  readonly int64: Int64Mode | undefined;
  readonly profileName: ProfileName;
  readonly profile: NamedProfile;
  readonly seed: number;
  readonly baseline: string;
  readonly timeoutSeconds: number;
  readonly threshold: number;
  readonly jit: Jit;
  /** Whether memory and compression are measured too, in the last block. */
  readonly survey: boolean;
  /** Names of datasets whose shapes processes of all codecs meet too. */
  readonly others: readonly string[];
  readonly study?: Study;
  readonly bandwidths?: readonly number[];
}

/** One codec on one dataset. */
export interface Pair {
  /** Its name in the record. */
  readonly codec: string;
  /** What is loaded. */
  readonly source: CodecSource;
  /** Set where this is another codec once more, under a second name: any difference between them is noise. */
  readonly twinOf?: string;
  readonly identity: Omit<Identity, "operation" | "dataset" | "codec">;
  readonly dataset: PlannedDataset;
  /** Why it cannot even be tried: its module or its library is broken. */
  readonly refused?: Refusal;
}

const TIMEOUT_SECONDS = 120;

/** A per cent: process-level effects such as the layout of memory make differences of that size between equal programs. */
const THRESHOLD = 0.01;

/** Units of a scalable dataset that is met and not measured. */
const OTHERS_SIZE = 64;

/** Options that are lists. */
const LISTS = ["plugins", "codecs", "datasets", "operations", "bandwidths"] as const;

const MAX_SEED = 2 ** 31 - 1;

/** Fills in a selection. Throws UsageError for what makes no sense, and for names not known with the near ones. */
export async function makePlan(selection: Selection): Promise<Plan> {
  for (const option of LISTS) expectList(option, selection[option]);
  const plugins = selection.plugins ?? [];
  const registry = await Registry.open(plugins);
  const codecs = await registry.selectCodecs(selection.codecs ?? registry.names("codecs"));
  if (codecs.length === 0) throw new UsageError("no codec: expected at least one");
  const int64 = selection.int64 && expectName("int64", selection.int64, { number: true, bigint: true });
  const resolved = await Promise.all(codecs.map((codec) => resolve(registry, codec, plugins)));
  const baseline = chooseBaseline(selection.baseline, codecs);
  const study = studyOf(selection);
  const named = selection.datasets ?? ["tellist"];
  const swept = study === "size" ? await sweptDatasets(registry, named) : named;
  const datasets = await planDatasets(registry, swept, int64);
  const profileName = expectName("profile", selection.profile ?? "standard", PROFILES);
  const profile = PROFILES[profileName];
  const jit = expectName("jit", selection.jit ?? "isolated", { isolated: true, shared: true });
  const twins = profile.twin ? resolved.filter(({ codec }) => codec === baseline).map(twin) : [];
  const operations =
    study === "reads"
      ? await readsOperations(registry, datasets, int64)
      : await selectOperations(registry, selection.operations, selection.parts === true);
  const isolate = expectName("isolate", selection.isolate ?? "codec", { codec: true, cell: true });
  return {
    pairs: datasets.flatMap((dataset) => [...resolved, ...twins].map((codec) => ({ ...codec, dataset }))),
    operations,
    isolate,
    int64,
    profileName,
    profile,
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
    survey: true,
    others: jit === "shared" ? await othersOf(registry) : [],
    ...(study === undefined ? {} : { study }),
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

/** What a message costs on a wire is made of encode and decode. */
function expectBandwidths(bandwidths: readonly number[], operations: readonly PlannedOperation[]): number[] {
  for (const needed of ["encode", "decode"]) {
    if (bandwidths.length > 0 && operations.every(({ name }) => name !== needed))
      throw new UsageError(`bandwidth: it needs encode and decode, and ${needed} is not measured`);
  }
  return bandwidths.map((one) => expectBandwidth("bandwidth", one));
}

/** The same codec under a name that no codec can have. */
function twin(pair: Omit<Pair, "dataset">): Omit<Pair, "dataset"> {
  return { ...pair, codec: `${pair.codec} (A/A)`, twinOf: pair.codec };
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
  plugins: readonly string[],
): Promise<Omit<Pair, "dataset">> {
  const source = { codec: name, plugins };
  try {
    const codec = await registry.codec(name);
    const build = codec.build === undefined ? {} : { build: codec.build };
    return { codec: name, source, identity: { format: codec.format, ...libraryOf(codec), ...build } };
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    const unknown = { format: "unknown", library: splitName(name)[0], version: "unknown" };
    return { codec: name, source, identity: unknown, refused: { status: "failed", reason: error.message } };
  }
}

function chooseBaseline(wanted: string | undefined, codecs: readonly string[]): string {
  if (wanted !== undefined && !codecs.includes(wanted)) {
    throw new UsageError(`baseline "${wanted}" is not among the codecs measured${nearNames(wanted, codecs)}`);
  }
  return wanted ?? (codecs.includes("json") ? "json" : (codecs[0] ?? ""));
}

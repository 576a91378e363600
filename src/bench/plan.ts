import { expectDistinctNames, findDataset, namedDataset, ownDataset } from "../catalog/dataset.ts";
import { libraryOf } from "../catalog/library-version.ts";
import { Registry, splitName } from "../catalog/registry.ts";
import type { Dataset } from "../model/dataset.ts";
import { PluginError, UsageError } from "../model/errors.ts";
import { expectName, expectNumber } from "../model/expect-option.ts";
import { nearNames } from "../model/near-names.ts";
import type { Int64Mode } from "../model/schema.ts";
import type { Identity } from "./cell-builder.ts";
import type { Refusal } from "./job.ts";
import { type PlannedOperation, selectOperations } from "./operations.ts";
import { PROFILES, type Profile, type ProfileName } from "./profiles.ts";

/** What is to be measured. Everything has a default. */
export interface Selection {
  /** Names or patterns as on the command line; by default every codec without its variants. */
  readonly codecs?: readonly string[];
  /** Names, or datasets from `loadDataset`; by default `tellist`. */
  readonly datasets?: readonly (string | Dataset)[];
  /** Type of 64-bit integers in the datasets that are named; by default numbers where all are safe. */
  readonly int64?: Int64Mode;
  /** Names or patterns; by default those that are no part of another. */
  readonly operations?: readonly string[];
  /** Measure build, write, read and plain too. */
  readonly parts?: boolean;
  /** By default `standard`. */
  readonly profile?: ProfileName;
  /** `codec`, the default: a codec's operations share a process. `cell`: each has its own. */
  readonly isolate?: Isolation;
  /** Makes the order of the measurements repeatable: 0 to 2^31 - 1; by default drawn anew and recorded. */
  readonly seed?: number;
  /** The codec that ratios are to; by default `json`, or the first codec where json is not measured. */
  readonly baseline?: string;
  /** Files of the user's own codecs, datasets, operations and reports. */
  readonly plugins?: readonly string[];
  /** A process that has not answered after this long is killed; by default 120. */
  readonly timeoutSeconds?: number;
}

/** What is measured in a process of its own. */
export type Isolation = "codec" | "cell";

/** A selection with every name known and every default filled in. */
export interface Plan {
  readonly pairs: readonly Pair[];
  readonly operations: readonly PlannedOperation[];
  readonly isolate: Isolation;
  readonly int64: Int64Mode | undefined;
  readonly profileName: ProfileName;
  readonly profile: Profile;
  readonly seed: number;
  readonly baseline: string;
  readonly plugins: readonly string[];
  readonly timeoutSeconds: number;
}

/** One codec on one dataset. */
export interface Pair {
  readonly codec: string;
  readonly identity: Omit<Identity, "operation" | "dataset" | "codec">;
  readonly dataset: PlannedDataset;
  /** Why it cannot even be tried: its module or its library is broken. */
  readonly refused?: Refusal;
}

/** A dataset as a run knows it: by name, or with the user's data. */
export interface PlannedDataset {
  readonly name: string;
  readonly story: string;
  readonly message: string;
  readonly source: string | Dataset;
}

const TIMEOUT_SECONDS = 120;
const MAX_SEED = 2 ** 31 - 1;

/** Fills in a selection. Throws UsageError for what makes no sense, and for names not known with the near ones. */
export async function makePlan(selection: Selection): Promise<Plan> {
  const plugins = selection.plugins ?? [];
  const registry = await Registry.open(plugins);
  const codecs = await registry.selectCodecs(selection.codecs ?? registry.names("codecs"));
  if (codecs.length === 0) throw new UsageError("no codec: expected at least one");
  const int64 = selection.int64 && expectName("int64", selection.int64, { number: true, bigint: true });
  const resolved = await Promise.all(codecs.map((codec) => resolve(registry, codec)));
  const datasets = await planDatasets(registry, selection.datasets ?? ["tellist"], int64);
  const profileName = expectName("profile", selection.profile ?? "standard", PROFILES);
  const isolate = expectName("isolate", selection.isolate ?? "codec", { codec: true, cell: true });
  return {
    pairs: datasets.flatMap((dataset) => resolved.map((codec) => ({ ...codec, dataset }))),
    operations: await selectOperations(registry, selection.operations, selection.parts === true),
    isolate,
    int64,
    profileName,
    profile: PROFILES[profileName],
    seed: expectNumber("seed", selection.seed ?? Math.floor(Math.random() * (MAX_SEED + 1)), {
      integer: true,
      least: 0,
      most: MAX_SEED,
    }),
    baseline: chooseBaseline(selection.baseline, codecs),
    plugins,
    timeoutSeconds: expectNumber("timeout", selection.timeoutSeconds ?? TIMEOUT_SECONDS, {
      integer: false,
      least: 0.001,
      // Beyond, a timer would fire at once.
      most: MAX_SEED / 1000,
    }),
  };
}

async function planDatasets(
  registry: Registry,
  datasets: readonly (string | Dataset)[],
  int64: Int64Mode | undefined,
): Promise<PlannedDataset[]> {
  if (datasets.length === 0) throw new UsageError("no dataset: expected at least one");
  // One that is given twice is measured once.
  const planned = await Promise.all(
    [...new Set(datasets)].map((one) => plannedDataset(registry, one, int64)),
  );
  expectDistinctNames(planned.map(({ name }) => name));
  return planned;
}

async function plannedDataset(
  registry: Registry,
  source: string | Dataset,
  int64: Int64Mode | undefined,
): Promise<PlannedDataset> {
  if (typeof source === "string") {
    const { definition } = await findDataset(registry, source);
    // Numbers may not do for its integers, which only its values tell.
    if (int64 === "number") await namedDataset(registry, source, int64);
    return { name: source, story: definition.story, message: definition.schema.root, source };
  }
  const { name, story = "", schema } = source;
  return { name, story, message: schema.root, source: ownDataset(source) };
}

async function resolve(registry: Registry, name: string): Promise<Omit<Pair, "dataset">> {
  try {
    const codec = await registry.codec(name);
    const build = codec.build === undefined ? {} : { build: codec.build };
    return { codec: name, identity: { format: codec.format, ...libraryOf(codec), ...build } };
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    const unknown = { format: "unknown", library: splitName(name)[0], version: "unknown" };
    return { codec: name, identity: unknown, refused: { status: "failed", reason: error.message } };
  }
}

function chooseBaseline(wanted: string | undefined, codecs: readonly string[]): string {
  if (wanted !== undefined && !codecs.includes(wanted)) {
    throw new UsageError(`baseline "${wanted}" is not among the codecs measured${nearNames(wanted, codecs)}`);
  }
  return wanted ?? (codecs.includes("json") ? "json" : (codecs[0] ?? ""));
}

import { findDataset } from "../catalog/dataset.ts";
import { libraryOf } from "../catalog/library-version.ts";
import { globMatches, Registry, splitName } from "../catalog/registry.ts";
import type { Dataset } from "../model/dataset.ts";
import { PluginError, UsageError } from "../model/errors.ts";
import { nearNames } from "../model/near-names.ts";
import type { Cell } from "../model/run-record.ts";
import type { Refusal } from "./job.ts";
import { PROFILES, type Profile, type ProfileName } from "./profiles.ts";

/** What is to be measured. Everything has a default. */
export interface Selection {
  /** Names or patterns as on the command line; by default every codec without its variants. */
  readonly codecs?: readonly string[];
  /** Names, or datasets from `loadDataset`; by default `tellist`. */
  readonly datasets?: readonly (string | Dataset)[];
  /** Names or patterns; by default encode, decode and access. */
  readonly operations?: readonly string[];
  /** Measure build, write, read and plain too. */
  readonly parts?: boolean;
  /** By default `standard`. */
  readonly profile?: ProfileName;
  /** Makes the order of the measurements repeatable; by default drawn anew and recorded. */
  readonly seed?: number;
  /** The codec that ratios are to; by default `json`, or the first codec where json is not measured. */
  readonly baseline?: string;
  /** Files of the user's own codecs and datasets. */
  readonly plugins?: readonly string[];
  /** A process that has not answered after this long is killed; by default 120. */
  readonly timeoutSeconds?: number;
}

/** A selection with every name known and every default filled in. */
export interface Plan {
  readonly pairs: readonly Pair[];
  readonly operations: readonly string[];
  readonly profileName: ProfileName;
  readonly profile: Profile;
  readonly seed: number;
  readonly baseline: string;
  readonly plugins: readonly string[];
  readonly timeoutSeconds: number;
}

/** One codec on one dataset: what one process measures. */
export interface Pair {
  readonly codec: string;
  readonly identity: Pick<Cell, "format" | "library" | "version">;
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

const HEADLINES = ["encode", "decode", "access"];
const PARTS = ["build", "write", "read", "plain"];
const TIMEOUT_SECONDS = 120;

/** Fills in a selection. Throws UsageError for a name that is not known, with the near ones. */
export async function makePlan(selection: Selection): Promise<Plan> {
  const plugins = selection.plugins ?? [];
  const registry = await Registry.open(plugins);
  const codecs = await registry.selectCodecs(selection.codecs ?? registry.names("codecs"));
  const datasets = await Promise.all(
    (selection.datasets ?? ["tellist"]).map((dataset) => plannedDataset(registry, dataset)),
  );
  const resolved = await Promise.all(codecs.map((codec) => resolve(registry, codec)));
  const profileName = selection.profile ?? "standard";
  return {
    pairs: datasets.flatMap((dataset) => resolved.map((codec) => ({ ...codec, dataset }))),
    operations: selectOperations(registry, selection),
    profileName,
    profile: PROFILES[profileName],
    seed: selection.seed ?? Math.floor(Math.random() * 2 ** 31),
    baseline: chooseBaseline(selection.baseline, codecs),
    plugins,
    timeoutSeconds: selection.timeoutSeconds ?? TIMEOUT_SECONDS,
  };
}

function selectOperations(registry: Registry, { operations, parts }: Selection): string[] {
  const known = registry.names("operations");
  const order = (name: string): number => [...HEADLINES, ...PARTS, ...known].indexOf(name);
  const selected = new Set(operations === undefined ? HEADLINES : []);
  for (const pattern of operations ?? []) {
    const hits = known.filter((name) => globMatches(pattern, name));
    if (hits.length === 0) throw new UsageError(`unknown operation "${pattern}"${nearNames(pattern, known)}`);
    for (const hit of hits) selected.add(hit);
  }
  if (parts === true) for (const part of PARTS) selected.add(part);
  return [...selected].sort((a, b) => order(a) - order(b));
}

async function plannedDataset(registry: Registry, dataset: string | Dataset): Promise<PlannedDataset> {
  if (typeof dataset !== "string") {
    const { name, story = "", schema } = dataset;
    return { name, story, message: schema.root, source: dataset };
  }
  const { definition } = await findDataset(registry, dataset);
  return { name: dataset, story: definition.story, message: definition.schema.root, source: dataset };
}

async function resolve(registry: Registry, name: string): Promise<Omit<Pair, "dataset">> {
  try {
    const codec = await registry.codec(name);
    return { codec: name, identity: { format: codec.format, ...libraryOf(codec) } };
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

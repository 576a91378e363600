/** The codecs of a run: each in its runtime, with its library's versions, and the baseline's twins. */
import {
  type ChosenLibrary,
  chosenLibrary,
  copyOf,
  libraryOf,
  otherMajor,
  triedVersion,
} from "../catalog/library-version.ts";
import { type NamedCodec, type Registry, splitName } from "../catalog/registry.ts";
import type { CodecSource } from "../measure/host.ts";
import { defined } from "../model/defined.ts";
import { NotInstalledError, PluginError, type Refusal, UsageError } from "../model/errors.ts";
import type { FoundRuntime } from "../runtimes/launch/find.ts";
import type { Identity } from "./cell-builder.ts";
import type { UsedVersion } from "./libraries.ts";
import type { PlannedDataset } from "./planned-dataset.ts";

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
  /** The version of its library that it was tried with, whichever is measured. */
  readonly tried?: string;
  readonly dataset: PlannedDataset;
  /** Why it cannot even be tried: its module or its library is broken. */
  readonly refused?: Refusal;
}

/** A codec in a runtime, with the library that it has there. What is wrong with its module or library refuses it. */
export async function resolve(
  registry: Registry,
  name: string,
  runtime: FoundRuntime,
  plugins: readonly string[],
): Promise<Omit<Pair, "dataset">> {
  const pair = { codec: name, source: { codec: name, plugins }, runtime };
  let known: NamedCodec | undefined;
  try {
    known = await registry.codec(name);
    const { format, traits, world } = known;
    const { copy, ...library } = libraryIn(known, runtime);
    // How a library was built is another matter in another runtime, and in another copy.
    const build = runtime.isCurrent && copy === undefined ? known.build : undefined;
    const identity = {
      format,
      ...library,
      ...defined({ build, world, libraryFolder: copy?.folder }),
      traits,
    };
    const tried = triedVersion(known);
    return {
      ...pair,
      source: { ...pair.source, ...defined({ library: copy }) },
      identity,
      ...defined({ tried }),
    };
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    const { format = "unknown", library = splitName(name)[0] } = known ?? {};
    const status = error instanceof NotInstalledError ? "unsupported" : "failed";
    return {
      ...pair,
      identity: { format, library, version: "unknown" },
      ...defined({ tried: known?.tried }),
      refused: { status, reason: error.message },
    };
  }
}

/** The copy of a library that a codec has in a runtime. What is built in is the runtime's own, and not every runtime's imports can be led to a copy. */
function libraryIn(codec: NamedCodec, { identity, leadsImports }: FoundRuntime): ChosenLibrary {
  const { name, version } = identity;
  if (codec.library === "node") return { library: name, version };
  return leadsImports ? chosenLibrary(codec) : libraryOf(codec);
}

/** Each codec, and after it once more for each version of its library that is asked for; not where only those are there. */
export function withVersions(
  found: readonly Omit<Pair, "dataset">[],
  used: readonly UsedVersion[],
): Omit<Pair, "dataset">[] {
  const unused = used.find(({ library }) => found.every(({ identity }) => identity.library !== library));
  if (unused !== undefined)
    throw new UsageError(`--use ${unused.library}@${unused.version}: no codec that is measured uses it`);
  return found.flatMap((pair) => {
    const versions = used.filter(({ library }) => library === pair.identity.library);
    const others = versions.map(({ version, copy }): Omit<Pair, "dataset"> => {
      const { refused: _, ...rest } = pair;
      const { build: __, tried: ___, ...identity } = pair.identity;
      return {
        ...rest,
        codec: `${pair.codec}@${version}`,
        source: { ...pair.source, library: copyOf(copy, version, pair.tried) },
        identity: {
          ...identity,
          version,
          libraryFolder: copy.folder,
          ...defined({ tried: otherMajor(version, pair.tried) }),
        },
      };
    });
    return pair.refused !== undefined && others.length > 0 ? others : [pair, ...others];
  });
}

/** Under the name that a codec has where there are several runtimes. */
export function inRuntime(pair: Omit<Pair, "dataset">): Omit<Pair, "dataset"> {
  const { label } = pair.runtime;
  return { ...pair, codec: nameIn(pair.codec, pair.runtime), identity: { ...pair.identity, runtime: label } };
}

/** As {@link inRuntime}. */
export function nameIn(codec: string, { label }: FoundRuntime): string {
  return `${codec} (${label})`;
}

/**
 * How the baseline is called when it is measured again. It is in every ratio: measured three times a block its noise
 * weighs a third, and a run tells differences a fifth smaller (`benchmarks/power.js`).
 */
const TWINS = ["A/A", "A/A 2"];

/** The same codec under names that no codec can have. */
export function twinsOf(pair: Omit<Pair, "dataset">): Omit<Pair, "dataset">[] {
  return TWINS.map((name) => ({ ...pair, codec: `${pair.codec} (${name})`, twinOf: pair.codec }));
}

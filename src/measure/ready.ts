import { inputRing, namedDataset } from "../catalog/dataset.ts";
import { datasetHash } from "../catalog/dataset-hash.ts";
import { Registry } from "../catalog/registry.ts";
import type { Dataset } from "../model/dataset.ts";
import { refusal } from "../model/errors.ts";
import { useLibrary } from "../runtimes/node/library-copy.ts";
import type { Job, JobListeners, Member, MemberResult } from "./job.ts";
import { type ProvenBinding, provenBinding } from "./prove.ts";

/** A member whose codec was loaded, bound, and proven to carry the dataset. */
export interface ReadyMember {
  readonly member: Member;
  readonly registry: Registry;
  readonly dataset: Dataset;
  readonly proven: ProvenBinding;
  /** Milliseconds of loading the codec, its library and the plugins. */
  readonly importMs: number;
  /** How the library was built, where it is another copy than the coordinator's. */
  readonly build?: string;
}

/** Makes a member ready, or says why it cannot be. */
export async function prepared(
  member: Member,
  { int64 }: Job,
  onStep: JobListeners["onStep"],
): Promise<ReadyMember | MemberResult> {
  const { source } = member;
  let dataset: Dataset | undefined;
  try {
    const library = source.library === undefined ? undefined : useLibrary(source.library);
    const from = performance.now();
    const registry = await Registry.open(source.plugins);
    const codec = await registry.codec(source.codec);
    const importMs = performance.now() - from;
    dataset =
      typeof member.dataset === "string"
        ? await namedDataset(registry, member.dataset, int64)
        : member.dataset;
    onStep("its data was made");
    const proven = await provenBinding(codec, dataset, inputRing(dataset), () =>
      onStep(`${source.codec} had a step of its proof behind it`),
    );
    library?.expectLoaded(codec.name);
    const build = library === undefined || codec.build === undefined ? {} : { build: codec.build };
    return { member, registry, dataset, proven, importMs, ...build };
  } catch (error) {
    return { refused: refusal(error), bytes: 0, operations: [], ...about(dataset, member) };
  }
}

/** What is said of the dataset, once per codec and dataset. */
export function about(dataset: Dataset | undefined, { describe }: Member): Pick<MemberResult, "dataset"> {
  if (dataset === undefined || !describe) return {};
  return { dataset: { sha256: datasetHash(dataset), values: dataset.values.length, int64: dataset.int64 } };
}

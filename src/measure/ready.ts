import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { refusal } from "../model/errors.ts";
import { inputRing } from "../schema/values/input-ring.ts";
import type { Host, LoadedCodec } from "./host.ts";
import type { Job, JobListeners, Member, MemberResult } from "./job.ts";
import { type ProvenBinding, provenBinding } from "./prove.ts";

/** A member whose codec was loaded, bound, and proven to carry the dataset. */
export interface ReadyMember {
  readonly member: Member;
  readonly codec: LoadedCodec;
  readonly dataset: Dataset;
  readonly proven: ProvenBinding;
}

/** Makes a member ready, or says why it cannot be. */
export async function prepared(
  member: Member,
  { int64 }: Job,
  host: Host,
  onStep: JobListeners["onStep"],
): Promise<ReadyMember | MemberResult> {
  const { source } = member;
  let dataset: Dataset | undefined;
  try {
    const codec = await host.codec(source);
    dataset =
      typeof member.dataset === "string" ? await host.dataset(member.dataset, source, int64) : member.dataset;
    onStep("its data was made");
    const proven = await provenBinding(codec, dataset, inputRing(dataset), host.clock.now, () =>
      onStep(`${source.codec} had a step of its proof behind it`),
    );
    codec.expectLibrary();
    return { member, codec, dataset, proven };
  } catch (error) {
    return { refused: refusal(error), bytes: 0, operations: [], ...about(dataset, member, host) };
  }
}

/** What is said of the dataset, once per codec and dataset. */
export function about(
  dataset: Dataset | undefined,
  { describe }: Member,
  { surveys }: Host,
): Pick<MemberResult, "dataset"> {
  if (dataset === undefined || !describe) return {};
  const { values, int64 } = dataset;
  return { dataset: { ...defined({ sha256: surveys.hash?.(dataset) }), values: values.length, int64 } };
}

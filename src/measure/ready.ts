import { untriedReason } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { PluginError, type Refusal, refusal } from "../model/errors.ts";
import { BoundCodec } from "./bound-codec.ts";
import type { Host, LoadedCodec } from "./host.ts";
import type { Job, JobListeners, Member, MemberResult } from "./job.ts";
import { everySecond } from "./prove.ts";

/** A member whose codec was loaded and bound. */
export interface ReadyMember {
  readonly member: Member;
  readonly codec: LoadedCodec;
  readonly dataset: Dataset;
  readonly bound: BoundCodec;
  /** To be called between steps that are not timed: it says that the process gets on. */
  readonly onStep: () => void;
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
    const { now } = host.clock;
    const gotOn = everySecond(now, () => onStep(`${source.codec} had a call behind it that is not timed`));
    const own = dataset;
    const thread = host.thread && (() => host.thread!(source, own));
    const bound = await BoundCodec.of(codec, own, { now, onMessage: gotOn, ...defined({ thread }) });
    return { member, codec, dataset: own, bound, onStep: gotOn };
  } catch (error) {
    return refusedMember(error, dataset, member, host);
  }
}

/** What is answered for a member that has no result. */
export function refusedMember(
  error: unknown,
  dataset: Dataset | undefined,
  member: Member,
  host: Host,
): MemberResult {
  host.onRefusal?.(error);
  return {
    refused: withVersion(refusal(error), error, member),
    bytes: 0,
    operations: [],
    ...about(dataset, member),
  };
}

/** What a version says that its codec was not tried with is less than that it is another. What a PluginError says is the reason. */
function withVersion(refused: Refusal, error: unknown, { source: { library } }: Member): Refusal {
  if (library === undefined || refused.status !== "failed" || error instanceof PluginError) return refused;
  return { ...refused, reason: untriedReason(library, refused.reason) };
}

/** What is said of the dataset, once per codec and dataset. */
export function about(dataset: Dataset | undefined, { describe }: Member): Pick<MemberResult, "dataset"> {
  if (dataset === undefined || describe === false) return {};
  const { values, int64 } = dataset;
  return { dataset: { values: values.length, int64 } };
}

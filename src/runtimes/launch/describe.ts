/**
 * What is the same in all processes of a codec and dataset, found out here of the message that the first one sends: the hash
 * of the dataset, compressed sizes, and what the bytes are for. The process proves its codec meanwhile, and loads nothing
 * for it; a page could not do it at all.
 */
import { namedDataset } from "../../catalog/dataset.ts";
import { datasetHash } from "../../catalog/dataset-hash.ts";
import { Registry } from "../../catalog/registry.ts";
import type {
  DescribedMessage,
  Job,
  JobResult,
  Member,
  MemberResult,
  SentMessage,
  WorkerMessage,
} from "../../measure/job.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { compressedSizes } from "../node/compress.ts";

/** What a measuring process says of a job, with what is found out of the messages that it sends. */
export async function* described(
  messages: AsyncIterable<WorkerMessage>,
  job: Job,
): AsyncGenerator<DescribedMessage> {
  const payloads = new Map<number, Promise<MemberResult["payload"]>>();
  const datasets = new Map<number, Promise<Dataset | undefined>>();
  const datasetFor = (place: number): Promise<Dataset | undefined> => {
    // A plugin may give one to a measuring process alone: then it has no hash.
    const dataset = datasets.get(place) ?? datasetOf(job.members[place]!, job).catch(() => undefined);
    datasets.set(place, dataset);
    return dataset;
  };
  const withDescriptions = async (result: JobResult): Promise<JobResult> => ({
    ...result,
    members: await Promise.all(
      result.members.map((one, place) => describedMember(one, () => datasetFor(place), payloads.get(place))),
    ),
  });
  for await (const message of messages) {
    if ("sent" in message) {
      const { member } = message.sent;
      const payload = payloadOf(message.sent, job.members[member]!.source.codec, datasetFor(member));
      // Its reason is thrown where the payload is asked for; nobody asks for that of a member that is refused.
      payload.catch(() => {});
      payloads.set(member, payload);
    } else if ("timed" in message) yield { timed: await withDescriptions(message.timed) };
    else if ("result" in message) yield { result: await withDescriptions(message.result) };
    else yield message;
  }
}

async function payloadOf(
  { encoded, format }: SentMessage,
  codec: string,
  given: Promise<Dataset | undefined>,
): Promise<MemberResult["payload"]> {
  const bytes = Buffer.from(encoded, "base64");
  // Other threads compress it meanwhile.
  const sizes = compressedSizes(bytes);
  const { usesOf } = await import("../../schema/regions/uses.ts");
  const dataset = await given;
  const uses = dataset && usesOf(bytes, { name: codec, format }, dataset);
  return { ...(await sizes), ...defined({ uses }) };
}

async function describedMember(
  result: MemberResult,
  given: () => Promise<Dataset | undefined>,
  payload: Promise<MemberResult["payload"]> | undefined,
): Promise<MemberResult> {
  if (result.dataset === undefined) return result;
  const dataset = await given();
  const sha256 = dataset && hashOf(dataset);
  return {
    ...result,
    dataset: { ...result.dataset, ...defined({ sha256 }) },
    ...(result.refused === undefined && defined({ payload: await payload })),
  };
}

async function datasetOf({ source, dataset }: Member, { int64 }: Job): Promise<Dataset> {
  return typeof dataset === "string"
    ? namedDataset(await Registry.open(source.plugins), dataset, int64)
    : dataset;
}

/** Hashes of datasets: the user's own are the same for all codecs of a run. */
const hashes = new WeakMap<Dataset, string>();

function hashOf(dataset: Dataset): string {
  const hash = hashes.get(dataset) ?? datasetHash(dataset);
  hashes.set(dataset, hash);
  return hash;
}

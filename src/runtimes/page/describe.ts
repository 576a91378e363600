/** What a page cannot say of its data and messages, found out here of what it sent: hashes and compressed sizes. */
import { namedDataset } from "../../catalog/dataset.ts";
import { datasetHash } from "../../catalog/dataset-hash.ts";
import { Registry } from "../../catalog/registry.ts";
import type { Job, JobResult, Member, MemberResult, WorkerMessage } from "../../measure/job.ts";
import { defined } from "../../model/defined.ts";
import { usesOf } from "../../schema/regions/uses.ts";
import { compressedSizes } from "../node/compress.ts";

/** A message of a member that is to be described, as its page encoded it. */
export interface SentMessage {
  /** Place of the member in its job. */
  readonly member: number;
  readonly format: string;
  /** In base64; as it is where the codec makes text. */
  readonly encoded: string;
  readonly isText: boolean;
}

/** What a page says, with the messages that it was asked to describe. */
type FromPage = WorkerMessage & { readonly sent?: readonly SentMessage[] };

/** A message of a page as any other measuring process would have said it. */
export async function described(message: WorkerMessage, job: Job): Promise<WorkerMessage> {
  const { sent = [], ...rest } = message as FromPage;
  const result = "result" in rest ? rest.result : "timed" in rest ? rest.timed : undefined;
  if (result === undefined) return rest;
  const members = await Promise.all(
    result.members.map((one, index) => {
      return describedMember(
        one,
        job.members[index]!,
        job,
        sent.find(({ member }) => member === index),
      );
    }),
  );
  const whole: JobResult = { ...result, members };
  return "result" in rest ? { result: whole } : { timed: whole };
}

async function describedMember(
  result: MemberResult,
  { source, dataset: given, describe }: Member,
  { int64 }: Job,
  message: SentMessage | undefined,
): Promise<MemberResult> {
  if (describe === false || result.dataset === undefined) return result;
  const dataset =
    typeof given === "string" ? await namedDataset(await Registry.open(source.plugins), given, int64) : given;
  const described = { ...result, dataset: { ...result.dataset, sha256: datasetHash(dataset) } };
  if (message === undefined) return described;
  const { encoded, format, isText } = message;
  const bytes = new Uint8Array(Buffer.from(encoded, isText ? "utf8" : "base64"));
  const payload = {
    ...(await compressedSizes(isText ? encoded : bytes)),
    ...defined({ uses: usesOf(Buffer.from(bytes), { name: source.codec, format }, dataset) }),
  };
  return { ...described, payload };
}

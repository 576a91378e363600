/**
 * A measuring process: takes one job, answers once, and ends. Started by `isolate.ts`; nothing else of the
 * tool runs in it, so that what it measures is the codec alone.
 */
import { inputRing, namedDataset } from "../catalog/dataset.ts";
import { datasetHash } from "../catalog/dataset-hash.ts";
import { Registry } from "../catalog/registry.ts";
import type { Dataset } from "../model/dataset.ts";
import { UnsupportedError } from "../model/errors.ts";
import type { OperationContext } from "../model/operation.ts";
import { compileProbe } from "../schema/generate/probe.ts";
import { compressedSizes } from "./compress.ts";
import type { Job, JobResult, OperationResult, Refusal } from "./job.ts";
import { provenBinding } from "./proven-binding.ts";
import { sample } from "./sampler.ts";

process.once("message", (job: Job) => {
  runJob(job).then(
    // A codec may have left a timer or a socket open: what it keeps alive is no reason to wait.
    (result) => process.send?.(result, () => process.exit()),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      process.exit(1);
    },
  );
});
// Ctrl-C and `kill` reach the whole group; the coordinator decides what happens to its children.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
process.on("disconnect", () => process.exit(1));

async function runJob(job: Job): Promise<JobResult> {
  const registry = await Registry.open(job.plugins);
  let dataset: Dataset | undefined;
  let proven: Awaited<ReturnType<typeof provenBinding>>;
  try {
    dataset =
      typeof job.dataset === "string" ? await namedDataset(registry, job.dataset, job.int64) : job.dataset;
    proven = await provenBinding(await registry.codec(job.codec), dataset, inputRing(dataset));
  } catch (error) {
    return { refused: refusal(error), bytes: 0, operations: [], ...about(dataset, job) };
  }
  const { encoded } = proven;
  const context: OperationContext = { ...proven, probe: compileProbe(dataset.schema) };
  const operations: OperationResult[] = [];
  for (const operation of job.operations) {
    operations.push(await measure(registry, operation, context, job));
  }
  const sizes = encoded.map((bytes) => Buffer.byteLength(bytes));
  const bytes = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
  return {
    bytes: Math.round(bytes * 10) / 10,
    operations,
    ...about(dataset, job),
    ...(job.describe ? { payload: compressedSizes(encoded[0]!) } : {}),
  };
}

function about(dataset: Dataset | undefined, { describe }: Job): Pick<JobResult, "dataset"> {
  if (dataset === undefined || !describe) return {};
  return { dataset: { sha256: datasetHash(dataset), values: dataset.values.length, int64: dataset.int64 } };
}

async function measure(
  registry: Registry,
  operation: string,
  context: OperationContext,
  job: Job,
): Promise<OperationResult> {
  try {
    const definition = await registry.definition("operations", operation);
    return { operation, samples: sample(definition.prepare(context), job.profile) };
  } catch (error) {
    return { operation, refused: refusal(error) };
  }
}

/** A declared hole is unsupported; everything else is a failure. */
function refusal(error: unknown): Refusal {
  const reason = error instanceof Error ? error.message : String(error);
  return { status: error instanceof UnsupportedError ? "unsupported" : "failed", reason };
}

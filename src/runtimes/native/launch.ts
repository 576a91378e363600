/** Starts a reference program as a measuring process: a job goes in, and what it answers is checked before it counts. */

import { Registry } from "../../catalog/registry.ts";
import { BoundCodec } from "../../measure/bound-codec.ts";
import type {
  DescribedMessage,
  Job,
  JobResult,
  Member,
  MemberResult,
  OperationResult,
} from "../../measure/job.ts";
import { bytesOf, sameEncoded } from "../../model/codec.ts";
import type { Dataset } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { VerificationError } from "../../model/errors.ts";
import { inBytes } from "../../model/in-bytes.ts";
import { foldEncoded } from "../../model/proof.ts";
import { firstDifference } from "../../model/value.ts";
import { compileVisitor } from "../../schema/generate/visit.ts";
import { inputRing } from "../../schema/values/input-ring.ts";
import { jsonReady } from "../../schema/values/json-text.ts";
import { schemaJson } from "../launch/job-line.ts";
import { MessageError } from "../launch/messages.ts";
import { pinned } from "../launch/pinning.ts";
import type { Launched } from "../launch/runtime.ts";
import {
  type Hello,
  NATIVE_PROTOCOL,
  type NativeMeasured,
  type NativeProof,
  startNative,
} from "./conversation.ts";
import type { NativeSystem } from "./manifest.ts";
import { expectSound, measuredBy, turnNanosOf } from "./samples.ts";

/** A system of a program, and what starts that. */
export interface NativeTarget {
  readonly command: readonly string[];
  readonly system: NativeSystem;
}

/** Starts a program for the one member of a job, whose dataset has its values. */
export function launchNative({ command, system }: NativeTarget, job: Job, cpuSeconds: number): Launched {
  const [member] = job.members;
  if (member === undefined || job.members.length > 1 || typeof member.dataset === "string")
    throw new Error("a native program takes one dataset with its values");
  const { dataset } = member;
  const { warmupMs, measureMs, batchMicros } = job.profile;
  const from = performance.now();
  const { messages, ended, kill } = startNative(
    pinned(job.cores, command),
    {
      protocol: NATIVE_PROTOCOL,
      system: system.name,
      dataset: dataset.name,
      schema: schemaJson(dataset.schema),
      values: inputRing(dataset).map(jsonReady),
      operations: member.operations.filter((operation) => system.operations.includes(operation)),
      warmupMs,
      measureMs,
      batchMicros,
    },
    { cpuSeconds },
  );
  const answers = async function* (): AsyncGenerator<DescribedMessage> {
    let startNanos = 0;
    let hello: Hello | undefined;
    const measured: NativeMeasured[] = [];
    for await (const message of messages) {
      if ("hello" in message) {
        hello = message.hello;
        startNanos = (performance.now() - from) * 1e6;
      } else if ("after" in message) yield message;
      else if ("measured" in message) {
        measured.push(message.measured);
        yield { after: `${message.measured.operation} was measured` };
      } else if ("proof" in message && hello !== undefined) {
        const result = await checked(() =>
          resultOf(system, { ...member, dataset }, job, { measured, proof: message.proof, startNanos }),
        );
        yield { result: { ...result, runtime: runtimeOf(hello, measured) } };
        return;
      }
    }
  };
  return { messages: answers(), ended, kill };
}

/** A proof that fails is a wrong answer. */
async function checked<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check();
  } catch (error) {
    throw error instanceof MessageError
      ? error
      : new MessageError((error as Error).message, { cause: error });
  }
}

/** What a program answered in all. */
interface Answer {
  readonly measured: readonly NativeMeasured[];
  readonly proof: NativeProof;
  readonly startNanos: number;
}

async function resultOf(
  system: NativeSystem,
  member: Member & { readonly dataset: Dataset },
  job: Job,
  { measured, proof, startNanos }: Answer,
): Promise<JobResult> {
  const { dataset } = member;
  const encoded = await provenBytes(system, dataset, proof);
  const turnNanos = measured.flatMap((one) => turnNanosOf(one) ?? []);
  const operations = member.operations.map((operation): OperationResult => {
    if (!system.operations.includes(operation))
      return {
        operation,
        refused: { status: "unsupported", reason: `${system.name} has no ${operation} in its program` },
      };
    const own = measured.find((one) => one.operation === operation);
    if (own === undefined)
      throw new VerificationError(`${operation}: expected what it measured, got nothing`);
    expectSound(own, encoded.length);
    expectFolds(own, dataset, encoded);
    return {
      operation,
      ...measuredBy(own, job.turnNanos, startNanos),
      ...defined({ memoryReason: member.survey ? "reference programs do not tell it" : undefined }),
    };
  });
  const bytes = encoded.reduce((sum, { length }) => sum + length, 0) / encoded.length;
  const result: MemberResult = { bytes: Math.round(bytes * 10) / 10, operations };
  return {
    members: [result],
    ...defined({ turnNanos: turnNanos.length === 0 ? undefined : Math.min(...turnNanos) }),
  };
}

/** The program's messages. Throws VerificationError where they are not what the codec writes, or does not read as the values. */
async function provenBytes(
  { name, codec: original, exact, operations }: NativeSystem,
  dataset: Dataset,
  { encoded: texts, again = [] }: NativeProof,
): Promise<Uint8Array[]> {
  const registry = await Registry.open();
  const bound = await BoundCodec.of(await registry.codec(original), dataset);
  const encoded = texts.map((text) => new Uint8Array(Buffer.from(text, "base64")));
  if (encoded.length !== bound.values.length)
    throw new VerificationError(`expected the bytes of ${bound.values.length} values, got ${encoded.length}`);
  const expectSame = (bytes: Uint8Array, index: number): void => {
    const ours = bytesOf(bound.encoded[index]!, original);
    if (sameEncoded(ours, bytes)) return;
    throw new VerificationError(
      `${name}: expected the ${inBytes(ours.length)} of ${original}, got ${bytes.length}${placeOf(ours, bytes)}`,
    );
  };
  const expectValue = (bytes: Uint8Array, index: number): void => {
    bound.binding.verify(bytes);
    const difference = firstDifference(bound.values[index], bound.binding.plain(bound.binding.read(bytes)));
    if (difference !== undefined)
      throw new VerificationError(`${name}: ${original} reads other values: ${difference}`);
  };
  const expect = exact === true ? expectSame : expectValue;
  encoded.forEach(expect);
  if (!operations.includes("decode")) return encoded;
  const twice = again.map((text) => new Uint8Array(Buffer.from(text, "base64")));
  if (twice.length !== encoded.length)
    throw new VerificationError(`${name}: expected ${encoded.length} values decoded, got ${twice.length}`);
  for (const [index, bytes] of twice.entries()) {
    if (!sameEncoded(encoded[index]!, bytes)) expect(bytes, index);
  }
  return encoded;
}

/** Where bytes of one length differ first. */
function placeOf(ours: Uint8Array, bytes: Uint8Array): string {
  const at = ours.findIndex((byte, i) => byte !== bytes[i]);
  return at < 0 || ours.length !== bytes.length ? "" : ` that differ from byte ${at} on`;
}

function expectFolds(
  { operation, folds }: NativeMeasured,
  dataset: Dataset,
  encoded: readonly Uint8Array[],
): void {
  let expected: number[];
  if (operation === "encode") expected = encoded.map((bytes) => foldEncoded(bytes) | 0);
  else if (operation === "access") {
    const checksum = compileVisitor(dataset.schema, { long: "plain", text: "utf8" });
    expected = inputRing(dataset).map(checksum);
  } else {
    if (folds.includes(0)) throw new VerificationError(`${operation}: checksum: expected no fold of 0`);
    return;
  }
  const at = folds.findIndex((fold, i) => fold !== expected[i]);
  if (at >= 0)
    throw new VerificationError(
      `${operation}: checksum: value ${at} folds to ${folds[at]}, expected ${expected[at]}`,
    );
}

/** What it ran in, as other measuring processes say it. */
function runtimeOf(
  { language, compiler }: Hello,
  measured: readonly NativeMeasured[],
): NonNullable<JobResult["runtime"]> {
  const [name = compiler, version = ""] = compiler.split(" ");
  const clockStepNanos = Math.max(0.1, ...measured.map(({ clockStep }) => clockStep));
  const timeSource = measured.some(({ clock }) => clock === "wall") ? "wall" : "thread-cpu";
  return { name: language, version, engine: { name, version }, clockStepNanos, timeSource };
}

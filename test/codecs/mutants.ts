/** What `verify` promises of a codec, tried on damaged messages. */
import type { Binding, Encoded } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError } from "../../src/model/errors.ts";
import { firstDifference } from "../../src/model/value.ts";
import { compileVisitor } from "../../src/schema/generate/visit.ts";
import { conformDecoded, decodeTrusted, encodeValue } from "../../src/schema/values/transcode.ts";
import { damaged, KINDS_OF_DAMAGE } from "../codec-contract.ts";

/**
 * Makes the function that checks what `verify` promises: it throws a DecodeError and nothing else, and what it lets
 * pass, `read`, `plain` and `access` take without any error, and give as a value of the schema. It throws an Error where
 * that is broken, and tells whether the bytes were let pass.
 */
export function promiseOf(binding: Binding, dataset: Dataset): (bytes: Uint8Array) => boolean {
  const sumOf = compileVisitor(dataset.schema, { long: "plain", text: binding.text });
  return (bytes) => {
    let step = "verify";
    try {
      binding.verify(bytes);
      step = "read and plain";
      const value = decodeTrusted(binding, bytes);
      step = "conform";
      const conforming = conformDecoded("it", dataset, value);
      step = "access";
      const sum = binding.access(bytes);
      step = "sum";
      const expected = sumOf(conforming);
      // What is only the same once it is rounded or filled in may add up to another sum.
      if (sum !== expected && firstDifference(value, conforming) === undefined)
        throw new Error(`access gives ${sum}, expected ${expected}`);
      return true;
    } catch (error) {
      if (step === "verify" && error instanceof DecodeError) return false;
      const hex = Buffer.from(bytes).toString("hex");
      throw new Error(`${step}: ${error}: ${hex}`, { cause: error });
    }
  };
}

/** Damages messages, holds the codec to {@link promiseOf}, and returns how many of them it let pass. */
export function expectVerifyHolds(
  binding: Binding,
  dataset: Dataset,
  random: () => number,
  mutants: number,
): number {
  const isLetPass = promiseOf(binding, dataset);
  const sources = dataset.values.map((value) => bytesOf(encodeValue(binding, value)));
  let passed = 0;
  for (let i = 0; i < mutants; i++) {
    let mutant = damaged(sources[i % sources.length]!, i, random);
    // Some are damaged twice: one change may hide what another breaks.
    if (random() < 0.3 && mutant.length > 0)
      mutant = damaged(mutant, Math.floor(random() * KINDS_OF_DAMAGE), random);
    if (isLetPass(mutant)) passed += 1;
  }
  return passed;
}

function bytesOf(encoded: Encoded): Uint8Array {
  return typeof encoded === "string" ? Buffer.from(encoded) : encoded;
}

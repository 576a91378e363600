import { expect } from "vitest";
import type { Binding } from "../../src/model/codec.ts";
import type { Dataset } from "../../src/model/dataset.ts";
import { DecodeError } from "../../src/model/errors.ts";
import { encodeValue } from "../../src/schema/values/transcode.ts";
import { damaged } from "../codec-contract.ts";

/**
 * Damages messages and checks what `verify` promises: it throws a DecodeError and nothing else, and what it
 * lets pass, `read` and `plain` take without any error. Returns how many it let pass.
 */
export function expectVerifyHolds(
  binding: Binding,
  dataset: Dataset,
  random: () => number,
  mutants: number,
): number {
  const sources = dataset.values.map((value) => encodeValue(binding, value) as Uint8Array);
  let passed = 0;
  for (let i = 0; i < mutants; i++) {
    let mutant = damaged(sources[i % sources.length]!, i, random);
    // Some are damaged twice: one change may hide what another breaks.
    if (random() < 0.3 && mutant.length > 0) mutant = damaged(mutant, Math.floor(random() * 5), random);
    try {
      binding.verify(mutant);
    } catch (error) {
      expect(error, Buffer.from(mutant).toString("hex")).toBeInstanceOf(DecodeError);
      continue;
    }
    passed += 1;
    expect(() => binding.plain(binding.read(mutant)), Buffer.from(mutant).toString("hex")).not.toThrow();
  }
  return passed;
}

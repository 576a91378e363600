/** What a call takes is what its loop takes, less the same loop around nothing. */
import { describe, expect, it } from "vitest";
import { type Counter, type Counts, countedCalls } from "../../src/measure/counting.ts";
import { sample } from "../../src/measure/sampler.ts";
import { type Unavailable, VerificationError } from "../../src/model/errors.ts";
import type { Task } from "../../src/model/operation.ts";

/** A processor whose instructions a test writes down as they are carried out. */
class Processor implements Counter {
  instructions = 0;
  readonly #answers: ((counted: number) => Counts | Unavailable)[];

  /** @param answers what it makes of the first count, of the second, and so on */
  constructor(...answers: ((counted: number) => Counts | Unavailable)[]) {
    this.#answers = answers;
  }

  count(work: () => void): Counts | Unavailable {
    const before = this.instructions;
    work();
    const counted = this.instructions - before;
    return this.#answers.shift()?.(counted) ?? { instructions: counted, cycles: counted / 4 };
  }
}

/** A loop that takes 1000 to begin and to end, and so much for each turn. */
const loop =
  (processor: Processor, perTurn: number) =>
  (count: number): void => {
    processor.instructions += 1000 + perTurn * count;
  };

function counted(processor: Processor, perCall: number): Counts | Unavailable {
  return countedCalls(processor, 100, { task: loop(processor, 7 + perCall), empty: loop(processor, 7) });
}

describe("counted calls", () => {
  it("are without the loop, and without what it takes to begin and to end", () => {
    expect(counted(new Processor(), 345)).toEqual({ instructions: 345, cycles: 86.25 });
  });

  it("are never less than nothing", () => {
    expect(counted(new Processor(), -1)).toEqual({ instructions: 0, cycles: 0 });
  });

  it("have no cycles where one of the two counts has none", () => {
    expect(counted(new Processor((instructions) => ({ instructions })), 5)).toEqual({ instructions: 5 });
  });

  it.each([
    ["the calls", [() => ({ unavailable: "why" })]],
    ["the empty loop", [(instructions: number) => ({ instructions }), () => ({ unavailable: "why" })]],
  ])("have a reason where %s cannot be counted", (_, answers) => {
    expect(counted(new Processor(...answers), 5)).toEqual({ unavailable: "why" });
  });
});

describe("a sampled task", () => {
  const profile = { processes: 1, warmupMs: 2, measureMs: 2, batchMicros: 20 };
  const host = { clock: { now: () => performance.now(), stepNanos: 1 } };

  function sampled(run: (input: number) => number, processor: Processor): Counts | Unavailable {
    const task = { inputs: [1, 2, 3], run, fold: (result: number) => result, check: () => {} };
    return sample(task as Task<number, number> as Task, profile, host).count(processor);
  }

  it("is counted in as many calls as go into a measured phase", () => {
    const processor = new Processor();
    let calls = 0;
    const counts = sampled((input) => {
      calls += 1;
      processor.instructions += 12;
      return input;
    }, processor);
    expect(counts).toEqual({ instructions: 12, cycles: 3 });
    expect(calls).toBeGreaterThan(100);
  });

  it("is proved when it is counted, as when it is timed", () => {
    const processor = new Processor();
    let isWrong = false;
    const task = {
      inputs: [1, 2, 3],
      run: (input: number) => (isWrong ? -input : input),
      fold: (result: number) => result,
      check: () => {},
    };
    const sampling = sample(task as Task<number, number> as Task, profile, host);
    isWrong = true;
    expect(() => sampling.count(processor)).toThrow(VerificationError);
  });
});

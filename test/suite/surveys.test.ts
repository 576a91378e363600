/** Surveys that wait for one another. */
import { describe, expect, it } from "vitest";
import type { JobResult } from "../../src/measure/job.ts";
import { Surveys, untilTimed, type WaitingSurvey } from "../../src/suite/surveys.ts";

const TIMED: JobResult = { members: [], turnNanos: 1 };
const WHOLE: JobResult = { members: [], turnNanos: 2 };

/** A process that has timed everything, and notes when its survey begins. */
async function waiting(name: string, events: string[], result = WHOLE): Promise<WaitingSurvey> {
  const { survey } = await untilTimed(async (onTimed) => {
    await onTimed(TIMED);
    events.push(`${name} surveyed`);
    return result;
  });
  if (survey === undefined) throw new Error("no survey waits");
  return survey;
}

describe("a process", () => {
  it("has its whole answer where it surveys nothing", async () => {
    expect(await untilTimed(async () => WHOLE)).toEqual({ result: WHOLE });
  });

  it("has what it timed, and waits, before its survey", async () => {
    const events: string[] = [];
    const survey = await waiting("one", events);
    expect(events).toEqual([]);
    survey.begin();
    expect(await survey.whole).toBe(WHOLE);
    expect(events).toEqual(["one surveyed"]);
  });

  it("that fails before it has timed anything rejects", async () => {
    await expect(untilTimed(async () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  });
});

describe("surveys", () => {
  it("are made when there are two of them, and alone on one core", async () => {
    for (const [cores, afterFirst] of [
      [1, ["one surveyed"]],
      [2, []],
      [64, []],
    ] as const) {
      const events: string[] = [];
      const surveys = new Surveys(cores);
      const done: JobResult[] = [];
      await surveys.add(await waiting("one", events), (result) => done.push(result));
      expect(events).toEqual(afterFirst);
      expect(surveys.areWaiting).toBe(cores > 1);
      await surveys.add(await waiting("two", events), (result) => done.push(result));
      expect(events).toEqual(["one surveyed", "two surveyed"]);
      expect(surveys.areWaiting).toBe(false);
      expect(done).toEqual([WHOLE, WHOLE]);
    }
  });

  it("that are left at the end of a block are made then", async () => {
    const events: string[] = [];
    const surveys = new Surveys(2);
    const done: JobResult[] = [];
    await surveys.add(await waiting("one", events), (result) => done.push(result));
    await surveys.make();
    expect(done).toEqual([WHOLE]);
    await surveys.make();
    expect(events).toEqual(["one surveyed"]);
  });

  it("that nobody asks for any more end, and none of them is heard of", async () => {
    const events: string[] = [];
    const surveys = new Surveys(2);
    await surveys.add(await waiting("one", events), () => events.push("heard of"));
    await surveys.abandon();
    expect(events).toEqual(["one surveyed"]);
    expect(surveys.areWaiting).toBe(false);
  });
});

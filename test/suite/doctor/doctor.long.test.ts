/** An examination whose trials nobody made. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { VerificationError } from "../../../src/model/errors.ts";
import type { DoctorRecord } from "../../../src/model/records/doctor.ts";
import { doctor } from "../../../src/suite/doctor/doctor.ts";
import { TrialRunner } from "../../../src/suite/doctor/trial-runner.ts";
import { Schedule } from "../../../src/suite/schedule.ts";
import { trialOf } from "./trials.ts";

const disturbed = { processes: 64, waiting: 64, switches: 64, pressure: 64, steal: null, throttling: null };

/** What is done in place of a trial: by default all is well, and beside a busy core nothing is. */
function trials(instead: (index: number, isLoaded: boolean) => void = () => {}): string[] {
  const made: string[] = [];
  vi.spyOn(TrialRunner.prototype, "trial").mockImplementation(async (index, isLoaded) => {
    instead(index, isLoaded);
    made.push(`${isLoaded ? "busy" : "quiet"} ${index}`);
    const [calls, own] = isLoaded ? [{ plus20: "undecided" as const }, { disturbed }] : [];
    return trialOf(calls, own);
  });
  return made;
}

function verdicts({ machine }: DoctorRecord): Record<string, string> {
  return Object.fromEntries(machine.map(({ name, verdict }) => [name, verdict]));
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("an examination", () => {
  it("has a second row of trials beside a busy core, from which nothing is concluded", async () => {
    const made = trials();
    const record = await doctor({ trials: 2, profile: "quick" });
    expect(made).toEqual(["quiet 0", "quiet 1", "busy 0", "busy 1"]);
    expect(record).toMatchObject({ complete: true, options: { load: true, trials: 2 } });
    expect([record.trials.length, record.load?.trials.length]).toEqual([2, 2]);
    expect([record.conclusion?.smallest, record.load?.smallest]).toEqual([0.02, null]);
    expect(record.proof?.checks.map(({ verdict }) => verdict)).toEqual(["ok", "ok", "ok", "ok"]);
    expect(verdicts(record)["waited for a core"]).toBe("ok");
  });

  it("has as many processes as its profile says, however long they take", async () => {
    const { plan } = await TrialRunner.of({ trials: 1, load: true, profile: "quick" });
    const schedule = new Schedule(plan.profile, plan.operations.length);
    for (const { codec, dataset } of plan.pairs)
      schedule.took({ kind: "pair", codec, dataset: dataset.name }, 1e6);
    for (const done of [1, 2, 3]) schedule.completed(done, { slowed: 0.5, waiting: 1 });
    for (const { dataset } of plan.pairs) expect(schedule.blocksOf(dataset.name)).toBe(4);
  });

  it("has one row where the second is not asked for", async () => {
    const made = trials();
    const record = await doctor({ trials: 1, profile: "quick", load: false });
    expect(made).toEqual(["quiet 0"]);
    expect(record).toMatchObject({ complete: true, options: { load: false } });
    expect(record).not.toHaveProperty("load");
  });

  it("keeps its answer when it is stopped in the second row", async () => {
    const stop = new AbortController();
    trials((index, isLoaded) => {
      if (!isLoaded || index === 0) return;
      stop.abort();
      stop.signal.throwIfAborted();
    });
    const records: DoctorRecord[] = [];
    const record = await doctor({
      trials: 2,
      signal: stop.signal,
      onRecord: (now) => records.push(now),
    });
    expect(record).toMatchObject({ complete: false, reason: "interrupted", conclusion: { smallest: 0.02 } });
    expect(record.load?.trials).toHaveLength(1);
    expect(records.map((now) => now.trials.length + (now.load?.trials.length ?? 0))).toEqual([1, 2, 3, 3]);
  });

  it("ends where a codec was not measured, with the reason", async () => {
    trials(() => {
      throw new VerificationError("json: it was not measured");
    });
    expect(await doctor({ trials: 1 })).toMatchObject({
      complete: false,
      reason: "json: it was not measured",
      trials: [],
    });
  });
});

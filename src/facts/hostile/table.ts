/** The table of hostile bytes: each class of them, given to the bare library, and with wirebench's verifier before it. */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { ownModule } from "../../model/package-files.ts";
import { OUT_OF_MEMORY } from "../../runtimes/launch/child-process.ts";
import type { FactCell, FactRow } from "../cell.ts";
import { Child, type Ended } from "../child.ts";
import { PRICE } from "../price.ts";
import type { Subject } from "../program.ts";
import { HOSTILE_CLASSES } from "./classes.ts";
import { emptyWord, lastWord } from "./last-word.ts";
import type { HostileRequest, HostileResponse } from "./program.ts";
import { type Case, type HostileOutcome, isWorse, type Tried } from "./trial.ts";

/** Megabytes of heap that a codec has. */
const HEAP = 64;

/** Kilobytes that cases before may have in use while a case that runs out of memory counts as it does alone: half of the heap. */
const MOST_USED_BEFORE = (HEAP * 1024) / 2;

/** See the constructor of {@link Attack}. */
const PATIENCE = 10_000;

/** Cases of a class that may end the process beside others before the rest is left out. */
const MOST_RESTARTS = 1;

/** The rows of the table, whatever the dataset. */
export function hostileRows(): FactRow[] {
  const classes = HOSTILE_CLASSES.flatMap(({ name, given }) => [
    { name, path: "message", given },
    { name: `${name}, verified`, path: "message", given: `${given}; the verifier comes first` },
  ]);
  const given = "time to verify the message first, as a share of the time to decode it";
  return [...classes, { name: `${PRICE} verifying`, path: "message", given }];
}

/** Tries one codec after the other, in processes that are started again when they end. */
export class Attack {
  readonly #folder = mkdtempSync(path.join(os.tmpdir(), "wirebench-facts-"));
  /** See `last-word.ts`. */
  readonly #progress = path.join(this.#folder, "case");
  readonly #child: Child<HostileRequest, HostileResponse>;

  readonly #patience: number;
  #shownBytes: number | undefined;

  /** @param patience milliseconds until a case counts as one that does not end */
  constructor(subject: Subject, patience = PATIENCE) {
    this.#patience = patience;
    this.#shownBytes = subject.shownBytes;
    this.#child = new Child(ownModule("facts/hostile/program"), HEAP, {
      ...subject,
      progress: this.#progress,
    });
  }

  /** Asks what comes next in a new process. */
  renew(): void {
    this.#child.end();
  }

  /** From now on it tries another codec. */
  become(subject: Subject): void {
    this.#shownBytes = subject.shownBytes;
    this.#child.become({ ...subject, progress: this.#progress });
  }

  /** Why the codec is not tried; undefined where it is. */
  refusal(): Promise<string | undefined> {
    return this.#child.refusal();
  }

  /** The cell of a row; undefined where the class has no message for the codec. */
  async cell(row: number): Promise<FactCell | undefined> {
    const counts: Partial<Record<HostileOutcome, number>> = {};
    let worst: Case | undefined;
    const add = (tried: Tried): void => {
      for (const [outcome, count] of Object.entries(tried.counts) as [HostileOutcome, number][])
        counts[outcome] = (counts[outcome] ?? 0) + count;
      if (tried.worst !== undefined && (worst === undefined || isWorse(tried.worst, worst)))
        worst = tried.worst;
    };
    let from = 0;
    for (let starts = 0; starts <= MOST_RESTARTS; starts++) {
      const answer = await this.#ask(row, from, Number.MAX_SAFE_INTEGER);
      if ("price" in answer) return answer.price;
      if ("refused" in answer) return { outcome: "died", got: answer.refused };
      if ("tried" in answer) add(answer.tried);
      if (!("ended" in answer)) break;
      const nothing = { index: from, length: 0, hex: "", usedKilobytes: 0, before: { counts: {} } };
      const { index, before, usedKilobytes, ...input } =
        lastWord(this.#progress, this.#shownBytes) ?? nothing;
      add(before);
      this.#child.end();
      if (answer.got === OUT_OF_MEMORY && usedKilobytes < MOST_USED_BEFORE) {
        add({ counts: { died: 1 }, worst: { outcome: "died", got: answer.got, ...input } });
        break;
      }
      // What ends a process by itself is the case's; what does so after others may be theirs.
      const alone = await this.#ask(row, index, index + 1);
      this.#child.end();
      if ("ended" in alone || starts === MOST_RESTARTS) {
        const { ended, got } =
          "ended" in alone ? alone : { ...answer, got: `after other cases: ${answer.got}` };
        add({ counts: { [ended]: 1 }, worst: { outcome: ended, got, ...input } });
        break;
      }
      if ("tried" in alone) add(alone.tried);
      from = index + 1;
    }
    return worst === undefined ? undefined : cellOf(counts, worst);
  }

  /** Ends the process for good. A cell that is asked for still comes, and says so. */
  stop(): void {
    this.#child.close();
  }

  /** Ends the process, and leaves nothing behind. No cell may be asked for still: it reads what was left. */
  end(): void {
    this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Waits as long as there is a next case within the time for one. */
  async #ask(row: number, from: number, to: number): Promise<HostileResponse | Ended> {
    const why = await this.#child.refusal();
    if (why !== undefined) return { refused: why };
    emptyWord(this.#progress);
    let last: number | undefined;
    return await this.#child.ask({ row, from, to }, this.#patience, () => {
      const index = lastWord(this.#progress)?.index;
      const goesOn = index !== last;
      last = index;
      return goesOn;
    });
  }
}

function cellOf(counts: NonNullable<FactCell["counts"]>, { outcome, got, hex }: Case): FactCell {
  const cell = { ...(got === "" ? {} : { got }), message: hex, counts };
  return outcome === "stumble"
    ? { outcome: "error", step: "read", stumbles: true, ...cell }
    : { outcome, ...(outcome === "error" ? { step: "read" as const } : {}), ...cell };
}

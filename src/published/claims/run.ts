import { judgeClaims } from "../../analysis/claims/judge.ts";
import { OWN_VERSION } from "../../catalog/library-version.ts";
import { type IpcProgress, runIpcPlan } from "../../ipc/run.ts";
import { defined } from "../../model/defined.ts";
import { CLAIMS_RECORD_VERSION, type ClaimsRecord } from "../../model/records/claims.ts";
import type { IpcRecord } from "../../model/records/ipc.ts";
import type { RunRecord } from "../../model/records/run.ts";
import { environment } from "../../suite/environment.ts";
import type { JournalEntry, JournalHeader, JournalLine } from "../../suite/journal.ts";
import type { OnProgress } from "../../suite/progress-meter.ts";
import { recoveredRecord, runPlan } from "../../suite/run.ts";
import type { ClaimsPlan } from "./plan.ts";

/** Who hears of the progress, and how it is stopped. */
export interface ClaimsHooks {
  /** The command line, for the record. */
  readonly command?: string;
  /** Stops it: claims are judged by what was measured until then, and `complete` is false. */
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
  readonly onIpcProgress?: (progress: IpcProgress) => void;
  /** Called with the record so far, now and then and at the end. */
  readonly onRecord?: (record: ClaimsRecord) => void;
}

/** How often the record so far is told while codecs run: making it takes a part of a second. */
const SAVE_MS = 10_000;

/** Puts claims to the test: a run of codecs, then messages between processes, then the verdicts. */
export async function runClaimsPlan(plan: ClaimsPlan, hooks: ClaimsHooks): Promise<ClaimsRecord> {
  const { command = "wirebench claims", signal, onProgress, onIpcProgress, onRecord } = hooks;
  const startedAt = new Date().toISOString();
  const where = environment();
  const recordOf = (run?: RunRecord, ipc?: IpcRecord): ClaimsRecord => {
    const isDone = (plan.run === undefined || run?.complete) && (plan.ipc === undefined || ipc?.complete);
    return {
      schemaVersion: CLAIMS_RECORD_VERSION,
      kind: "claims",
      tool: { name: "wirebench", version: OWN_VERSION, command },
      startedAt,
      ...(isDone === true && { finishedAt: new Date().toISOString() }),
      complete: isDone === true,
      environment: where,
      options: { profile: plan.profile, seed: plan.seed, claims: plan.claims.map(({ id }) => id) },
      missing: plan.missing,
      claims: judgeClaims(plan.claims, { run, ipc }),
      ...(run && { run }),
      ...(ipc && { ipc }),
    };
  };
  const listeners = { command, ...defined({ signal }) };
  const journal: JournalLine[] = [];
  let savedAt = Date.now();
  const onJournal = (line: JournalLine): void => {
    journal.push(line);
    if (Date.now() - savedAt < SAVE_MS) return;
    const [header, ...entries] = journal as [JournalHeader, ...JournalEntry[]];
    onRecord?.(recordOf(recoveredRecord(header, entries)));
    savedAt = Date.now();
  };
  const run =
    plan.run &&
    (await runPlan(plan.run, {
      ...listeners,
      ...defined({ onProgress, onJournal: onRecord && onJournal }),
    }));
  if (run !== undefined) onRecord?.(recordOf(run));
  const ipc =
    plan.ipc && signal?.aborted !== true
      ? await runIpcPlan(plan.ipc, {
          ...listeners,
          ...defined({ onProgress: onIpcProgress }),
          onRecord: (now) => onRecord?.(recordOf(run, now)),
        })
      : undefined;
  const record = recordOf(run, ipc);
  onRecord?.(record);
  return record;
}

import { defined } from "../../model/defined.ts";
import type { ClaimsRecord } from "../../model/records/claims.ts";
import { type ClaimsProfile, makeClaimsPlan } from "../../published/claims/plan.ts";
import { runClaimsPlan } from "../../published/claims/run.ts";
import { renderJson } from "../../reports/any/json.ts";
import { renderClaimsMarkdown } from "../../reports/claims/markdown.ts";
import { renderClaimsText } from "../../reports/claims/text.ts";
import { claimsPicture } from "../../reports/picture.ts";
import { RECORD, REPORT, ResultFolder } from "../../store/result-folder.ts";
import { untilInterrupted } from "../interrupt.ts";
import { EXIT, type Invocation } from "../io.ts";
import { withNatives } from "../native-selection.ts";
import { given } from "../options.ts";
import { ipcProgressLine, progressLine } from "../progress-line.ts";
import { Saving } from "../saving.ts";

interface ClaimsFlags {
  readonly only: readonly string[];
  readonly profile: ClaimsProfile;
  readonly native: boolean;
  readonly seed?: number;
  readonly timeout?: number;
  readonly out?: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
}

/** `wirebench claims`: puts the published claims to the test, and says what becomes of each. */
export async function claims(flags: ClaimsFlags, io: Invocation): Promise<number> {
  // Everything that can be wrong is found before a folder is made.
  const plan = await withNatives({ native: flags.native }, io, (native) =>
    makeClaimsPlan({
      profile: flags.profile,
      ...defined({ only: given(flags.only), native, seed: flags.seed, timeoutSeconds: flags.timeout }),
    }),
  );
  const folder = new ResultFolder(flags.out, [RECORD, REPORT], RECORD);
  io.tell(`results go to ${folder.path}\n`);
  for (const line of plan.missing) io.tell(`left out: ${line}\n`);
  const [progress, between] = [progressLine(io), ipcProgressLine(io)];
  const saving = new Saving();
  const record = await untilInterrupted((signal) =>
    runClaimsPlan(plan, {
      command: io.command,
      signal,
      onProgress: (now) => progress.show(now),
      onIpcProgress: (now) => between.show(now),
      onRecord: (now) => saving.attempt("record", () => folder.saveClaims(now)),
    }),
  );
  progress.clear();
  io.print(rendered(record, flags, io.width()));
  saving.expectSaved();
  io.tell(`\n${folder.path}/${RECORD}, ${REPORT} and plots\n`);
  return exitCodeOf(record);
}

function rendered(record: ClaimsRecord, { json, markdown }: ClaimsFlags, columns?: number): string {
  if (json === true) return renderJson(record);
  return markdown === true
    ? renderClaimsMarkdown(record, claimsPicture(record))
    : `\n${renderClaimsText(record, columns)}`;
}

/** A verdict against a claim is no failure; what could not be measured though it was there is one. */
function exitCodeOf({ complete, run, ipc }: ClaimsRecord): number {
  if (!complete) return EXIT.interrupted;
  const rows = [...(run?.cells ?? []), ...(ipc?.tests ?? [])];
  return rows.some(({ status }) => status === "failed") ? EXIT.failed : EXIT.ok;
}

import type { ProfileName } from "../../measure/profiles.ts";
import { defined } from "../../model/defined.ts";
import type { DoctorRecord } from "../../model/records/doctor.ts";
import { renderJson } from "../../reports/any/json.ts";
import { renderDoctorText } from "../../reports/doctor/text.ts";
import { EXAMINATION, REPORT, ResultFolder } from "../../store/result-folder.ts";
import { doctor as examine } from "../../suite/doctor/doctor.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Invocation } from "../io.ts";
import { EXIT } from "../io.ts";
import { progressLine } from "../progress-line.ts";
import { Saving } from "../saving.ts";

interface DoctorFlags {
  readonly trials?: number;
  readonly load: boolean;
  readonly profile: ProfileName;
  readonly seed?: number;
  readonly runtime?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** `wirebench doctor`: says whether this machine can measure, and proves the tool on work of known cost. */
export async function doctor(flags: DoctorFlags, io: Invocation): Promise<number> {
  const results =
    flags.out === undefined ? undefined : new ResultFolder(flags.out, [EXAMINATION, REPORT], EXAMINATION);
  const progress = progressLine(io);
  const saving = new Saving();
  let interrupted = false;
  const record = await untilInterrupted(async (signal) => {
    const found = await examine({
      profile: flags.profile,
      load: flags.load,
      ...defined({ trials: flags.trials, seed: flags.seed, runtime: flags.runtime }),
      command: io.command,
      signal,
      onProgress: (now) => progress.show(now),
      onRecord: (now) => saving.attempt("record", () => results?.saveExamination(now)),
    });
    interrupted = signal.aborted;
    return found;
  });
  progress.clear();
  io.print(flags.json === true ? renderJson(record) : `\n${renderDoctorText(record, io.width())}`);
  saving.expectSaved();
  if (results !== undefined) io.tell(`\n${results.path}/${EXAMINATION} and ${REPORT}\n`);
  return exitCodeOf(record, interrupted);
}

/** Interrupted, well, or not: a machine that cannot measure is a failure, as is a trial that failed. */
function exitCodeOf({ complete, conclusion }: DoctorRecord, interrupted: boolean): number {
  if (!complete) return interrupted ? EXIT.interrupted : EXIT.failed;
  return conclusion === undefined || conclusion.verdict === "cannot" ? EXIT.failed : EXIT.ok;
}

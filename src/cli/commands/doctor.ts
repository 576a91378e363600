import type { ProfileName } from "../../measure/profiles.ts";
import type { DoctorRecord } from "../../model/records/doctor.ts";
import { renderDoctorText } from "../../reports/doctor/doctor.ts";
import { renderJson } from "../../reports/run/json.ts";
import { DoctorResults } from "../../store/doctor-results.ts";
import { doctor as examine } from "../../suite/doctor/doctor.ts";
import { commandLine } from "../command-line.ts";
import { EXIT } from "../exit-code.ts";
import { untilInterrupted } from "../interrupt.ts";
import { ProgressLine } from "../progress-line.ts";
import { Saving } from "../saving.ts";
import { print } from "../standard-output.ts";

interface DoctorFlags {
  readonly trials?: number;
  readonly profile: ProfileName;
  readonly seed?: number;
  readonly out?: string;
  readonly json?: boolean;
}

/** `wirebench doctor`: says whether this machine can measure, and proves the tool on work of known cost. */
export async function doctor(flags: DoctorFlags): Promise<number> {
  const results = flags.out === undefined ? undefined : new DoctorResults(flags.out);
  const progress = new ProgressLine(process.stderr);
  const saving = new Saving();
  let interrupted = false;
  const record = await untilInterrupted(async (signal) => {
    const found = await examine({
      profile: flags.profile,
      ...(flags.trials === undefined ? {} : { trials: flags.trials }),
      ...(flags.seed === undefined ? {} : { seed: flags.seed }),
      command: commandLine(),
      signal,
      onProgress: (now) => progress.show(now),
      onRecord: (now) => saving.attempt("record", () => results?.save(now)),
    });
    interrupted = signal.aborted;
    return found;
  });
  progress.clear();
  print(flags.json === true ? renderJson(record) : `\n${renderDoctorText(record)}`);
  saving.expectSaved();
  if (results !== undefined) process.stderr.write(`\n${results.path}/doctor.json and report.md\n`);
  return exitCodeOf(record, interrupted);
}

/** Interrupted, well, or not: a machine that cannot measure is a failure, as is a trial that failed. */
function exitCodeOf({ complete, conclusion }: DoctorRecord, interrupted: boolean): number {
  if (!complete) return interrupted ? EXIT.interrupted : EXIT.failed;
  return conclusion === undefined || conclusion.verdict === "cannot" ? EXIT.failed : EXIT.ok;
}

import { renderJson } from "../../reports/run/json.ts";
import { renderText } from "../../reports/run/text.ts";
import { verify as prove } from "../../suite/verify.ts";
import { commandLine } from "../command-line.ts";
import { datasetsOf } from "../data.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { DatasetFlags } from "../options.ts";
import { ProgressLine } from "../progress-line.ts";
import { print } from "../standard-output.ts";
import { exitCodeOf } from "./run.ts";

interface VerifyFlags extends DatasetFlags {
  readonly codec: readonly string[];
  readonly plugin: readonly string[];
  readonly json?: boolean;
}

/** `wirebench verify`: a round trip of every codec on every dataset, and its size. */
export async function verify(flags: VerifyFlags): Promise<number> {
  const datasets = await datasetsOf(flags);
  const progress = new ProgressLine(process.stderr);
  const record = await untilInterrupted((signal) =>
    prove({
      ...(datasets.length > 0 ? { datasets } : {}),
      plugins: flags.plugin,
      ...(flags.codec.length > 0 ? { codecs: flags.codec } : {}),
      ...(flags.int64 === undefined ? {} : { int64: flags.int64 }),
      command: commandLine(),
      signal,
      onProgress: (now) => progress.show(now),
    }),
  );
  progress.clear();
  print(flags.json === true ? renderJson(record) : renderText(record));
  return exitCodeOf(record);
}

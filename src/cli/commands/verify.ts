import { verify as prove } from "../../bench/verify.ts";
import { textTable } from "../../rendering/table.ts";
import { formatBytes } from "../../rendering/units.ts";
import { renderJson } from "../../reports/json.ts";
import { commandLine } from "../command-line.ts";
import { datasetsOf } from "../data.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { DatasetFlags } from "../options.ts";
import { ProgressLine } from "../progress-line.ts";
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
      datasets,
      plugins: flags.plugin,
      ...(flags.codec.length > 0 ? { codecs: flags.codec } : {}),
      command: commandLine(),
      signal,
      onProgress: (now) => progress.show(now),
    }),
  );
  progress.clear();
  if (flags.json === true) {
    process.stdout.write(renderJson(record));
    return exitCodeOf(record);
  }
  const table = textTable({
    columns: [
      { heading: "dataset", align: "left" },
      { heading: "codec", align: "left" },
      { heading: "bytes", align: "right" },
      { heading: "status", align: "left" },
    ],
    rows: record.cells.map(({ dataset, codec, bytes, status, reason }) => [
      dataset,
      codec,
      bytes === undefined ? "" : formatBytes(bytes),
      reason === undefined ? status : `${status}: ${reason}`,
    ]),
  });
  process.stdout.write(`${table}\n`);
  return exitCodeOf(record);
}

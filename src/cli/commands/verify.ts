import { defined } from "../../model/defined.ts";
import { renderJson } from "../../reports/any/json.ts";
import { renderText } from "../../reports/run/text.ts";
import { verify as prove } from "../../suite/verify.ts";
import { datasetsOf } from "../data.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Invocation } from "../io.ts";
import { type DatasetFlags, given } from "../options.ts";
import { progressLine } from "../progress-line.ts";
import { exitCodeOf } from "./run.ts";

interface VerifyFlags extends DatasetFlags {
  readonly codec: readonly string[];
  readonly runtime: readonly string[];
  readonly timeout?: number;
  readonly plugin: readonly string[];
  readonly json?: boolean;
}

/** `wirebench verify`: a round trip of every codec on every dataset, and its size. */
export async function verify(flags: VerifyFlags, io: Invocation): Promise<number> {
  const datasets = await datasetsOf(flags);
  const progress = progressLine(io);
  const record = await untilInterrupted((signal) =>
    prove({
      ...defined({
        codecs: given(flags.codec),
        datasets: given(datasets),
        runtimes: given(flags.runtime),
        int64: flags.int64,
        timeoutSeconds: flags.timeout,
      }),
      plugins: flags.plugin,
      command: io.command,
      signal,
      onProgress: (now) => progress.show(now),
    }),
  );
  progress.clear();
  io.print(flags.json === true ? renderJson(record) : renderText(record));
  return exitCodeOf(record);
}

import { Registry } from "../../catalog/registry.ts";
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
  readonly use: readonly string[];
  readonly install?: boolean;
  /** False where `--no-eval` is given. */
  readonly eval: boolean;
  readonly json?: boolean;
}

/** `wirebench verify`: a round trip of every codec on every dataset, and its size. */
export async function verify(flags: VerifyFlags, io: Invocation): Promise<number> {
  const datasets = await datasetsOf(flags, io);
  // Before Ctrl-C waits for what was begun: a plugin may take long to load.
  await Registry.open(flags.plugin);
  const progress = progressLine(io);
  const record = await untilInterrupted((signal) =>
    prove({
      ...defined({
        codecs: given(flags.codec),
        use: given(flags.use),
        datasets: given(datasets),
        runtimes: given(flags.runtime),
        int64: flags.int64,
        timeoutSeconds: flags.timeout,
      }),
      plugins: flags.plugin,
      install: flags.install === true,
      noEval: !flags.eval,
      command: io.command,
      signal,
      onProgress: (now) => progress.show(now),
    }),
  );
  progress.clear();
  io.print(flags.json === true ? renderJson(record) : renderText(record, io.width()));
  return exitCodeOf(record);
}

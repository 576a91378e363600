import { drawPlots } from "../../charts/plots.ts";
import { byteSize } from "../../ipc/byte-size.ts";
import { type IpcSelection, makeIpcPlan } from "../../ipc/plan.ts";
import { runIpcPlan } from "../../ipc/run.ts";
import type { IpcProfile } from "../../ipc/shapes.ts";
import type { IpcMessage, IpcRecord, IpcTestRecord, Reliability } from "../../model/ipc-record.ts";
import { renderIpcText } from "../../rendering/ipc/text.ts";
import { renderJson } from "../../reports/json.ts";
import { IpcResults } from "../../results/ipc-results.ts";
import { commandLine } from "../command-line.ts";
import { datasetsOf } from "../data.ts";
import { EXIT } from "../exit-code.ts";
import { untilInterrupted } from "../interrupt.ts";
import { IpcProgressLine } from "../ipc-progress-line.ts";
import type { DatasetFlags } from "../options.ts";
import { print } from "../standard-output.ts";

interface IpcFlags extends DatasetFlags {
  readonly codec: readonly string[];
  readonly payload: readonly string[];
  readonly messages?: number;
  readonly transport: string;
  readonly rate?: number;
  readonly reliability?: Reliability;
  readonly depth?: number;
  readonly profile: IpcProfile;
  readonly listenerDelay?: number;
  readonly timeout?: number;
  readonly plugin: readonly string[];
  readonly out?: string;
  readonly json?: boolean;
}

/** `wirebench ipc`: measures messages between processes, keeps the record as it grows, draws plots, and prints. */
export async function ipc(tests: readonly string[], flags: IpcFlags): Promise<number> {
  // Everything that can be wrong is found before a folder is made.
  const plan = await makeIpcPlan(selectionOf(tests, flags, await datasetsOf(flags)));
  const results = new IpcResults(flags.out);
  const progress = new IpcProgressLine(process.stderr);
  const messages = new Map<number, readonly IpcMessage[]>();
  const keep = (test: IpcTestRecord, number: number, all: readonly IpcMessage[]): void => {
    messages.set(number, all);
    results.addMessages(test, number, all);
  };
  const record = await untilInterrupted((signal) =>
    runIpcPlan(plan, {
      command: commandLine(),
      signal,
      onProgress: (now) => progress.show(now),
      onMessages: keep,
      onRecord: (now) => results.save(now),
    }),
  );
  progress.clear();
  results.save(record, await drawPlots(record, messages));
  print(flags.json === true ? renderJson(record) : `\n${renderIpcText(record)}`);
  process.stderr.write(`\n${results.path}/report.md, run.json, messages.csv and plots\n`);
  return exitCodeOf(record);
}

function selectionOf(
  tests: readonly string[],
  flags: IpcFlags,
  datasets: Awaited<ReturnType<typeof datasetsOf>>,
): IpcSelection {
  const optional = {
    messages: flags.messages,
    rateHz: flags.rate,
    reliability: flags.reliability,
    depth: flags.depth,
    int64: flags.int64,
    listenerDelayMs: flags.listenerDelay,
    timeoutSeconds: flags.timeout,
    codecs: flags.codec.length > 0 ? flags.codec : undefined,
    datasets: datasets.length > 0 ? datasets : undefined,
    payloads: flags.payload.length > 0 ? flags.payload.map(byteSize) : undefined,
  };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return { tests, profile: flags.profile, transport: flags.transport, plugins: flags.plugin, ...given };
}

function exitCodeOf(record: IpcRecord): number {
  if (!record.complete) return EXIT.interrupted;
  return record.tests.some(({ status }) => status === "failed") ? EXIT.failed : EXIT.ok;
}

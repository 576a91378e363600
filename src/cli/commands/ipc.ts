import { byteSize } from "../../ipc/payload.ts";
import { type IpcSelection, makeIpcPlan } from "../../ipc/plan.ts";
import { runIpcPlan } from "../../ipc/run.ts";
import type { IpcProfile } from "../../ipc/test-parameters.ts";
import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import { IPC_TESTS, type IpcRecord, type Reliability } from "../../model/records/ipc.ts";
import { renderJson } from "../../reports/any/json.ts";
import { PlotDrawer } from "../../reports/ipc/plots/plots.ts";
import { renderIpcText } from "../../reports/ipc/text.ts";
import type { DrawnPicture, Picture } from "../../reports/picture.ts";
import { IpcResults } from "../../store/ipc-results.ts";
import { datasetsOf } from "../data.ts";
import { untilInterrupted } from "../interrupt.ts";
import type { Invocation } from "../io.ts";
import { EXIT } from "../io.ts";
import { type NativeFlags, withNatives } from "../native-selection.ts";
import { type DatasetFlags, given } from "../options.ts";
import { ipcProgressLine } from "../progress-line.ts";
import { Saving } from "../saving.ts";

interface IpcFlags extends DatasetFlags, NativeFlags {
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
export async function ipc(tests: readonly string[], flags: IpcFlags, io: Invocation): Promise<number> {
  if (tests.length === 0) throw new UsageError(`no test: expected ${IPC_TESTS.join(", ")}, or all`);
  // Everything that can be wrong is found before a folder is made.
  const datasets = await datasetsOf(flags, io);
  const plan = await withNatives(flags, io, (native) =>
    makeIpcPlan({ ...selectionOf(tests, flags, datasets), ...defined({ native }) }),
  );
  const results = new IpcResults(flags.out);
  for (const line of plan.natives.missing) io.tell(`left out: ${line}\n`);
  const progress = ipcProgressLine(io);
  const saving = new Saving();
  const drawer = new PlotDrawer();
  const plots: Picture[] = [];
  const keep = (drawn: readonly DrawnPicture[]): void => {
    for (const { file, title, svg } of drawn) {
      plots.push({ file, title });
      saving.attempt(file, () => results.savePlot(file, svg));
    }
  };
  const record = await untilInterrupted((signal) =>
    runIpcPlan(plan, {
      command: io.command,
      signal,
      onProgress: (now) => progress.show(now),
      onMessages: (test, number, messages) => {
        saving.attempt(`messages ${number}`, () => results.addMessages(test, number, messages));
        keep(drawer.add(number, test, messages));
      },
      onRecord: (now) => saving.attempt("record", () => results.save(now, plots)),
    }),
  );
  keep(drawer.finish());
  saving.attempt("record", () => results.save(record, plots));
  progress.clear();
  io.print(flags.json === true ? renderJson(record) : `\n${renderIpcText(record, io.width())}`);
  saving.expectSaved();
  io.tell(`\n${results.path}/report.md, run.json, messages.csv and plots\n`);
  return exitCodeOf(record);
}

function selectionOf(
  tests: readonly string[],
  flags: IpcFlags,
  datasets: Awaited<ReturnType<typeof datasetsOf>>,
): IpcSelection {
  const optional = defined({
    messages: flags.messages,
    rateHz: flags.rate,
    reliability: flags.reliability,
    depth: flags.depth,
    int64: flags.int64,
    listenerDelayMs: flags.listenerDelay,
    timeoutSeconds: flags.timeout,
    codecs: given(flags.codec),
    datasets: given(datasets),
    payloads: given(flags.payload.map(byteSize)),
  });
  return { tests, profile: flags.profile, transport: flags.transport, plugins: flags.plugin, ...optional };
}

function exitCodeOf(record: IpcRecord): number {
  if (!record.complete) return EXIT.interrupted;
  return record.tests.some(({ status }) => status === "failed") ? EXIT.failed : EXIT.ok;
}

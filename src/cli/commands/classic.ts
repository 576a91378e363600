import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import { BENCHMARKS, type Benchmark } from "../../model/records/claims.ts";
import type { ClassicRecord } from "../../model/records/classic.ts";
import { type ClassicProgress, runClassic } from "../../published/classic/run.ts";
import { renderJson } from "../../reports/any/json.ts";
import { renderClassicMarkdown } from "../../reports/classic/markdown.ts";
import { renderClassicText } from "../../reports/classic/text.ts";
import { PlotDrawer } from "../../reports/ipc/plots/plots.ts";
import type { DrawnPicture } from "../../reports/picture.ts";
import { classicCsvFiles } from "../../reports/sections/classic.ts";
import { RECORD, REPORT, ResultFolder } from "../../store/result-folder.ts";
import { untilInterrupted } from "../interrupt.ts";
import { EXIT, type Invocation } from "../io.ts";
import { nativeSelection } from "../native-selection.ts";
import { ProgressLine } from "../progress-line.ts";
import { Saving } from "../saving.ts";

interface ClassicFlags {
  readonly loops?: number;
  readonly seconds?: number;
  readonly repeats?: number;
  readonly messages?: number;
  readonly native?: boolean;
  readonly cxxflags?: string;
  readonly out?: string;
  readonly json?: boolean;
}

/** Which options a method has. */
const OPTIONS: Readonly<Record<Benchmark, readonly (keyof ClassicFlags)[]>> = {
  "address-book": ["loops", "repeats"],
  "erlang-term": ["seconds", "repeats"],
  python: ["seconds", "repeats"],
  interprocess: ["messages"],
};

/** `wirebench classic`: runs the method of a published benchmark as it was published. */
export async function classic(name: string, flags: ClassicFlags, io: Invocation): Promise<number> {
  const benchmark = BENCHMARKS.find((one) => one === name);
  if (benchmark === undefined)
    throw new UsageError(`unknown benchmark "${name}"${nearNames(name, BENCHMARKS)}`);
  for (const option of ["loops", "seconds", "repeats", "messages"] as const) {
    if (flags[option] === undefined || OPTIONS[benchmark].includes(option)) continue;
    const own = OPTIONS[benchmark].map((known) => `--${known}`).join(" and ");
    throw new UsageError(`--${option}: ${benchmark} has no such option, expected ${own}`);
  }
  const native = nativeSelection(flags, io);
  // Messages are many: they go to a file of their own.
  const isKept = flags.out !== undefined || benchmark === "interprocess";
  const folder = isKept ? new ResultFolder(flags.out, [RECORD, REPORT], RECORD) : undefined;
  if (folder !== undefined) io.tell(`results go to ${folder.path}\n`);
  const progress = new ProgressLine<ClassicProgress>(io, describe, ({ done }) => done);
  const saving = new Saving();
  const drawer = new PlotDrawer();
  const plots: DrawnPicture[] = [];
  const save = (record: ClassicRecord): void =>
    saving.attempt("record", () => {
      if (folder === undefined) return;
      folder.replace(RECORD, renderJson(record));
      for (const { file, svg } of plots) folder.replace(file, svg);
      for (const { file, text } of classicCsvFiles(record)) folder.replace(file, text);
      folder.replace(REPORT, renderClassicMarkdown(record, plots));
    });
  const { loops, seconds, repeats, messages } = flags;
  const record = await untilInterrupted((signal) =>
    runClassic(
      {
        benchmark,
        ...defined({ loops, seconds, repeats, messages, native: native && { ...native, signal } }),
      },
      {
        command: io.command,
        signal,
        onProgress: (now) => progress.show(now),
        onMissing: (line) => io.tell(`left out: ${line}\n`),
        onMessages: (test, number, all) => plots.push(...drawer.add(number, test, all)),
        onRecord: save,
      },
    ),
  );
  plots.push(...drawer.finish());
  save(record);
  progress.clear();
  io.print(flags.json === true ? renderJson(record) : `\n${renderClassicText(record, io.width())}`);
  saving.expectSaved();
  if (folder !== undefined) io.tell(`\n${folder.path}/${RECORD} and ${REPORT}\n`);
  if (!record.complete) return EXIT.interrupted;
  return record.rows.some(({ status }) => status === "failed") ? EXIT.failed : EXIT.ok;
}

function describe({ done, total, current }: ClassicProgress): string {
  return current === undefined ? "done" : `${done}/${total}  ${current}`;
}

import type { Option } from "commander";
import { factsOf } from "../../facts/facts.ts";
import { UsageError } from "../../model/errors.ts";
import type { FactTableName } from "../../model/records/facts.ts";
import { renderFactCases, renderFactsText } from "../../reports/facts/text.ts";
import { datasetsOf } from "../data.ts";
import { untilInterrupted } from "../interrupt.ts";
import { EXIT, type Invocation, shellLine } from "../io.ts";
import { type DatasetFlags, datasets as datasetOptions, plugins as pluginOption } from "../options.ts";
import { ProgressLine } from "../progress-line.ts";
import { renderedRecord } from "./report.ts";

interface FactFlags extends DatasetFlags {
  readonly codec: readonly string[];
  readonly plugin: readonly string[];
  readonly only?: FactTableName | "libraries";
  readonly why?: string;
  readonly json?: boolean;
  readonly markdown?: boolean;
}

/** The codec that is asked, and how many were before. */
interface Now {
  readonly codec: string;
  readonly dataset: string;
  readonly done: number;
  readonly of: number;
}

/** `wirebench facts`: tables of what needs no timing, each cell found by the codec itself. */
export async function facts(flags: FactFlags, io: Invocation): Promise<number> {
  const { plugin: plugins, why: row, only, json, markdown } = flags;
  const chosen = await datasetsOf(flags, io);
  const datasets = chosen.length > 0 ? chosen : ["tellist"];
  const standard = datasets.every((one) => typeof one === "string") ? "@published" : "@node";
  const codecs = flags.codec.length > 0 ? flags.codec : [standard];
  if (row !== undefined && only === "libraries") throw new UsageError("--why is for the other tables");
  if (row !== undefined && datasets.length > 1) throw new UsageError("--why is for one dataset");
  const progress = new ProgressLine<Now>(
    io,
    ({ codec, dataset, done, of }) => `${done}/${of} codecs  ${dataset} ${codec}`,
    ({ done, of }) => Math.floor((done / of) * 4),
  );
  const record = await untilInterrupted((signal) =>
    factsOf({
      command: io.command,
      codecs,
      datasets,
      plugins,
      signal,
      onCodec: (codec, dataset, done, of) => progress.show({ codec, dataset, done, of }),
      ...(row === undefined ? {} : { row }),
      ...(only === undefined ? {} : { tables: [only] }),
    }),
  );
  progress.clear();
  if (json === true) io.print(await renderedRecord(record, "json"));
  else if (row !== undefined) io.print(renderFactCases(record, (...cell) => cellCommand(flags, ...cell)));
  else
    io.print(
      markdown === true ? await renderedRecord(record, "markdown") : renderFactsText(record, io.width()),
    );
  return record.complete ? EXIT.ok : EXIT.interrupted;
}

/** The command that prints the case of one cell again, with the data as flags name it. */
function cellCommand(flags: FactFlags, codec: string, table: FactTableName, row: string): string {
  const { dataset, data, schema, files = [] } = flags;
  const isOwn = data.length > 0 || schema !== undefined || files.length > 0;
  const subject = isOwn ? flags : { ...flags, dataset: dataset.length > 0 ? dataset : ["tellist"] };
  const options = typedAgain([...datasetOptions(), pluginOption()], subject);
  const isLikeOption = files.some((file) => /^-./.test(file));
  return shellLine([
    ...["npx", "wirebench", "facts", ...options, "--codec", codec, "--only", table, "--why", row],
    ...(isLikeOption ? ["--"] : []),
    ...files,
  ]);
}

/** The words that give these options again the values that they were given; nothing for those that were not. */
function typedAgain(options: readonly Option[], flags: object): string[] {
  const given = flags as Readonly<Record<string, unknown>>;
  return options.flatMap((option) => {
    const value = given[option.attributeName()];
    const name = option.long ?? option.flags;
    if (value === undefined || value === false) return [];
    if (value === true) return [name];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [name, String(one)]);
  });
}

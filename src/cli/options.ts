import { type Command, InvalidArgumentError, Option } from "commander";
import { parseBandwidth } from "../model/bandwidth.ts";
import type { Int64Mode } from "../model/schema.ts";

/** Every option is described here once; a command takes the groups it needs. */

/** Which codecs: `-c`. */
export function codecOption(command: Command, standard = "every codec without its variants"): Command {
  return command.addOption(
    new Option("-c, --codec <name>", "codec or pattern, as msgpackr, msgpackr:records, 'json*'; repeatable")
      .argParser(collect)
      .default([], standard),
  );
}

/** Which datasets: `-d`, or the user's own with `--schema`, `--message` and `--data`. */
export function datasetOptions(command: Command, standard = "tellist"): Command {
  return command
    .addOption(
      new Option("-d, --dataset <name>", "dataset, as tellist or tellist:3700; repeatable")
        .argParser(collect)
        .default([], standard),
    )
    .addOption(schemaOption())
    .addOption(messageOption())
    .addOption(dataOption())
    .addOption(int64Option());
}

/** One dataset or one schema, for a command that handles one. */
export function subjectOptions(command: Command): Command {
  return ownDataOptions(command.option("-d, --dataset <name>", "dataset, as tellist or tellist:3700", once));
}

/** The user's own data only: `--schema`, `--message`, `--data` and `--int64`. */
export function ownDataOptions(command: Command): Command {
  return command
    .addOption(schemaOption())
    .addOption(messageOption())
    .addOption(dataOption())
    .addOption(int64Option());
}

/** `--plugin`. */
export function pluginOption(command: Command): Command {
  return command.addOption(
    new Option("--plugin <file>", "module with a codec, dataset, operation or report of your own; repeatable")
      .argParser(collectFiles)
      .default([], "none"),
  );
}

/** What is timed: `-o`. */
export function operationOption(): Option {
  return new Option("-o, --operation <name>", "operation or pattern; repeatable")
    .argParser(collect)
    .default([], "encode, decode and access");
}

/** What codecs are measured in: `--runtime`. */
export function runtimeOption(command: Command): Command {
  return command.addOption(
    new Option(
      "--runtime <name>",
      "what codecs run in, as bun, deno:/path/to/deno or node@/path/to/node; repeatable",
    )
      .argParser(collect)
      .default([], "the one that wirebench is run with"),
  );
}

/** `--seed`. */
export function seedOption(): Option {
  return new Option("--seed <number>", "makes the order of measurements repeatable").argParser(wholeNumber);
}

/** `--timeout` of measuring processes. */
export function timeoutOption(): Option {
  return new Option(
    "--timeout <seconds>",
    "kill a measuring process that does not get on for longer (default: 120)",
  ).argParser(positiveNumber);
}

/** How a command answers a program: `--json`. */
export function jsonOption(command: Command): Command {
  return command.option("--json", "print the machine-readable record on standard output");
}

/** What `datasetOptions` gives. */
export interface DatasetFlags {
  readonly dataset: readonly string[];
  readonly schema?: string;
  readonly message?: string;
  readonly data: readonly string[];
  readonly int64?: Int64Mode;
}

/** What `subjectOptions` gives. */
export type SubjectFlags = Omit<DatasetFlags, "dataset"> & { readonly dataset?: string };

function schemaOption(): Option {
  return new Option("--schema <file>", "schema of your own data: a .proto file or a C header").argParser(
    once,
  );
}

function messageOption(): Option {
  return new Option("--message <name>", "message of the schema that a value is, as pkg.Name").argParser(once);
}

function dataOption(): Option {
  return new Option(
    "--data <file>",
    "your own data: JSON or an encoded protobuf message; - is standard input; repeatable",
  )
    .argParser(collectFiles)
    .default([], "none");
}

function int64Option(): Option {
  return new Option(
    "--int64 <type>",
    "JavaScript type of 64-bit integers (default: number if all are safe)",
  ).choices(["number", "bigint"]);
}

/** An option that counts once only: of two, one would be ignored in silence. */
export function once(value: string, previous: string | undefined): string {
  if (previous !== undefined) throw new InvalidArgumentError(`it is given twice, with "${previous}" before.`);
  return value;
}

/** A repeatable option that names files, in whose names a comma is nothing special. */
function collectFiles(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

/** A repeatable option: commas separate too. */
export function collect(value: string, previous: readonly string[]): string[] {
  return [...previous, ...value.split(",")];
}

/** What a repeatable option was given; undefined for nothing, where a default counts. */
export function given<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** An option that is a whole number. */
export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError("expected a whole number.");
  }
  return number;
}

/** An option that is a positive number. */
export function positiveNumber(value: string): number {
  const number = Number(value);
  if (!(number > 0 && Number.isFinite(number))) throw new InvalidArgumentError("expected a positive number.");
  return number;
}

/** An option that is a share: `5%` or `0.05`. A bare 5 could be either, and is refused. */
export function share(value: string): number {
  const [, number, percent] = /^(\d+(?:\.\d+)?|\.\d+)\s?(%)?$/.exec(value.trim()) ?? [];
  const given = Number(number);
  if (!Number.isFinite(given)) throw new InvalidArgumentError("expected a share, as 5% or 0.05.");
  if (percent !== undefined) return given / 100;
  if (given >= 1) {
    throw new InvalidArgumentError(
      `expected a share, as ${number}% or ${given / 100}: ${number} alone could be either.`,
    );
  }
  return given;
}

/** A repeatable option that is a bandwidth in bit/s: `10M`, `2.5Gbit/s`. */
export function collectBandwidths(value: string, previous: readonly number[]): number[] {
  return [...previous, ...value.split(",").map((one) => parseBandwidth(one, "--bandwidth"))];
}

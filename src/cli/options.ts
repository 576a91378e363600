import { type Command, InvalidArgumentError, Option } from "commander";
import { parseBandwidth } from "../model/bandwidth.ts";
import { UsageError } from "../model/errors.ts";
import type { Int64Mode } from "../model/schema.ts";
import { withoutLogin } from "../model/without-login.ts";
import { runtimeNames } from "../runtimes/launch/find.ts";
import { rare } from "./help.ts";

/** Every option that several commands have is described here once. */

/** A new command below another, with its options in the order of its help. */
export function commandOf(
  parent: Command,
  signature: string,
  summary: string,
  options: readonly Option[],
): Command {
  const command = parent.command(signature).description(summary);
  for (const option of options) command.addOption(option);
  return command;
}

/** Which codecs. */
export const codecs = (standard = "@published; for your data, those of @node at hand"): Option =>
  many(
    "-c, --codec <name>",
    "codec, pattern or group, as msgpackr:records, 'json*', @schemaless (see list codecs); repeatable",
    standard,
  );

/** The codec of a command that needs one. */
export const codec = (): Option => single("-c, --codec <name>", "codec").makeOptionMandatory();

/** The user's own data. */
export const ownData = (): Option[] => [
  single(
    "--schema <file>",
    "schema of your own data: a .proto, .fbs or .capnp file, a FileDescriptorSet or a C header",
  ),
  ...rare(
    new Option("-I, --include <folder>", "folder of the .proto files that --schema imports; repeatable")
      .argParser(collectFiles)
      .default([], "the folder of the file that imports, and those above it"),
  ),
  single("--message <name>", "message of the schema that a value is, as pkg.Name"),
  new Option(
    "--data <file>",
    "your own data: JSON, NDJSON, protobuf or its text, also in gzip; - is standard input; repeatable",
  )
    .argParser(collectFiles)
    .default([], "none"),
  choice(
    "--as <what>",
    "without a schema, a JSON list is one value, or each element is (default: each of > 1,000)",
    ["one", "each"],
  ),
  new Option("--hint <path=type>", "type that JSON does not tell, as /people/-/kind=enum; repeatable")
    .argParser(collectFiles)
    .default([], "none"),
  ...rare(
    choice(
      "--duplicates <what>",
      "without a schema, a key that is twice in a JSON object (default: refuse)",
      ["refuse", "last"],
    ),
    whole(
      "--sample <number>",
      "most values that are measured, spread over the files (default: 1000 of many)",
    ),
    new Option("--delimited", "data is protobuf messages, each after its length as a varint"),
    new Option(
      "--fill-defaults",
      "give schemaless codecs your data with every default filled in, not the objects of the file",
    ),
    choice(
      "--unknown <how>",
      "what to do with protobuf fields and enum numbers that --schema lacks (default: skip)",
      ["refuse", "skip", "keep"],
    ),
    new Option(
      "--strict",
      "refuse protobuf integers that are wider than their type, rather than to cut them to it",
    ),
    whole("--max-values <number>", "most values that an encoded message may become (default: 16777216)"),
    choice("--int64 <type>", "JavaScript type of 64-bit integers (default: number if all are safe)", [
      "number",
      "bigint",
    ]),
  ),
];

/** Which datasets, built in or the user's own: see {@link DatasetFlags}. */
export const datasets = (standard = "tellist"): Option[] => [
  many("-d, --dataset <name>", "dataset, as tellist or tellist:3700; repeatable", standard),
  ...ownData(),
];

/** One dataset or one schema, for a command that handles one: see {@link SubjectFlags}. */
export const subject = (): Option[] => [
  single("-d, --dataset <name>", "dataset, as tellist or tellist:3700"),
  ...ownData(),
];

/** Modules of the user's. */
export const plugins = (): Option =>
  new Option("--plugin <file>", "module with a codec, dataset, operation or report of your own; repeatable")
    .argParser(collectFiles)
    .default([], "none");

/** Which copies of libraries are measured. */
export const libraries = (): Option[] => [
  many(
    "--use <library>",
    "another version of a library, as avsc@5.7.9, measured beside the one at hand",
    "none",
  ),
  new Option("--install", "fetch libraries that are nowhere, into a cache, without running their scripts"),
];

/** What is timed. */
export const operations = (): Option =>
  many("-o, --operation <name>", "operation or pattern; repeatable", "encode, decode and access");

/** What codecs are measured in. */
export const runtimes = (): Option =>
  new Option(
    "--runtime <name>",
    "what codecs run in, as bun, chromium, deno:/path/to/deno or node@/path/to/node; repeatable",
  )
    .argParser(collectRuntimes)
    .default([], "the one that wirebench is run with");

/** What codecs may not do. */
export const noEval = (): Option =>
  new Option(
    "--no-eval",
    "forbid to make code of strings, as a page with a strict content security policy does",
  );

/** A browser that is opened by hand. */
export const serving = (): Option[] => [
  new Option(
    "--serve",
    "measure in a browser too that you open by hand, here or on a telephone: prints the address",
  ).conflicts(["on", "cores"]),
  single("--host <address>", "with --serve, the address of this machine that it serves (default: 127.0.0.1)"),
  whole("--port <number>", "with --serve, its port (default: any that is free)"),
];

/** How much time a run has. */
export const profile = (description: string): Option =>
  choice("--profile <name>", description, ["quick", "standard", "thorough"]);

/** What is counted besides time. */
export const counters = (): Option =>
  new Option("--counters", "count instructions and cycles per call too, where Linux's perf can");

/** Reference programs beside codecs. */
export const native = (): Option =>
  new Option(
    "--native [folder]",
    "measure the originals too: C++, Python and Erlang programs of wirebench, or those of a folder",
  );

/** How reference programs are compiled. */
export const cxxflags = (): Option =>
  single("--cxxflags <flags>", "flags for g++, as '-O3 -march=native' (default: -O2)");

/** The order of measurements. */
export const seed = (): Option => whole("--seed <number>", "makes the order of measurements repeatable");

/** What a measuring process may take. */
export const timeout = (): Option =>
  positive("--timeout <seconds>", "kill a measuring process that does not get on for longer (default: 120)");

/** What proves to a NATS server who one is, and to whom it proves itself: see {@link NatsFlags}. */
export const natsFiles = (): Option[] => [
  single("--nats-creds <file>", "credentials for the NATS server, as nsc writes them"),
  single("--tls-ca <file>", "authority that the NATS server's certificate is of, in PEM"),
  single("--tls-cert <file>", "certificate of this client for the NATS server, in PEM"),
  single("--tls-key <file>", "key of that certificate, in PEM"),
];

/** What {@link natsFiles} gives. */
export interface NatsFlags {
  readonly natsCreds?: string;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** Their names. */
export const NATS_FLAGS = [
  "natsCreds",
  "tlsCa",
  "tlsCert",
  "tlsKey",
] as const satisfies readonly (keyof NatsFlags)[];

/** Where a short report goes besides. */
export const summary = (): Option =>
  single("--summary <file>", "add the short report in Markdown to this file, as $GITHUB_STEP_SUMMARY");

/** How a command answers a program. */
export const json = (): Option =>
  new Option("--json", "print the machine-readable record on standard output");

/** What {@link datasets} gives. */
export interface DatasetFlags {
  readonly dataset: readonly string[];
  readonly schema?: string;
  readonly include: readonly string[];
  readonly message?: string;
  readonly data: readonly string[];
  readonly int64?: Int64Mode;
  /** Words without an option: files of data, and a schema among them. */
  readonly files?: readonly string[];
  readonly as?: "one" | "each";
  readonly hint: readonly string[];
  readonly duplicates?: "refuse" | "last";
  readonly sample?: number;
  /** Decides also what a sample has. */
  readonly seed?: number;
  readonly delimited?: boolean;
  readonly fillDefaults?: boolean;
  readonly unknown?: "refuse" | "skip" | "keep";
  readonly strict?: boolean;
  readonly maxValues?: number;
}

/** What {@link subject} gives. */
export type SubjectFlags = Omit<DatasetFlags, "dataset"> & { readonly dataset?: string };

/** An option with one value. */
export function single(flags: string, description: string): Option {
  return new Option(flags, description).argParser(once);
}

/** A repeatable option. @param standard what nothing stands for, in words */
export function many(flags: string, description: string, standard: string): Option {
  return new Option(flags, description).argParser(collect).default([], standard);
}

/** An option with one of these values. */
export function choice(flags: string, description: string, values: readonly string[]): Option {
  return new Option(flags, description).choices(values);
}

/** An option that is a whole number. */
export function whole(flags: string, description: string): Option {
  return new Option(flags, description).argParser(wholeNumber);
}

/** An option that is a positive number. */
export function positive(flags: string, description: string): Option {
  return new Option(flags, description).argParser(positiveNumber);
}

/** Of two values, one would be ignored in silence. */
function once(this: Option, value: string, previous: string | undefined): string {
  if (previous === undefined) return value;
  const problem = `it is given twice, with "${withoutLogin(previous)}" before.`;
  // Commander shows the value, which may hold a password.
  if (withoutLogin(value) !== value) throw new UsageError(`${this.long}: ${problem}`);
  throw new InvalidArgumentError(problem);
}

/** Names of files, in which a comma is nothing special. */
function collectFiles(value: string, previous: readonly string[]): string[] {
  return [...previous, value];
}

/** Commas separate too. */
function collect(value: string, previous: readonly string[]): string[] {
  const names = value.split(",");
  if (names.includes("")) throw new InvalidArgumentError("expected a name, got nothing.");
  return [...previous, ...names];
}

/** Commas separate too, but for those in the path of a program: only a runtime's name follows it. */
export function collectRuntimes(value: string, previous: readonly string[]): string[] {
  const specs = [...previous];
  let isPath = false;
  for (const part of value.split(",")) {
    const [name = ""] = part.split(/[:@]/, 1);
    if (isPath && !runtimeNames().includes(name)) {
      specs.push(`${specs.pop()},${part}`);
    } else {
      specs.push(part);
      isPath = name !== part;
    }
  }
  return specs;
}

/** What a repeatable option was given; undefined for nothing, where a default counts. */
export function given<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length > 0 ? list : undefined;
}

/** The first of these flags that was given; undefined for none. An empty list and false are defaults. */
export function firstGiven<Name extends string>(
  flags: { readonly [name in Name]?: unknown },
  names: readonly Name[],
): Name | undefined {
  return names.find((name) => {
    const value: unknown = flags[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;
  });
}

/** The option of a flag, as it is typed: `--fill-defaults` of `fillDefaults`. */
export function optionOf(flag: string): string {
  return `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The format that is asked for: `--json` is short for `--format json`. */
export function formatOf<Format extends string>({
  json,
  format,
}: {
  readonly json?: boolean;
  readonly format?: Format;
}): Format | "json" | "text" {
  if (json !== true) return format ?? "text";
  if (format !== undefined && format !== "json")
    throw new UsageError(`--json and --format ${format}: expected one of them`);
  return "json";
}

function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError("expected a whole number.");
  }
  return number;
}

function positiveNumber(value: string): number {
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

import { namedDataset } from "../catalog/dataset.ts";
import type { MessageRules } from "../catalog/encoded-messages.ts";
import { inferDataset } from "../catalog/infer-dataset.ts";
import { isSchemaFile, loadDataset, loadSchema } from "../catalog/load-dataset.ts";
import { ownFiles } from "../catalog/own-files.ts";
import type { OnRead } from "../catalog/read-progress.ts";
import type { Registry } from "../catalog/registry.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { UsageError } from "../model/errors.ts";
import type { Io } from "./io.ts";
import type { DatasetFlags, SubjectFlags } from "./options.ts";
import { ReadingLine } from "./progress-line.ts";

/** The datasets that flags name: built-in ones and the user's own. */
export async function datasetsOf(flags: DatasetFlags, io: Io): Promise<(string | Dataset)[]> {
  const own = await ownDataset(flags, io);
  return own === undefined ? [...flags.dataset] : [...flags.dataset, own];
}

/** The dataset of the user's own files that flags name, if any. Without a schema it has the one that is inferred. */
export async function ownDataset(flags: SubjectFlags | DatasetFlags, io: Io): Promise<Dataset | undefined> {
  const { schema, data } = filesOf(flags);
  const {
    include,
    message,
    int64,
    delimited,
    fillDefaults,
    sample,
    seed,
    as,
    hint: hints,
    duplicates,
  } = flags;
  if (schema === undefined) {
    expectNoFolders(flags);
    if (message !== undefined) throw new UsageError("--message needs --schema: which file is it in?");
    if (delimited === true) throw new UsageError("--delimited needs --schema: which message is it?");
    if (data.length > 0)
      return reading(io, (onRead) =>
        inferDataset({
          data,
          hints,
          onRead,
          ...defined({ int64, fillDefaults, sample, seed, as, duplicates }),
        }),
      );
    expectNoFilling(flags);
    return undefined;
  }
  if (data.length === 0) throw new UsageError(`${schema} is a schema: expected a file of values beside it`);
  const inferring = { "--as": as, "--hint": hints[0], "--duplicates": duplicates };
  const given = Object.entries(inferring).find(([, value]) => value !== undefined);
  if (given !== undefined) throw new UsageError(`${given[0]} is for data without a schema`);
  return reading(io, (onRead) =>
    loadDataset({
      schema,
      include,
      data,
      onRead,
      ...defined({ message, int64, delimited, fillDefaults, sample, seed }),
      ...messageRules(flags, io),
    }),
  );
}

/** Shows how far reading is while it takes long. */
async function reading<Read>(io: Io, read: (onRead: OnRead) => Promise<Read>): Promise<Read> {
  const line = new ReadingLine(io);
  try {
    return await read((now) => line.show(now));
  } finally {
    line.clear();
  }
}

/** The schema and the files of data that flags name. */
function filesOf({ files = [], schema, data }: SubjectFlags | DatasetFlags): {
  readonly schema: string | undefined;
  readonly data: readonly string[];
} {
  const schemas = [...(schema === undefined ? [] : [schema]), ...files.filter(isSchemaFile)];
  if (schemas.length > 1) throw new UsageError(`two schemas: ${schemas.join(" and ")}, expected one`);
  const words = [...files.filter((file) => !isSchemaFile(file)), ...data];
  return { schema: schemas[0], data: ownFiles(words) };
}

/** The one schema that flags name, and the values that come with it, if any. */
export async function subjectOf(registry: Registry, flags: SubjectFlags, io: Io): Promise<Dataset> {
  const { dataset, message } = flags;
  const { schema, data } = filesOf(flags);
  if ((dataset === undefined) === (schema === undefined && data.length === 0)) {
    throw new UsageError("expected one of --dataset, --schema and a file of JSON");
  }
  if (dataset !== undefined) {
    expectNoFilling(flags);
    expectNoFolders(flags);
    return namedDataset(registry, dataset, flags.int64);
  }
  if (data.length > 0) return (await ownDataset(flags, io)) as Dataset;
  const read = loadSchema(schema ?? "", message, flags.include);
  const documents = flags.fillDefaults === true ? undefined : [];
  return {
    name: read.root,
    schema: read,
    values: [],
    int64: flags.int64 ?? "bigint",
    ...defined({ documents }),
  };
}

/** What flags allow of encoded messages; what is left out is told in a line. */
export function messageRules(
  { unknown, strict, maxValues }: SubjectFlags | DatasetFlags,
  io: Io,
): MessageRules {
  return {
    ...defined({ unknown, strict, maxValues }),
    onLeftOut: (sentence) => io.tell(`${sentence}\n`),
  };
}

/** A built-in dataset has every default anyway. */
function expectNoFilling({ fillDefaults }: SubjectFlags | DatasetFlags): void {
  if (fillDefaults === true) throw new UsageError("--fill-defaults needs --schema: it is for your own data");
}

/** A built-in dataset imports nothing. */
function expectNoFolders({ include }: SubjectFlags | DatasetFlags): void {
  if (include.length > 0) throw new UsageError("--include needs --schema: which file imports from it?");
}

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
import { type DatasetFlags, firstGiven, optionOf, type SubjectFlags } from "./options.ts";
import { ReadingLine } from "./progress-line.ts";

/** The datasets that flags name: built-in ones and the user's own. */
export async function datasetsOf(flags: DatasetFlags, io: Io): Promise<(string | Dataset)[]> {
  const own = await ownDataset(flags, io);
  return own === undefined ? [...flags.dataset] : [...flags.dataset, own];
}

/**
 * The dataset of the user's own files that flags name, if any. Without a schema it has the one that is inferred.
 * @param used options of a schema that the command uses without one too
 */
export async function ownDataset(
  flags: SubjectFlags | DatasetFlags,
  io: Io,
  used: readonly OwnDataOption[] = [],
): Promise<Dataset | undefined> {
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
    const ofSchema: readonly OwnDataOption[] = ["include", "message", "delimited", ...MESSAGE_RULES];
    expectNone(flags, without(data.length > 0 ? ofSchema : OWN_DATA_OPTIONS, used));
    if (data.length === 0) return undefined;
    return reading(io, (onRead) =>
      inferDataset({
        data,
        hints,
        onRead,
        ...defined({ int64, fillDefaults, sample, seed, as, duplicates }),
      }),
    );
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

/**
 * The one schema that flags name, and the values that come with it, if any.
 * @param used options of own data that the command uses without it too
 */
export async function subjectOf(
  registry: Registry,
  flags: SubjectFlags,
  io: Io,
  used: readonly OwnDataOption[] = [],
): Promise<Dataset> {
  const { dataset, message } = flags;
  const { schema, data } = filesOf(flags);
  if ((dataset === undefined) === (schema === undefined && data.length === 0)) {
    throw new UsageError("expected one of --dataset, --schema and a file of JSON");
  }
  if (dataset !== undefined) {
    expectNone(flags, without(OWN_DATA_OPTIONS, used));
    return namedDataset(registry, dataset, flags.int64);
  }
  if (data.length > 0) return (await ownDataset(flags, io, used)) as Dataset;
  expectNone(flags, ["sample", "as", "hint", "duplicates"]);
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

const FOR_OWN_DATA = "it is for your own data";

/** What each option of own data needs: without that it would be ignored in silence, as beside a built-in dataset. */
const NEEDS = {
  include: "--schema: which file imports from it?",
  message: "--schema: which file is it in?",
  delimited: "--schema: which message is it?",
  fillDefaults: `--schema: ${FOR_OWN_DATA}`,
  unknown: "--schema: it is for data of a schema",
  strict: "--schema: it is for data of a schema",
  maxValues: "--schema: it is for data of a schema",
  sample: `--data: ${FOR_OWN_DATA}`,
  as: `--data: ${FOR_OWN_DATA}`,
  hint: `--data: ${FOR_OWN_DATA}`,
  duplicates: `--data: ${FOR_OWN_DATA}`,
} as const;

/** An option that is for the user's own data. */
type OwnDataOption = keyof typeof NEEDS;

const OWN_DATA_OPTIONS = Object.keys(NEEDS) as OwnDataOption[];

/** What a command that reads a message uses beside a built-in dataset too: see {@link messageRules}. */
export const MESSAGE_RULES = ["unknown", "strict", "maxValues"] as const satisfies readonly OwnDataOption[];

function without(names: readonly OwnDataOption[], used: readonly OwnDataOption[]): readonly OwnDataOption[] {
  return names.filter((name) => !used.includes(name));
}

function expectNone(flags: SubjectFlags | DatasetFlags, names: readonly OwnDataOption[]): void {
  const name = firstGiven(flags, names);
  if (name !== undefined) throw new UsageError(`${optionOf(name)} needs ${NEEDS[name]}`);
}

import { namedDataset } from "../catalog/dataset.ts";
import { loadDataset, loadSchema } from "../catalog/load-dataset.ts";
import type { Registry } from "../catalog/registry.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { UsageError } from "../model/errors.ts";
import type { DatasetFlags, SubjectFlags } from "./options.ts";

/** The datasets that flags name: built-in ones and the user's own. */
export async function datasetsOf(flags: DatasetFlags): Promise<(string | Dataset)[]> {
  const own = await ownDataset(flags);
  return own === undefined ? [...flags.dataset] : [...flags.dataset, own];
}

/** The dataset of the user's own files that flags name, if any. */
export async function ownDataset(flags: SubjectFlags | DatasetFlags): Promise<Dataset | undefined> {
  const { schema, message, data, int64, fillDefaults } = flags;
  if (schema === undefined) {
    if (data.length > 0) throw new UsageError("--data needs --schema: which message is it?");
    expectNoFilling(flags);
    if (message !== undefined) throw new UsageError("--message needs --schema: which file is it in?");
    return undefined;
  }
  if (data.length === 0) throw new UsageError("--schema needs --data: which values are measured?");
  return loadDataset({ schema, data, ...defined({ message, int64, fillDefaults }) });
}

/** The one schema that flags name, and the values that come with it, if any. */
export async function subjectOf(registry: Registry, flags: SubjectFlags): Promise<Dataset> {
  const { dataset, schema, message, data } = flags;
  if ((dataset === undefined) === (schema === undefined)) {
    throw new UsageError("expected one of --dataset and --schema");
  }
  if (dataset !== undefined) {
    expectNoFilling(flags);
    return namedDataset(registry, dataset, flags.int64);
  }
  if (data.length > 0) return (await ownDataset(flags)) as Dataset;
  const read = loadSchema(schema ?? "", message);
  const documents = flags.fillDefaults === true ? undefined : [];
  return {
    name: read.root,
    schema: read,
    values: [],
    int64: flags.int64 ?? "bigint",
    ...defined({ documents }),
  };
}

/** A built-in dataset has every default anyway. */
function expectNoFilling({ fillDefaults }: SubjectFlags | DatasetFlags): void {
  if (fillDefaults === true) throw new UsageError("--fill-defaults needs --schema: it is for your own data");
}

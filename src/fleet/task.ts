/** What a run measures, as it goes to its workers and as they understand it. */

import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { UsageError, WirebenchError } from "../model/errors.ts";
import type { Schema } from "../model/schema.ts";
import { datasetJson, datasetOf } from "../runtimes/launch/job-line.ts";
import { makePlan, type Plan } from "../suite/plan.ts";
import type { Selection } from "../suite/selection.ts";
import { FleetMessageError, type NotCarried, PROTOCOL, type Task, type TaskDataset } from "./messages.ts";

/**
 * Whether an option of a selection goes to the workers. None does that names a file or a program: nothing that comes over
 * the wire is executed. What the coordinator cannot pass on it refuses, rather than to measure something else.
 */
const CARRIED: Readonly<Record<keyof Selection, boolean>> = {
  codecs: true,
  datasets: true,
  int64: true,
  operations: true,
  parts: true,
  profile: true,
  isolate: true,
  cores: true,
  seed: true,
  baseline: true,
  timeoutSeconds: true,
  threshold: true,
  jit: true,
  bandwidths: true,
  goal: true,
  study: true,
  counters: true,
  plugins: false,
  runtimes: false,
  blocks: false,
  shard: false,
  survey: false,
  native: false,
  use: false,
  install: false,
  noEval: false,
};

/** Why an option stays at home, in a line. */
const REFUSED: Readonly<Record<NotCarried, string>> = {
  plugins: "machines run only the codecs, datasets and operations that wirebench has",
  runtimes: "machines measure in the runtime that they were started with",
  blocks: "machines share all blocks of the profile",
  shard: "machines share all blocks of the profile",
  survey: "machines measure memory and compression once",
  native: "machines build nothing for others",
  use: "machines fetch nothing for others",
  install: "machines fetch nothing for others",
  noEval: "machines measure with the flags that they were started with",
};

/** The task of a plan. Throws UsageError for an option that does not go to other machines. */
export function taskOf(plan: Plan, { datasets = [], ...selection }: Selection): Task {
  for (const [option, reason] of Object.entries(REFUSED)) {
    const value = selection[option as NotCarried];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    throw new UsageError(`${option}: not on other machines: ${reason}`);
  }
  const codecs = plan.pairs.filter(({ twinOf }) => twinOf === undefined).map(({ source }) => source.codec);
  return {
    protocol: PROTOCOL,
    selection: {
      ...carriedPart(selection),
      // Patterns and defaults are decided here.
      codecs: [...new Set(codecs)],
      seed: plan.seed,
      baseline: plan.baseline,
    },
    datasets: datasets.map(taskDataset),
  };
}

/**
 * The plan that a worker makes of a task. Throws WirebenchError for what it does not have or does not understand.
 */
export async function planOf({ selection, datasets }: Task): Promise<Plan> {
  const named = datasets.map((dataset) => (typeof dataset === "string" ? dataset : readDataset(dataset)));
  return makePlan({
    ...carriedPart(selection),
    ...defined({ datasets: named.length === 0 ? undefined : named }),
  });
}

function taskDataset(dataset: string | Dataset): string | TaskDataset {
  if (typeof dataset === "string") return dataset;
  return { ...(datasetJson(dataset) as TaskDataset), ...defined({ story: dataset.story }) };
}

/** The options that may cross, and nothing else that may be among them. */
function carriedPart(selection: Omit<Selection, "datasets">): Omit<Selection, "datasets" | NotCarried> {
  return Object.fromEntries(
    Object.entries(selection).filter(
      ([option]) => Object.hasOwn(CARRIED, option) && CARRIED[option as keyof Selection],
    ),
  );
}

function readDataset({ story, ...json }: TaskDataset): Dataset {
  try {
    const dataset = datasetOf(json) as Dataset;
    expectWhole(dataset.schema);
    return { ...dataset, ...defined({ story }) };
  } catch (error) {
    if (error instanceof WirebenchError) throw error;
    throw new FleetMessageError(`Task: dataset: ${(error as Error).message}`, { cause: error });
  }
}

/** A schema that was read from a file has every type that it names; one that came over a network need not. */
function expectWhole({ root, messages, enums }: Schema): void {
  const wanted = [...messages.values()].flatMap((message) => message.fields.map(({ type }) => type));
  const missing = [{ kind: "message", name: root } as const, ...wanted].find(
    (type) =>
      (type.kind === "message" && !messages.has(type.name)) ||
      (type.kind === "enum" && !enums.has(type.name)),
  );
  if (missing !== undefined)
    throw new FleetMessageError(`Task: schema: no type for ${JSON.stringify(missing)}`);
  const types = [...messages, ...enums];
  const renamed = types.find(([name, type]) => name !== type.name);
  if (renamed !== undefined)
    throw new FleetMessageError(`Task: schema: ${renamed[0]} is called ${renamed[1].name}`);
}

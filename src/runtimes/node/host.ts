import { namedDataset } from "../../catalog/dataset.ts";
import { Registry } from "../../catalog/registry.ts";
import { type Clock, measuredClock } from "../../measure/clock.ts";
import type { CodecSource, Host, LoadedCodec, Surveys } from "../../measure/host.ts";
import type { Job } from "../../measure/job.ts";
import { defined } from "../../model/defined.ts";
import { ownRuntime } from "../../model/runtime.ts";
import { ConditionsMeter } from "./conditions.ts";
import { schedstat, threadCpu } from "./core-time.ts";
import { useLibrary } from "./library-copy.ts";
import { PerfCounter } from "./perf.ts";

/**
 * What is found out besides times. It is loaded where a job asks for some of it: most processes have none, and it takes a fifth
 * of what they load.
 */
async function surveysOf({ core }: Clock): Promise<Surveys> {
  const [{ datasetHash }, { compressedSizes, measureCompression }, { proveHeapFigures }, { measureMemory }] =
    await Promise.all([
      import("../../catalog/dataset-hash.ts"),
      import("./compress.ts"),
      import("./memory/heap-watch.ts"),
      import("./memory/memory.ts"),
    ]);
  // Whether the runtime's figures of its heap can be used is found out when memory is first asked for.
  let proof: { readonly fault: string | undefined } | undefined;
  const memory: Surveys["memory"] = (task, options) => {
    proof ??= { fault: proveHeapFigures() };
    if (proof.fault === undefined) return measureMemory(task, { ...options, onCore: core?.onCore });
    const { name, version } = ownRuntime();
    return { unavailable: `${name} ${version}: ${proof.fault}` };
  };
  return { hash: datasetHash, payload: compressedSizes, compression: measureCompression, memory };
}

/** What a measuring process has in Node, and in the runtimes that have Node's modules. */
export async function nodeHost({ members }: Pick<Job, "members">): Promise<Host> {
  const clock = measuredClock(performance.now.bind(performance), [schedstat, threadCpu]);
  const isSurveyed = members.some(({ describe, survey }) => describe || survey);
  const surveys = isSurveyed ? await surveysOf(clock) : {};
  const registries = new Map<string, Promise<Registry>>();
  const registryOf = ({ plugins }: CodecSource): Promise<Registry> => {
    const key = JSON.stringify(plugins);
    const registry = registries.get(key) ?? Registry.open(plugins);
    registries.set(key, registry);
    return registry;
  };
  const codec = async (source: CodecSource): Promise<LoadedCodec> => {
    const library = source.library && useLibrary(source.library);
    const from = clock.now();
    const { name, summary, bind, build, schemaless } = await (await registryOf(source)).codec(source.codec);
    const importMs = clock.now() - from;
    const expectLibrary = (): void => library?.expectLoaded(name);
    return { name, summary, bind, ...defined({ build, schemaless }), importMs, expectLibrary };
  };
  return {
    runtime: ownRuntime(),
    clock,
    codec,
    dataset: async (name, source, int64) => namedDataset(await registryOf(source), name, int64),
    operation: async (name, source) => (await registryOf(source)).definition("operations", name),
    collect: globalThis.gc,
    meter: new ConditionsMeter(),
    counter: (events) => new PerfCounter(events),
    surveys,
  };
}

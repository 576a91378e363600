import { namedDataset } from "../../catalog/dataset.ts";
import { type NamedCodec, Registry } from "../../catalog/registry.ts";
import { type Clock, measuredClock } from "../../measure/clock.ts";
import { collectorOf } from "../../measure/collector.ts";
import type { CodecSource, Host, LoadedCodec, Surveys } from "../../measure/host.ts";
import type { Job } from "../../measure/job.ts";
import { untriedReason } from "../../model/codec.ts";
import { defined } from "../../model/defined.ts";
import { PluginError } from "../../model/errors.ts";
import { errorLine } from "../../model/one-line.ts";
import { ownRuntime } from "../../model/runtime.ts";
import { showStack } from "../launch/stacks.ts";
import { ConditionsMeter } from "./conditions.ts";
import { schedstat, threadCpu } from "./core-time.ts";
import { decodingThread } from "./decoding-thread.ts";
import { useLibrary } from "./library-copy.ts";
import { Builtins, neededNode } from "./library-trouble.ts";

/**
 * What is found out besides times, where a job asks for it. It is loaded for that alone: most processes have none.
 */
async function surveysOf(members: Job["members"], { core }: Clock): Promise<Surveys> {
  if (members.every(({ survey }) => !survey)) return {};
  const { measureCompression: compression } = await import("./compress.ts");
  return { compression, memory: await memorySurvey(core) };
}

async function memorySurvey(core: Clock["core"]): Promise<NonNullable<Surveys["memory"]>> {
  const { proveHeapFigures } = await import("./memory/heap-watch.ts");
  const { measureMemory } = await import("./memory/memory.ts");
  // Whether the runtime's figures of its heap can be used is found out when memory is first asked for.
  let proof: { readonly fault: string | undefined } | undefined;
  return (task, options) => {
    proof ??= { fault: proveHeapFigures() };
    if (proof.fault === undefined) return measureMemory(task, { ...options, onCore: core?.onCore });
    const { name, version } = ownRuntime();
    return { unavailable: `${name} ${version}: ${proof.fault}` };
  };
}

/** What finds codecs, datasets and operations by their names. @param now milliseconds, by which loading is timed */
export function finder(now: () => number): Pick<Host, "codec" | "dataset" | "operation"> {
  const registries = new Map<string, Promise<Registry>>();
  const registryOf = ({ plugins }: CodecSource): Promise<Registry> => {
    const key = JSON.stringify(plugins);
    const registry = registries.get(key) ?? Registry.open(plugins);
    registries.set(key, registry);
    return registry;
  };
  const loaded = async (source: CodecSource): Promise<NamedCodec> => {
    try {
      const found = await (await registryOf(source)).codec(source.codec);
      await found.load?.();
      return found;
    } catch (error) {
      const { library } = source;
      if (library === undefined) throw error;
      const needed = neededNode(library);
      if (needed !== undefined) throw new PluginError(`${needed}: ${errorLine(error)}`, { cause: error });
      if (!(error instanceof PluginError)) throw error;
      throw new PluginError(untriedReason(library, error.message), { cause: error });
    }
  };
  const codec = async (source: CodecSource): Promise<LoadedCodec> => {
    const library = source.library && useLibrary(source.library);
    const builtins = new Builtins();
    const from = now();
    const found = await loaded(source);
    const importMs = now() - from;
    const { name, format, summary, bind, build, schemaless } = found;
    const changed = builtins.changed();
    if (changed !== undefined)
      throw new PluginError(`${name}: loading it changes ${changed}, which all code shares`);
    const expectLibrary = (): void => library?.expectLoaded(name);
    return { name, format, summary, bind, ...defined({ build, schemaless }), importMs, expectLibrary };
  };
  return {
    codec,
    dataset: async (name, source, int64) => namedDataset(await registryOf(source), name, int64),
    operation: async (name, source) => (await registryOf(source)).definition("operations", name),
  };
}

/** What a measuring process has in Node, and in the runtimes that have Node's modules. */
export async function nodeHost({ members, counters }: Pick<Job, "members" | "counters">): Promise<Host> {
  const clock = measuredClock(performance.now.bind(performance), [schedstat, threadCpu]);
  const perf = counters && (await import("./perf.ts"));
  return {
    runtime: ownRuntime(),
    clock,
    ...finder(clock.now),
    thread: decodingThread,
    collect: collectorOf(globalThis.gc),
    meter: new ConditionsMeter(),
    counter: perf && ((events) => new perf.PerfCounter(events)),
    surveys: () => surveysOf(members, clock),
    settled: () => new Promise((resolve) => setImmediate(resolve)),
    onRefusal: showStack,
  };
}

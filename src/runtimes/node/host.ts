import { namedDataset } from "../../catalog/dataset.ts";
import { datasetHash } from "../../catalog/dataset-hash.ts";
import { Registry } from "../../catalog/registry.ts";
import { type Clock, measuredClock } from "../../measure/clock.ts";
import type { CodecSource, Host, LoadedCodec } from "../../measure/host.ts";
import { defined } from "../../model/defined.ts";
import { ownRuntime } from "../../model/runtime.ts";
import { compressedSizes, measureCompression } from "./compress.ts";
import { ConditionsMeter } from "./conditions.ts";
import { schedstat, threadCpu } from "./core-time.ts";
import { useLibrary } from "./library-copy.ts";
import { proveHeapFigures } from "./memory/heap-watch.ts";
import { measureMemory } from "./memory/memory.ts";
import { PerfCounter } from "./perf.ts";

/** Measures memory where the runtime's figures of its heap can be used, which is found out when memory is first asked for. */
function provenMemory({ core }: Clock): NonNullable<Host["surveys"]["memory"]> {
  let proof: { readonly fault: string | undefined } | undefined;
  return (task, options) => {
    proof ??= { fault: proveHeapFigures() };
    if (proof.fault === undefined) return measureMemory(task, { ...options, onCore: core?.onCore });
    const { name, version } = ownRuntime();
    return { unavailable: `${name} ${version}: ${proof.fault}` };
  };
}

/** What a measuring process has in Node, and in the runtimes that have Node's modules. */
export function nodeHost(): Host {
  const clock = measuredClock(performance.now.bind(performance), [schedstat, threadCpu]);
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
    surveys: {
      hash: datasetHash,
      payload: compressedSizes,
      compression: measureCompression,
      memory: provenMemory(clock),
    },
  };
}

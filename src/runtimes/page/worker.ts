/** A measuring process in a page: a worker of its own takes one job, says how it gets on, and answers once. */
import { namedDataset } from "../../catalog/dataset.ts";
import { codecOf, splitName } from "../../catalog/named-codec.ts";
import { measuredClock } from "../../measure/clock.ts";
import { collectorOf, touchYoungGeneration } from "../../measure/collector.ts";
import type { Host } from "../../measure/host.ts";
import type { JobResult, MemberResult, WorkerMessage } from "../../measure/job.ts";
import { runJob } from "../../measure/run-job.ts";
import type { CodecDefinition } from "../../model/codec.ts";
import type { DatasetDefinition } from "../../model/dataset.ts";
import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import { errorLine } from "../../model/one-line.ts";
import type { OperationDefinition } from "../../model/operation.ts";
import type { RuntimeIdentity } from "../../model/runtime.ts";
import { parsedJob } from "../launch/job-line.ts";
import type { FromWorker } from "./client.ts";
import { browserIdentity, type NavigatorFacts } from "./identity.ts";

/** Modules by the names of their plugins. */
type Modules<Definition> = Readonly<Record<string, () => Promise<{ readonly default: Definition }>>>;

/** What a job needs: only that is in its scripts. */
export interface Table {
  readonly codecs: Modules<CodecDefinition>;
  readonly datasets: Modules<DatasetDefinition>;
  readonly operations: Modules<OperationDefinition>;
  /** Names of datasets that are the user's own. */
  readonly own: readonly string[];
}

/** What a page is asked to do: a line as every measuring process gets it, and what is known of the browser besides. */
export interface Order {
  readonly line: string;
  readonly runtime?: RuntimeIdentity;
}

/** What a worker has of its browser. */
const scope = globalThis as unknown as {
  postMessage(message: FromWorker): void;
  addEventListener(type: string, listener: (event: { message?: string; reason?: unknown }) => void): void;
  readonly navigator: NavigatorFacts;
  readonly crossOriginIsolated?: boolean;
  readonly gc?: (young?: true) => void;
};

/** Does the job that lies beside its script. */
export function work(table: Table): void {
  scope.addEventListener("error", ({ message = "an error" }) => scope.postMessage({ failed: message }));
  scope.addEventListener("unhandledrejection", ({ reason }) =>
    scope.postMessage({ failed: errorLine(reason) }),
  );
  const send = (message: WorkerMessage): void => scope.postMessage({ line: JSON.stringify(message) });
  // Firefox, which has none, takes some milliseconds for it.
  touchYoungGeneration();
  send({ after: "its scripts were loaded" });
  void (async () => {
    const order = (await (await fetch("job")).json()) as Order;
    const job = parsedJob(order.line);
    const result = await runJob(job, await pageHost(table, order), {
      onStep: (after) => send({ after }),
      onTimedAll: () => send({ timedAll: true }),
      onMessage: (sent) => send({ sent }),
      onTimed: (timed) => send({ timed: withoutNode(timed) }),
    });
    send({ result: withoutNode(result) });
  })();
}

async function pageHost(table: Table, { runtime }: Order): Promise<Host> {
  const { crossOriginIsolated: isolated = false, gc, navigator } = scope;
  const clock = measuredClock(performance.now.bind(performance));
  const identity = runtime ?? (await browserIdentity(navigator));
  const registry = {
    isOwn: (_: string, name: string) => table.own.includes(name),
    definition: (_: string, name: string) => definitionOf(table.datasets, name),
  };
  return {
    runtime: identity,
    isolated,
    clock,
    codec: async ({ codec: name }) => {
      const from = clock.now();
      const found = codecOf(name, await definitionOf(table.codecs, name), "");
      await found.load?.();
      const { format, summary, bind, build, schemaless } = found;
      const importMs = clock.now() - from;
      // The copy was chosen when the scripts were made.
      const expectLibrary = (): void => {};
      return { name, format, summary, bind, ...defined({ build, schemaless }), importMs, expectLibrary };
    },
    dataset: (name, _, int64) => namedDataset(registry, name, int64),
    operation: async (name) => {
      const [, argument] = splitName(name);
      const definition = await definitionOf(table.operations, name);
      if (argument === undefined) return definition;
      const found = definition.argument?.with(argument);
      if (found === undefined) throw new UsageError(`operation "${name}" takes no argument`);
      return found;
    },
    collect: collectorOf(gc),
    surveys: async () => ({
      memory: () => ({
        unavailable: `${identity.name} ${identity.version}: a page is not told what its calls allocate, and has no zlib of Node's`,
      }),
    }),
    settled: () => new Promise((resolve) => setTimeout(resolve)),
  };
}

async function definitionOf<Definition>(modules: Modules<Definition>, name: string): Promise<Definition> {
  const load = modules[splitName(name)[0]];
  if (load === undefined) throw new UsageError(`"${name}" is not in the scripts of this page`);
  return (await load()).default;
}

/** What only Node has, by the names that code asks for it. */
const OF_NODE =
  /\b(Buffer|process|require|setImmediate|__dirname) is not defined|Can't find variable: (Buffer|process|require|setImmediate|__dirname)\b/;

/** A codec that asks for what only Node has cannot be had in a page: that is no fault of its own. */
function withoutNode(result: JobResult): JobResult {
  const mended = <T extends { readonly refused?: MemberResult["refused"] }>(one: T): T => {
    const [, first, second] = OF_NODE.exec(one.refused?.reason ?? "") ?? [];
    const name = first ?? second;
    if (name === undefined) return one;
    const reason = `it needs ${name} of Node, which a page does not have`;
    return { ...one, refused: { status: "unsupported", reason } };
  };
  const members = result.members.map((member): MemberResult => {
    const operations = member.operations.map((one) => ("refused" in one ? mended(one) : one));
    return { ...mended(member), operations };
  });
  return { ...result, members };
}

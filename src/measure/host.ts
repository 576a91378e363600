import type { CodecVariant, Encoded, LibraryCopy } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import type { Unavailable } from "../model/errors.ts";
import type { DecodingThread, OperationDefinition, Task } from "../model/operation.ts";
import type { CompressionRecord, Memory, ProcessRecord } from "../model/records/run.ts";
import type { RuntimeIdentity } from "../model/runtime.ts";
import type { Int64Mode } from "../model/schema.ts";
import type { Clock } from "./clock.ts";
import type { Collector } from "./collector.ts";
import type { Counter, CounterEvents } from "./counting.ts";

/** Where a codec is loaded from: by its name, among the built-in ones and these plugins. */
export interface CodecSource {
  readonly codec: string;
  /** Files of the user's codecs, datasets and operations. */
  readonly plugins: readonly string[];
  /** Another copy of a library, which is then loaded in place of the installed one. */
  readonly library?: LibraryCopy;
}

/** A codec whose module and library were loaded. */
export interface LoadedCodec extends CodecVariant {
  /** With its variant: `msgpackr:records`. */
  readonly name: string;
  /** Its wire format. */
  readonly format: string;
  /** How its library was built, where its version does not tell. */
  readonly build?: string;
  /** Milliseconds of loading it, its library and the plugins. */
  readonly importMs: number;
  /** Throws PluginError where it did not load the copy of its library that its source asks for. */
  expectLibrary(): void;
}

/** Everything that a measuring process takes from the runtime in which it runs. */
export interface Host {
  readonly runtime: RuntimeIdentity;
  readonly clock: Clock;
  /** Of a page: whether it is isolated from all others, which makes its clock finer. */
  readonly isolated?: boolean;
  /** Throws UsageError, PluginError and what the module throws. */
  codec(source: CodecSource): Promise<LoadedCodec>;
  /** A dataset by its name, among the built-in ones and a codec's plugins. Throws UsageError. */
  dataset(name: string, source: CodecSource, int64: Int64Mode | undefined): Promise<Dataset>;
  /** An operation, likewise. Throws UsageError. */
  operation(name: string, source: CodecSource): Promise<OperationDefinition>;
  /** Starts a thread with a codec and data of its own, which this one can wait for; absent where there is none. */
  readonly thread?: ((source: CodecSource, dataset: Dataset) => DecodingThread) | undefined;
  /** Collects garbage; absent where a program cannot. */
  readonly collect?: Collector | undefined;
  /** Watches the process while it measures; absent where the system does not say what happens to it. */
  readonly meter?: Meter | undefined;
  /** What counts these events in the processor; absent where nothing can. */
  readonly counter?: ((events: CounterEvents) => Counter) | undefined;
  /** Is asked when nothing is timed: what it loads would be beside that. */
  surveys(): Promise<Surveys>;
  /** Lets errors come up that nobody waits for, such as a rejection in `bind`: they end the process. */
  settled?(): Promise<void>;
  /** Is shown what a codec threw, of which only the message is kept. */
  onRefusal?(error: unknown): void;
}

/** What happened to a process while it measured: the fields of {@link ProcessRecord} that only it can tell. */
export type Conditions = Pick<
  ProcessRecord,
  | "wallSeconds"
  | "cpuSeconds"
  | "involuntarySwitches"
  | "pressure"
  | "steal"
  | "throttled"
  | "disturbedBy"
  | "peakBytes"
>;

/** Watches a process during its measured phases only. */
export interface Meter {
  /** A measured phase begins. */
  start(): void;
  /** It has ended. */
  stop(): void;
  conditions(): Conditions;
}

/** What is found out besides times, by means that not every runtime has. An absent one has no figures. */
export interface Surveys {
  /** What compressing a message takes. */
  readonly compression?: (
    encoded: Encoded,
    options: { readonly budgetMs: number },
  ) => Omit<CompressionRecord, "dataset" | "codec">[];
  /** What calls of a task allocate and keep, in about three times the budget; or why that cannot be known here. */
  readonly memory?: (task: Task, options: { readonly budgetMs: number }) => Memory | Unavailable;
}

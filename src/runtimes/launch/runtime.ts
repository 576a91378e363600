import type { DescribedMessage, Job } from "../../measure/job.ts";
import type { RuntimeIdentity } from "../../model/runtime.ts";

/** How a process ended: by itself, or by a signal; or that it could not begin. */
export type Ending =
  | {
      readonly code: number | null;
      readonly killedBy: NodeJS.Signals | null;
      readonly stderr: string;
      /** What it said last on stderr, of a program whose errors have no form. */
      readonly lastLine?: string;
    }
  | { readonly cannotStart: string };

/** A measuring process that was started. */
export interface Launched {
  /** What it says, in order, until it has ended. */
  readonly messages: AsyncIterable<DescribedMessage>;
  readonly ended: Promise<Ending>;
  /** Ends it at once. */
  kill(): void;
  /** Lets it survey its memory, once it has said what it timed. Absent where it does not wait for that. */
  goOn?(): void;
  /**
   * Starts processes by the same command, which wait for the next jobs, while this one times nothing any more. Settles when they
   * have loaded what they need: nothing is to be timed before. Absent where there is no starting ahead.
   * @param most how many jobs follow
   */
  startNext?(most: number): Promise<void>;
}

/** A runtime in which a codec can be measured, found by its file's name. */
export interface RuntimeDefinition {
  /** One line: what it is. */
  readonly summary: string;
  /** Its program's name in the PATH. */
  readonly command: string;
  /** Other names that its program may have there. */
  readonly otherCommands?: readonly string[];
  /** What installs it, where that is not npm. */
  readonly install?: string;
  /** Set where its codecs can be led to another copy of their library. */
  readonly leadsImports?: true;
  /** Where npm puts its program, in a folder `node_modules`; `*` is any part of a name. */
  readonly packaged: readonly string[];
  /** Variables that its measuring processes are given, and their flags, for the record. */
  readonly execArgv: readonly string[];
  /**
   * Flags besides, by which the engine makes the same code in every process, in whichever way it is then as fast as
   * without: for two sides that are compared with each other. Absent where none are known.
   */
  readonly steadyArgv?: readonly string[];
  /** Flags by which no code is made of strings, where {@link Job.noEval} alone does not see to it. Absent where nothing does. */
  readonly noEvalArgv?: readonly string[];
  /** What a program of it says that it is. Throws UsageError with the reason where it does not say. */
  version(program: string): Promise<RuntimeIdentity>;
  /**
   * Starts a process that does a job, and limits its processor time. Throws where the job cannot be written down.
   * @param program path of the runtime's program
   * @param flags besides those that it always has
   */
  launch(program: string, job: Job, cpuSeconds: number, flags?: readonly string[]): Launched;
}

/** Gives a runtime's file its types. */
export function defineRuntime(definition: RuntimeDefinition): RuntimeDefinition {
  return definition;
}

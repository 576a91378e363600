import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Job } from "../../measure/job.ts";
import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import { OWN_EXTENSION, OWN_MODULES } from "../../model/package-files.ts";
import { ownRuntime, type RuntimeIdentity } from "../../model/runtime.ts";
import type { Launched, RuntimeDefinition } from "./runtime.ts";

/** A runtime whose program was found. */
export interface FoundRuntime {
  /** What it is called beside the others: its name, and as much of its version as tells it from them. */
  readonly label: string;
  readonly identity: RuntimeIdentity;
  /** Whether it is the very program that wirebench is run with. */
  readonly isCurrent: boolean;
  /** What a browser calls itself that somebody has opened, with the machine that it is on. */
  readonly userAgent?: string;
  /** See {@link RuntimeDefinition.leadsImports}. */
  readonly leadsImports: boolean;
  /** Flags of its measuring processes. */
  readonly execArgv: readonly string[];
  /** See {@link RuntimeDefinition.steadyArgv}; none where it is empty. */
  readonly steadyArgv: readonly string[];
  /** See {@link RuntimeDefinition.noEvalArgv}. */
  readonly noEvalArgv?: readonly string[];
  /** Starts a process that does a job. */
  launch(job: Job, cpuSeconds: number, flags?: readonly string[]): Launched;
}

/** A runtime that has no name beside others yet. */
export type UnnamedRuntime = Omit<FoundRuntime, "label">;

/** A runtime whose processes have its steady flags too. */
export function steadied(runtime: FoundRuntime): FoundRuntime {
  const { execArgv, steadyArgv } = runtime;
  return {
    ...runtime,
    execArgv: [...execArgv, ...steadyArgv],
    launch: (job, cpuSeconds) => runtime.launch(job, cpuSeconds, steadyArgv),
  };
}

/** A runtime whose processes make no code of strings. Throws UsageError where nothing keeps them from it. */
export function withoutEval(runtime: FoundRuntime): FoundRuntime {
  const { label, execArgv, noEvalArgv, launch } = runtime;
  if (noEvalArgv === undefined)
    throw new UsageError(`no eval: nothing keeps ${label} from making code of strings`);
  return {
    ...runtime,
    execArgv: [...execArgv, ...noEvalArgv],
    launch: (job, cpuSeconds, flags = []) =>
      launch({ ...job, noEval: true }, cpuSeconds, [...noEvalArgv, ...flags]),
  };
}

/** The runtimes there are, by their files' names. */
export function runtimeNames(): string[] {
  return [...runtimeFiles().keys()].sort();
}

/** The runtime of a name. Throws UsageError with the near names. */
export async function runtimeDefinition(name: string): Promise<RuntimeDefinition> {
  const files = runtimeFiles();
  const file = files.get(name);
  if (file === undefined)
    throw new UsageError(`unknown runtime "${name}"${nearNames(name, [...files.keys()])}`);
  return ((await import(pathToFileURL(file).href)) as { default: RuntimeDefinition }).default;
}

/** The runtime that wirebench is run with. */
export async function currentRuntime(): Promise<UnnamedRuntime> {
  const identity = ownRuntime();
  const {
    launch,
    execArgv,
    steadyArgv = [],
    leadsImports = false,
    noEvalArgv,
  } = await runtimeDefinition(identity.name);
  const program = process.execPath;
  return {
    identity,
    isCurrent: true,
    leadsImports,
    execArgv,
    steadyArgv,
    ...defined({ noEvalArgv }),
    launch: (job, cpuSeconds, flags) => launch(program, job, cpuSeconds, flags),
  };
}

/**
 * The runtimes that are asked for, each once and with a name of its own. Throws UsageError for one that is not known or
 * cannot be found, and for two of one version.
 * @param specs names with or without the path of a program: `bun`, `deno:/opt/deno`, `node@../node22/bin/node`; undefined for the
 *   one that wirebench is run with
 * @param opened are there besides
 */
export async function findRuntimes(
  specs: readonly string[] | undefined,
  opened: readonly UnnamedRuntime[] = [],
): Promise<FoundRuntime[]> {
  if (specs === undefined) return labelled([await currentRuntime(), ...opened]);
  const found = new Map<string, UnnamedRuntime>();
  for (const spec of specs) {
    const [, name = "", program] = /^([^:@]*)(?:[:@](.*))?$/s.exec(spec) ?? [];
    const definition = await runtimeDefinition(name);
    const first = program === undefined ? programOf(name, definition) : given(spec, program);
    const file = behindScript(first, definition);
    const key = realpathSync(file);
    if (found.has(key)) continue;
    const identity = await identityOf(file, spec, name);
    if (identity.name !== name) {
      throw new UsageError(`runtime ${spec}: expected ${name}, got ${identity.name} ${identity.version}`);
    }
    const { execArgv, steadyArgv = [], leadsImports = false, noEvalArgv, launch } = definition;
    found.set(key, {
      identity,
      isCurrent: key === realpathSync(process.execPath),
      leadsImports,
      execArgv,
      steadyArgv,
      ...defined({ noEvalArgv }),
      launch: (job, cpuSeconds, flags) => launch(file, job, cpuSeconds, flags),
    });
  }
  return labelled([...found.values(), ...opened]);
}

/** What a program says that it is, to the runtime that it is said to be or to any other. Throws UsageError for none. */
async function identityOf(file: string, spec: string, name: string): Promise<RuntimeIdentity> {
  const ask = async (one: string): Promise<RuntimeIdentity> => (await runtimeDefinition(one)).version(file);
  try {
    return await ask(name);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const others = runtimeNames().filter((other) => other !== name);
    const answers = await Promise.allSettled(others.map(ask));
    const answer = answers.find(({ status }) => status === "fulfilled");
    if (answer?.status === "fulfilled") return answer.value;
    throw new UsageError(`runtime ${spec}: expected it to run a measuring process: ${error.message}`, {
      cause: error,
    });
  }
}

/**
 * `bun`; `node 20` and `node 22` where there are two of a name; `node 22.1.0` and `node 22.2.0` where that is not enough. A browser
 * that was opened may be of the very version that is there: `firefox 140.0, opened`.
 */
function labelled(runtimes: readonly UnnamedRuntime[]): FoundRuntime[] {
  const names: readonly ((runtime: UnnamedRuntime) => string)[] = [
    ({ identity: { name } }) => name,
    ({ identity: { name, version } }) => `${name} ${version.split(".")[0]}`,
    ({ identity: { name, version } }) => `${name} ${version}`,
    ({ identity: { name, version }, userAgent }) =>
      `${name} ${version}${userAgent === undefined ? "" : ", opened"}`,
  ];
  return runtimes.map((runtime) => {
    const own = names.find((nameOf) => {
      const name = nameOf(runtime);
      return runtimes.filter((other) => nameOf(other) === name).length === 1;
    });
    const { name, version } = runtime.identity;
    if (own === undefined) throw new UsageError(`runtime ${name} ${version}: expected it once, got it twice`);
    return { label: own(runtime), ...runtime };
  });
}

/** A runtime is a file of this folder; what they share is in folders beside them. */
function runtimeFiles(): ReadonlyMap<string, string> {
  const folder = fileURLToPath(new URL("runtimes/", OWN_MODULES));
  const files = readdirSync(folder).filter(
    (name) => path.extname(name) === OWN_EXTENSION && !name.endsWith(".d.ts"),
  );
  return new Map(files.map((name) => [path.basename(name, OWN_EXTENSION), path.join(folder, name)]));
}

function given(spec: string, program: string): string {
  if (isProgram(program)) return path.resolve(program);
  const mark = spec.charAt(spec.length - program.length - 1);
  if (program === "") throw new UsageError(`runtime "${spec}": expected a program's path after "${mark}"`);
  const what = existsSync(program) ? "expected a program, got what cannot be executed" : "no such file";
  throw new UsageError(`runtime ${spec}: ${what}`);
}

/**
 * The program itself where npm's package of a runtime was found by its script, which starts the program without the
 * descriptor that messages go by: `node_modules/deno/bin.cjs`, with the program beside it in `node_modules/@deno`.
 */
function behindScript(file: string, { command, packaged }: RuntimeDefinition): string {
  const real = realpathSync(file);
  const [, modules] = /^(.*\/node_modules)\/([^/]+)\//.exec(real.replaceAll(path.sep, "/")) ?? [];
  if (modules === undefined || !real.startsWith(path.join(modules, command, path.sep))) return file;
  if (!isScript(real)) return file;
  const programs = packaged.flatMap((pattern) => matching(modules, pattern.split("/")));
  return programs.find((program) => isProgram(program) && !isScript(program)) ?? file;
}

/** Whether a shell or an interpreter has to run it. */
function isScript(file: string): boolean {
  const descriptor = openSync(file, "r");
  const start = Buffer.alloc(2);
  readSync(descriptor, start);
  closeSync(descriptor);
  return start.toString("latin1") === "#!";
}

/** The program of a runtime that is only named: this one's own, one in the PATH, or one that npm has installed. */
function programOf(name: string, definition: RuntimeDefinition): string {
  const { command, otherCommands = [], packaged, install } = definition;
  if (name === ownRuntime().name) return process.execPath;
  const inPath = (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .flatMap((folder) => [command, ...otherCommands].map((one) => path.join(folder, one)));
  const found = [...inPath, ...installed(packaged)].find(isProgram);
  if (found !== undefined) return found;
  throw new UsageError(
    install === undefined
      ? `runtime ${name}: expected ${command} in the PATH or in node_modules, got neither: npm i --no-save --ignore-scripts ${name}`
      : `runtime ${name}: expected ${command} in the PATH, got none: ${install}, or ${name}:/path/to/it`,
  );
}

/** Programs in `node_modules`, from the working directory upwards. */
function installed(patterns: readonly string[]): string[] {
  const found: string[] = [];
  for (let folder = process.cwd(); ; folder = path.dirname(folder)) {
    for (const pattern of patterns)
      found.push(...matching(path.join(folder, "node_modules"), pattern.split("/")));
    if (path.dirname(folder) === folder) return found;
  }
}

/** The files in a folder whose path is a pattern's, in which `*` is any part of a name. */
function matching(folder: string, [first, ...rest]: readonly string[]): string[] {
  if (first === undefined) return [folder];
  if (!first.includes("*")) return matching(path.join(folder, first), rest);
  const [before = "", after = ""] = first.split("*");
  let names: string[];
  try {
    names = readdirSync(folder).sort();
  } catch {
    return [];
  }
  return names
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .flatMap((name) => matching(path.join(folder, name), rest));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

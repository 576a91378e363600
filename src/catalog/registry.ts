import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { CodecDefinition, CodecVariant } from "../model/codec.ts";
import type { DatasetDefinition } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { PluginError, UsageError } from "../model/errors.ts";
import { nearNames } from "../model/near-names.ts";
import type { OperationDefinition } from "../model/operation.ts";
import { RECORD_KINDS, type RecordKind, type ReportDefinition } from "../model/report.ts";
import { show } from "../model/value.ts";

/** The kinds of plugin. Each has a folder, and a file in it is one plugin of its name. */
export type PluginKind = "codecs" | "datasets" | "operations" | "reports";

interface Definitions {
  codecs: CodecDefinition;
  datasets: DatasetDefinition;
  operations: OperationDefinition;
  reports: ReportDefinition;
}

/** A codec or a variant of one, with the name it has everywhere: `msgpackr`, `msgpackr:records`. */
export interface NamedCodec extends CodecVariant {
  readonly name: string;
  readonly format: string;
  readonly library?: string;
  readonly build?: string;
  /** Where the library is resolved from. */
  readonly file: string;
}

/**
 * Finds plugins by name. It lists folders and the user's plugin files, and loads a module only when its name
 * is asked for, so that one that is broken harms no other.
 */
export class Registry {
  readonly #files: Record<PluginKind, Map<string, string>>;
  readonly #own: ReadonlySet<string>;

  private constructor(files: Record<PluginKind, Map<string, string>>, own: ReadonlySet<string>) {
    this.#files = files;
    this.#own = own;
  }

  /**
   * Throws UsageError and PluginError.
   * @param plugins files of the user's own plugins of any kind, each with a name of its own
   */
  static async open(plugins: readonly string[] = []): Promise<Registry> {
    const files = {
      codecs: list("codecs"),
      datasets: list("datasets"),
      operations: list("operations"),
      reports: listReports(),
    };
    const own = new Set<string>();
    for (const plugin of plugins) {
      const file = path.resolve(plugin);
      if (own.has(file)) continue;
      own.add(file);
      const definition = await load(file, plugin);
      const kind = kindOf(definition, plugin);
      const base = path.basename(file, path.extname(file));
      const name = kind === "reports" ? `${recordKindOf(definition, plugin)}/${base}` : base;
      if (files[kind].has(name) || (kind === "reports" && files.reports.has(`any/${base}`))) {
        throw new UsageError(`${plugin}: there are ${kind} called "${base}" already: rename the file`);
      }
      files[kind].set(name, file);
    }
    return new Registry(files, own);
  }

  /** Whether a plugin of that name is the user's own. */
  isOwn(kind: PluginKind, name: string): boolean {
    return this.#own.has(this.#files[kind].get(name) ?? "");
  }

  /** Names of one kind, without variants, in alphabetical order; of reports as `run/markdown`. */
  names(kind: PluginKind): string[] {
    return [...this.#files[kind].keys()].sort();
  }

  /**
   * The definition of that name; of an operation also with an argument behind it, as in `reads:4:2`. Throws
   * UsageError with the near names.
   */
  async definition<K extends PluginKind>(kind: K, name: string): Promise<Definitions[K]> {
    const [base, argument] = kind === "operations" ? splitName(name) : [name];
    const file = this.#files[kind].get(base);
    if (file === undefined) {
      throw new UsageError(`unknown ${kind.slice(0, -1)} "${name}"${nearNames(name, this.names(kind))}`);
    }
    const definition = (await load(file, base)) as Definitions[K];
    if (argument === undefined) return definition;
    const found = (definition as OperationDefinition).argument?.with(argument);
    if (found === undefined) throw new UsageError(`operation "${base}" takes no argument, got "${name}"`);
    return found as Definitions[K];
  }

  /**
   * The report of a name that records of a kind have, or records of any kind. Throws UsageError with the names that there
   * are.
   */
  async report<K extends RecordKind>(of: K, name: string): Promise<ReportDefinition<K>> {
    const kinds = [of, "any"];
    const found = kinds.map((kind) => `${kind}/${name}`).find((key) => this.#files.reports.has(key));
    if (found !== undefined) return (await this.definition("reports", found)) as ReportDefinition<K>;
    const known = this.names("reports")
      .map((key) => key.split("/") as [string, string])
      .flatMap(([kind, known]) => (kinds.includes(kind) ? [known] : []))
      .sort();
    throw new UsageError(`no report "${name}" of ${RECORD_KINDS[of]}${nearNames(name, known)}`);
  }

  /** The codec of a name with or without a variant. */
  async codec(name: string): Promise<NamedCodec> {
    const [base = "", variant] = splitName(name);
    const definition = await this.definition("codecs", base);
    const named = expand(base, definition, this.#files.codecs.get(base) ?? "");
    const found = named.find((codec) => codec.name === name);
    if (found !== undefined) return found;
    const variants = Object.keys(definition.variants ?? {});
    if (variants.length === 0) throw new UsageError(`codec "${base}" has no variants, got "${name}"`);
    throw new UsageError(`codec "${base}" has no variant "${variant}"${nearNames(variant ?? "", variants)}`);
  }

  /** A codec and its variants, the plain one first. */
  async variants(base: string): Promise<NamedCodec[]> {
    return expand(base, await this.definition("codecs", base), this.#files.codecs.get(base) ?? "");
  }

  /**
   * Names of codecs that the patterns select, in the order of the patterns. A pattern is a name with or
   * without a variant, or has `*` for any characters. Throws UsageError when one selects nothing.
   */
  async selectCodecs(patterns: readonly string[]): Promise<string[]> {
    const selected = new Set<string>();
    for (const pattern of patterns) {
      const hits = pattern.includes("*") ? await this.#matching(pattern) : [await this.#known(pattern)];
      if (hits.length === 0) {
        throw new UsageError(
          `no codec matches "${pattern}", expected one of ${this.names("codecs").join(", ")}`,
        );
      }
      for (const hit of hits) selected.add(hit);
    }
    return [...selected];
  }

  /** A name as it is, once it is known. A codec that cannot be loaded is known: it fails when it is used. */
  async #known(name: string): Promise<string> {
    if (this.#files.codecs.has(name)) return name;
    return (await this.codec(name)).name;
  }

  async #matching(pattern: string): Promise<string[]> {
    const names = await Promise.all(
      this.names("codecs").map(async (base) => {
        try {
          return (await this.variants(base)).map((codec) => codec.name);
        } catch (error) {
          if (error instanceof PluginError) return [base];
          throw error;
        }
      }),
    );
    return names.flat().filter((name) => globMatches(pattern, name));
  }
}

/** Whether a name matches a pattern in which `*` stands for any characters. */
export function globMatches(pattern: string, name: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(name);
}

/** `name:rest` split at the first colon. */
export function splitName(name: string): [string, string?] {
  const colon = name.indexOf(":");
  return colon < 0 ? [name] : [name.slice(0, colon), name.slice(colon + 1)];
}

function expand(base: string, definition: CodecDefinition, file: string): NamedCodec[] {
  const { format, library, build, variants = {} } = definition;
  const shared = defined({ format, file, library, build });
  const plain = {
    name: base,
    summary: definition.summary,
    bind: definition.bind.bind(definition),
    ...defined({ schemaless: definition.schemaless }),
    ...shared,
  };
  const others = Object.entries(variants).map(([name, variant]) => ({
    name: `${base}:${name}`,
    summary: variant.summary,
    bind: variant.bind.bind(variant),
    ...defined({ schemaless: variant.schemaless }),
    ...shared,
  }));
  return [plain, ...others];
}

/** What a report of the user's own is of. */
function recordKindOf(definition: unknown, plugin: string): string {
  const { of = "run" } = definition as ReportDefinition;
  const known = ["any", ...Object.keys(RECORD_KINDS)];
  if (known.includes(of)) return of;
  throw new UsageError(`${plugin}: of: expected one of ${known.join(", ")}, got ${show(of)}`);
}

/** Reports by the kind of record that they are of, as `run/markdown`: each kind has a folder. */
function listReports(): Map<string, string> {
  const kinds = ["any", ...Object.keys(RECORD_KINDS)];
  return new Map(
    kinds.flatMap((kind) => [...list(`reports/${kind}`)].map(([name, file]) => [`${kind}/${name}`, file])),
  );
}

/** A plugin is a file, or a folder with an index file: what else a folder holds is no plugin. */
function list(what: string): Map<string, string> {
  const folder = fileURLToPath(new URL(`../${what}/`, import.meta.url));
  const own = path.extname(fileURLToPath(import.meta.url));
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const index = path.join(folder, entry.name, `index${own}`);
    if (entry.isDirectory() && existsSync(index)) found.set(entry.name, index);
    else if (path.extname(entry.name) === own) {
      found.set(path.basename(entry.name, own), path.join(folder, entry.name));
    }
  }
  return found;
}

async function load(file: string, name: string): Promise<unknown> {
  let module: { default?: unknown };
  try {
    module = (await import(pathToFileURL(file).href)) as { default?: unknown };
  } catch (error) {
    const problem = error instanceof Error ? error.message : `it throws ${String(error)}`;
    throw new PluginError(`${name}: cannot be loaded: ${problem}`, { cause: error });
  }
  if (typeof module.default !== "object" || module.default === null) {
    throw new PluginError(
      `${name}: expected a default export made with defineCodec or defineDataset, got ${typeof module.default}`,
    );
  }
  return module.default;
}

function kindOf(definition: unknown, plugin: string): PluginKind {
  const fields = definition as Partial<
    CodecDefinition & DatasetDefinition & OperationDefinition & ReportDefinition
  >;
  if (typeof fields.bind === "function" && typeof fields.format === "string") return "codecs";
  if (typeof fields.make === "function" && typeof fields.schema === "object") return "datasets";
  if (typeof fields.prepare === "function") return "operations";
  if (typeof fields.render === "function") return "reports";
  throw new UsageError(`${plugin}: its default export is no codec, dataset, operation or report`);
}

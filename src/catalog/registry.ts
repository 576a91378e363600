import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { CodecDefinition } from "../model/codec.ts";
import type { DatasetDefinition } from "../model/dataset.ts";
import { PluginError, UsageError } from "../model/errors.ts";
import { nearNames } from "../model/near-names.ts";
import type { OperationDefinition } from "../model/operation.ts";
import { OWN_EXTENSION, OWN_MODULES } from "../model/package-files.ts";
import { RECORD_KINDS, type RecordKind, type ReportDefinition } from "../model/report.ts";
import { formatGroup, GROUPS } from "../model/traits.ts";
import { show } from "../model/value.ts";
import { codecOf, expand, type NamedCodec, splitName } from "./named-codec.ts";
import { importPlugin } from "./plugin-module.ts";

export { type NamedCodec, notInstalled, splitName } from "./named-codec.ts";

/** The kinds of plugin. Each has a folder, and a file in it is one plugin of its name. */
export type PluginKind = "codecs" | "datasets" | "operations" | "reports";

interface Definitions {
  codecs: CodecDefinition;
  datasets: DatasetDefinition;
  operations: OperationDefinition;
  reports: ReportDefinition;
}

/**
 * Finds plugins by name. It lists a folder when a plugin of its kind is asked for, and loads a module only when its name
 * is, so that one that is broken harms no other.
 */
export class Registry {
  /** Of the kinds that were asked for. */
  readonly #listed = new Map<PluginKind, Map<string, string>>();
  readonly #own = new Set<string>();

  private constructor() {}

  /**
   * Throws UsageError and PluginError.
   * @param plugins files of the user's own plugins of any kind, each with a name of its own
   */
  static async open(plugins: readonly string[] = []): Promise<Registry> {
    const registry = new Registry();
    for (const plugin of plugins) await registry.#add(plugin);
    return registry;
  }

  async #add(plugin: string): Promise<void> {
    const file = path.resolve(plugin);
    if (this.#own.has(file)) return;
    this.#own.add(file);
    const definition = await load(file, plugin, (file, name) => importPlugin(file, name));
    const kind = kindOf(definition, plugin);
    const files = this.#files(kind);
    const base = path.basename(file, path.extname(file));
    const name = kind === "reports" ? `${recordKindOf(definition, plugin)}/${base}` : base;
    if (files.has(name) || (kind === "reports" && files.has(`any/${base}`))) {
      throw new UsageError(`${plugin}: there are ${kind} called "${base}" already: rename the file`);
    }
    files.set(name, file);
  }

  /** The files of a kind by their names. */
  #files(kind: PluginKind): Map<string, string> {
    const files = this.#listed.get(kind) ?? (kind === "reports" ? listReports() : list(kind));
    this.#listed.set(kind, files);
    return files;
  }

  /** Whether a plugin of that name is the user's own. */
  isOwn(kind: PluginKind, name: string): boolean {
    return this.#own.has(this.#files(kind).get(name) ?? "");
  }

  /** The file of a plugin; undefined for an unknown name. */
  file(kind: PluginKind, name: string): string | undefined {
    return this.#files(kind).get(name);
  }

  /** Names of one kind, without variants, in alphabetical order; of reports as `run/markdown`. */
  names(kind: PluginKind): string[] {
    return [...this.#files(kind).keys()].sort();
  }

  /**
   * The definition of that name; of an operation also with an argument behind it, as in `reads:4:2`. Throws
   * UsageError with the near names.
   */
  async definition<K extends PluginKind>(kind: K, name: string): Promise<Definitions[K]> {
    const [base, argument] = kind === "operations" ? splitName(name) : [name];
    const file = this.#files(kind).get(base);
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
    const found = kinds.map((kind) => `${kind}/${name}`).find((key) => this.#files("reports").has(key));
    if (found !== undefined) return (await this.definition("reports", found)) as ReportDefinition<K>;
    const known = this.names("reports")
      .map((key) => key.split("/") as [string, string])
      .flatMap(([kind, known]) => (kinds.includes(kind) ? [known] : []))
      .sort();
    throw new UsageError(`no report "${name}" of ${RECORD_KINDS[of]}${nearNames(name, known)}`);
  }

  /** The codec of a name with or without a variant. */
  async codec(name: string): Promise<NamedCodec> {
    const [base = ""] = splitName(name);
    return codecOf(name, await this.definition("codecs", base), this.file("codecs", base) ?? "");
  }

  /** A codec and its variants, the plain one first. */
  async variants(base: string): Promise<NamedCodec[]> {
    return expand(base, await this.definition("codecs", base), this.file("codecs", base) ?? "");
  }

  /**
   * Names of codecs that the patterns select, in the order of the patterns. A pattern is a name with or
   * without a variant, has `*` for any characters, or is `@` and the name of a group, which has no variants. Throws
   * UsageError when one selects nothing.
   */
  async selectCodecs(patterns: readonly string[]): Promise<string[]> {
    const selected = new Set<string>();
    for (const pattern of patterns) {
      const hits = await this.#selectedBy(pattern);
      if (hits.length === 0) {
        throw new UsageError(
          `no codec matches "${pattern}", expected one of ${this.names("codecs").join(", ")}`,
        );
      }
      for (const hit of hits) selected.add(hit);
    }
    return [...selected];
  }

  async #selectedBy(pattern: string): Promise<string[]> {
    if (pattern.startsWith("@")) return this.#ofGroup(pattern.slice(1));
    return pattern.includes("*") ? this.#matching(pattern) : [await this.#known(pattern)];
  }

  /** The codecs of a group; one that cannot be loaded is of every group, and fails when it is used. */
  async #ofGroup(name: string): Promise<string[]> {
    const group = GROUPS.get(name) ?? formatGroup(name);
    const isIn = async (base: string): Promise<boolean> => {
      try {
        return group.has(await this.codec(base));
      } catch (error) {
        if (error instanceof PluginError) return true;
        throw error;
      }
    };
    const names = this.names("codecs");
    const hits = await Promise.all(names.map(isIn));
    const members = names.filter((_, index) => hits[index]);
    if (GROUPS.has(name) || members.length > 0) return members;
    throw new UsageError(`no group of codecs is called "@${name}"${nearNames(name, [...GROUPS.keys()])}`);
  }

  /** A name as it is, once it is known. A codec that cannot be loaded is known: it fails when it is used. */
  async #known(name: string): Promise<string> {
    if (this.#files("codecs").has(name)) return name;
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
  const folder = fileURLToPath(new URL(what, OWN_MODULES));
  const own = OWN_EXTENSION;
  const found = new Map<string, string>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = folder + path.sep + entry.name;
    const index = `${file}${path.sep}index${own}`;
    if (entry.name.endsWith(own)) found.set(entry.name.slice(0, -own.length), file);
    else if (entry.isDirectory() && existsSync(index)) found.set(entry.name, index);
  }
  return found;
}

async function load(
  file: string,
  name: string,
  imported: (file: string, name: string) => Promise<unknown> = (file) => import(pathToFileURL(file).href),
): Promise<unknown> {
  let module: { default?: unknown };
  try {
    module = (await imported(file, name)) as { default?: unknown };
  } catch (error) {
    if (error instanceof PluginError) throw error;
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

import { libraryOf } from "../../catalog/library-version.ts";
import { type PluginKind, Registry } from "../../catalog/registry.ts";
import { PluginError, UsageError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import { left, tableOf, textTable } from "../../reports/table.ts";
import { runtimeDefinition, runtimeNames } from "../../runtimes/launch/find.ts";
import type { Io } from "../io.ts";

interface ListFlags {
  readonly plugin: readonly string[];
  readonly json?: boolean;
}

interface Entry {
  readonly name: string;
  /** Of a report: the kind of record. */
  readonly of?: string;
  readonly summary: string;
  readonly format?: string;
  readonly library?: string;
  readonly version?: string;
}

type Kind = PluginKind | "runtimes";

const KINDS: readonly Kind[] = ["codecs", "datasets", "operations", "reports", "runtimes"];

/** `wirebench list`: what there is to choose from. */
export async function list(kind: string | undefined, flags: ListFlags, io: Io): Promise<void> {
  const kinds = kind === undefined ? KINDS : KINDS.filter((known) => known === kind);
  if (kinds.length === 0) throw new UsageError(`cannot list "${kind}"${nearNames(kind ?? "", KINDS)}`);
  const registry = await Registry.open(flags.plugin);
  const lists = await Promise.all(
    kinds.map(
      async (known) =>
        [known, known === "runtimes" ? await runtimes() : await entries(registry, known)] as const,
    ),
  );
  io.print(
    flags.json === true
      ? `${JSON.stringify(Object.fromEntries(lists), null, 2)}\n`
      : lists.map(section).join("\n"),
  );
}

function section([kind, list]: readonly [Kind, readonly Entry[]]): string {
  const table = tableOf(list, [
    left(kind, ({ name }) => `  ${name}`),
    left("", ({ of, summary, library, version }) => {
      const what = of === undefined ? summary : `${of}: ${summary}`;
      return library === undefined ? what : `${what} (${library} ${version})`;
    }),
  ]);
  return `${textTable(table)}\n`;
}

async function runtimes(): Promise<Entry[]> {
  return Promise.all(
    runtimeNames().map(async (name) => ({ name, summary: (await runtimeDefinition(name)).summary })),
  );
}

async function entries(registry: Registry, kind: PluginKind): Promise<Entry[]> {
  const lists = await Promise.all(registry.names(kind).map((name) => entriesOf(registry, kind, name)));
  const all = lists.flat();
  // The names of reports are those of the kinds of record, and what is asked for is behind them.
  return kind === "reports" ? all.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)) : all;
}

async function entriesOf(registry: Registry, kind: PluginKind, name: string): Promise<Entry[]> {
  try {
    if (kind === "codecs") {
      const variants = await registry.variants(name);
      return variants.map((codec) => ({
        name: codec.name,
        summary: codec.summary,
        format: codec.format,
        ...libraryOf(codec),
      }));
    }
    if (kind === "datasets") {
      const { story, size } = await registry.definition("datasets", name);
      const sizes = size === undefined ? "" : ` ${name}:N has N ${size.unit}, up to ${size.max}.`;
      return [{ name, summary: story + sizes }];
    }
    const { summary } = await registry.definition(kind, name);
    if (kind !== "reports") return [{ name, summary }];
    const [of = "", format = ""] = name.split("/");
    return [{ name: format, of, summary }];
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    return [{ name, summary: `cannot be used: ${error.message}` }];
  }
}

import { chosenLibrary, type LibraryIdentity, type LibraryUser } from "../../catalog/library-version.ts";
import { type PluginKind, Registry } from "../../catalog/registry.ts";
import { defined } from "../../model/defined.ts";
import { NotInstalledError, PluginError, UsageError } from "../../model/errors.ts";
import { nearNames } from "../../model/near-names.ts";
import { type CodecGroup, GROUPS, type Trait, type World } from "../../model/traits.ts";
import { left, type Table, tableOf, textTable } from "../../reports/table.ts";
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
  /** Of a codec. */
  readonly traits?: readonly Trait[];
  readonly world?: World;
  /** Of a library that does not come with wirebench: the version that the codec was tried with. */
  readonly tried?: string;
}

type Kind = PluginKind | "runtimes";

const KINDS: readonly Kind[] = ["codecs", "datasets", "operations", "reports", "runtimes"];

/** `wirebench list`: what there is to choose from. */
export async function list(kind: string | undefined, flags: ListFlags, io: Io): Promise<void> {
  const columns = io.width?.();
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
      : lists
          .flatMap(([known, all]) =>
            known === "codecs" ? [...byFormat(all).map(section), groups(all)] : [section([known, all])],
          )
          .map((table) => `${textTable(table, columns)}\n`)
          .join("\n"),
  );
}

function section([kind, list]: readonly [string, readonly Entry[]]): Table {
  return tableOf(list, [
    left(kind, ({ name }) => `  ${name}`),
    left("", ({ of, summary, library, version }) => {
      const what = of === undefined ? summary : `${of}: ${summary}`;
      return library === undefined ? what : `${what} (${library} ${version})`;
    }),
  ]);
}

/** The codecs by format, each with the group that selects all of it. */
function byFormat(codecs: readonly Entry[]): [string, Entry[]][] {
  const formats = new Map<string, Entry[]>();
  for (const codec of codecs) {
    const { format = "unknown" } = codec;
    formats.set(format, [...(formats.get(format) ?? []), codec]);
  }
  return [...formats].sort(([a], [b]) => (a < b ? -1 : 1)).map(([format, all]) => [`@${format}`, all]);
}

/** The groups of codecs, by which several are chosen at once; none has variants. */
function groups(codecs: readonly Entry[]): Table {
  const membersOf = ({ has }: CodecGroup): string[] =>
    codecs.flatMap(({ name, traits, world, format, tried }) =>
      traits !== undefined &&
      format !== undefined &&
      !name.includes(":") &&
      has({ traits, format, ...defined({ world, tried }) })
        ? [name]
        : [],
    );
  return tableOf(
    [...GROUPS],
    [
      left("groups of codecs", ([name]) => `  @${name}`),
      left("", ([, group]) => `${group.summary}: ${membersOf(group).join(", ")}`),
    ],
  );
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

/** The copy of a library that a run would measure. */
function installed(codec: LibraryUser): LibraryIdentity {
  try {
    const { library, version } = chosenLibrary(codec);
    return { library, version };
  } catch (error) {
    if (!(error instanceof NotInstalledError)) throw error;
    return { library: codec.library ?? "", version: "not installed" };
  }
}

async function entriesOf(registry: Registry, kind: PluginKind, name: string): Promise<Entry[]> {
  try {
    if (kind === "codecs") {
      const variants = await registry.variants(name);
      return variants.map((codec) => ({
        name: codec.name,
        summary: codec.summary,
        format: codec.format,
        traits: codec.traits,
        ...defined({ world: codec.world, tried: codec.tried }),
        ...installed(codec),
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

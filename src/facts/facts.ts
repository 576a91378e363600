/** The tables of facts about codecs on a user's data, computed by the real codecs in processes of their own. */
import { availableParallelism } from "node:os";
import { namedDataset } from "../catalog/dataset.ts";
import { chosenCopy, chosenLibrary, type LibraryIdentity, OWN_VERSION } from "../catalog/library-version.ts";
import { type NamedCodec, Registry, splitName } from "../catalog/registry.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { NotInstalledError, UsageError } from "../model/errors.ts";
import { nearNames } from "../model/near-names.ts";
import { ownModule } from "../model/package-files.ts";
import {
  FACT_TABLES,
  FACTS_RECORD_VERSION,
  type FactCell,
  type FactsRecord,
  type FactTable,
  type FactTableName,
  type LibraryTable,
} from "../model/records/facts.ts";
import { ASKED } from "./asked.ts";
import { type FactRow, WHOLE_BYTES } from "./cell.ts";
import { Child, type Ended } from "./child.ts";
import { excerptOf } from "./excerpt.ts";
import { Attack, hostileRows } from "./hostile/table.ts";
import { libraryTable } from "./libraries.ts";
import { isPrice } from "./price.ts";
import type { Request, Response, Subject } from "./program.ts";

/** What facts are asked for. */
export interface FactOptions {
  /** What is recorded as the command. */
  readonly command: string;
  /** Names, patterns or groups of codecs. */
  readonly codecs: readonly string[];
  readonly datasets: readonly (string | Dataset)[];
  readonly plugins: readonly string[];
  /** All where it is absent. */
  readonly tables?: readonly (FactTableName | "libraries")[];
  readonly signal?: AbortSignal;
  /** Name of the only row that is computed: libraries are then left out. */
  readonly row?: string;
  /** Is told which codec comes next. */
  onCodec?(codec: string, dataset: string, done: number, of: number): void;
}

/** The tables of each dataset. Throws UsageError. */
export async function factsOf(options: FactOptions): Promise<FactsRecord> {
  const { command } = options;
  const registry = await Registry.open(options.plugins);
  const codecs: NamedCodec[] = [];
  for (const name of await registry.selectCodecs(options.codecs)) codecs.push(await registry.codec(name));
  const libraries = Object.fromEntries(codecs.map((codec) => [codec.name, identityOf(codec)]));
  const tables: FactTable[] = [];
  const libraryTables: LibraryTable[] = [];
  // One that is given twice is asked once.
  const datasets = [...new Set(options.datasets)];
  const of = datasets.length * codecs.length;
  const wanted = options.tables ?? [...FACT_TABLES, "libraries"];
  for (const [index, given] of datasets.entries()) {
    if (options.signal?.aborted === true) break;
    const dataset = excerptOf(typeof given === "string" ? await namedDataset(registry, given) : given);
    const drafts = draftsOf(dataset, wanted, options.row);
    const groups = variantsTogether(codecs);
    let begun = index * codecs.length;
    const onCodec = ({ name }: NamedCodec): void => options.onCodec?.(name, dataset.name, begun++, of);
    const work = async (): Promise<void> => {
      for (let group = groups.shift(); group !== undefined; group = groups.shift())
        await answerFor(group, dataset, drafts, options, onCodec);
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, availableParallelism()) }, work));
    const names = codecs.map(({ name }) => name);
    tables.push(...drafts.map(({ asked: _, ...table }) => inOrder(table, names)));
    if (wanted.includes("libraries") && options.row === undefined)
      libraryTables.push(await libraryTable(codecs, dataset, options.plugins, options.signal));
  }
  return {
    kind: "facts",
    schemaVersion: FACTS_RECORD_VERSION,
    command,
    complete: options.signal?.aborted !== true,
    wirebench: OWN_VERSION,
    node: process.versions.node,
    libraries,
    tables,
    libraryTables,
  };
}

/** What a run would measure; of a library that is nowhere its name, as its codec's rows say. */
function identityOf(codec: NamedCodec): LibraryIdentity {
  try {
    const { library, version } = chosenLibrary(codec);
    return { library, version };
  } catch (error) {
    if (!(error instanceof NotInstalledError)) throw error;
    return { library: codec.library ?? codec.name, version: "unknown" };
  }
}

/** Codecs that are asked at the same time. */
const AT_ONCE = 4;

/** A table with its codecs in the order in which they were named, whichever was done first. */
function inOrder(table: FactTable, names: readonly string[]): FactTable {
  const rank = (column: string): number => names.indexOf(column.replace(RESOLVER, ""));
  const codecs = table.codecs.toSorted((a, b) => rank(a) - rank(b) || a.length - b.length);
  const refused = Object.entries(table.refused).toSorted(([a], [b]) => rank(a) - rank(b));
  return { ...table, codecs, refused: Object.fromEntries(refused) };
}

/** Stands behind a codec that reads by its format's means for other versions. */
const RESOLVER = " (resolver)";

/** A table that is being filled, with the index of each of its rows among all that there are. */
interface Draft extends FactTable {
  readonly codecs: string[];
  readonly refused: Record<string, string>;
  readonly asked: readonly number[];
  readonly rows: (FactRow & { readonly cells: Record<string, FactCell> })[];
}

function draftsOf(
  dataset: Dataset,
  wanted: readonly (FactTableName | "libraries")[],
  row: string | undefined,
): Draft[] {
  const all = FACT_TABLES.filter((table) => wanted.includes(table)).map((table) => ({
    table,
    rows: table === "hostile" ? hostileRows() : ASKED[table].rows(dataset),
  }));
  const isAsked = ({ name }: FactRow): boolean => row === undefined || name === row;
  if (row !== undefined && !all.some(({ rows }) => rows.some(isAsked))) {
    const known = all.flatMap(({ rows }) => rows.map(({ name }) => name));
    throw new UsageError(`no row "${row}" for ${dataset.name}${nearNames(row, known)}`);
  }
  return all
    .map(({ table, rows }): Draft => {
      const asked = [...rows.keys()].filter((index) => isAsked(rows[index]!));
      const cells = asked.map((index) => ({ ...rows[index]!, cells: {} }));
      return { table, dataset: dataset.name, codecs: [], refused: {}, asked, rows: cells };
    })
    .filter(({ rows }) => rows.length > 0);
}

/** Variants of one codec share a library, and most of what they run: they share processes too. */
function variantsTogether(codecs: readonly NamedCodec[]): NamedCodec[][] {
  const groups = new Map<string, NamedCodec[]>();
  for (const codec of codecs) {
    const [base] = splitName(codec.name);
    groups.set(base, [...(groups.get(base) ?? []), codec]);
  }
  return [...groups.values()];
}

/**
 * Fills the columns of variants of one codec.
 * @param onCodec is told which of them comes next
 */
async function answerFor(
  variants: readonly NamedCodec[],
  dataset: Dataset,
  drafts: readonly Draft[],
  { plugins, signal, row: only }: FactOptions,
  onCodec: (codec: NamedCodec) => void,
): Promise<void> {
  const isOver = (): boolean => signal?.aborted === true;
  const shownBytes = only === undefined ? undefined : WHOLE_BYTES;
  const subjectOf = (codec: NamedCodec, resolves: boolean): Subject => {
    const asked = { codec: codec.name, resolves, plugins, dataset };
    return { ...asked, ...defined({ library: chosenCopy(codec), shownBytes }) };
  };
  const first = subjectOf(variants[0]!, false);
  const asker = new Asker(first);
  const attack = new Attack(first);
  const stop = (): void => {
    asker.end();
    attack.stop();
  };
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for (const codec of variants) {
      if (isOver()) return;
      onCodec(codec);
      for (const resolves of codec.resolve === undefined ? [false] : [false, true]) {
        const column = resolves ? `${codec.name}${RESOLVER}` : codec.name;
        asker.become(subjectOf(codec, resolves));
        attack.become(subjectOf(codec, resolves));
        for (const draft of drafts) {
          if (resolves && draft.table !== "evolution") continue;
          await fillColumn(column, draft, draft.table === "hostile" ? attack : asker, isOver);
        }
      }
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    asker.end();
    attack.end();
  }
}

/** Fills a column of a table, as far as the command does not end. */
async function fillColumn(
  column: string,
  draft: Draft,
  answerer: Asker | Attack,
  isOver: () => boolean,
): Promise<void> {
  const why = await answerer.refusal();
  if (isOver()) return;
  if (why !== undefined) {
    draft.refused[column] = why;
    return;
  }
  draft.codecs.push(column);
  for (const [at, row] of draft.asked.entries()) {
    if (isPrice(draft.rows[at]!.name)) answerer.renew();
    const cell = await answerer.cell(row, draft.table);
    // What ends with the command is no fact.
    if (isOver()) return;
    if (cell !== undefined) draft.rows[at]!.cells[column] = cell;
  }
}

/** Megabytes of heap that a codec has for messages of a user's. */
const HEAP = 256;

/** Milliseconds until a question counts as one that does not end. */
const PATIENCE = 10_000;

/** Asks one codec after the other for cells, one at a time, in a process that is started again when it ends. */
class Asker {
  readonly #child: Child<Request, Response>;

  constructor(subject: Subject) {
    this.#child = new Child(ownModule("facts/program"), HEAP, subject);
  }

  /** From now on it asks another codec. */
  become(subject: Subject): void {
    this.#child.become(subject);
  }

  /** Asks what comes next in a new process. */
  renew(): void {
    this.#child.end();
  }

  refusal(): Promise<string | undefined> {
    return this.#child.refusal();
  }

  /** The cell of a row; undefined where the row has no sense for the codec. */
  async cell(row: number, table: FactTableName): Promise<FactCell | undefined> {
    const refused = await this.refusal();
    if (refused !== undefined || table === "hostile") return { outcome: "died", got: refused ?? "" };
    const answer: Response | Ended = await this.#child.ask({ table, row }, PATIENCE);
    if ("cell" in answer) return answer.cell;
    return "ended" in answer ? { outcome: answer.ended, got: answer.got } : { outcome: "died" };
  }

  end(): void {
    this.#child.close();
  }
}

/** The record of `wirebench facts`: what codecs make of values, of changes of the schema, and of damaged bytes. */

/** Version of {@link FactsRecord}: one more wherever what a reader relies on changes. */
export const FACTS_RECORD_VERSION = 1;

/** The tables that there are. */
export const FACT_TABLES = ["fidelity", "evolution", "hostile"] as const;

/** See {@link FACT_TABLES}. */
export type FactTableName = (typeof FACT_TABLES)[number];

/**
 * What became of it, as it was found and not as a format promises it.
 * - `same`: what was written, and no more.
 * - `default`: absent, or what a reader takes for absent, in place of what was written.
 * - `other`: another value, and no error.
 * - `lost`: nothing in place of a value; of a relay, that it drops what it does not know.
 * - `error`: an error.
 * - `slow`, `memory`: longer than 50 ms; more memory than 16 MB and 64 bytes for each of the input.
 * - `hung`, `died`: no answer, and the end of the process.
 */
export type FactOutcome =
  | "same"
  | "default"
  | "other"
  | "lost"
  | "error"
  | "slow"
  | "memory"
  | "hung"
  | "died";

/** What one codec made of one row. */
export interface FactCell {
  readonly outcome: FactOutcome;
  /** What came back, or the error, in a line. */
  readonly got?: string;
  /** Path of the field that {@link got} is of, where it is not the one that the row names. */
  readonly at?: string;
  /** Where an error came up. */
  readonly step?: "bind" | "write" | "read";
  /** Set for an error that the engine threw, and no check of the library. */
  readonly stumbles?: boolean;
  /** Bytes of the message in hex, where one was written: its beginning only, where it is long. */
  readonly message?: string;
  /** Of a row of many cases, how many had each outcome; an error that {@link stumbles} says of is a `stumble`. */
  readonly counts?: Readonly<Partial<Record<FactOutcome | "stumble", number>>>;
  /** Of a row that asks for a price: what it costs more, as a share. */
  readonly price?: number;
  /** 95 % confidence interval of {@link price}, of rounds in one process. */
  readonly priceCi95?: readonly [low: number, high: number];
}

/** A row of a table: what was done. */
export interface FactRow {
  /** Name of the row, by which `--why` finds it. */
  readonly name: string;
  /** Path of the field, or name of the message, that was changed. */
  readonly path: string;
  /** What was given or done, in a line. */
  readonly given: string;
  /** Where it is not {@link given}: what was written, and what should come back. */
  readonly written?: string;
  readonly expected?: string;
}

/** A table of facts: a cell for each row and codec, and none where the question has no sense for the codec. */
export interface FactTable {
  readonly table: FactTableName;
  readonly dataset: string;
  readonly codecs: readonly string[];
  /** Codecs that do not carry the dataset as it is, and why. */
  readonly refused: Readonly<Record<string, string>>;
  readonly rows: readonly (FactRow & { readonly cells: Readonly<Record<string, FactCell>> })[];
}

/** Sizes of a script, as it is and by gzip at level 9, in bytes. */
export interface ScriptSize {
  readonly minified: number;
  readonly gzip: number;
}

/** What a page has to ship for a codec: sizes of one script with what it imports, or why there is none. */
export type BundleFact =
  | { readonly decode: ScriptSize; readonly both: ScriptSize; readonly problem?: never }
  | { readonly problem: string };

/** What a library takes on disk with all that it depends on, and what its package says. */
export interface InstallFact {
  readonly bytes: number;
  readonly packages: number;
  /** Scripts that npm runs when they are installed, as `name: postinstall`. */
  readonly scripts: readonly string[];
  /** As package.json has it. */
  readonly licence?: string;
  /** Day of the release, where the package has a list of changes with the dates of versions. */
  readonly released?: string;
}

/** Whether a codec carries the data in a process that makes no code of strings, and why not. */
export interface NoEvalFact {
  readonly works: boolean;
  readonly why?: string;
}

/** What is said of one codec. What cannot be told is absent. */
export interface LibraryRow {
  readonly codec: string;
  /** Package, `node` for what is built in, or `wirebench`. */
  readonly library: string;
  readonly version: string;
  /** Absent for what is built in, or lives here. */
  readonly install?: InstallFact;
  readonly bundle?: BundleFact;
  /** Absent where the codec does not carry the data anyway. */
  readonly noEval?: NoEvalFact;
}

/** What people ask of a library beside its speed: a row for each codec that has one. */
export interface LibraryTable {
  readonly table: "libraries";
  readonly dataset: string;
  /** What made the bundles, with its version; absent where there is none. */
  readonly bundler?: string;
  /** Codecs that have no row, and why. */
  readonly refused: Readonly<Record<string, string>>;
  readonly rows: readonly LibraryRow[];
}

/** The tables of some datasets, and of what versions they are. */
export interface FactsRecord {
  readonly kind: "facts";
  /** @asType integer */
  readonly schemaVersion: typeof FACTS_RECORD_VERSION;
  /** The command that it was made with: with `--why ROW` it prints the case of each cell of a row. */
  readonly command: string;
  /** Whether every cell was asked for: false where it was interrupted. */
  readonly complete: boolean;
  /** Version of wirebench. */
  readonly wirebench: string;
  /** Version of Node. */
  readonly node: string;
  /** The library of each codec. A column with something in parentheses is of the codec before them. */
  readonly libraries: Readonly<Record<string, { readonly library: string; readonly version: string }>>;
  readonly tables: readonly FactTable[];
  readonly libraryTables: readonly LibraryTable[];
}

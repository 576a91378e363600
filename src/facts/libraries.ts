/** What people ask of a library beside its speed, found in the copy that a run would measure. */
import { availableParallelism } from "node:os";
import path from "node:path";
import { chosenFolder, chosenLibrary } from "../catalog/library-version.ts";
import type { NamedCodec } from "../catalog/registry.ts";
import type { Dataset } from "../model/dataset.ts";
import { defined } from "../model/defined.ts";
import { reasonLine } from "../model/errors.ts";
import { ownModule } from "../model/package-files.ts";
import type { LibraryRow, LibraryTable, NoEvalFact } from "../model/records/facts.ts";
import { type Bundler, bundleFact, findBundler } from "./bundle.ts";
import { Child } from "./child.ts";
import { installFact } from "./install.ts";
import type { Request, Response, Subject } from "./program.ts";

/** Codecs that are asked at the same time. */
const AT_ONCE = 4;

/** The table of libraries. Throws UsageError. */
export async function libraryTable(
  codecs: readonly NamedCodec[],
  dataset: Dataset,
  plugins: readonly string[],
  signal: AbortSignal | undefined,
): Promise<LibraryTable> {
  const bundler = await findBundler();
  const refused: Record<string, string> = {};
  const rows: (LibraryRow | undefined)[] = codecs.map(() => undefined);
  const reasons: (string | undefined)[] = codecs.map(() => undefined);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < codecs.length && signal?.aborted !== true; at = next++) {
      try {
        rows[at] = await rowOf(codecs[at]!, dataset, bundler, plugins);
      } catch (error) {
        reasons[at] = reasonLine(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, availableParallelism()) }, work));
  for (const [at, { name }] of codecs.entries()) if (reasons[at] !== undefined) refused[name] = reasons[at];
  return {
    table: "libraries",
    dataset: dataset.name,
    ...defined({ bundler: bundler?.name }),
    refused,
    rows: rows.filter((row) => row !== undefined),
  };
}

/** The row of a codec. Throws PluginError where its library is not installed. */
async function rowOf(
  codec: NamedCodec,
  dataset: Dataset,
  bundler: Bundler | undefined,
  plugins: readonly string[],
): Promise<LibraryRow> {
  const { library, version, copy } = chosenLibrary(codec);
  const isPackage = codec.library !== undefined && library !== "node";
  const install = isPackage ? installFact(chosenFolder(codec, library)) : undefined;
  const folder = copy?.folder ?? path.dirname(codec.file);
  const bundle = bundler && (await bundleFact(bundler, codec, dataset, folder));
  const noEval = await noEvalFact({
    codec: codec.name,
    resolves: false,
    plugins,
    dataset,
    ...defined({ library: copy }),
  });
  return { codec: codec.name, library, version, ...defined({ install, bundle, noEval }) };
}

/** Megabytes of heap of a process that tries a codec. */
const HEAP = 256;

/** Forbids code that is made of strings, as a content security policy without `unsafe-eval` does. */
const FLAG = "--disallow-code-generation-from-strings";

/**
 * Binds a codec and carries the first value of the data there and back, in a process with the flag of Node; where that fails, in
 * one without it, since only what fails because of the flag is a fact. @returns undefined where it fails anyway
 */
async function noEvalFact(subject: Subject): Promise<NoEvalFact | undefined> {
  const refusal = async (flags: readonly string[]): Promise<string | undefined> => {
    const child = new Child<Request, Response>(ownModule("facts/program"), HEAP, subject, flags);
    try {
      return await child.refusal();
    } finally {
      child.end();
    }
  };
  const why = await refusal([FLAG]);
  if (why === undefined) return { works: true };
  return (await refusal([])) === undefined ? defined({ works: false, why }) : undefined;
}

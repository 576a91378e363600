/** What a page has to ship for a codec, made by esbuild of the code that does on a page what the codec does. */
import { isBuiltin } from "node:module";
import { gzipSync } from "node:zlib";
import { type Esbuild, findEsbuild, ownModules } from "../catalog/esbuild.ts";
import type { NamedCodec } from "../catalog/registry.ts";
import type { PageCode } from "../model/codec.ts";
import type { Dataset } from "../model/dataset.ts";
import { oneLine } from "../model/one-line.ts";
import type { BundleFact, ScriptSize } from "../model/records/facts.ts";
import { shortened } from "./cell.ts";

/** What makes scripts for pages. */
export interface Bundler {
  /** Its name and version. */
  readonly name: string;
  /** The text of a minified script. Throws an Error whose message says what could not be bundled. */
  bundle(source: string, folder: string): Promise<string>;
}

/** What bundles here; undefined where there is no esbuild. */
export async function findBundler(): Promise<Bundler | undefined> {
  const esbuild = await findEsbuild();
  return esbuild && { name: `esbuild ${esbuild.version}`, bundle: (...given) => bundled(esbuild, ...given) };
}

async function bundled(esbuild: Esbuild, source: string, folder: string): Promise<string> {
  const { outputFiles } = await esbuild
    .build({
      stdin: { contents: source, resolveDir: folder, loader: "js" },
      plugins: [ownModules],
      bundle: true,
      minify: true,
      format: "esm",
      platform: "browser",
      target: "es2022",
      legalComments: "none",
      write: false,
      logLevel: "silent",
    })
    .catch((error: Error & { readonly errors?: readonly { readonly text: string }[] }) => {
      throw new Error(problemOf(error.errors?.[0]?.text ?? error.message), { cause: error });
    });
  return outputFiles[0]!.text;
}

function problemOf(text: string): string {
  const missing = /^Could not resolve "(?:node:)?([^"]+)"$/.exec(text)?.[1];
  return missing !== undefined && isBuiltin(missing) ? `it needs ${missing} of Node` : oneLine(text);
}

/** The scripts of a codec: one that only decodes, and one that does both. */
export async function bundlesOf(
  bundler: Bundler,
  { shared, decode, encode }: PageCode,
  folder: string,
): Promise<{ readonly decode: string; readonly both: string }> {
  const script = (...parts: readonly string[]): Promise<string> => bundler.bundle(parts.join("\n"), folder);
  return { decode: await script(shared, decode), both: await script(shared, decode, encode) };
}

/** Sizes of the scripts of a codec; undefined where no code of a page is known. @param folder where its library is found from */
export async function bundleFact(
  bundler: Bundler,
  codec: Pick<NamedCodec, "page">,
  dataset: Dataset,
  folder: string,
): Promise<BundleFact | undefined> {
  if (codec.page === undefined) return undefined;
  try {
    const { decode, both } = await bundlesOf(bundler, await codec.page(dataset), folder);
    return { decode: sizeOf(decode), both: sizeOf(both) };
  } catch (error) {
    return { problem: shortened((error as Error).message) };
  }
}

function sizeOf(script: string): ScriptSize {
  return { minified: Buffer.byteLength(script), gzip: gzipSync(script, { level: 9 }).length };
}

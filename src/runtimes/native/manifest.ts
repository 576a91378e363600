/** Which reference programs there are, and what each measures: `native/README.md` has the keys of a manifest. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../../model/errors.ts";
import { ownFile } from "../../model/package-files.ts";

/** What a program measures: a row of a run. */
export interface NativeSystem {
  /** `protobuf`, or `protobuf:reused` for a variant. */
  readonly name: string;
  readonly format: string;
  /** A key of the libraries in the program's hello, which has its version. */
  readonly library: string;
  /** How to install that library, where the program may do without it. */
  readonly install?: string;
  /** The TypeScript codec that reads its bytes. */
  readonly codec: string;
  /** Whether it is the original of that codec. */
  readonly original?: true;
  /** Whether its bytes are those of the codec. */
  readonly exact?: true;
  /** Names of datasets, or `*` for any: the job has its schema. */
  readonly datasets: readonly string[];
  readonly operations: readonly string[];
}

/** What a manifest says. */
export interface NativeManifest {
  readonly language: string;
  /** C++: files of `schemas/` to generate code from. */
  readonly schemas?: readonly string[];
  /** C++: what pkg-config calls its libraries. */
  readonly packages?: readonly string[];
  /** Python: a variable that names the interpreter; without it a command, or else what the variable is to be set to. */
  readonly interpreter?: { readonly variable: string } & (
    | { readonly command: string }
    | { readonly purpose: string }
  );
  /** Its source, where that is not called as the manifest: `amf3.py`. */
  readonly source?: string;
  /** An executable that is there already, beside the manifest: nothing is built. */
  readonly program?: string;
  readonly systems: readonly NativeSystem[];
  /** What it sends messages between processes with: the library, and the TypeScript codec that it stands beside. */
  readonly exchanges?: readonly { readonly name: string; readonly codec: string }[];
}

/** A reference program. */
export interface NativeProgram extends NativeManifest {
  /** `cpp/protobuf`. */
  readonly name: string;
  /** Its source, or the program itself. */
  readonly file: string;
}

/** The programs that wirebench has. */
const OWN = fileURLToPath(ownFile("native/"));

/** What a source may be called after its manifest's name. */
const SOURCES = [".cpp", ".py", ".erl"];

/**
 * The programs of a folder, by name: its subfolders have a manifest for each. Throws UsageError where there is none, for a manifest that
 * is none, and for one without a source.
 * @param root by default the programs of wirebench
 */
export function nativePrograms(root: string = OWN): NativeProgram[] {
  const files = existsSync(root)
    ? readdirSync(root, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .flatMap(({ name }) => readdirSync(path.join(root, name)).map((file) => path.join(name, file)))
        .filter((file) => file.endsWith(".json"))
    : [];
  if (files.length === 0)
    throw new UsageError(`native: expected a folder with manifests, as cpp/protobuf.json, got ${root}`);
  return files.sort().map((file) => programOf(root, file));
}

function programOf(root: string, file: string): NativeProgram {
  const manifest = readManifest(path.join(root, file));
  const base = path.join(root, file.slice(0, -".json".length));
  const named = manifest.program ?? manifest.source;
  const sources =
    named === undefined
      ? SOURCES.map((extension) => base + extension)
      : [path.join(path.dirname(base), named)];
  const source = sources.find((one) => existsSync(one));
  if (source === undefined)
    throw new UsageError(
      `${file}: expected beside it ${sources.map((one) => path.basename(one)).join(" or ")}`,
    );
  return { ...manifest, name: file.slice(0, -".json".length).replaceAll(path.sep, "/"), file: source };
}

function readManifest(file: string): NativeManifest {
  let manifest: Partial<NativeManifest>;
  try {
    manifest = JSON.parse(readFileSync(file, "utf8")) as Partial<NativeManifest>;
  } catch (error) {
    throw new UsageError(`${file}: expected JSON: ${(error as Error).message}`, { cause: error });
  }
  const { language, systems, exchanges = [] } = manifest;
  if (typeof language !== "string" || !Array.isArray(systems) || !systems.every(isSystem))
    throw new UsageError(`${file}: expected a language and systems with all of their keys`);
  if (!Array.isArray(exchanges) || !exchanges.every(isExchange))
    throw new UsageError(`${file}: expected exchanges with a name and a codec each`);
  for (const list of [systems, exchanges]) {
    const names = list.map(({ name }) => name);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice !== undefined) throw new UsageError(`${file}: expected "${twice}" once, got it twice`);
  }
  return manifest as NativeManifest;
}

function isExchange(exchange: Partial<Record<"name" | "codec", unknown>>): boolean {
  return typeof exchange.name === "string" && typeof exchange.codec === "string";
}

function isSystem(system: Partial<Record<keyof NativeSystem, unknown>>): boolean {
  const texts = [system.name, system.format, system.library, system.codec];
  const lists = [system.datasets, system.operations];
  return (
    texts.every((text) => typeof text === "string") &&
    lists.every((list) => Array.isArray(list) && list.every((one) => typeof one === "string"))
  );
}

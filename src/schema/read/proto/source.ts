import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { fileProblem, SchemaError, UsageError } from "../../../model/errors.ts";
import { ownFile } from "../../../model/package-files.ts";
import type { Import, ProtoFile } from "./declarations.ts";
import { beginsLikeSet, readDescriptorSet } from "./descriptor-set.ts";
import { parseProto } from "./parser.ts";

/** Files that belong together: what a schema is read from. */
export interface ProtoSource {
  /** The file that the user named. */
  readonly shown: string;
  /** Every file, those that are asked for first. */
  readonly files: readonly LoadedFile[];
  /** Those whose messages may be meant where none is named. */
  readonly asked: readonly ProtoFile[];
}

/** A file and those that it imports. */
export interface LoadedFile {
  readonly file: ProtoFile;
  readonly imports: readonly { readonly file: LoadedFile; readonly isPublic: boolean }[];
}

/**
 * Reads a .proto file, or a FileDescriptorSet as `protoc -o` and `buf build -o` write it, and everything imported.
 * @param include folders that imports are looked for in, in order, and that the file lies in one of, as with
 *   protoc's `-I`; where there is none, the folder of the file that imports, and those above it
 */
export function readProtoSource(file: string, include: readonly string[] = []): ProtoSource {
  const bytes = readBytes(file);
  const set = readDescriptorSet(file, bytes);
  const loader = new Loader(include, set ?? []);
  if (set === undefined) {
    const loaded = loader.load(nameIn(include, file), file, bytes.toString(), file);
    return { shown: file, files: loader.files, asked: [loaded.file] };
  }
  const imported = new Set(set.flatMap((one) => one.imports.map(({ name }) => name)));
  const loaded = set.map((one) => loader.add(one, file));
  const roots = loaded.map((one) => one.file).filter(({ name }) => !imported.has(name));
  return { shown: file, files: loader.files, asked: roots };
}

/** Whether a file that can be read begins as a FileDescriptorSet does. */
export function isDescriptorSet(file: string): boolean {
  try {
    return beginsLikeSet(readFileSync(file));
  } catch {
    return false;
  }
}

/** What a file is called by who imports it. Throws UsageError where it lies in none of the folders. */
function nameIn(include: readonly string[], file: string): string {
  if (include.length === 0) return path.resolve(file);
  for (const folder of include) {
    const name = path.relative(folder, file);
    if (name !== "" && !leaves(name)) return name.split(path.sep).join("/");
  }
  throw new UsageError(`${file}: lies in no include path, which are ${include.join(", ")}`);
}

/** Whether the name of a file leads out of the folder that it is relative to. */
function leaves(name: string): boolean {
  return path.isAbsolute(name) || name.split(/[\\/]/).includes("..");
}

class Loader {
  readonly files: LoadedFile[] = [];
  readonly #byName = new Map<string, LoadedFile>();
  readonly #include: readonly string[];
  readonly #set: ReadonlyMap<string, ProtoFile>;

  constructor(include: readonly string[], set: readonly ProtoFile[]) {
    this.#include = include;
    this.#set = new Map(set.map((file) => [file.name, file]));
  }

  /** @param disk path of a file beside which its imports may be */
  load(name: string, shown: string, text: string, disk: string): LoadedFile {
    return this.#byName.get(name) ?? this.add(parseProto(name, shown, text), disk);
  }

  add(file: ProtoFile, disk: string): LoadedFile {
    const known = this.#byName.get(file.name);
    if (known !== undefined) return known;
    const imports: { file: LoadedFile; isPublic: boolean }[] = [];
    const loaded = { file, imports };
    // Entered before what it imports, which may import it.
    this.#byName.set(file.name, loaded);
    this.files.push(loaded);
    for (const one of file.imports) {
      imports.push({ file: this.#import(one, file, disk), isPublic: one.isPublic });
    }
    return loaded;
  }

  #import({ name, spot }: Import, importer: ProtoFile, disk: string): LoadedFile {
    const fail = (problem: string): SchemaError =>
      new SchemaError(importer.shown, `import ${JSON.stringify(name)}${problem}`, spot);
    if (name === "" || leaves(name)) throw fail(" leaves the source tree");
    const inSet = this.#set.get(name);
    if (inSet !== undefined && inSet !== importer) return this.add(inSet, disk);
    const found = this.#find(name, disk);
    const id = this.#include.length === 0 && found !== undefined ? found : name;
    if (id === importer.name) throw fail(": the file imports itself");
    const known = this.#byName.get(id);
    if (known !== undefined) return known;
    if (found !== undefined) return this.load(id, found, readBytes(found).toString(), found);
    const builtIn = standardFile(name);
    if (builtIn !== undefined) return this.add(builtIn, disk);
    throw fail(this.#notFound(disk));
  }

  #notFound(disk: string): string {
    if (this.#set.size > 0) return " is not in the set: make it with protoc --include_imports";
    if (this.#include.length > 0) return ` not found in ${this.#include.join(", ")}`;
    return ` not found in ${path.dirname(path.resolve(disk))} or a folder above it: name its folder with --include`;
  }

  /** The path of an import. Without include paths it is named from the importer's folder or one above it. */
  #find(name: string, disk: string): string | undefined {
    if (this.#include.length > 0) {
      return this.#include.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
    }
    if (this.#set.size > 0) return undefined;
    for (let folder = path.dirname(path.resolve(disk)); ; folder = path.dirname(folder)) {
      const candidate = path.join(folder, name);
      if (existsSync(candidate)) return candidate;
      if (path.dirname(folder) === folder) return undefined;
    }
  }
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new SchemaError(file, fileProblem(error));
  }
}

let standard: ReadonlyMap<string, ProtoFile> | undefined;

/**
 * The file of a name that comes with protobuf's compiler or with Google's APIs, as `google/type/date.proto`; undefined
 * where none does. protobufjs has fewer of them, older ones, and some with names in camel case, which no other library
 * has. `scripts/build-standard-protos.py` writes them.
 */
function standardFile(name: string): ProtoFile | undefined {
  standard ??= new Map(
    (readDescriptorSet("standard", readBytes(STANDARD)) ?? []).map((file) => [
      file.name,
      { ...file, shown: file.name },
    ]),
  );
  return standard.get(name);
}

const STANDARD = fileURLToPath(ownFile("schemas/standard.binpb"));

import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { defined } from "../../model/defined.ts";
import { UsageError } from "../../model/errors.ts";
import { show } from "../../model/value.ts";

/** One side of a paired comparison, as it was asked for. */
export type ComparedSource =
  | { readonly kind: "plugin"; readonly file: string }
  /** A package of npm's registry; without a version the installed one. */
  | { readonly kind: "package"; readonly name: string; readonly version?: string }
  | { readonly kind: "folder"; readonly name: string; readonly folder: string }
  | { readonly kind: "archive"; readonly file: string };

/** Files that Node loads as modules. */
const MODULE = /\.(?:[cm]?js|ts)$/;

const ARCHIVE = /\.(?:tgz|tar\.gz)$/;

/** A package's name, and what may follow: a version, a range or a tag, but no address. */
const SPEC = /^((?:@[a-z0-9][\w.~-]*\/)?[a-z0-9][\w.~-]*)(?:@([\w.~^<>=*+-]+))?$/i;

/**
 * What `--base` or `--head` names: the file of a codec, a folder with a package.json, a packed package, or a package by
 * its name. What exists as a file is a file; a folder is one where it is written as a path (`./msgpackr`), else a package
 * could not be told from it. Throws UsageError.
 */
export function comparedSource(text: string): ComparedSource {
  const isPath = /^\.{0,2}[/\\]|^\.\.?$|^[A-Za-z]:[/\\]/.test(text) || /^[^@]+[/\\]/.test(text);
  const found = statSync(text, { throwIfNoEntry: false });
  if (ARCHIVE.test(text)) {
    if (found?.isFile() !== true)
      throw new UsageError(`${text}: expected a packed package, got no such file`);
    return { kind: "archive", file: path.resolve(text) };
  }
  if (found?.isFile() === true) {
    if (MODULE.test(text)) return { kind: "plugin", file: text };
    throw new UsageError(`${text}: expected a module (.js), a .tgz or a folder, got another file`);
  }
  if (isPath) {
    if (found === undefined) throw new UsageError(`${text}: no such file or folder`);
    return { kind: "folder", name: packageIn(text).name, folder: path.resolve(text) };
  }
  const [, name, version] = SPEC.exec(text) ?? [];
  if (version === undefined && MODULE.test(text)) {
    throw new UsageError(`${text}: no such file (a package of this name needs a version: ${text}@1.0.0)`);
  }
  if (name === undefined) {
    throw new UsageError(
      `${show(text)}: expected a package as msgpackr@2.1.3, a folder as ./msgpackr, a .tgz or a codec's file`,
    );
  }
  return { kind: "package", name, ...defined({ version }) };
}

/** Name and version of the package in a folder. Throws UsageError. */
export function packageIn(folder: string): { readonly name: string; readonly version: string } {
  const file = path.join(folder, "package.json");
  if (!existsSync(file)) throw new UsageError(`${folder}: expected a package.json in it, got none`);
  let parsed: { name?: unknown; version?: unknown } | null;
  try {
    parsed = JSON.parse(readFileSync(file, "utf8")) as typeof parsed;
  } catch (error) {
    throw new UsageError(`${file}: it is not JSON: ${(error as Error).message}`, { cause: error });
  }
  const { name, version = "unknown" } = parsed ?? {};
  if (typeof name !== "string" || !SPEC.test(name) || name.lastIndexOf("@") > 0) {
    throw new UsageError(`${file}: name: expected that of a package, got ${show(name)}`);
  }
  if (typeof version !== "string")
    throw new UsageError(`${file}: version: expected a string, got ${show(version)}`);
  return { name, version };
}

/** Reference programs: tests that compare with one are skipped where it is missing, unless they are required. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it } from "vitest";

const required = process.env["WIREBENCH_REQUIRE_REFERENCES"] === "1";

function isInstalled(program: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A reference that is more than a program's name: one of several places, and it must pass a check. */
export interface Reference {
  readonly name: string;
  /** Path or name of the program; undefined where none of the places has one that passes. */
  readonly program: string | undefined;
}

function findReference(name: string, places: readonly (string | undefined)[], check: string[]): Reference {
  const program = places.find((place) => {
    if (place === undefined) return false;
    try {
      execFileSync(place, check, { stdio: "ignore" });
      return true;
    } catch {
      return false;
    }
  });
  return { name, program };
}

/** CPython of a version, as "3.11" or "2.7", from the path or from pyenv. */
export function python(version: string): Reference {
  const root = process.env["PYENV_ROOT"] ?? path.join(os.homedir(), ".pyenv");
  const versions = path.join(root, "versions");
  const installed = existsSync(versions)
    ? readdirSync(versions)
        .filter((name) => name === version || name.startsWith(`${version}.`))
        .map((name) => path.join(versions, name, "bin/python"))
    : [];
  const major = `python${version.split(".")[0]}`;
  const [a, b] = version.split(".");
  return findReference(
    `CPython ${version}`,
    [...installed, `python${version}`, major],
    ["-c", `import sys; sys.exit(sys.version_info[:2] != (${a}, ${b}))`],
  );
}

/** A CPython that has Py3AMF, by WIREBENCH_PYAMF or as python3. */
export function pythonWithAmf(): Reference {
  const places = [process.env["WIREBENCH_PYAMF"], "python3"];
  return findReference("CPython with Py3AMF", places, ["-c", "import pyamf.amf3"]);
}

/** A CPython that has libraries of other formats (test/vectors/peers/make.py), by WIREBENCH_PEERS or as python3. */
export function pythonWithPeers(): Reference {
  const places = [process.env["WIREBENCH_PEERS"], "python3"];
  return findReference("CPython with cbor2, pymongo, msgpack, fastavro, amazon.ion and pyarrow", places, [
    "-c",
    "import amazon.ion, bson, cbor2, fastavro, msgpack, pyarrow; bson.encode",
  ]);
}

/** The CPython 2.7 that WIREBENCH_PYAMF27 names, which has PyAMF with its C extension. */
export function pythonWithAmfInC(): Reference {
  return findReference(
    "CPython 2.7 with PyAMF",
    [process.env["WIREBENCH_PYAMF27"]],
    ["-c", "import cpyamf.amf3"],
  );
}

/** benchstat of golang.org/x/perf: by WIREBENCH_BENCHSTAT, in the PATH, or where `go install` puts it. */
export function benchstat(): Reference {
  const installed = path.join(process.env["GOBIN"] ?? path.join(os.homedir(), "go/bin"), "benchstat");
  return findReference(
    "benchstat",
    [process.env["WIREBENCH_BENCHSTAT"], "benchstat", installed],
    [os.devNull],
  );
}

/**
 * A JavaScript runtime: by the variable WIREBENCH_BUN, WIREBENCH_NODE22 and so on, in the PATH, or where npm has put it.
 * @param name as `bun`, or with a major version of Node as `node22`
 */
export function runtime(name: string): Reference {
  const named = process.env[`WIREBENCH_${name.toUpperCase()}`];
  const [, major] = /^node(\d+)$/.exec(name) ?? [];
  if (major === undefined) return findReference(name, [named, name, ...inModules(name)], ["--version"]);
  const isMajor = ["-e", `process.exit(process.versions.node.startsWith("${major}.") ? 0 : 1)`];
  return findReference(`Node ${major}`, [named, process.execPath], isMajor);
}

/** Where `npm i --no-save --ignore-scripts bun deno` puts the programs themselves. */
function inModules(name: string): string[] {
  const modules = path.join(import.meta.dirname, "../node_modules");
  const scope = { bun: "@oven", deno: "@deno" }[name] ?? name;
  if (!existsSync(path.join(modules, scope))) return [];
  return readdirSync(path.join(modules, scope)).flatMap((one) => [
    path.join(modules, scope, one, "bin", name),
    path.join(modules, scope, one, name),
  ]);
}

/** Chromium, or Chrome, where Debian's packages put it. */
export function chromium(): Reference {
  const places = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  return findReference("chromium", places, ["--version"]);
}

/** Firefox, where Debian's packages put it. */
export function firefox(): Reference {
  return findReference("firefox", ["/usr/bin/firefox", "/usr/bin/firefox-esr"], ["--version"]);
}

/**
 * `it`, for a test that runs these programs. Where one is missing the test is skipped and counted; with
 * WIREBENCH_REQUIRE_REFERENCES=1 it fails.
 */
export function itWith(...programs: (string | Reference)[]): typeof it | typeof it.skip {
  const missing = missingOf(programs);
  if (missing.length === 0) return it;
  if (!required) return it.skip;
  return failing(missing) as unknown as typeof it;
}

/** `describe`, for tests of which each runs these programs; as {@link itWith}. */
export function describeWith(...programs: (string | Reference)[]): typeof describe | typeof describe.skip {
  const missing = missingOf(programs);
  if (missing.length === 0) return describe;
  if (!required) return describe.skip;
  return failing(missing) as unknown as typeof describe;
}

function missingOf(programs: readonly (string | Reference)[]): string[] {
  return programs.flatMap((one) => {
    if (typeof one === "string") return isInstalled(one) ? [] : [one];
    return one.program === undefined ? [one.name] : [];
  });
}

/** Makes tests that fail because of what is missing: one for a name, and one for all cases of a table. */
function failing(missing: readonly string[]): object {
  const fails = (name: string): void =>
    it(name, () => {
      throw new Error(`${missing.join(", ")}: required and not installed`);
    });
  return Object.assign(fails, { each: () => fails });
}

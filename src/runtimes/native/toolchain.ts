/** What makes a program of a source, with the machine's own tools: one entry for each language. */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { ownFile } from "../../model/package-files.ts";
import type { NativeProgram } from "./manifest.ts";

/** How programs are built. */
export interface BuildOptions {
  /** In place of `-O2`. */
  readonly cxxflags?: readonly string[];
  /** Ends what is being built. */
  readonly signal?: AbortSignal;
}

/** A tool or library of the machine, and how it is asked for its version. */
export interface Tool {
  /** What it is called in messages. */
  readonly name: string;
  /** The command that prints its version, and fails where it is not there. */
  readonly version: readonly string[];
  /** What to do where it is not there. */
  readonly install: string;
}

/** How the programs of a language are built and started. */
export interface Toolchain {
  /** What a program needs of the machine. */
  needs(program: NativeProgram): readonly Tool[];
  /** Files whose content decides what is built. */
  inputs(program: NativeProgram): readonly string[];
  /** Builds in a folder; absent where nothing is. Throws with the compiler's first error. */
  build?(program: NativeProgram, folder: string, options: BuildOptions): Promise<void>;
  /** What starts a program that was built in a folder. */
  command(program: NativeProgram, folder: string): readonly string[];
  /** What the compiler was told, for the record. */
  flags(options: BuildOptions): readonly string[];
}

const SCHEMAS = fileURLToPath(ownFile("schemas/"));

const GXX: Tool = { name: "g++", version: ["g++", "--version"], install: "apt-get install g++" };

/** What generates C++ of a schema, by its file's extension. */
const GENERATORS: Readonly<
  Record<string, { readonly tool: Tool; command(file: string): readonly string[] }>
> = {
  ".proto": {
    tool: { name: "protoc", version: ["protoc", "--version"], install: "apt-get install protobuf-compiler" },
    command: (file) => ["protoc", "--cpp_out=.", `-I${SCHEMAS}`, path.join(SCHEMAS, file)],
  },
  ".fbs": {
    tool: { name: "flatc", version: ["flatc", "--version"], install: "apt-get install flatbuffers-compiler" },
    command: (file) => ["flatc", "--cpp", "-o", ".", path.join(SCHEMAS, file)],
  },
  ".capnp": {
    tool: { name: "capnp", version: ["capnp", "--version"], install: "apt-get install capnproto" },
    command: (file) => ["capnp", "compile", "-oc++:.", `--src-prefix=${SCHEMAS}`, path.join(SCHEMAS, file)],
  },
};

const CPP: Toolchain = {
  needs: ({ schemas = [], packages = [] }) => [
    GXX,
    ...schemas.flatMap((file) => GENERATORS[path.extname(file)]?.tool ?? []),
    ...(packages.length === 0 ? [] : [PKG_CONFIG, ...packages.map(headersOf)]),
  ],
  inputs: ({ file, schemas = [] }) => [
    ...siblings(file, ".hpp"),
    file,
    ...schemas.map((one) => path.join(SCHEMAS, one)),
  ],
  build: async ({ file, schemas = [], packages = [] }, folder, options) => {
    for (const schema of schemas) {
      const generator = GENERATORS[path.extname(schema)];
      if (generator === undefined) copyFileSync(path.join(SCHEMAS, schema), path.join(folder, schema));
      else await run(generator.command(schema), options, folder);
    }
    const generated = readdirSync(folder).filter((name) => /\.(cc|c\+\+)$/.test(name));
    const found =
      packages.length === 0 ? "" : await run(["pkg-config", "--cflags", "--libs", ...packages], options);
    const libraries = found.split(/\s+/).filter(Boolean);
    const include = ["-I.", `-I${path.dirname(file)}`];
    await run(
      [
        "g++",
        "-std=c++17",
        ...CPP.flags(options),
        ...include,
        "-o",
        "program",
        file,
        ...generated,
        ...libraries,
      ],
      options,
      folder,
    );
  },
  command: (_, folder) => [path.join(folder, "program")],
  flags: ({ cxxflags = ["-O2"] }) => cxxflags,
};

const PKG_CONFIG: Tool = {
  name: "pkg-config",
  version: ["pkg-config", "--version"],
  install: "apt-get install pkg-config",
};

function headersOf(library: string): Tool {
  return {
    name: `lib${library}-dev`,
    version: ["pkg-config", "--modversion", library],
    install: `apt-get install lib${library}-dev`,
  };
}

const PYTHON: Toolchain = {
  needs: (program) => {
    const { interpreter } = program;
    const [python = ""] = PYTHON.command(program, "");
    const version = [python, "--version"];
    return interpreter !== undefined && "purpose" in interpreter
      ? [{ name: interpreter.variable, version, install: `set it to ${interpreter.purpose}` }]
      : [{ name: python, version, install: "apt-get install python3" }];
  },
  inputs: ({ file }) => siblings(file, ".py"),
  // A shared folder gets no compiled files.
  command: ({ file, interpreter = { variable: "", command: "python3" } }) => {
    const without = "command" in interpreter ? interpreter.command : "";
    return [process.env[interpreter.variable] ?? without, "-B", file];
  },
  flags: () => [],
};

/** Nothing takes turns with the process that measures, nothing waits busily, and a virtual machine that dies leaves no dump. */
const ONE_SCHEDULER = "+S 1:1 +SDcpu 1:1 +SDio 1 +sbwt none -env ERL_CRASH_DUMP_BYTES 0".split(" ");

const ERLANG: Toolchain = {
  needs: () =>
    ["erlc", "erl"].map((name) => ({
      name,
      version: ["erl", "-noshell", "-eval", 'io:format("~s~n", [erlang:system_info(otp_release)]), halt().'],
      install: "apt-get install erlang-base",
    })),
  inputs: ({ file }) => siblings(file, ".erl"),
  build: async ({ file }, folder, options) =>
    void (await run(["erlc", ...siblings(file, ".erl")], options, folder)),
  command: ({ file }, folder) => {
    const module = path.basename(file, ".erl");
    return ["erl", ...ONE_SCHEDULER, "-noshell", "-noinput", "-pa", folder, "-s", module, "main"];
  },
  flags: () => [],
};

/** An executable that is there already. */
const GIVEN: Toolchain = {
  needs: () => [],
  inputs: ({ file }) => [file],
  command: ({ file }) => [file],
  flags: () => [],
};

/** What builds a program. */
export function toolchainOf({ file, program }: NativeProgram): Toolchain {
  const known: Readonly<Record<string, Toolchain>> = { ".cpp": CPP, ".py": PYTHON, ".erl": ERLANG };
  return (program === undefined ? known[path.extname(file)] : undefined) ?? GIVEN;
}

/** What a tool says of its version; undefined where it is not there. */
export async function versionOf({ version }: Tool, options: BuildOptions): Promise<string | undefined> {
  try {
    return await run(version, options);
  } catch {
    return undefined;
  }
}

function siblings(file: string, extension: string): string[] {
  const folder = path.dirname(file);
  return readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .sort()
    .map((name) => path.join(folder, name));
}

/** Files' content, with their names; a tool's schema that is not there is empty. */
export function contentOf(files: readonly string[]): string[] {
  return files.flatMap((file) => [path.basename(file), existsSync(file) ? readFileSync(file, "utf8") : ""]);
}

/** Longest time of a compiler. */
const TIMEOUT_MS = 600_000;

/**
 * What a command prints. Throws with what it says last on stderr where it fails; the signal ends it and all that it started.
 * @param folder where it works, and where it leaves what is temporary; by default that of this process
 */
async function run(
  [program = "", ...args]: readonly string[],
  { signal }: BuildOptions,
  folder?: string,
): Promise<string> {
  signal?.throwIfAborted();
  const child = spawn(program, args, {
    // A compiler is several processes: a group of their own is ended as one.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    ...(folder === undefined ? {} : { cwd: folder, env: { ...process.env, TMPDIR: folder } }),
  });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      said[stream] += text;
    });
  const end = (): void => {
    const { pid } = child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      child.kill("SIGKILL");
    }
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, TIMEOUT_MS);
  signal?.addEventListener("abort", end, { once: true });
  try {
    const problem = await new Promise<string | undefined>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("close", (code, killedBy) =>
        resolve(code === 0 ? undefined : (killedBy ?? `exit code ${code}`)),
      );
    });
    if (problem === undefined) return said.stdout;
    const line = isLate ? `no end after ${TIMEOUT_MS / 1000} s` : errorLine(said.stderr) || problem;
    throw new Error(line.startsWith(`${program}: `) ? line : `${program}: ${line}`);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
}

/** A compiler's first error; else the last thing that is said. */
function errorLine(stderr: string): string {
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    // g++ says of its linker only that it failed, below what that says.
    .filter((line) => line !== "" && !line.startsWith("collect2: "));
  return lines.find((line) => /error:/.test(line)) ?? lines.at(-1) ?? "";
}

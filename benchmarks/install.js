// Installs what the benchmarks compare with, as far as this machine can:
//
//   node benchmarks/install.js
//
// Packages of npm and virtual environments of Python go to benchmarks/rivals (or WIREBENCH_RIVALS), which git ignores.
// Programs of the system are installed by apt-get where this is root on Debian, and named elsewhere.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { RIVALS_FOLDER } from "./support/rivals.js";

const PACKAGES = [
  "@astronautlabs/amf@0.0.6",
  "amf-js@1.0.4",
  "erlpack@0.1.4",
  "etf.js@1.0.1",
  "pickleparser@0.2.1",
  "python-struct@1.1.3",
  "reflect-metadata@0.2.2",
];

const ENVIRONMENTS = [
  { name: "py3amf", python: ["python3.11", "python3"], packages: ["Py3AMF==0.9.1"] },
  { name: "pyamf27", python: ["python2.7"], packages: ["PyAMF==0.8.0"] },
];

const PROGRAMS = { erl: "erlang-base", "python3.11": "python3.11", gcc: "gcc" };

let missing = 0;

/** Runs a command, and tells in a line whether it went well. */
function step(what, command, args, options = {}) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8", ...options });
  const well = status === 0;
  const reason = (error?.message ?? stderr ?? "").trim().split("\n").at(-1);
  console.log(well ? `ok       ${what}` : `MISSING  ${what}: ${reason}`);
  if (!well) missing += 1;
  return well;
}

/** Python 2 has no venv: there virtualenv is fetched into a folder of its own first. */
function makeEnvironment(name, program, folder) {
  const what = `${name}: an environment`;
  if (spawnSync(program, ["-m", "venv", "--help"]).status === 0)
    return step(what, program, ["-m", "venv", folder]);
  const tools = path.join(RIVALS_FOLDER, "virtualenv");
  const env = { ...process.env, PYTHONPATH: tools };
  const fetch = ["-m", "pip", "install", "-q", "--target", tools, "virtualenv<20.16"];
  return (
    (existsSync(tools) || step(`${name}: virtualenv`, program, fetch)) &&
    step(what, program, ["-m", "virtualenv", "-q", folder], { env })
  );
}

const runs = (program) => spawnSync(program, ["--version"]).status === 0;

/** Pythons that pyenv has beside the one that it puts on the path. */
function pyenv(names) {
  const versions = path.join(process.env.PYENV_ROOT ?? path.join(os.homedir(), ".pyenv"), "versions");
  if (!existsSync(versions)) return [];
  return names.flatMap((name) =>
    readdirSync(versions)
      .filter((version) => version.startsWith(`${name.slice("python".length)}.`))
      .map((version) => path.join(versions, version, "bin/python")),
  );
}

const isThere = (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

mkdirSync(RIVALS_FOLDER, { recursive: true });
writeFileSync(path.join(RIVALS_FOLDER, "package.json"), '{ "private": true }\n');
for (const name of PACKAGES) {
  // Native parts are built from source where there is a compiler.
  step(name, "npm", ["install", "--no-audit", "--no-fund", "--foreground-scripts", name], {
    cwd: RIVALS_FOLDER,
  });
}
if (existsSync(path.join(RIVALS_FOLDER, "node_modules/erlpack"))) {
  step("erlpack's native part", "npm", ["exec", "--yes", "--", "node-gyp", "rebuild"], {
    cwd: path.join(RIVALS_FOLDER, "node_modules/erlpack"),
  });
}
for (const { name, python, packages } of ENVIRONMENTS) {
  const folder = path.join(RIVALS_FOLDER, name);
  const program = [...python, ...pyenv(python)].find((one) => runs(one));
  if (program === undefined) {
    console.log(`MISSING  ${packages.join(" ")}: there is no ${python.join(" or ")}`);
    missing += 1;
    continue;
  }
  if (!existsSync(folder) && !makeEnvironment(name, program, folder)) continue;
  step(packages.join(" "), path.join(folder, "bin/python"), ["-m", "pip", "install", "-q", ...packages]);
}
for (const [program, debian] of Object.entries(PROGRAMS)) {
  if (isThere(program)) console.log(`ok       ${program}`);
  else if (isThere("apt-get") && process.getuid?.() === 0) {
    step(program, "sh", ["-c", `apt-get update -qq && apt-get install -y -qq ${debian}`]);
  } else {
    console.log(`MISSING  ${program}: install it with your system's packages (Debian: ${debian})`);
    missing += 1;
  }
}
console.log(missing === 0 ? "everything is there" : `${missing} are missing: what needs them is left out`);

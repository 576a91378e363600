// Compiles src/ into dist/. The new folder takes the old one's place at the end, so that a deleted source file
// leaves nothing behind and a program that runs from dist/ meanwhile never meets half of it.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { minifySync } from "rolldown/utils";
import { joinModules } from "./bundle.js";
import { writeDeclarations } from "./declarations.js";

const root = path.resolve(import.meta.dirname, "..");
const at = (name) => path.join(root, name);
const tsc = path.join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
const [fresh, old] = [at(`dist.${process.pid}.new`), at(`dist.${process.pid}.old`)];
try {
  // Comments are in the declarations, where editors show them, and not a second time in what is run.
  for (const kind of [["--emitDeclarationOnly"], ["--removeComments", "--declaration", "false"]]) {
    const args = [tsc, "-p", at("tsconfig.json"), "--outDir", fresh, ...kind];
    execFileSync(process.execPath, args, { stdio: "inherit" });
  }
  writeFileSync(path.join(fresh, "page.js"), pageScript(path.join(fresh, "page")));
  await joinModules(fresh);
  for (const file of readdirSync(fresh, { recursive: true }).filter((name) => name.endsWith(".js")))
    shorten(file);
  writeDeclarations(fresh, publicDeclarations(), path.join(fresh, "types"));
  // The others are what tests are compiled against.
  writeFileSync(path.join(fresh, ".npmignore"), "*.d.ts\n!/types/**\n");
  try {
    renameSync(at("dist"), old);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  renameSync(fresh, at("dist"));
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}

/** The script of a page: its modules in one text, each a function of its own, so that no names of theirs meet. */
function pageScript(folder) {
  execFileSync(process.execPath, [tsc, "-p", at("tsconfig.page.json"), "--outDir", folder], {
    stdio: "inherit",
  });
  const modules = new Map();
  const add = (file) => {
    if (modules.has(file)) return;
    const required = [];
    modules.set(file, "");
    const text = readFileSync(path.join(folder, file), "utf8").replace(
      /require\("(\.[^"]+)"\)/g,
      (_, target) => {
        required.push(path.posix.join(path.posix.dirname(file), target));
        return `require("${required.at(-1)}")`;
      },
    );
    modules.set(file, `${JSON.stringify(file)}(require,exports){${text}}`);
    required.forEach(add);
  };
  add("browser/page.js");
  rmSync(folder, { recursive: true });
  return `(()=>{const made={},all={${[...modules.values()].join(",\n")}};const require=(name)=>{if(!(name in made))all[name](require,made[name]={});return made[name]};require("browser/page.js")})()`;
}

/** Takes what a program does not need out of a file: space, and long names that nothing exports. What it does stays the same. */
function shorten(name) {
  const file = path.join(fresh, name);
  const names = { toplevel: true, keepNames: true };
  const { code, errors } = minifySync(name, readFileSync(file, "utf8"), {
    module: true,
    compress: false,
    mangle: names,
  });
  if (errors.length > 0) throw new Error(`${name}: ${errors[0].message}`);
  // Types alone: what is run does not import them.
  if (code.trim() === "export{};") rmSync(file);
  else writeFileSync(file, code);
}

/** The declarations of each export of the package, by the name of the file that it has for them. */
function publicDeclarations() {
  const formats = readdirSync(path.join(fresh, "formats")).map((name) => [
    `formats/${name}`,
    `formats/${name}/index.d.ts`,
  ]);
  const exported = formats.filter(([, file]) => existsSync(path.join(fresh, file)));
  return { index: "index.d.ts", ...Object.fromEntries(exported) };
}

// Makes a checkout ready, at the end of npm ci: builds it, and lets npx make its entry for it where nobody interrupts that.
//
// For the program of the package that one stands in, npx keeps a link to the checkout in a cache that all projects share, and
// makes it when it is first called. Interrupted meanwhile, it takes the link for whole ever after, and ends with "Could not
// read package.json". Once the entry is whole, npx only reads it.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const { npm_execpath: npm, npm_command: command } = process.env;

if (command === "exec" && existsSync(path.join(root, "dist"))) {
  // npx makes its entry just now, and waits for this: what is built is there, and an npx from here would wait for it.
} else {
  const { status } = spawnSync(process.execPath, [path.join(root, "scripts/build.js")], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
  if (npm !== undefined && path.basename(npm).startsWith("npm") && command !== "exec") makeEntry();
}

/** Has npx make its entry, or make it anew where it is broken. A failure is npx's to tell when it is called. */
function makeEntry() {
  const first = callNpx();
  const [broken] = /\S*[\\/]_npx[\\/][0-9a-f]{16}/.exec(first.stderr ?? "") ?? [];
  if (first.status !== 0 && broken !== undefined) {
    rmSync(broken, { recursive: true, force: true });
    callNpx();
  }
}

function callNpx() {
  const args = [npm, "exec", "--offline", "--ignore-scripts", "--", "wirebench", "--version"];
  return spawnSync(process.execPath, args, { cwd: root, encoding: "utf8", timeout: 60_000 });
}

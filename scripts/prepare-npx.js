// Lets npx make its entry for this checkout now, where nobody interrupts it.
//
// For the program of the package that one stands in, npx keeps a link to the checkout in a cache that all projects share, and
// makes it when it is first called. Interrupted meanwhile, it takes the link for whole ever after, and ends with "Could not
// read package.json". Once the entry is whole, npx only reads it.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";

const npm = process.env.npm_execpath;
if (npm !== undefined && path.basename(npm).startsWith("npm")) {
  const first = callNpx(npm);
  const [broken] = /\S*[\\/]_npx[\\/][0-9a-f]{16}/.exec(first.stderr) ?? [];
  if (first.status !== 0 && broken !== undefined) {
    rmSync(broken, { recursive: true, force: true });
    callNpx(npm);
  }
}

function callNpx(npm) {
  return spawnSync(
    process.execPath,
    [npm, "exec", "--offline", "--ignore-scripts", "--", "wirebench", "--version"],
    {
      cwd: path.resolve(import.meta.dirname, ".."),
      encoding: "utf8",
    },
  );
}

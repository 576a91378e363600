// Links node_modules/.bin/wirebench to this checkout's program, as npm does for a package that is installed.
// npx takes it from there. Without the link, npx links the checkout into a cache that all projects share, and an npx that
// is interrupted meanwhile leaves that broken for good.
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";

const folder = path.resolve(import.meta.dirname, "../node_modules/.bin");
const link = path.join(folder, "wirebench");
// On Windows npm makes programs of links by a package of its own, and npx goes on by its cache.
if (process.platform !== "win32") {
  mkdirSync(folder, { recursive: true });
  rmSync(link, { force: true });
  symlinkSync("../../bin/wirebench.js", link);
}

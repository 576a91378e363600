import { execFileSync } from "node:child_process";
import path from "node:path";

export function setup(): void {
  execFileSync(process.execPath, [path.join(import.meta.dirname, "../scripts/build.js")], {
    stdio: "inherit",
  });
}
